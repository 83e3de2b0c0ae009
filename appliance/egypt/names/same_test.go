package names

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
			if got := Same(pair[0], pair[1], false); got != test.sure {
				t.Errorf("%q, %q: %v", pair[0], pair[1], got)
			}
			if got := Same(pair[0], pair[1], true); got != test.doubtful {
				t.Errorf("%q, %q, doubtful: %v", pair[0], pair[1], got)
			}
		}
	}
}

// A holder's name in two scripts is told from a stranger's, however it is spelled or cut; one that shares all but the first name may be neither.
func TestInLatin(t *testing.T) {
	for _, test := range []struct {
		arabic, latin string
		same, other   bool
	}{
		{"أحمد محمد علي حسن", "AHMED MOHAMED ALI HASSAN", true, false},
		{"أحمد محمد علي حسن", "AHMAD MUHAMMAD ALY HASAN", true, false},
		{"أحمد محمد علي حسن", "AHMED MOHAMED ALI", true, false},
		{"أحمد محمد علي", "AHMED MOHAMED ALI HASSAN", true, false},
		{"عبد الله فتحي سالم", "ABDALLAH FATHY SALEM", true, false},
		{"عبد الرحمن فتحي سالم", "ABD EL RAHMAN FATHI SALEM", true, false},
		{"منى السيد إبراهيم", "MONA ELSAYED IBRAHIM", true, false},
		{"كريم محمد علي حسن", "AHMED MOHAMED ALI HASSAN", false, true},
		{"محمد محمد علي حسن", "AHMED MOHAMED ALI HASSAN", false, false},
		{"جرجس بشارة حنا", "AHMED MOHAMED ALI HASSAN", false, true},
		{"فاطمة الزهراء عثمان", "GEORGE BISHARA HANNA", false, true},
		{"أحمد محمد علي حسن", "", false, false},
		{"", "AHMED", false, false},
	} {
		if same, other := InLatin(test.arabic, test.latin); same != test.same || other != test.other {
			t.Errorf("%q, %q: same %v, other %v", test.arabic, test.latin, same, other)
		}
	}
}

// Property: names are compared one by one: what is amiss in one of them is not outweighed by the others, and each has words of its own.
func TestNameByName(t *testing.T) {
	for _, test := range []struct {
		arabic, latin string
		amiss, ok     bool
	}{
		{"أحمد محمد علي حسن", "AHMED MOHAMED ALY HASAN", false, true},
		{"عبد الرحمن فتحي سالم", "ABD EL RAHMAN FATHI SALEM", false, true},
		{"عبدالرحمن فتحي سالم", "ABDELRAHMAN FATHY SALEM", false, true},
		{"عبد الله عبده", "ABDALLAH ABDO", false, true},
		{"حورية زياد عصام صلاح الدين", "REYA ZIAD ESSAM SALAH ELDIN", true, true},
		{"أحمد محمد", "AHMED MOHAMED ALI", false, false},
		{"أحمد محمد", "AHMEDMOHAMED", false, false},
		{"أحمد", "", false, false},
		{"", "AHMED", false, false},
	} {
		if worst, ok := NameByName(test.arabic, test.latin); ok != test.ok || ok && worst >= Amiss != test.amiss {
			t.Errorf("%s, %s: %v, %v", test.arabic, test.latin, worst, ok)
		}
	}
}
