package docs_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/wire"
)

// remedy says what to do about the codes of whole answers; what they mean stands in the catalogue.
func remedy() map[appliance.Code]string {
	return map[appliance.Code]string{
		400:  "send what the sentence names",
		401:  "`bawab keys list`",
		403:  "`bawab keys list`, `http.allow`",
		404:  "see the routes in [answers](answers.md)",
		405:  "`POST`, but for the preview and the description",
		413:  "send smaller pictures",
		415:  "send plain JSON",
		429:  "wait as long as Retry-After says",
		500:  "look for that id in the log",
		501:  "use another endpoint",
		503:  "wait as long as Retry-After says; without it no camera is configured",
		3011: "one document, whole, in focus",
		4101: "read a document first, and use the id of its answer",
		4102: "read a front, a passport or a driving licence first",
		4103: "begin a new one",
		4104: "begin a new one; there is no Retry-After",
		4105: "begin a new one",
		4206: "one person before the camera",
		4207: "a picture of the face, from the front",
		4208: "read the document again, sharper and without glare",
		4209: "even light, nothing over mouth and nose, closer",
		5001: "JPEG, PNG, WebP, BMP or TIFF; for documents and text a scanned PDF, too",
		5002: "stronger compression or fewer pixels",
		5003: "scale it down",
		5004: "send the file as it is on disk",
		5005: "send the picture of the camera, not a thumbnail",
	}
}

// remedies says what to do about lasting warnings.
func remedies() map[appliance.WarningCode]string {
	camera := "as `bawab doctor` says; see [camera](operations/camera.md)"
	return map[appliance.WarningCode]string{
		"disk_low":        "free some; when nothing is left requests get 503 and nothing is lost",
		"store_failing":   "look at the disk; the daemon recovers by itself when writing works again",
		"no_acceleration": "`bawab doctor`; the runtime or the processor is not the expected one",
		"no_keys":         "`bawab keys add`",
		"drift":           "clean the lens, look at light and cards; see [drift](operations/drift.md)",
		"review_full":     "review and erase some, or see [review](operations/review.md#room)",
		"key_pending":     "put it there and restart; see [keys](operations/keys.md#the-appliance-key)",
		"certificate":     "`bawab tls show`, then renew or replace it",
		"self_check":      "`bawab doctor`",
		"clock":           "look at the machine's time source",
		"cluster":         "`bawab doctor`; see [branch mode](operations/branch.md#when-something-fails)",
		"journal_failing": "look at the disk",
		"journal_damaged": "`bawab audit verify`",
		"journal_large":   "export it, then raise `audit.max_size` or shorten `audit.keep`",
		"camera_missing":  camera, "camera_denied": camera, "camera_busy": camera, "camera_lost": camera, "camera_stale": camera, "camera_frozen": camera, "camera_clock": camera,
		"camera_played": "for trying out only: its proofs are refused",
	}
}

// The page of codes lists exactly the codes and warnings that the code declares, with their status and sentences.
func TestCodes(t *testing.T) {
	codes, warnings := declared(t)
	if len(codes) < 40 || len(warnings) < 15 {
		t.Fatalf("found %d codes and %d warnings: the search is broken", len(codes), len(warnings))
	}
	var b strings.Builder
	b.WriteString("# Codes\n\nThis page is generated: `go test ./docs -write`. A test fails when it is stale.\n\n## Whole answers\n\n" +
		"`error_code` of the envelope. 0 is success. The message beside it says what to change.\n\n" +
		"| error_code | HTTP | meaning | what to do |\n|---|---|---|---|\n")
	described, field := remedy(), appliance.Code(0).Message()
	for _, c := range codes {
		if c.Message() != field {
			continue
		}
		a, ok := described[c]
		if !ok {
			t.Errorf("code %d: say in `remedy` of this file what to do about it", c)
		}
		delete(described, c)
		fmt.Fprintf(&b, "| %d | %d | %s | %s |\n", c, wire.HTTPStatus(c), c.Meaning(appliance.English), a)
	}
	for _, c := range slices.Sorted(maps.Keys(described)) {
		t.Errorf("code %d is described and not declared", c)
	}
	b.WriteString(
		"\n## Fields\n\nIn `Services.Validations.validation_errors` of an answer 200. 3301 and 3302 ask a person to compare; the others say what is wrong.\n\n" +
			"| code | meaning |\n|---|---|\n",
	)
	for _, c := range codes {
		if c.Message() != field {
			fmt.Fprintf(&b, "| %d | %s |\n", c, c.Message())
		}
	}
	b.WriteString("\n## Lasting warnings\n\nThe same codes in `/readyz`, `bawab doctor` and the figure `bawab_warning` of `/metrics`.\n\n" +
		"| code | meaning | what to do |\n|---|---|---|\n")
	help := remedies()
	for _, w := range warnings {
		if help[w.code] == "" {
			t.Errorf("warning %s: say in `remedies` of this file what to do", w.code)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", w.code, w.meaning, help[w.code])
		delete(help, w.code)
	}
	for _, w := range slices.Sorted(maps.Keys(help)) {
		t.Errorf("warning %s is described and not declared", w)
	}
	checkGenerated(t, "docs/codes.md", b.String())
}

// warning is a declared warning with the comment beside it.
type warning struct {
	code    appliance.WarningCode
	meaning string
}

// declared finds the constants of the types Code and WarningCode in package appliance.
func declared(t *testing.T) (codes []appliance.Code, warnings []warning) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "appliance", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, _ := spec.Type.(*ast.Ident)
			value, _ := spec.Values[0].(*ast.BasicLit)
			if kind == nil || value == nil {
				return true
			}
			switch kind.Name {
			case "Code":
				number, err := strconv.Atoi(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				codes = append(codes, appliance.Code(number))
			case "WarningCode":
				text, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				warnings = append(warnings, warning{appliance.WarningCode(text), meaning(spec)})
			}
			return true
		})
	}
	slices.Sort(codes)
	slices.SortFunc(warnings, func(a, b warning) int { return cmp.Compare(a.code, b.code) })
	return codes, warnings
}

// meaning is what the comment at a constant says, without the constant's name.
func meaning(spec *ast.ValueSpec) string {
	said := cmp.Or(spec.Comment.Text(), spec.Doc.Text())
	said = strings.TrimSpace(strings.ReplaceAll(said, "\n", " "))
	said, _, _ = strings.Cut(strings.TrimPrefix(said, spec.Names[0].Name+" "), ". ")
	return strings.TrimSuffix(said, ".")
}
