// Package site applies what a site learned on its own pictures: how its labels are worded, which values and words its documents hold, which
// letters are misread in its faces, how sure a value is by what was read and flagged there, and from when it is to be doubted. It comes
// with a signed model set, as a file of data; `bawab learn` writes it. It changes what is expected and what is doubted, no value that was
// read, and never a code but 3301 and, of a field that the site's documents may lack, 3302.
package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	documents "github.com/bawab/bawab/inference/documents/egypt"
)

// Form is the form of the file; another layout gets another name.
const Form = "bawab-site/1"

// File is what a site learned.
type File struct {
	Form   string  `json:"form"`
	Origin Origin  `json:"origin"`
	Doubts []Doubt `json:"doubts"`
	Words  []Word  `json:"words"`
	// Labels are wordings of labels, Terms whole values that the site's documents print.
	Labels []Printed `json:"labels,omitempty"`
	Terms  []Printed `json:"terms,omitempty"`
	// Misread are letters that are misread in the faces of the site's documents.
	Misread []Misread `json:"misread,omitempty"`
}

// Origin says where the numbers come from.
type Origin struct {
	DataSet string `json:"data_set"`
	N       int    `json:"n"`
	Persons int    `json:"persons"`
	Date    string `json:"date"`
	Budget  string `json:"budget"`
	Base    uint64 `json:"base"` // the version of the set that it was learned on
	// Kinds are those of the documents: what was learned is used for them alone, since nothing was measured on others.
	Kinds []appliance.Kind `json:"kinds"`
}

// Doubt says how sure a field is, and when it is flagged: the probability that its value is right is the logistic function of
// Bias + Slope x logit(confidence) + Flagged where the reader flagged it (3301).
type Doubt struct {
	Kind    appliance.Kind `json:"kind"`
	Field   string         `json:"field"`
	Bias    float64        `json:"bias"`
	Slope   float64        `json:"slope"`
	Flagged float64        `json:"flagged"`
	// Below is the probability below which a value is flagged.
	Below float64 `json:"below"`
	// Absent tells that the site's documents often do not print the field: where nothing was seen it is no doubt.
	Absent bool `json:"absent,omitempty"`
	N      int  `json:"n"`
}

// Word is a word that the site's documents hold.
type Word struct {
	In    string  `json:"in"` // one of documents.Lines
	Text  string  `json:"text"`
	Often float64 `json:"often"`
}

// Printed is what the site's documents print for a field: a wording of its label, or a whole value.
type Printed struct {
	Kind  appliance.Kind `json:"kind"`
	Field string         `json:"field"`
	Text  string         `json:"text"`
}

// Bounds of a file.
const (
	mostWords  = 20_000
	mostTexts  = 2_000
	mostWeight = 50
	MostOften  = 60 // as frequent as the commonest words of the lists
)

// wordForm is how a word is written: Arabic letters alone.
var wordForm = regexp.MustCompile(`^[\x{0621}-\x{064a}]{2,24}$`)

// refused says what is wrong with a file, and in which line.
func refused(text []byte, offset int64, why string) error {
	line := 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
	msg := fmt.Sprintf("line %d: %s", line, why) // for the operator alone
	return &appliance.Error{
		Code: appliance.CodeBadRequest, Op: "read what the site learned", Msg: msg, Hint: "make the pack again with `bawab learn`",
	}
}

// Parse reads a file and checks each number and name in it. brought are the kinds that the model set brings.
func Parse(text []byte, brought []appliance.KindModel) (f File, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	fail := func(why string) error { return refused(text, d.InputOffset(), why) }
	if at, err := d.Token(); err != nil || at != json.Delim('{') {
		return f, fail("it is no object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return f, fail(err.Error())
		}
		switch name {
		case "form":
			err = d.Decode(&f.Form)
		case "origin":
			err = d.Decode(&f.Origin)
		case "doubts":
			f.Doubts, err = list(d, func(v Doubt) error { return v.check(modelOf(v.Kind, brought)) })
			err = errors.Join(err, twice(f.Doubts))
		case "words":
			f.Words, err = list(d, Word.check)
		case "labels":
			f.Labels, err = list(d, Printed.checkLabel)
		case "terms":
			f.Terms, err = list(d, Printed.checkTerm)
		case "misread":
			f.Misread, err = list(d, Misread.check)
			err = errors.Join(err, tooOften(f.Misread))
		default:
			err = fmt.Errorf("unknown member %v", name)
		}
		if err != nil {
			return f, fail(err.Error())
		}
	}
	if _, err := d.Token(); err != nil {
		return f, fail("it ends too early")
	}
	if why := f.lacks(brought); why != "" {
		return f, fail(why)
	}
	return f, nil
}

