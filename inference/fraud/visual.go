package fraud

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Print reads what is printed on a page outside its machine readable zone. Both stay the caller's.
type Print struct {
	Lines *text.Detector
	Words *text.LineReader
}

const (
	// A passport's page in the view in which its lines are found, and how far down its visual zone goes.
	pageWidth, pageHeight = 512, 360
	visualZone            = 0.74
	// maxVisual bounds the lines that are read: those that are as long, in heights, as numbers and dates are.
	maxVisual             = 10
	shortValue, longValue = 3.5, 11.0
	// sureLine is the confidence from which a line's text counts.
	sureLine = 0.5
)

// printed is one line of the visual zone that was read.
type printed struct {
	text       string // upper case
	confidence float64
}

// mismatch scores a passport whose printed number or birth date is another one than that of its machine readable zone:
// by how sure the two readings are. What cannot be read, or is not found, says nothing; names are not compared.
func (p Print) mismatch(ctx context.Context, picture *appliance.Picture, doc *appliance.Document) (float64, error) {
	lines, err := p.read(ctx, picture, doc.Quad)
	if err != nil {
		return 0, fmt.Errorf("read visual zone: %w", err)
	}
	number, birth, expiry := doc.Field("passport_no"), doc.Field("Date_of_Birth"), doc.Field("Date_of_Expiry")
	score := otherNumber(lines, number.Value) * number.Confidence
	return max(score, otherBirth(lines, birth.Value, expiry.Value)*birth.Confidence), nil
}

// read reads the lines of the visual zone that may be a number or a date.
func (p Print) read(ctx context.Context, picture *appliance.Picture, q appliance.Quad) ([]printed, error) {
	h, ok := vision.RectToQuad(pageWidth, pageHeight, q)
	if !ok {
		return nil, nil
	}
	luma := vision.Luma(picture)
	m, err := p.Lines.DetectIn(ctx, luma, h, pageWidth, pageHeight)
	if err != nil {
		return nil, err
	}
	lines := slices.DeleteFunc(m.Lines(), func(l text.Line) bool {
		slim := l.Length() / max(l.Height, 1)
		return max(l.Start.Y, l.End.Y) > visualZone*pageHeight || slim < shortValue || slim > longValue
	})
	// Values are larger than their labels.
	slices.SortStableFunc(lines, func(a, b text.Line) int { return cmp.Compare(b.Height, a.Height) })
	var out []printed
	for _, l := range lines[:min(len(lines), maxVisual)] {
		r, err := p.Words.ReadIn(ctx, luma, h, l)
		if err != nil {
			return nil, err
		}
		out = append(out, printed{strings.ToUpper(r.Text()), r.Confidence()})
	}
	return out, nil
}

// otherNumber returns how sure a line is that has the form of the number, sign for sign a letter or a digit, and mostly its
// signs, but is another one; 0 where a line is the number itself.
func otherNumber(lines []printed, number string) (sure float64) {
	if len(number) < 6 {
		return 0
	}
	for _, l := range lines {
		for _, word := range strings.Fields(l.text) {
			if word == number {
				return 0
			}
			if same := alike(word, number); l.confidence >= sureLine && 2*same > len(number) {
				sure = max(sure, l.confidence)
			}
		}
	}
	return sure
}

// alike counts the positions at which two words of one form hold the same sign; 0 where the forms differ.
func alike(a, b string) (same int) {
	if len(a) != len(b) {
		return 0
	}
	for i := range len(a) {
		if (a[i] <= '9') != (b[i] <= '9') {
			return 0
		}
		if a[i] == b[i] {
			same++
		}
	}
	return same
}

// day is a printed date; the year has two digits.
type day struct{ day, month, year int }

// days returns the dates in a line of print: 05/03/1987, 5 MAR 87 and the like.
func days(line string) (out []day) {
	const months = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	form := regexp.MustCompile(`\b(\d{1,2})[ ./-]+(\d{1,2}|[A-Z]{3})[A-Z/]*[ ./-]+(\d{4}|\d{2})\b`)
	for _, m := range form.FindAllStringSubmatch(line, -1) {
		d := day{}
		d.day, _ = strconv.Atoi(m[1])
		d.year, _ = strconv.Atoi(m[3])
		d.year %= 100
		if i := strings.Index(months, m[2]); len(m[2]) == 3 && i >= 0 && i%3 == 0 {
			d.month = i/3 + 1
		} else {
			d.month, _ = strconv.Atoi(m[2])
		}
		if d.day >= 1 && d.day <= 31 && d.month >= 1 && d.month <= 12 {
			out = append(out, d)
		}
	}
	return out
}

// isoDay is a date of a field, YYYY-MM-DD; ok is false for none.
func isoDay(value string) (d day, ok bool) {
	n, err := fmt.Sscanf(value, "%d-%d-%d", &d.year, &d.month, &d.day)
	d.year %= 100
	return d, err == nil && n == 3
}

// otherBirth returns how sure a line is whose date has two of the three parts of the birth date but is another one, and
// not the expiry date; 0 where a line is the birth date itself.
func otherBirth(lines []printed, birth, expiry string) (sure float64) {
	want, ok := isoDay(birth)
	end, _ := isoDay(expiry)
	if !ok {
		return 0
	}
	for _, l := range lines {
		for _, d := range days(l.text) {
			parts := 0
			for _, same := range [3]bool{d.day == want.day, d.month == want.month, d.year == want.year} {
				if same {
					parts++
				}
			}
			switch {
			case parts == 3:
				return 0
			case parts == 2 && d != end && l.confidence >= sureLine:
				sure = max(sure, l.confidence)
			}
		}
	}
	return sure
}
