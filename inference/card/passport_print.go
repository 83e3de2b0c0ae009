package card

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// manyPrinted bounds how many lines of a page are read for what its zone says. Pages in two scripts have up to 45; where six say what the
// zone does, ten to twenty are read before all is found.
const manyPrinted = 20

// pageMagnification is how near the page is looked at: at 1.0 one in five pages of another holder passed and a century was missed, at
// 1.75 nothing more was found for another 0.6 GMAC (25 drawn pages of five kinds, 27 November 2026).
const pageMagnification = 1.25

// pageLine is a line of the page above the zone that was read.
type pageLine struct {
	text.Line
	text       string // as printed
	upper      string
	confidence float64
}

// comparePrint reads what is printed above the zone and holds the fields against it: each gets the check "printed" where the print says
// anything of it, and 3309 where it says another thing. A birth date of two possible centuries gets that which is printed. Reading ends
// where all is confirmed.
func (r *Reader) comparePrint(ctx context.Context, s *scene, d *appliance.Document, z mrz.Reading) error {
	found := judged{}
	read, err := r.readPage(ctx, s, d, z, &found)
	if err != nil {
		return fmt.Errorf("compare print: %w", err)
	}
	found.finish(read, z)
	found.write(d)
	completeName(d, z, read)
	settleCentury(d, z.BirthDate.Other, found.birth)
	return nil
}

// readPage reads the lines of a passport's page until all that its zone says is confirmed; none of other documents, of which the zone
// does not tell where they are printed.
func (r *Reader) readPage(ctx context.Context, s *scene, d *appliance.Document, z mrz.Reading, found *judged) (read []pageLine, err error) {
	toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, d.Quad)
	if d.Kind != appliance.Passport || r.Words == nil || r.Detector == nil || !ok {
		return nil, nil
	}
	seen, err := r.Detector.DetectAt(ctx, s.luma, toPicture, viewWidth, zoneTop*viewHeight, pageMagnification)
	if err != nil {
		return nil, err
	}
	page, lines := r.sheet(s, toPicture, nil), pageLines(seen.Lines())
	for len(lines) > 0 && len(read) < manyPrinted {
		i := max(0, slices.IndexFunc(lines, func(l text.Line) bool { return !besideArabic(l, read) }))
		l := lines[i]
		lines = slices.Delete(lines, i, i+1)
		if found.settled(z) && l.Length() > shortLine*l.Height {
			continue // the letter of the sex is left to be found, and its label
		}
		w, err := page.readWords(ctx, row{{l}})
		if err != nil {
			return nil, err
		}
		read = append(read, pageLine{l, w.text, strings.ToUpper(w.text), w.confidence})
		if found.take(read, z); found.settled(z) && found.fields["gender"].same > 0 {
			break
		}
	}
	return read, nil
}

// besideArabic reports whether a line ends where two lines do that turned out to be Arabic: they make up a column of their own.
func besideArabic(l text.Line, read []pageLine) bool {
	n := 0
	for _, r := range read {
		if math.Abs(r.End.X-l.End.X) < l.Height/2 && strings.ContainsFunc(r.text, func(c rune) bool { return unicode.Is(unicode.Arabic, c) }) {
			n++
		}
	}
	return n >= 2
}

// shortLine is the length, in heights, up to which a line may be a single letter or the word before it.
const shortLine = 3

// pageLines are the lines above the zone, all running as the zone does, since that tells which way up the page is. Those as long as numbers,
// dates and names come first, the higher before the lower: values are larger than their labels.
func pageLines(lines []text.Line) []text.Line {
	const shortValue, longValue = 3.5, 14 // heights
	var out []text.Line
	for _, l := range lines {
		if l.End.X < l.Start.X {
			l.Start, l.End, l.Sag = l.End, l.Start, -l.Sag
		}
		out = append(out, l)
	}
	value := func(l text.Line) int {
		if slim := l.Length() / max(l.Height, 1); slim >= shortValue && slim <= longValue {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b text.Line) int { return cmp.Or(value(a)-value(b), cmp.Compare(b.Height, a.Height)) })
	return out[:min(len(out), manyPrinted)]
}

// verdict is what the print says of one field: how sure it is that it says the same, or another thing; both 0 where it says nothing.
type verdict struct{ same, other float64 }

// judged holds what the print says of each field, by its name in the model, and the printed birth date that agrees with the zone's.
type judged struct {
	fields map[string]verdict
	birth  pageDate
}

