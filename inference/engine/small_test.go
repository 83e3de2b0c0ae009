package engine

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
)

// Property: several cards on a small picture cost little more than on a large one, and a card whose print is no longer legible there
// does not use up the work of those that can be read.
func TestSmallCardsShareTheWork(t *testing.T) {
	e, err := Open(t.Context(), configs.Picture{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "multi.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for rows, want := range map[int]int{1200: 3, 360: 2, 240: 1} {
		small := shrunk(m, rows*4/3, rows)
		var b bytes.Buffer
		if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: 90}); err != nil {
			t.Fatal(err)
		}
		p, err := e.Decoder.Decode(t.Context(), b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Readers()[appliance.EndpointMulti].Read(t.Context(), p, nil)
		runs := int64(0)
		for _, s := range got.Stages {
			runs += s.Runs
		}
		if len(got.Documents) < want || runs > 600 {
			t.Errorf("%d rows: %d documents in %d inferences, %v", rows, len(got.Documents), runs, err)
		}
	}
}

// shrunk is a picture at another size, each pixel the mean of what lies under it.
func shrunk(m image.Image, width, height int) image.Image {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			var sum [3]uint32
			n := uint32(0)
			for v := y * h / height; v < max((y+1)*h/height, y*h/height+1); v++ {
				for u := x * w / width; u < max((x+1)*w/width, x*w/width+1); u++ {
					r, g, b, _ := m.At(u, v).RGBA()
					sum[0], sum[1], sum[2], n = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8, n+1
				}
			}
			out.SetRGBA(x, y, color.RGBA{byte(sum[0] / n), byte(sum[1] / n), byte(sum[2] / n), 255})
		}
	}
	return out
}
