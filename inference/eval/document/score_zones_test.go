package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// The score counts a wrong number as unflagged only when nothing marks it, and a missing picture as wrong everywhere.
func TestScore(t *testing.T) {
	lines := []string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"}
	wrong := []string{lines[0], "L898902C46UTO7408122F1204159ZE184226B<<<<<10"}
	truth := specimen{File: "a.jpg", MRZ: lines, Fields: map[string]string{"passport_no": "L898902C3", "name": "ANNA MARIA ERIKSSON"}}
	document := func(number string, codes ...appliance.Code) appliance.Document {
		d := appliance.Document{
			Fields: []appliance.Field{{Name: "passport_no", Value: number}, {Name: "name", Value: "ANNA MARIA ERIKSSON"}},
		}
		if len(codes) > 0 {
			d.Validations = []appliance.Validation{{Field: "passport_no", Value: number, Errors: codes}}
		}
		return d
	}
	s := scoreOf([]outcome{
		{specimen: truth, found: true, raw: wrong, lines: lines, document: document("L898902C3")},
		{specimen: truth, found: true, raw: wrong, lines: wrong, document: document("L898902C4")},
		{specimen: truth, found: true, raw: wrong, lines: wrong, document: document("L898902C4", appliance.CodeMRZCheck)},
		{specimen: truth, found: true, raw: wrong, lines: wrong, document: document("")},
		{specimen: truth},
	})
	got := [][2]int{
		{s.NotFound, s.Failed},
		{s.ExactBefore.OK, s.ExactBefore.Of},
		{s.Exact.OK, s.Exact.Of},
		{s.Characters.OK, s.Characters.Of},
		{s.Fields["passport_no"].OK, s.Fields["passport_no"].Of},
		{s.Fields["name"].OK, s.Fields["name"].Of},
		{s.Unflagged.OK, s.Unflagged.Of},
	}
	want := [][2]int{{1, 0}, {0, 5}, {1, 5}, {88 + 87 + 87 + 87, 440}, {1, 5}, {4, 5}, {1, 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
