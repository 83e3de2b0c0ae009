package engine

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
)

// Property: several cards on a small picture cost little more than on a large one, and a card whose print is no longer legible there does not
// use up the work of those that can be read.
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
		small := image.NewRGBA(image.Rect(0, 0, rows*4/3, rows))
		draw.CatmullRom.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
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
