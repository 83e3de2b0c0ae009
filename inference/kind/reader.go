package kind

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/doubt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/search"
)

// finder finds the documents of a picture, largest first; outline.Finder is the one there is.
type finder interface {
	Find(ctx context.Context, p *appliance.Picture) ([]outline.Found, error)
}

// Tools are what Readers work with. They stay the caller's and are shared by all Readers.
type Tools struct {
	Finder   finder
	Detector *line.Detector
	Words    page.Words
	Digits   page.Digits
	// Calibration is that of the document engine.
	Calibration *form.Calibration
	// Now gives the time in the zone in which documents expire.
	Now func() time.Time
}

// Reader reads the documents of one kind. It is safe for concurrent use.
type Reader struct {
	Tools
	description *form.Description
	model       appliance.KindModel
}

// New makes a reader of the kind that is described.
func New(d *form.Description, t Tools) *Reader {
	return &Reader{Tools: t, description: d, model: appliance.KindModel{Kind: d.Kind, Title: titleOf(d), Fields: d.Model()}}
}

// titleOf is the first wording of a kind's first title, "" where it has none.
func titleOf(d *form.Description) string {
	i := slices.IndexFunc(d.Labels, func(l form.Label) bool { return len(d.Titles) > 0 && l.Name == d.Titles[0] })
	if i < 0 {
		return ""
	}
	return d.Labels[i].Wordings[0]
}

// Model is the kind as answers have it.
func (r *Reader) Model() appliance.KindModel { return r.model }

const (
	// mostOutlines is how many documents of a picture are read at most, the largest first.
	mostOutlines = 4
	// mostTried is how many ways are tried in all; a picture that shows no document of the kind costs that much.
	mostTried = 10
	// legible is the clarity from which on print lies upright: turned, it is read as signs of which few are clear.
	legible = 0.8
)

// What a way to read a picture costs: the first documents come first, the picture as a whole and what looks like a mirror image last.
const (
	turnedCost   = 0.5
	mirroredCost = 3
	wholeCost    = 5
)

// candidate is a document as it was read, and the outline that it was read in.
type candidate struct {
	document appliance.Document
	place    int // of the outline among those found; -1 for the whole picture
	blank    bool
}

