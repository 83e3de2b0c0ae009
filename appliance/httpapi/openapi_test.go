package httpapi

import (
	"bytes"
	"encoding/json"
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
	"github.com/santhosh-tekuri/jsonschema/v6"
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
			Enum       []any          `yaml:"enum"`
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
		var want, got []int
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
		for _, code := range schemas[schema].Enum {
			got = append(got, code.(int))
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
			t.Errorf("%s: %s", schema, diff)
		}
	}
}

// validator compiles a schema of the description; the check is strict about members that the description does not name.
func validator(t *testing.T, schema string) func(answer string) error {
	t.Helper()
	var all any
	if err := yaml.Unmarshal(openAPIDocument, &all); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(closed(all))
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("openapi.json#/components/schemas/" + schema)
	if err != nil {
		t.Fatal(err)
	}
	return func(answer string) error {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
		if err != nil {
			return err
		}
		return compiled.Validate(value)
	}
}

// closed forbids members that are not named to every schema of an object: to a combined one as a whole, not to its parts.
func closed(part any) any {
	switch v := part.(type) {
	case map[string]any:
		for name, inner := range v {
			if name != "allOf" && name != "Success" {
				closed(inner)
			}
		}
		if types, _ := v["type"].([]any); v["allOf"] != nil || v["properties"] != nil && (v["type"] == "object" || slices.Contains(types, any("object"))) {
			v["unevaluatedProperties"] = false
		}
	case []any:
		for _, inner := range v {
			closed(inner)
		}
	}
	return part
}

// answerSchemas names the schema of each endpoint's answer.
func answerSchemas(t *testing.T) map[string]string {
	t.Helper()
	schemas := map[string]string{}
	for path, methods := range description(t).Paths {
		answer, _ := dig(methods["post"], "responses", "200", "content", "application/json", "schema", "$ref").(string)
		if answer != "" {
			schemas[path] = strings.TrimPrefix(answer, "#/components/schemas/")
		}
	}
	return schemas
}

// dig goes down the members of nested objects; nil where one is missing.
func dig(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// TestAnswersAsDescribed: what every endpoint really answers, with and without evidence, and failing, has the members and
// types of the description and no others.
func TestAnswersAsDescribed(t *testing.T) {
	f, schemas := start(t), answerSchemas(t)
	failure := validator(t, "Failure")
	for _, e := range appliance.DocumentEndpoints() {
		check := validator(t, schemas["/"+string(e)])
		for _, body := range []string{sample(), sample(`"evidence":true`)} {
			if err := check(f.post("/v1/"+string(e), body).raw); err != nil {
				t.Errorf("%s: %v", e, err)
			}
		}
		if err := failure(f.post("/v1/"+string(e), "{}").raw); err != nil {
			t.Errorf("%s failing: %v", e, err)
		}
		if check(strings.Replace(f.post("/v1/"+string(e), sample()).raw, `"Services":{`, `"Services":{"more":1,`, 1)) == nil {
			t.Errorf("%s: the check lets an unknown member pass", e)
		}
	}
}

// TestExamples: the examples of the description fit their own schemas, and the messages in them are those of the code.
func TestExamples(t *testing.T) {
	d, n := description(t), 0
	for path, schema := range answerSchemas(t) {
		example := dig(d.Paths[path]["post"], "responses", "200", "content", "application/json", "example")
		if example == nil {
			continue
		}
		n++
		text, err := json.Marshal(example)
		if err != nil {
			t.Fatal(err)
		}
		if err := validator(t, schema)(string(text)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		list, _ := dig(example, "Services", "Validations", "validation_errors").([]any)
		for _, v := range list {
			for _, e := range dig(v, "errors").([]any) {
				if code := appliance.Code(dig(e, "code").(int)); dig(e, "message") != code.Message() {
					t.Errorf("%s: the message of %d is %q", path, code, code.Message())
				}
			}
		}
	}
	if n < 3 {
		t.Errorf("%d examples", n)
	}
}
