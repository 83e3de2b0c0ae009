// Package person measures what is told of people: faces that match, bursts that are live, media that were injected.
package person

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/face"
	"github.com/bawab/bawab/models"
)

// Faces is one call of the command.
type Faces struct {
	eval.Call
	Cross bool
}

// facePair is two pictures, and whether they show one person.
type facePair struct {
	a, b faceFile
	same bool
}

// faceFile is a picture; kind is that of the document that it shows, "" for a photograph of a person.
type faceFile struct {
	name string
	kind appliance.Kind
}

// acquired is what became of one picture.
type acquired struct {
	faceFile
	embedding appliance.Embedding // nil where a face match would refuse the picture
	code      appliance.Code      // why
	err       error               // anything else
	elapsed   time.Duration
}

// Failure implements eval.Outcome.
func (o acquired) Failure() (string, error) { return o.name, o.err }

// Run measures how faces are compared.
func (v *Faces) Run(ctx context.Context) error {
	pairs, err := v.pairs()
	if err != nil {
		return err
	}
	cfg, err := v.Load()
	if err != nil {
		return err
	}
	files := filesOf(pairs)
	r, err := eval.OpenReport[faceScore](&v.Call, formFaces)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, files, v.acquire)
	if err != nil {
		return err
	}
	set, err := models.Open()
	if err != nil {
		return err
	}
	m, err := set.Model(engine.ModelEmbedder)
	if err != nil {
		return fmt.Errorf("measure faces: %w", err)
	}
	scale, err := engine.ScaleOf(m)
	if err != nil {
		return err
	}
	limit, _ := face.Threshold(cfg.Face.Percent())
	compared := v.compareAll(pairs, outcomes)
	if v.Dump != "" {
		if err := dumpPairs(v.Dump, compared); err != nil {
			return err
		}
	}
	return r.Deliver(scoreFaces(outcomes, compared, scale, limit),
		func(w io.Writer) { printMismatched(w, outcomes, compared, scale, limit) })
}

// pairs reads the list of pairs.
func (v *Faces) pairs() (all []facePair, err error) {
	refuse := func(msg string, err error) error {
		return &appliance.Error{Op: "read pairs", Msg: msg, Hint: "see `bawab eval faces --help` for the form of pairs.csv", Err: err}
	}
	name := filepath.Join(v.Dir, "pairs.csv")
	f, err := os.Open(name)
	if err != nil {
		return nil, refuse("there is no list of pairs", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, refuse(name, err)
	}
	if len(rows) < 2 || len(rows[0]) < 3 || !slices.Equal(rows[0][:3], []string{"a", "b", "same"}) {
		return nil, refuse(name+": the first line is not a,b,same, or nothing follows it", nil)
	}
	for i, row := range rows[1:] {
		p := facePair{a: faceFile{name: row[0]}, b: faceFile{name: row[1]}, same: row[2] == "1"}
		if row[2] != "0" && row[2] != "1" {
			return nil, refuse(fmt.Sprintf("%s, line %d: same is %q instead of 0 or 1", name, i+2, row[2]), nil)
		}
		if len(row) > 3 && row[3] != "" {
			if p.a.kind = appliance.Kind(row[3]); !p.a.kind.Identity() {
				return nil, refuse(fmt.Sprintf("%s, line %d: %q is no identity document", name, i+2, row[3]), nil)
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// acquire takes one picture from its bytes to an embedding, as a request would.
func (v *Faces) acquire(ctx context.Context, e *engine.Engine, f faceFile) (o acquired) {
	o.faceFile = f
	if e.Faces.Finder == nil {
		o.err = appliance.Errorf(appliance.CodeNotBuilt, "this binary carries no networks for faces")
		return o
	}
	began := time.Now()
	defer func() { o.elapsed = time.Since(began) }()
	p, err := v.Decode(ctx, e, f.name)
	if err != nil {
		o.err = err
		return o
	}
	if f.kind != "" {
		o.portrait(ctx, e, p)
		return o
	}
	found, err := e.Faces.Finder.FindFaces(ctx, p)
	switch {
	case err != nil:
		o.err = err
	case len(found) == 0:
		o.code = appliance.CodeNoFace
	case len(found) > 1:
		o.code = appliance.CodeManyFaces
	case len(found[0].Quality.Faults) > 0:
		o.code = appliance.CodeFaceUnclear
	default:
		o.embedding, o.err = e.Faces.Matcher.Embed(ctx, p, found[0])
	}
	return o
}

// portrait reads a document and takes its portrait.
func (o *acquired) portrait(ctx context.Context, e *engine.Engine, p *appliance.Picture) {
	endpoint, _ := appliance.EndpointOf(o.kind)
	reading, err := e.Readers()[endpoint].Read(ctx, p, nil)
	switch {
	case appliance.CodeOf(err) == appliance.CodeNoDocument && err != nil:
		o.code = appliance.CodeNoDocument
	case err != nil:
		o.err = err
	case len(reading.Documents) == 0 || reading.Documents[0].Portrait == nil:
		o.code = appliance.CodeNoPortrait
	default:
		o.embedding = reading.Documents[0].Portrait.Embedding
	}
}

// comparedPair is a pair with the cosine of its embeddings; acquired is false where either is missing.
type comparedPair struct {
	facePair
	crossed  bool // not listed
	acquired bool
	cosine   float64
}

// compareAll compares the listed pairs, and with --cross all pictures of different folders, as far as their files could be
// read.
func (v *Faces) compareAll(pairs []facePair, outcomes []acquired) []comparedPair {
	by := map[faceFile]appliance.Embedding{}
	for i := range outcomes {
		if outcomes[i].err == nil {
			by[outcomes[i].faceFile] = outcomes[i].embedding
		}
	}
	var all []comparedPair
	compare := func(p facePair, crossed bool) {
		a, readA := by[p.a]
		b, readB := by[p.b]
		if readA && readB {
			all = append(all, comparedPair{p, crossed, len(a) > 0 && len(b) > 0, face.Cosine(a, b)})
		}
	}
	for _, p := range pairs {
		compare(p, false)
	}
	if !v.Cross {
		return all
	}
	for i := range outcomes {
		for j := range i {
			a, b := outcomes[i].faceFile, outcomes[j].faceFile
			if path.Dir(a.name) != path.Dir(b.name) {
				compare(facePair{a: a, b: b}, true)
			}
		}
	}
	return all
}

// dumpPairs writes one line for each pair that was compared.
func dumpPairs(name string, compared []comparedPair) error {
	rows := [][]string{{"a", "b", "same", "cosine"}}
	for _, c := range compared {
		cosine := ""
		if c.acquired {
			cosine = strconv.FormatFloat(c.cosine, 'f', 5, 64)
		}
		rows = append(rows, []string{c.a.name, c.b.name, map[bool]string{true: "1", false: "0"}[c.same], cosine})
	}
	return eval.WriteTable(name, rows)
}

// printMismatched lists the pictures that a face match would refuse and the pairs that it would judge wrongly.
func printMismatched(w io.Writer, outcomes []acquired, compared []comparedPair, s face.Scale, limit float64) {
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.err != nil:
			fmt.Fprintf(w, "%s: failed: %v\n", o.name, o.err)
		case o.embedding == nil:
			fmt.Fprintf(w, "%s: refused: %d\n", o.name, o.code)
		}
	}
	for _, c := range compared {
		if c.acquired && (s.Similarity(c.cosine) >= limit) != c.same {
			fmt.Fprintf(w, "%s, %s: same %v, similarity %.3f\n", c.a.name, c.b.name, c.same, s.Similarity(c.cosine))
		}
	}
}
