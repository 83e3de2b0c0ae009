package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*(\(\))?$`)
	target     = regexp.MustCompile(`(?:^|[;&|] *)make ([a-z][a-z-]*)`)
	setting    = regexp.MustCompile("^\\| `([a-z._]+)` \\|")
	word       = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	helper     = regexp.MustCompile(`_test\.go$|test/[^/]+$|/(faultdisk|examples|testdata)/`) // what only tests import
	dotted     = regexp.MustCompile(`"([a-z_]+\.[a-z_.]+)"`)
)

// elsewhere are names that pages quote and this repository does not have: policies of browsers, and what was left again.
var elsewhere = []string{
	"CACertificates", "LocalNetworkAccessAllowedForUrls", "VideoCaptureAllowedUrls", "sheet_edge", "store/etcd/wire",
}

// Each file, target of make, setting and name of the program that a page quotes is there.
func TestNames(t *testing.T) {
	tree, settings := readTree(t), readSettings(t)
	found := 0
	for _, p := range pages(t) {
		for i, l := range p.lines {
			for _, code := range l.quoted() {
				text, problem := code, ""
				switch {
				case slices.Contains(elsewhere, code):
				case tree.isPath(text):
					problem = tree.path(text)
				case settings.has(text):
					problem = settings.check(text, tree)
				case target.MatchString(text):
					problem = tree.targets(text)
				case !l.code && identifier.MatchString(text) && strings.IndexFunc(text[1:], inner) >= 0:
					problem = tree.name(text)
				default:
					continue
				}
				found++
				if problem != "" {
					t.Errorf("%s:%d: %s: %s", p.name, i+1, code, problem)
				}
			}
		}
	}
	if found < 700 {
		t.Errorf("found %d names: the search is broken", found)
	}
}

// Each package of the program is named on the page of its architecture; what only tests import is not.
func TestPackages(t *testing.T) {
	p := readPage(t, "docs/architecture.md")
	named := map[string]bool{}
	for _, l := range p.lines {
		for _, code := range l.quoted() {
			for part := range strings.SplitSeq(code, "/") {
				named[part] = true
			}
		}
	}
	seen := map[string]bool{}
	sources(t, func(name, _ string) {
		folder := filepath.Dir(name)
		if filepath.Ext(name) == ".go" && !helper.MatchString(name) && !seen[folder] {
			seen[folder] = true
			if !named[filepath.Base(folder)] {
				t.Errorf("docs/architecture.md does not name the package %s", folder)
			}
		}
	})
	if len(seen) < 50 {
		t.Errorf("found %d packages: the search is broken", len(seen))
	}
}

// inner reports whether a letter behind the first makes a word the name of something.
func inner(r rune) bool { return unicode.IsUpper(r) || r == '_' || r == '.' }

// quoted returns the code of a line: what stands in quotes, or the whole line of a fenced block.
func (l line) quoted() (all []string) {
	if l.code {
		return []string{strings.TrimSpace(l.text)}
	}
	for _, code := range inlineCode.FindAllString(l.text, -1) {
		all = append(all, strings.Trim(code, "`"))
	}
	return all
}

// repository is what the files of the repository hold but for its pages.
type repository struct {
	folders  map[string]bool            // at the top
	words    map[string]bool            // of all sources
	packages map[string]map[string]bool // words of a package of Go, by its name
	dotted   map[string]bool            // texts such as "store.erased"
	makefile string
}

func readTree(t *testing.T) *repository {
	t.Helper()
	r := &repository{folders: map[string]bool{}, words: map[string]bool{}, packages: map[string]map[string]bool{}, dotted: map[string]bool{}}
	sources(t, func(name, text string) {
		first, _, below := strings.Cut(name, "/")
		if below {
			r.folders[first] = true
		}
		if filepath.Dir(name) != "docs" {
			r.read(text, filepath.Base(name), filepath.Base(filepath.Dir(name)))
		}
	})
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	r.makefile = string(makefile)
	for _, w := range word.FindAllString(r.makefile, -1) {
		r.words[w] = true
	}
	return r
}

// sources gives use each source file of the repository, by its name from the root.
func sources(t *testing.T, use func(name, text string)) {
	t.Helper()
	kinds := []string{".go", ".py", ".ts", ".tsx", ".js", ".yaml", ".yml", ".sh", ".json", ".txt", ".toml", ".service"}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != root && (strings.HasPrefix(base, ".") || slices.Contains([]string{"bin", "dist", "var"}, base)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(kinds, filepath.Ext(base)) {
			return nil
		}
		local, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		use(filepath.ToSlash(local), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// read takes in a file's words.
func (r *repository) read(text, base, folder string) {
	in := map[string]bool{}
	if filepath.Ext(base) == ".go" {
		if r.packages[folder] == nil {
			r.packages[folder] = in
		}
		in = r.packages[folder]
	}
	for _, w := range word.FindAllString(base+" "+text, -1) {
		r.words[w], in[w] = true, true
	}
	for _, m := range dotted.FindAllStringSubmatch(text, -1) {
		r.dotted[m[1]] = true
	}
}

// isPath reports whether a text is meant for a file or folder of the repository.
func (r *repository) isPath(text string) bool {
	first, _, below := strings.Cut(text, "/")
	return below && r.folders[first] && !strings.ContainsAny(text, " *<>{}…$:") && strings.ToLower(text) == text
}

func (r *repository) path(text string) string {
	if _, err := os.Stat(filepath.Join(root, text)); err != nil {
		return "there is no such file"
	}
	return ""
}

func (r *repository) targets(text string) string {
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(r.makefile, "\n"+m[1]+":") {
			return "the Makefile has no " + m[1]
		}
	}
	return ""
}

// name holds a name against the words of the package that stands before it, or of all.
func (r *repository) name(text string) string {
	all := word.FindAllString(text, -1)
	in := r.words
	if len(all) > 1 && r.packages[all[0]] != nil && unicode.IsUpper(rune(all[1][0])) {
		in, all = r.packages[all[0]], all[1:]
	}
	for _, w := range all {
		if !in[w] {
			return "nothing is called " + w
		}
	}
	return ""
}

// settingNames are the keys of the configuration, and the sections that they stand in with false.
type settingNames map[string]bool

func readSettings(t *testing.T) settingNames {
	t.Helper()
	s := settingNames{}
	for _, l := range readPage(t, "docs/configuration.md").lines {
		if m := setting.FindStringSubmatch(l.text); m != nil {
			s[m[1]] = true
			for at, sign := range m[1] {
				if sign == '.' {
					s[m[1][:at]] = false
				}
			}
		}
	}
	if len(s) < 80 {
		t.Fatalf("found %d settings: the search is broken", len(s))
	}
	return s
}

// has reports whether a text begins as a setting does.
func (s settingNames) has(text string) bool {
	section, _, below := strings.Cut(text, ".")
	key, known := s[section]
	return below && known && !key && identifier.MatchString(text) && strings.ToLower(text) == text
}

// check allows for acts of the journal and files, whose names begin as settings do.
func (s settingNames) check(text string, r *repository) string {
	if _, known := s[text]; !known && !r.dotted[text] {
		return "there is no such setting"
	}
	return ""
}
