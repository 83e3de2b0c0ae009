package passport

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
	"github.com/bawab/bawab/inference/line"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// manyPrinted bounds how many lines of a page are read for what its zone says. Pages in two scripts have up to 45; where six say what the
// zone does, ten to twenty are read before all is found.
const manyPrinted = 20

// pageMagnification is how near the page is looked at: at 1.0 one in five pages of another holder passed and a century was missed, at
// 1.75 nothing more was found for another 0.6 GMAC (25 drawn pages of five kinds, 27 November 2026).
const pageMagnification = 1.25

// nearMagnification is how near it is looked at again where that leaves a field in the dark.
const nearMagnification = 2

// pageLine is a line of the page above the zone that was read.
type pageLine struct {
	text.Line
	text       string // as printed
	upper      string
	confidence float64
	symbols    []text.Symbol
}

// sure is how surely a word of the line was read: print of another script beside it may be doubtful where the word is not.
func (l pageLine) sure(word string) float64 {
	runes, best := []rune(word), 0.0
	for i := range max(0, len(l.symbols)-len(runes)+1) {
		sure := 1.0
		for k, r := range runes {
			if s := l.symbols[i+k]; unicode.ToUpper(s.Rune) == r {
				sure *= s.Prob
			} else {
				sure = 0
			}
		}
		best = max(best, sure)
	}
	return max(best, l.confidence)
}

// Compare reads what is printed above the zone of a page and holds the fields against it: each gets the check "printed" where the print
// says anything of it, and 3309 where it says another thing. A birth date of two possible centuries gets that which is printed. Reading
// ends where all is confirmed. page is the document laid flat, or nil where its print is not to be read; detector finds its lines.
func Compare(ctx context.Context, detector *line.Detector, page *laid.Page, d *appliance.Document, z mrz.Reading) error {
	found := judged{}
	read, err := readPage(ctx, detector, page, z, &found)
	if err != nil {
		return fmt.Errorf("compare print: %w", err)
	}
	found.finish(read, z)
	found.write(d)
	doubtName(d, z, read)
	completeName(d, z, read)
	settleCentury(d, z.BirthDate.Other, found.birth)
	return nil
}

// readPage reads the lines of a passport's page until all that its zone says is confirmed. What is not confirmed at the first look is
// looked for from nearer, where letters and labels that stand alone are seen and lines are parted that lie close.
func readPage(ctx context.Context, detector *line.Detector, page *laid.Page, z mrz.Reading, found *judged) (read []pageLine, err error) {
	if page == nil {
		return nil, nil
	}
	for i, magnification := range [...]float64{pageMagnification, nearMagnification} {
		seen, err := detector.DetectAt(ctx, page.Dark, page.ToPicture, page.Width, zoneTop*page.Height, magnification)
		if err != nil {
			return nil, err
		}
		lines := slices.DeleteFunc(pageLines(seen.Lines()), func(l text.Line) bool { return isRead(l, read) })
		if read, err = readPrint(ctx, page, read, lines, manyPrinted*(i+1), z, found); err != nil {
			return nil, err
		}
		if found.complete(z) {
			return read, nil
		}
	}
	if read, err = readPrint(ctx, page, read, sexPlaces(read), manyPrinted, z, found); err != nil {
		return nil, err
	}
	for _, l := range joinedNumbers(read) {
		read = append(read, l)
		found.take(read, z)
	}
	return read, nil
}

// joinedNumbers are lines put together out of numbers and names of months that stand beside each other, as the parts of a date that blanks
// part: of a typewriter's the detector sees each for itself.
func joinedNumbers(read []pageLine) (joined []pageLine) {
	const gap, level = 2, 0.5 // heights
	parts := slices.DeleteFunc(slices.Clone(read), func(l pageLine) bool {
		word := strings.Trim(l.upper, "0123456789 ./-")
		return l.confidence < surePrint || word != "" && monthOf(word) == 0
	})
	slices.SortStableFunc(parts, func(a, b pageLine) int { return cmp.Compare(a.Start.X, b.Start.X) })
	for i, whole := range parts {
		for _, l := range parts[i+1:] {
			apart := l.Start.X - whole.End.X
			if apart <= 0 || apart > gap*l.Height || math.Abs(middleY(l)-middleY(whole)) > level*l.Height {
				continue
			}
			whole = pageLine{whole.Line, whole.text + " " + l.text, whole.upper + " " + l.upper, whole.confidence * l.confidence, nil}
			whole.End = l.End
			joined = append(joined, whole)
		}
	}
	return joined
}

