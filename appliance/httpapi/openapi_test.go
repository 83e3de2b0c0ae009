package httpapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// described is what the tests look at in the description.
type described struct {
	OpenAPI string                               `yaml:"openapi"`
	Paths   map[string]map[string]map[string]any `yaml:"paths"`
	Parts   struct {
		Schemas map[string]struct {
			Required   []string       `yaml:"required"`
			Properties map[string]any `yaml:"properties"`
			Enum       []int          `yaml:"enum"`
		} `yaml:"schemas"`
	} `yaml:"components"`
}

func description(t *testing.T) described {
	t.Helper()
	f := start(t)
	a := f.do("GET", "/v1/openapi.yaml", nil, header("ApiKey", ""))
	if a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "application/yaml") {
		t.Fatalf("HTTP %d, %s", a.status, a.header.Get("Content-Type"))
	}
	var d described
	if err := yaml.Unmarshal([]byte(a.raw), &d); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(d.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %s", d.OpenAPI)
	}
	var all any
	if err := yaml.Unmarshal([]byte(a.raw), &all); err != nil {
		t.Fatal(err)
	}
	references(t, all, all)
	return d
}

// references checks that every $ref of the description leads somewhere.
func references(t *testing.T, all, part any) {
	switch v := part.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			at := all
			for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
				m, _ := at.(map[string]any)
				at = m[step]
			}
			if at == nil {
				t.Errorf("%s leads nowhere", ref)
			}
		}
		for _, inner := range v {
			references(t, all, inner)
		}
	case []any:
		for _, inner := range v {
			references(t, all, inner)
		}
	}
}

// TestDescribedRoutes: the description names exactly the routes below /v1, each with its method.
func TestDescribedRoutes(t *testing.T) {
	var want, got []string
	for _, r := range start(t).server.app.GetRoutes(true) {
		if path, ok := strings.CutPrefix(r.Path, "/v1"); ok && r.Method != "HEAD" {
			want = append(want, r.Method+" "+path)
		}
	}
	for path, methods := range description(t).Paths {
		for method := range methods {
			got = append(got, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDescribedModels: each data model of the description has exactly the fields of the code, all of them required.
func TestDescribedModels(t *testing.T) {
	schemas := description(t).Parts.Schemas
	ids := []string{"client_transaction_id", "request_id", "transaction_id"}
	for name, kind := range map[string]appliance.Kind{
		"NationalIDFront": appliance.NationalIDFront, "NationalIDBack": appliance.NationalIDBack, "CarLicenseFront": appliance.CarLicenseFront,
		"CarLicenseBack": appliance.CarLicenseBack, "Passport": appliance.Passport, "DrivingLicense": appliance.DrivingLicense, "LicensePlate": appliance.LicensePlate,
	} {
		want := slices.Clone(ids)
		for _, f := range kind.Model() {
			want = append(want, f.Name)
			ref, _ := schemas[name].Properties[f.Name].(map[string]any)["$ref"].(string)
			if date := strings.HasSuffix(ref, "/Date"); date != (f.Type == appliance.Date) {
				t.Errorf("%s.%s: wrong type", name, f.Name)
			}
		}
		slices.Sort(want)
		required := slices.Sorted(slices.Values(schemas[name].Required))
		if diff := cmp.Diff(want, required); diff != "" {
			t.Errorf("%s, required: %s", name, diff)
		}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(schemas[name].Properties))); diff != "" {
			t.Errorf("%s, properties: %s", name, diff)
		}
	}
}

// TestDescribedCodes: the description lists exactly the codes that the code declares.
func TestDescribedCodes(t *testing.T) {
	schemas := description(t).Parts.Schemas
	for file, schema := range map[string]string{"../error.go": "ErrorCode", "../validation.go": "FieldCode"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.INT {
					code, err := strconv.Atoi(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					want = append(want, code)
				}
			}
			return true
		})
		got := slices.Sorted(slices.Values(schemas[schema].Enum))
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
			t.Errorf("%s: %s", schema, diff)
		}
	}
}
