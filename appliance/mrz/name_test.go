package mrz

import "testing"

// Names come apart at the first double filler; single fillers are spaces, and a full field is a cut name.
func TestSplitName(t *testing.T) {
	for _, test := range []struct {
		field, surname, given string
		truncated             bool
	}{
		{"ERIKSSON<<ANNA<MARIA<<<<<<<<<<", "ERIKSSON", "ANNA MARIA", false},
		{"VAN<DER<MUELLEN<<MARTINE<ELISE", "VAN DER MUELLEN", "MARTINE ELISE", true},
		{"OCONNOR<<ENYA<SIOBHAN<<<<<<<<<", "OCONNOR", "ENYA SIOBHAN", false},
		{"ARKFREITH<<<<<<<<<<<<<<<<<<<<<", "ARKFREITH", "", false},
		{"SMITH<JONES<<SUSIE<<MARGARET<<", "SMITH JONES", "SUSIE MARGARET", false},
		{"<<ANNA<<<<<<<<<<<<<<<<<<<<<<<<", "", "ANNA", false},
		{"<ALI<<OMAR<<<<<<<<<<<<<<<<<<<<", "ALI", "OMAR", false},
		{"NILAVADHANANANDA<<CHAYAPA<DEJT", "NILAVADHANANANDA", "CHAYAPA DEJT", true},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZABCD", "ABCDEFGHIJKLMNOPQRSTUVWXYZABCD", "", true},
		{"<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", "", "", false},
		{"A<<<<<<<<<<<<<<<<<<<<<<<<<<<<B", "A", "B", true},
	} {
		n := splitName(test.field)
		if n.surname != test.surname || n.given != test.given || n.truncated != test.truncated {
			t.Errorf("%s: %+v", test.field, n)
		}
		if got := spaced(test.field[n.givenStart:n.givenEnd]); got != test.given {
			t.Errorf("%s: the offsets cut %q", test.field, got)
		}
	}
}

// The value of a field neither begins nor ends with a blank and holds no two in a row, wherever the fillers stand.
func TestTrimmed(t *testing.T) {
	for _, test := range []struct{ text, value string }{
		{"A38883542", "A38883542"},
		{"1234567<<", "1234567"},
		{"<52224070", "52224070"},
		{"AB<12<<34", "AB 12 34"},
		{"<<<<<<<<<", ""},
	} {
		f := Field{Text: test.text}.trimmed()
		if f.Value != test.value || (f.Reason == ReasonEmpty) != (test.value == "") {
			t.Errorf("%s: value %q, reason %q; want %q", test.text, f.Value, f.Reason, test.value)
		}
	}
}
