package person

import (
	"testing"

	"github.com/bawab/bawab/inference/injection"
)

// Families are chosen by name, all, or by whether they were developed on; another name is an error of usage.
func TestInjectionFamilies(t *testing.T) {
	for list, want := range map[string]int{
		"all": len(injection.Families()), "noise,morph": 2, "developed": 6, "unseen": len(injection.Families()) - 6, "developed,refilmed": 7,
	} {
		if got, err := Families(list); err != nil || len(got) != want {
			t.Errorf("%s: %d families, %v", list, len(got), err)
		}
	}
	if _, err := Families("noise,magic"); err == nil {
		t.Error("a family that nobody knows was taken")
	}
}
