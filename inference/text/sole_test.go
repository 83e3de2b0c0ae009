package text

import (
	"testing"

	"github.com/bawab/bawab/inference/vision"
)

// Property: a picture of one line, whose letters touch its sides, gets room in the tone of its paper on each side and is itself
// unchanged; one that is not wide is no single line's and stays.
func TestMounted(t *testing.T) {
	p := vision.Plane{Width: 60, Height: 30, Stride: 64, Pix: make([]byte, 64*30)}
	for i := range p.Pix {
		p.Pix[i] = 210
	}
	for y := 5; y < 25; y++ {
		p.Pix[y*p.Stride], p.Pix[y*p.Stride+59] = 20, 20
	}
	sheet, room := Mounted(p)
	if room < 8 || sheet.Width != p.Width+2*room || sheet.Height != p.Height+2*room {
		t.Fatalf("%d samples of room, %d x %d", room, sheet.Width, sheet.Height)
	}
	for y := range sheet.Height {
		for x := range sheet.Width {
			want := byte(210)
			if px, py := x-room, y-room; px >= 0 && px < p.Width && py >= 0 && py < p.Height {
				want = p.Pix[py*p.Stride+px]
			}
			if got := sheet.Pix[y*sheet.Stride+x]; got != want {
				t.Fatalf("sample %d, %d is %d, not %d", x, y, got, want)
			}
		}
	}
	p.Width = 59
	if same, room := Mounted(p); room != 0 || same.Width != p.Width {
		t.Errorf("a picture of 59 x 30 got %d samples of room", room)
	}
}
