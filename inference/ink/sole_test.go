package ink

import (
	"testing"

	"github.com/bawab/bawab/inference/vision"
)

// Property: a picture of one line, whose letters touch its sides, gets room in the tone of its paper on each side and is itself
// unchanged; light text on dark ground, and a picture that is not wide, which is no single line's, stay as they are.
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
	narrow := p
	narrow.Width = 59
	if same, room := Mounted(narrow); room != 0 || same.Width != narrow.Width {
		t.Errorf("a picture of 59 x 30 got %d samples of room", room)
	}
	for i, v := range p.Pix {
		p.Pix[i] = 255 - v
	}
	if _, room := Mounted(p); room != 0 {
		t.Errorf("light text on dark ground got %d samples of room", room)
	}
}
