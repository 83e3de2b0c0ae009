package form

import (
	"context"
	"fmt"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
)

// Stretch is print between labels, for whoever learns what it is: what it says, where its middle stands in the picture, and what it may be.
type Stretch struct {
	Said    string
	Middle  appliance.Point
	Choices []Choice
}

// Choice is what a stretch may be, none of the fields where Field is "", with what speaks for it. Of a series it is the first field.
type Choice struct {
	Field    string
	Further  bool // a further line of the field's value
	Features map[string]float64
}

// Stretches takes a page apart. Of each stretch the first choice is none. Of c the weights do not count.
func (d *Description) Stretches(ctx context.Context, p *page.Page, c *Calibration) ([]Stretch, error) {
	s, err := d.read(ctx, p, c)
	if err != nil {
		return nil, err
	}
	roles := d.roles()
	out := make([]Stretch, len(s.stretches))
	for i := range s.stretches {
		x := &s.stretches[i]
		out[i] = Stretch{Said: x.said, Middle: s.ToPicture.Apply(x.Line().Middle())}
		for _, r := range roles {
			c := Choice{Further: r.further, Features: byName(s.features(i, r))}
			if r.field >= 0 {
				c.Field = d.Fields[r.field].Name
			}
			out[i].Choices = append(out[i].Choices, c)
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

// Evidence is what speaks for a value that was read.
type Evidence struct {
	Field, Decoder, Text string
	Features             map[string]float64
	Anew                 map[string]float64 // what further cuts of its print say, nothing where it was sure
}

// Evidence reads a page and tells what speaks for each value that was read.
func (d *Description) Evidence(ctx context.Context, p *page.Page, c *Calibration, known field.Known) (out []Evidence, err error) {
	_, answers, err := d.answers(ctx, p, c, known)
	for i := range answers {
		if a := &answers[i]; len(a.lines) > 0 && a.Text != "" {
			out = append(out, Evidence{a.field.Name, a.field.Decoder, a.Text, byName(a.speaks), byName(a.anew)})
		}
	}
	return out, err
}

// Explain says in words how a page was taken apart and what each stretch was taken for: for whoever describes a new kind.
func (d *Description) Explain(ctx context.Context, p *page.Page, c *Calibration) string {
	s, err := d.read(ctx, p, c)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for _, l := range s.labels {
		fmt.Fprintf(&out, "label %-18s %-30q cost %.1f at %.2f, %.2f\n", l.Label, l.Wording, l.Cost, l.middle()/s.Width, l.y/s.Height)
	}
	s.assign()
	for i, r := range s.given {
		x := &s.stretches[i]
		what := "-"
		if r.field >= 0 {
			what = d.Fields[r.field].Name + either(r.further, ", further", "")
		}
		fmt.Fprintf(&out, "print %-28s %-40q margin %.1f (%.1f together) clarity %.2f at %.2f, %.2f",
			what, x.said, s.margins[i], s.together[i], x.clear, x.middle()/s.Width, x.y/s.Height)
		for _, l := range x.links {
			fmt.Fprintf(&out, "; %s %s", l.how, l.label)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
