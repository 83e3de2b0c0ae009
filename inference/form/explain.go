package form

import (
	"context"
	"fmt"
	"strings"

	"github.com/bawab/bawab/inference/page"
)

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
			what = d.Fields[r.field].Name
		}
		if r.further {
			what += ", further"
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
