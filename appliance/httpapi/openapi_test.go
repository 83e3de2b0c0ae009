package httpapi

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
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
			Required   []string                                 `yaml:"required"`
			Properties map[string]any                           `yaml:"properties"`
			Enum       []any                                    `yaml:"enum"`
			Names      []string                                 `yaml:"x-enum-varnames"`
			Meanings   []string                                 `yaml:"x-enum-descriptions"`
			Texts      map[string]map[appliance.Language]string `yaml:"x-texts"`
		} `yaml:"schemas"`
		Responses map[string]any `yaml:"responses"`
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
			want = append(want, r.Method+" "+parameter.ReplaceAllString(strings.ReplaceAll(path, "<guid>", ""), "{$1}"))
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

// parameter is a part of a route that stands for any text.
var parameter = regexp.MustCompile(`:(\w+)`)

// TestDescribedModels: each data model of the description has exactly the fields of the code, all of them required, and may say that it
// is kept for review.
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
		want = slices.Sorted(slices.Values(append(want, "reviewed")))
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

// closed forbids members that are not named to every schema of an object.
func closed(part any) any {
	switch v := part.(type) {
	case map[string]any:
		for _, inner := range v {
			closed(inner)
		}
		if types, _ := v["type"].([]any); v["properties"] != nil && (v["type"] == "object" || slices.Contains(types, any("object"))) {
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
	failure, captured := validator(t, "Failure"), validator(t, "CameraDocumentAnswer")
	for _, e := range appliance.DocumentEndpoints() {
		check := validator(t, schemas["/"+string(e)])
		for _, body := range []string{sample(), sample(`"evidence":true`)} {
			answer := f.post("/v1/"+string(e), body).raw
			if err := check(answer); err != nil {
				t.Errorf("%s: %v", e, err)
			}
			if err := captured(answer); err != nil {
				t.Errorf("%s by camera: %v", e, err)
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

// TestDescribedTexts: the description has for each code, in the same order, a name and the catalogue's text in both languages.
func TestDescribedTexts(t *testing.T) {
	schemas := description(t).Parts.Schemas
	for name, text := range map[string]func(appliance.Code, appliance.Language) string{
		"ErrorCode": appliance.Code.Meaning, "FieldCode": appliance.Code.MessageIn,
	} {
		s := schemas[name]
		if len(s.Names) != len(s.Enum) || len(s.Meanings) != len(s.Enum) || len(s.Texts) != len(s.Enum) {
			t.Errorf("%s: %d codes, %d names, %d meanings, %d texts", name, len(s.Enum), len(s.Names), len(s.Meanings), len(s.Texts))
			continue
		}
		for i, number := range s.Enum {
			code := appliance.Code(number.(int))
			texts := s.Texts[strconv.Itoa(int(code))]
			if texts["en"] != text(code, "en") || texts["ar"] != text(code, "ar") || s.Meanings[i] != text(code, "en") {
				t.Errorf("%s %d: %q, %q, not as the catalogue says", name, code, texts, s.Meanings[i])
			}
		}
	}
}

// TestDescribedForm: what generators stumble over is not there: allOf, types without a name, null in anyOf or oneOf, sentences that
// YAML breaks at a comma; and each answer with JSON is typed by name.
func TestDescribedForm(t *testing.T) {
	var all map[string]any
	if err := yaml.Unmarshal(openAPIDocument, &all); err != nil {
		t.Fatal(err)
	}
	for name, schema := range dig(all, "components", "schemas").(map[string]any) {
		if dig(schema, "type") == "boolean" && dig(schema, "const") != nil {
			t.Errorf("%s: the generator for Java writes an enumeration of texts for a truth value of one value", name)
		}
		for member, inner := range schema.(map[string]any) {
			plainForm(t, name+"."+member, inner)
		}
	}
	for path, methods := range all["paths"].(map[string]any) {
		answer := dig(methods, "post", "responses", "200", "content", "application/json", "schema")
		if ref, _ := dig(answer, "$ref").(string); dig(methods, "post") != nil && !strings.HasSuffix(ref, "Answer") {
			t.Errorf("%s: the answer is %v", path, answer)
		}
	}
}

// plainForm checks a part of a named schema.
func plainForm(t *testing.T, at string, part any) {
	switch v := part.(type) {
	case map[string]any:
		if v["allOf"] != nil || v["properties"] != nil && !strings.HasSuffix(at, ".properties") || v["oneOf"] != nil || v["anyOf"] != nil {
			t.Errorf("%s: a type without a name, or a combined one", at)
		}
		for name, inner := range v {
			if inner == nil || strings.Contains(name, " ") {
				t.Errorf("%s: the member %q is the rest of a sentence: put that into quotes", at, name)
			}
			plainForm(t, at+"."+name, inner)
		}
	case []any:
		for _, inner := range v {
			if dig(inner, "type") == "null" {
				t.Errorf("%s: null is a type of its own", at)
			}
			plainForm(t, at, inner)
		}
	}
}

// contents calls visit with each schema's name and examples of the description: of requests, answers and failures.
func contents(t *testing.T, d described, visit func(what, schema string, examples map[string]any)) {
	t.Helper()
	of := func(what string, part any) {
		body := dig(part, "content", "application/json")
		if body == nil {
			return
		}
		schema, _ := dig(body, "schema", "$ref").(string)
		examples, _ := dig(body, "examples").(map[string]any)
		if len(examples) == 0 {
			t.Errorf("%s has no example", what)
		}
		visit(what, strings.TrimPrefix(schema, "#/components/schemas/"), examples)
	}
	for path, methods := range d.Paths {
		of(path+" request", dig(methods["post"], "requestBody"))
		of(path+" answer", dig(methods["post"], "responses", "200"))
	}
	for name, response := range d.Parts.Responses {
		of(name, response)
	}
}

// TestExamples: each request, answer and failure of the description has examples; they fit their schemas, and the messages in
// them are those of the catalogue.
func TestExamples(t *testing.T) {
	n := 0
	contents(t, description(t), func(what, schema string, examples map[string]any) {
		check := validator(t, schema)
		for name, example := range examples {
			n++
			value := dig(example, "value")
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(string(text)); err != nil {
				t.Errorf("%s, %s: %v", what, name, err)
			}
			list, _ := dig(value, "Services", "Validations", "validation_errors").([]any)
			for _, v := range list {
				for _, e := range dig(v, "errors").([]any) {
					if code := appliance.Code(dig(e, "code").(int)); dig(e, "message") != code.Message() {
						t.Errorf("%s, %s: the message of %d is %q", what, name, code, code.Message())
					}
				}
			}
		}
	})
	if n < 50 {
		t.Errorf("%d examples", n)
	}
}

// TestExamplesWork: the server takes each example of a request for what it is, and says what the examples of failures say, in both
// languages.
func TestExamplesWork(t *testing.T) {
	f, d := start(t), description(t)
	n := 0
	for path, methods := range d.Paths {
		examples, _ := dig(methods["post"], "requestBody", "content", "application/json", "examples").(map[string]any)
		for name, example := range examples {
			n++
			text, err := json.Marshal(dig(example, "value"))
			if err != nil {
				t.Fatal(err)
			}
			path := strings.ReplaceAll(path, "{kind}", string(club().Kind))
			if a := f.post("/v1"+path, string(text)); a.Code == 400 || a.Code == 415 || a.status == 404 {
				t.Errorf("%s, %s: %d %s", path, name, a.Code, a.Message)
			}
		}
	}
	if n < 15 {
		t.Errorf("%d examples", n)
	}
	said := func(response, example string) any {
		return dig(d.Parts.Responses[response], "content", "application/json", "examples", example, "value", "error_message")
	}
	for example, language := range map[string]string{"english": "en", "arabic": "ar"} {
		accept := header("Accept-Language", language)
		if a := f.post("/v1/ocr/id/front", "{}", accept); a.Message != said("BadRequest", example) {
			t.Errorf("%q", a.Message)
		}
		if a := f.post("/v1/ocr/id/front", "{}", accept, header("ApiKey", "")); a.Message != said("Unauthorized", example) {
			t.Errorf("%q", a.Message)
		}
	}
}

// TestDescribedConstraints: what the schemas of requests refuse the server refuses with 400, and what they accept it does not.
func TestDescribedConstraints(t *testing.T) {
	f := start(t)
	const picture, id = `"image":"/9j/"`, `"transaction_id":"6f9619ff-8b86-4011-b42d-00cf4fc964ff"`
	many := strings.Builder{}
	for i := range 64 {
		many.WriteString(`"m` + strconv.Itoa(i) + `":0,`)
	}
	for _, test := range []struct {
		path, schema, body string
		refused            bool
	}{
		{"ocr/id/front", "DocumentRequest", `{` + picture + `}`, false},
		{"ocr/id/front", "DocumentRequest", `{"image":"data:image/jpeg;base64,/9j/"}`, false},
		{"ocr/id/front", "DocumentRequest", `{` + picture + `,"transaction_id":null,"client_transaction_id":null,"evidence":null,"more":1}`, false},
		{"ocr/id/front", "DocumentRequest", `{` + picture + `,"transaction_id":"00000000-0000-0000-0000-000000000000"}`, false},
		{"ocr/id/front", "DocumentRequest", `{` + picture + `,"transaction_id":""}`, false},
		{"ocr/id/front", "DocumentRequest", `{}`, true},
		{"ocr/id/front", "DocumentRequest", `[]`, true},
		{"ocr/id/front", "DocumentRequest", `{"image":null}`, true},
		{"ocr/id/front", "DocumentRequest", `{"image":""}`, true},
		{"ocr/id/front", "DocumentRequest", `{"image":" \n"}`, true},
		{"ocr/id/front", "DocumentRequest", `{"image":7}`, true},
		{"ocr/id/front", "DocumentRequest", `{` + picture + `,"transaction_id":"{6f9619ff-8b86-4011-b42d-00cf4fc964ff}"}`, true},
		{"ocr/id/front", "DocumentRequest", `{` + picture + `,"client_transaction_id":"` + strings.Repeat("x", 4097) + `"}`, true},
		{"ocr/id/front", "DocumentRequest", `{` + picture + `,"evidence":1}`, true},
		{"ocr/id/front", "DocumentRequest", `{` + many.String() + picture + `}`, true},
		{"ocr/face/match", "FaceMatchRequest", `{` + picture + `,` + id + `}`, false},
		{"ocr/face/match", "FaceMatchRequest", `{` + picture + `}`, true},
		{"ocr/face/match", "FaceMatchRequest", `{` + picture + `,"transaction_id":""}`, true},
		{"ocr/face/match", "FaceMatchRequest", `{` + picture + `,"transaction_id":null}`, true},
		{"ocr/face/match", "FaceMatchRequest", `{` + picture + `,"transaction_id":"00000000-0000-0000-0000-000000000000"}`, true},
		{"ocr/liveness/multi", "LivenessRequest", `{` + id + `,"face_1":"/9j/","face_2":"/9j/"}`, true},
		{"camera/document", "CameraDocumentRequest", `{"endpoint":"id/front"}`, false},
		{"camera/document", "CameraDocumentRequest", `{"endpoint":"id"}`, true},
		{"camera/liveness", "CameraLivenessRequest", `{` + id + `,"frames":"yes"}`, true},
	} {
		described, answer := validator(t, test.schema)(test.body), f.post("/v1/"+test.path, test.body)
		if strings.Contains(test.body, `"more"`) {
			described = nil // the strict check knows no further members
		}
		if (described != nil) != test.refused || (answer.Code == 400) != test.refused {
			t.Errorf("%s %.80s: described %v, answered %d %s", test.path, test.body, described, answer.Code, answer.Message)
		}
	}
}
