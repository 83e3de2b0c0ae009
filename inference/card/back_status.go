package card

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// withoutStatusSigns parts the words of the status where bars or the like stand between them.
func (s *sheet) withoutStatusSigns(ctx context.Context, p *backPrint) (err error) {
	p.status = slices.Clone(p.status)
	for i := range p.status {
		e := &p.status[i]
		if len(e.parts) != 1 {
			continue
		}
		words, rest := wordsOf(e.parts[0]), row{}
		for from := 0; from < len(words); {
			to := from
			for to < len(words) && !isSigns(words[to].text) {
				to++
			}
			if to > from {
				end, begin := reach(words, from, to)
				rest = append(rest, piece{cut(e.row[0].Line, end, begin)})
			}
			from = to + 1
		}
		if len(rest) < 2 || len(rest) > statusFields {
			continue
		}
		slices.Reverse(rest) // from left to right, as all rows
		e.row = rest
		if e.script, err = s.readWords(ctx, rest); err != nil {
			return err
		}
	}
	return nil
}

// withoutStatusLabels cuts off what stands right of a word of the status in its piece: a label too small to be read with it.
func (s *sheet) withoutStatusLabels(ctx context.Context, p *backPrint) (err error) {
	if p.announced {
		return nil
	}
	p.status = slices.Clone(p.status)
	for i := range p.status {
		e, found := &p.status[i], false
		r := slices.Clone(e.row)
		for k, part := range e.parts {
			words := wordsOf(part)
			n := slices.IndexFunc(words, func(w word) bool { return likeStatus(w.text) > unlikeStatus && arabicLetters(w.text) > 0 })
			if n > 0 && ofStatus(words[n].text) && !ofStatus(part.text) {
				r[k], found = piece{cut(r[k].Line, 0, (words[n-1].start+words[n].end)/2)}, true
			}
		}
		if !found {
			continue
		}
		e.row = r
		if e.script, err = s.readWords(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// partStatus parts what was taken for one word of the status and holds several, as where the label between two could not be read, or a sign beside it: each goes where it belongs.
func (s *sheet) partStatus(ctx context.Context, status []entry) error {
	for i := range status {
		e := status[i]
		if len(e.parts) != len(e.row) || len(strings.Fields(e.text)) == 1 && ofStatus(e.text) {
			continue
		}
		taken := false
		for n, part := range e.parts {
			words := wordsOf(part)
			for k, w := range words {
				m, _ := egypt.MatchWord(w.text, egypt.StatusWords())
				v := int(m.Word.Vocabulary)
				if m.Score < egypt.ClearStatus || len(status[v].row) > 0 && v != i {
					continue
				}
				from, to := reach(words, k, k+1)
				own, err := s.stretch(ctx, e.row[n], from, to)
				if err != nil {
					return err
				}
				status[v], taken = own, taken || v == i
			}
		}
		if !taken { // it holds none of its own
			status[i] = entry{}
		}
	}
	return nil
}

// widenStatus reads a word in the form of a man beside a woman's sex farther to the left, where its ending may stand: the detector may have seen the two apart.
func (s *sheet) widenStatus(ctx context.Context, status []entry) error {
	sex := func(e entry) egypt.Sex {
		m, _ := egypt.MatchWord(e.text, egypt.StatusWords())
		return m.Word.Sex
	}
	if sex(status[egypt.VocabularySex]) != egypt.Female {
		return nil
	}
	for i := range status {
		e := &status[i]
		if len(e.parts) != 1 || sex(*e) != egypt.Male {
			continue
		}
		const room = 2.5 // heights
		l := e.row.whole().Line
		l.Start = along(l.Start, l.End, max(0, l.Start.X-room*l.Height))
		wide := entry{row: row{piece{l}}}
		var err error
		if wide.script, err = s.readWords(ctx, wide.row); err != nil {
			return err
		}
		if sex(wide) == egypt.Female && ofStatus(wide.text) {
			*e = wide
		}
	}
	return nil
}

// fillStatus reads the empty stretches of a status row that shows less than three words, up to the right end of the lines
// around it: the words are short and easily overlooked. Where nothing is printed, what is read fits no vocabulary.
func (s *sheet) fillStatus(ctx context.Context, p *backPrint) error {
	if p.announced {
		return nil
	}
	pieces := p.statusPieces()
	words, right, height := 0, 0.0, 0.0
	for _, e := range pieces {
		words += len(strings.Fields(e.text))
		height = max(height, e.height())
	}
	if words == 0 || words >= 3 {
		return nil
	}
	for _, e := range p.jobs {
		right = max(right, e.whole().End.X)
	}
	level := pieces[0].whole()
	for _, e := range pieces { // from right to left
		this := e.whole()
		gap := row{{text.Line{Start: along(level.Start, level.End, this.End.X+0.4*height), End: along(level.Start, level.End, right), Height: height}}}
		right = this.Start.X - 0.4*height
		if gap[0].End.X-gap[0].Start.X < 2*height {
			continue
		}
		e, err := s.readGap(ctx, gap)
		if err != nil {
			return err
		}
		switch {
		case e.isStatus() && e.text != "":
			p.status = append(slices.Clone(p.status), e)
		case e.worded() && (e.confidence > strayWord || arabicLetters(e.text) >= shortWord):
			p.stray = true
		}
	}
	return nil
}

// readGap reads the stretch between two words. The ends of these may reach into it: where it says nothing of the status, its longest
// word, read by itself, may.
func (s *sheet) readGap(ctx context.Context, gap row) (entry, error) {
	w, err := s.readWords(ctx, gap)
	whole := entry{gap, w}
	inner, ok := whole.inner()
	if err != nil || whole.isStatus() || !ok {
		return whole, err
	}
	if w, err = s.readWords(ctx, inner); err == nil && (entry{inner, w}).isStatus() {
		return entry{inner, w}, nil
	}
	return whole, err
}

// inner is the longest part of a line that stands apart from its ends; ok is false where nothing does.
func (e entry) inner() (r row, ok bool) {
	l := e.whole()
	em, longest := l.Height/l.Length(), 0.0 // as shares of the line
	for _, g := range groupsOf(e.symbols, em) {
		if wide := g[1] - g[0]; wide > longest && g[0] >= 0.5*em && g[1] <= 1-0.5*em {
			part := l
			part.Start, part.End, part.Sag = between(l.Start, l.End, g[0]-0.5*em), between(l.Start, l.End, g[1]+0.5*em), 0
			r, longest = row{part}, wide
		}
	}
	return r, longest > 0
}

// groupsOf are the stretches of signs, from left to right, between which apart or more is blank; all are shares of their line.
func groupsOf(symbols []text.Symbol, apart float64) (groups [][2]float64) {
	for _, s := range symbols {
		switch n := len(groups); {
		case s.Rune == ' ':
		case n > 0 && s.Start-groups[n-1][1] < apart:
			groups[n-1][1] = s.End
		default:
			groups = append(groups, [2]float64{s.Start, s.End})
		}
	}
	return groups
}

// strayWord is the confidence from which on letters in an empty stretch are text and not the card's pattern.
const strayWord = 0.02

// isStatus reports whether a line is the row of sex, religion and marital state: by its words or, where they cannot be read
// yet, by its form, single words far apart.
func (e entry) isStatus() bool {
	hits := statusWords(e)
	long := slices.ContainsFunc(e.row, func(p piece) bool { return p.slim() > 7 })
	return hits >= 2 || hits == 1 && len(strings.Fields(e.text)) == 1 || len(e.row) >= 2 && !long && !e.saysWork()
}

// saysWork reports whether a line begins with a label of the occupation or the employer.
func (e entry) saysWork() bool {
	at, ok := e.beginsWith(egypt.BackPhrases())
	return ok && (at.Phrase.Label == egypt.LabelJob || at.Phrase.Label == egypt.LabelEmployer)
}

// statusFields is how many words tell sex, religion and marital state.
const statusFields = 3

// statusWords counts the words of lines that are like those of sex, religion and marital state.
func statusWords(lines ...entry) (hits int) { return countWords(lines, ofStatus) }

// countWords counts the words of lines that have a property.
func countWords(lines []entry, has func(word string) bool) (n int) {
	for _, e := range lines {
		for _, w := range strings.Fields(e.text) {
			if has(w) {
				n++
			}
		}
	}
	return n
}

// statesHolder reports whether a back says its holder's sex, religion or marital state: two of them, and clearly where the number stands in another place than at the top.
func (p *backPrint) statesHolder() bool {
	if p.numbered {
		return statusWords(p.status...) >= 2
	}
	clear := func(w string) bool { return likeStatus(w) >= egypt.ClearStatus && arabicLetters(w) > 0 }
	return countWords(p.status, clear) >= 2
}

// ofStatus reports whether a text is like a word of sex, religion or marital state.
func ofStatus(text string) bool { return likeStatus(text) > 0.7 }

// unlikeStatus is the likeness up to which a text is none of these words, misread.
const unlikeStatus = 0.5

// likeStatus is the likeness of a text to the word of sex, religion or marital state that it is most like.
func likeStatus(text string) float64 {
	m, _ := egypt.MatchWord(text, egypt.StatusWords())
	return m.Score
}

// statusPieces are the pieces of the status row from right to left, also where the detector saw it as several rows; where it takes two rows, those of the upper one first.
func (p *backPrint) statusPieces() []entry {
	var out []entry
	for _, l := range p.status {
		for i, part := range l.parts {
			out = append(out, entry{l.row[i : i+1], part})
		}
	}
	if p.announced {
		return out
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(a.y(), b.y()) })
	for from := 0; from < len(out); {
		to := from + 1
		for to < len(out) && (out[to].y()-out[to-1].y())*viewHeight <= 1.5*out[to].height() {
			to++
		}
		slices.SortStableFunc(out[from:to], func(a, b entry) int { return cmp.Compare(b.left(), a.left()) })
		from = to
	}
	return out
}
