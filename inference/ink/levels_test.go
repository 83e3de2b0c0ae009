package ink

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// numberPage draws numbers, one a line, in bars for digits and squares for dots: "1" is a digit, "0" a dot in the middle of its height, "."
// one of the same size at its feet.
func numberPage(numbers ...string) (p vision.Plane, lines []text.Line) {
	const high, dotHigh, step, middle = 40, 10, 20, 20
	p = vision.Plane{Width: 400, Height: 100 * len(numbers), Stride: 400}
	p.Pix = make([]byte, p.Width*p.Height)
	for i := range p.Pix {
		p.Pix[i] = 240
	}
	box := func(x, y, w, h int) {
		for r := y; r < y+h; r++ {
			for c := x; c < x+w; c++ {
				p.Pix[r*p.Stride+c] = 20
			}
		}
	}
	for i, n := range numbers {
		top := 100*i + 30
		for k, s := range n {
			x := 60 + step*k
			switch s {
			case '0':
				box(x, top+high/2-dotHigh/2, dotHigh, dotHigh)
			case '.':
				box(x, top+high-dotHigh-2, dotHigh, dotHigh)
			default:
				box(x, top, dotHigh, high)
			}
		}
		y := float64(top + middle)
		lines = append(lines, text.Line{
			Start: appliance.Point{X: 60, Y: y}, End: appliance.Point{X: float64(60 + step*(len(n)-1) + dotHigh), Y: y}, Height: high,
		})
	}
	return p, lines
}

// readAs is a reading of one word whose signs stand side by side.
func readAs(signs string) *text.Reading {
	var out []text.Symbol
	all := []rune(signs)
	for i, s := range all {
		n := float64(len(all))
		out = append(out, text.Symbol{Rune: s, Prob: 0.99, Start: float64(i) / n, End: float64(i+1) / n})
	}
	return new(text.Reading).With(out)
}

// Property: on a page with dots of two heights the lower ones are full stops and the higher ones zeros, whatever they were read as, and
// what is changed is doubtful; so is a dot whose height is not seen. Where all stand on one level, or two faces print zeros on two, nothing
// changes.
func TestDotsAreToldByTheirHeight(t *testing.T) {
	for _, c := range []struct {
		name          string
		printed, read []string
		want          []string
		doubtful      []bool
	}{
		{
			"a full stop read as a zero",
			[]string{"11.10", "10.1"},
			[]string{"١١٠١٠", "١٠.١"},
			[]string{"١١.١٠", "١٠.١"},
			[]bool{true, false},
		},
		{"a zero read as a full stop", []string{"11.10"}, []string{"١١.١."}, []string{"١١.١٠"}, []bool{true}},
		{"one level", []string{"11.1", "1.1"}, []string{"١١٠١", "١.١"}, []string{"١١٠١", "١.١"}, []bool{false, false}},
		{"zeros of two faces", []string{"1.1", "101"}, []string{"١٠١", "١٠١"}, []string{"١٠١", "١٠١"}, []bool{false, false}},
		{
			"full stops and zeros in lines of their own",
			[]string{"1.1", "101", "1.1"},
			[]string{"١٠١", "١٠١", "١.١"},
			[]string{"١.١", "١٠١", "١.١"},
			[]bool{true, false, false},
		},
		{"a dot that was overlooked", []string{"11.10", "1.11"}, []string{"١١.١٠", "١٠١٠١"}, []string{"١١.١٠", "١٠١٠١"}, []bool{false, true}},
		{"fives alone", []string{"11.10", "1."}, []string{"١١.١٠", "٥٠"}, []string{"١١.١٠", "٥٠"}, []bool{false, true}},
		{"Western digits", []string{"11.10"}, []string{"11.1."}, []string{"11.1."}, []bool{false}},
	} {
		p, lines := numberPage(c.printed...)
		read := make([]*text.Reading, len(lines))
		for i, s := range c.read {
			read[i] = readAs(s)
		}
		for i, r := range Levelled(p, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, lines, read) {
			got, doubtful := "", false
			for _, s := range r.Symbols() {
				got, doubtful = got+string(s.Rune), doubtful || s.Prob < 0.9
			}
			if got != c.want[i] || doubtful != c.doubtful[i] {
				t.Errorf("%s, line %d: %q, doubtful %v, want %q, %v", c.name, i, got, doubtful, c.want[i], c.doubtful[i])
			}
		}
	}
}
