package egypt

import "testing"

// Property: an engine number keeps the blanks that its text has between groups; wide text, single signs and another count of signs give none.
func TestGrouped(t *testing.T) {
	for _, test := range []struct{ number, text, want string }{
		{"SQR477F734635", "SQR477 F734635", "SQR477 F734635"},
		{"Z6F957897", "Z6 F957897", "Z6 F957897"},
		{"G4FC", "G4FC", "G4FC"},
		{"54710398", "5 4 7 1 0 3 9 8", "54710398"},
		{"HR15F80545", "HR15 F805450", "HR15F80545"},
		{"1ZR356898", "1ZR ٣٥٦٨٩٨", "1ZR 356898"},
		{"", "", ""},
	} {
		if got := Grouped(test.number, test.text); got != test.want {
			t.Errorf("%q in %q: %q", test.number, test.text, got)
		}
	}
}

// Property: what is longer than any other chassis number and shorter than a VIN is doubtful, as where glare hides the first signs of
// one, and so is what is longer than a VIN; numbers of other lengths are not.
func TestPartOfAChassisNumber(t *testing.T) {
	for number, doubtful := range map[string]bool{
		"ZDNDTKY557747": true, "35ZDNDTKY557747": true, "LA35ZDNDTKY5577474": true,
		"LA35ZDNDTKY557747": false, "NZE121-3012345": false, "DTKY55774712": false, "557747": false,
	} {
		if got := DecodeChassis(number, 0.99, nil); got.Value != number || got.Confidence < 0.9 != doubtful {
			t.Errorf("%s: %q, %.2f", number, got.Value, got.Confidence)
		}
	}
}

// Property: a dot between the code of an engine's family and the number is printed, and any other is a stain.
func TestDotOfAMotor(t *testing.T) {
	for text, want := range map[string]string{"OM651.46582633": "OM651.46582633", "G4HD.380492": "G4HD380492", "46.182633": "46182633", "OM651.": "OM651"} {
		if got := DecodeMotor(text, 0.99, nil); got.Value != want {
			t.Errorf("%s: %s", text, got.Value)
		}
	}
}
