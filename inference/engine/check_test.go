package engine

import (
	"context"
	"testing"

	"github.com/bawab/bawab/appliance"
)

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

// A blank picture that cannot be read has passed no check: only nothing found in it has.
func TestFoundNothing(t *testing.T) {
	for name, test := range map[string]struct {
		documents int
		err       error
		passes    bool
	}{
		"nothing": {0, nil, true}, "no document": {0, appliance.Errorf(appliance.CodeNoDocument, "none"), true}, "a document": {1, nil, false},
		"a fault": {0, appliance.Errorf(appliance.CodeInternal, "a network failed"), false}, "an end": {0, context.DeadlineExceeded, false},
	} {
		if err := foundNothing(test.documents, test.err); (err == nil) != test.passes {
			t.Errorf("%s: %v", name, err)
		}
	}
}
