package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"
)

// repository is the root of the source, seen from this package's folder.
var repository = filepath.Join("..", "..")

// readDoc reads a page by its name from the root.
func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns the contents of a page's fenced blocks of a language.
func blocks(page, language string) (all []string) {
	var block *strings.Builder
	wanted := false
	for line := range strings.Lines(page) {
		name, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && block == nil:
			block, wanted = new(strings.Builder), name == language
		case fence && wanted:
			all = append(all, block.String())
			block = nil
		case fence:
			block = nil
		case block != nil:
			block.WriteString(line)
		}
	}
	return all
}

// The blocks of the tutorial, those of a language put together as it says, make a whole check at a daemon in each
// language and print what it promises.
func TestTutorial(t *testing.T) {
	page := readDoc(t, "docs/tutorial.md")
	promised := blocks(page, "text")
	if len(promised) != 1 {
		t.Fatalf("the tutorial promises %d outputs, want one", len(promised))
	}
	p := startProgram(t, t.TempDir())
	for _, tt := range []struct {
		language, extension string
		command             []string
		needs               string // a program that the blocks call
	}{
		{"sh", ".sh", []string{"bash", "-euo", "pipefail"}, "jq"},
		{"python", ".py", []string{"python3"}, "python3"},
		{"ts", ".mjs", []string{"node"}, "node"},
	} {
		t.Run(tt.language, func(t *testing.T) {
			parts := blocks(page, tt.language)
			if len(parts) != 4 {
				t.Fatalf("%d blocks, want front, back, match and liveness", len(parts))
			}
			for _, name := range []string{tt.command[0], tt.needs} {
				if _, err := exec.LookPath(name); err != nil {
					t.Skipf("no %s on this machine", name)
				}
			}
			file := filepath.Join(t.TempDir(), "tutorial"+tt.extension)
			if err := os.WriteFile(file, []byte(strings.Join(parts, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			c := exec.CommandContext(t.Context(), tt.command[0], append(tt.command[1:], file)...)
			c.Dir = repository
			c.Env = append(os.Environ(), "API_URL=http://"+p.listen, "API_KEY="+p.secret)
			var said bytes.Buffer
			c.Stderr = &said
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, said.Bytes())
			}
			if diff := cmp.Diff(promised[0], string(out)); diff != "" {
				t.Errorf("another output than the tutorial promises:\n%s", diff)
			}
		})
	}
}

// Each call of the program that a page shows parses: the command is there, takes the flags that the page gives it, and no fewer
// arguments.
func TestDocumentedCommands(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/*/*.md", "models/*.md", "models/*/*.md", "models/*/*/*.md"} {
		more, err := filepath.Glob(filepath.Join(repository, filepath.FromSlash(pattern)))
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(more), err)
		}
		pages = append(pages, more...)
	}
	call := regexp.MustCompile(`(?:^|[;&|(=] *|sudo |exec (?:bawab )?)(?:[A-Z_]+=\S+ )*(?:bin/)?bawab ([^|;&#>)]*)`)
	quoted := regexp.MustCompile("`[^`\n]+`")
	brackets := strings.NewReplacer("[", "", "]", "")
	found := 0
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, language := range []string{"", "sh", "bash"} {
			for _, block := range blocks(string(text), language) {
				lines = append(lines, strings.Split(strings.ReplaceAll(block, "\\\n", " "), "\n")...)
			}
		}
		lines = append(lines, quoted.FindAllString(string(text), -1)...)
		for _, line := range lines {
			for _, m := range call.FindAllStringSubmatch(strings.Trim(strings.TrimSpace(line), "`"), -1) {
				found++
				if problem := parses(strings.Fields(brackets.Replace(m[1]))); problem != "" {
					t.Errorf("%s: %s: %s", name, strings.TrimSpace(line), problem)
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("found %d calls: the search is broken", found)
	}
}

// parses says what is wrong with a call. A page may leave arguments out, as where it only names a command.
func parses(args []string) string {
	c, rest, err := commands().Find(args)
	switch {
	case err != nil:
		return err.Error()
	case c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && rest[0] != "COMMAND":
		return "there is no command " + rest[0]
	}
	valueless := (*flag.ValueRequiredError)(nil) // of a flag that is only named
	if err := c.ParseFlags(rest); err != nil && !errors.Is(err, flag.ErrHelp) && !errors.As(err, &valueless) {
		return err.Error()
	}
	if given, most := len(c.Flags().Args()), len(strings.Fields(c.Use))-1; given > most && !c.HasSubCommands() {
		return "it has too many arguments"
	}
	return ""
}

// The page of commands has each command that the help lists.
func TestCommandsPage(t *testing.T) {
	rows := map[string]string{} // by the first command that they name
	for line := range strings.Lines(readDoc(t, "docs/commands.md")) {
		if text, row := strings.CutPrefix(line, "| `bawab "); row {
			name := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '`' })[0]
			rows[name] += text
		}
	}
	for _, c := range commands().Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		row := rows[c.Name()]
		if row == "" {
			t.Errorf("docs/commands.md does not have %s", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			if named := regexp.MustCompile("[ `]" + sub.Name() + "[ `]"); sub.IsAvailableCommand() && !named.MatchString(row) {
				t.Errorf("docs/commands.md does not have %s", sub.CommandPath())
			}
		}
	}
}

