// Package docs_test holds what people read to what it promises: links that lead somewhere, pages that are generated from
// the code, sizes, and plain language. `go test ./docs -write` writes the generated pages anew.
package docs_test

import (
	"bytes"
	"flag"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// write makes the tests of generated pages write them instead of comparing.
var write = flag.Bool("write", false, "write the generated pages")

// root is the repository seen from this package's folder.
const root = ".."

// page is one Markdown file.
type page struct {
	name  string // from the root
	lines []line
}

// line is a line of a page. Code is a fenced block with its fences.
type line struct {
	text string
	code bool
}

// own reports whether a page belongs to the documentation proper; the cards of the networks are held to their links alone.
func (p *page) own() bool { return p.name == "README.md" || strings.HasPrefix(p.name, "docs/") }

// pages returns all Markdown files of the repository.
func pages(t *testing.T) (all []page) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		local, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); local != "." && (strings.HasPrefix(base, ".") || base == "bin" || base == "dist" || base == "var") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) == ".md" {
			all = append(all, readPage(t, filepath.ToSlash(local)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 30 {
		t.Fatalf("found %d pages: the walk is broken", len(all))
	}
	return all
}

// readPage reads one page by its name from the root.
func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	p := page{name: name}
	fenced := false
	for s := range strings.Lines(string(text)) {
		fence := strings.HasPrefix(strings.TrimSpace(s), "```")
		p.lines = append(p.lines, line{strings.TrimRight(s, "\n"), fenced || fence})
		fenced = fenced != fence
	}
	if fenced {
		t.Errorf("%s: a fenced block has no end", name)
	}
	return p
}

var (
	inlineCode = regexp.MustCompile("`[^`]*`")
	link       = regexp.MustCompile(`\]\(([^()\s]+)\)`)
)

// links returns the targets of a page's links and pictures.
func (p *page) links() (targets []string) {
	for _, l := range p.lines {
		if l.code {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(l.text, ""), -1) {
			targets = append(targets, m[1])
		}
	}
	return targets
}

// anchors returns the names under which a page's headings can be linked to.
func (p *page) anchors() (names []string) {
	for _, l := range p.lines {
		if !l.code && strings.HasPrefix(l.text, "#") {
			names = append(names, anchor(strings.TrimLeft(l.text, "# ")))
		}
	}
	return names
}

// anchor is the name that Git hosts give a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// Every link of every page leads to a file of the repository, and to a heading of it where it names one; addresses of the
// web are well formed.
func TestLinks(t *testing.T) {
	checked := 0
	for _, p := range pages(t) {
		for _, target := range p.links() {
			checked++
			if problem := follow(t, &p, target); problem != "" {
				t.Errorf("%s: link to %s: %s", p.name, target, problem)
			}
		}
	}
	if checked < 100 {
		t.Errorf("found %d links: the search is broken", checked)
	}
}

// follow returns what is wrong with a link, "" when nothing is.
func follow(t *testing.T, p *page, target string) string {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		return "it is no address"
	}
	if u.Scheme != "" {
		if u.Scheme == "https" && u.Host != "" {
			return ""
		}
		return "only https is linked to"
	}
	name := p.name
	if u.Path != "" {
		name = filepath.ToSlash(filepath.Join(filepath.Dir(p.name), u.Path))
	}
	if strings.HasPrefix(name, "..") {
		return "it leaves the repository"
	}
	info, err := os.Stat(filepath.Join(root, name))
	if err != nil {
		return "there is no such file"
	}
	if u.Fragment == "" {
		return ""
	}
	if info.IsDir() || filepath.Ext(name) != ".md" {
		return "only pages have headings"
	}
	if to := readPage(t, name); !slices.Contains(to.anchors(), u.Fragment) {
		return "the page has no such heading"
	}
	return ""
}

// Every page of the documentation can be reached from the README by links.
func TestReachable(t *testing.T) {
	seen := map[string]bool{"README.md": true}
	for queue := []string{"README.md"}; len(queue) > 0; queue = queue[1:] {
		p := readPage(t, queue[0])
		for _, target := range p.links() {
			path, _, _ := strings.Cut(target, "#")
			name := filepath.ToSlash(filepath.Join(filepath.Dir(p.name), path))
			if filepath.Ext(name) == ".md" && !strings.Contains(target, ":") && !seen[name] {
				seen[name] = true
				queue = append(queue, name)
			}
		}
	}
	for _, p := range pages(t) {
		if p.own() && !seen[p.name] {
			t.Errorf("no link leads from the README to %s", p.name)
		}
	}
}

// What must stay small stays small: the README, its picture, the page of the present figures, whose past has a page of its
// own, and the page that shows a newcomer around.
func TestSizes(t *testing.T) {
	for name, most := range map[string]int{"README.md": 6 << 10, "docs/picture.jpg": 120_000, "docs/accuracy.md": 36 << 10} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > most {
			t.Errorf("%s has %d bytes, at most %d are allowed", name, len(text), most)
		}
	}
	if p := readPage(t, "docs/architecture.md"); len(p.lines) > 200 {
		t.Errorf("%s has %d lines, at most 200 are allowed", p.name, len(p.lines))
	}
}

// The newest release of the changelog is the one that VERSION holds.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	version := string(bytes.TrimSpace(text))
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
		t.Errorf("VERSION holds %q, no release", version)
	}
	for _, l := range readPage(t, "docs/changelog.md").lines {
		if release, ok := strings.CutPrefix(l.text, "## "); ok {
			if first, _, _ := strings.Cut(release, " "); first != version {
				t.Errorf("the changelog begins with %s, VERSION holds %s", first, version)
			}
			return
		}
	}
	t.Error("the changelog has no release")
}

// checkGenerated compares a file with what it is generated from, or writes it.
func checkGenerated(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join(root, name)
	if *write {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: write it anew with `go test ./docs -write`", name)
	}
}

// Every module of the training tree that a page tells to run is there, and takes the options that the page gives it.
func TestModules(t *testing.T) {
	module := regexp.MustCompile(`(?:python3?|\$PYTHON) -m (bawab_training[a-z0-9_.]+)([^|;` + "`" + `]*)`)
	option := regexp.MustCompile(`(?:^| )(--[a-z][a-z0-9-]*)`)
	found := 0
	for _, p := range pages(t) {
		for i, l := range p.lines {
			for _, m := range module.FindAllStringSubmatch(l.text, -1) {
				found++
				source, err := os.ReadFile(filepath.Join(root, "models", "training", strings.ReplaceAll(m[1], ".", "/")+".py"))
				if err != nil {
					t.Errorf("%s:%d: %v", p.name, i+1, err)
					continue
				}
				for _, o := range option.FindAllStringSubmatch(m[2], -1) {
					if !strings.Contains(string(source), `"`+o[1]+`"`) {
						t.Errorf("%s:%d: %s has no option %s", p.name, i+1, m[1], o[1])
					}
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d commands were found", found)
	}
}
