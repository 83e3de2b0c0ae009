package general

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: of a page with more lines than are read the shortest are told as unreadable.
func TestTooManyLines(t *testing.T) {
	var lines []text.Line
	for i := range mostLines + 2 {
		y := 20 * float64(i)
		lines = append(lines, text.Line{Start: appliance.Point{Y: y}, End: appliance.Point{X: 200 - float64(i)/10, Y: y}, Height: 10})
	}
	read, unread := readable(lines)
	if len(read) != mostLines || len(unread) != 2 {
		t.Fatalf("%d lines are read, %d are not", len(read), len(unread))
	}
	sure := printedSigns("كلمة")
	for i := range sure {
		sure[i].Prob = 1
	}
	told := 0
	strands := append(unread, strand{Line: read[0], reading: new(text.Reading).With(sure)})
	paper := vision.Plane{Pix: make([]byte, 400*400), Width: 400, Height: 400, Stride: 400}
	for _, l := range (&Reader{letters: new(text.Letters)}).arrange(paper, strands, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}) {
		if l.Code == appliance.CodeUnreadable {
			told++
		}
	}
	if told != 2 {
		t.Errorf("%d of 2 lines that were not read are told", told)
	}
}
