package passport

import (
	"strings"
	"testing"
)

// Property: a name that the zone cuts is completed by the printed line that shows all of it, and by no other.
func TestCompletedName(t *testing.T) {
	for name, test := range map[string]struct{ printed, given, surname, want string }{
		"full name in one line":         {"MAHMOUD ADEL ABDELFATTAH MAGDY ABDELHAMID", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", "MAHMOUD ADEL ABDELFATTAH MAGDY ABDELHAMID"},
		"given names alone":             {"MAHMOUD ADEL ABDELFATTAH", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", "MAHMOUD ADEL ABDELFATTAH ABDELHAMID"},
		"a label before, Arabic behind": {"FULL NAME MAHMOUD ADEL ABDELFATTAH محمود", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", "MAHMOUD ADEL ABDELFATTAH ABDELHAMID"},
		"one given name":                {"MAHMOUDY MAGDY", "MAHMOU", "ABDELHAMID", "MAHMOUDY MAGDY ABDELHAMID"},
		"shortened in the middle":       {"ABDELFATTAH YOUSSEF FATHY ESSAM MAHMOUD", "ABDELFATTAH YOUSSEF FATHY ESSA", "MAHMOUD", "ABDELFATTAH YOUSSEF FATHY ESSAM MAHMOUD"},
		"each shortened":                {"MAHMOUD ADEL ABDELFATTAH MAGDY ABDELHAMID", "MAHMOUD ADEL ABDELFAT MAGDY", "ABDELHAMID", "MAHMOUD ADEL ABDELFATTAH MAGDY ABDELHAMID"},
		"letters misread":               {"AB0ELFATTAH YOUSSEF FATHY ESSAM MAHMOUD", "ABDELFATTAH YOUSSEF FATHY ESSA", "MAHMOUD", "ABDELFATTAH YOUSSEF FATHY ESSAM MAHMOUD"},
		"another script at the end":     {"MAHMOUD ADEL ABDELFAT٣", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", ""},
		"too little to tell":            {"ALI HASSAN", "A H", "ABDELHAMID", ""},
		"not cut":                       {"MAHMOUD ADEL ABDELFAT ABDELHAMID", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", ""},
		"another name":                  {"MOHAMED ADEL ABDELFATTAH", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", ""},
		"the surname alone":             {"ABDELHAMID", "MAHMOUD ADEL ABDELFAT", "ABDELHAMID", ""},
		"no given names":                {"MAHMOUD", "", "ABDELHAMID", ""},
	} {
		got, ok := completedName(strings.Fields(test.printed), strings.Fields(test.given), strings.Fields(test.surname))
		if !ok {
			got = ""
		}
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q, %t", name, got, ok)
		}
	}
}

// Property: a word of a name is in doubt that the page shows with one other letter, surely read, and nowhere as it is; not one that is
// spelled in another length, that differs in more, or whose like was hardly read.
func TestMisprinted(t *testing.T) {
	line := func(said string, confidence float64) pageLine {
		return pageLine{text: said, upper: said, confidence: confidence}
	}
	for name, test := range map[string]struct {
		lines []pageLine
		want  bool
	}{
		"another letter":        {[]pageLine{line("SURNAME", 1), line("ELTANTAWY", 0.9)}, true},
		"in two words":          {[]pageLine{line("EL TANTAWY", 0.9)}, true},
		"hardly read":           {[]pageLine{line("ELTANTAWY", 0.5)}, false},
		"as it is elsewhere":    {[]pageLine{line("ELTANTAWY", 0.9), line("ELTANTANY", 0.9)}, false},
		"another length":        {[]pageLine{line("ELTANTAWI E", 0.9), line("ELTANTANYA", 0.9)}, false},
		"two letters":           {[]pageLine{line("ELTANTAWI", 0.9)}, false},
		"a digit":               {[]pageLine{line("ELTANTAN1", 0.9)}, false},
		"nothing on the page":   {nil, false},
		"a word of another man": {[]pageLine{line("MAHMOUD", 0.9)}, false},
	} {
		if got := misprinted("ELTANTANY", test.lines); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if misprinted("ALI", []pageLine{line("ALY", 0.9)}) {
		t.Error("three letters are too few to tell")
	}
}
