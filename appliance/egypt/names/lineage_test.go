package names

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt/number"
)

// Property: a woman's name is hardly the father's, and hardly a man's; one that both bear, and one that no list holds, tells nothing.
func TestLogLineage(t *testing.T) {
	for _, test := range []struct {
		name string
		sex  number.Sex
		odd  bool
	}{
		{"محمد سمير حسن", number.Male, false},
		{"محمد سهير حسن", number.Male, true},
		{"محمد سهير حسن", "", true},
		{"سهير سمير حسن", number.Male, true},
		{"سهير سمير حسن", number.Female, false},
		{"سهير سمير حسن", "", false},
		{"نور محمد", number.Female, false},
		{"نور محمد", number.Male, false},
		{"محمد قمر الدولة حسن", number.Male, false},
		{"محمد شطروخ", number.Male, false},
		{"", number.Male, false},
	} {
		if got := LogLineage(test.name, test.sex); got > 0 || (got < 0) != test.odd {
			t.Errorf("%s, %q: %.2f", test.name, test.sex, got)
		}
	}
}
