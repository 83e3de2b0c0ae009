package wire

import (
	"fmt"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// Outline writes the corners of a document as shares of the frame's width and height, from its top left on.
func Outline(s appliance.Sight) string {
	corners := make([]string, len(s.Quad))
	for i, p := range s.Quad {
		corners[i] = fmt.Sprintf("%.4f,%.4f", p.X/float64(s.Width), p.Y/float64(s.Height))
	}
	return strings.Join(corners, " ")
}
