package mrz

import (
	"testing"
	"time"
)

// Birth dates are the latest day that is not in the future; impossible and unknown ones have no value but say why.
func TestParseBirth(t *testing.T) {
	for _, test := range []struct {
		text, want string
		reason     Reason
	}{
		{"740812", "1974-08-12", ""},
		{"000101", "2000-01-01", ""},
		{"261120", "2026-11-20", ""}, // today
		{"261121", "1926-11-21", ""}, // tomorrow is a hundred years ago
		{"270101", "1927-01-01", ""},
		{"991231", "1999-12-31", ""},
		{"000229", "2000-02-29", ""}, // leap
		{"240229", "2024-02-29", ""},
		{"250229", "", ReasonImpossibleDate},
		{"990229", "", ReasonImpossibleDate},
		{"960229", "1996-02-29", ""},
		{"741301", "", ReasonImpossibleDate},
		{"740001", "", ReasonImpossibleDate},
		{"740100", "", ReasonImpossibleDate},
		{"740431", "", ReasonImpossibleDate},
		{"740432", "", ReasonImpossibleDate},
		{"7408<<", "", ReasonUnknownDate},
		{"74<<<<", "", ReasonUnknownDate},
		{"<<0812", "", ReasonUnknownDate},
		{"7413<<", "", ReasonImpossibleDate},
		{"74<<32", "", ReasonImpossibleDate},
		{"<<<<<<", "", ReasonEmpty},
		{"7408<1", "", ReasonImpossibleDate},
		{"74081O", "", ReasonImpossibleDate},
	} {
		if got, _, reason := parseBirth(test.text, "UTO", "", noon); got != test.want || reason != test.reason {
			t.Errorf("%s: %q %q, want %q %q", test.text, got, reason, test.want, test.reason)
		}
	}
}

// The national number of an Egyptian holder settles the century, and nothing else does.
func TestBirthCenturyOfNationalNumber(t *testing.T) {
	for _, test := range []struct{ text, issuer, personal, want string }{
		{"000101", "EGY", "20001010100014", "1900-01-01"},
		{"000101", "EGY", "30001010100014", "2000-01-01"},
		{"000101", "UTO", "20001010100014", "2000-01-01"}, // not Egyptian
		{"000101", "EGY", "20001020100014", "2000-01-01"}, // another birth date
		{"000101", "EGY", "2000101010001<", "2000-01-01"},
		{"000101", "EGY", "2000101010001A", "2000-01-01"},
		{"000101", "EGY", "40001010100014", "2000-01-01"},
		{"300101", "EGY", "33001010100014", "1930-01-01"}, // 2030 is in the future
		{"000229", "EGY", "20002290100014", ""},           // 1900 was no leap year
	} {
		got, other, _ := parseBirth(test.text, test.issuer, test.personal, noon)
		if got != test.want {
			t.Errorf("%s of %s with %s: %q, want %q", test.text, test.issuer, test.personal, got, test.want)
		}
		if other != "" {
			t.Errorf("%s of %s with %s: may also be %s", test.text, test.issuer, test.personal, other)
		}
	}
}

// Property: a birth date has a second possible century where the earlier one makes nobody older than 110, unless the national number
// settles it.
func TestOtherCentury(t *testing.T) {
	for text, other := range map[string]string{
		"161120": "1916-11-20", // 110 years old today
		"161119": "",           // a day older
		"200112": "1920-01-12",
		"261120": "1926-11-20",
		"261121": "", // 2026 is in the future
		"740812": "",
		"240229": "1924-02-29",
		"2<0229": "",
		"20<<<<": "",
		"":       "",
	} {
		if _, got, _ := parseBirth(text, "EGY", "", noon); got != other {
			t.Errorf("%q: %q, want %q", text, got, other)
		}
	}
	for personal, want := range map[string]string{"32001120100014": "2020-01-12", "22001120100014": "1920-01-12"} {
		if got, other, _ := parseBirth("200112", "EGY", personal, noon); got != want || other != "" {
			t.Errorf("with %s: %q or %q", personal, got, other)
		}
	}
}

// Expiry dates lie in the hundred years that end fifty years from now.
func TestParseExpiry(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"120415", "2012-04-15"},
		{"261120", "2026-11-20"},
		{"761231", "2076-12-31"},
		{"770101", "1977-01-01"},
		{"991231", "1999-12-31"},
		{"000229", "2000-02-29"},
		{"280229", "2028-02-29"},
		{"270229", ""},
		{"<<<<<<", ""},
	} {
		if got, _ := parseExpiry(test.text, noon); got != test.want {
			t.Errorf("%s: %q, want %q", test.text, got, test.want)
		}
	}
	if got, _ := parseExpiry("490101", time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)); got != "2149-01-01" {
		t.Errorf("seen from 2099: %q", got)
	}
}

// The day is that of the caller's clock: late in the evening of Cairo it is already tomorrow there.
func TestTodayFollowsLocation(t *testing.T) {
	cairo := time.FixedZone("Cairo", 2*3600)
	late := time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)
	if got, _, _ := parseBirth("261121", "UTO", "", late.In(cairo)); got != "2026-11-21" {
		t.Errorf("in Cairo: %q", got)
	}
	if got, _, _ := parseBirth("261121", "UTO", "", late); got != "1926-11-21" {
		t.Errorf("in UTC: %q", got)
	}
}
