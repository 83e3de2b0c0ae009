package card

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// entry is one line of words with its place.
type entry struct {
	row
	script
}

// dropScraps leaves out the pieces of a line that are a stain or a pattern where others are text, and reports whether there were any.
func (e *entry) dropScraps() bool {
	var kept row
	var parts []script
	for i, part := range e.parts {
		if part.confidence >= scrap {
			kept, parts = append(kept, e.row[i]), append(parts, part)
		}
	}
	if len(kept) == 0 || len(kept) == len(e.row) {
		return false
	}
	e.row, e.script = kept, script{parts: parts}
	e.join()
	return true
}

// datedNumber is the row that holds the national number and, left of it, a date.
type datedNumber struct {
	numberRow, dateRow row
	number, date       figures
	// line and dateLine are what was read as number and date.
	line, dateLine text.Line
}

// scrap is the confidence under which a line is a stain or a pattern rather than text.
const scrap = 1e-6

// certain is how sure the network must be of the count of digits for the row to count as taken apart: beyond even odds.
const certain = -0.69

// readNumberRow takes the row of the national number apart and reads it. How the detector saw the row differs: the number
// may be in several pieces, because it is printed in groups, the date may hang together with it, and single digits that
// stand apart may be missing at its ends.
func (s *sheet) readNumberRow(ctx context.Context, r row) (best datedNumber, err error) {
	most := math.Inf(-1)
	for _, room := range []float64{1, 3} {
		for _, i := range splits(r) {
			d, err := s.readSplit(ctx, r[:i], r[i:], room)
			if err != nil {
				return best, err
			}
			if v := d.merit(); v > most {
				best, most = d, v
			}
			if most > certain {
				return best, nil
			}
		}
	}
	if len(r) > 1 {
		d, err := s.readBeforeDate(ctx, r)
		if err != nil {
			return best, err
		}
		if d.merit() > max(most, certain) {
			return d, nil
		}
	}
	if r.whole().slim() < severalParts {
		return best, nil
	}
	d, err := s.readAmongWords(ctx, r)
	if err == nil && d.number != nil && d.number.LogLength(egypt.NumberLength) > max(most, certain) {
		return d, nil
	}
	return best, err
}

// severalParts is how many heights long a row is at least that holds labels beside a number.
const severalParts = 14

// readAmongWords reads a row in which labels stand between the number and the date; no number where it has none of about as many digits.
func (s *sheet) readAmongWords(ctx context.Context, r row) (d datedNumber, err error) {
	w, err := s.readWords(ctx, r)
	if err != nil {
		return d, err
	}
	for i, part := range w.parts {
		for _, n := range numbersOf(wordsOf(part)) {
			l := cut(r[i].Line, n.start, n.end)
			switch {
			case strings.ContainsAny(n.text, printedSeparators):
				d.dateRow, d.dateLine = row{{l}}, l
			case digitsIn(n.text) >= fewestDigits && digitsIn(n.text) <= egypt.NumberLength+2:
				d.numberRow, d.line = row{{l}}, l
			}
		}
	}
	if len(d.numberRow) == 0 {
		return d, nil
	}
	if d.number, err = s.digits(ctx, d.line); err == nil && len(d.dateRow) > 0 {
		d.date, err = s.digits(ctx, d.dateLine)
	}
	return d, err
}

// numbersOf are the stretches of words, given from right to left, that hold digits and no letters, a whole date by itself; each reaches half of the way to its neighbours.
func numbersOf(words []word) (out []word) {
	dated := func(w word) bool { return wholeDate.MatchString(w.text) }
	for i := 0; i < len(words); {
		n := i
		for n < len(words) && anyDigit(words[n].text) && !strings.ContainsFunc(words[n].text, unicode.IsLetter) && (n == i || !dated(words[n-1]) && !dated(words[n])) {
			n++
		}
		if n > i {
			number := word{start: words[n-1].start, end: words[i].end}
			for _, w := range words[i:n] {
				number.text += w.text
			}
			if n < len(words) {
				number.start = (number.start + words[n].end) / 2
			}
			if i > 0 {
				number.end = (number.end + words[i-1].start) / 2
			}
			out = append(out, number)
		}
		i = max(n, i+1)
	}
	return out
}

