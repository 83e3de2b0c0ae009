package document

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/score"
)

// formPlates is the form of the figures that are printed as JSON.
const formPlates = "bawab-eval-plates/1"

// Plates is one call of the command.
type Plates struct {
	eval.Call
	Outline bool
}

// plateTruth is what a picture shows; corners are in pixels of the picture.
type plateTruth struct {
	File   string   `json:"file"`
	Result string   `json:"result"`
	Quad   *corners `json:"quad"`
}

// plateOutcome is what became of one picture.
type plateOutcome struct {
	plateTruth
	err      error // other than that nothing was found
	document appliance.Document
	elapsed  time.Duration
}

// Run measures how plates are read.
func (v *Plates) Run(ctx context.Context) error {
	truth, err := eval.ReadTruth(&v.Call, "plates", (*plateTruth).complete)
	if err != nil {
		return err
	}
	if v.Outline {
		truth = slices.DeleteFunc(truth, func(p plateTruth) bool { return p.Quad == nil })
	}
	r, err := eval.OpenReport[PlateScore](&v.Call, formPlates)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, truth, v.examine)
	if err != nil {
		return err
	}
	if v.Dump != "" {
		if err := dumpPlates(v.Dump, outcomes); err != nil {
			return err
		}
	}
	return r.Deliver(scorePlates(outcomes), func(w io.Writer) { printMisreadPlates(w, outcomes) })
}

// complete checks a truth.
func (p *plateTruth) complete() error {
	if _, ok := plate.Parse(p.Result); p.Result != "" && !ok {
		return fmt.Errorf("%s: %q is no plate", p.File, p.Result)
	}
	return nil
}

// examine reads one picture as a request would, or within its outline.
func (v *Plates) examine(ctx context.Context, e *engine.Engine, p plateTruth) (o plateOutcome) {
	o.plateTruth = p
	began := time.Now()
	defer func() { o.elapsed = time.Since(began) }()
	decoded, err := v.Decode(ctx, e, p.File)
	if err != nil {
		o.err = err
		return o
	}
	if v.Outline {
		o.document, o.err = e.Plates.ReadIn(ctx, decoded, p.Quad.quad())
		return o
	}
	reading, err := e.Readers()[appliance.EndpointLicensePlate].Read(ctx, decoded, nil)
	switch {
	case appliance.CodeOf(err) == appliance.CodeNoDocument:
	case err != nil:
		o.err = err
	case len(reading.Documents) > 0:
		o.document = reading.Documents[0]
	}
	return o
}

// Failure implements eval.Outcome.
func (o plateOutcome) Failure() (string, error) { return o.File, o.err }

// value is the plate that was read, "" for none.
func (o *plateOutcome) value() string {
	if o.document.Kind != appliance.LicensePlate {
		return ""
	}
	return o.document.Field("result").Value
}

// result compares the plate with its truth.
func (o *plateOutcome) result() result {
	return result{
		name:       "result",
		truth:      o.Result,
		value:      o.value(),
		confidence: o.document.Field("result").Confidence,
		codes:      o.document.Codes("result"),
	}
}

// PlateScore is the report of `bawab eval plates`; its JSON form is stable.
type PlateScore struct {
	Form     string      `json:"form"`
	Pictures int         `json:"pictures"`
	Failed   int         `json:"failed"` // any error but 3011
	Exact    score.Share `json:"exact"`
	Digits   score.Share `json:"digits_exact"`
	Letters  score.Share `json:"letters_exact"`
	// Empty counts plates of which nothing was read, Flagged right ones that are marked as doubtful all the same.
	Empty   score.Share `json:"empty"`
	Flagged score.Share `json:"right_flagged"`
	// Unflagged counts values that are wrong and that nothing marks as doubtful, of pictures without a plate too.
	Unflagged score.Share `json:"wrong_unflagged"`
	// Others counts pictures without a plate of Egypt's whose answer does not mislead.
	Others       score.Share `json:"no_plate_right"`
	Milliseconds float64     `json:"ms_p50"`
}

