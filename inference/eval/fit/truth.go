package fit

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/edit"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/vision"
)

// lesson is a page with what it shows, as a generator wrote it down.
type lesson struct {
	description *form.Description
	page        *page.Page
	printed     []printed
	// values are those of the fields, covered the names of those that cannot be read.
	values  map[string]string
	covered []string
}

// printed is one printed line: what a generator calls that which stands on it, what it says and where it stands in the picture.
// Labels are no roles.
type printed struct {
	roles []string
	text  string
	quad  appliance.Quad
}

// example is one thing to learn from: the features of each choice, and which choice is right.
type example struct {
	choices []map[string]float64
	right   int
}

// verdict is a value that was read, with what speaks for it and whether it is right.
type verdict struct {
	form.Evidence
	right bool
}

// examples are what a page teaches about which print belongs to which field: one for each stretch.
func (l *lesson) examples(ctx context.Context, c *form.Calibration) ([]example, error) {
	stretches, err := l.description.Stretches(ctx, l.page, c)
	if err != nil {
		return nil, err
	}
	right := l.roles(stretches)
	out := make([]example, len(stretches))
	for i, x := range stretches {
		out[i].right = right[i]
		for _, c := range x.Choices {
			out[i].choices = append(out[i].choices, c.Features)
		}
	}
	return out, nil
}

// roles are the choices that are right for the stretches of a page.
func (l *lesson) roles(stretches []form.Stretch) []int {
	out := make([]int, len(stretches))
	begun := map[string]bool{}
	for i, x := range stretches {
		head, series := l.head(l.field(x))
		choice := slices.IndexFunc(x.Choices, func(c form.Choice) bool {
			return c.Field == head && c.Further == (begun[head] && !series)
		})
		if head != "" && choice >= 0 { // of a value of one line what follows is none
			out[i], begun[head] = choice, true
		}
	}
	return out
}

// head is the field that takes the print of a field, the first of its series where it is of one.
func (l *lesson) head(name string) (head string, series bool) {
	for _, names := range l.description.Series {
		if slices.Contains(names, name) {
			return names[0], true
		}
	}
	return name, false
}

// field is the field that a stretch truly belongs to, "" where it is none: the likest of those whose printed line it stands in.
func (l *lesson) field(x form.Stretch) string {
	best, most := "", 0.3
	for _, line := range l.printed {
		if !vision.Grown(line.quad, 0.08).Contains(x.Middle) {
			continue
		}
		for _, role := range line.roles {
			fields := l.description.Fields
			k := slices.IndexFunc(fields, func(f form.Field) bool { return f.Drawn == role || f.Name == role })
			if k < 0 {
				continue
			}
			like := alike(x.Said, shorter(line.text, l.values[fields[k].Name]))
			if like > most || len(line.roles) == 1 && best == "" {
				best, most = fields[k].Name, like
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

// judge reads a page and tells of each value whether it is right.
func (l *lesson) judge(ctx context.Context, c *form.Calibration) (out []verdict, err error) {
	found, err := l.description.Evidence(ctx, l.page, c, field.Known{Now: time.Now()})
	for _, e := range found {
		want, told := l.values[e.Field]
		covered := slices.Contains(l.covered, e.Field)
		if !told && !covered || covered && e.Text == want {
			continue // what can be read though it counts as covered is neither right nor wrong
		}
		out = append(out, verdict{e, !covered && (e.Text == want || l.shows(e.Field, e.Text))})
	}
	return out, err
}

// shows reports whether the print of a field says a text, where its truth differs from the print in signs between words alone: a generator
// that breaks a line may leave out the stroke at the break, and what is not printed is not misread.
func (l *lesson) shows(name, said string) bool {
	at := slices.IndexFunc(l.description.Fields, func(f form.Field) bool { return f.Name == name })
	f := l.description.Fields[at]
	var lines []string
	for _, line := range l.printed {
		if slices.Equal(line.roles, []string{f.Drawn}) || slices.Equal(line.roles, []string{f.Name}) {
			lines = append(lines, line.text)
		}
	}
	shown := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	return onlyWords(shown) == onlyWords(l.values[name]) && strings.TrimFunc(shown, between) == strings.TrimFunc(said, between)
}

// between reports whether a sign stands between words.
func between(sign rune) bool { return !unicode.IsLetter(sign) && !unicode.IsDigit(sign) }

// onlyWords leaves out what stands between words.
func onlyWords(said string) string {
	return strings.Map(func(r rune) rune {
		if between(r) {
			return -1
		}
		return r
	}, said)
}
