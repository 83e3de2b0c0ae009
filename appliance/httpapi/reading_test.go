package httpapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/google/go-cmp/cmp"
)

// TestPassportAnswer: a reading comes out as the contract spells it, every member in its place, Arabic and markup as
// they are.
func TestPassportAnswer(t *testing.T) {
	f := start(t)
	a := f.post("/v1/ocr/passport", sample(`"client_transaction_id":"c-1"`))
	f.want("passport", a, 200, 0)
	tid, rid := a.Data["transaction_id"].(string), a.Data["request_id"].(string)
	for _, id := range []string{tid, rid} {
		if got, ok := appliance.ParseGUID(id); !ok || got != id {
			t.Errorf("%q is not a GUID in lower case", id)
		}
	}
	want := `{"data":{"country_code":"EGY","doc_Type":"","gender":"","name":"منى MONA","nationality":"","passport_no":"A1<&>2",` +
		`"Date_of_Birth":null,"Date_of_Expiry":"2020-01-31","transaction_id":"` + tid + `","client_transaction_id":"c-1","request_id":"` + rid + `"},` +
		`"Services":{"Validations":{"validation_errors":[{"field":"Date_of_Expiry","value":"2020-01-31","errors":[{"code":3010,"message":"the document has expired"}]}]},` +
		`"spoofing":{"fake":true},"classification":{"doc_type":"passport"}},"error_code":0,"error_message":""}`
	if diff := cmp.Diff(want, a.raw); diff != "" {
		t.Error(diff)
	}
	if got := a.header.Get("X-Request-Id"); got != rid {
		t.Errorf("X-Request-Id %q, want %q", got, rid)
	}
	for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Content-Type": "application/json; charset=utf-8"} {
		if a.header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, a.header.Get(name), value)
		}
	}
}

// TestModels: each endpoint answers all fields of its model, strings "" and dates null, also for a document of another
// kind, and the three ids.
func TestModels(t *testing.T) {
	f := start(t, func(o *options) {
		o.read = func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: []appliance.Document{{Kind: appliance.Unknown}}}, nil
		}
	})
	for _, e := range appliance.DocumentEndpoints() {
		if e.Kind() == appliance.Unknown {
			continue
		}
		a := f.post("/v1/"+string(e), sample())
		f.want(string(e), a, 200, 0)
		want := map[string]any{"transaction_id": a.Data["transaction_id"], "client_transaction_id": nil, "request_id": a.Data["request_id"]}
		for _, field := range e.Kind().Model() {
			want[field.Name] = ""
			if field.Type == appliance.Date {
				want[field.Name] = nil
			}
		}
		if diff := cmp.Diff(want, a.Data); diff != "" {
			t.Errorf("%s: %s", e, diff)
		}
		if doc := a.Services["classification"].(map[string]any)["doc_type"]; doc != "unknown" {
			t.Errorf("%s: doc_type %v", e, doc)
		}
	}
}