// Of is what of a file's content is about kinds of the contract and of those that a model set brings: another set may describe them
// otherwise. nil is nothing.
func Of(text []byte, brought []appliance.KindModel) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, refused(text, 0, err.Error())
	}
	f.Origin.Kinds = slices.DeleteFunc(f.Origin.Kinds, func(k appliance.Kind) bool { return modelOf(k, brought) == nil })
	f.Doubts = slices.DeleteFunc(f.Doubts, func(v Doubt) bool {
		return !slices.ContainsFunc(modelOf(v.Kind, brought), func(s appliance.FieldSpec) bool { return s.Name == v.Field })
	})
	f.Misread = slices.DeleteFunc(f.Misread, func(m Misread) bool { return modelOf(m.Kind, brought) == nil })
	if len(f.Origin.Kinds) == 0 {
		return nil, nil
	}
	return f.Text()
}

// Text writes a file with one rule or word a line, so that a bad one has a line of its own.
func (f File) Text() ([]byte, error) {
	var b bytes.Buffer
	origin, err := json.Marshal(f.Origin)
	fmt.Fprintf(&b, "{\"form\": %q,\n\"origin\": %s", f.Form, origin)
	for _, part := range []struct {
		name string
		put  func() error
	}{
		{"doubts", func() error { return eachLine(&b, f.Doubts) }},
		{"words", func() error { return eachLine(&b, f.Words) }},
		{"labels", func() error { return eachLine(&b, f.Labels) }},
		{"terms", func() error { return eachLine(&b, f.Terms) }},
		{"misread", func() error { return eachLine(&b, f.Misread) }},
	} {
		fmt.Fprintf(&b, ",\n%q: [\n", part.name)
		err = errors.Join(err, part.put())
		b.WriteByte(']')
	}
	b.WriteString("}\n")
	if err != nil {
		return nil, fmt.Errorf("write what the site learned: %w", err)
	}
	return b.Bytes(), nil
}

