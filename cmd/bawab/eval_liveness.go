package main

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

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/face"
	"github.com/bawab/bawab/inference/injection"
)

func evalLivenessCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "liveness DIR", Short: "liveness: how often attacks pass and living persons are refused",
		Long: `Judges bursts of three frames. DIR/live holds those of living persons, every other folder of DIR those of one kind of attack, by
its name. Below them, each folder with pictures holds one burst or more: every three pictures, in the order of their names with
numbers counted as numbers, are a burst.

As in ISO/IEC 30107-3: APCER is the share of bursts of one kind of attack that are judged live, BPCER the share of living persons'
bursts that are not, with their 95 % Wilson intervals. Under BPCER stands how often each reason was named; under a kind, how often it
was judged by each. A burst with a picture that cannot be decoded counts as failed. A binary without the network for attacks judges by
the rules alone and says so. The rule of the gap is not measured: the files have no times.

With --rule, bursts that break a rule are made out of those of DIR/live instead, and it is counted for how many of them the rule is
named. identical_images: two or three frames are one picture, which is coded anew at a quality from 40 to 95 and cropped by up to 5 % a
side, resized to 0.6 to 1.5 and relit, each with an even chance. different_persons: one frame is of another person, whom a
folder names up to the first hyphen. The same --seed makes the same bursts.

With --injection, triples of injected media are made out of the stills of DIR/live, as somebody makes them who has a picture of a person
and no person: --cases of each family that is named, or of "all" of them, of those that the cues were "developed" on, or of those
that they have not seen ("unseen"). Each family is told as a kind of attack. The families:
` + familyLines(),
	}, func(fs *flag.FlagSet) action {
		v := &livenessEval{}
		fs.StringVar(&v.dump, "dump", "", "also write every burst with its reasons and cues to `FILE` as CSV")
		fs.IntVar(&v.every, "every", 1, "judge only each `N`-th burst of a folder")
		fs.StringVar(&v.rule, "rule", "", "measure one `REASON` on bursts made to break it: identical_images or different_persons")
		fs.IntVar(&v.cases, "cases", 1000, "`NUMBER` of bursts to make with --rule")
		fs.Uint64Var(&v.seed, "seed", 1, "`NUMBER` from which the bursts of --rule and --injection are drawn")
		fs.StringVar(&v.injection, "injection", "", "make injected media of these `FAMILIES`, parted by commas, and judge them")
		fs.StringVar(&v.keep, "keep", "", "also write the triples of --injection to `FOLDER`")
		return v.flags(fs, v.run)
	})
}

// livenessEval is one call of the command.
type livenessEval struct {
	evaluation
	every int
	rule  string
	cases int
	seed  uint64
	// injection names families, and keep the folder of their triples.
	injection, keep string
}

// familyLines lists the families of injected media.
func familyLines() string {
	var b strings.Builder
	for _, f := range injection.Families() {
		fmt.Fprintf(&b, "  %-20s %s\n", f.Name, f.Does)
	}
	return strings.TrimSuffix(b.String(), "\n")
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

// failure implements examination.
func (j judged) failure() (string, error) { return j.files[0], j.err }

// live is the verdict.
func (j *judged) live() bool { return len(j.findings.Reasons) == 0 }

func (v *livenessEval) run(ctx context.Context, t *terminal) error {
	if v.every < 1 {
		return &usageError{msg: "--every needs a number from 1 on"}
	}
	if v.rule != "" {
		return v.runRule(ctx, t)
	}
	if v.injection != "" {
		return v.runInjection(ctx, t)
	}
	bursts, err := v.bursts()
	if err != nil {
		return err
	}
	r, err := openReport[livenessScore](&v.evaluation, formEvalLiveness)
	if err != nil {
		return err
	}
	outcomes, err := examineAll(ctx, t, &v.evaluation, bursts, v.judge)
	if err != nil {
		return err
	}
	if v.dump != "" {
		if err := dumpBursts(v.dump, outcomes); err != nil {
			return err
		}
	}
	return r.deliver(t, scoreLiveness(outcomes), func(w io.Writer) { printMisjudgedBursts(w, outcomes) })
}

// bursts lists the bursts of the folder.
func (v *livenessEval) bursts() (all []burst, err error) {
	folders := map[string][]string{}
	refuse := func(msg string, err error) error {
		return &appliance.Error{Op: "list bursts", Msg: msg, Hint: "see `bawab eval liveness --help` for the folders", Err: err}
	}
	err = filepath.WalkDir(v.dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}, strings.ToLower(filepath.Ext(name))) {
			folders[filepath.Dir(name)] = append(folders[filepath.Dir(name)], name)
		}
		return err
	})
	if err != nil {
		return nil, refuse("the folder cannot be read", err)
	}
	for folder, files := range folders {
		relative, err := filepath.Rel(v.dir, folder)
		if err != nil {
			return nil, refuse("the folder cannot be read", err)
		}
		kind, _, _ := strings.Cut(filepath.ToSlash(relative), "/")
		slices.SortFunc(files, byNumbers)
		for i := 0; i+appliance.BurstFrames <= len(files); i += appliance.BurstFrames * v.every {
			all = append(all, burst{kind, [appliance.BurstFrames]string(files[i : i+appliance.BurstFrames])})
		}
	}
	if len(all) == 0 {
		return nil, refuse("there are no three pictures in any folder of "+v.dir, nil)
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
func (v *livenessEval) judge(ctx context.Context, e *engine, b burst) (o judged) {
	o.burst = b
	if e.faces.finder == nil {
		o.err = appliance.Errorf(appliance.CodeNotBuilt, "this binary carries no networks for faces")
		return o
	}
	var files [appliance.BurstFrames][]byte
	for i, name := range b.files {
		var err error
		if files[i], err = readPicture(nil, name, int64(e.decoder.MaxBytes)); err != nil {
			o.err = err
			return o
		}
	}
	return v.judgeFiles(ctx, e, o, files)
}

// judgeFiles judges the frames of a burst.
func (v *livenessEval) judgeFiles(ctx context.Context, e *engine, o judged, files [appliance.BurstFrames][]byte) judged {
	var pictures []*appliance.Picture
	for i, raw := range files {
		p, err := e.decoder.Decode(ctx, raw)
		if err != nil {
			o.err = fmt.Errorf("%s: %w", filepath.Base(o.files[i]), err)
			return o
		}
		pictures = append(pictures, p)
	}
	judge, err := e.judge()
	if err != nil {
		o.err = err
		return o
	}
	if o.rules = judge == nil; o.rules {
		judge = face.NewRules(e.faces.finder, e.faces.matcher)
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
	return dump(name, rows)
}

// printMisjudgedBursts lists the bursts that were judged wrongly.
func printMisjudgedBursts(w io.Writer, outcomes []judged) {
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.err != nil:
			fmt.Fprintf(w, "%s: failed: %v\n", o.files[0], o.err)
		case o.live() != (o.kind == liveKind):
			fmt.Fprintf(w, "%s: %s judged live %v, score %.3f, reasons %v\n", o.files[0], o.kind, o.live(), o.findings.Score, o.findings.Reasons)
		}
	}
}
