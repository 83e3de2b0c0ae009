package form

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/edit"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/vision"
)

// Truth is what a picture of a document shows, as a generator or a person wrote it down.
type Truth struct {
	Printed []Printed
	// Values are those of the fields, Covered the names of those that cannot be read.
	Values  map[string]string
	Covered []string
}

// Printed is one printed line: what a generator calls that which stands on it, what it says and where it stands in the picture.
// Labels are no roles.
type Printed struct {
	Roles []string
	Text  string
	Quad  appliance.Quad
}

// Example is one thing to learn from: the features of each choice, and which choice is right.
type Example struct {
	Choices []map[string]float64 `json:"choices"`
	Right   int                  `json:"right"`
}

// Examples are what a page teaches about which stretch belongs to which field: one for each stretch. Of w only numbers count that are no
// weights.
func (d *Description) Examples(ctx context.Context, p *page.Page, w Weights, truth Truth) ([]Example, error) {
	s, err := d.read(ctx, p, w)
	if err != nil {
		return nil, err
	}
	roles := d.roles()
	gold := s.gold(truth)
	out := make([]Example, len(s.stretches))
	for i := range s.stretches {
		out[i].Right = slices.Index(roles, gold[i])
		for _, r := range roles {
			out[i].Choices = append(out[i].Choices, byName(s.features(i, r)))
		}
	}
	return out, nil
}

// byName sums up features of one name.
func byName(fs []feature) map[string]float64 {
	out := make(map[string]float64, len(fs))
	for _, f := range fs {
		out[f.name] += f.value
	}
	return out
}

// gold are the true roles of the stretches.
func (s *sheet) gold(truth Truth) []role {
	out := make([]role, len(s.stretches))
	begun := map[int]bool{}
	for i := range s.stretches {
		out[i] = none
		best := s.goldField(&s.stretches[i], truth)
		if best < 0 {
			continue
		}
		best = s.description.Fields[best].head
		r := role{field: best, further: begun[best] && len(s.description.Fields[best].series) == 0}
		if r.further && s.description.Fields[best].Lines == 1 {
			continue
		}
		out[i], begun[best] = r, true
	}
	return out
}

// goldField is the field that a stretch truly belongs to, -1 where it is none: the likest of those whose printed line it stands in.
func (s *sheet) goldField(x *stretch, truth Truth) int {
	middle := s.ToPicture.Apply(page.Middle(x.Line()))
	best, most := -1, 0.3
	for _, line := range truth.Printed {
		if !vision.Contains(vision.Grown(line.Quad, 0.08), middle) {
			continue
		}
		for _, name := range line.Roles {
			k := s.description.drawn(name)
			if k < 0 {
				continue
			}
			like := alike(x.said, shorter(line.Text, truth.Values[s.description.Fields[k].Name]))
			if like > most || len(line.Roles) == 1 && best < 0 {
				best, most = k, like
			}
		}
	}
	return best
}

// alike is how much two texts are alike, 0 to 1, digits and letters by their signs.
func alike(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	return 1 - float64(edit.Distance(x, y))/float64(max(len(x), len(y), 1))
}

// shorter is the shorter of two texts: a line may hold more than a value, and a value more than a line.
func shorter(a, b string) string {
	if b != "" && len(b) < len(a) {
		return b
	}
	return a
}

// Judged is a value that was read, with what speaks for it and whether it is right. Checked reports whether a check of its own speaks for
// or against it.
type Judged struct {
	Field, Decoder string
	Features       map[string]float64
	Checked, Right bool
}

// Judge reads a page and tells of each value whether it is right.
func (d *Description) Judge(ctx context.Context, p *page.Page, w Weights, known field.Known, truth Truth) (out []Judged, err error) {
	_, err = d.fit(ctx, p, w, known, func(s *sheet, answers []answer) {
		for i := range answers {
			a := &answers[i]
			want, told := truth.Values[a.field.Name]
			covered := slices.Contains(truth.Covered, a.field.Name)
			if len(a.lines) == 0 || a.Text == "" || !told && !covered || covered && a.Text == want {
				continue // what can be read though it counts as covered is neither right nor wrong
			}
			right := a.Text == want && !covered
			out = append(out, Judged{a.field.Name, a.field.Decoder, byName(d.doubtFeatures(s, a)), len(a.Checks) > 0, right})
		}
	})
	return out, err
}
