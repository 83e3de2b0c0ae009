package appliance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/bawab/bawab/appliance"
)

// engineFolders are the packages of the document engine, which knows no document.
func engineFolders() []string {
	return []string{"inference/page", "inference/field", "inference/label", "inference/form", "inference/search"}
}

// aboutKinds are the packages under inference that may name a kind of the contract, each with the reason. The list only shrinks.
func aboutKinds() map[string]string {
	const own, measures = "is about that kind, which has no description", "measures what is read of that kind"
	return map[string]string{
		"inference/passport": own, "inference/plate": own, "inference/reading/readingtest": "plays a reader of plates for tests",
		"inference/outline": "finds plates by a rougher outline", "inference/eval/bench": measures, "inference/eval/document": measures,
	}
}

// aboutScript are the packages under inference that may hold Arabic letters, digits and signs, each with the reason. The list only
// shrinks.
func aboutScript() map[string]string {
	const script, numerals = "knows the script, whatever is written in it", "knows digits, and the signs between them"
	return map[string]string{
		"inference/bidi": script, "inference/text": script, "inference/general": script, "inference/ink": numerals,
		"inference/eval/document":       "measures texts, folded as the script is",
		"inference/reading/readingtest": "plays a reader of plates for tests",
	}
}

// fieldNames are the names of the contract's fields that are no words of their own.
func fieldNames() map[string]bool {
	names := map[string]bool{}
	for _, k := range appliance.Contract() {
		for _, f := range k.Fields {
			names[f.Name] = f.Name != strings.ToLower(f.Name) || strings.Contains(f.Name, "_")
		}
	}
	return names
}

// TestEngineKnowsNoDocument: what reads pictures, its tests apart, names no kind of document and no field of one, and holds no text in
// Arabic letters outside the folders of the kinds: what a kind prints stands in its own. What may is listed, and nothing on the lists for
// nothing. Unknown is no kind; the packages of the document engine do not need it.
func TestEngineKnowsNoDocument(t *testing.T) {
	kinds, fields := kindNames(t), fieldNames()
	named, written, files := map[string]bool{}, map[string]bool{}, 0
	walk(t, func(file string) {
		local, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(local)
		kindsOwn := strings.HasPrefix(folder+"/", "inference/documents/")
		if !strings.HasPrefix(folder, "inference/") || kindsOwn || strings.HasSuffix(file, "_test.go") {
			return
		}
		files++
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				allowed := n.Sel.Name == "Unknown" && !slices.Contains(engineFolders(), folder)
				if x, ok := n.X.(*ast.Ident); !ok || x.Name != "appliance" || !kinds[n.Sel.Name] || allowed {
					break
				}
				if named[folder] = true; aboutKinds()[folder] == "" {
					t.Errorf("%s names the kind %s", file, n.Sel.Name)
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && fields[text] && aboutKinds()[folder] == "" {
					t.Errorf("%s names the field %s", file, text)
				}
				if !strings.ContainsFunc(n.Value, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
					break
				}
				if written[folder] = true; aboutScript()[folder] == "" {
					t.Errorf("%s holds %s", file, n.Value)
				}
			}
			return true
		})
	})
	if files < 300 {
		t.Errorf("found %d files: the walk is broken", files)
	}
	for _, folder := range slices.Sorted(maps.Keys(aboutKinds())) {
		if !named[folder] {
			t.Errorf("%s names no kind any more", folder)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(aboutScript())) {
		if !written[folder] {
			t.Errorf("%s holds nothing in Arabic letters any more", folder)
		}
	}
}

// TestEngineIsSmall: the packages of the document engine have no more than 4,000 lines together.
func TestEngineIsSmall(t *testing.T) {
	const mostInEngine = 4000
	all := 0
	for _, folder := range engineFolders() {
		for _, file := range goFiles(t, folder) {
			all += linesIn(t, file)
		}
	}
	if all > mostInEngine || all == 0 {
		t.Errorf("the engine has %d lines", all)
	}
}

// mostLines is how many lines the hand-written Go code of a package has fewer than, its tests apart, and mostInFile is what a file of it
// has at most.
const mostLines, mostInFile = 2500, 600