// confirm records a line that says what the zone says.
func (j *judged) confirm(field string, sure float64) {
	if j.fields == nil {
		j.fields = map[string]verdict{}
	}
	v := j.fields[field]
	v.same = max(v.same, sure)
	j.fields[field] = v
}

// deny records what says another thing.
func (j *judged) deny(field string, sure float64) {
	if j.fields == nil {
		j.fields = map[string]verdict{}
	}
	v := j.fields[field]
	v.other = max(v.other, sure)
	j.fields[field] = v
}

// take looks in the last of the lines that were read for what the zone says.
func (j *judged) take(read []pageLine, z mrz.Reading) {
	l := read[len(read)-1]
	for _, word := range strings.Fields(l.upper) {
		if n := z.DocumentNumber.Value; n != "" && strings.Trim(word, ".,:;<>()") == n {
			j.confirm("passport_no", l.confidence)
		}
	}
	for _, p := range datesIn(l.upper) {
		if p.is(z.BirthDate.Value) {
			j.confirm("Date_of_Birth", l.confidence)
			if l.confidence >= surePrint && p.full() && !j.birth.full() {
				j.birth = p
			}
		}
		if p.is(z.ExpiryDate.Value) {
			j.confirm("Date_of_Expiry", l.confidence)
		}
	}
	if allAlike(z.Name(), read) {
		j.confirm("name", l.confidence)
	}
	if sex := soleLetter(l); sex != "" && sex == z.Sex.Value && l.confidence >= surePrint {
		j.confirm("gender", l.confidence)
	}
	j.takeNation(l, z)
}

// takeNation holds what a line says of the nationality against the zone.
func (j *judged) takeNation(l pageLine, z mrz.Reading) {
	if l.confidence < surePrint {
		return
	}
	for _, word := range strings.Fields(l.upper) {
		egyptian := strings.HasPrefix(word, "EGYPTIAN")
		switch {
		case word == z.Nationality.Value && len(word) == 3, egyptian && z.Nationality.Value == "EGY":
			j.confirm("nationality", l.confidence)
		case egyptian && z.Nationality.Value != "":
			j.deny("nationality", l.confidence)
		}
	}
}

// settled reports whether all but the sex is confirmed, and what the print must decide is decided.
func (j *judged) settled(z mrz.Reading) bool {
	for field, value := range map[string]string{
		"passport_no": z.DocumentNumber.Value, "Date_of_Birth": z.BirthDate.Value, "Date_of_Expiry": z.ExpiryDate.Value, "name": z.Name(),
	} {
		if value != "" && j.fields[field].same < surePrint {
			return false
		}
	}
	return !z.NameTruncated && (z.BirthDate.Other == "" || j.birth.full())
}

// finish looks for what says another thing of the fields that no line confirms.
func (j *judged) finish(read []pageLine, z mrz.Reading) {
	if j.fields["passport_no"].same == 0 {
		j.deny("passport_no", otherNumber(read, z.DocumentNumber.Value))
	}
	if j.fields["Date_of_Birth"].same == 0 {
		j.deny("Date_of_Birth", otherBirth(read, z))
	}
	if j.fields["Date_of_Expiry"].same == 0 {
		j.deny("Date_of_Expiry", otherExpiry(read, z))
	}
	if j.fields["name"].same == 0 {
		j.deny("name", otherName(read, z.Name()))
	}
	if j.fields["gender"].same == 0 {
		j.deny("gender", otherSex(read, z.Sex.Value))
	}
}

// write adds the checks and 3309 to a document, and how strongly print and zone disagree.
func (j *judged) write(d *appliance.Document) {
	for i := range d.Fields {
		f := &d.Fields[i]
		switch v := j.fields[f.Name]; {
		case f.Value == "":
		case v.same > 0:
			f.Checks = append(f.Checks, appliance.FieldCheck{Name: appliance.PrintedCheck, Passed: true})
		case v.other > 0:
			f.Checks = append(f.Checks, appliance.FieldCheck{Name: appliance.PrintedCheck})
			d.Flag(f.Name, f.Value, appliance.CodePrintDiffers)
			d.Mismatch = max(d.Mismatch, v.other*weightOf(f.Name)*f.Confidence)
		}
	}
}

// weightOf is how much another value of a field counts as a sign of fraud. Names are spelled in more ways than one, and a single letter is
// too little: these ask a person to compare.
func weightOf(field string) float64 {
	switch field {
	case "passport_no", "Date_of_Birth", "Date_of_Expiry":
		return 1
	}
	return 0.5
}