// Read reads the document of the kind that the picture shows. A document that its print does not prove to be of the kind is returned as
// Unknown, all its values doubted; a picture in which no document was found and nothing is proved has none.
func (r *Reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	var out appliance.Reading
	var found []outline.Found
	err := stage(ctx, &out, "find", func(ctx context.Context) (err error) {
		found, err = r.Finder.Find(ctx, p)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("read %s: %w", r.model.Kind, err)
	}
	var best search.Outcome[candidate]
	err = stage(ctx, &out, "read", func(ctx context.Context) (err error) {
		best, err = search.Best(ctx, mostTried, r.ways(p, found, earlier)...)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("read %s: %w", r.model.Kind, err)
	}
	for i, f := range found {
		if i != best.Value.place {
			out.Others = append(out.Others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	if best.Proved || best.Value.place >= 0 && !best.Value.blank {
		out.Documents = []appliance.Document{best.Value.document}
	}
	return out, nil
}

// stage does a step of the work, and notes how long it took and what the networks did.
func stage(ctx context.Context, out *appliance.Reading, name string, do func(context.Context) error) error {
	var work inference.Work
	began := time.Now()
	err := do(inference.WithWork(ctx, &work))
	runs, macs := work.Total()
	out.Stages = append(out.Stages, appliance.Stage{Name: name, Elapsed: time.Since(began), Runs: runs, MACs: macs})
	return err
}

// ways are the hypotheses of what the picture shows: the document lies in one of the outlines, or fills the picture.
func (r *Reader) ways(p *appliance.Picture, found []outline.Found, earlier []appliance.Document) (all []search.Hypothesis[candidate]) {
	for i, f := range found[:min(len(found), mostOutlines)] {
		cost := float64(i)
		if f.Mirrored {
			cost += mirroredCost
		}
		all = append(all, r.way(p, f, i, 0, cost, earlier))
	}
	w, h := float64(p.Width), float64(p.Height)
	whole := outline.Found{Quad: appliance.Quad{{}, {X: w}, {X: w, Y: h}, {Y: h}}, CutOut: true}
	return append(all, r.way(p, whole, -1, 0, wholeCost, earlier))
}

// way is the hypothesis that the document lies in an outline, turned by so many quarters. Where print is not legible it gives rise to the
// other ways to turn it, upside down first.
func (r *Reader) way(
	p *appliance.Picture, f outline.Found, place, quarters int, cost float64, earlier []appliance.Document,
) search.Hypothesis[candidate] {
	try := func(ctx context.Context) (search.Outcome[candidate], error) {
		c, read, err := r.readIn(ctx, p, f, quarters, earlier)
		if err != nil {
			return search.Outcome[candidate]{}, err
		}
		c.place = place
		out := search.Outcome[candidate]{Value: c, Score: score(&read), Proved: read.Proved()}
		if place < 0 && !out.Proved { // whatever shows no outline may be anything
			out.Score = math.Inf(-1)
		}
		if quarters == 0 && !(read.Clarity >= legible) {
			for i, q := range []int{2, 1, 3} {
				out.More = append(out.More, r.way(p, f, place, q, cost+turnedCost*float64(i+1), earlier))
			}
		}
		return out, nil
	}
	return search.Hypothesis[candidate]{Cost: cost, Try: try}
}

// score says how well a document could be read: of how many values one can be sure.
func score(r *form.Reading) (sum float64) {
	for _, f := range r.Fields {
		if f.Value != "" {
			sum += f.Confidence
		}
	}
	return sum
}

// lay lays an outline flat, its first corner at the top left, and finds its lines; nil where it is none.
func (r *Reader) lay(ctx context.Context, p *appliance.Picture, q appliance.Quad) (*page.Page, error) {
	view, ok := page.Lay(p, q, r.description.Size)
	if !ok {
		return nil, nil
	}
	lines, err := view.Detect(ctx, r.Detector)
	return page.New(view, lines, r.Words, r.Digits, &r.Calibration.Page), err
}

// readIn reads what lies in an outline, turned by so many quarters.
func (r *Reader) readIn(
	ctx context.Context, p *appliance.Picture, f outline.Found, quarters int, earlier []appliance.Document,
) (candidate, form.Reading, error) {
	q := f.Quad
	for i := range q {
		q[i] = f.Quad[(i+quarters)%len(q)]
	}
	laid, err := r.lay(ctx, p, q)
	if err != nil || laid == nil {
		return candidate{blank: true}, form.Reading{}, err
	}
	read, err := r.description.Fit(ctx, laid, r.Calibration, field.Known{Now: r.Now(), Earlier: earlier})
	if err != nil {
		return candidate{}, read, err
	}
	f.Quad = q
	d := read.Document
	d.Quad, d.Model, d.Capture = q, r.model.Fields, scene.Capture(p, scene.Card{Found: f})
	if !read.Proved() { // it may be anything
		d.Kind = appliance.Unknown
		doubt.Below(&d, math.Inf(1))
	}
	return candidate{document: d, blank: score(&read) == 0}, read, nil
}

// Explain says how the document that the picture shows was taken apart: for whoever describes the kind.
func (r *Reader) Explain(ctx context.Context, p *appliance.Picture) (string, error) {
	reading, err := r.Read(ctx, p, nil)
	if err != nil {
		return "", err
	}
	if len(reading.Documents) == 0 {
		return "no document was found\n", nil
	}
	d := reading.Documents[0]
	laid, err := r.lay(ctx, p, d.Quad)
	if err != nil || laid == nil {
		return "", err
	}
	verdict := "proved: it is of the kind " + string(r.model.Kind) + "\n"
	if d.Kind != r.model.Kind {
		verdict = "not proved: no title of the kind was found, and fewer fields that prove it than it takes\n"
	}
	return verdict + r.description.Explain(ctx, laid, r.Calibration), nil
}