// TestPackagesAreSmall: no file has more than mostInFile lines, and no package mostLines.
func TestPackagesAreSmall(t *testing.T) {
	lines := map[string]int{}
	walk(t, func(file string) {
		local, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && !generated(t, file) {
			n := linesIn(t, file)
			if lines[filepath.ToSlash(filepath.Dir(local))] += n; n > mostInFile {
				t.Errorf("%s has %d lines", file, n)
			}
		}
	})
	for folder, n := range lines {
		if n >= mostLines {
			t.Errorf("%s has %d lines", folder, n)
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

// reasons are the words with which the comment of a line says why a number on it decides nothing of what is answered.
func reasons() []string {
	return []string{
		"geometry", // where things are, and what is drawn
		"guard",    // keeps a result finite
		"feature",  // defines a feature: its weight is learned, and it counts nothing without
		"work",     // limits the work
		"contract", // is what descriptions are held to
	}
}

// undecided reports whether numbers of a function need no reason each: it defines features whose weights are learned.
func undecided(function string) bool {
	return strings.HasSuffix(function, "eatures") || function == "content"
}

// TestEngineNumbersAreCalibrated: a number in the packages of the document engine that decides what is answered stands in the
// calibration, where it has an origin. The code holds 0 and 1, halves, lengths, places in lists, what is next to nothing, and numbers
// whose line says why they decide nothing.
func TestEngineNumbersAreCalibrated(t *testing.T) {
	files, told := 0, 0
	for _, folder := range engineFolders() {
		for _, file := range goFiles(t, folder) {
			files++
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			bare, reasoned := bareNumbers(t, file, string(b))
			told += reasoned
			for _, place := range bare {
				t.Errorf("%s is in no calibration, and its line does not say why it decides nothing: one of %q", place, reasons())
			}
		}
	}
	const most = 17 // as few as can be
	if files < 15 || told > most {
		t.Errorf("%d files, and %d lines that give a reason", files, told)
	}
}

// TestBareNumbers: a number in an expression, a constant or a list is found, and none that a reason or its place excuses.
func TestBareNumbers(t *testing.T) {
	for code, want := range map[string]int{
		"const wide = 0.8": 1, "func f(x int) bool { return x > 3 }": 1, "var all = []float64{0.5, 1.5}": 2, "const few = 2": 1,
		"const wide = 0.8 // wide": 1, "const many = 48 // work: no card has more": 0, "func f(x []int) int { return x[3] / 2 }": 0,
		"var none = -1.0": 0, "const least = 1e-9": 0, "var cells [10]int": 0, "func wideFeatures() float64 { return 0.8 }": 0,
	} {
		if got, _ := bareNumbers(t, "code.go", "package p\n"+code+"\n"); len(got) != want {
			t.Errorf("%s: %v", code, got)
		}
	}
}

// bareNumbers are the places of numbers in code that nothing excuses, and how many lines give a reason for theirs.
func bareNumbers(t *testing.T, file, code string) (bare []string, reasoned int) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, code, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]bool{} // that give a reason
	for _, group := range parsed.Comments {
		said, _, _ := strings.Cut(strings.TrimPrefix(group.List[0].Text, "// "), ":") // a word, and what more there is to say
		lines[set.Position(group.Pos()).Line] = slices.Contains(reasons(), said)
	}
	function, used := "", map[int]bool{}
	excused := map[ast.Node]bool{} // by their places
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = n.Name.Name
		case *ast.GenDecl:
			if set.Position(n.Pos()).Column == 1 {
				function = ""
			}
		case *ast.ArrayType:
			excused[n.Len] = true
		case *ast.IndexExpr:
			excused[n.Index] = true
		case *ast.BinaryExpr:
			half, ok := n.Y.(*ast.BasicLit)
			excused[n.Y] = excused[n.Y] || n.Op == token.QUO && ok && half.Value == "2"
		case *ast.BasicLit:
			v, err := strconv.ParseFloat(n.Value, 64)
			place := set.Position(n.Pos())
			switch {
			case err != nil || n.Kind == token.STRING || v == 0 || v == 1 || v < 1e-3 || excused[n] || undecided(function):
			case lines[place.Line]:
				used[place.Line] = true
			default:
				bare = append(bare, place.String()+" "+n.Value)
			}
		}
		return true
	})
	return bare, len(used)
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
