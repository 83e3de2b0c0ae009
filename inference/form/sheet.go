package form

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/label"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// sheet is the print of a page taken apart: labels, and the stretches between them, from the top, each row from right to left.
type sheet struct {
	*page.Page
	*Calibration
	description *Description
	finder      *label.Finder
	fromLeft    bool // labels stand left of their values, see tellsLeft
	labels      []placed
	cells       []box // under which the values of each stand
	stretches   []stretch
	clarity     float64          // the mean of all stretches
	way         float64          // where values stand by their labels, see wayOf
	assigned                     // the roles of the stretches, once they have some
	misread     text.Misreadings // on its labels: its face is misread so all over
	known       field.Known      // beside its print, and what was read
}

// placed is a label with its place.
type placed struct {
	label.Found
	box
}

// stretch is print between labels: a value, a part of one, or none.
type stretch struct {
	page.Ink
	box
	said string
	// clear is the mean probability of its signs.
	clear float64
	// lead is the label with which it begins; nil where it begins with none.
	lead *label.Found
	// matches says how much it is like a value of each decoder of the description, by the decoder's index.
	matches []float64
	links   []link
	// above and below are the next stretches over and under it, by index; -1 where there are none.
	above, below int
}

// box is a place in the view. piece counts the lines of print, of which one may hold several stretches.
type box struct {
	left, right, y, height float64
	row, piece             int
}

func boxOf(i *page.Ink, piece int) box {
	l := i.Line()
	left, right := min(l.Start.X, l.End.X), max(l.Start.X, l.End.X)
	return box{left: left, right: right, y: l.Middle().Y, height: l.Height, row: i.Row, piece: piece}
}

// mostPieces is how many lines of print are read at most, from the top: no card has more, and each costs inferences.
const mostPieces = 48 // work

// read reads a page and takes it apart.
func (d *Description) read(ctx context.Context, p *page.Page, c *Calibration) (*sheet, error) {
	s := &sheet{Page: p, Calibration: c, description: d, finder: d.finder(c)}
	lines, err := s.lines(ctx)
	if err != nil {
		return nil, err
	}
	s.takeAll(lines)
	if s.fromLeft = s.tellsLeft(); s.fromLeft {
		for i := range lines {
			lines[i].found = s.labelsIn(&lines[i].ink)
		}
	}
	if s.dropVague(lines) || s.fromLeft {
		s.takeAll(lines)
	}
	for s.dropIdle(lines) {
		s.takeAll(lines)
	}
	s.columns()
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	if err := s.fillRows(ctx); err != nil {
		return nil, err
	}
	s.relate()
	return s, s.seek(ctx)
}

// finder finds all labels that may stand on a document.
func (d *Description) finder(c *Calibration) *label.Finder {
	f := label.New(d.knowledge.Variants, func(said string) bool { return d.like(said, c.Surely) }, &c.Label)
	for _, l := range d.Labels {
		for _, wording := range l.Wordings {
			f.Add(l.Name, wording)
		}
	}
	return f
}

// labelsIn finds the labels in a line of print.
func (s *sheet) labelsIn(ink *page.Ink) []label.Found {
	return s.finder.Find(ink.Reading(), ink.Slim(), s.fromLeft)
}

// lines reads the print of a page from the top, without what stands above a title that heads it. What no print could be read on, as on a
// page that lies upside down, is not looked at again.
func (s *sheet) lines(ctx context.Context) ([]line, error) {
	rows, most := make([][]line, len(s.Rows)), mostPieces
	headed := s.description.Headed && len(rows) > 1
	for i := range s.Rows {
		if headed && i < 2 { // geometry: the second row is read before the first, since it may be a title
			i = 1 - i
		}
		if headed && i == 0 {
			if err := s.again(ctx, rows[1]); err != nil {
				return nil, err
			}
			titled := func(f label.Found) bool { return slices.Contains(s.description.Titles, f.Label) }
			if slices.ContainsFunc(rows[1], func(l line) bool { return slices.ContainsFunc(l.found, titled) }) {
				continue
			}
		}
		var err error
		if rows[i], most, err = s.row(ctx, i, most); err != nil {
			return nil, err
		}
	}
	all := slices.Concat(rows...)
	if slices.ContainsFunc(all, func(l line) bool { return len(l.found) > 0 || l.ink.FairlyRead() }) {
		if err := s.again(ctx, all); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(l line) bool { return l.ink.Clarity() < s.Clear }), nil // patterns
}

