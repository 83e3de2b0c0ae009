package httpapi

import (
	"context"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/google/go-cmp/cmp"
)

// club is a kind that a model set brings.
func club() appliance.KindModel {
	return appliance.KindModel{Kind: "club_card", Title: "بطاقة نادي", Fields: []appliance.FieldSpec{
		{Name: "member"}, {Name: "number"}, {Name: "until", Type: appliance.Date},
	}}
}

// readClub is a reading of a club card.
func readClub(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	d := appliance.Document{
		Kind: club().Kind, Model: club().Fields, Quad: appliance.Quad{{X: 1, Y: 2}, {X: 101, Y: 2}, {X: 101, Y: 72}, {X: 1, Y: 72}},
		Fields: []appliance.Field{{Name: "member", Value: "منى", Confidence: 0.9}, {Name: "number", Value: "77", Confidence: 0.4}},
	}
	d.Flag("number", "77", appliance.CodeLowConfidence)
	return appliance.Reading{Documents: []appliance.Document{d}}, nil
}

// TestKind: a kind that the model set brings is listed with its fields, and read as the kinds of the contract are: the same members in the
// order of its description, evidence, codes, the record of the transaction and the entry of the journal.
func TestKind(t *testing.T) {
	f, j := keeping(t)
	list := f.do("GET", "/v1/ocr/kinds", nil)
	f.want("the list", list, 200, 0)
	if want := `{"data":{"kinds":[{"kind":"club_card","title":"بطاقة نادي","fields":[` +
		`{"name":"member","type":"string"},{"name":"number","type":"string"},{"name":"until","type":"date"}]}]},` +
		`"Services":null,"error_code":0,"error_message":""}`; list.raw != want {
		t.Error(cmp.Diff(want, list.raw))
	}
	if err := validator(t, "KindListAnswer")(list.raw); err != nil {
		t.Error(err)
	}
	if noted := j.take(); len(noted) != 0 {
		t.Errorf("the list is no decision: %+v", noted)
	}
	a := f.post("/v1/ocr/kinds/club_card", sample(`"client_transaction_id":"c-1"`))
	f.want("a reading", a, 200, 0)
	id := a.Data["transaction_id"].(string)
	if want := `{"data":{"member":"منى","number":"77","until":null,"transaction_id":"` + id + `",`; !strings.HasPrefix(a.raw, want) {
		t.Errorf("%s, want %s", a.raw, want)
	}
	if errors := dig(a.Services, "Validations", "validation_errors").([]any); len(errors) != 1 || dig(errors[0], "field") != "number" {
		t.Errorf("%v", errors)
	}
	if kind := dig(a.Services, "classification", "doc_type"); kind != "club_card" {
		t.Errorf("doc_type %v", kind)
	}
	noted := j.take()
	if len(noted) != 1 || noted[0].Subject != "ocr/kinds/club_card" || noted[0].Detail["doc_type"] != "club_card" ||
		noted[0].Transaction != id {
		t.Errorf("the journal has %+v", noted)
	}
	check := validator(t, "KindAnswer")
	evident := f.post("/v1/ocr/kinds/club_card", sample(`"evidence":true`, `"transaction_id":"`+id+`"`))
	for _, answer := range []answer{a, evident} {
		if err := check(answer.raw); err != nil {
			t.Error(err)
		}
	}
	fields, _ := dig(evident.Services, "evidence", "fields").(map[string]any)
	if len(fields) != 3 || dig(fields["member"], "confidence") != 0.9 {
		t.Errorf("evidence of %v", fields)
	}
	held := f.do("GET", "/v1/transactions/"+id, nil)
	if err := validator(t, "TransactionAnswer")(held.raw); err != nil {
		t.Error(err)
	}
	record, _ := held.Data["records"].([]any)
	if len(record) != 2 || dig(record[0], "endpoint") != "ocr/kinds/club_card" ||
		dig(dig(record[0], "documents").([]any)[0], "data", "member") != "منى" {
		t.Errorf("the transaction holds %s", held.raw)
	}
}

// TestOtherDocumentAsKind: what nothing proves to be of the kind has the kind's fields, is unknown and says so.
func TestOtherDocumentAsKind(t *testing.T) {
	f := start(t, func(o *options) {
		o.readKind = func(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
			r, err := readClub(ctx, p, earlier)
			r.Documents[0].Kind = appliance.Unknown
			return r, err
		}
	})
	a := f.post("/v1/ocr/kinds/club_card", sample())
	f.want("another document", a, 200, 0)
	if a.Data["number"] != "77" || dig(a.Services, "classification", "doc_type") != "unknown" || !strings.Contains(a.raw, `"code":3308`) {
		t.Error(a.raw)
	}
}

// TestNoKind: a kind that no model set brings is 404 behind the key, its scope and its rate, with what to do in both languages, before
// anything of the body is looked at. One whose set is gone is no longer there, and what was read of it still is.
func TestNoKind(t *testing.T) {
	f, j := keeping(t)
	face := header("ApiKey", f.addKey(appliance.Key{Name: "face", Scopes: []appliance.Scope{appliance.ScopeFace}}))
	for _, path := range []string{"club_card", "other"} {
		f.want("without a key", f.post("/v1/ocr/kinds/"+path, sample(), header("ApiKey", "")), 401, 401)
		f.want("without the scope", f.post("/v1/ocr/kinds/"+path, sample(), face), 403, 403)
		if a := f.do("GET", "/v1/ocr/kinds/"+path, nil); a.status != 405 {
			t.Errorf("GET: HTTP %d", a.status)
		}
	}
	f.want("the list without the scope", f.do("GET", "/v1/ocr/kinds", nil, face), 403, 403)
	for _, kind := range []string{"other", "passport", "Club_Card", "multi", ":kind", "club_card%20", "%2e%2e"} {
		f.want(kind, f.post("/v1/ocr/kinds/"+kind, "{"), 404, 404)
	}
	arabic := f.post("/v1/ocr/kinds/other", "{", header("Accept-Language", "ar"))
	if !strings.Contains(arabic.Message, "النوع") || !strings.Contains(arabic.Message, "GET /v1/ocr/kinds") {
		t.Error(arabic.Message)
	}
	a := f.post("/v1/ocr/kinds/club_card", sample())
	f.want("a reading", a, 200, 0)
	f.server.deps.Appliance.Exchange(usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{}})
	f.want("a kind that is gone", f.post("/v1/ocr/kinds/club_card", sample()), 404, 404)
	if list, ok := f.do("GET", "/v1/ocr/kinds", nil).Data["kinds"].([]any); !ok || len(list) != 0 {
		t.Errorf("%v is listed", list)
	}
	held := f.do("GET", "/v1/transactions/"+a.Data["transaction_id"].(string), nil)
	if !strings.Contains(held.raw, `"member":"منى"`) {
		t.Error(held.raw)
	}
	for _, e := range j.take() {
		if strings.Contains(e.Subject, "other") || strings.Contains(e.Subject, "Club") {
			t.Errorf("what a client invents is noted: %+v", e)
		}
	}
}
