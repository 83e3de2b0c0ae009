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
