package appliance_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path before every package of ours.
const module = "github.com/bawab/bawab/"

// rule is a row of the import table: what one package may import beside the
// standard library. Third-party entries are module paths.
type rule struct {
	ours  []string
	third []string
}

// table returns the house's import table. A package without a row is not
// allowed to exist, so that a new one gets its place here first.
func table() map[string]rule {
	const (
		cobra    = "github.com/spf13/cobra"
		pflag    = "github.com/spf13/pflag" // the flags of cobra's commands
		bbolt    = "go.etcd.io/bbolt"
		etcd     = "go.etcd.io/etcd"
		fasthttp = "github.com/valyala/fasthttp" // the engine under fiber, for its limits
		fiber    = "github.com/gofiber/fiber/v2"
		fuse     = "github.com/hanwen/go-fuse/v2" // for tests only
		gocv     = "gocv.io/x/gocv"
		grpc     = "google.golang.org/grpc"             // what etcd's client speaks; zap is its log, which is silent
		age      = "filippo.io/age"                     // seals truth sets for named recipients
		json     = "github.com/go-json-experiment/json" // refuses duplicate members, bad UTF-8
		limits   = "golang.org/x/time"                  // token buckets of API keys
		locale   = "golang.org/x/text/language"         // Accept-Language
		norm     = "golang.org/x/text/unicode/norm"
		picture  = "golang.org/x/image"
		service  = "github.com/kardianos/service"
		system   = "golang.org/x/sys"
		tflite   = "github.com/mattn/go-tflite"
		viper    = "github.com/spf13/viper"
	)
	reader := []string{
		"appliance", "appliance/mrz", "inference", "inference/line", "inference/text", "inference/vision",
	}
	lab := []string{"appliance", "appliance/words", "configs", "inference/engine", "inference/eval", "inference/eval/score"}
	return map[string]rule{
		"appliance":                       {},
		"appliance/arabic":                {}, // Arabic letters
		"appliance/egypt":                 {ours: []string{"appliance/arabic", "appliance/egypt/names", "appliance/egypt/number"}},
		"appliance/egypt/names":           {ours: []string{"appliance/arabic", "appliance/egypt/number"}},
		"appliance/egypt/number":          {ours: []string{"appliance/arabic"}}, // numbers and dates
		"appliance/egypt/plate":           {ours: []string{"appliance/arabic"}}, // licence plates
		"appliance/mrz":                   {},
		"appliance/appliancetest":         {ours: []string{"appliance", "appliance/holder", "appliance/review"}},
		"appliance/client":                {}, // for programs of others: the standard library alone
		"appliance/client/examples/check": {ours: []string{"appliance/client"}},
		"appliance/certificate":           {ours: []string{"appliance", "appliance/folder"}},
		"appliance/folder":                {},                            // durable files of the right owner
		"appliance/queue":                 {ours: []string{"appliance"}}, // bounds the work
		"appliance/holder":                {ours: []string{"appliance"}}, // whether documents are one person's
		"appliance/review":                {ours: []string{"appliance"}}, // what people decide about answers
		"appliance/usecase": {
			ours: []string{"appliance", "appliance/holder", "appliance/proof", "appliance/queue", "appliance/review"},
		}, // what callers ask for
		"appliance/httpapi": {
			ours: []string{
				"appliance", "appliance/drift", "appliance/httpapi/access", "appliance/httpapi/browser", "appliance/httpapi/route",
				"appliance/httpapi/state", "appliance/httpapi/transport", "appliance/httpapi/wire", "appliance/kiosk",
				"appliance/lookalike", "appliance/metrics", "appliance/queue", "appliance/review", "appliance/usecase",
			},
			third: []string{fiber, json},
		},
		"appliance/httpapi/access": {
			ours:  []string{"appliance", "appliance/httpapi/transport"},
			third: []string{fiber, limits},
		}, // who may ask what
		"appliance/httpapi/browser": {
			ours: []string{
				"appliance", "appliance/httpapi/access", "appliance/httpapi/route", "appliance/httpapi/state", "appliance/httpapi/transport",
				"appliance/httpapi/wire", "appliance/kiosk",
			},
			third: []string{fiber, json},
		}, // what the pages alone ask
		"appliance/httpapi/control": {
			ours: []string{
				"appliance", "appliance/httpapi/browser", "appliance/httpapi/route", "appliance/httpapi/state", "appliance/httpapi/wire",
				"appliance/review",
			},
			third: []string{fiber, json},
		}, // the socket of the command line
		"appliance/httpapi/route": {
			ours: []string{
				"appliance", "appliance/httpapi/access", "appliance/httpapi/transport", "appliance/httpapi/wire", "appliance/metrics",
				"appliance/queue", "appliance/words",
			},
			third: []string{fiber, locale},
		}, // what surrounds every request
		"appliance/httpapi/state": {ours: []string{"appliance"}}, // what a running daemon tells about itself
		"appliance/httpapi/transport": {
			ours:  []string{"appliance", "appliance/httpapi/wire", "appliance/words"},
			third: []string{fiber, fasthttp, limits, system},
		}, // connections, TLS and the bodies of requests
		"appliance/httpapi/wire": {
			ours: []string{"appliance", "appliance/review", "appliance/words"}, third: []string{json},
		}, // the JSON of requests and answers
		"appliance/kiosk": {
			ours: []string{"appliance", "appliance/folder", "appliance/usecase"},
		}, // the customer's way through a check
		"appliance/truth": {
			ours: []string{"appliance", "appliance/folder", "appliance/review", "appliance/words"}, third: []string{age},
		}, // what people confirmed
		"appliance/console":       {ours: []string{"appliance"}},
		"appliance/console/build": {third: []string{"github.com/evanw/esbuild"}}, // bundles the pages
		"appliance/proof":         {ours: []string{"appliance"}},                 // what is signed for others
		"appliance/drift":         {ours: []string{"appliance"}},                 // counts, and what has become worse
		"appliance/lookalike": {
			ours: []string{"appliance", "appliance/arabic", "appliance/folder", "appliance/review", "appliance/words"},
		}, // unknown documents that look alike
		"appliance/service": {
			ours:  []string{"appliance", "appliance/words", "systemd"},
			third: []string{service},
		}, // a service of systemd
		"appliance/words":   {},                                         // what people read on a terminal
		"appliance/metrics": {third: []string{"github.com/prometheus"}}, // figures in the text format of Prometheus
		"camera":            {ours: []string{"appliance"}, third: []string{gocv, system}},
		"camera/replay":     {ours: []string{"appliance"}},
		"daemon":            {ours: []string{"*"}, third: []string{system}}, // the running appliance: wires everything
		"daemon/doctor": {
			ours: []string{
				"appliance",
				"appliance/certificate",
				"appliance/egypt",
				"appliance/httpapi/state",
				"appliance/httpapi/transport",
				"appliance/words",
				"camera",
				"configs",
				"inference",
				"models",
				"store/database",
				"systemd",
			},
			third: []string{system},
		}, // examines the machine
		"daemon/journal": {ours: []string{
			"appliance", "appliance/httpapi/control", "appliance/proof", "appliance/words", "configs", "daemon/doctor", "store", "store/audit",
			"store/database",
		}}, // the journal of a store, opened and looked after
		"daemon/watch":     {ours: []string{"appliance"}},                                 // looks after a running process
		"daemon/packtest":  {ours: []string{"inference/engine", "models", "models/pack"}}, // signed sets, for tests
		"inference":        {ours: []string{"models"}, third: []string{tflite, system}},
		"inference/vision": {ours: []string{"appliance"}, third: []string{gocv}},
		"inference/bidi": {
			ours: nil,
		}, // the order of the signs of a line
		"inference/ctc":  {ours: []string{"inference"}},                                                         // what a line may hold
		"inference/ink":  {ours: []string{"appliance", "inference/bidi", "inference/text", "inference/vision"}}, // what ink shows
		"inference/line": {ours: []string{"appliance", "inference", "inference/text", "inference/vision"}},      // where lines lie
		"inference/text": {
			ours: []string{
				"appliance", "appliance/arabic", "appliance/egypt", "appliance/egypt/number", "inference", "inference/bidi", "inference/ctc",
				"inference/vision",
			},
		},
		"inference/stopwatch": {ours: []string{"appliance", "inference"}}, // the stages of a reading
		"inference/zone":      {ours: append(slices.Clone(reader), "inference/ctc", "inference/stopwatch")},
		"inference/passport": {ours: append(
			slices.Clone(reader), "appliance/arabic", "appliance/egypt/number", "inference/outline", "inference/page", "inference/reading",
			"inference/scene", "inference/sheet", "inference/stopwatch", "inference/zone",
		)},
		"inference/general": {
			ours: append(slices.Clone(reader), "inference/bidi", "inference/ink", "inference/layout", "inference/stopwatch"),
		}, // all text of a picture
		"inference/layout": {ours: []string{"appliance", "inference/text", "inference/vision"}},                    // rows of a page
		"inference/block":  {ours: []string{"appliance", "inference/sheet", "inference/text", "inference/vision"}}, // cards by their text
		"inference/doubt":  {ours: []string{"appliance", "inference/sheet", "inference/text", "inference/vision"}}, // what is not seen
		"inference/scene": {ours: []string{
			"appliance", "inference/block", "inference/doubt", "inference/line", "inference/outline", "inference/page",
			"inference/sheet", "inference/stopwatch", "inference/text", "inference/vision",
		}}, // what a picture shows, and how each document lies
		"inference/reading": {ours: append(
			engine(), "inference/block", "inference/doubt", "inference/field", "inference/form", "inference/line", "inference/page",
			"inference/scene", "inference/sheet", "inference/tell",
		)}, // which document each of a picture is, and what it says
		"inference/multi": {ours: []string{
			"appliance", "inference/block", "inference/outline", "inference/passport", "inference/plate", "inference/reading",
			"inference/scene", "inference/sheet", "inference/text", "inference/vision", "inference/zone",
		}}, // every document of a picture
		"inference/page":     {ours: engine()},
		"inference/field":    {ours: append(engine(), "inference/page")},
		"inference/describe": {ours: append(engine(), "inference/page", "inference/field", "inference/form", "inference/tell", "inference/text")},
		"inference/label":    {ours: engine()},
		"inference/form":     {ours: append(engine(), "inference/page", "inference/field", "inference/label", "inference/tell")},
		"inference/tell":     {ours: []string{"appliance"}}, // what tells kinds
		"inference/search":   {ours: engine()},
		"inference/kind": {
			ours: append(engine(), "inference/doubt", "inference/page", "inference/field", "inference/form", "inference/scene", "inference/search"),
		},
		"inference/documents":       {ours: append(documents(), "inference/describe", "models")},
		"inference/documents/egypt": {ours: documents()},
		"inference/scan": {
			ours: []string{
				"appliance", "appliance/httpapi/wire", "appliance/queue", "appliance/usecase", "appliance/words", "configs",
				"inference/drawing", "inference/engine",
			},
		}, // reads one picture without a daemon
		"inference/drawing": {ours: []string{"appliance"}, third: []string{picture}}, // readings, for people to look at
		"inference/learn": {ours: []string{
			"appliance", "appliance/arabic", "appliance/truth", "appliance/words", "configs", "inference/engine",
			"inference/documents", "inference/eval", "inference/eval/document", "inference/eval/person", "inference/eval/score",
			"inference/form", "inference/site", "inference/text", "models", "models/pack",
		}}, // fits what is data to a site's truth set
		"inference/site": {ours: []string{
			"appliance", "appliance/egypt", "inference/documents", "inference/documents/egypt", "inference/field", "inference/form",
		}}, // what a site learned, applied
		"inference/face": {
			ours: append(slices.Clone(reader), "inference/burst"),
		}, // faces
		"inference/burst": {
			ours: []string{"appliance", "inference/vision"},
		}, // how the frames of a burst go together
		"inference/burst/bursttest": {
			ours: []string{"appliance", "inference/decode", "inference/vision"},
		}, // frames for tests
		"inference/fraud": {ours: reader, third: []string{"gonum.org/v1/gonum/dsp"}}, // cues of document fraud
		"inference/engine": {ours: append(slices.Clone(reader), "appliance/egypt", "appliance/egypt/names", "appliance/egypt/number",
			"appliance/holder", "appliance/queue", "appliance/usecase", "configs", "inference/decode", "inference/describe",
			"inference/documents", "inference/documents/egypt", "inference/face", "inference/general", "inference/zone",
			"inference/form", "inference/fraud", "inference/kind", "inference/multi", "inference/outline", "inference/passport",
			"inference/pdf", "inference/plate", "inference/reading", "inference/scene", "inference/site", "models",
		)}, // readers over the networks of a set
		"inference/eval":       {ours: []string{"appliance", "appliance/words", "configs", "inference/engine"}},
		"inference/eval/score": {}, // statistics
		"inference/edit":       {}, // edit distance
		"inference/eval/document": {
			ours: append(slices.Clone(lab), "appliance/arabic", "appliance/egypt", "appliance/egypt/plate", "appliance/mrz", "inference/edit",
				"inference/fraud", "inference/vision"),
			third: []string{norm},
		},
		"inference/eval/report": {
			ours:  append(slices.Clone(lab), "appliance/truth", "inference/eval/document", "inference/eval/person", "models"),
			third: []string{"gonum.org/v1/plot", system}, // draws the plots
		},
		"inference/eval/fit": {
			ours: append(documents(), "inference/decode", "inference/documents", "inference/edit", "inference/sheet", "models"),
		},
		"inference/eval/person": {
			ours:  append(slices.Clone(lab), "inference/face", "inference/injection", "models"),
			third: []string{picture},
		},
		"inference/eval/bench": {
			ours: append(
				slices.Clone(lab), "appliance/httpapi/control", "appliance/httpapi/state", "appliance/httpapi/wire", "appliance/queue",
				"appliance/usecase", "inference", "inference/face", "models", "store", "store/database",
			),
			third: []string{picture, system},
		},
		"inference/decode": {
			ours: []string{"appliance", "appliance/queue", "inference/decode/jpeg"}, third: []string{picture},
		}, // files of pictures
		"inference/decode/jpeg": {
			ours: nil,
		}, // a codec, which knows no picture of ours
		"inference/decode/decodetest": {
			ours: nil,
		}, // files for the tests of decoders
		"inference/injection":     {ours: []string{"appliance"}}, // makes frames for eval; judges nothing
		"inference/inferencetest": {ours: []string{"appliance", "inference", "inference/decode", "models"}},
		"inference/outline/outlinetest": {
			ours: []string{"appliance", "inference/inferencetest", "inference/outline"},
		},
		"inference/reading/readingtest": {ours: []string{
			"appliance", "inference/documents", "inference/form", "inference/inferencetest", "inference/outline/outlinetest", "inference/reading",
			"inference/text", "inference/text/texttest", "inference/zone",
		}},
		"inference/text/texttest": {ours: []string{"inference/inferencetest", "inference/line", "inference/text"}},
		"inference/outline": {
			ours: []string{"appliance", "inference", "inference/sheet", "inference/vision"},
		}, // where documents are
		"inference/sheet": {
			ours: []string{"appliance", "inference/vision"},
		}, // outlines of four corners
		"inference/sheet/sheettest": {
			ours: []string{"appliance", "inference/vision"},
		}, // sheets, drawn for tests
		"inference/pdf": {ours: []string{"appliance", "inference/decode"}, third: []string{picture}}, // scanned pages of PDFs
		"inference/plate": {ours: append(
			slices.Clone(reader), "appliance/egypt/plate", "inference/outline", "inference/reading", "inference/scene", "inference/sheet",
			"inference/stopwatch",
		)}, // licence plates
		"store": {
			ours: []string{"appliance", "appliance/folder", "appliance/proof", "appliance/review", "store/database", "store/seal"},
		},
		"store/database": {
			ours:  []string{"appliance", "appliance/folder", "appliance/proof", "appliance/review", "store/pages", "store/seal"},
			third: []string{bbolt},
		}, // its file in the data folder
		"store/offline": {
			ours: []string{"appliance", "appliance/folder", "store/database", "store/pages", "store/seal"},
		}, // what an operator does to it
		"store/pages":     {},                                                                       // the form of a bbolt file
		"store/audit":     {ours: []string{"appliance", "appliance/folder", "appliance/proof"}},     // the journal
		"store/noted":     {ours: []string{"appliance", "appliance/review", "store", "store/etcd"}}, // a store whose administration is noted
		"store/seal":      {ours: []string{"appliance", "appliance/folder"}},                        // what every driver seals alike
		"store/etcd":      {ours: []string{"appliance", "store/seal"}, third: []string{etcd, grpc, "go.uber.org/zap"}},
		"store/etcdtest":  {},                      // a cluster, for tests
		"store/faultdisk": {third: []string{fuse}}, // a failing disk, for tests
		"configs":         {third: []string{viper}},
		"models":          {},
		"models/pack":     {ours: []string{"appliance", "appliance/folder", "appliance/proof", "models"}}, // signed model sets
		"docs":            {ours: []string{"appliance", "appliance/httpapi/wire"}},                        // pages, held by tests
		"packaging":       {},
		"systemd":         {},
		"cmd/bawab":       {ours: []string{"*"}, third: []string{age, cobra, pflag, picture, system}},
		"cmd/bawab/command": {
			ours: []string{"appliance/words", "configs", "daemon/doctor"}, third: []string{cobra, pflag},
		}, // the frame of commands
		"cmd/bawab/measure": {ours: []string{"*"}, third: []string{cobra, pflag}}, // commands that read pictures, and measure that
		"cmd/bawab/reach": {ours: []string{
			"appliance", "appliance/httpapi/control", "appliance/httpapi/state", "cmd/bawab/command", "configs", "daemon", "daemon/journal",
			"store", "store/database", "store/etcd", "store/noted",
		}}, // a daemon, or else the store
		"cmd/bawab/verify": {
			ours: []string{
				"appliance", "appliance/egypt", "appliance/proof", "appliance/words", "cmd/bawab/command", "cmd/bawab/reach", "configs",
				"daemon/journal", "store", "store/audit",
			},
			third: []string{cobra, pflag},
		}, // commands that check what was signed
	}
}