func eachLine[T any](b *bytes.Buffer, all []T) error {
	for i, v := range all {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		b.Write(line)
		if i+1 < len(all) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	return nil
}

// lacks says what is wrong with a whole file, "" where nothing is.
func (f File) lacks(brought []appliance.KindModel) string {
	_, day := time.Parse(time.DateOnly, f.Origin.Date)
	switch {
	case f.Form != Form:
		return fmt.Sprintf("form %q, want %q", f.Form, Form)
	case day != nil || f.Origin.DataSet == "" || f.Origin.Budget == "" || f.Origin.N < 1:
		return "the origin lacks its data set, count, date or budget"
	case len(f.Origin.Kinds) == 0 || slices.ContainsFunc(f.Origin.Kinds, func(k appliance.Kind) bool {
		return len(modelOf(k, brought)) == 0
	}):
		return "the origin names no kind of document, or one that is none"
	case slices.ContainsFunc(f.Doubts, func(v Doubt) bool { return !slices.Contains(f.Origin.Kinds, v.Kind) }):
		return "a rule is of a kind that the origin does not name"
	case slices.ContainsFunc(slices.Concat(f.Labels, f.Terms), func(p Printed) bool { return !slices.Contains(f.Origin.Kinds, p.Kind) }):
		return "what is printed is of a kind that the origin does not name"
	case slices.ContainsFunc(f.Misread, func(m Misread) bool { return !slices.Contains(f.Origin.Kinds, m.Kind) }):
		return "a misread letter is of a kind that the origin does not name"
	case len(f.Words) > mostWords:
		return "too many words"
	case len(f.Labels) > mostTexts || len(f.Terms) > mostTexts:
		return "too many labels or terms"
	}
	return ""
}

// list reads the elements of a list, so that the place of a bad one is known.
func list[T any](d *json.Decoder, check func(T) error) (all []T, err error) {
	if at, err := d.Token(); err != nil || at != json.Delim('[') {
		return nil, errors.New("a list is missing")
	}
	for d.More() {
		var v T
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if err := check(v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	_, err = d.Token()
	return all, err
}

// modelOf are the fields of a kind of the contract, or of one that the model set brings.
func modelOf(kind appliance.Kind, brought []appliance.KindModel) []appliance.FieldSpec {
	if model := kind.Model(); model != nil {
		return model
	}
	if i := slices.IndexFunc(brought, func(k appliance.KindModel) bool { return k.Kind == kind }); i >= 0 {
		return brought[i].Fields
	}
	return nil
}

func (v Doubt) check(model []appliance.FieldSpec) error {
	if !slices.ContainsFunc(model, func(s appliance.FieldSpec) bool { return s.Name == v.Field }) {
		return fmt.Errorf("a %q has no field %q", v.Kind, v.Field)
	}
	for name, x := range map[string]float64{"bias": v.Bias, "slope": v.Slope, "flagged": v.Flagged} {
		if math.IsNaN(x) || math.Abs(x) > mostWeight {
			return fmt.Errorf("%s of %s is %g, beyond %d", name, v.Field, x, mostWeight)
		}
	}
	if v.Slope < 0 || v.Flagged > 0 {
		return fmt.Errorf("%s: a value is not surer by less confidence or by a flag", v.Field)
	}
	if !(v.Below >= 0.5 && v.Below <= 1) {
		return fmt.Errorf("below of %s is %g, not from 0.5 to 1", v.Field, v.Below)
	}
	return nil
}

// twice finds a field that has two rules.
func twice(all []Doubt) error {
	seen := map[[2]string]bool{}
	for _, v := range all {
		key := [2]string{string(v.Kind), v.Field}
		if seen[key] {
			return fmt.Errorf("%s of %s stands twice", v.Field, v.Kind)
		}
		seen[key] = true
	}
	return nil
}

func (w Word) check() error {
	if documents.Lines()[w.In] == nil {
		return fmt.Errorf("no lines are called %q", w.In)
	}
	if !wordForm.MatchString(w.Text) {
		return errors.New("a word is not of 2 to 24 Arabic letters")
	}
	if !(w.Often > 0 && w.Often <= MostOften) {
		return fmt.Errorf("a word is %g times as frequent as a rare one, not up to %d", w.Often, MostOften)
	}
	return nil
}

// labelForm and termForm are how a label and a whole value are written: words of letters, in a value two figures at most.
var (
	labelForm = regexp.MustCompile(`^\p{L}+( \p{L}+){0,5}$`)
	termForm  = regexp.MustCompile(`^[\p{L}/.-]+( [\p{L}/.-]+| \p{Nd}{1,2}){0,7}$`)
)

// Wording reports whether a text can be one of a label, and Value whether it can be a whole value that is told.
func Wording(text string) bool {
	n := len([]rune(text))
	return n >= 3 && n <= 40 && labelForm.MatchString(text)
}

// Value is described at Wording.
func Value(text string) bool {
	n := len([]rune(text))
	return n >= 2 && n <= 60 && termForm.MatchString(text)
}

func (p Printed) checkLabel() error {
	if LabelOf(p.Kind, p.Field) == "" {
		return fmt.Errorf("a %q has no field %q with a label", p.Kind, p.Field)
	}
	if !Wording(p.Text) {
		return errors.New("a label is not of up to six words of letters, 3 to 40 signs")
	}
	return nil
}

func (p Printed) checkTerm() error {
	if !HasTerms(p.Kind, p.Field) {
		return fmt.Errorf("a %q has no field %q with a list of values", p.Kind, p.Field)
	}
	if !Value(p.Text) {
		return errors.New("a value is not of up to eight words of letters, 2 to 60 signs")
	}
	return nil
}

// Rules are what is applied. The zero Rules change nothing.
type Rules struct {
	doubts map[appliance.Kind]map[string]Doubt
	kinds  []appliance.Kind
	file   File
}

// New makes the rules of a file's content; nil is none. brought are the kinds that the model set brings.
func New(text []byte, brought []appliance.KindModel) (*Rules, error) {
	r := &Rules{}
	if text == nil {
		return r, nil
	}
	f, err := Parse(text, brought)
	if err != nil {
		return nil, err
	}
	return f.Rules(), nil
}

// Rules returns what the file says, as it is applied.
func (f File) Rules() *Rules {
	r := &Rules{doubts: map[appliance.Kind]map[string]Doubt{}, kinds: f.Origin.Kinds, file: f}
	for _, d := range f.Doubts {
		if r.doubts[d.Kind] == nil {
			r.doubts[d.Kind] = map[string]Doubt{}
		}
		r.doubts[d.Kind][d.Field] = d
	}
	return r
}

// words are those that the site's documents hold, by what kind of line they stand in.
func (f File) words() (words documents.Words) {
	into := map[string]*[]egypt.Listed{
		"names": &words.Names, "addresses": &words.Addresses, "jobs": &words.Jobs, "remarks": &words.Remarks,
	}
	for _, w := range f.Words {
		*into[w.In] = append(*into[w.In], egypt.Listed{Text: w.Text, Often: w.Often})
	}
	return words
}

// Printed is what the site's documents of a kind print: words of their lines, wordings of labels and whole values, by field. It is false
// where nothing was learned of the kind.
func (r *Rules) Printed(kind appliance.Kind) (words documents.Words, labels, terms map[string][]string, ok bool) {
	if f := r.file; len(f.Words)+len(f.Labels)+len(f.Terms)+len(f.Misread) == 0 || !slices.Contains(r.kinds, kind) {
		return documents.Words{}, nil, nil, false
	}
	byField := func(all []Printed) map[string][]string {
		out := map[string][]string{}
		for _, p := range all {
			if p.Kind == kind {
				out[p.Field] = append(out[p.Field], p.Text)
			}
		}
		return out
	}
	return r.file.words(), byField(r.file.Labels), byField(r.file.Terms), true
}

// Logit is the logarithm of the odds of a confidence, within bounds.
func Logit(confidence float64) float64 {
	c := min(max(confidence, 1e-4), 1-1e-4)
	return math.Log(c / (1 - c))
}

// Sure is the probability that a value of this confidence is right.
func (v Doubt) Sure(confidence float64, flagged bool) float64 {
	x := v.Bias + v.Slope*Logit(confidence)
	if flagged {
		x += v.Flagged
	}
	return 1 / (1 + math.Exp(-x))
}

// Apply puts the rules to a document.
func (r *Rules) Apply(d *appliance.Document) {
	rules := r.doubts[d.Kind]
	for i := range d.Fields {
		f := &d.Fields[i]
		rule, ok := rules[f.Name]
		if !ok {
			continue
		}
		flagged := d.Flagged(f.Name, appliance.CodeLowConfidence)
		switch {
		case f.Value == "":
			if rule.Absent && f.Raw == "" {
				d.Unflag(f.Name, appliance.CodeUnreadable)
			}
			continue
		case rule.Slope == 0: // too few values were seen to tell how sure they are
			continue
		}
		f.Confidence = rule.Sure(f.Confidence, flagged)
		switch doubted := f.Confidence < rule.Below; {
		case doubted && !flagged:
			d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
		case flagged && !doubted:
			d.Unflag(f.Name, appliance.CodeLowConfidence)
		}
	}
	// A field that was not seen may be no field of the answer at all.
	for name, rule := range rules {
		if rule.Absent && !slices.ContainsFunc(d.Fields, func(f appliance.Field) bool { return f.Name == name }) {
			d.Unflag(name, appliance.CodeUnreadable)
		}
	}
}

// reader puts the rules to what another reader read.
type reader struct {
	appliance.Reader
	rules *Rules
}

// Reader returns a reader that puts the rules to what another one reads.
func (r *Rules) Reader(of appliance.Reader) appliance.Reader {
	if len(r.doubts) == 0 {
		return of
	}
	return reader{of, r}
}

// Read implements appliance.Reader.
func (r reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	reading, err := r.Reader.Read(ctx, p, earlier)
	for i := range reading.Documents {
		r.rules.Apply(&reading.Documents[i])
	}
	return reading, err
}

// Valid reports whether a word can stand in a file.
func (w Word) Valid() bool { return w.check() == nil }

// Label and Term report whether what is printed can stand in a file as a wording of a label, or as a value.
func (p Printed) Label() bool { return p.checkLabel() == nil }

// Term is described at Label.
func (p Printed) Term() bool { return p.checkTerm() == nil }
