package form

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
)

// Survey is what a description makes of a page before values are read.
type Survey struct {
	// Named tells that the document says what it is: it shows a title of its kind.
	Named bool
	// Clarity is the mean probability of the signs of its print, and Legible how well it could be read, from 0 to 1.
	Clarity, Legible float64
	// Said are the labels that it shows, each once, and Print is what stands beside them.
	Said, Print []string
}

// Reading is what a description makes of a page.
type Reading struct {
	appliance.Document
	Survey
	// Proofs counts the fields that only its kind has and that were surely read, or show a form of their own.
	Proofs int
}

// EnoughProofs is how many fields that only its kind has prove a document that shows no title.
const EnoughProofs = 2 // contract: the loader of descriptions asks for as many

// Proved reports whether the print shows that the document is one of its kind: by a title or by what only it has.
func (r *Reading) Proved() bool { return r.Named || r.Proofs >= EnoughProofs }

// answer is a field as it was read, with what speaks for it.
type answer struct {
	field.Value
	field     *Field
	lines     []int // the stretches, from the top
	margin    float64
	agrees    float64   // with another field: 1 where both say the same, -1 where they surely do not, 0 where nothing is known
	swapped   bool      // with another field whose value must be the greater, or not though it is less than that
	ambiguous bool      // the likeliest assignment in which its print is something else, or print of no field is its, is nearly as likely
	anew      []feature // what further cuts of its print say, none where it was sure
	speaks    []feature // for and against it being right
}

// Survey looks at the labels of a page and at what stands between them. It reads no values.
func (d *Description) Survey(ctx context.Context, p *page.Page, c *Calibration) (Survey, error) {
	s, err := d.read(ctx, p, c)
	if err != nil {
		return Survey{}, fmt.Errorf("read %s: %w", d.Kind, err)
	}
	return s.survey(), nil
}

// survey tells what the labels and the stretches say.
func (s *sheet) survey() Survey {
	v := Survey{Clarity: s.clarity, Legible: s.legible()}
	for _, l := range s.labels {
		if !slices.Contains(v.Said, l.Label) {
			v.Said = append(v.Said, l.Label)
		}
		v.Named = v.Named || slices.Contains(s.description.Titles, l.Label)
	}
	for i := range s.stretches {
		v.Print = append(v.Print, s.stretches[i].said)
	}
	return v
}

// Fit reads a page as a document of a description.
func (d *Description) Fit(ctx context.Context, p *page.Page, c *Calibration, known field.Known) (Reading, error) {
	s, answers, err := d.answers(ctx, p, c, known)
	if err != nil {
		return Reading{}, fmt.Errorf("read %s: %w", d.Kind, err)
	}
	r := Reading{Document: appliance.Document{Kind: d.Kind}, Survey: s.survey()}
	for i := range answers {
		s.record(&r, &answers[i])
	}
	return r, nil
}