func scorePlates(outcomes []plateOutcome) PlateScore {
	s := PlateScore{Form: formPlates, Pictures: len(outcomes)}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			s.Failed++
		}
		r := o.result()
		s.Unflagged.Add(r.silent())
		times = append(times, o.elapsed)
		if o.Result == "" {
			s.Others.Add(o.err == nil && !r.silent())
			continue
		}
		digits, letters := splitResult(r.value)
		wantDigits, wantLetters := splitResult(o.Result)
		s.Exact.Add(r.exact())
		s.Digits.Add(digits == wantDigits)
		s.Letters.Add(letters == wantLetters)
		s.Empty.Add(r.value == "")
		if r.exact() {
			s.Flagged.Add(Doubted(r.codes))
		}
	}
	slices.Sort(times)
	s.Milliseconds = score.Milliseconds(score.Percentile(times, 50))
	return s
}

// splitResult parts the number of a result from its letters.
func splitResult(text string) (digits, letters string) {
	at := strings.LastIndexByte(text, ' ')
	return text[at+1:], text[:max(at, 0)]
}

// rows names the shares in the order of the report.
func (s PlateScore) rows() []namedShare {
	return []namedShare{
		{"whole plate exact", s.Exact},
		{"digits exact", s.Digits},
		{"letters exact", s.Letters},
		{"empty", s.Empty},
		{"right but flagged", s.Flagged},
		{"wrong and unflagged", s.Unflagged},
		{"no plate, not misleading", s.Others},
	}
}

type namedShare struct {
	name string
	score.Share
}

// Print implements eval.Figures.
func (s PlateScore) Print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "pictures\t%d\nfailed otherwise than 3011\t%d\nmilliseconds, median\t%.1f\n", s.Pictures, s.Failed, s.Milliseconds)
	for _, row := range s.rows() {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.Share)
	}
	w.Flush()
}

// Compare prints how the shares changed, in percentage points.
func (s PlateScore) Compare(out io.Writer, old PlateScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew - old\t(old: %s)\n", words.Count(old.Pictures, "picture", "pictures"))
	was := old.rows()
	for i, row := range s.rows() {
		score.CompareShares(w, row.name, row.Share, was[i].Share)
	}
	w.Flush()
}

// dumpPlates writes one line for each picture.
func dumpPlates(name string, outcomes []plateOutcome) error {
	all := [][]string{{"file", "found_kind", "truth", "value", "raw", "confidence", "codes", "checks", "exact", "silent"}}
	for i := range outcomes {
		o := &outcomes[i]
		r, f := o.result(), o.document.Field("result")
		var checks []string
		for _, c := range f.Checks {
			checks = append(checks, fmt.Sprintf("%s=%t", c.Name, c.Passed))
		}
		all = append(all, []string{
			o.File, string(o.document.Kind), r.truth, r.value, f.Raw, fmt.Sprintf("%.6f", r.confidence),
			codeWords(r.codes), strings.Join(checks, " "), fmt.Sprint(r.exact()), fmt.Sprint(r.silent()),
		})
	}
	return eval.WriteTable(name, all)
}

// printMisreadPlates lists the pictures that are not exact.
func printMisreadPlates(w io.Writer, outcomes []plateOutcome) {
	for i := range outcomes {
		o := &outcomes[i]
		r := o.result()
		switch {
		case o.err != nil:
			fmt.Fprintf(w, "%s: failed: %v\n", o.File, o.err)
		case r.silent():
			fmt.Fprintf(w, "%s: want %q, got %q, %.4f, UNFLAGGED\n", o.File, r.truth, r.value, r.confidence)
		case !r.exact():
			fmt.Fprintf(
				w,
				"%s: want %q, got %q (%s), %.4f, codes %s\n",
				o.File,
				r.truth,
				r.value,
				o.document.Field("result").Raw,
				r.confidence,
				codeWords(r.codes),
			)
		}
	}
}
