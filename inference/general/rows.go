package general

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/layout"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The legibility under which a row is no text but something that the detector took for it. A few signs look right by
// chance more easily than many. On drawn pages right rows lie above 0.6; noise gives 0.3 to 0.6 (November 2026).
const (
	leastLegible = 0.45
	fewSigns     = 5
	legibleFew   = 0.75
	// ornamental is the legibility under which a few signs again and again, one by one, are an ornament or a dotted rule.
	ornamental = 0.9
)

// legible reports whether a row is text. What holds neither letters nor digits is none.
func (r passage) legible() bool {
	signs := 0
	for _, s := range r {
		signs += len(s.reading.Symbols())
	}
	least := leastLegible
	switch printed := r.printed(); {
	case !strings.ContainsFunc(printed, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return false
	case signs <= fewSigns:
		least = legibleFew
	case repeats(printed):
		least = ornamental
	}
	return legibility(r) >= least || r.figures() && text.Legibility(r.readings()...) >= least
}

// readings are what the pieces say.
func (r passage) readings() []*text.Reading {
	out := make([]*text.Reading, len(r))
	for i, s := range r {
		out[i] = s.reading
	}
	return out
}

// unread reports whether a row was not read, since the page has too many.
func (r passage) unread() bool {
	return !slices.ContainsFunc(r, func(s strand) bool { return !s.unread })
}

// figures reports whether a row is a number and nothing else.
func (r passage) figures() bool {
	for _, s := range r.readings() {
		if ns := numbersIn(s.Symbols()); len(ns) != 1 || ns[0].end-ns[0].first != len(s.Symbols()) {
			return false
		}
	}
	return true
}

// repeats reports whether a text is a few signs again and again, which stand alone or almost so.
func repeats(printed string) bool {
	const fewKinds, leastWords, alone = 4, 4, 2
	kinds, signs, words := map[rune]bool{}, 0, 0
	for word := range strings.FieldsSeq(printed) {
		words++
		for _, sign := range word {
			kinds[sign] = true
			signs++
		}
	}
	return words >= leastWords && len(kinds) <= fewKinds && signs <= alone*words
}

// strand is a piece of text on a page: a line as the detector saw it, in the frame of the page, in which text runs
// along x.
type strand struct {
	text.Line
	reading *text.Reading
	seen    *text.Reading // before its numbers were read by themselves, by which lines are compared; nil where they were not
	looks   text.Looks    // at the same line, which has vowel signs; none for other lines
	unread  bool          // nothing was read: there were too many
	closed  bool          // a number that was read with its digits moved together
	framed  bool          // its digits stood in boxes
}

// passage is a row of text, its pieces from left to right.
type passage []strand

// row is a passage and where it lies on its page.
type row struct {
	passage
	place layout.Extent
}

// rowsOf joins what was read of a page into its rows.
func rowsOf(strands []strand) []row {
	lines := make([]text.Line, len(strands))
	for i, s := range strands {
		lines[i] = s.Line
	}
	rows := layout.Rows(lines)
	out := make([]row, len(rows))
	for i, r := range rows {
		for _, piece := range r.Pieces {
			out[i].passage = append(out[i].passage, strands[piece])
		}
		out[i].place = r.Extent
	}
	return out
}

// arrange returns what was read as lines of text in reading order; h maps the page to the picture. Text that cannot be read is told
// as such.
func (g *Reader) arrange(luma vision.Plane, strands []strand, h vision.Homography) []appliance.Line {
	var rows []passage
	var extents []layout.Extent
	arabic := 0
	all := withoutFallen(rowsOf(strands), luma, h)
	legible, common, sheet := toldApart(all)
	var unreadable []bool
	for i, r := range all {
		told := !legible[i] && common > 0 && (r.unreadable(common) || (sheet || r.unread()) && r.likeOthers(common))
		if !told && !legible[i] {
			continue
		}
		if a, l := scripts(r.printed()); a == 0 || l == 0 {
			r.place.Script = a - l
		}
		rows, extents, unreadable = append(rows, r.passage), append(extents, r.place), append(unreadable, told)
		if !told {
			arabic += r.arabic()
		}
	}
	var out []appliance.Line
	for _, i := range layout.Order(extents, arabic > 0) {
		switch r := rows[i]; {
		case unreadable[i]:
			out = append(out, appliance.Line{Code: appliance.CodeUnreadable, Quad: h.ApplyQuad(r.quad())})
		case r.text(arabic > 0) != "":
			out = append(out, g.lineOf(r, luma, h, arabic > 0, common))
		}
	}
	return out
}

// toldApart says which rows of a page are legible, how high those commonly are, and whether the page is a sheet of figures.
func toldApart(rows []row) (legible []bool, common float64, sheet bool) {
	legible = make([]bool, len(rows))
	var lines []text.Line
	var read []*text.Reading
	for i, r := range rows {
		if legible[i] = r.legible(); legible[i] {
			read = append(read, r.readings()...)
			for _, s := range r.passage {
				lines = append(lines, s.Line)
			}
		}
	}
	return legible, commonHeight(lines), ofFigures(read)
}

// arabic counts the Arabic letters of a row, less its Latin ones.
func (r passage) arabic() int {
	count := 0
	for _, piece := range r {
		for _, s := range piece.reading.Symbols() {
			switch {
			case unicode.Is(unicode.Arabic, s.Rune):
				count++
			case unicode.IsLetter(s.Rune):
				count--
			}
		}
	}
	return count
}

// text joins the pieces of a row in reading order; page reports whether the page runs from right to left.
func (r passage) text(page bool) string {
	rtl := rightToLeft(r.printed(), page)
	var words []string
	for _, s := range r {
		t := s.reading.Text()
		switch arabic, latin := scripts(t); {
		case arabic > 0 && latin > 0:
			t = s.reading.TextFrom(rtl)
		case page && strings.HasPrefix(t, "."): // the end of a sentence that runs from right to left
			t = s.reading.TextFrom(true)
		}
		if t != "" {
			words = append(words, t)
		}
	}
	if rtl {
		slices.Reverse(words)
	}
	return strings.Join(words, " ")
}

// printed is what the pieces say, from left to right.
func (r passage) printed() string {
	var all []string
	for _, s := range r {
		all = append(all, s.reading.Text())
	}
	return strings.Join(all, " ")
}

// rightToLeft tells which way a row runs: as most of its words, but as the page where almost as many are of the other script, such
// as "e-mail:" with an address behind it, or where there are none.
func rightToLeft(printed string, page bool) bool {
	const few = 2 // times as many words of one script
	arabic, latin := scripts(printed)
	if more := max(arabic, latin); more == 0 || min(arabic, latin)*few >= more {
		return page
	}
	return arabic > latin
}

// scripts counts the words with Arabic and with Latin letters.
func scripts(s string) (arabic, latin int) {
	for word := range strings.FieldsSeq(s) {
		switch {
		case strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) }):
			arabic++
		case strings.ContainsFunc(word, unicode.IsLetter):
			latin++
		}
	}
	return arabic, latin
}