// engine is what the packages of the document engine may import of ours: no knowledge of any country, kind or label.
func engine() []string {
	return []string{
		"appliance", "inference", "inference/ink", "inference/line", "inference/outline", "inference/text", "inference/vision",
	}
}

// documents is what the kinds of documents may import of ours.
func documents() []string {
	return append(
		engine(),
		"appliance/arabic",
		"appliance/egypt",
		"appliance/egypt/names",
		"appliance/egypt/number",
		"appliance/egypt/plate",
		"appliance/mrz",
		"inference/page",
		"inference/field",
		"inference/form",
		"inference/search",
		"inference/documents/egypt",
	)
}

// tests returns what every test file may import on top of its package's row.
func tests() rule {
	return rule{
		ours: []string{
			"appliance",
			"appliance/appliancetest",
			"appliance/arabic",
			"appliance/egypt",
			"appliance/egypt/number",
			"appliance/proof",
			"appliance/queue",
			"appliance/usecase",
			"camera/replay",
			"inference/burst/bursttest",
			"inference/decode",
			"inference/decode/decodetest",
			"inference/documents",
			"inference/inferencetest",
			"inference/outline/outlinetest",
			"inference/sheet/sheettest",
			"inference/reading/readingtest",
			"inference/text/texttest",
			"models",
			"store/database",
			"store/etcdtest",
			"store/faultdisk",
			"store/offline",
			"store/pages",
		},
		third: []string{
			"github.com/chromedp/cdproto", "github.com/chromedp/chromedp", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal",
			"go.etcd.io/bbolt", // spoils what a store wrote
			"github.com/santhosh-tekuri/jsonschema/v6", "go.yaml.in/yaml/v3", "golang.org/x/text/unicode/bidi",
		},
	}
}

