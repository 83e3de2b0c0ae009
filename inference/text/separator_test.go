package text

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// drawnNumber draws what is printed, from left to right, in a line of 40 pixels' height: bars for digits, squares for zeros in the middle
// and for full stops at the foot, drops for commas at the foot and Arabic ones in the middle, and returns the line with its reading,
// which has a sign for each place of read.
func drawnNumber(printed, read string, zero, stop float64) (vision.Plane, Line, *Reading) {
	const pitch, high = 40, 40
	signs, places := []rune(printed), []rune(read)
	p := vision.Plane{Width: pitch * (len(signs) + 2), Height: 3 * high}
	p.Stride, p.Pix = p.Width, make([]byte, p.Width*p.Height)
	for i := range p.Pix {
		p.Pix[i] = 230
	}
	fill := func(x, y, w, h int) {
		for r := y; r < y+h; r++ {
			for c := x; c < x+w; c++ {
				p.Pix[r*p.Stride+c] = 20
			}
		}
	}
	for i, s := range signs {
		x := pitch * (i + 1)
		switch s {
		case '٠':
			fill(x+16, high+int(zero*high)-4, 8, 8)
		case '.':
			fill(x+16, high+int(stop*high)-4, 8, 8)
		case ',':
			fill(x+16, high+int(stop*high)-8, 7, 16)
		case '،':
			fill(x+16, high+int(zero*high)-8, 7, 16)
		case ' ':
		default:
			fill(x+14, high, 12, high)
		}
	}
	l := Line{
		Start:  appliance.Point{X: pitch, Y: 1.5 * high},
		End:    appliance.Point{X: float64(p.Width - pitch), Y: 1.5 * high},
		Height: high,
	}
	r := &Reading{}
	for i, s := range places {
		if s != '_' {
			r.symbols = append(r.symbols, Symbol{s, 0.9, float64(i) / float64(len(places)), float64(i+1) / float64(len(places))})
		}
	}
	r.text = spaced(logical(r.visual()))
	return p, l, r
}

// Property: of dots between Arabic-Indic digits those at the foot are separators and those in the middle zeros, whatever was read; where
// the ink does not fit the reading, or would make no number, the reading stays. A place "_" was not read.
func TestDotsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		name, printed, read, want string
		zero, stop                float64
	}{
		{"a price", "٤٦.٤٠", "٤٦٠٤٠", "٤٦.٤٠", 0.55, 1},
		{"a date", "٠٦.٠١.٢٠٠٠", "٠٦٠٠١٠٢٠٠٠", "٠٦.٠١.٢٠٠٠", 0.55, 0.95},
		{"right already", "٥.١", "٥.١", "٥.١", 0.55, 0.95},
		{"a comma", "٥,١", "٥٠١", "٥,١", 0.55, 0.95},
		{"an Arabic comma between zeros", "٣٠،٠٩", "٣٠٠٠٩", "٣٠،٠٩", 0.55, 0.95},
		{"an Arabic comma that was read", "١،٠٧", "١،٠٧", "١،٠٧", 0.6, 0.95},
		{"a wide Arabic comma that was surely read", "٨٧.٢", "٨٧،٢", "٨٧،٢", 0.55, 0.95},
		{"a wide comma", "٨٧.٢", "٨٧,٢", "٨٧.٢", 0.55, 0.95},
		{"overlooked", "٨.١.٢", "٨.١_٢", "٨.١.٢", 0.55, 0.95},
		{"read as a blank", "١٠.٠٢", "١٠ ٠٢", "١٠.٠٢", 0.55, 0.95},
		{"an item", ".٦", "٠٦", ".٦", 0.55, 0.95},
		{"zeros alone", "١٠٠٢", "١٠٠٢", "١٠٠٢", 0.6, 0.95},
		{"low zeros alone", "١٠٠٢", "١٠٠٢", "١٠٠٢", 0.7, 0.95},
		{"zeros as low as stops", "١٠٠٢", "١٠٠٢", "١٠٠٢", 0.8, 0.95},
		{"a telephone number", "٠١٢٣٤٥٦٧٨٩١", "٠١٢٣٤٥٦٧٨٩١", "٠١٢٣٤٥٦٧٨٩١", 0.8, 0.95},
		{"a stop that looks like a zero", "١٢.٣٠", "١٢٠٣٠", "١٢.٣٠", 0.5, 0.66},
		{"two numbers", "٢٠ ٣٠", "٢٠ ٣٠", "٢٠ ٣٠", 0.5, 0.95},
		{"a digit too many", "١.٢", "١٢٠٣", "١٢٠٣", 0.5, 0.95},
		{"a dot that is not there", "١٢", "١٠٢", "١٠٢", 0.5, 0.95},
		{"no Arabic-Indic digits", "1.2", "102", "102", 0.5, 0.95},
	} {
		p, l, r := drawnNumber(c.printed, c.read, c.zero, c.stop)
		var got strings.Builder
		for _, s := range (&LineReader{}).Separated(p, identity(), []Line{l}, []*Reading{r})[0].Symbols() {
			got.WriteRune(s.Rune)
		}
		if got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.String(), c.want)
		}
	}
}

// Property: a V or a Y that stands alone among Arabic words is the seven; among Latin ones, in a word or beside another it is a letter.
func TestSevens(t *testing.T) {
	for read, want := range map[string]string{
		"ب Y": "ب ٧", "V ب": "٧ ب", "ب YB": "ب YB", "Y V ب": "Y V ب", "Y": "Y", "ب Y.": "ب ٧.", "ب X": "ب X",
	} {
		var symbols []Symbol
		for _, s := range read {
			symbols = append(symbols, Symbol{Rune: s})
		}
		var got strings.Builder
		for _, s := range sevens(symbols) {
			got.WriteRune(s.Rune)
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", read, got.String(), want)
		}
	}
}