// TestMultiAndGeneral: a picture of several documents and one of general text have their own shapes, which carry the
// ids; without a document multi is 3011, without text general is an empty list.
func TestMultiAndGeneral(t *testing.T) {
	var empty atomic.Bool
	f := start(t, func(o *options) {
		o.read = func(ctx context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
			if empty.Load() {
				return appliance.Reading{}, nil
			}
			return readPassport(ctx, p, nil)
		}
	})
	a := f.post("/v1/ocr/multi", sample(`"evidence":true`))
	f.want("multi", a, 200, 0)
	results := a.Data["results"].([]any)
	inner := results[0].(map[string]any)
	data := inner["data"].(map[string]any)
	if len(results) != 1 || data["passport_no"] != "A1<&>2" || data["transaction_id"] != a.Data["transaction_id"] ||
		data["request_id"] != a.Data["request_id"] {
		t.Errorf("multi: %s", a.raw)
	}
	if _, ok := inner["Services"].(map[string]any)["evidence"]; !ok {
		t.Error("multi: the evidence is missing in the inner Services")
	}
	noErrors := map[string]any{"Validations": map[string]any{"validation_errors": []any{}}}
	if diff := cmp.Diff(noErrors["Validations"], a.Services["Validations"]); diff != "" {
		t.Errorf("multi: outer Services: %s", diff)
	}
	a = f.post("/v1/ocr/general", sample(`"client_transaction_id":""`))
	want := map[string]any{
		"lines":                 []any{map[string]any{"text": "سطر"}},
		"transaction_id":        a.Data["transaction_id"],
		"client_transaction_id": "",
		"request_id":            a.Data["request_id"],
	}
	if diff := cmp.Diff(want, a.Data); diff != "" {
		t.Errorf("general: %s", diff)
	}
	if diff := cmp.Diff(noErrors, a.Services); diff != "" {
		t.Errorf("general: Services: %s", diff)
	}
	empty.Store(true)
	f.want("multi without a document", f.post("/v1/ocr/multi", sample()), 400, 3011)
	f.want("passport without a document", f.post("/v1/ocr/passport", sample()), 400, 3011)
	a = f.post("/v1/ocr/general", sample())
	f.want("general without text", a, 200, 0)
	if lines, ok := a.Data["lines"].([]any); !ok || len(lines) != 0 {
		t.Errorf("general without text: %s", a.raw)
	}
}

// A line of general text to be doubted, and one that cannot be read, carry their codes under their number; others carry none.
func TestDoubtfulLines(t *testing.T) {
	f := start(t, func(o *options) {
		o.read = func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Lines: []appliance.Line{
				{Text: "سطر", Confidence: 0.9}, {Text: "ا.ب", Confidence: 0.4, Code: appliance.CodeLowConfidence}, {Code: appliance.CodeUnreadable},
			}}, nil
		}
	})
	a := f.post("/v1/ocr/general", sample())
	f.want("general", a, 200, 0)
	var got []string
	for _, v := range a.Services["Validations"].(map[string]any)["validation_errors"].([]any) {
		field := v.(map[string]any)
		for _, e := range field["errors"].([]any) {
			got = append(got, fmt.Sprint(field["field"], " ", field["value"], " ", e.(map[string]any)["code"]))
		}
	}
	if diff := cmp.Diff([]string{"lines[1] ا.ب 3301", "lines[2]  3302"}, got); diff != "" {
		t.Error(diff)
	}
	if lines := a.Data["lines"].([]any); len(lines) != 3 {
		t.Errorf("%d lines, want 3", len(lines))
	}
}

// TestDocumentsLeftOut: when a picture shows more documents than were read, the answer says so unasked; a sheet that is no
// document of the contract is only named when the evidence is asked for.
func TestDocumentsLeftOut(t *testing.T) {
	for kind, told := range map[appliance.Kind]bool{appliance.LicensePlate: true, appliance.Unknown: false} {
		f := start(t, func(o *options) {
			o.read = func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
				return appliance.Reading{Documents: []appliance.Document{{Kind: appliance.Passport}}, Others: []appliance.Outline{{Kind: kind}}}, nil
			}
		})
		want := map[string]any{"others": []any{map[string]any{"doc_type": string(kind), "quad": nil}}}
		if diff := cmp.Diff(want, f.post("/v1/ocr/multi", sample(`"evidence":true`)).Services["evidence"]); diff != "" {
			t.Errorf("%s, asked: %s", kind, diff)
		}
		if _, ok := f.post("/v1/ocr/multi", sample()).Services["evidence"]; ok != told {
			t.Errorf("%s, not asked: evidence %v", kind, ok)
		}
	}
}

