package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
)

// Unknown documents that are kept are put together by their text, some with each call, and a draft of them is had with the scope review,
// holds nobody's value and is in the journal. The answers fit their description.
func TestUnknownCards(t *testing.T) {
	log, kept, n := &notes{}, appliancetest.NewReviews(), 0
	place := func(x, y, w float64) appliance.Quad {
		return appliance.Quad{{X: x - w, Y: y - 10}, {X: x + w, Y: y - 10}, {X: x + w, Y: y + 10}, {X: x - w, Y: y + 10}}
	}
	f := start(t, func(o *options) {
		o.journal, o.reviews = log, kept
		o.readers = map[appliance.Endpoint]appliance.Reader{
			appliance.EndpointIDFront: appliancetest.Reader{
				ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
					return appliance.Reading{
						Documents: []appliance.Document{{Kind: appliance.Unknown, Quad: appliance.Quad{{}, {X: 1000}, {X: 1000, Y: 600}, {Y: 600}}}},
					}, nil
				},
			},
			appliance.EndpointGeneral: appliancetest.Reader{
				ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
					n++
					return appliance.Reading{Lines: []appliance.Line{
						{Text: "Member card", Quad: place(500, 60, 120)},
						{Text: "Holder", Quad: place(200, 200, 60)},
						{Text: strings.Repeat(string(rune('a'+n)), 7), Quad: place(500, 200, 90)},
						{Text: "Number", Quad: place(200, 300, 60)},
						{Text: fmt.Sprint(100000 + 7919*n), Quad: place(500, 300, 90)},
					}}, nil
				},
			},
		}
	})
	for range 11 {
		if a := f.post("/v1/ocr/id/front", sample()); a.status != 200 || !strings.Contains(a.raw, `"reviewed":true`) {
			t.Fatal(a.raw)
		}
	}
	var list struct {
		Data struct {
			Waiting int
			Groups  []struct{ ID string }
		}
	}
	for _, waiting := range []int{3, 0} {
		a := f.do("GET", "/v1/review/cards", nil)
		err := json.Unmarshal([]byte(a.raw), &list)
		if schema := validator(t, "UnknownCardsAnswer")(a.raw); err != nil || schema != nil || list.Data.Waiting != waiting ||
			len(list.Data.Groups) != 1 {
			t.Fatalf("%v %v %s", err, schema, a.raw)
		}
	}
	a := f.do("GET", "/v1/review/cards/"+list.Data.Groups[0].ID+"/draft", nil)
	if err := validator(t, "CardDraftAnswer")(a.raw); err != nil || !strings.Contains(a.raw, "digits label") ||
		strings.Contains(a.raw, "bbbbb") ||
		n != 11 {
		t.Errorf("%v after %d readings: %s", err, n, a.raw)
	}
	if e := log.of(appliance.EntryReviewSeen); len(e) != 1 || e[0].Detail["part"] != "draft" {
		t.Errorf("%+v", e)
	}
	teller := f.addKey(appliance.Key{Name: "teller", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	if allow := f.do("DELETE", "/v1/review/cards", nil).header.Get("Allow"); allow != "GET, HEAD" {
		t.Errorf("the list of cards takes %s", allow)
	}
	f.want("no scope", f.do("GET", "/v1/review/cards", nil, header("ApiKey", teller)), 403, 403)
	f.want("another", f.do("GET", "/v1/review/cards/"+appliance.NewGUID()+"/draft", nil), 404, 404)
	if _, err := kept.EraseReviews(t.Context(), func(*review.Review) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if a := f.do("GET", "/v1/review/cards", nil); !strings.Contains(a.raw, `"groups":[]`) || len(f.server.prints.cards) != 0 {
		t.Errorf("after erasing: %s", a.raw)
	}
}
