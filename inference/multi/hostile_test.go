package multi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/reading/readingtest"
)

// spoilt is a picture of which a part is cut out and some of that painted over, with a tone or with another part of the picture, as
// fingers, light, other cards and the frame hide what is printed.
func spoilt(p *appliance.Picture, rng *rand.Rand) *appliance.Picture {
	width, height := p.Width*(40+rng.IntN(61))/100, p.Height*(40+rng.IntN(61))/100
	left, top := rng.IntN(p.Width-width+1), rng.IntN(p.Height-height+1)
	out := &appliance.Picture{Width: width, Height: height, Y: make([]byte, 0, width*height)}
	for y := range height {
		out.Y = append(out.Y, p.Y[(top+y)*p.Width+left:][:width]...)
	}
	whole := slices.Clone(out.Y)
	for range rng.IntN(5) {
		w, h := 1+rng.IntN(width/2), 1+rng.IntN(height/3)
		x, y := rng.IntN(width-w), rng.IntN(height-h)
		fromX, fromY := rng.IntN(width-w), rng.IntN(height-h)
		tone := byte(rng.IntN(256))
		copied := rng.IntN(2) == 0
		for line := range h {
			to := out.Y[(y+line)*width+x:][:w]
			if copied {
				copy(to, whole[(fromY+line)*width+fromX:])
				continue
			}
			for i := range to {
				to[i] = tone
			}
		}
	}
	return out
}

// Property: whatever is hidden of a document, and whichever endpoint is asked, the answer is a document or a code of the contract.
func FuzzSpoiltPicture(f *testing.F) {
	kinds := []appliance.Kind{
		appliance.Unknown, appliance.NationalIDFront, appliance.NationalIDBack, appliance.DrivingLicense,
		appliance.CarLicenseFront, appliance.CarLicenseBack,
	}
	var files []string
	for _, folder := range []string{"documents", "golden", "licences"} {
		for _, card := range readingtest.Truth(f, folder) {
			files = append(files, folder+"/"+card.File)
		}
	}
	tools := readingtest.Tools(f)
	several := several(tools, outlinetest.Finder(f), nil, nil)
	for i := 0; i < len(files); i += 3 {
		f.Add(uint16(i), uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, picture uint16, kind uint8, seed uint64) {
		p := readingtest.Picture(t, files[int(picture)%len(files)])
		p = spoilt(p, rand.New(rand.NewPCG(seed, seed)))
		read := several.Read
		if k := kinds[int(kind)%len(kinds)]; k != appliance.Unknown {
			read = reading.NewReader(k, tools).Read
		}
		if got, err := read(t.Context(), p, nil); err != nil && appliance.CodeOf(err) == appliance.CodeInternal || err == nil &&
			len(got.Documents) == 0 {
			t.Errorf("%d documents, %v", len(got.Documents), err)
		}
	})
}
