package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/fraud"
)

func evalSpoofCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "spoof DIR", Short: "document fraud: how often attacks pass and genuine documents are refused",
		Long: `Reads and examines every picture of DIR and compares the verdict with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "kind": "national_id_front", "attack": "screen_replay/phone"}

"attack" is "" or missing for a genuine document, else the name of the cue that should be raised: screen_replay,
printed_copy, grey_copy, portrait_replaced, text_altered, mrz_visual_mismatch or number_inconsistent, with a variant after a slash
where there are several. "kind" chooses the endpoint; other members are ignored.

As in ISO/IEC 30107-3: APCER is the share of attacks of one kind that no cue was raised for, BPCER the share of genuine
documents that one was raised for, both of the pictures in which a document was found; APNRR and BPNRR are the shares in
which none was. Shares come with their 95 % Wilson interval. For each cue the area under its curve (AUC) and the equal error
rate (EER) say how its score parts its own attacks from genuine documents; "recapture" is the larger of screen_replay
and printed_copy against the attacks of both. Times are those of a machine with all cores busy.`,
	}, func(fs *flag.FlagSet) action {
		s := &spoofEval{}
		fs.StringVar(&s.dump, "dump", "", "also write every cue with its score and measures to `FILE` as CSV, to calibrate by")
		s.truthFlag(fs)
		return s.flags(fs, s.run)
	})
}

// spoofEval is one call of the command.
type spoofEval struct {
	evaluation
}

// presentation is one picture with its truth.
type presentation struct {
	File string         `json:"file"`
	Kind appliance.Kind `json:"kind"`
	// Attack is the cue that should be raised, with a variant after a slash; "" for a genuine document.
	Attack string `json:"attack"`
}

// cue is the name of the cue that the attack should raise.
func (p *presentation) cue() string {
	name, _, _ := strings.Cut(p.Attack, "/")
	return name
}

// cueNames are the cues in the order of the report.
func cueNames() []string {
	return []string{
		fraud.ScreenReplay, fraud.PrintedCopy, fraud.GreyCopy, fraud.PortraitReplaced, fraud.TextAltered,
		fraud.MRZVisualMismatch, appliance.NumberInconsistent,
	}
}

// complete checks a truth.
func (p *presentation) complete() error {
	if _, ok := endpointOf(p.Kind); !ok {
		return fmt.Errorf("%s: there is no kind %q", p.File, p.Kind)
	}
	if p.Attack == "" {
		return nil
	}
	for _, name := range cueNames() {
		if p.cue() == name {
			return nil
		}
	}
	return fmt.Errorf("%s: no cue is called %q", p.File, p.cue())
}

// examined is what became of one presentation.
type examined struct {
	presentation
	found   bool
	err     error // other than that nothing was found
	kind    appliance.Kind
	cues    []appliance.Cue
	signs   []fraud.Sign
	elapsed time.Duration // of the examination alone
}

// failure implements examination.
func (e examined) failure() (string, error) { return e.File, e.err }

// fake is the verdict.
func (e *examined) fake() bool {
	for _, c := range e.cues {
		if c.Raised() {
			return true
		}
	}
	return false
}

// score of a cue; ok is false where the document was not examined for it.
func (e *examined) score(name string) (value float64, ok bool) {
	for _, c := range e.cues {
		if c.Name == name {
			return c.Score, true
		}
	}
	return 0, false
}

func (v *spoofEval) run(ctx context.Context, t *terminal) error {
	presentations, err := readTruth(&v.evaluation, "spoof", (*presentation).complete)
	if err != nil {
		return err
	}
	r, err := openReport[spoofScore](&v.evaluation, formEvalSpoof)
	if err != nil {
		return err
	}
	outcomes, err := examineAll(ctx, t, &v.evaluation, presentations, v.examine)
	if err != nil {
		return err
	}
	if v.dump != "" {
		if err := dumpCues(v.dump, outcomes); err != nil {
			return err
		}
	}
	return r.deliver(t, scoreSpoof(outcomes), func(w io.Writer) { printMisjudged(w, outcomes) })
}

// examine reads one picture as a request would, and examines what it shows.
func (v *spoofEval) examine(ctx context.Context, e *engine, p presentation) examined {
	o := examined{presentation: p}
	reader := e.readers()[appliance.EndpointIDFront]
	if endpoint, ok := endpointOf(p.Kind); ok && e.readers()[endpoint] != nil {
		reader = e.readers()[endpoint]
	}
	decoded, err := v.decode(ctx, e, p.File)
	if err != nil {
		o.err = err
		return o
	}
	reading, err := reader.Read(ctx, decoded, nil)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && len(reading.Documents) == 0 {
		return o
	}
	if o.err = err; err != nil {
		return o
	}
	d := reading.Documents[0]
	o.found, o.kind = true, d.Kind
	began := time.Now()
	if o.signs, o.err = e.fraud.Measure(ctx, decoded, d); o.err != nil {
		return o
	}
	o.elapsed = time.Since(began)
	o.cues = e.fraud.Cues(o.signs)
	return o
}

// dumpCues writes one line for each cue of each picture.
func dumpCues(name string, outcomes []examined) error {
	rows := [][]string{{"file", "kind", "found_kind", "attack", "cue", "score", "threshold", "measures"}}
	for i := range outcomes {
		o := &outcomes[i]
		for k, c := range o.cues {
			var measures []string
			for _, m := range o.signs[k].Measures {
				measures = append(measures, fmt.Sprintf("%.5g", m))
			}
			rows = append(rows, []string{
				o.File, string(o.Kind), string(o.kind), o.Attack, c.Name, fmt.Sprintf("%.6f", c.Score),
				fmt.Sprint(c.Threshold), strings.Join(measures, " "),
			})
		}
	}
	return dump(name, rows)
}

// printMisjudged lists the pictures whose verdict is wrong, with their cues.
func printMisjudged(w io.Writer, outcomes []examined) {
	for i := range outcomes {
		o := &outcomes[i]
		switch {
		case o.err != nil:
			fmt.Fprintf(w, "%s: failed: %v\n", o.File, o.err)
		case !o.found:
			fmt.Fprintf(w, "%s: not found\n", o.File)
		case o.fake() != (o.Attack != ""):
			fmt.Fprintf(w, "%s: %q judged fake %v:", o.File, o.Attack, o.fake())
			for _, c := range o.cues {
				fmt.Fprintf(w, " %s %.3f", c.Name, c.Score)
			}
			fmt.Fprintln(w)
		}
	}
}
