package appliance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// engineFolders are the packages of the document engine, which knows no document.
func engineFolders() []string {
	return []string{"inference/page", "inference/field", "inference/form", "inference/search"}
}

// TestEngineKnowsNoDocument: the packages of the document engine and those that read documents by descriptions, their tests apart, name no
// kind of document, and hold no text in Arabic letters: what a kind prints stands in its folder, and passports and plates, which have no
// description, have packages of their own. Unknown is no kind; the engine does not need it.
func TestEngineKnowsNoDocument(t *testing.T) {
	kinds := kindNames(t)
	files := 0
	for _, folder := range append(
		engineFolders(), "inference/block", "inference/describe", "inference/doubt", "inference/kind", "inference/multi", "inference/reading",
		"inference/scene", "inference/tell", "inference/zone",
	) {
		for _, file := range goFiles(t, folder) {
			files++
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					allowed := n.Sel.Name == "Unknown" && !slices.Contains(engineFolders(), folder)
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "appliance" && kinds[n.Sel.Name] && !allowed {
						t.Errorf("%s names the kind %s", file, n.Sel.Name)
					}
				case *ast.BasicLit:
					if strings.ContainsFunc(n.Value, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
						t.Errorf("%s holds %s", file, n.Value)
					}
				}
				return true
			})
		}
	}
	if files < 15 {
		t.Errorf("found %d files: the list of folders is wrong", files)
	}
}

// TestEngineIsSmall: the packages of the document engine have no more than 4,000 lines together, and no file of theirs has 600.
func TestEngineIsSmall(t *testing.T) {
	const mostInFile, mostInEngine = 600, 4000
	all := 0
	for _, folder := range engineFolders() {
		for _, file := range goFiles(t, folder) {
			n := linesIn(t, file)
			if n > mostInFile {
				t.Errorf("%s has %d lines", file, n)
			}
			all += n
		}
	}
	if all > mostInEngine || all == 0 {
		t.Errorf("the engine has %d lines", all)
	}
}

// mostLines is how many lines the hand-written Go code of a package has fewer than, its tests apart.
const mostLines = 2500

// large names the packages that still have more, and what each must stay below: the nouns and rules, Egypt's own, the routes, the commands,
// the wiring and the store have not been parted yet. The list only shrinks.
func large() map[string]int {
	return map[string]int{
		"appliance": 5800, "appliance/egypt": 6200, "appliance/httpapi": 7100, "cmd/bawab": 4000, "daemon": 3100, "store": 4800,
	}
}

// TestPackagesAreSmall: no package has mostLines, but for the large ones, and none of these stays on the list once it is small.
func TestPackagesAreSmall(t *testing.T) {
	lines := map[string]int{}
	walk(t, func(file string) {
		local, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && !generated(t, file) {
			lines[filepath.ToSlash(filepath.Dir(local))] += linesIn(t, file)
		}
	})
	for folder, n := range lines {
		if n >= max(mostLines, large()[folder]) {
			t.Errorf("%s has %d lines", folder, n)
		}
	}
	for folder := range large() {
		if lines[folder] < mostLines {
			t.Errorf("%s has %d lines: it is large no longer", folder, lines[folder])
		}
	}
	if len(lines) < 60 {
		t.Errorf("found %d packages: the walk is broken", len(lines))
	}
}

// generated reports whether a file says that a program wrote it.
func generated(t *testing.T, file string) bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return ast.IsGenerated(parsed)
}

// linesIn counts the lines of a file.
func linesIn(t *testing.T, file string) int {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

// goFiles lists the Go files of a folder, tests apart.
func goFiles(t *testing.T, folder string) (out []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			out = append(out, file)
		}
	}
	return out
}

// kindNames are the names of the constants of type Kind.
func kindNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range goFiles(t, "appliance") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "Kind" {
					for _, n := range v.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	if !names["DrivingLicense"] {
		t.Fatal("found no kinds: the constants are declared otherwise")
	}
	return names
}
