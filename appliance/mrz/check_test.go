package mrz

import "testing"

// Check digits are those of Doc 9303: weights 7, 3, 1, letters from 10, fillers 0.
func TestCheckDigit(t *testing.T) {
	for _, test := range []struct {
		text string
		want byte
	}{
		{"L898902C3", '6'},
		{"740812", '2'},
		{"120415", '9'},
		{"ZE184226B<<<<<", '1'},
		{"L898902C36740812212041 59ZE184226B<<<<<1", '0'}, // composite of the specimen; the blank counts nothing
		{"D23145890", '7'},
		{"D23145890734", '9'},
		{"340712", '7'},
		{"950712", '2'},
		{"A00000000", '0'},
		{"000101", '8'},
		{"991231", '5'},
		{"20001010100014", '4'},
		{"", '0'},
		{"<<<<<<", '0'},
		{"<", '0'},
		{"A", '0'},
		{"Z", '5'},
		{"9", '3'},
	} {
		text := ""
		for i := range len(test.text) {
			if test.text[i] != ' ' {
				text += test.text[i : i+1]
			}
		}
		if got := CheckDigit(text); got != test.want {
			t.Errorf("CheckDigit(%q) = %c, want %c", test.text, got, test.want)
		}
	}
}

// A filler is a right check digit over an empty field only.
func TestVerifyFiller(t *testing.T) {
	for _, test := range []struct {
		covered string
		printed byte
		want    bool
	}{
		{"<<<<", '<', true},
		{"<<<<", '0', true},
		{"<<<<", '1', false},
		{"", '<', true},
		{"A<<<", '<', false},
		{"A<<<", '0', true},
		{"A<<<", 'O', false},
	} {
		if got := verify("x", test.covered, test.printed).OK; got != test.want {
			t.Errorf("%q under %q is %v", test.printed, test.covered, got)
		}
	}
}