// answers are what a page answers for each field, before it is judged.
func (d *Description) answers(ctx context.Context, p *page.Page, c *Calibration, known field.Known) (*sheet, []answer, error) {
	s, err := d.read(ctx, p, c)
	if err != nil {
		return nil, nil, err
	}
	s.known = known
	s.known.Values, s.known.Kind = map[string]field.Value{}, d.Kind
	s.assign()
	if err := s.join(ctx); err != nil {
		return nil, nil, err
	}
	s.deal()
	answers, err := s.decode(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range answers {
		if a := &answers[i]; len(a.lines) > 0 {
			a.Value = s.follow(a.field, a.Value)
		}
	}
	s.settle(answers)
	s.check(answers)
	if err := s.lookAnew(ctx, answers); err != nil && !errors.Is(err, inference.ErrBudget) {
		return nil, nil, err
	}
	return s, answers, nil
}

// decode reads the value of each field. What was read is known to those after it.
func (s *sheet) decode(ctx context.Context) ([]answer, error) {
	d := s.description
	answers, misread := make([]answer, len(d.Fields)), d.Misread.With(s.misread.Misread(s.TellingMisread))
	for i := range d.Fields {
		a := &answers[i]
		a.field, a.margin = &d.Fields[i], 20 // guard: as of a share of 0
		for k, r := range s.given {
			if r.field == i {
				a.lines, a.margin = append(a.lines, k), min(a.margin, s.margins[k])
				s.stretches[k].Through(misread)
			}
		}
		a.ambiguous = s.wavers(i, len(a.lines) > 0)
		if len(a.lines) == 0 {
			continue
		}
		var err error
		if a.Value, err = d.decoder(a.field).Decode(ctx, s.inkOf(a), s.known); err != nil {
			return nil, fmt.Errorf("read %s: %w", a.field.Name, err)
		}
		s.known.Values[a.field.Name] = a.Value
	}
	return answers, nil
}

// wavers reports whether print of a field is nearly as likely something else or, where it has none, print of none is nearly as likely its.
func (s *sheet) wavers(field int, printed bool) bool {
	for k, r := range s.given {
		if its := r.field == field || !printed && r == none && s.instead[k].field == field; its && s.together[k] < s.Even {
			return true
		}
	}
	return false
}

// inkOf is the print of an answer, line by line.
func (s *sheet) inkOf(a *answer) (out []*page.Ink) {
	for _, k := range a.lines {
		out = append(out, &s.stretches[k].Ink)
	}
	return out
}

// lookAnew looks at print in further cuts where what it says is likely and not sure.
func (s *sheet) lookAnew(ctx context.Context, answers []answer) error {
	for i := range answers {
		a := &answers[i]
		odds := field.LogOdds(s.confidence(a))
		if a.Text == "" || len(a.lines) == 0 || odds < 0 || odds >= field.LogOdds(s.Sure) {
			continue
		}
		others, gain, err := field.Anew(ctx, s.inkOf(a), a.Value, func(ink []*page.Ink) (field.Value, error) {
			v, err := s.description.decoder(a.field).Decode(ctx, ink, s.known)
			return s.follow(a.field, v), err
		})
		if err != nil {
			return fmt.Errorf("read %s anew: %w", a.field.Name, err)
		}
		a.anew = []feature{{"any", 1}, {"sure", odds}, {"others", float64(others)}, {"gain", gain}}
	}
	return nil
}

// follow is the value of a field completed by what follows from others.
func (s *sheet) follow(f *Field, v field.Value) field.Value {
	if follows := s.description.knowledge.Follows[f.Decoder]; follows != nil {
		return follows(v, s.known)
	}
	return v
}

// settle holds the values of fields against each other.
func (s *sheet) settle(answers []answer) {
	d := s.description
	both := func(first, second string) (a, b *answer) { return &answers[d.field(first)], &answers[d.field(second)] }
	for _, o := range d.Orders {
		s.order(both(o.First, o.Second))
	}
	for _, b := range d.Begins {
		begin(both(b.First, b.Rest))
	}
	for _, g := range d.Agrees {
		a, b := both(g.A, g.B)
		agree(a, b, d.knowledge.Agreements[g.By])
	}
}

// order gives the lesser of two values to the first field. What it moves to another field is in doubt. Of two of which a label announces
// one alone, as the date of issue beside a day of birth, the other is wrong, and stays in doubt.
func (s *sheet) order(a, b *answer) {
	if a.Text == "" || b.Text == "" || a.Text <= b.Text {
		return
	}
	if first, second := s.announced(a, b), s.announced(b, a); first != second {
		a.swapped, b.swapped = second, first
		return
	}
	a.Value, b.Value, a.lines, b.lines, a.margin, b.margin = b.Value, a.Value, b.lines, a.lines, b.margin, a.margin
	a.swapped, b.swapped = s.announced(a, b), s.announced(b, a)
}

// begin gives print in the rest of a value alone to its first line, in doubt.
func begin(first, rest *answer) {
	if len(first.lines) == 0 && rest.Text != "" {
		first.Value, first.lines, first.margin, first.ambiguous = rest.Value, rest.lines, rest.margin, true
		rest.Value, rest.lines = field.Value{}, nil
	}
}

// agree notes whether two values say the same in two ways: then neither is anything else.
func agree(a, b *answer, c field.Comparison) {
	if a.Text == "" || b.Text == "" {
		return
	}
	switch same, other := c.Compare(a.Text, b.Text); {
	case same:
		a.agrees, b.agrees, a.ambiguous, b.ambiguous = 1, 1, false, false
	case other:
		a.agrees, b.agrees = -1, -1
	default:
		a.agrees, b.agrees = -0.5, -0.5 // feature
	}
}

// announced reports whether a label announces the value of a field: any label but those of another field.
func (s *sheet) announced(a, but *answer) bool {
	by := func(l link) bool { return l.announces() && !slices.Contains(but.field.Labels, l.label) }
	return len(a.lines) > 0 && slices.ContainsFunc(s.stretches[a.lines[0]].links, by)
}
