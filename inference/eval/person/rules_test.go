package person

import (
	"bytes"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// caseBursts are those of two persons.
func caseBursts() (all []burst) {
	for _, folder := range []string{"a-1", "a-2", "b-1"} {
		b := burst{kind: liveKind}
		for i, name := range []string{"1.jpg", "2.jpg", "3.jpg"} {
			b.files[i] = filepath.Join("live", folder, name)
		}
		all = append(all, b)
	}
	return all
}

// The cases of a seed are the same each time. A copy is always of a picture that the burst holds a second time, and another person
// is always in one frame alone.
func TestRuleCases(t *testing.T) {
	for _, rule := range []appliance.Reason{appliance.IdenticalImages, appliance.DifferentPersons} {
		cases, err := ruleCases(rule, caseBursts(), 200, 7)
		if err != nil || len(cases) != 200 {
			t.Fatalf("%s: %d cases, %v", rule, len(cases), err)
		}
		again, _ := ruleCases(rule, caseBursts(), 200, 7)
		other, _ := ruleCases(rule, caseBursts(), 200, 8)
		same := func(a, b []ruleCase) bool {
			for i := range a {
				if a[i].frames != b[i].frames || a[i].kind() != b[i].kind() {
					return false
				}
			}
			return true
		}
		if !same(cases, again) || same(cases, other) {
			t.Errorf("%s: the seed does not decide about the cases", rule)
		}
		for _, c := range cases {
			persons, files := map[string]int{}, map[string]int{}
			for i, f := range c.frames {
				persons[personOf(f)]++
				if files[f]++; c.copies[i] != nil && rule == appliance.DifferentPersons {
					t.Errorf("case %d: a copy", c.number)
				}
			}
			if rule == appliance.IdenticalImages && (len(files) > 2 || c.kind() == "another person") ||
				rule == appliance.DifferentPersons && len(persons) != 2 {
				t.Errorf("%s, case %d: %+v", rule, c.number, c)
			}
		}
	}
	if _, err := ruleCases(appliance.DifferentPersons, caseBursts()[:2], 1, 1); err == nil {
		t.Error("another person was found among one")
	}
}

// An alteration crops, resizes and relights as it says.
func TestAlteration(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "models", "samples", "face.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	a := newAlteration(rand.New(rand.NewPCG(1, 1)))
	a.crop, a.scale, a.gain, a.offset = [4]float64{0.05, 0, 0.05, 0.1}, 0.5, 0, 100
	out, err := a.apply(raw)
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([2]int{288, 216}, [2]int{m.Bounds().Dx(), m.Bounds().Dy()}); diff != "" {
		t.Error(diff)
	}
	if r, g, b, _ := m.At(100, 100).RGBA(); r>>8 != 100 || g>>8 != 100 || b>>8 != 100 {
		t.Errorf("colour %d %d %d", r>>8, g>>8, b>>8)
	}
	if a.kind() != "cropped+resized+relit+coded" {
		t.Error(a.kind())
	}
	if _, err := a.apply([]byte("no picture")); err == nil {
		t.Error("no picture was altered")
	}
}