// native names the only packages that may contain C.
func native() []string { return []string{"inference"} }

// TestImports: every Go file of the repository imports only what the house's
// table grants to its package. It reads the files itself: a list from the go
// command stays green in the test cache after a rule is broken.
func TestImports(t *testing.T) {
	rules, files := table(), 0
	walk(t, func(file string) {
		files++
		for _, problem := range check(t, rules, file) {
			t.Error(problem)
		}
	})
	if files < 20 {
		t.Errorf("found %d Go files: the walk is broken", files)
	}
}

// floors are the folders at the top of the repository, those of one floor together, from the ground.
func floors() [][]string {
	return [][]string{
		{"configs", "packaging", "systemd"}, {"appliance", "docs"}, {"camera", "models", "store"}, {"inference"}, {"daemon"}, {"cmd"},
	}
}

// TestFloors: the table lets no folder at the top import from one that stands above it, so that what a folder needs lies below.
func TestFloors(t *testing.T) {
	floor := func(folder string) int {
		top, _, _ := strings.Cut(folder, "/")
		return slices.IndexFunc(floors(), func(f []string) bool { return slices.Contains(f, top) })
	}
	for folder, row := range table() {
		if floor(folder) < 0 {
			t.Errorf("%s stands on no floor", folder)
		}
		for _, of := range row.ours {
			if of != "*" && floor(of) > floor(folder) {
				t.Errorf("%s may import %s, which stands above it", folder, of)
			}
		}
	}
}

