package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// action is what a command does with its positional arguments once its flags are read.
type action func(ctx context.Context, t *terminal, args []string) error

// command is one node of the command tree: a group with sub commands, or a leaf with a setup.
type command struct {
	name   string
	params string // positional arguments as the help shows them; each word is required unless it stands in brackets
	short  string // one line, for the list of the group
	long   string // the help text
	// setup declares the flags and returns the action that reads them.
	setup func(fs *flag.FlagSet) action
	sub   []command
}

// usageError is a wrong call; path is the command that it concerns.
type usageError struct {
	path string
	msg  string
}

func (e *usageError) Error() string { return e.msg }

// run finds the command of args and carries it out.
func run(ctx context.Context, t *terminal, args []string) error {
	root := commands()
	return root.run(ctx, t, "bawab", args)
}

func (c *command) run(ctx context.Context, t *terminal, path string, args []string) error {
	if len(c.sub) == 0 {
		return c.leaf(ctx, t, path, args)
	}
	if len(args) == 0 {
		return &usageError{path, "a command is missing"}
	}
	name := args[0]
	switch name {
	case "help":
		if len(args) == 1 {
			return c.help(t.out, path)
		}
		return c.run(ctx, t, path, append(args[1:], "--help"))
	case "-h", "-help", "--help":
		return c.help(t.out, path)
	case "--version":
		name = "version"
	}
	for i := range c.sub {
		if c.sub[i].name == name {
			return c.sub[i].run(ctx, t, path+" "+name, args[1:])
		}
	}
	if strings.HasPrefix(name, "-") {
		return &usageError{path, "flags follow the command: " + name + " stands before it"}
	}
	return &usageError{path, fmt.Sprintf("there is no command %q", name)}
}

// leaf reads flags, which may stand before, between and after the positional arguments, and acts.
func (c *command) leaf(ctx context.Context, t *terminal, path string, args []string) error {
	fs := flag.NewFlagSet(path, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	act := c.setup(fs)
	var positional []string
	for len(args) > 0 {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return c.help(t.out, path)
		} else if err != nil {
			return &usageError{path, flagWords(fs, err)}
		}
		read := len(args) - fs.NArg()
		if read > 0 && args[read-1] == "--" {
			positional = append(positional, fs.Args()...)
			break
		}
		if args = fs.Args(); len(args) > 0 {
			positional, args = append(positional, args[0]), args[1:]
		}
	}
	// An empty value is a variable that was not set; taking the default instead would act on another place.
	var empty string
	fs.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			empty = f.Name
		}
	})
	if empty != "" {
		return &usageError{path, "the value of --" + empty + " is empty"}
	}
	words := strings.Fields(c.params)
	if len(positional) > len(words) {
		return &usageError{path, fmt.Sprintf("%q is one argument too many", positional[len(words)])}
	}
	if len(positional) < len(words) && !strings.HasPrefix(words[len(positional)], "[") {
		return &usageError{path, words[len(positional)] + " is missing"}
	}
	return act(ctx, t, positional)
}

// flagWords says what is wrong with the flags of a call, with two dashes as the help writes them.
func flagWords(fs *flag.FlagSet, err error) string {
	msg := err.Error()
	var value, name string
	if n, _ := fmt.Sscanf(msg, "invalid value %q for flag -%s", &value, &name); n == 2 { // only numbers are refused
		name = strings.TrimSuffix(name, ":")
		return fmt.Sprintf("--%s %q is no number such as %s", name, value, fs.Lookup(name).DefValue)
	}
	if n, _ := fmt.Sscanf(msg, "invalid boolean value %q for -%s", &value, &name); n == 2 {
		return fmt.Sprintf("--%s %q is neither true nor false", strings.TrimSuffix(name, ":"), value)
	}
	return strings.NewReplacer("flag provided but not defined: -", "there is no flag --", "flag needs an argument: -", "a value is missing after --",
		"bad flag syntax: ", "there is no flag ").Replace(msg)
}

// help prints what the command is for, its sub commands and its flags.
func (c *command) help(w io.Writer, path string) error {
	var b strings.Builder
	b.WriteString("usage: " + path)
	if len(c.sub) > 0 {
		b.WriteString(" COMMAND")
	}
	if c.params != "" {
		b.WriteString(" " + c.params)
	}
	flags, meanings := c.flags()
	if len(flags) > 0 {
		b.WriteString(" [flags]")
	}
	b.WriteString("\n\n" + strings.TrimSpace(c.long) + "\n")
	if len(c.sub) > 0 {
		b.WriteString("\ncommands:\n")
		var names, texts []string
		for _, s := range c.sub {
			names, texts = append(names, s.name), append(texts, s.short)
		}
		table(&b, 10, names, texts)
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about each.\n", path)
	}
	if len(flags) > 0 {
		b.WriteString("\nflags:\n")
		table(&b, 20, flags, meanings)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes names and what they stand for in two columns.
func table(w io.Writer, least int, names, texts []string) {
	width := column(least, names)
	for i, name := range names {
		fmt.Fprintf(w, "  %-*s %s\n", width, name, texts[i])
	}
}

// flags lists the flags of a command as they are written, and what they mean.
func (c *command) flags() (names, meanings []string) {
	if c.setup == nil {
		return nil, nil
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	c.setup(fs)
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		name := "--" + f.Name
		if value != "" {
			name += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			usage += " (" + f.DefValue + ")"
		}
		names, meanings = append(names, name), append(meanings, usage)
	})
	return names, meanings
}