// readBeforeDate reads a row whose date stands right of the number; no number where none does.
func (s *sheet) readBeforeDate(ctx context.Context, r row) (d datedNumber, err error) {
	last := len(r) - 1
	d.numberRow, d.dateRow, d.dateLine = r[:last], r[last:], r[last].Line
	if d.numberRow.whole().slim() < leastSlim || r[last].slim() < 2.5 {
		return d, nil
	}
	if d.date, err = s.digits(ctx, d.dateLine); err != nil || !strings.ContainsAny(d.date.Text(), dateSeparators) {
		return d, err
	}
	d.line = d.numberRow.widened(0, r[last].Start.X-0.5*r[last].Height, 1)
	d.number, err = s.digits(ctx, d.line)
	return d, err
}

// splits returns how many of the left pieces of a row may be the date, the likeliest count first: those up to the widest
// gap. The rest is the number and never empty.
func splits(r row) []int {
	type split struct {
		at  int
		gap float64
	}
	all := []split{{0, 0}}
	for i := 1; i < len(r); i++ {
		gap := r[i-1].gap(r[i])
		// Digits of a number are of one size, those of the date beside it are mostly smaller.
		if a, b := r[:i].height(), r[i:].height(); max(a, b) > 1.25*min(a, b) {
			gap += 4
		}
		if d := r[:i].whole().slim(); d < 2 || d > 12 {
			gap -= 6
		}
		all = append(all, split{i, gap})
	}
	slices.SortStableFunc(all, func(a, b split) int { return cmp.Compare(b.gap, a.gap) })
	var out []int
	for _, c := range all[:min(len(all), 4)] {
		out = append(out, c.at)
	}
	return out
}

// merit is the log-probability that the split is right, as far as counts of digits tell. A line too short for any number was not kept.
func (d datedNumber) merit() float64 {
	if d.number == nil {
		return math.Inf(-1)
	}
	m := d.number.LogLength(egypt.NumberLength)
	if d.date != nil {
		if !slices.Contains(dateDigits(d.date), count(d.date)) {
			m -= 2
		}
	}
	return m
}

// Digits in a date without a day and in one with a day.
const (
	monthDigits = 6
	dayDigits   = 8
)

// dateDigits are how many digits the date beside a number may have, of which f was read: one less than a year and a month have where the month has no leading zero.
func dateDigits(f figures) []int {
	if shortMonth.MatchString(f.Text()) {
		return []int{monthDigits - 1, monthDigits}
	}
	return []int{monthDigits, dayDigits}
}

var shortMonth = regexp.MustCompile(`^\pN{4}[/-]\pN$`)

// readSplit reads a date and a number; where the number's line shows a date, too, it is cut off first. room is how many
// heights at least are looked at beyond the ends of the number.
func (s *sheet) readSplit(ctx context.Context, date, number row, room float64) (d datedNumber, err error) {
	d.dateRow, d.numberRow = date, number
	left := 0.0
	if len(date) > 0 {
		left = date.whole().End.X + 0.5*number.height()
	}
	l := number.widened(left, viewWidth, room)
	if d.number, err = s.digits(ctx, l); err != nil {
		return d, err
	}
	d.line = l
	if len(date) == 0 {
		share, ok := endOfDate(d.number)
		if !ok {
			return d, nil
		}
		d.dateRow, d.numberRow = row{{cut(l, 0, share)}}, row{{cut(l, share, 1)}}
		d.line = d.numberRow[0].Line
		if d.number, err = s.digits(ctx, d.line); err != nil {
			return d, err
		}
	}
	d.dateLine = d.dateRow.reaching(0, d.numberRow.left()*viewWidth-number.height())
	d.date, err = s.digits(ctx, d.dateLine)
	return d, err
}

// endOfDate finds a date at the left end of digits and where it ends, as a share of the line: one or two digits after its last
// separator, in the middle of the wider gap, or after a year, if the digits of a national number are left.
func endOfDate(f figures) (share float64, ok bool) {
	last, signs := strings.LastIndexAny(f.Text(), dateSeparators), f.Symbols()
	if last > 0 && len(signs) == last+1+yearLength+egypt.NumberLength {
		return (signs[last+yearLength].End + signs[last+yearLength+1].Start) / 2, true
	}
	if last < 4 || last+3 >= len(signs) {
		return 0, false
	}
	one, two := signs[last+1:last+3], signs[last+2:last+4]
	if one[1].Start-one[0].End > 1.5*(two[1].Start-two[0].End) {
		two = one
	}
	return (two[0].End + two[1].Start) / 2, true
}