// lineOf is the line of text that a row is. One whose words are unlikely beside others carries a code, too. One that carries a code has the
// letters that its ink allows and that Arabic words make likeliest: what is clear is not touched, and what is touched stays in doubt.
func (g *Reader) lineOf(r passage, luma vision.Plane, h vision.Homography, page bool, common float64) appliance.Line {
	line := r.lineOf(luma, h, page, common)
	if line.Code != appliance.CodeLowConfidence {
		if !slices.ContainsFunc(r, func(s strand) bool { return s.reading.Unlikely(g.letters) }) {
			return line
		}
		line.Code, line.Confidence = appliance.CodeLowConfidence, certainLine/2
	}
	words := slices.Clone(r)
	for i := range words {
		words[i].reading = words[i].inWords(g.letters)
	}
	line.Text = words.text(page)
	return line
}

// inWords is what was read with the letters that the ink allows and that Arabic words make likeliest.
func (s strand) inWords(letters *text.Letters) *text.Reading {
	if len(s.looks.Cuts) > 0 {
		return letters.Together(s.reading, s.looks)
	}
	return s.reading.InWords(letters)
}

// quad is the outline of the row on the page.
func (r passage) quad() appliance.Quad {
	first, last := r[0].Quad(), r[len(r)-1].Quad()
	return appliance.Quad{first[0], last[1], last[2], first[3]}
}
