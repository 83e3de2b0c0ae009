package engine

import "testing"

// The networks of the program read the reference pictures: a pack is held to nothing that they do not do.
func TestReferences(t *testing.T) {
	set, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	err = CheckSet(t.Context(), set, func(picture string, err error) {
		if read++; err != nil {
			t.Errorf("%s: %v", picture, err)
		}
	})
	if err != nil || read < 4 {
		t.Errorf("%d pictures were read: %v", read, err)
	}
}