// yearLength is how many digits a year has.
const yearLength = 4

// numberRowOf picks the row that most looks like a national number among those whose height on the card lies within
// bounds, and reads it. It tries the longest rows first, and takes the first that surely has the right count of digits; where hardly
// any has, rows beyond the bounds are tried, too, but not in a mirror, where no card is read in the end. at is -1 where none looks like a number at all.
func (s *sheet) numberRowOf(ctx context.Context, top, bottom float64) (best datedNumber, at int, err error) {
	var candidates, others []int
	for i, r := range s.rows {
		if y := r.y(); y >= top && y <= bottom {
			candidates = append(candidates, i)
		} else if r.whole().slim() >= leastSlim {
			others = append(others, i)
		}
	}
	longest := func(rows []int, most int) []int {
		slices.SortStableFunc(rows, func(a, b int) int {
			x, y := s.rows[a], s.rows[b]
			return cmp.Compare(y.right()-y.left(), x.right()-x.left())
		})
		return rows[:min(len(rows), most)]
	}
	candidates, others = longest(candidates, 5), longest(others, 6)
	at, most := -1, math.Inf(-1)
	for _, look := range []struct {
		read      func(context.Context, row) (datedNumber, error)
		rows      []int
		elsewhere bool
	}{{s.readNumberRow, candidates, false}, {s.readStretched, candidates, false}, {s.readElsewhere, others, true}, {s.readSpelled, candidates, true}} {
		if look.elsewhere && s.mirrored {
			break
		}
		for _, i := range look.rows {
			d, err := look.read(ctx, s.rows[i])
			if err != nil {
				return best, at, err
			}
			v := d.merit()
			if v <= most || !likeNumber(d.number) {
				continue
			}
			if count(d.number) < fewestDigits {
				if serial, err := s.serialRow(ctx, s.rows[i]); err != nil {
					return best, at, err
				} else if serial {
					continue
				}
			}
			if best, at, most = d, i, v; most > certain {
				err = s.finish(ctx, &best)
				return best, at, err
			}
		}
	}
	if at >= 0 {
		err = s.finish(ctx, &best)
	}
	return best, at, err
}

// readSpelled reads a row as the number that the reader of words sees in it, as on a dark band, where the reader of digits sees none. It is in doubt; none where it is no number
// under the rules.
func (s *sheet) readSpelled(ctx context.Context, r row) (d datedNumber, err error) {
	if len(r) != 1 {
		return d, nil
	}
	e := entry{row: r}
	if e.script, err = s.readWords(ctx, r); err != nil {
		return d, err
	}
	if digitsIn(e.text) < fewestDigits || arabicLetters(e.text) > 0 {
		return d, nil
	}
	if err := s.readFurther(ctx, &e); err != nil {
		return d, err
	}
	n, ok := spelledOf(e.script).(text.Spelled)
	if !ok || len(n.Signs) != egypt.NumberLength || n.Confidence < hardlySpelled || !keepsRules(lawful(n)) {
		return d, nil
	}
	n.Confidence = min(n.Confidence, eitherDate)
	return datedNumber{number: n, numberRow: r, line: r[0].Line}, nil
}

// hardlySpelled is the confidence of the reader of words under which a number that it alone sees is none.
const hardlySpelled = 0.2

// lawful is the number under the rules that digits show.
func lawful(f figures) egypt.Number {
	whenever := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC) // whether a birth lies ahead is no matter here
	return egypt.DecodeNumber(f.Cells(egypt.NumberLength), egypt.Evidence{
		Length: f.LogLength(egypt.NumberLength), Text: strings.Map(digit, f.Text()), Score: f.Score, Today: whenever,
	})
}

// serialRow reports whether a row is a card's serial and nothing else.
func (s *sheet) serialRow(ctx context.Context, r row) (bool, error) {
	w, err := s.readWords(ctx, r)
	return serialLike(w.text) == 1, err
}

