package plate

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/decode"
)

// Property: signs that are small in their field, of which the plate alone shows some wrongly or not at all, are read, and flagged.
func TestSmallSigns(t *testing.T) {
	r := productReader(t)
	for file, c := range map[string]struct {
		quad appliance.Quad
		want string
	}{
		"small-letter.jpg": {appliance.Quad{{X: 4.8, Y: 8.4}, {X: 415.6, Y: 5}, {X: 403.6, Y: 209.9}, {X: 32.1, Y: 178.6}}, "ج 7945"},
		"small-signs.jpg":  {appliance.Quad{{X: 37.1, Y: 39.9}, {X: 414.1, Y: 5.9}, {X: 402.3, Y: 229.3}, {X: 6, Y: 221.6}}, "أ ص ف 9295"},
	} {
		b, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		p, err := decode.Decoder{MaxBytes: 1 << 20, MaxPixels: 1 << 20, MinSide: 32}.Decode(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		d, err := r.ReadIn(t.Context(), p, c.quad)
		if v := d.Field("result").Value; err != nil || v != c.want || !d.Flagged("result", appliance.CodeLowConfidence) {
			t.Errorf("%s: %q, %v, %v", file, v, d.Validations, err)
		}
	}
}

// Property: a sign of an enlarged half is told in its place on the plate: the middle of its half stays, and others are nearer to it.
func TestReduced(t *testing.T) {
	signs := []plate.Sign{{X: 0.5, Y: middleY}, {X: 0.2, Y: middleY}, {X: 1.8, Y: middleY + 0.15}}
	got := reduced(signs, 1.5)
	for i, want := range []plate.Sign{{X: 0.5, Y: middleY}, {X: 0.3, Y: middleY}, {X: 1.7, Y: middleY + 0.1}} {
		if math.Abs(got[i].X-want.X) > 1e-9 || math.Abs(got[i].Y-want.Y) > 1e-9 {
			t.Errorf("%d: at %v, %v", i, got[i].X, got[i].Y)
		}
	}
	if signs[1].X != 0.2 {
		t.Error("the signs that were seen are changed")
	}
}
