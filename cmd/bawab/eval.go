package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
)

func evalCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "eval", Short: "measure how well pictures with known content are read",
		Long: `Measures the quality of the readers on pictures whose content is known. What cannot be read, as a file that is not there, is
named on standard error and never counts as right; then the figures are printed all the same, and the exit code is 1.`,
	},
		evalMRZCommand(),
		evalDocumentsCommand(),
		evalLinesCommand(),
		evalPagesCommand(),
		evalPlatesCommand(),
		evalSpoofCommand(),
		evalFacesCommand(),
		evalLivenessCommand(),
	)
}

// evaluation is one call of an eval command on a folder.
type evaluation struct {
	place   place
	dir     string
	truth   string
	compare string
	dump    string // file of a table, where the command has one
	json    bool
	verbose bool

	specimens int
	failed    []string // what of them could not be examined, and why
}

// truthFlag declares the flag of the commands that read a truth with readTruth.
func (v *evaluation) truthFlag(fs *flag.FlagSet) {
	fs.StringVar(&v.truth, "truth", "", "`FILE` with the truth instead of DIR/truth.jsonl")
}

// flags declares the flags that all eval commands have, and returns the action that run carries out.
func (v *evaluation) flags(fs *flag.FlagSet, run func(context.Context, *terminal) error) action {
	v.place.flags(fs)
	fs.StringVar(&v.compare, "compare", "", "`FILE` of an earlier --json to compare with")
	fs.BoolVar(&v.json, "json", false, "print the figures as JSON")
	fs.BoolVar(&v.verbose, "verbose", false, "list every picture that is not exact")
	return func(ctx context.Context, t *terminal, args []string) error {
		v.dir = args[0]
		return run(ctx, t)
	}
}

// readTruth reads one specimen from each line of a truth file, and completes it.
func readTruth[S any](v *evaluation, command string, complete func(*S) error) ([]S, error) {
	if v.truth == "" {
		v.truth = filepath.Join(v.dir, "truth.jsonl")
	}
	refuse := func(msg string, err error) error {
		return &appliance.Error{Op: "read truth", Msg: msg, Hint: "see `bawab eval " + command + " --help` for the form of truth.jsonl", Err: err}
	}
	text, err := os.ReadFile(v.truth)
	if err != nil {
		return nil, refuse("there is no truth to compare with", err)
	}
	var all []S
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var s S
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, refuse(fmt.Sprintf("%s, line %d", v.truth, n), err)
		}
		if err := complete(&s); err != nil {
			return nil, refuse(fmt.Sprintf("%s, line %d", v.truth, n), err)
		}
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		return nil, refuse(v.truth, err)
	}
	if len(all) == 0 {
		return nil, refuse(v.truth+" names no picture", nil)
	}
	return all, nil
}

// examination is what became of one specimen. failure names it; err is why it could not be examined, nil where it could.
type examination interface {
	failure() (name string, err error)
}

// examineAll examines the specimens on all cores; the outcomes are in the order of the specimens.
func examineAll[S any, O examination](ctx context.Context, t *terminal, v *evaluation, specimens []S, examine func(context.Context, *engine, S) O) (outcomes []O, err error) {
	cfg, err := v.place.load(t, nil)
	if err != nil {
		return nil, err
	}
	e, err := openEngine(ctx, cfg.Picture, cfg.Queue.Workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	outcomes = make([]O, len(specimens))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range e.workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(specimens)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				outcomes[i] = examine(ctx, e, specimens[i])
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v.specimens = len(outcomes)
	for _, o := range outcomes {
		if name, err := o.failure(); err != nil {
			v.failed = append(v.failed, fmt.Sprintf("%s: %v", name, err))
		}
	}
	return outcomes, nil
}

// mostFailures is how many failures are named: in a folder without its pictures all of thousands fail.
const mostFailures = 20

// failure is the error of an evaluation of which not everything could be examined, nil where everything was. It names
// what was not.
func (v *evaluation) failure(t *terminal) error {
	if len(v.failed) == 0 {
		return nil
	}
	for _, why := range v.failed[:min(len(v.failed), mostFailures)] {
		fmt.Fprintln(t.errs, oneLine(why))
	}
	if more := len(v.failed) - mostFailures; more > 0 {
		fmt.Fprintf(t.errs, "and %d more\n", more)
	}
	return &appliance.Error{
		Op: "measure", Msg: fmt.Sprintf("%d of %d could not be read", len(v.failed), v.specimens),
		Hint: "see that what is named above is there and is a picture, and measure again",
	}
}

// decode reads and decodes a picture of the folder.
func (v *evaluation) decode(ctx context.Context, e *engine, file string) (*appliance.Picture, error) {
	picture, err := readPicture(nil, filepath.Join(v.dir, file), int64(e.decoder.MaxBytes))
	if err != nil {
		return nil, err
	}
	return e.decoder.Decode(ctx, picture)
}

// dump writes a table as CSV to a new file, which only its owner may read.
func dump(name string, rows [][]string) (err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// figures is the report of an eval command. compare prints how it differs from an earlier one.
type figures[F any] interface {
	print(io.Writer)
	compare(io.Writer, F)
}

// report is where the figures of one eval command go.
type report[F figures[F]] struct {
	*evaluation
	old *F // earlier figures to compare with, nil for none
}

// openReport reads the earlier figures and tries the file of the table: what is wrong with either is told before hours of work.
func openReport[F figures[F]](v *evaluation, form string) (r report[F], err error) {
	r.evaluation = v
	if v.compare != "" {
		r.old = new(F)
		if err := readFigures(v.compare, form, r.old); err != nil {
			return r, err
		}
	}
	if v.dump != "" {
		return r, tryFile(v.dump)
	}
	return r, nil
}

// tryFile tells whether a file can be written. It leaves one that is there as it is, and no other.
func tryFile(name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	missing := err == nil
	if errors.Is(err, fs.ErrExist) {
		f, err = os.OpenFile(name, os.O_WRONLY, 0)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return &appliance.Error{Op: "write table", Msg: err.Error(), Hint: "name a file in a folder that you may write to"}
	}
	if missing {
		return os.Remove(name)
	}
	return nil
}

// deliver prints the figures, the failures that a person asked for, and the comparison with the earlier figures. It fails
// where something could not be examined.
func (r report[F]) deliver(t *terminal, now F, failures func(io.Writer)) error {
	out := t.out
	if r.json {
		text, err := json.Marshal(now)
		if err != nil {
			return fmt.Errorf("print figures: %w", err)
		}
		if err := printJSON(t.out, text, false); err != nil {
			return err
		}
		out = t.errs // standard output stays one JSON value
	} else {
		now.print(t.out)
	}
	if r.verbose {
		failures(out)
	}
	if r.old != nil {
		now.compare(out, *r.old)
	}
	return r.failure(t)
}