// fewestDigits is how many digits a number shows at least that is misread or hidden in part.
const fewestDigits = 11

// leastSlim is how many heights long the row of a number is at least.
const leastSlim = 6

// readElsewhere reads a row where no number is expected, and each of its longer pieces by itself, and returns it only if it holds one that keeps the rules: the text of a card upside
// down may look like as many digits.
func (s *sheet) readElsewhere(ctx context.Context, r row) (d datedNumber, err error) {
	if d, err = s.readLawful(ctx, r); err != nil || d.number != nil || len(r) == 1 {
		return d, err
	}
	for _, p := range r {
		if p.slim() < leastSlim {
			continue
		}
		if d, err = s.readLawful(ctx, row{p}); err != nil || d.number != nil {
			return d, err
		}
	}
	return datedNumber{}, nil
}

// readLawful reads a row as a number; none where what it holds does not keep the rules.
func (s *sheet) readLawful(ctx context.Context, r row) (datedNumber, error) {
	whole, err := s.digits(ctx, r.whole().Line)
	if err != nil || count(whole) < egypt.NumberLength-1 {
		return datedNumber{}, err
	}
	d := datedNumber{number: whole, numberRow: r, line: r.whole().Line}
	if count(whole) != egypt.NumberLength {
		if d, err = s.readNumberRow(ctx, r); err != nil || d.number == nil {
			return datedNumber{}, err
		}
	}
	if d.merit() <= certain {
		d.line, d.number, err = s.readCloser(ctx, d.line, d.number, egypt.NumberLength)
	}
	if err != nil || d.merit() <= certain && count(d.number) != egypt.NumberLength {
		return datedNumber{}, err
	}
	if !keepsRules(lawful(d.number)) {
		return datedNumber{}, nil
	}
	return d, nil
}

// finish reads what is in doubt of a number and its date again.
func (s *sheet) finish(ctx context.Context, d *datedNumber) (err error) {
	if d.line, d.number, err = s.readCloser(ctx, d.line, d.number, egypt.NumberLength); err != nil {
		return err
	}
	if err := s.withoutSerial(ctx, d); err != nil {
		return err
	}
	if d.date == nil {
		return s.readDate(ctx, d)
	}
	_, d.date, err = s.readCloser(ctx, d.dateLine, d.date, dateDigits(d.date)...)
	return err
}

// withoutSerial takes back what was taken for the date if it is the card's serial, which on some cards stands level with the number.
func (s *sheet) withoutSerial(ctx context.Context, d *datedNumber) error {
	if d.date == nil || len(d.dateRow) != 1 || strings.ContainsAny(d.date.Text(), dateSeparators) {
		return nil
	}
	w, err := s.readWords(ctx, d.dateRow)
	if err == nil && serialLike(w.text) > likeSerial && !strings.ContainsAny(w.text, dateSeparators) {
		d.date, d.dateRow = nil, nil
	}
	return err
}

// readDate looks for the date left of a number that does not share its row: in the lines that lie there, a little higher or
// lower, and where the detector saw none.
func (s *sheet) readDate(ctx context.Context, d *datedNumber) error {
	n, first := d.line, d.numberStart()
	var places []text.Line
	for _, r := range s.rows {
		r = r.leading()
		middle := (r.left() + r.right()) / 2 * viewWidth
		level := along(n.Start, n.End, middle).Y
		if r.right()*viewWidth < first && math.Abs(r.y()*viewHeight-level) < besideNumber*n.Height && r.whole().slim() > 2 {
			places = append(places, r.reaching(0, first-0.5*n.Height))
		}
	}
	places = append(places, text.Line{
		Start:  along(n.Start, n.End, 0.03*viewWidth),
		End:    along(n.Start, n.End, first-0.5*n.Height),
		Height: 0.85 * n.Height,
	})
	date, l, err := s.seekDate(ctx, places, dateDigits)
	if date != nil {
		d.date, d.dateRow = date, row{{l}}
	}
	return err
}

// numberStart is where the first digit of the number begins, in view pixels: its row may hold a serial or a date left of it.
func (d *datedNumber) numberStart() float64 {
	start, _ := d.numberSpan()
	return start
}

