package person

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/face"
	"github.com/bawab/bawab/inference/injection"
)

// Liveness is one call of the command.
type Liveness struct {
	eval.Call
	Every int
	Rule  appliance.Reason // measure this one on bursts that are made to break it, "" for none
	Cases int
	Seed  uint64
	// Families are those of injected media to make and judge, none to judge the bursts of the folder.
	Families []injection.Family
	Keep     string // folder to write their triples to, "" for none
}

// liveKind is the folder of living persons.
const liveKind = "live"

// burst is three pictures of one kind.
type burst struct {
	kind  string
	files [appliance.BurstFrames]string
}

// judged is what became of one burst.
type judged struct {
	burst
	err      error
	findings appliance.BurstFindings
	rules    bool // judged without the network for attacks
	elapsed  time.Duration
}

// Failure implements eval.Outcome.
func (j judged) Failure() (string, error) { return j.files[0], j.err }

// live is the verdict.
func (j *judged) live() bool { return len(j.findings.Reasons) == 0 }

// Run measures how bursts are judged.
func (v *Liveness) Run(ctx context.Context) error {
	if v.Rule != "" {
		return v.runRule(ctx)
	}
	if len(v.Families) > 0 {
		return v.runInjection(ctx)
	}
	bursts, err := v.bursts()
	if err != nil {
		return err
	}
	return report(ctx, &v.Call, bursts, v.judge)
}

// report judges all cases and delivers the figures.
func report[S any](ctx context.Context, v *eval.Call, cases []S, judge func(context.Context, *engine.Engine, S) judged) error {
	r, err := eval.OpenReport[LivenessScore](v, formLiveness)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, v, cases, judge)
	if err != nil {
		return err
	}
	if v.Dump != "" {
		if err := dumpBursts(v.Dump, outcomes); err != nil {
			return err
		}
	}
	return r.Deliver(scoreLiveness(outcomes), func(w io.Writer) { printMisjudgedBursts(w, outcomes) })
}

// living lists the bursts of living persons, at least one.
func (v *Liveness) living() ([]burst, error) {
	all, err := v.bursts()
	if err != nil {
		return nil, err
	}
	live := slices.DeleteFunc(all, func(b burst) bool { return b.kind != liveKind })
	if len(live) == 0 {
		return nil, noCases("there are no bursts in the folder live")
	}
	return live, nil
}

// bursts lists the bursts of the folder.
func (v *Liveness) bursts() (all []burst, err error) {
	folders := map[string][]string{}
	refuse := func(msg string, err error) error {
		return &appliance.Error{Op: "list bursts", Msg: msg, Hint: "see `bawab eval liveness --help` for the folders", Err: err}
	}
	err = filepath.WalkDir(v.Dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() &&
			slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}, strings.ToLower(filepath.Ext(name))) {
			folders[filepath.Dir(name)] = append(folders[filepath.Dir(name)], name)
		}
		return err
	})
	if err != nil {
		return nil, refuse("the folder cannot be read", err)
	}
	for folder, files := range folders {
		relative, err := filepath.Rel(v.Dir, folder)
		if err != nil {
			return nil, refuse("the folder cannot be read", err)
		}
		kind, _, _ := strings.Cut(filepath.ToSlash(relative), "/")
		slices.SortFunc(files, byNumbers)
		for i := 0; i+appliance.BurstFrames <= len(files); i += appliance.BurstFrames * v.Every {
			all = append(all, burst{kind, [appliance.BurstFrames]string(files[i : i+appliance.BurstFrames])})
		}
	}
	if len(all) == 0 {
		return nil, refuse("there are no three pictures in any folder of "+v.Dir, nil)
	}
	slices.SortFunc(all, func(a, b burst) int { return cmp.Or(cmp.Compare(a.kind, b.kind), byNumbers(a.files[0], b.files[0])) })
	return all, nil
}

// byNumbers orders names as a person would: runs of digits by their value.
func byNumbers(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, _ := strconv.ParseUint(a[:na], 10, 64)
			y, _ := strconv.ParseUint(b[:nb], 10, 64)
			if c := cmp.Or(cmp.Compare(x, y), cmp.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is the length of the run of digits, at most 18, that a text begins with.
func digits(s string) (n int) {
	for n < min(len(s), 18) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// judge judges one burst.
func (v *Liveness) judge(ctx context.Context, e *engine.Engine, b burst) (o judged) {
	o.burst = b
	if e.Faces.Finder == nil {
		o.err = appliance.Errorf(appliance.CodeNotBuilt, "this binary carries no networks for faces")
		return o
	}
	var files [appliance.BurstFrames][]byte
	for i, name := range b.files {
		var err error
		if files[i], err = engine.ReadPicture(nil, name, int64(e.Decoder.MaxBytes)); err != nil {
			o.err = err
			return o
		}
	}
	return v.judgeFiles(ctx, e, o, files)
}

// judgeFiles judges the frames of a burst.
func (v *Liveness) judgeFiles(ctx context.Context, e *engine.Engine, o judged, files [appliance.BurstFrames][]byte) judged {
	var pictures []*appliance.Picture
	for i, raw := range files {
		p, err := e.FrameDecoder().Decode(ctx, raw)
		if err != nil {
			o.err = fmt.Errorf("%s: %w", filepath.Base(o.files[i]), err)
			return o
		}
		pictures = append(pictures, p)
	}
	judge, err := e.Judge()
	if err != nil {
		o.err = err
		return o
	}
	if o.rules = judge == nil; o.rules {
		judge = face.NewRules(e.Faces.Finder, e.Faces.Matcher)
	}
	began := time.Now()
	o.findings, o.err = judge.Judge(ctx, pictures)
	o.elapsed = time.Since(began)
	return o
}

// dumpBursts writes one line for each burst.
func dumpBursts(name string, outcomes []judged) error {
	rows := [][]string{{"kind", "first", "live", "score", "reasons", "cues"}}
	for i := range outcomes {
		o := &outcomes[i]
		var reasons, cues []string
		for _, r := range o.findings.Reasons {
			reasons = append(reasons, string(r))
		}
		for _, c := range o.findings.Cues {
			cues = append(cues, fmt.Sprintf("%s=%.4f", c.Name, c.Score))
		}
		rows = append(rows, []string{
			o.kind, o.files[0], strconv.FormatBool(o.live()), fmt.Sprintf("%.4f", o.findings.Score),
			strings.Join(reasons, " "), strings.Join(cues, " "),
		})
	}
	return eval.WriteTable(name, rows)
}

// printMisjudgedBursts lists the bursts that were judged wrongly.
func printMisjudgedBursts(w io.Writer, outcomes []judged) {
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.err != nil:
			fmt.Fprintf(w, "%s: failed: %v\n", o.files[0], o.err)
		case o.live() != (o.kind == liveKind):
			fmt.Fprintf(
				w,
				"%s: %s judged live %v, score %.3f, reasons %v\n",
				o.files[0],
				o.kind,
				o.live(),
				o.findings.Score,
				o.findings.Reasons,
			)
		}
	}
}
