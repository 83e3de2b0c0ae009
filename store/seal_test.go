package store

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// A sealed value opens with the same key, purpose and place only, and not when any bit of it changed.
func TestSeal(t *testing.T) {
	key, err := newSealer(bytes.Repeat([]byte{7}, keySize))
	must(t, err)
	other, err := newSealer(bytes.Repeat([]byte{8}, keySize))
	must(t, err)
	place := [][]byte{[]byte("0123456789abcdef"), {0, 0, 0, 1}}
	sealed := key.seal([]byte("secret"), purposeRecord, place...)
	if plain, err := key.open(sealed, purposeRecord, place...); err != nil || string(plain) != "secret" {
		t.Fatalf("got %q, %v", plain, err)
	}
	if again := key.seal([]byte("secret"), purposeRecord, place...); bytes.Equal(again, sealed) {
		t.Error("the same content was sealed alike twice: the nonce is not random")
	}
	refused := map[string]func() ([]byte, error){
		"other key":     func() ([]byte, error) { return other.open(sealed, purposeRecord, place...) },
		"other purpose": func() ([]byte, error) { return key.open(sealed, purposeState, place...) },
		"other place":   func() ([]byte, error) { return key.open(sealed, purposeRecord, place[0], []byte{0, 0, 0, 2}) },
		"no place":      func() ([]byte, error) { return key.open(sealed, purposeRecord) },
		"nothing":       func() ([]byte, error) { return key.open(nil, purposeRecord, place...) },
	}
	for name, open := range refused {
		if plain, err := open(); err == nil {
			t.Errorf("%s: opened as %q", name, plain)
		}
	}
	for i := range sealed {
		spoiled := slices.Clone(sealed)
		spoiled[i] ^= 0x10
		if _, err := key.open(spoiled, purposeRecord, place...); err == nil {
			t.Errorf("it opens with byte %d changed", i)
		}
		if _, err := key.open(sealed[:i], purposeRecord, place...); err == nil {
			t.Errorf("it opens when cut to %d bytes", i)
		}
	}
}

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
				Fields: []appliance.Field{{Name: "n", Value: "v", Confidence: 0.5, Characters: []float64{0.25}, Quad: quad, Raw: "w",
					DerivedFrom: []string{"d"}, Repairs: []string{"p"}, Checks: []appliance.FieldCheck{{Name: "c", Passed: true}}}},
				Validations: []appliance.Validation{{Field: "f", Value: "v", Errors: []appliance.Code{appliance.CodeExpired}}},
				Cues:        []appliance.Cue{{Name: "q", Score: 1}}, Fake: true,
			}},
		},
		`{"Name":"k","Hash":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"Scopes":["ocr"],` +
			`"Created":"2026-03-01T12:00:00.000000005Z","Expires":"0001-01-01T00:00:00Z","RatePerMinute":9,"LastUsed":"0001-01-01T00:00:00Z"}`: appliance.Key{
			Name: "k", Hash: [32]byte{1}, Scopes: []appliance.Scope{appliance.ScopeOCR}, Created: at, RatePerMinute: 9},
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
	want := appliance.Field{Name: "n", Value: "v", Confidence: 0.5, Quad: appliance.Quad{{X: 1, Y: 2}}, Raw: "w", Repairs: []string{"p"},
		Checks: []appliance.FieldCheck{{Name: "c", Passed: true}}}
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
