package decode

import (
	"context"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// TestFramesOfABurstAreSmall proves that no frame of a burst takes more memory than a camera's own, and that its planes, its time and its
// light stay what they were; smaller ones are left as they are.
func TestFramesOfABurstAreSmall(t *testing.T) {
	taken := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct{ width, height, chroma, wantWidth, wantHeight int }{
		"camera":      {1920, 1080, 2, 1920, 1080},
		"four times":  {3840, 2160, 2, 1920, 1080},
		"odd, colour": {2501, 2001, 1, 1251, 1001},
		"grey":        {2500, 2000, 0, 1250, 1000},
		"largest":     {5770, 4330, 2, 1443, 1083},
	} {
		t.Run(name, func(t *testing.T) {
			given := &appliance.Picture{Width: tt.width, Height: tt.height, Y: filled(tt.width*tt.height, 90), Taken: taken}
			if tt.chroma > 0 {
				given.ChromaWidth, given.ChromaHeight = (tt.width+tt.chroma-1)/tt.chroma, (tt.height+tt.chroma-1)/tt.chroma
				n := given.ChromaWidth * given.ChromaHeight
				given.Cb, given.Cr = filled(n, 120), filled(n, 140)
			}
			whole := func(context.Context, []byte) (*appliance.Picture, error) { return given, nil }
			d := FrameDecoder{appliancetest.PictureDecoder{DecodeFunc: whole}}
			got, err := d.Decode(t.Context(), nil)
			if err != nil || got.Width != tt.wantWidth || got.Height != tt.wantHeight || !got.Taken.Equal(taken) {
				t.Fatalf("%d x %d at %v, %v", got.Width, got.Height, got.Taken, err)
			}
			if len(got.Y) != got.Width*got.Height || len(got.Cb) != got.ChromaWidth*got.ChromaHeight || len(got.Cr) != len(got.Cb) {
				t.Fatalf("planes of %d, %d and %d samples", len(got.Y), len(got.Cb), len(got.Cr))
			}
			last := len(got.Cb) - 1
			if got.Y[0] != 90 || got.Y[len(got.Y)-1] != 90 || last >= 0 && (got.Cb[last] != 120 || got.Cr[0] != 140) {
				t.Error("another light or colour")
			}
			if tt.chroma > 0 && (got.ChromaWidth != (got.Width+tt.chroma-1)/tt.chroma || got.ChromaHeight != (got.Height+tt.chroma-1)/tt.chroma) {
				t.Errorf("colour of %d x %d", got.ChromaWidth, got.ChromaHeight)
			}
		})
	}
}

// filled returns n equal samples.
func filled(n int, v byte) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = v
	}
	return out
}
