package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

func evalPlatesCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "plates DIR", Short: "licence plates: whole plates, digits, letters, and how sure they are",
		Long: `Reads every picture of DIR and compares it with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "result": "س ن ب 1234", "quad": [[10,20],[900,30],[890,460],[5,450]]}

The largest plate is read as ocr/license_plate does; with --outline what lies within "quad", the corners of the upright
plate in pixels of the picture, is read, and pictures without it are left out. "result" is "" where there is no plate of
Egypt's: such a picture is right when nothing is read, or what is read is flagged. Of the others, a plate is empty when nothing
was read, and wrong and unflagged when it differs from the truth and no code marks it as doubtful. Shares come with their 95 %
Wilson interval. Times are those of a machine with all cores busy.`,
	}, func(fs *flag.FlagSet) action {
		v := &plateEval{}
		fs.BoolVar(&v.outline, "outline", false, "read within the outlines of the truth")
		fs.StringVar(&v.dump, "dump", "", "also write every plate with truth, confidence and codes to `FILE` as CSV")
		v.truthFlag(fs)
		return v.flags(fs, v.run)
	})
}

// plateEval is one call of the command.
type plateEval struct {
	evaluation
	outline bool
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

func (v *plateEval) run(ctx context.Context, t *terminal) error {
	truth, err := readTruth(&v.evaluation, "plates", (*plateTruth).complete)
	if err != nil {
		return err
	}
	if v.outline {
		truth = slices.DeleteFunc(truth, func(p plateTruth) bool { return p.Quad == nil })
	}
	r, err := openReport[plateScore](&v.evaluation, formEvalPlates)
	if err != nil {
		return err
	}
	outcomes, err := examineAll(ctx, t, &v.evaluation, truth, v.examine)
	if err != nil {
		return err
	}
	if v.dump != "" {
		if err := dumpPlates(v.dump, outcomes); err != nil {
			return err
		}
	}
	return r.deliver(t, scorePlates(outcomes), func(w io.Writer) { printMisreadPlates(w, outcomes) })
}

// complete checks a truth.
func (p *plateTruth) complete() error {
	if _, ok := egypt.ParsePlate(p.Result); p.Result != "" && !ok {
		return fmt.Errorf("%s: %q is no plate", p.File, p.Result)
	}
	return nil
}

// examine reads one picture as a request would, or within its outline.
func (v *plateEval) examine(ctx context.Context, e *engine, p plateTruth) (o plateOutcome) {
	o.plateTruth = p
	began := time.Now()
	defer func() { o.elapsed = time.Since(began) }()
	decoded, err := v.decode(ctx, e, p.File)
	if err != nil {
		o.err = err
		return o
	}
	if v.outline {
		o.document, o.err = e.plates.ReadIn(ctx, decoded, p.Quad.quad())
		return o
	}
	reading, err := e.readers()[appliance.EndpointLicensePlate].Read(ctx, decoded, nil)
	switch {
	case appliance.CodeOf(err) == appliance.CodeNoDocument:
	case err != nil:
		o.err = err
	case len(reading.Documents) > 0:
		o.document = reading.Documents[0]
	}
	return o
}

// failure implements examination.
func (o plateOutcome) failure() (string, error) { return o.File, o.err }

// value is the plate that was read, "" for none.
func (o *plateOutcome) value() string {
	if o.document.Kind != appliance.LicensePlate {
		return ""
	}
	return o.document.Field("result").Value
}

// result compares the plate with its truth.
func (o *plateOutcome) result() result {
	return result{name: "result", truth: o.Result, value: o.value(), confidence: o.document.Field("result").Confidence, codes: o.document.Codes("result")}
}

// plateScore is the report of `bawab eval plates`; its JSON form is stable.
type plateScore struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	Failed   int    `json:"failed"` // any error but 3011
	Exact    share  `json:"exact"`
	Digits   share  `json:"digits_exact"`
	Letters  share  `json:"letters_exact"`
	// Empty counts plates of which nothing was read, Flagged right ones that are marked as doubtful all the same.
	Empty   share `json:"empty"`
	Flagged share `json:"right_flagged"`
	// Unflagged counts values that are wrong and that nothing marks as doubtful, of pictures without a plate too.
	Unflagged share `json:"wrong_unflagged"`
	// Others counts pictures without a plate of Egypt's whose answer does not mislead.
	Others       share   `json:"no_plate_right"`
	Milliseconds float64 `json:"ms_p50"`
}

func scorePlates(outcomes []plateOutcome) plateScore {
	s := plateScore{Form: formEvalPlates, Pictures: len(outcomes)}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			s.Failed++
		}
		r := o.result()
		s.Unflagged.add(r.silent())
		times = append(times, o.elapsed)
		if o.Result == "" {
			s.Others.add(o.err == nil && !r.silent())
			continue
		}
		digits, letters := splitResult(r.value)
		wantDigits, wantLetters := splitResult(o.Result)
		s.Exact.add(r.exact())
		s.Digits.add(digits == wantDigits)
		s.Letters.add(letters == wantLetters)
		s.Empty.add(r.value == "")
		if r.exact() {
			s.Flagged.add(doubted(r.codes))
		}
	}
	slices.Sort(times)
	s.Milliseconds = milliseconds(percentile(times, 50))
	return s
}

// splitResult parts the number of a result from its letters.
func splitResult(text string) (digits, letters string) {
	at := strings.LastIndexByte(text, ' ')
	return text[at+1:], text[:max(at, 0)]
}

// rows names the shares in the order of the report.
func (s plateScore) rows() []namedShare {
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
	share
}

func (s plateScore) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "pictures\t%d\nfailed otherwise than 3011\t%d\nmilliseconds, median\t%.1f\n", s.Pictures, s.Failed, s.Milliseconds)
	for _, row := range s.rows() {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.share)
	}
	w.Flush()
}

// compare prints how the shares changed, in percentage points.
func (s plateScore) compare(out io.Writer, old plateScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew - old\t(old: %s)\n", count(old.Pictures, "picture", "pictures"))
	was := old.rows()
	for i, row := range s.rows() {
		compareShares(w, row.name, row.share, was[i].share)
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
	return dump(name, all)
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
			fmt.Fprintf(w, "%s: want %q, got %q (%s), %.4f, codes %s\n", o.File, r.truth, r.value, o.document.Field("result").Raw, r.confidence, codeWords(r.codes))
		}
	}
}
