// Package document measures how documents are read: kinds, fields, zones, texts, plates, and cues of fraud.
package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
)

// Documents is one call of the command.
type Documents struct {
	eval.Call
}

// photograph is one picture with its truth.
type photograph struct {
	File      string          `json:"file"`
	Documents []documentTruth `json:"documents"`
	Covered   []string        `json:"covered"`
	// Person names the holder, where a truth set knows him.
	Person string `json:"person"`
	// Case names what is wrong with a picture that cannot be read ("mirrored"); such pictures are counted by it.
	Case string `json:"case"`
}

// group is the name under which a photograph counts in the report.
func (p *photograph) group() string {
	switch {
	case p.Case != "":
		return p.Case
	case len(p.Documents) == 0:
		return noDocument
	}
	return string(p.Documents[0].Kind)
}

// documentTruth is what a document in a picture holds; corners are in pixels of the picture.
type documentTruth struct {
	Kind    appliance.Kind    `json:"kind"`
	Quad    corners           `json:"quad"`
	Fields  map[string]string `json:"fields"`
	Covered []string          `json:"covered"`

	own []appliance.FieldSpec // the fields of a kind that is none of the contract's
}

// model is the fields of its kind.
func (d *documentTruth) model() []appliance.FieldSpec {
	if model := d.Kind.Model(); model != nil {
		return model
	}
	return d.own
}

// completer returns what completes the photographs of a truth, whose documents may be of the contract's kinds or of those that the engine
// reads beside them.
func (v *Documents) completer(ctx context.Context) (func(*photograph) error, error) {
	kinds, err := v.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	return func(p *photograph) error { return p.complete(kinds) }, nil
}

// complete checks a truth and puts what is covered to its document.
func (p *photograph) complete(kinds []appliance.KindModel) error {
	if p.Documents == nil {
		return fmt.Errorf("%s: \"documents\" is missing; of a picture that shows none it is []", p.File)
	}
	if len(p.Documents) == 0 {
		return nil
	}
	p.Documents[0].Covered = append(p.Documents[0].Covered, p.Covered...)
	for i := range p.Documents {
		if err := p.Documents[i].complete(kinds); err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
	}
	return nil
}

// corners are those of an upright document, in pixels of the picture, as a truth writes them.
type corners [4][2]float64

func (c corners) quad() (q appliance.Quad) {
	for i, p := range c {
		q[i] = appliance.Point{X: p[0], Y: p[1]}
	}
	return q
}

// complete checks the truth of one document and composes its texts, as values are.
func (d *documentTruth) complete(kinds []appliance.KindModel) error {
	if i := slices.IndexFunc(kinds, func(k appliance.KindModel) bool { return k.Kind == d.Kind }); i >= 0 {
		d.own = kinds[i].Fields
	}
	model := d.model()
	if d.Kind == appliance.Unknown {
		d.Fields = nil
	} else if model == nil {
		return fmt.Errorf("there is no kind %q", d.Kind)
	}
	for name, value := range d.Fields {
		d.Fields[name] = norm.NFC.String(value)
		if !slices.ContainsFunc(model, func(f appliance.FieldSpec) bool { return f.Name == name }) {
			return fmt.Errorf("a %s has no field %q", d.Kind, name)
		}
	}
	return nil
}

// read is what became of one photograph.
type read struct {
	photograph
	readable bool // a reader exists for the kind
	found    bool
	err      error // other than that nothing was found
	document appliance.Document
	stages   []appliance.Stage
}

// Run measures how documents are read.
func (v *Documents) Run(ctx context.Context) error {
	complete, err := v.completer(ctx)
	if err != nil {
		return err
	}
	photographs, err := eval.ReadTruth(&v.Call, "documents", complete)
	if err != nil {
		return err
	}
	r, err := eval.OpenReport[DocumentScore](&v.Call, formDocuments)
	if err != nil {
		return err
	}
	pictures, err := eval.ExamineAll(ctx, &v.Call, photographs, v.examinePicture)
	if err != nil {
		return err
	}
	var outcomes []read
	var several []*severalRead
	for _, p := range pictures {
		outcomes = append(outcomes, p.documents...)
		if p.several != nil {
			several = append(several, p.several)
		}
	}
	if v.Dump != "" {
		if err := dumpFields(v.Dump, outcomes); err != nil {
			return err
		}
	}
	figures := scoreDocuments(outcomes)
	figures.Several = scoreSeveral(several)
	return r.Deliver(figures, func(w io.Writer) {
		printSeveral(w, several)
		printMisread(w, outcomes)
	})
}

// pictureRead is what became of one picture: of its largest document, or of all where it shows several.
type pictureRead struct {
	documents []read
	several   *severalRead
}

// Failure implements eval.Outcome.
func (p pictureRead) Failure() (string, error) { return p.documents[0].File, p.documents[0].err }

func (v *Documents) examinePicture(ctx context.Context, e *engine.Engine, p photograph) pictureRead {
	if len(p.Documents) < 2 {
		return pictureRead{documents: []read{v.examine(ctx, e, p)}}
	}
	documents, several := v.examineSeveral(ctx, e, p)
	return pictureRead{documents, several}
}

