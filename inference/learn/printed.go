package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/site"
)

const (
	// sameValue is the least likeness of text to a confirmed value that it is, and sameWording of two texts that are one wording.
	sameValue, sameWording = 0.75, 0.75
	// wordingShare is on which share of the documents with a field a wording must stand to announce it.
	wordingShare = 0.2
	// ambiguous is the share of its documents on which a wording stands at another field, from which on it announces neither.
	ambiguous = 0.5
	// labelWords is how many words a wording has at most.
	labelWords = 6
)

// termsOf lists the values of fields with few values that at least leastPersons persons of the lines have.
func termsOf(lines []truth.Line) []site.Printed {
	all := tally[site.Printed]{}
	for _, l := range lines {
		d := l.Documents[0]
		for field, value := range d.Fields {
			if p := (site.Printed{Kind: d.Kind, Field: field, Text: strings.Join(strings.Fields(value), " ")}); p.Term() {
				all.add(p, l.Person)
			}
		}
	}
	return ordered(all.told())
}

// ordered puts what is printed into an order of its own.
func ordered(all []site.Printed) []site.Printed {
	slices.SortFunc(all, func(a, b site.Printed) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Text, b.Text))
	})
	return all
}

// labelsOf reads all text of the documents of the lines and lists what introduces the confirmed values there and no known label does.
// Kinds that are read by other means than labels are left out.
func (l *Learning) labelsOf(ctx context.Context, lines []truth.Line) (ours, described []site.Printed, err error) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line truth.Line) bool {
		return !site.HasLabels(line.Documents[0].Kind) && l.described[line.Documents[0].Kind] == nil
	})
	if len(lines) == 0 {
		return nil, nil, nil
	}
	e, err := l.Open(ctx, l.Set.WithoutSite())
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	general := e.Readers()[appliance.EndpointGeneral]
	found := newWordings(l.described)
	for i := range lines {
		picture, err := os.ReadFile(filepath.Join(l.Dir, "fit", filepath.FromSlash(lines[i].File)))
		if err != nil {
			return nil, nil, fmt.Errorf("read truth set: %w", err)
		}
		l.progress("print", i+1, len(lines))
		p, err := e.PrintDecoder().DecodePage(ctx, picture, 1)
		if err != nil {
			continue // what the readers cannot open counts in the readings
		}
		reading, err := general.Read(ctx, p, nil)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			found.look(&lines[i], reading.Lines)
		}
	}
	for _, p := range found.told() {
		if l.described[p.Kind] != nil {
			described = append(described, p)
		} else {
			ours = append(ours, p)
		}
	}
	return ours, described, nil
}

// wordings are what introduces values, and how many documents have each field.
type wordings struct {
	seen tally[site.Printed]
	of   map[site.Printed]int // documents, by kind and field

	described map[appliance.Kind]*form.Description
}

func newWordings(described map[appliance.Kind]*form.Description) wordings {
	return wordings{tally[site.Printed]{}, map[site.Printed]int{}, described}
}

// labelOf names what announces a field, "" where nothing does.
func (w *wordings) labelOf(kind appliance.Kind, field string) string {
	if d := w.described[kind]; d != nil {
		return labelOf(d, field)
	}
	return site.LabelOf(kind, field)
}

// known reports whether a wording is like one that a label of the kind has already.
func (w *wordings) known(p site.Printed) bool {
	d := cmp.Or(w.described[p.Kind], documents.Of(p.Kind))
	return slices.ContainsFunc(d.Labels, func(l form.Label) bool {
		return slices.ContainsFunc(l.Wordings, func(o string) bool { return arabic.Likeness(folded(o), p.Text) >= sameWording })
	})
}

// look takes up what introduces the values of one document among the lines of its text.
func (w *wordings) look(doc *truth.Line, lines []appliance.Line) {
	d := &doc.Documents[0]
	values := map[string]span{}
	for field, value := range d.Fields {
		if s, ok := locate(lines, value); ok && w.labelOf(d.Kind, field) != "" {
			values[field] = s
			w.of[site.Printed{Kind: d.Kind, Field: field}]++
		}
	}
	for field, s := range values {
		for _, other := range values {
			if other.line == s.line && other.to <= s.from {
				s.after = max(s.after, other.to)
			}
		}
		if text := introduction(lines, s, values); text != "" {
			if p := (site.Printed{Kind: d.Kind, Field: field, Text: text}); p.Label() || w.described[d.Kind] != nil && site.Wording(text) {
				w.seen.add(p, doc.Person)
			}
		}
	}
}