// row reads one row until most lines of it are print, and says how many more may be.
func (s *sheet) row(ctx context.Context, i, most int) (row []line, rest int, err error) {
	for k := range slices.Backward(s.Rows[i]) {
		if most == 0 {
			break
		}
		ink, err := s.Read(ctx, i, k)
		if err != nil {
			return nil, most, err
		}
		l := line{ink: ink}
		if l.ink.Clarity() >= s.Clear {
			l.found, most = s.labelsIn(&ink), most-1
		}
		row = append(row, l)
	}
	return row, most, nil
}

// line is a line of print with the labels in it.
type line struct {
	ink   page.Ink
	found []label.Found
}

// dropVague takes labels of many wrong signs for values that look alike where other labels tell that the face is well read: those that are
// not parted from the words behind them, and these are no value. It says if any.
func (s *sheet) dropVague(lines []line) (dropped bool) {
	sum, n := 0.0, 0
	for _, l := range lines {
		for _, f := range l.found {
			if !f.Vague {
				sum, n = sum+f.Each(), n+1
			}
		}
	}
	if n < s.TellingLabels || sum > s.WellRead*float64(n) {
		return false
	}
	for i, l := range lines {
		lines[i].found = slices.DeleteFunc(l.found, func(f label.Found) bool {
			first, end := f.Last+1, len(l.ink.Reading().Symbols()) // what stands behind it
			if !f.ToRight {
				first, end = 0, f.First
			}
			return f.Vague && !s.description.like(partOf(&l.ink, first, end).Text(), s.Likely)
		})
		dropped = dropped || len(lines[i].found) < len(l.found)
	}
	return dropped
}

// dropIdle takes labels that announce nothing, beside words of their line, for words of a value: where the same label announces a value
// elsewhere, as in a remark that says what was inspected, or nothing parts it from the words before it; and doubled ones. So it does
// labels of no field that run on into a value, as in a remark that counts seats, where the form parts its own, and those that begin a line
// of a series. It says if any.
func (s *sheet) dropIdle(lines []line) (dropped bool) {
	busy, told, phrase, parts := s.announcing()
	for k, l := range s.labels {
		words := slices.ContainsFunc(s.stretches, func(x stretch) bool { return x.piece == l.piece })
		remark := !s.description.reads(l.Label) && !slices.Contains(s.description.Titles, l.Label) && (parts && phrase[k] || s.beginsLine(k))
		if words && (remark || !busy[k] && (told[l.Label] || l.Within)) || s.doubled(k) {
			dropped, lines[l.piece].found = true, slices.DeleteFunc(lines[l.piece].found, func(f label.Found) bool { return f == l.Found })
		}
	}
	return dropped
}

// beginsLine reports whether a label, with what it announces, is a line of a series: another, behind no label, stands close to it, flush.
func (s *sheet) beginsLine(label int) bool {
	b, said, beside := s.labels[label].box, false, false
	for _, x := range s.stretches {
		near := math.Abs(x.y-b.y) < s.IdleNear*x.height && math.Abs(x.right-b.right) < s.IdleFlush*x.height && !s.level(x.box, b)
		near = near && !slices.ContainsFunc(x.links, func(l link) bool { return l.how == behind })
		if is := x.piece == b.piece && x.behind(label); (is || near) && s.ofSeries(x.said) {
			said, beside = said || is, beside || near
		}
	}
	return said && beside
}

// announcing tells which labels announce something, which do so at any place, and which are a value together with what they run on into;
// parts tells that no label runs on into a value of its field.
func (s *sheet) announcing() (busy map[int]bool, told map[string]bool, phrase map[int]bool, parts bool) {
	busy, told, phrase, parts = map[int]bool{}, map[string]bool{}, map[int]bool{}, true
	for _, x := range s.stretches {
		for _, l := range x.links {
			valued := s.valued(&x, l.label)
			busy[l.at] = busy[l.at] || valued || l.announces() && !s.description.reads(l.label)
			told[l.label] = told[l.label] || valued
			if f := &s.labels[l.at]; l.whole && l.how == behind && f.Runs {
				phrase[l.at], parts = s.description.like(f.Wording+" "+x.said, s.Likely), parts && !valued
			}
		}
	}
	return busy, told, phrase, parts
}

// doubled reports whether a label that is a value as well stands as one does to the same label in its script.
func (s *sheet) doubled(label int) bool {
	b := s.labels[label]
	return s.holds(b.Label, b.Wording) && slices.ContainsFunc(s.labels, func(o placed) bool {
		l, ok := s.link(b.box, slices.Index(s.labels, o))
		return ok && l.announces() && o.Label == b.Label && o != b && o.RightToLeft == b.RightToLeft
	})
}

