package appliance

import (
	"regexp"
	"testing"
)

// Property: generated ids are distinct RFC 4122 version 4 GUIDs in lower case.
func TestNewGUID(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 1000 {
		id := NewGUID()
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("%q is malformed or came twice", id)
		}
		seen[id] = true
	}
}

// Property: only the plain 36-character form is a GUID, and its case does not matter.
func TestParseGUID(t *testing.T) {
	const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
	for in, want := range map[string]string{
		id:                                     id,
		"0F8FAD5B-D9CB-469F-A165-70867728950E": id,
		NilGUID:                                NilGUID,
		"":                                     "",
		"{" + id + "}":                         "",
		"urn:uuid:" + id:                       "",
		"0f8fad5bd9cb469fa16570867728950e":     "",
		" " + id[1:]:                           "",
		id + " ":                               "",
		"0f8fad5b-d9cb-469f-a165-70867728950g": "",
		"0f8fad5b0d9cb-469f-a165-70867728950e": "",
		"٠f8fad5b-d9cb-469f-a165-7086772895":   "",
	} {
		got, ok := ParseGUID(in)
		if got != want || ok != (want != "") {
			t.Errorf("ParseGUID(%q) = %q, %v", in, got, ok)
		}
	}
}