// Each command that the help lists has a man page, which says in a line what it is, for `apropos`, and has all its flags.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	if err := writeManual(dir); err != nil {
		t.Fatal(err)
	}
	flags := 0
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
		}
		if name := regexp.MustCompile(`(?m)^\.SH NAME\n\S+ - \S`); !name.Match(page) {
			t.Errorf("the man page of %s does not say in a line what it is", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *flag.Flag) {
			flags++
			if !strings.Contains(string(page), "--"+f.Name+"\\fP") {
				t.Errorf("the man page of %s does not have --%s", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				look(sub)
			}
		}
	}
	look(commands())
	if flags < 100 {
		t.Errorf("found %d flags: the search is broken", flags)
	}
}

// The values in the README's picture are those that the program reads on its sample now.
func TestReadmePicture(t *testing.T) {
	comment := jpegComment([]byte(readDoc(t, "docs/picture.jpg")))
	var shown map[string]string
	if err := json.Unmarshal(comment, &shown); err != nil || len(shown) == 0 {
		t.Fatalf("its comment does not say what it shows: %v: %q", err, comment)
	}
	p := program{t: t}
	var now reply
	said := p.command("scan", filepath.Join(repository, "models", "samples", "id_front.jpg"), "--endpoint", "id/front")
	if err := json.Unmarshal([]byte(said), &now); err != nil {
		t.Fatal(err)
	}
	for name, value := range shown {
		if now.Data[name] != value {
			t.Errorf("%s: the README's picture shows %q, now it is %q: draw it anew (bawab_training.photograph.readme_picture)",
				name, value, now.Data[name])
		}
	}
}

// The answer that docs/answers.md shows in full is the one that the program gives on its sample now, but for the ids.
func TestDocumentedAnswer(t *testing.T) {
	parts := blocks(readDoc(t, "docs/answers.md"), "json")
	if len(parts) != 1 {
		t.Fatalf("%d answers, want one", len(parts))
	}
	p := program{t: t}
	said := p.command("scan", filepath.Join(repository, "models", "samples", "passport.jpg"))
	var shown, now map[string]any
	for text, to := range map[string]*map[string]any{parts[0]: &shown, said: &now} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
		data, ok := (*to)["data"].(map[string]any)
		if !ok {
			t.Fatalf("no data in %s", text)
		}
		for _, id := range []string{"transaction_id", "request_id"} {
			if data[id] == nil {
				t.Errorf("no %s in %s", id, text)
			}
			data[id] = "an id"
		}
	}
	if diff := cmp.Diff(shown, now); diff != "" {
		t.Errorf("docs/answers.md shows another answer:\n%s", diff)
	}
}

// jpegComment returns the first comment of a JPEG file, nil where it has none.
func jpegComment(b []byte) []byte {
	const start, comment, scan = 2, 0xfe, 0xda
	for at := start; at+4 <= len(b) && b[at] == 0xff; {
		kind, length := b[at+1], int(binary.BigEndian.Uint16(b[at+2:]))
		if kind == scan || at+2+length > len(b) {
			break
		}
		if kind == comment {
			return b[at+4 : at+2+length]
		}
		at += 2 + length
	}
	return nil
}