// examine reads one photograph as a request would.
func (v *Documents) examine(ctx context.Context, e *engine.Engine, p photograph) read {
	o := read{photograph: p}
	readers := e.Readers()
	var reader appliance.Reader // any tells the kind of a document that none is for
	for _, endpoint := range appliance.DocumentEndpoints() {
		if reader == nil && endpoint.Kind() != appliance.Unknown {
			reader = readers[endpoint]
		}
	}
	if len(p.Documents) > 0 {
		if r := e.ReaderOf(p.Documents[0].Kind); r != nil {
			reader, o.readable = r, true
		}
	}
	if reader == nil {
		o.err = errors.New("no reader for documents of this kind is built")
		return o
	}
	began := time.Now()
	decoded, err := v.Decode(ctx, e, p.File)
	if err != nil {
		o.err = err
		return o
	}
	o.stages = append(o.stages, appliance.Stage{Name: "decode", Elapsed: time.Since(began)})
	reading, err := reader.Read(ctx, decoded, nil)
	o.stages = append(o.stages, reading.Stages...)
	switch {
	case appliance.CodeOf(err) == appliance.CodeNoDocument:
	case err != nil:
		o.err = err
	case len(reading.Documents) > 0:
		o.found, o.document = true, reading.Documents[0]
	}
	return o
}

// result is how one field of a photograph was read.
type result struct {
	name       string
	truth      string
	value      string
	confidence float64
	codes      []appliance.Code
	covered    bool // the truth cannot be read
	failed     bool // the picture could not be read at all
}

// Doubted reports whether a code marks a value as doubtful. 3306 is about the document's dates, which may be read right.
func Doubted(codes []appliance.Code) bool {
	return slices.ContainsFunc(codes, func(c appliance.Code) bool {
		return c.Doubts() && c != appliance.CodeExpirySpan
	})
}

func (r result) exact() bool { return !r.failed && r.value == r.truth }

// alike reports whether the value is the truth but for how it is spelled: names and free text are compared so.
func (r result) alike() bool { return !r.failed && arabic.Fold(r.value) == arabic.Fold(r.truth) }

// silent reports whether the value misleads: it is wrong and nothing says so.
func (r result) silent() bool {
	return r.value != "" && !Doubted(r.codes) && (r.covered || !r.exact())
}

// results compares the fields of the truth, in the order of the model. A document of another kind has none of them.
func (o *read) results() []result {
	if len(o.Documents) == 0 || !o.readable {
		return nil
	}
	truth := o.Documents[0]
	var all []result
	for _, spec := range truth.model() {
		want, ok := truth.Fields[spec.Name]
		covered := slices.Contains(truth.Covered, spec.Name)
		if !ok && !covered {
			continue
		}
		r := result{name: spec.Name, truth: want, covered: covered, failed: o.err != nil}
		if o.found {
			f := o.document.Field(spec.Name)
			r.value, r.confidence, r.codes = f.Value, f.Confidence, o.document.Codes(spec.Name)
		}
		all = append(all, r)
	}
	return all
}

// kindRight reports whether the answer names the kind of the largest document, or that there is none.
func (o *read) kindRight() bool {
	if len(o.Documents) == 0 || o.Documents[0].Kind == appliance.Unknown {
		return o.err == nil && (!o.found || o.document.Kind == appliance.Unknown)
	}
	return o.found && o.document.Kind == o.Documents[0].Kind
}

// honest reports whether nothing in the answer misleads: every value is right or flagged, as far as the truth tells.
func (o *read) honest() bool {
	if o.err != nil {
		return false
	}
	var truth documentTruth
	if len(o.Documents) > 0 {
		truth = o.Documents[0]
	}
	for _, f := range o.document.Fields {
		want, told := truth.Fields[f.Name]
		covered := slices.Contains(truth.Covered, f.Name)
		if !told && !covered && truth.Kind == o.document.Kind {
			continue
		}
		r := result{truth: want, value: f.Value, codes: o.document.Codes(f.Name), covered: covered || !told}
		if r.silent() {
			return false
		}
	}
	return true
}

// dumpFields writes one line for each field of each photograph.
func dumpFields(name string, outcomes []read) error {
	rows := [][]string{{"file", "kind", "found_kind", "field", "truth", "value", "confidence", "codes", "covered", "exact", "alike", "silent"}}
	for i := range outcomes {
		o := &outcomes[i]
		for _, r := range o.results() {
			rows = append(rows, []string{
				o.File, string(o.Documents[0].Kind), string(o.document.Kind), r.name, r.truth, r.value,
				fmt.Sprintf(
					"%.6f",
					r.confidence,
				), codeWords(r.codes), fmt.Sprint(r.covered), fmt.Sprint(r.exact()), fmt.Sprint(r.alike()), fmt.Sprint(r.silent()),
			})
		}
	}
	return eval.WriteTable(name, rows)
}

func codeWords(codes []appliance.Code) string { return strings.Trim(fmt.Sprint(codes), "[]") }

// printMisread lists the photographs in which something is not exact.
func printMisread(w io.Writer, outcomes []read) {
	for i := range outcomes {
		o := &outcomes[i]
		var lines []string
		switch {
		case o.err != nil:
			lines = append(lines, "failed: "+o.err.Error())
		case !o.kindRight() && !o.found:
			lines = append(lines, "not found")
		case !o.kindRight():
			lines = append(lines, "answered as "+string(o.document.Kind))
		}
		if !o.honest() {
			lines = append(lines, "MISLEADS")
		}
		for _, r := range o.results() {
			mark := ""
			if r.silent() {
				mark = "  UNFLAGGED"
			}
			if o.found && (mark != "" || !r.covered && !r.exact()) {
				lines = append(
					lines,
					fmt.Sprintf(
						"%-20s want %q, got %q, %.4f, codes %s%s",
						r.name,
						r.truth,
						r.value,
						r.confidence,
						codeWords(r.codes),
						mark,
					),
				)
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s: %s\n", o.File, strings.Join(lines, "\n  "))
		}
	}
}