// TestEvidence: the evidence comes only when it is asked for, with places, confidence, repairs, checks and cues.
func TestEvidence(t *testing.T) {
	f := start(t)
	for _, members := range []string{``, `"evidence":false,`, `"evidence":null,`} {
		if _, ok := f.post("/v1/ocr/passport", "{"+members+sample()[1:]).Services["evidence"]; ok {
			t.Errorf("%q brings evidence", members)
		}
	}
	a := f.post("/v1/ocr/passport", sample(`"evidence":true`))
	b, err := json.Marshal(a.Services["evidence"])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"document":{"quad":[[1,2],[101,2],[101,72],[1,72]]}`, `"others":[{"doc_type":"national_id_back","quad":[[1,80],[101,80],[101,140],[1,140]]}]`,
		`"capture":{"advice":"hold the camera still","blurred":true,"covered":false,"cut_off":false,"glare":0.125,"glared":false,"sharpness":0.25,"too_small":true}`,
		`"name":{"characters":[],"checks":[],"confidence":0,"derived_from":["country_code"],`, `"cues":[{"name":"moire","score":0.25,"threshold":0.5}]`,
		`"country_code":{"characters":[],"checks":[{"name":"known_state","passed":true}],"confidence":0.99,"derived_from":[],"quad":null,"raw":"","repairs":[]}`,
		`"passport_no":{"characters":[1,0.5,1,1,1,1],"checks":[],"confidence":0.5,"derived_from":[],"quad":null,"raw":"AI2","repairs":["position 2: I read as 1, check digit"]}`,
		`"Date_of_Birth":{"characters":[],"checks":[],"confidence":0,"derived_from":[],"quad":null,"raw":"","repairs":[]}`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("evidence lacks %s:\n%s", want, b)
		}
	}
}

// TestTransactionIDs: which ids start, continue or break a transaction at the two kinds of endpoints.
func TestTransactionIDs(t *testing.T) {
	f := start(t)
	const id = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
	for _, tt := range []struct {
		name, member string
		ocr, face    int    // error codes
		want         string // the transaction answered, "" for a new one
	}{
		{"absent", ``, 0, 400, ""},
		{"null", `"transaction_id":null,`, 0, 400, ""},
		{"empty", `"transaction_id":"",`, 0, 400, ""},
		{"nil GUID", `"transaction_id":"00000000-0000-0000-0000-000000000000",`, 0, 400, ""},
		{"unknown at face endpoints, started by OCR", `"transaction_id":"` + id + `",`, 0, 4101, id},
		{"known, upper case", `"transaction_id":"` + strings.ToUpper(id) + `",`, 0, 501, id},
		{"escaped", `"transaction_id":"\u0036f9619ff-8b86-d011-b42d-00cf4fc964ff",`, 0, 501, id},
		{"braces", `"transaction_id":"{` + id + `}",`, 400, 400, ""},
		{"urn", `"transaction_id":"urn:uuid:` + id + `",`, 400, 400, ""},
		{"no hyphens", `"transaction_id":"` + strings.ReplaceAll(id, "-", "") + `",`, 400, 400, ""},
		{"blank before", `"transaction_id":" ` + id + `",`, 400, 400, ""},
		{"blanks alone", `"transaction_id":"  ",`, 400, 400, ""},
		{"not hexadecimal", `"transaction_id":"6f9619fg-8b86-d011-b42d-00cf4fc964ff",`, 400, 400, ""},
		{"number", `"transaction_id":5,`, 400, 400, ""},
		{"object", `"transaction_id":{},`, 400, 400, ""},
	} {
		body := "{" + tt.member + sample()[1:]
		status := map[int]int{0: 200, 501: 501}
		face := f.post("/v1/ocr/face/match", body)
		f.want("face: "+tt.name, face, max(status[tt.face], 400), tt.face)
		ocr := f.post("/v1/ocr/passport", body)
		f.want("OCR: "+tt.name, ocr, max(status[tt.ocr], 200+200*min(tt.ocr, 1)), tt.ocr)
		for _, a := range []answer{ocr, face} {
			if a.Code == 400 && !strings.Contains(a.Message, "transaction_id") {
				t.Errorf("%s: message %q does not name the member", tt.name, a.Message)
			}
		}
		if tt.ocr == 0 && tt.want != "" && ocr.Data["transaction_id"] != tt.want {
			t.Errorf("%s: answered %v, want %s", tt.name, ocr.Data["transaction_id"], tt.want)
		}
		if tt.ocr == 0 && tt.want == "" && ocr.Data["transaction_id"] == id {
			t.Errorf("%s: no new transaction", tt.name)
		}
	}
}

// TestTransactionLife: a transaction expires, is then told from an unknown one for a day, is renewed by every request
// with its id, also a refused one, and is not started by a failed one.
func TestTransactionLife(t *testing.T) {
	f := start(t, func(o *options) {
		o.decode = func(_ context.Context, image []byte) (*appliance.Picture, error) {
			if string(image) != "a picture" {
				return nil, appliance.Errorf(appliance.CodePictureBroken, "the picture cannot be decoded")
			}
			return &appliance.Picture{}, nil
		}
	})
	id := f.post("/v1/ocr/passport", sample()).Data["transaction_id"].(string)
	member := `"transaction_id":"` + id + `"`
	for _, body := range []string{`{` + member + `,"image":"AAAA"}`, `{` + member + `}`, `{` + member + `,"image":5}`} {
		f.clock.Advance(20 * time.Minute)
		if a := f.post("/v1/ocr/passport", body); a.status != 400 {
			t.Errorf("%s: HTTP %d", body, a.status)
		}
	}
	f.clock.Advance(20 * time.Minute)
	f.want("renewed", f.post("/v1/ocr/face/match", sample(member)), 501, 501)
	f.clock.Advance(31 * time.Minute)
	f.want("expired, face", f.post("/v1/ocr/face/match", sample(member)), 400, 4103)
	f.want("expired, OCR", f.post("/v1/ocr/passport", sample(member)), 400, 4103)
	f.clock.Advance(25 * time.Hour)
	f.want("forgotten", f.post("/v1/ocr/face/match", sample(member)), 400, 4101)
	other := `"transaction_id":"` + appliance.NewGUID() + `"`
	f.want("failed", f.post("/v1/ocr/passport", `{`+other+`,"image":"AAAA"}`), 400, 5004)
	f.want("not started", f.post("/v1/ocr/face/match", sample(other)), 400, 4101)
	if _, err := f.transactions.Transaction(context.Background(), id); appliance.CodeOf(err) != appliance.CodeTransactionUnknown {
		t.Errorf("the store still knows the transaction: %v", err)
	}
}

// TestFaces: the face endpoints check their members by name, then pictures, then the transaction, and say that the
// comparison is not built yet.
func TestFaces(t *testing.T) {
	f := start(t, func(o *options) {
		o.cfg.PictureBytes = 1 << 20
		o.decode = func(_ context.Context, image []byte) (*appliance.Picture, error) {
			if image[1] == 0 {
				return nil, appliance.Errorf(appliance.CodePictureKind, "not a picture")
			}
			return &appliance.Picture{}, nil
		}
		o.readers = map[appliance.Endpoint]appliance.Reader{
			appliance.EndpointPassport: reader(appliance.Passport), appliance.EndpointIDBack: reader(appliance.NationalIDBack),
		}
	})
	passport := f.post("/v1/ocr/passport", sample()).Data["transaction_id"]
	back := f.post("/v1/ocr/id/back", sample()).Data["transaction_id"]
	long := strings.Repeat("A", 2<<20)
	for _, tt := range []struct {
		name, body, says string
		code             int
	}{
		{"all three", `"transaction_id":"%s","face_1":"ABCD","face_2":"ABCD","face_3":"ABCD"`, "", 501},
		{"client id", `"client_transaction_id":"x","transaction_id":"%s","face_1":"ABCD","face_2":"ABCD","face_3":"ABCD"`, "", 501},
		{"evidence is no number", `"evidence":7,"transaction_id":"%s","face_1":"ABCD","face_2":"ABCD","face_3":"ABCD"`, "evidence", 400},
		{"second missing", `"transaction_id":"%s","face_1":"ABCD","face_3":"ABCD"`, "face_2", 400},
		{"third null", `"transaction_id":"%s","face_1":"ABCD","face_2":"ABCD","face_3":null`, "face_3", 400},
		{"first not base64, second too long", `"transaction_id":"%s","face_1":"!","face_2":"` + long + `","face_3":"ABCD"`, "face_1", 400},
		{"second too long, third not base64", `"transaction_id":"%s","face_1":"ABCD","face_2":"` + long + `","face_3":"!"`, "face_3", 400},
		{"second too long", `"transaction_id":"%s","face_1":"ABCD","face_2":"` + long + `","face_3":"ABCD"`, "face_2", 5002},
		{"no picture before transaction", `"transaction_id":"6f9619ff-8b86-d011-b42d-00cf4fc964ff","face_1":"ABCD","face_2":"AAAA","face_3":"ABCD"`, "picture 2 of 3", 5001},
	} {
		body := tt.body
		if strings.Contains(body, "%s") {
			body = fmt.Sprintf(body, passport)
		}
		a := f.post("/v1/ocr/liveness/multi", "{"+body+"}")
		f.want(tt.name, a, map[bool]int{true: 501, false: 400}[tt.code == 501], tt.code)
		if !strings.Contains(a.Message, tt.says) {
			t.Errorf("%s: message %q does not name %s", tt.name, a.Message, tt.says)
		}
	}
	f.want("no identity document", f.post("/v1/ocr/face/match", sample(fmt.Sprintf(`"transaction_id":"%s"`, back))), 400, 4102)
}

type reader appliance.Kind

func (r reader) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	return appliance.Reading{Documents: []appliance.Document{{Kind: appliance.Kind(r)}}}, nil
}

// TestNotBuilt: an endpoint without a reader answers 501 after its other checks, and one without a camera 503, which waiting does not change.
func TestNotBuilt(t *testing.T) {
	f := start(t, func(o *options) { o.readers = map[appliance.Endpoint]appliance.Reader{} })
	for _, e := range appliance.DocumentEndpoints() {
		f.want(string(e), f.post("/v1/"+string(e), sample()), 501, 501)
		f.want(string(e)+" without a picture", f.post("/v1/"+string(e), "{}"), 400, 400)
	}
	ocr := f.addKey(appliance.Key{Name: "ocr", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	body := map[string]string{
		"/v1/camera/liveness": `{"transaction_id":"6f9619ff-8b86-d011-b42d-00cf4fc964ff"}`,
		"/v1/camera/document": `{"endpoint":"passport"}`,
	}
	for path, method := range map[string]string{"/v1/camera/liveness": "POST", "/v1/camera/document": "POST", "/v1/camera/preview": "GET"} {
		a := f.do(method, path, strings.NewReader(body[path]))
		f.want(path, a, 503, 503)
		if after := a.header.Get("Retry-After"); after != "" {
			t.Errorf("%s: told to wait %s s for a camera that is not there", path, after)
		}
		f.want(path+" without a key", f.do(method, path, nil, header("ApiKey", "")), 401, 401)
		f.want(path+" without scope", f.do(method, path, nil, header("ApiKey", ocr)), 403, 403)
	}
}

// TestPathsAndMethods: everything that is no route gets the envelope, a wrong method with the right one, both before
// the key is looked at.
func TestPathsAndMethods(t *testing.T) {
	f := start(t)
	for _, path := range []string{
		"/", "/v1", "/v1/", "/v1/ocr", "/v1/ocr/passport/", "/v1/OCR/passport", "/v1/ocr/passport/x", "//v1/ocr/passport",
		"/v1/ocr%2Fpassport", "/v1/../v1/ocr/passport", "/v2/ocr/passport", "/console/", "/ocr/passport", "/v1/ocr/29001011234567",
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			f.want(method+" "+path, f.do(method, path, nil, header("ApiKey", "")), 404, 404)
		}
	}
	for _, method := range []string{"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW", "post"} {
		a := f.do(method, "/v1/ocr/passport", nil, header("ApiKey", ""))
		f.want(method, a, 405, 405)
		if a.header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow %q", method, a.header.Get("Allow"))
		}
	}
	a := f.do("POST", "/v1/openapi.yaml", nil)
	f.want("POST openapi.yaml", a, 405, 405)
	if a.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("openapi.yaml: Allow %q", a.header.Get("Allow"))
	}
	a = f.do("HEAD", "/v1/ocr/passport", nil)
	if a.status != 405 || a.raw != "" {
		t.Errorf("HEAD: HTTP %d with body %q", a.status, a.raw)
	}
	f.want("query", f.post("/v1/ocr/passport?x=1", sample()), 200, 0)
}

// TestMediaType: JSON in UTF-8 alone is taken, however it is spelled.
func TestMediaType(t *testing.T) {
	f := start(t)
	for kind, code := range map[string]int{
		"": 0, "application/json": 0, "Application/JSON": 0, "application/json; charset=utf-8": 0, `application/json;charset="UTF-8"`: 0,
		"application/json; profile=x": 0, "application/json;": 0, "application/json ; Charset=Utf-8": 0,
		"application/json; charset=utf8": 0, "application/json;charset=UTF8": 0, "application/json; charset=utf_8": 415,
		"text/plain": 415, "text/json": 415, "application/jsonp": 415, "application/vnd.api+json": 415, "application/x-www-form-urlencoded": 415,
		"multipart/form-data; boundary=x": 415, "application/json; charset=iso-8859-1": 415, "application/json; charset=utf-16": 415,
		"application/json; charset=utf-8; charset=latin1": 415, "application/json; charset": 415, "application/json, text/plain": 415, "json": 415, "*/*": 415,
	} {
		f.want("Content-Type "+kind, f.post("/v1/ocr/passport", sample(), header("Content-Type", kind)), max(200, code), code)
	}
	for _, coding := range []string{"gzip", "identity", "br", "x"} {
		f.want("Content-Encoding "+coding, f.post("/v1/ocr/passport", sample(), header("Content-Encoding", coding)), 415, 415)
	}
	empty := func(r *http.Request) { r.Header["Content-Encoding"] = []string{""} }
	f.want("empty Content-Encoding", f.post("/v1/ocr/passport", sample(), empty), 415, 415)
}

// TestOrderOfChecks: of several faults the first in the order of the contract is told.
func TestOrderOfChecks(t *testing.T) {
	f := start(t, func(o *options) {
		o.decode = func(context.Context, []byte) (*appliance.Picture, error) {
			return nil, appliance.Errorf(appliance.CodePictureKind, "unsupported")
		}
	})
	face := f.addKey(appliance.Key{Name: "face", Scopes: []appliance.Scope{appliance.ScopeFace}})
	big := func() io.Reader { return io.LimitReader(zeros{}, 17<<20) }
	noKey, wrongScope, text := header("ApiKey", ""), header("ApiKey", face), header("Content-Type", "text/plain")
	length := func(r *http.Request) { r.ContentLength = 17 << 20 }
	id := `"transaction_id":"` + appliance.NewGUID() + `"`
	for _, tt := range []struct {
		name   string
		answer answer
		status int
		code   int
	}{
		{"path before key", f.do("POST", "/v1/x", big(), noKey, text, length), 404, 404},
		{"method before key", f.do("PUT", "/v1/ocr/passport", big(), noKey, text, length), 405, 405},
		{"key before scope", f.do("POST", "/v1/ocr/passport", big(), noKey, text, length), 401, 401},
		{"scope before media type", f.do("POST", "/v1/ocr/passport", big(), wrongScope, text, length), 403, 403},
		{"media type before size", f.do("POST", "/v1/ocr/passport", big(), text, length), 415, 415},
		{"size before JSON", f.do("POST", "/v1/ocr/passport", big(), length), 413, 413},
		{"size before JSON, chunked", f.do("POST", "/v1/ocr/passport", big()), 413, 413},
		{"JSON before members", f.post("/v1/ocr/passport", `{"image":5`), 400, 400},
		{"members before pictures", f.post("/v1/ocr/passport", `{"image":"AAAA","transaction_id":"x"}`), 400, 400},
		{"pictures before transaction", f.post("/v1/ocr/face/match", sample(id)), 400, 5001},
	} {
		f.want(tt.name, tt.answer, tt.status, tt.code)
	}
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestTwoSides: of the two sides of an ID in one transaction the later answer says that the numbers differ, and a side
// shown to the other side's endpoint is answered as what it is, with the fields that both models have.
func TestTwoSides(t *testing.T) {
	shown := map[string]appliance.Document{
		"front": {Kind: appliance.NationalIDFront, Fields: []appliance.Field{
			{Name: "idNumber", Value: "20001010100014"}, {Name: "gender", Value: "Male"}, {Name: "first_name", Value: "منى"},
		}},
		"back": {
			Kind: appliance.NationalIDBack, Fields: []appliance.Field{
				{Name: "idNumber", Value: "20001010100022"}, {Name: "gender", Value: "Male"}, {Name: "idExpiry", Value: "2020-01-31"},
			},
			Validations: []appliance.Validation{{Field: "idExpiry", Value: "2020-01-31", Errors: []appliance.Code{appliance.CodeExpired}}},
		},
	}
	f := start(t, func(o *options) {
		o.decode = func(_ context.Context, image []byte) (*appliance.Picture, error) {
			return &appliance.Picture{Y: image}, nil
		}
		o.read = func(_ context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: []appliance.Document{shown[string(p.Y)]}}, nil
		}
	})
	send := func(e appliance.Endpoint, what, id string) answer {
		body := fmt.Sprintf(`{"image":%q,"transaction_id":%q,"evidence":true}`, base64.StdEncoding.EncodeToString([]byte(what)), id)
		a := f.post("/v1/"+string(e), body)
		f.want(what, a, 200, 0)
		return a
	}
	differs := func(a answer) bool { return strings.Contains(a.raw, `{"code":3101,`) }

	a := send(appliance.EndpointIDFront, "front", "")
	id := a.Data["transaction_id"].(string)
	if differs(a) {
		t.Errorf("the first answer: %s", a.raw)
	}
	if a = send(appliance.EndpointIDBack, "back", id); !differs(a) || !strings.Contains(a.raw, `{"name":"other_side","passed":false}`) {
		t.Errorf("the later answer: %s", a.raw)
	}
	if a = send(appliance.EndpointIDBack, "back", ""); differs(a) {
		t.Errorf("another transaction: %s", a.raw)
	}
	a = send(appliance.EndpointIDFront, "back", "")
	want := map[string]any{"idNumber": "20001010100022", "gender": "Male", "first_name": "", "dateOfBirth": nil}
	for name, value := range want {
		if a.Data[name] != value {
			t.Errorf("a back as a front: %s is %v", name, a.Data[name])
		}
	}
	if _, ok := a.Data["idExpiry"]; ok || strings.Contains(a.raw, `"code":3010,`) {
		t.Errorf("a back as a front has fields of a back: %s", a.raw)
	}
	if !strings.Contains(a.raw, `{"field":"","value":"","errors":[{"code":3308,`) ||
		!strings.Contains(a.raw, `"doc_type":"national_id_back"`) {
		t.Errorf("a back as a front: %s", a.raw)
	}
}

// TestClientTransactionID: whatever string the client sends comes back equal in the answer.
func TestClientTransactionID(t *testing.T) {
	f := start(t)
	for _, id := range []string{
		"", " ", "a", "null", "رقم ١٢", "\x00\x1f\x7f", "\u2028\u2029\ufeff\u202e", `"\/<script>&`, "😀", strings.Repeat("x", 4096),
	} {
		b, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		a := f.post("/v1/ocr/passport", sample(`"client_transaction_id":`+string(b)))
		if a.Data["client_transaction_id"] != id {
			t.Errorf("%q comes back as %q", id, a.Data["client_transaction_id"])
		}
	}
	for _, member := range []string{"", `"client_transaction_id":null,`} {
		if a := f.post("/v1/ocr/passport", "{"+member+sample()[1:]); a.Data["client_transaction_id"] != nil {
			t.Errorf("%q comes back as %v", member, a.Data["client_transaction_id"])
		}
	}
}
