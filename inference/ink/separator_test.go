package ink

import (
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// identity maps a plane to itself.
func identity() vision.Homography { return vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// drawnNumber draws what is printed, from left to right, in a line of 40 pixels' height: bars for digits, squares for zeros in the middle
// and for full stops at the foot, drops for commas at the foot and Arabic ones in the middle, and returns the line with its reading,
// which has a sign for each place of read. A ' is dirt at the foot between two places, a ~ ties the digits beside it to each other, ; is a
// comma at the foot that thins out downwards, and ! one that does so upwards.
func drawnNumber(printed, read string, zero, stop float64) (vision.Plane, text.Line, *text.Reading) {
	const pitch, high = 40, 40
	const beside = "'~" // signs that have no place of their own
	signs, places := []rune(printed), []rune(read)
	count := len(signs) - strings.Count(printed, "'") - strings.Count(printed, "~")
	p := vision.Plane{Width: pitch * (count + 2), Height: 3 * high}
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
	place := 0
	for _, s := range signs {
		if !strings.ContainsRune(beside, s) {
			place++
		}
		x := pitch * place
		switch s {
		case '\'':
			fill(x+34, high+int(stop*high)-3, 6, 6)
		case '~':
			fill(x+20, high+8, pitch, 4)
		case ';', '!':
			for row := range 20 {
				wide := 10 - row/2
				if s == '!' {
					wide = row/2 + 1
				}
				fill(x+20-wide/2, high+int(stop*high)-10+row, wide, 1)
			}
		case '٠':
			fill(x+16, high+int(zero*high)-4, 8, 8)
		case '.':
			fill(x+16, high+int(stop*high)-4, 8, 8)
		case ',':
			fill(x+16, high+int(stop*high)-8, 7, 16)
		case ':':
			fill(x+16, high+int(stop*high)-4, 8, 8)
			fill(x+16, high+int(stop*high)-22, 8, 8)
		case '،':
			fill(x+16, high+int(zero*high)-8, 7, 16)
		case ' ':
		default:
			fill(x+14, high, 12, high)
		}
	}
	l := text.Line{
		Start:  appliance.Point{X: pitch, Y: 1.5 * high},
		End:    appliance.Point{X: float64(p.Width - pitch), Y: 1.5 * high},
		Height: high,
	}
	var seen []text.Symbol
	for i, s := range places {
		if s != '_' {
			start, end := float64(i)/float64(len(places)), float64(i+1)/float64(len(places))
			seen = append(seen, text.Symbol{Rune: s, Prob: 0.9, Start: start, End: end})
		}
	}
	return p, l, (&text.Reading{}).With(seen)
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
		{"a share", "٪٢.٣", "٪٢٠٣", "٪٢.٣", 0.55, 0.95},
		{"dirt beside a zero", "٤'٠٣٨", "٤٠٣٨", "٤٠٣٨", 0.55, 0.95},
		{"dirt between digits", "٤'٣٨٢", "٤٣٨٢", "٤٣٨٢", 0.55, 0.95},
		{"two signs read of one", "٤.٣٨", "٤.,٣٨", "٤.٣٨", 0.55, 0.95},
		{"digits that run together", "٤~٣.٨", "٤٣,٨", "٤٣.٨", 0.55, 0.95},
		{"a colon", "٤:٥٧", "٤،٥٧", "٤:٥٧", 0.55, 0.95},
		{"a colon read as two signs", "٤:٥٧", "٤.٠٥٧", "٤:٥٧", 0.55, 0.95},
		{"a zero where digits run together", "٤~٣.٨", "٤٣٠٨", "٤٣٠٨", 0.55, 0.95},
		{"a digit too many", "١.٢", "١٢٠٣", "١٢٠٣", 0.5, 0.95},
		{"a dot that is not there", "١٢", "١٠٢", "١٠٢", 0.5, 0.95},
		{"no Arabic-Indic digits", "1.2", "102", "102", 0.5, 0.95},
	} {
		p, l, r := drawnNumber(c.printed, c.read, c.zero, c.stop)
		var got strings.Builder
		for _, s := range Separated(p, identity(), []text.Line{l}, []*text.Reading{r})[0].Symbols() {
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
		var symbols []text.Symbol
		for _, s := range read {
			symbols = append(symbols, text.Symbol{Rune: s})
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

// Property: a separator is what its shape makes it, whatever was read and however its ink is blurred, and is sure then: a full stop is as
// wide as high, a comma thins out downwards and an Arabic one upwards.
func TestShapesOfSeparators(t *testing.T) {
	for _, blur := range []int{0, 2, 4} {
		for printed, want := range map[string]rune{"٤٣.٨": '.', "٤٣;٨": ',', "٤٣!٨": '،'} {
			for _, read := range []string{"٤٣.٨", "٤٣,٨", "٤٣٠٨"} {
				p, l, r := drawnNumber(printed, read, 0.55, 0.95)
				blurred(p, blur)
				got := Separated(p, identity(), []text.Line{l}, []*text.Reading{r})[0].Symbols()[2]
				if got.Rune != want || got.Prob < 0.9 {
					t.Errorf("%s read as %s, blurred by %d: %c at %.2f, want %c", printed, read, blur, got.Rune, got.Prob, want)
				}
			}
		}
	}
}

// blurred spreads what is in a plane over so many samples across and down.
func blurred(p vision.Plane, samples int) {
	for _, step := range []int{1, p.Stride} {
		from := slices.Clone(p.Pix)
		for i := range p.Pix {
			sum, count := 0, 0
			for k := -samples; k <= samples; k++ {
				if at := i + k*step; at >= 0 && at < len(from) {
					sum, count = sum+int(from[at]), count+1
				}
			}
			p.Pix[i] = byte(sum / count)
		}
	}
}

// Property: a separator whose shape lies between two is doubtful where it was read as another than its ink rather is.
func TestOpenSeparator(t *testing.T) {
	p, l, r := drawnNumber("٤٣.٨", "٤٣,٨", 0.55, 0.95)
	for row := range 2 { // a quarter higher than wide
		for column := range 8 {
			p.Pix[(40+38+4+row)*p.Stride+3*40+16+column] = 20
		}
	}
	if got := Separated(p, identity(), []text.Line{l}, []*text.Reading{r})[0].Symbols()[2]; got.Prob > 0.5 {
		t.Errorf("%c at %.2f, want a doubtful one", got.Rune, got.Prob)
	}
}

// Property: where the dots of a number part higher than those of other fonts do, a separator that was surely read as a zero is doubtful.
func TestHighSeparator(t *testing.T) {
	p, l, r := drawnNumber("١٢.٣٠", "١٢٠٣٠", 0.5, 0.66)
	r.Symbols()[2].Prob = 0.995
	if got := Separated(p, identity(), []text.Line{l}, []*text.Reading{r})[0].Symbols()[2]; got.Rune != '.' || got.Prob > 0.5 {
		t.Errorf("%c at %.2f, want a doubtful full stop", got.Rune, got.Prob)
	}
}

// Property: a zero that stands where zeros and separators part, higher than wide but without a tail, stays one, but doubtful.
func TestLowZeroStays(t *testing.T) {
	p, l, r := drawnNumber("٤٣,٨", "٤٣٠٨", 0.55, 0.75)
	if got := Separated(p, identity(), []text.Line{l}, []*text.Reading{r})[0].Symbols()[2]; got.Rune != '٠' || got.Prob > 0.5 {
		t.Errorf("%c at %.2f, want a doubtful zero", got.Rune, got.Prob)
	}
}

// Property: a blank that was doubted is none where the digits beside it stand no further apart than others; one that was surely read stays.
func TestBlankOfNumber(t *testing.T) {
	for prob, want := range map[float64]string{0.6: "٤٣٢٨.٩", 0.95: "٢٨.٩ ٤٣"} {
		p, l, r := drawnNumber("٤٣٢٨.٩", "٤٣ ٢٨.٩", 0.55, 0.95)
		r.Symbols()[2].Prob = prob
		if got := Separated(p, identity(), []text.Line{l}, []*text.Reading{r})[0].Text(); got != want {
			t.Errorf("a blank at %.2f: %s, want %s", prob, got, want)
		}
	}
}