// again looks once more at lines of words that show no label where they were not surely read: they may have been misread.
func (s *sheet) again(ctx context.Context, lines []line) error {
	for i := range lines {
		l := &lines[i]
		if len(l.found) > 0 || l.ink.Clarity() >= s.Clear && !strings.ContainsFunc(l.ink.Text(), unicode.IsLetter) {
			continue
		}
		before := l.ink.Reading()
		if err := l.ink.LookAgain(ctx); err != nil {
			return err
		}
		if l.ink.Reading() != before {
			l.found = s.labelsIn(&l.ink)
		}
	}
	return nil
}

// takeAll takes lines apart and finds how what they hold stands to each other.
func (s *sheet) takeAll(lines []line) {
	s.labels, s.stretches, s.misread = nil, nil, text.Misreadings{}
	for piece := range lines {
		s.take(&lines[piece].ink, lines[piece].found, piece)
	}
	s.relate()
}

// take cuts one line at its labels, from its right end on. Words that lead into a value may stand in its middle, behind others of it.
func (s *sheet) take(ink *page.Ink, spots []label.Found, piece int) {
	end, lead := len(ink.Reading().Symbols()), (*label.Found)(nil) // of the stretch at hand; the end is excluded
	for _, f := range slices.Backward(spots) {
		leads := slices.ContainsFunc(s.description.Fields, func(v Field) bool { return slices.Contains(v.Leads, f.Label) })
		leads = leads && !(f.RightToLeft && f.ToRight && f.Begins(ink.Reading().Symbols())) // such words are a label
		if from, to := text.Trimmed(ink.Reading().Symbols(), f.Last+1, end); leads && lead == nil && f.Within && from < to {
			continue
		}
		s.add(ink, f.Last+1, end, lead, piece)
		if lead, end = nil, f.First; leads {
			lead, end = &f, f.Last+1
			continue
		}
		s.misread.Look(partOf(ink, f.First, f.Last+1).Text(), f.Wording)
		s.labels = append(s.labels, placed{f, boxOf(new(ink.Part(f.From, f.To)), piece)})
	}
	s.add(ink, 0, end, lead, piece)
}

// add records the stretch between two signs of a line, the second excluded, if anything stands there.
func (s *sheet) add(ink *page.Ink, first, end int, lead *label.Found, piece int) {
	symbols := ink.Reading().Symbols()
	if first, end = text.Trimmed(symbols, first, end); first == end {
		return
	}
	said := func(from, to int) string { return partOf(ink, first+from, first+to).Text() }
	cut := 0
	if s.description.Scripts {
		cut = text.ScriptChange(symbols[first:end])
	}
	if cut == 0 {
		cut = max(s.parting(symbols[first:end], ink.Slim(), said), s.rowCut(symbols[first:end], said))
	}
	if cut > 0 {
		s.add(ink, first+cut, end, lead, piece)
		s.add(ink, first, first+cut, nil, piece)
		return
	}
	if part := partOf(ink, first, end); strings.ContainsFunc(part.Text(), text.WordSign) {
		s.stretches = append(s.stretches, s.stretchOf(part, part.Text(), lead, piece))
	}
}

// stretchOf is a stretch of ink that says something.
func (s *sheet) stretchOf(ink *page.Ink, said string, lead *label.Found, piece int) stretch {
	x := stretch{Ink: *ink, box: boxOf(ink, piece), said: said, clear: ink.Clarity(), lead: lead}
	for _, r := range s.description.readers {
		x.matches = append(x.matches, r.decoder.Match(said))
	}
	return x
}

// partOf is what stands between two signs of a line, the second excluded.
func partOf(ink *page.Ink, first, end int) *page.Ink {
	return new(ink.Part(text.Cut(ink.Reading().Symbols(), first, end)))
}

// legible says from 0 to 1 how well print could be read.
func (s *sheet) legible() float64 {
	likely, signs := 0, 0
	count := func(said string, sure bool) {
		n := len([]rune(said))
		if signs += n; sure && n >= s.LegibleWord {
			likely += n
		}
	}
	for _, x := range s.stretches {
		count(x.said, x.Confidence() > s.LegibleSure)
	}
	for _, l := range s.labels {
		count(l.Wording, true)
	}
	return min(1, float64(likely)/float64(max(signs, 1))/s.LegibleShare) * min(1, float64(signs)/float64(s.LegibleSigns))
}
