package general

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
)

// newReader opens the product's own networks.
func newReader(t testing.TB) *Reader {
	letters, err := text.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	return NewReader(texttest.Detector(t), texttest.Lines(t, "text"), texttest.Lines(t, "text_general"), texttest.Numbers(t), letters)
}

// notice is a drawn notice and what stands on it. Its first line is more than three windows of the recogniser long.
func notice(t testing.TB) (*appliance.Picture, []string) {
	b, err := os.ReadFile("testdata/notice.jpg")
	if err != nil {
		t.Fatal(err)
	}
	p, err := decode.Decoder{MaxBytes: 1 << 20, MaxPixels: 1 << 20, MinSide: 64}.Decode(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return p, []string{
		"تعلن إدارة المرور عن فتح باب التقديم لتجديد رخص القيادة ابتداء من يوم السبت القادم في جميع الوحدات",
		"على السادة المواطنين إحضار صورة البطاقة الشخصية وسداد الرسوم المقررة بمبلغ ٢٧٥ جنيها مصريا",
		"تبدأ المواعيد من الساعة ٩ صباحا حتى الساعة ٢ ظهرا عدا يوم الجمعة",
		"For questions please call the service desk before noon on 2468",
	}
}

// turnedBy returns a picture turned clockwise by an angle about its middle, on a sheet that holds it.
func turnedBy(p *appliance.Picture, degrees float64) *appliance.Picture {
	sheet := pageOf(vision.Luma(p), -degrees*math.Pi/180)
	out := &appliance.Picture{Width: int(math.Round(sheet.w)), Height: int(math.Round(sheet.hgt))}
	out.Y = make([]byte, out.Width*out.Height)
	vision.Warp(vision.Luma(p), sheet.h, out.Width, out.Height, out.Y)
	return out
}

// distance is the edit distance of two texts.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// checkLines fails a test where the lines are not as many as wanted, or more than 8 % of their characters are wrong; false where they are not as many.
func checkLines(t *testing.T, name string, lines []appliance.Line, want []string) bool {
	t.Helper()
	if len(lines) != len(want) {
		t.Errorf("%s: %d lines: %v", name, len(lines), lines)
		return false
	}
	wrong, all := 0, 0
	for i, l := range lines {
		wrong, all = wrong+distance([]rune(want[i]), []rune(l.Text)), all+len([]rune(want[i]))
	}
	t.Logf("%s: %d characters of %d wrong", name, wrong, all)
	if wrong > all*8/100 {
		t.Errorf("%s: %d characters of %d wrong: %v", name, wrong, all, lines)
	}
	return true
}

// Property: the notice is read line by line, in order, whatever way the picture is turned, and each line's place in the
// picture is where it is printed.
func TestGeneral(t *testing.T) {
	g := newReader(t)
	p, want := notice(t)
	for _, degrees := range []float64{0, 6, 90, 180, 270} {
		turned := turnedBy(p, degrees)
		reading, err := g.Read(t.Context(), turned, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !checkLines(t, fmt.Sprintf("turned by %v", degrees), reading.Lines, want) {
			continue
		}
		for i, l := range reading.Lines {
			if !(l.Confidence > 0.5 && l.Confidence <= 1) {
				t.Errorf("turned by %v, line %d: confidence %v", degrees, i, l.Confidence)
			}
		}
		// The first line begins at the top right of the notice, 40 pixels from its right edge and 80 from the top.
		sheet := pageOf(vision.Luma(p), -degrees*math.Pi/180)
		back, _ := sheet.h.Inverse()
		corner, at := reading.Lines[0].Quad[2], back.Apply(appliance.Point{X: float64(p.Width) - 40, Y: 80})
		if d := math.Hypot(corner.X-at.X, corner.Y-at.Y); d > 20 {
			t.Errorf("turned by %v: the first line ends at %v, printed %v", degrees, corner, at)
		}
	}
}

// Property: print is read alike where it is light on dark, on the whole page, whatever way it is turned, or in a band of it.
func TestGeneralLightOnDark(t *testing.T) {
	g := newReader(t)
	p, want := notice(t)
	inverted := func(from, to int, degrees float64) *appliance.Picture {
		out := &appliance.Picture{Width: p.Width, Height: p.Height, Y: slices.Clone(p.Y)}
		for i := from * p.Width; i < to*p.Width; i++ {
			out.Y[i] = 255 - out.Y[i]
		}
		if degrees == 0 {
			return out
		}
		return turnedBy(out, degrees)
	}
	for name, test := range map[string]*appliance.Picture{
		"page": inverted(0, p.Height, 0), "page, turned": inverted(0, p.Height, 90), "upper half": inverted(0, p.Height/2, 0), "lower half": inverted(p.Height/2, p.Height, 180),
	} {
		reading, err := g.Read(t.Context(), test, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, name, reading.Lines, want)
	}
}

// Property: pictures without text give no lines, quietly: paper, darkness, noise, a thumbnail.
func TestGeneralWithoutPrint(t *testing.T) {
	g := newReader(t)
	rng := rand.New(rand.NewPCG(2, 2))
	grey := func(w, h int, level func() byte) *appliance.Picture {
		p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
		for i := range p.Y {
			p.Y[i] = level()
		}
		return p
	}
	for name, p := range map[string]*appliance.Picture{
		"paper":     grey(1200, 900, func() byte { return 250 }),
		"dark":      grey(900, 1200, func() byte { return 3 }),
		"noise":     grey(1000, 800, func() byte { return byte(rng.IntN(256)) }),
		"thumbnail": grey(64, 64, func() byte { return 128 }),
		"strip":     grey(1200, 64, func() byte { return 200 }),
	} {
		reading, err := g.Read(t.Context(), p, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		letters := 0
		for _, l := range reading.Lines {
			letters += len([]rune(l.Text))
		}
		if letters > 0 {
			t.Errorf("%s: read %v", name, reading.Lines)
		}
	}
}

// Property: a picture of a single line, cut close, is read as it is.
func TestGeneralSoleLine(t *testing.T) {
	g := newReader(t)
	p, want := notice(t)
	cut := &appliance.Picture{Width: p.Width, Height: 70, Y: slices.Clone(p.Y[120*p.Width : 190*p.Width])}
	reading, err := g.Read(t.Context(), cut, nil)
	if err != nil || len(reading.Lines) != 1 {
		t.Fatalf("%v, %v", reading.Lines, err)
	}
	if got := reading.Lines[0].Text; distance([]rune(got), []rune(want[1])) > len([]rune(want[1]))/10 {
		t.Errorf("read %q, printed %q", got, want[1])
	}
	if n := len(strings.Fields(reading.Lines[0].Text)); n < 10 {
		t.Errorf("%d words", n)
	}
}

func BenchmarkGeneral(b *testing.B) {
	g := newReader(b)
	p, _ := notice(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Property: a row runs as most of its words do, and as the page where it has about as many of either script or none.
func TestRightToLeft(t *testing.T) {
	for printed, want := range map[string]struct{ onArabic, onLatin bool }{
		"هاتف: 0100 بريد: contact@example.com":          {true, false},
		"موقع www.example.com":                          {true, false},
		"يوم الثلاثاء بقاعة الواحة فقط Data Analysis":   {true, true},
		"The word قلم is Arabic for a pen, and common.": {false, false},
		"12/5/2020": {true, false},
		"":          {true, false},
	} {
		if got := (struct{ onArabic, onLatin bool }{rightToLeft(printed, true), rightToLeft(printed, false)}); got != want {
			t.Errorf("%q: %+v", printed, got)
		}
	}
}

// Property: dots and rings of an ornament are told from text; so are no numbers, lists or short words.
func TestRepeats(t *testing.T) {
	for printed, want := range map[string]bool{
		"@ @ 6 @@ @ @ 6": true, "٥ ٥ ه = = = = ٥": true, "o O o O o o": true,
		"": false, "٥": false, "10 20 30 40": false, "لا بد أن ما في": false, "1 2 3 4 5 6": false, "٢٠٢٠ ٢٠٢٠ ٢٠٢٠ ٢٠٢٠": false,
	} {
		if got := repeats(printed); got != want {
			t.Errorf("%q: %t", printed, got)
		}
	}
}

// Property: a page is turned by lines of words, of which some are among those looked at though all longer lines are boxes with digits, and
// by all lines where none is of words either way.
func TestLinesThatTurnAPage(t *testing.T) {
	line := func(length float64, said string) strand {
		symbols := printedSigns(said)
		return strand{Line: text.Line{End: appliance.Point{X: length}, Height: 10}, reading: new(text.Reading).With(symbols)}
	}
	var form []strand
	for range 20 {
		form = append(form, line(500, "[٧]٨]٦"))
	}
	for range 10 {
		form = append(form, line(100, "مقر"))
	}
	looked := telling(form)
	if len(looked) > 2*sampleLines || !slices.ContainsFunc(looked, strand.ofLetters) {
		t.Errorf("%d lines are looked at, none of words", len(looked))
	}
	digits, words := []strand{line(1, "٧٨"), line(1, "٦٦")}, []strand{line(1, "٨٧"), line(1, "مقر")}
	for name, test := range map[string]struct {
		upright, turned []strand
		want            int
	}{
		"words when turned": {digits, words, 1}, "words as it stands": {words, digits, 1}, "no words": {digits, digits, 2},
	} {
		if up, down := ofWords(test.upright, test.turned); len(up) != test.want || len(down) != test.want {
			t.Errorf("%s: %d and %d lines", name, len(up), len(down))
		}
	}
}