// told are the wordings that enough persons' documents have, and no other field's has as often. Misread ones count for what they are like.
func (w *wordings) told() (out []site.Printed) {
	all := ordered(w.seen.told())
	slices.SortStableFunc(all, func(a, b site.Printed) int { return cmp.Compare(len(w.seen[b]), len(w.seen[a])) })
	for _, p := range all {
		label := w.labelOf(p.Kind, p.Field)
		persons := float64(len(w.seen[p]))
		if persons < wordingShare*float64(w.of[site.Printed{Kind: p.Kind, Field: p.Field}]) || w.known(p) {
			continue
		}
		if slices.ContainsFunc(out, func(o site.Printed) bool { return o.Kind == p.Kind && arabic.Likeness(o.Text, p.Text) >= sameWording }) {
			continue // one that is oftener
		}
		if slices.ContainsFunc(all, func(o site.Printed) bool {
			return o.Kind == p.Kind && o.Text == p.Text && w.labelOf(o.Kind, o.Field) != label && float64(len(w.seen[o])) > ambiguous*persons
		}) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// span is where a value stands: words from up to but not including to of a line, behind another value that ends at after.
type span struct{ line, from, to, after int }

// locate finds the stretch of text that is most like a value.
func locate(lines []appliance.Line, value string) (best span, ok bool) {
	most := sameValue
	for _, want := range printedAs(value) {
		n := len(strings.Fields(want))
		for i := range lines {
			words := strings.Fields(folded(lines[i].Text))
			for from := range words {
				for to := from + 1; n > 0 && to <= min(len(words), from+n+2); to++ {
					if like := arabic.Likeness(strings.Join(words[from:to], " "), want); like > most || like == most && !ok {
						best, most, ok = span{line: i, from: from, to: to}, like, true
					}
				}
			}
		}
	}
	return best, ok
}

// printedAs are the ways in which a value may be printed: a day with its year first or last.
func printedAs(value string) []string {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return []string{folded(value)}
	}
	return []string{day.Format("2006/01/02"), day.Format("02/01/2006")}
}

// folded is a text as text is compared: with western digits, and without the signs after a label.
func folded(text string) string {
	text = arabic.FoldDigits(text)
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(":؛;،", r) }), " ")
}

// introduction is the text that may introduce a value: what stands before it in its line or, where nothing does, the nearest line above it
// or beside it that holds no value; "" where there is none.
func introduction(lines []appliance.Line, s span, values map[string]span) string {
	words := strings.Fields(folded(lines[s.line].Text))
	if s.from > 0 {
		return wording(words[max(s.after, s.from-labelWords):s.from])
	}
	nearest, least := -1, math.Inf(1)
	of := boxOf(lines[s.line].Quad)
	for i := range lines {
		if far, ok := of.before(boxOf(lines[i].Quad)); ok && i != s.line && far < least {
			nearest, least = i, far
		}
	}
	for _, v := range values {
		if v.line == nearest {
			return ""
		}
	}
	if nearest < 0 {
		return ""
	}
	return wording(strings.Fields(folded(lines[nearest].Text)))
}

// wording is words without what is no letter at their ends.
func wording(words []string) string {
	return strings.TrimFunc(strings.Join(words, " "), func(r rune) bool { return !unicode.IsLetter(r) })
}

// box is the upright rectangle about a line.
type box struct{ left, top, right, bottom float64 }

func (b box) height() float64 { return b.bottom - b.top }
func (b box) middle() float64 { return (b.top + b.bottom) / 2 }

// before is how far from a value a line is that may introduce it: right above it, ending alike, or at its right in one row.
func (b box) before(o box) (far float64, ok bool) {
	height := math.Max(b.height(), o.height())
	above, beside := b.top-o.bottom, o.left-b.right
	switch {
	case above > -height/2 && above < height && math.Abs(b.right-o.right) < 2*height:
		return math.Max(above, 0), true
	case math.Abs(b.middle()-o.middle()) < height/2 && beside > -height/2 && beside < 6*height:
		return math.Max(beside, 0), true
	}
	return 0, false
}

func boxOf(q appliance.Quad) box {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range q {
		b.left, b.right, b.top, b.bottom = min(b.left, p.X), max(b.right, p.X), min(b.top, p.Y), max(b.bottom, p.Y)
	}
	return b
}