// root is the repository seen from this package's folder, in which go test
// runs its tests.
const root = ".."

// walk calls visit with the path of every Go file below the root.
func walk(t *testing.T, visit func(file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); name != root && (strings.HasPrefix(base, ".") || base == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(name) == ".go" {
			visit(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// check returns what is wrong with the imports of one file.
func check(t *testing.T, rules map[string]rule, file string) []string {
	t.Helper()
	local, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	folder := path.Dir(filepath.ToSlash(local))
	allowed, ok := rules[folder]
	if !ok {
		return []string{fmt.Sprintf("%s: package %s has no row in the import table", local, folder)}
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	test := strings.HasSuffix(file, "_test.go")
	var problems []string
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if !allowed.grants(folder, name) && !(test && tests().grants(folder, name)) {
			problems = append(problems, fmt.Sprintf("%s: package %s may not import %s", local, folder, name))
		}
	}
	return problems
}

// grants reports whether the row lets the package in folder import name.
func (r rule) grants(folder, name string) bool {
	if name == "C" {
		return slices.Contains(native(), folder)
	}
	if ours, ok := strings.CutPrefix(name, module); ok {
		return ours == folder || slices.Contains(r.ours, ours) || slices.Contains(r.ours, "*")
	}
	first, _, _ := strings.Cut(name, "/")
	if !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(r.third, func(m string) bool {
		return name == m || strings.HasPrefix(name, m+"/")
	})
}

// TestGrants: the table's reading of a row is neither wider nor narrower than
// what it says.
func TestGrants(t *testing.T) {
	for _, tt := range []struct {
		folder, name string
		want         bool
	}{
		{"appliance", "net/http", true},
		{"appliance", "golang.org/x/sys/unix", false},
		{"appliance", module + "store", false},
		{"appliance/mrz", module + "appliance", false},
		{"appliance/httpapi", "github.com/gofiber/fiber/v2/middleware/adaptor", true},
		{"appliance/httpapi", "github.com/gofiber/fiber/v3", false},
		{"appliance/httpapi", module + "store", false},
		{"inference", "C", true},
		{"camera", "C", false},
		{"inference", "github.com/mattn/go-tflite", true},
		{"inference", "github.com/mattn/go-tflite-other", false},
		{"cmd/bawab", module + "store", true},
		{"cmd/bawab", "go.etcd.io/bbolt", false},
		{"store/database", "go.etcd.io/bbolt", true},
		{"store", "go.etcd.io/bbolt", false},
		{"store", "github.com/google/go-cmp/cmp", false},
	} {
		if got := table()[tt.folder].grants(tt.folder, tt.name); got != tt.want {
			t.Errorf("%s importing %s: %v, want %v", tt.folder, tt.name, got, tt.want)
		}
	}
	if !tests().grants("store", "github.com/google/go-cmp/cmp") {
		t.Error("a test may not import go-cmp")
	}
}

// TestLayout: the top of the repository is what the house says and nothing
// else, dotfiles and what make builds apart.
func TestLayout(t *testing.T) {
	want := []string{
		"LICENSE", "Makefile", "README.md", "VERSION", "appliance", "camera", "cmd", "configs", "daemon", "docs", "go.mod", "go.sum", "inference",
		"models", "packaging", "store", "systemd",
	}
	built := []string{"bin", "dist", "var"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(built, name) {
			got = append(got, name)
			if !slices.Contains(want, name) {
				t.Errorf("%s does not belong at the top of the repository", name)
			}
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s is missing at the top of the repository", name)
		}
	}
}