// sexPlaces are the places of the letter of the sex that its label tells, below it and beside it: of a letter that stands alone the
// detector sees little. None where such a letter was read.
func sexPlaces(read []pageLine) (places []text.Line) {
	const near = 2.5 // heights
	var heights, starts []float64
	for _, l := range read {
		if sex, sure := sexIn(l); sex != "" && sure >= surePrint {
			return nil
		}
		if len(datesIn(l.upper)) > 0 {
			heights, starts = append(heights, l.Height), append(starts, l.Start.X)
		}
	}
	i := slices.IndexFunc(read, func(l pageLine) bool { return holdsWord(l, "SEX", "SEXE") && l.Length() <= shortNation*l.Height })
	if i < 0 || len(heights) == 0 {
		return nil
	}
	slices.Sort(heights)
	label, height := read[i], heights[len(heights)/2]
	at := func(x, y float64) {
		end := appliance.Point{X: x + shortLine*height, Y: y}
		places = append(places, text.Line{Start: appliance.Point{X: x, Y: y}, End: end, Height: height})
	}
	for _, l := range read {
		if dy := middleY(l) - middleY(label); dy > height/2 && dy < near*height && l.Height > height*2/3 {
			at(label.Start.X, middleY(l))
			break
		}
	}
	at(label.Start.X, middleY(label)+height)
	if x := slices.Max(starts); x > label.End.X {
		at(x, middleY(label))
	}
	return places
}

// readPrint reads lines of a page, so many at most, in their order, until all that the zone says is confirmed. Those that stand with
// labels or with Arabic come last.
func readPrint(
	ctx context.Context, page *laid.Page, read []pageLine, lines []text.Line, most int, z mrz.Reading, found *judged,
) ([]pageLine, error) {
	for n := 0; n < most && len(lines) > 0 && !found.complete(z); n++ {
		i := max(0, slices.IndexFunc(lines, func(l text.Line) bool { return !besideArabic(l, read) && !besideLabels(l, read) }))
		l := lines[i]
		lines = slices.Delete(lines, i, i+1)
		if found.settled(z) && l.Length() > found.longest(z)*l.Height {
			continue // shorter values are left to be found, and their labels
		}
		seen, err := readPrinted(ctx, page, l)
		if err == nil && l.Length() < l.Height && found.fields["gender"].same == 0 {
			seen, err = readLetter(ctx, page, l, seen)
		}
		if err != nil {
			return nil, err
		}
		read = append(read, pageLine{l, seen.Text(), strings.ToUpper(seen.Text()), seen.Confidence(), seen.Symbols()})
		found.take(read, z)
	}
	return read, nil
}

// hardlyInk is the confidence under which a reading shows next to nothing.
const hardlyInk = 0.3

// readPrinted reads a line, in other heights too where it is doubtful, and in some further off where that shows next to nothing: of heavy
// print close to other lines the detector sees half of the height, of letters that hang low too much.
func readPrinted(ctx context.Context, page *laid.Page, l text.Line) (*text.Reading, error) {
	seen, err := page.ReadLine(ctx, l, 0)
	if err == nil {
		err = seen.LookAgain(ctx)
	}
	for _, height := range [...]float64{1.42, 0.72} {
		if err != nil || seen.Confidence() >= hardlyInk {
			break
		}
		err = seen.Look(ctx, height)
	}
	if err != nil {
		return nil, err
	}
	return seen.Reading(), nil
}

// readLetter reads what may be a letter that stands alone, of which the detector sees one stroke: with room at its sides, and higher up or
// lower down. The surest reading counts, that of the letter of a sex before others: of its stroke alone digits are made.
func readLetter(ctx context.Context, page *laid.Page, l text.Line, best *text.Reading) (*text.Reading, error) {
	const room, off, higher = 0.8, 0.4, 1.07 // heights
	for _, down := range []float64{0, -off, off} {
		wide := l
		middle, y := (l.Start.X+l.End.X)/2, (l.Start.Y+l.End.Y)/2+down*l.Height
		wide.Start, wide.End, wide.Sag = appliance.Point{X: middle - room*l.Height, Y: y}, appliance.Point{X: middle + room*l.Height, Y: y}, 0
		wide.Height *= higher
		w, err := page.Words(ctx, wide)
		if err != nil {
			return best, err
		}
		sex := (w.Text() == "M" || w.Text() == "F") && w.Confidence() >= surePrint
		if sex || w.Confidence() > best.Confidence() {
			best = w
		}
		if sex {
			break
		}
	}
	return best, nil
}

