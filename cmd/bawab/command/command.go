// Package command is the frame of bawab's commands: how they are named, called and helped, where they read from and write to, which
// appliance they are about, and how a person is told what went wrong.
package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/configs"
)

// Action is what a command does with its positional arguments once its flags are read.
type Action func(ctx context.Context, t *Terminal, args []string) error

// UsageError is a wrong call; Path is the command that it concerns.
type UsageError struct {
	Path string
	Msg  string
	Hint string // beside the one that names the help
}

func (e *UsageError) Error() string { return e.Msg }

// terminalKey is the key under which the context of a command holds its terminal.
type terminalKey struct{}

// Run finds the command of args below root and carries it out.
func Run(ctx context.Context, t *Terminal, root *cobra.Command, args []string) error {
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.Errs)
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], "-") && !slices.Contains([]string{"-h", "--help", "--version"}, args[0]) {
		return &UsageError{Path: "bawab", Msg: "flags follow the command: " + args[0] + " stands before it"}
	}
	return root.ExecuteContext(context.WithValue(ctx, terminalKey{}, t))
}

// Root completes the command that stands above all others.
func Root(c *cobra.Command, version, versionLine string, sub ...*cobra.Command) *cobra.Command {
	c = Group(c, sub...)
	c.Version = version
	c.SetVersionTemplate(versionLine)
	c.SilenceErrors, c.SilenceUsage = true, true // report tells them in its own form
	c.SetUsageFunc(usage)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &UsageError{Path: c.CommandPath(), Msg: flagWords(c, err), Hint: nearFlag(c, err)}
	})
	c.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]...", Short: "tell more about a command", Hidden: true,
		RunE: func(help *cobra.Command, args []string) error { return helpOn(help.Root(), args) },
	})
	return c
}

// Group is a command that only has others below it.
func Group(c *cobra.Command, sub ...*cobra.Command) *cobra.Command {
	c.AddCommand(sub...)
	c.DisableFlagsInUseLine = true
	c.SuggestionsMinimumDistance = 2
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return &UsageError{Path: c.CommandPath(), Msg: "a command is missing"}
		case args[0] == "help":
			return helpOn(c, args[1:])
		}
		return noCommand(c, args[0])
	}
	return c
}

// noCommand names the commands that a name which is none may have meant.
func noCommand(c *cobra.Command, name string) error {
	e := &UsageError{Path: c.CommandPath(), Msg: fmt.Sprintf("there is no command %q", name)}
	if near := c.SuggestionsFor(name); len(near) > 0 {
		e.Hint = fmt.Sprintf("did you mean `%s %s`?", c.CommandPath(), strings.Join(near, "` or `"+c.CommandPath()+" "))
	}
	return e
}

// helpOn prints the help of the command that args lead to from c.
func helpOn(c *cobra.Command, args []string) error {
	for _, name := range args {
		at := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name })
		if at < 0 {
			return noCommand(c, name)
		}
		c = c.Commands()[at]
	}
	return c.Help()
}

// Leaf is a command that does something: setup declares its flags and returns the action that reads them. Each word of
// its usage is a required argument unless it stands in brackets.
func Leaf(c *cobra.Command, setup func(*flag.FlagSet) Action) *cobra.Command {
	act := setup(c.Flags())
	c.Args = positional
	c.RunE = func(c *cobra.Command, args []string) error {
		t, _ := c.Context().Value(terminalKey{}).(*Terminal)
		err := act(c.Context(), t, args)
		if e := (*UsageError)(nil); errors.As(err, &e) && e.Path == "" {
			e.Path = c.CommandPath()
		}
		return err
	}
	return c
}

// positional holds the arguments of a call against those that its command takes.
func positional(c *cobra.Command, args []string) error {
	// An empty value is a variable that was not set; taking the default instead would act on another place.
	empty := ""
	c.Flags().Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			empty = f.Name
		}
	})
	words := strings.Fields(c.Use)[1:]
	more := strings.HasSuffix(c.Use, "...") // as many as one likes
	msg := ""
	switch {
	case empty != "":
		msg = "the value of --" + empty + " is empty"
	case len(args) > len(words) && !more:
		msg = fmt.Sprintf("%q is one argument too many", args[len(words)])
	case len(args) < len(words) && !strings.HasPrefix(words[len(args)], "["):
		msg = words[len(args)] + " is missing"
	default:
		return nil
	}
	return &UsageError{Path: c.CommandPath(), Msg: msg}
}

// flagWords says what is wrong with the flags of a call.
func flagWords(c *cobra.Command, err error) string {
	var (
		unknown *flag.NotExistError
		missing *flag.ValueRequiredError
		invalid *flag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return "there is no flag -" + unknown.GetSpecifiedShortnames()
	case errors.As(err, &unknown):
		return "there is no flag --" + unknown.GetSpecifiedName()
	case errors.As(err, &missing):
		return "a value is missing after --" + missing.GetSpecifiedName()
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return fmt.Sprintf("--%s %q is neither true nor false", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &invalid): // only numbers are refused
		return fmt.Sprintf("--%s %q is no number such as %s", invalid.GetFlag().Name, invalid.GetValue(), invalid.GetFlag().DefValue)
	}
	return strings.Replace(err.Error(), "bad flag syntax: ", "there is no flag ", 1)
}

// nearFlag names the flag that an unknown one may have meant, "" where none is like it.
func nearFlag(c *cobra.Command, err error) string {
	var unknown *flag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *flag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if at, apart := configs.Nearest(names, unknown.GetSpecifiedName()); at >= 0 && apart <= 2 {
		return "did you mean --" + names[at] + "?"
	}
	return ""
}

// usage prints how a command is called, its sub commands and its flags.
func usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("usage: " + c.UseLine())
	if c.HasAvailableSubCommands() {
		b.WriteString(" COMMAND\n\ncommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about each.\n", c.CommandPath())
	} else if c.HasAvailableLocalFlags() {
		b.WriteString("\n\nflags:\n" + c.LocalFlags().FlagUsages())
	}
	_, err := c.OutOrStderr().Write([]byte(b.String()))
	return err
}
