package engine

import (
	"strings"
	"testing"
)

// The networks of the program read the reference pictures: a pack is held to nothing that they do not do.
func TestReferences(t *testing.T) {
	set, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := CheckSet(t.Context(), &out, set); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}
