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
	"github.com/bawab/bawab/appliance/httpapi"
)

// advice is what a page says of a code beside its number.
type advice struct{ meaning, remedy string }

// whole describes the codes of whole answers.
func whole() map[appliance.Code]advice {
	return map[appliance.Code]advice{
		400:  {"malformed JSON; a member is missing, wrongly typed or no base64", "send what the sentence names"},
		401:  {"the ApiKey is missing, unknown, expired or revoked; one message for all four", "`bawab keys list`"},
		403:  {"the key lacks the scope, or the address is not on the allow list", "`bawab keys list`, `http.allow`"},
		404:  {"unknown path", "see the routes in [answers](answers.md)"},
		405:  {"wrong method", "`POST`, but for the preview and the description"},
		413:  {"the body is over the limit", "send smaller pictures"},
		415:  {"Content-Type is not application/json, another charset than UTF-8, or any Content-Encoding", "send plain JSON"},
		429:  {"the rate limit of the key or address, or too many wrong keys from one address", "wait as long as Retry-After says"},
		500:  {"internal; the message is the request_id alone", "look for that id in the log"},
		501:  {"not built", "use another endpoint"},
		503:  {"the queue or the disk is full, the store is unavailable, or the camera is gone", "wait as long as Retry-After says; without it no camera is configured"},
		3011: {"no document in the picture, or it shows so much that it is not read within `picture.max_time`", "one document, whole, in focus"},
		4101: {"the transaction is unknown", "read a document first, and use the id of its answer"},
		4102: {"the transaction holds no identity document", "read a front, a passport or a driving licence first"},
		4103: {"the transaction has expired", "begin a new one"},
		4104: {"the transaction has had its face checks (`face.attempts`)", "begin a new one; there is no Retry-After"},
		4105: {"the transaction holds as much as it may", "begin a new one"},
		4206: {"face match: more than one face", "one person before the camera"},
		4207: {"face match: no face", "a picture of the face, from the front"},
		4208: {"no document of the transaction shows a usable portrait", "read the document again, sharper and without glare"},
		4209: {"face match: the face is unclear", "even light, nothing over mouth and nose, closer"},
		5001: {"unsupported kind of picture", "JPEG, PNG, WebP, BMP or TIFF"},
		5002: {"the picture has too many bytes (`picture.max_bytes`)", "stronger compression or fewer pixels"},
		5003: {"the picture has too many pixels (`picture.max_pixels`), or a side over 16,384", "scale it down"},
		5004: {"the picture cannot be decoded, or is cut off", "send the file as it is on disk"},
		5005: {"the picture is too small (`picture.min_side`)", "send the picture of the camera, not a thumbnail"},
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
	described, field := whole(), appliance.Code(0).Message()
	for _, c := range codes {
		if c.Message() != field {
			continue
		}
		a, ok := described[c]
		if !ok {
			t.Errorf("code %d: say in `whole` of this file what it means", c)
		}
		delete(described, c)
		fmt.Fprintf(&b, "| %d | %d | %s | %s |\n", c, httpapi.HTTPStatus(c), a.meaning, a.remedy)
	}
	for _, c := range slices.Sorted(maps.Keys(described)) {
		t.Errorf("code %d is described and not declared", c)
	}
	b.WriteString("\n## Fields\n\nIn `Services.Validations.validation_errors` of an answer 200. 3301 and 3302 ask a person to compare; the others say what is wrong.\n\n" +
		"| code | meaning |\n|---|---|\n")
	for _, c := range codes {
		if c.Message() != field {
			fmt.Fprintf(&b, "| %d | %s |\n", c, c.Message())
		}
	}
	b.WriteString("\n## Lasting warnings\n\nThe same codes in `/readyz`, `bawab doctor` and the figure `bawab_warning` of `/metrics`.\n\n" +
		"| code | meaning | what to do |\n|---|---|---|\n")
	remedy := remedies()
	for _, w := range warnings {
		if remedy[w.code] == "" {
			t.Errorf("warning %s: say in `remedies` of this file what to do", w.code)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", w.code, w.meaning, remedy[w.code])
		delete(remedy, w.code)
	}
	for _, w := range slices.Sorted(maps.Keys(remedy)) {
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