// isRead reports whether a line was read surely when the page was looked at from further off.
func isRead(l text.Line, read []pageLine) bool {
	const level, covered = 0.5, 0.7
	return slices.ContainsFunc(read, func(r pageLine) bool {
		common := min(l.End.X, r.End.X) - max(l.Start.X, r.Start.X)
		return r.confidence >= surePrint && math.Abs(middleY(r)-(l.Start.Y+l.End.Y)/2) < level*max(l.Height, r.Height) &&
			common > covered*max(l.End.X-l.Start.X, r.End.X-r.Start.X)
	})
}

// besideArabic reports whether a line ends where one does that turned out to be Arabic: they make up a column of their own.
func besideArabic(l text.Line, read []pageLine) bool {
	return slices.ContainsFunc(read, func(r pageLine) bool {
		return math.Abs(r.End.X-l.End.X) < l.Height/2 && strings.ContainsFunc(r.text, func(c rune) bool { return unicode.Is(unicode.Arabic, c) })
	})
}

// besideLabels reports whether a line begins where a label does and no value: values stand in another column then.
func besideLabels(l text.Line, read []pageLine) bool {
	labels := 0
	for _, r := range read {
		if math.Abs(r.Start.X-l.Start.X) >= max(r.Height, l.Height)/2 || r.confidence < surePrint {
			continue
		}
		if r.text == r.upper {
			return false
		}
		labels++
	}
	return labels > 0
}

// longest is how long, in heights, the values are at the most that are left to be found once all others are confirmed.
func (j *judged) longest(z mrz.Reading) float64 {
	if j.fields["nationality"].same == 0 && demonymsOf(z.Nationality.Value) != nil {
		return shortNation
	}
	return shortLine
}

// shortLine is the length, in heights, up to which a line may be a letter or a word of the sex, or the word before it.
const shortLine = 4.5

// shortNation is how long most nationalities are, and their label in two languages.
const shortNation = 14

// pageLines are the lines above the zone, all running as the zone does, since that tells which way up the page is. Those as long as
// numbers, dates and names come first, the higher before the lower: values are larger than their labels.
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
	return out
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
	if n := z.DocumentNumber.Value; n != "" && slices.Contains(numbersIn(l), n) {
		j.confirm("passport_no", l.sure(n))
	}
	for _, p := range datesIn(l.upper) {
		sure := l.sure(p.text)
		if p.is(z.BirthDate.Value) {
			j.confirm("Date_of_Birth", sure)
			if sure >= surePrint && p.full() && !j.birth.full() {
				j.birth = p
			}
		}
		if p.is(z.ExpiryDate.Value) {
			j.confirm("Date_of_Expiry", sure)
		}
	}
	if allAlike(z.Name(), read) {
		j.confirm("name", l.confidence)
	}
	if sex, sure := sexIn(l); sex != "" && sex == z.Sex.Value && sure >= surePrint {
		j.confirm("gender", sure)
	}
	if sure := sameNation(read, z.Nationality.Value); sure > 0 {
		j.confirm("nationality", sure)
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

// complete reports whether the sex is confirmed as well, and the nationality of a state whose word for it is known.
func (j *judged) complete(z mrz.Reading) bool {
	sex := z.Sex.Value != "M" && z.Sex.Value != "F" || j.fields["gender"].same > 0
	return sex && j.settled(z) && (j.fields["nationality"].same > 0 || demonymsOf(z.Nationality.Value) == nil)
}

// finish looks for what says another thing of the fields that no line confirms.
func (j *judged) finish(read []pageLine, z mrz.Reading) {
	for field, other := range map[string]func() float64{
		"passport_no":    func() float64 { return otherNumber(read, z.DocumentNumber.Value) },
		"Date_of_Birth":  func() float64 { return otherBirth(read, z) },
		"Date_of_Expiry": func() float64 { return otherExpiry(read, z, j.fields["Date_of_Birth"].same > 0) },
		"name":           func() float64 { return max(otherName(read, z), besideName(read, z)) },
		"gender":         func() float64 { return otherSex(read, z.Sex.Value) },
		"nationality":    func() float64 { return otherNation(read, z.Nationality.Value) },
	} {
		if j.fields[field].same == 0 {
			j.deny(field, other())
		}
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
