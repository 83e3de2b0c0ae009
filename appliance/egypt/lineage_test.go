package egypt

import "testing"

// Property: a woman's name is hardly the father's, and hardly a man's; one that both bear, and one that no list holds, tells nothing.
func TestLogLineage(t *testing.T) {
	for _, test := range []struct {
		name string
		sex  Sex
		odd  bool
	}{
		{"محمد سمير حسن", Male, false},
		{"محمد سهير حسن", Male, true},
		{"محمد سهير حسن", "", true},
		{"سهير سمير حسن", Male, true},
		{"سهير سمير حسن", Female, false},
		{"سهير سمير حسن", "", false},
		{"نور محمد", Female, false},
		{"نور محمد", Male, false},
		{"محمد قمر الدولة حسن", Male, false},
		{"محمد شطروخ", Male, false},
		{"", Male, false},
	} {
		if got := LogLineage(test.name, test.sex); got > 0 || (got < 0) != test.odd {
			t.Errorf("%s, %q: %.2f", test.name, test.sex, got)
		}
	}
}