// numberSpan is from where to where the digits of the number stand, in view pixels: a label or a serial may stand right of them.
func (d *datedNumber) numberSpan() (start, end float64) {
	start, end = d.line.Start.X, d.line.End.X
	if d.number == nil {
		return start, end
	}
	if signs := d.number.Symbols(); len(signs) > 0 {
		long := end - start
		start, end = start+signs[0].Start*long, start+signs[len(signs)-1].End*long
	}
	return start, end
}

// seekDate reads places where the detector saw no date, until one shows a date with one of the counts of digits that such a one has, and returns it
// with its line; nil where none does.
func (s *sheet) seekDate(ctx context.Context, places []text.Line, lengthsOf func(figures) []int) (figures, text.Line, error) {
	for _, l := range places {
		if l.End.X-l.Start.X < 4*l.Height {
			continue
		}
		seen, err := s.digits(ctx, l)
		if err != nil {
			return nil, l, err
		}
		if n := count(seen); !strings.ContainsAny(seen.Text(), dateSeparators) && (n == 0 || n > monthDigits) { // nothing, or a serial
			continue
		}
		lengths := lengthsOf(seen)
		l, date, err := s.readCloser(ctx, l, seen, lengths...)
		if err != nil {
			return nil, l, err
		}
		counted := slices.ContainsFunc(lengths, func(n int) bool { return date.LogLength(n) > certain })
		if counted && strings.ContainsAny(date.Text(), dateSeparators) {
			return date, l, nil
		}
	}
	return nil, text.Line{}, nil
}

// dateSeparators part the day, the month and the year of a date as digits are read, and printedSeparators as words are: that reader knows dots as well.
const (
	dateSeparators    = "/-"
	printedSeparators = dateSeparators + "."
)

// besideNumber is by how many heights of a number the date beside it may stand higher or lower.
const besideNumber = 2.2

// leading are the pieces of a row that its widest gap parts from the rest: a date that stands lower than the number beside it is level with another line.
func (r row) leading() row {
	at, widest := len(r), besideGap
	for i := range r[1:] {
		if gap := r[i].gap(r[i+1]); gap > widest {
			at, widest = i+1, gap
		}
	}
	return r[:at]
}

// besideGap is from how many glyph heights between them on two pieces of a row are no one line.
const besideGap = 1.5

// likeNumber reports whether digits may be those of a national number: those of a date or a serial are fewer, those of two dates beside each other
// hold a date, unless dashes part century, birth and what follows, and a row that no split makes a number of has none at all.
func likeNumber(f figures) bool {
	return f != nil && count(f) > dayDigits && (!wholeDate.MatchString(f.Text()) || numberInGroups.MatchString(f.Text()))
}

// numberInGroups is the begin of a national number in whose groups dashes stand.
var numberInGroups = regexp.MustCompile(`^[23]\s*-\s*\pN{6}\s*-`)

// wholeDate is a date with a day, its year first or last.
var wholeDate = regexp.MustCompile(`\pN{4}\s*[/.-]\s*\pN{1,2}\s*[/.-]|[/.-]\s*\pN{1,2}\s*[/.-]\s*\pN{4}`)

// readStretched reads a row of which the detector saw little as if the number filled all of its height right of the date:
// digits that stand far apart, zeros above all, may look like stains to it.
func (s *sheet) readStretched(ctx context.Context, r row) (d datedNumber, err error) {
	level := r.whole()
	from, height := max(0.27*viewWidth, level.Start.X-14*level.Height), level.Height
	if first := r[0]; first.left() < 0.3 && first.slim() > 3 {
		// It stands apart: where it is read badly, that says nothing of the number.
		if d.date, d.dateLine, err = s.seekDate(ctx, []text.Line{first.Line}, dateDigits); err != nil {
			return d, err
		}
		d.dateRow = r[:1]
		from = first.End.X + 1.5*first.Height
		if len(r) == 1 {
			height *= 1.2 // numbers are mostly larger than dates
		} else {
			height = r[1:].height()
		}
	}
	l := text.Line{Start: along(level.Start, level.End, from), End: along(level.Start, level.End, 0.985*viewWidth), Height: height}
	d.numberRow, d.line = row{{l}}, l
	d.number, err = s.digits(ctx, l)
	return d, err
}
