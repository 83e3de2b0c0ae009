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

// readerFolders are the packages that read documents over the engine.
func readerFolders() []string {
	return []string{
		"inference/block", "inference/describe", "inference/documents", "inference/documents/egypt", "inference/doubt", "inference/kind",
		"inference/multi", "inference/passport", "inference/plate", "inference/reading", "inference/scene", "inference/tell",
		"inference/zone",
	}
}

// textFolders are the packages that find lines of text and read them.
func textFolders() []string {
	return []string{"inference/bidi", "inference/ctc", "inference/general", "inference/ink", "inference/line", "inference/text"}
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

// TestEngineIsSmall: no package of the document engine has 2,500 lines, all of them together no more than 4,000, and no file 600.
func TestEngineIsSmall(t *testing.T) {
	const mostInFile, mostInPackage, mostInEngine = 600, 2500, 4000
	all := 0
	for _, folder := range engineFolders() {
		lines := 0
		for _, file := range goFiles(t, folder) {
			n := linesIn(t, file)
			if n > mostInFile {
				t.Errorf("%s has %d lines", file, n)
			}
			lines += n
		}
		if lines >= mostInPackage {
			t.Errorf("%s has %d lines", folder, lines)
		}
		all += lines
	}
	if all > mostInEngine || all == 0 {
		t.Errorf("the engine has %d lines", all)
	}
}

// TestReadersAreSmall: no package that reads documents over the engine, and none of those that read text, has 2,500 lines.
func TestReadersAreSmall(t *testing.T) {
	const most = 2500
	for _, folder := range append(readerFolders(), textFolders()...) {
		lines := 0
		for _, file := range goFiles(t, folder) {
			lines += linesIn(t, file)
		}
		if lines >= most || lines == 0 {
			t.Errorf("%s has %d lines", folder, lines)
		}
	}
}

// TestCommandIsWiring: the program's own package stays below 4,000 lines: what measures, draws, writes or decides has a package of its own.
func TestCommandIsWiring(t *testing.T) {
	const most = 4000
	lines := 0
	for _, file := range goFiles(t, "cmd/bawab") {
		lines += linesIn(t, file)
	}
	if lines >= most || lines == 0 {
		t.Errorf("cmd/bawab has %d lines", lines)
	}
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
