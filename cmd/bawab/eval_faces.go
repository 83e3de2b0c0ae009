package main

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

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/face"
	"github.com/bawab/bawab/models"
)

func evalFacesCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "faces DIR", Short: "face match: how often persons match themselves and others",
		Long: `Compares the pairs of pictures that DIR/pairs.csv lists, with the header a,b,same: two files below DIR, and 1 for one person or 0
for two. A further column kind names the document that picture a shows, as national_id_front; then its portrait is compared with b, and
otherwise the one face of a.

Every picture goes the way of a request, from its bytes to the embedding. A picture that a face match would refuse (4206, 4207,
4208, 4209) is a failure to acquire, and its pairs do not match: of one person a miss, of two none. Pairs of a file that cannot be
read do not count. Rates come with their 95 % Wilson interval. FMR is the share of pairs of two persons that match, TAR that of pairs of one person (FNMR is the rest). TAR at a
rate takes its threshold from the pairs of two persons of this set; the fixed threshold is that of face.fmr. With --cross every two
pictures in different folders also count as a pair of two persons, which gives low rates a base.`,
	}, func(fs *flag.FlagSet) action {
		v := &faceEval{}
		fs.BoolVar(&v.cross, "cross", false, "also compare all pictures of different folders")
		fs.StringVar(&v.dump, "dump", "", "also write the cosine of every pair to `FILE` as CSV, to calibrate by")
		return v.flags(fs, v.run)
	})
}

// faceEval is one call of the command.
type faceEval struct {
	evaluation
	cross bool
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

// failure implements examination.
func (o acquired) failure() (string, error) { return o.name, o.err }

func (v *faceEval) run(ctx context.Context, t *terminal) error {
	pairs, err := v.pairs()
	if err != nil {
		return err
	}
	cfg, err := v.place.load(t, nil)
	if err != nil {
		return err
	}
	var files []faceFile
	for _, p := range pairs {
		files = append(files, p.a, p.b)
	}
	slices.SortFunc(files, func(a, b faceFile) int {
		return slices.Compare([]string{a.name, string(a.kind)}, []string{b.name, string(b.kind)})
	})
	files = slices.Compact(files)
	r, err := openReport[faceScore](&v.evaluation, formEvalFaces)
	if err != nil {
		return err
	}
	outcomes, err := examineAll(ctx, t, &v.evaluation, files, v.acquire)
	if err != nil {
		return err
	}
	set, err := models.Open()
	if err != nil {
		return err
	}
	m, err := set.Model(modelEmbedder)
	if err != nil {
		return fmt.Errorf("measure faces: %w", err)
	}
	scale, err := scaleOf(m)
	if err != nil {
		return err
	}
	limit, _ := face.Threshold(cfg.Face.Percent())
	compared := v.compareAll(pairs, outcomes)
	if v.dump != "" {
		if err := dumpPairs(v.dump, compared); err != nil {
			return err
		}
	}
	return r.deliver(t, scoreFaces(outcomes, compared, scale, limit),
		func(w io.Writer) { printMismatched(w, outcomes, compared, scale, limit) })
}

// pairs reads the list of pairs.
func (v *faceEval) pairs() (all []facePair, err error) {
	refuse := func(msg string, err error) error {
		return &appliance.Error{Op: "read pairs", Msg: msg, Hint: "see `bawab eval faces --help` for the form of pairs.csv", Err: err}
	}
	name := filepath.Join(v.dir, "pairs.csv")
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
func (v *faceEval) acquire(ctx context.Context, e *engine, f faceFile) (o acquired) {
	o.faceFile = f
	if e.faces.finder == nil {
		o.err = appliance.Errorf(appliance.CodeNotBuilt, "this binary carries no networks for faces")
		return o
	}
	began := time.Now()
	defer func() { o.elapsed = time.Since(began) }()
	p, err := v.decode(ctx, e, f.name)
	if err != nil {
		o.err = err
		return o
	}
	if f.kind != "" {
		o.portrait(ctx, e, p)
		return o
	}
	found, err := e.faces.finder.FindFaces(ctx, p)
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
		o.embedding, o.err = e.faces.matcher.Embed(ctx, p, found[0])
	}
	return o
}

// portrait reads a document and takes its portrait.
func (o *acquired) portrait(ctx context.Context, e *engine, p *appliance.Picture) {
	endpoint, _ := endpointOf(o.kind)
	reading, err := e.readers()[endpoint].Read(ctx, p, nil)
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
func (v *faceEval) compareAll(pairs []facePair, outcomes []acquired) []comparedPair {
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
	if !v.cross {
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
	return dump(name, rows)
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
