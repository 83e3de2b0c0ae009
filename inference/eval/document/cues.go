package document

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/fraud"
)

// Cues is one call of the command.
type Cues struct {
	eval.Call
}

// presentation is one picture with its truth.
type presentation struct {
	File string         `json:"file"`
	Kind appliance.Kind `json:"kind"`
	// Person names the holder, where the truth does.
	Person string `json:"person"`
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
	if _, ok := appliance.EndpointOf(p.Kind); !ok {
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

// Failure implements eval.Outcome.
func (e examined) Failure() (string, error) { return e.File, e.err }

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

// Run measures how fakes are told from genuine documents.
func (v *Cues) Run(ctx context.Context) error {
	presentations, err := eval.ReadTruth(&v.Call, "spoof", (*presentation).complete)
	if err != nil {
		return err
	}
	r, err := eval.OpenReport[spoofScore](&v.Call, formCues)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, presentations, v.examine)
	if err != nil {
		return err
	}
	if v.Dump != "" {
		if err := dumpCues(v.Dump, outcomes); err != nil {
			return err
		}
	}
	return r.Deliver(scoreSpoof(outcomes), func(w io.Writer) { printMisjudged(w, outcomes) })
}

// examine reads one picture as a request would, and examines what it shows.
func (v *Cues) examine(ctx context.Context, e *engine.Engine, p presentation) examined {
	o := examined{presentation: p}
	reader := e.Readers()[appliance.EndpointIDFront]
	if endpoint, ok := appliance.EndpointOf(p.Kind); ok && e.Readers()[endpoint] != nil {
		reader = e.Readers()[endpoint]
	}
	decoded, err := v.Decode(ctx, e, p.File)
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
	if o.signs, o.err = e.Fraud.Measure(ctx, decoded, d); o.err != nil {
		return o
	}
	o.elapsed = time.Since(began)
	o.cues = e.Fraud.Cues(o.signs)
	return o
}

// Presentation is what became of one picture of a genuine or forged document.
type Presentation struct {
	// Attack is what the truth says it is, "" for a genuine document; Person names the holder, where the truth does.
	Attack, Person string
	// Found tells that a document was found in it, Fake the verdict.
	Found, Fake, Failed bool
	Cues                []CueReading
}

// Presentations examines the pictures of a folder.
func (v *Cues) Presentations(ctx context.Context) (all []Presentation, err error) {
	presentations, err := eval.ReadTruth(&v.Call, "spoof", (*presentation).complete)
	if err != nil {
		return nil, err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, presentations, v.examine)
	if err != nil {
		return nil, err
	}
	for i := range outcomes {
		o := &outcomes[i]
		p := Presentation{Attack: o.Attack, Person: o.Person, Found: o.found, Fake: o.fake(), Failed: o.err != nil}
		for _, c := range o.cues {
			p.Cues = append(p.Cues, CueReading{c.Name, c.Score, c.Threshold, c.NotJudged})
		}
		all = append(all, p)
	}
	return all, nil
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
	return eval.WriteTable(name, rows)
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
