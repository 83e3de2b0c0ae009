package text

import (
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/vision"
)

// Property: a number in Persian digits, of which the network of digits knows seven, is read by the network of numbers where that is asked
// in doubt, and is misread without it.
func TestPersianNumber(t *testing.T) {
	const printed = "27601030135356"
	f, err := os.Open("testdata/persian.png")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	drawn, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	grey := drawn.(*image.Gray)
	p := vision.Plane{Pix: grey.Pix, Width: grey.Rect.Dx(), Height: grey.Rect.Dy(), Stride: grey.Stride}
	l := Line{Start: appliance.Point{X: 30, Y: 45.5}, End: appliance.Point{X: 276, Y: 45.5}, Height: 21}
	net, _ := inferencetest.Product(t, "digits")
	numbers, m := inferencetest.Product(t, "numbers")
	asked, err := NewNumberReader(numbers, m.Labels)
	if err != nil {
		t.Fatal(err)
	}
	alone := NewDigitReader(net)
	for reader, want := range map[*DigitReader]bool{alone: false, alone.WithPersian(asked): true} {
		d, err := reader.Read(t.Context(), p, l)
		if err != nil {
			t.Fatal(err)
		}
		if (d.Text() == printed) != want {
			t.Errorf("read %q; it knows Persian digits: %t", d.Text(), want)
		}
		if want && (d.LogLength(len(printed)) < -0.1 || d.Score(printed) < -0.3) {
			t.Errorf("it has as many digits by %v, and these by %v", d.LogLength(len(printed)), d.Score(printed))
		}
	}
}
