package store

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// The form in which records and API keys lie in the file is what it was: whoever renames a member of one of these
// types must bring a migration.
func TestStoredForm(t *testing.T) {
	client, at := "c", time.Date(2026, time.March, 1, 12, 0, 0, 5, time.UTC)
	quad := appliance.Quad{{X: 1, Y: 2}}
	for want, value := range map[string]any{
		`{"RequestID":"r","ClientTransactionID":"c","At":"2026-03-01T12:00:00.000000005Z","Endpoint":"ocr/passport","Documents":[` +
			`{"Kind":"passport","Quad":[{"X":1,"Y":2},{"X":0,"Y":0},{"X":0,"Y":0},{"X":0,"Y":0}],"Fields":[` +
			`{"Name":"n","Value":"v","Confidence":0.5,"Characters":[0.25],"Quad":[{"X":1,"Y":2},{"X":0,"Y":0},{"X":0,"Y":0},{"X":0,"Y":0}],` +
			`"Raw":"w","DerivedFrom":["d"],"Repairs":["p"],"Checks":[{"Name":"c","Passed":true}]}],"Validations":[{"Field":"f","Value":"v","Errors":[3010]}],` +
			`"Cues":[{"Name":"q","Score":1}],"Fake":true}]}`: appliance.Record{
			RequestID: "r", ClientTransactionID: &client, At: at, Endpoint: appliance.EndpointPassport,
			Documents: []appliance.Document{{
				Kind: appliance.Passport, Quad: quad,
				Fields: []appliance.Field{{
					Name: "n", Value: "v", Confidence: 0.5, Characters: []float64{0.25}, Quad: quad, Raw: "w",
					DerivedFrom: []string{"d"}, Repairs: []string{"p"}, Checks: []appliance.FieldCheck{{Name: "c", Passed: true}},
				}},
				Validations: []appliance.Validation{{Field: "f", Value: "v", Errors: []appliance.Code{appliance.CodeExpired}}},
				Cues:        []appliance.Cue{{Name: "q", Score: 1}}, Fake: true,
			}},
		},
		`{"Name":"k","Hash":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"Scopes":["ocr"],` +
			`"Created":"2026-03-01T12:00:00.000000005Z","Expires":"0001-01-01T00:00:00Z","RatePerMinute":9,"LastUsed":"0001-01-01T00:00:00Z"}`: appliance.Key{
			Name: "k", Hash: [32]byte{1}, Scopes: []appliance.Scope{appliance.ScopeOCR}, Created: at, RatePerMinute: 9,
		},
	} {
		got, err := json.Marshal(value)
		if err != nil || string(got) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
}

// A field that was stored before fields had single characters and sources still opens; it has none.
func TestStoredFormBefore(t *testing.T) {
	var got appliance.Field
	before := `{"Name":"n","Value":"v","Confidence":0.5,"Quad":[{"X":1,"Y":2},{"X":0,"Y":0},{"X":0,"Y":0},{"X":0,"Y":0}],"Raw":"w",` +
		`"Repairs":["p"],"Checks":[{"Name":"c","Passed":true}]}`
	if err := json.Unmarshal([]byte(before), &got); err != nil {
		t.Fatal(err)
	}
	want := appliance.Field{
		Name: "n", Value: "v", Confidence: 0.5, Quad: appliance.Quad{{X: 1, Y: 2}}, Raw: "w", Repairs: []string{"p"},
		Checks: []appliance.FieldCheck{{Name: "c", Passed: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("opened field (-want +got):\n%s", diff)
	}
}

// A record that cannot be encoded is refused, and the store goes on.
func TestUnstorableRecord(t *testing.T) {
	s := openedStore(t, Config{Dir: t.TempDir()})
	r := appliance.Record{Documents: []appliance.Document{{Cues: []appliance.Cue{{Score: math.NaN()}}}}}
	if err := s.Append(t.Context(), numbered(1), r); appliance.CodeOf(err) != appliance.CodeInternal {
		t.Errorf("got %v", err)
	}
	if _, err := s.Transaction(t.Context(), numbered(1)); appliance.CodeOf(err) != appliance.CodeTransactionUnknown {
		t.Errorf("got %v", err)
	}
	for _, id := range []string{"", "x", "{" + numbered(1) + "}"} {
		_, err := s.Transaction(t.Context(), id)
		for _, err := range []error{err, s.Append(t.Context(), id, r), s.Renew(t.Context(), id), s.Erase(t.Context(), id)} {
			if appliance.CodeOf(err) != appliance.CodeBadRequest && appliance.CodeOf(err) != appliance.CodeInternal {
				t.Errorf("id %q: %v", id, err)
			}
		}
	}
}
