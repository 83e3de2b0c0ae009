package egypt

import "testing"

// Names of one holder are told from those of two, however they are spelled, cut or, where they are doubtful, misread.
func TestSameName(t *testing.T) {
	for _, test := range []struct {
		a, b           string
		sure, doubtful bool
	}{
		{"أحمد محمد علي حسن", "احمد محمد على حسن", true, true},
		{"عبد الرحمن فتحي سالم", "عبدالرحمن فتحى سالم", true, true},
		{"أحمد محمد علي حسن", "أحمد محمد علي", true, true},
		{"أحمد محمد علي حسن", "احمد محمد عل", true, true},
		{"أحمد محمد علي حسن", "احمد", false, false},
		{"أحمد محمد علي حسن", "", false, false},
		{"", "", false, false},
		{"أحمد محمد علي حسن", "كريم محمد علي حسن", false, false},
		{"أحمد محمد علي حسن", "أحمد محمود علي حسن", false, true},
		{"محارم فارس سليمان", "عارم فارس سليمان", false, true},
		{"محارم فارس سليمان", "محارم جرجس بشارة", false, false},
		{"أحمد محمد علي حسن", "محمد علي حسن", false, false},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := SameName(pair[0], pair[1], false); got != test.sure {
				t.Errorf("%q, %q: %v", pair[0], pair[1], got)
			}
			if got := SameName(pair[0], pair[1], true); got != test.doubtful {
				t.Errorf("%q, %q, doubtful: %v", pair[0], pair[1], got)
			}
		}
	}
}
