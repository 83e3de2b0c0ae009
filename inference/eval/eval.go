// Package eval carries out measurements on folders of pictures whose content is known: it reads the truth, examines each picture on
// all cores, and prints the figures beside earlier ones. What is measured is in the packages below it.
package eval

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

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
)

// Call is one measurement on a folder. Its exported members are what the caller asks for.
type Call struct {
	Dir     string
	Truth   string // file of the truth, "" for truth.jsonl in Dir
	Compare string // file of earlier figures to compare with, "" for none
	Dump    string // file to write a table to, where the measurement has one; "" for none
	JSON    bool   // print the figures as JSON
	Verbose bool   // list every picture that is not exact
	Out     io.Writer
	Errs    io.Writer
	// Load returns the configuration under which pictures are read.
	Load func() (*configs.Config, error)
	// Open opens the engine that is measured, nil for that of the networks in the program; Progress, which may be nil, is told how many
	// specimens of how many have been examined, by several goroutines at once.
	Open     func(context.Context) (*engine.Engine, error)
	Progress func(done, of int)

	specimens int
	failed    []string // what of them could not be examined, and why
}

// ReadTruth reads one specimen from each line of a truth file, and completes it.
func ReadTruth[S any](v *Call, command string, complete func(*S) error) ([]S, error) {
	if v.Truth == "" {
		v.Truth = filepath.Join(v.Dir, "truth.jsonl")
	}
	refuse := func(msg string, err error) error {
		return &appliance.Error{
			Op:   "read truth",
			Msg:  msg,
			Hint: "see `bawab eval " + command + " --help` for the form of truth.jsonl",
			Err:  err,
		}
	}
	text, err := os.ReadFile(v.Truth)
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
			return nil, refuse(fmt.Sprintf("%s, line %d", v.Truth, n), err)
		}
		if err := complete(&s); err != nil {
			return nil, refuse(fmt.Sprintf("%s, line %d", v.Truth, n), err)
		}
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		return nil, refuse(v.Truth, err)
	}
	if len(all) == 0 {
		return nil, refuse(v.Truth+" names no picture", nil)
	}
	return all, nil
}

// Outcome is what became of one specimen. failure names it; err is why it could not be examined, nil where it could.
type Outcome interface {
	Failure() (name string, err error)
}

// ExamineAll examines the specimens on all cores; the outcomes are in the order of the specimens.
func ExamineAll[S any, O Outcome](
	ctx context.Context,
	v *Call,
	specimens []S,
	examine func(context.Context, *engine.Engine, S) O,
) (outcomes []O, err error) {
	e, err := v.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	outcomes = make([]O, len(specimens))
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range e.Workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(specimens)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				outcomes[i] = examine(ctx, e, specimens[i])
				if n := done.Add(1); v.Progress != nil {
					v.Progress(int(n), len(specimens))
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v.specimens = len(outcomes)
	for _, o := range outcomes {
		if name, err := o.Failure(); err != nil {
			v.failed = append(v.failed, fmt.Sprintf("%s: %v", name, err))
		}
	}
	return outcomes, nil
}

// open opens the engine that is measured.
func (v *Call) open(ctx context.Context) (*engine.Engine, error) {
	if v.Open != nil {
		return v.Open(ctx)
	}
	cfg, err := v.Load()
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, cfg.Picture, cfg.Queue.Workers)
}

// Kinds lists the kinds of documents that the engine which is measured reads beside those of the contract.
func (v *Call) Kinds(ctx context.Context) ([]appliance.KindModel, error) {
	if v.Open == nil { // the program brings none
		return nil, nil
	}
	e, err := v.Open(ctx)
	if err != nil {
		return nil, err
	}
	return e.Kinds(), e.Close()
}

// mostFailures is how many failures are named: in a folder without its pictures all of thousands fail.
const mostFailures = 20

// unread is the error of an evaluation of which not everything could be examined, nil where everything was. It names
// what was not.
func (v *Call) unread() error {
	if len(v.failed) == 0 {
		return nil
	}
	for _, why := range v.failed[:min(len(v.failed), mostFailures)] {
		fmt.Fprintln(v.Errs, words.OneLine(why))
	}
	if more := len(v.failed) - mostFailures; more > 0 {
		fmt.Fprintf(v.Errs, "and %d more\n", more)
	}
	return &appliance.Error{
		Op: "measure", Msg: fmt.Sprintf("%d of %d could not be read", len(v.failed), v.specimens),
		Hint: "see that what is named above is there and is a picture, and measure again",
	}
}

// Decode reads and decodes a picture of the folder.
func (v *Call) Decode(ctx context.Context, e *engine.Engine, file string) (*appliance.Picture, error) {
	picture, err := engine.ReadPicture(nil, filepath.Join(v.Dir, file), int64(e.Decoder.MaxBytes))
	if err != nil {
		return nil, err
	}
	return e.Decoder.Decode(ctx, picture)
}

// WriteTable writes a table as CSV to a new file, which only its owner may read.
func WriteTable(name string, rows [][]string) (err error) {
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

// Figures is the report of an eval command. compare prints how it differs from an earlier one.
type Figures[F any] interface {
	Print(io.Writer)
	Compare(io.Writer, F)
}

// Report is where the figures of one eval command go.
type Report[F Figures[F]] struct {
	*Call
	old *F // earlier figures to compare with, nil for none
}

// OpenReport reads the earlier figures and tries the file of the table: what is wrong with either is told before hours of work.
func OpenReport[F Figures[F]](v *Call, form string) (r Report[F], err error) {
	r.Call = v
	if v.Compare != "" {
		r.old = new(F)
		if err := ReadFigures(v.Compare, form, r.old); err != nil {
			return r, err
		}
	}
	if v.Dump != "" {
		return r, tryFile(v.Dump)
	}
	return r, nil
}

// tryFile reports whether a file can be written. It leaves one that is there as it is, and no other.
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

// PrintJSON prints figures as one JSON value.
func PrintJSON(out io.Writer, figures any) error {
	text, err := json.Marshal(figures)
	if err != nil {
		return fmt.Errorf("print figures: %w", err)
	}
	return words.PrintJSON(out, text, false)
}

// Deliver prints the figures, the failures that a person asked for, and the comparison with the earlier figures. It fails
// where something could not be examined.
func (r Report[F]) Deliver(now F, failures func(io.Writer)) error {
	out := r.Out
	if r.JSON {
		if err := PrintJSON(r.Out, now); err != nil {
			return err
		}
		out = r.Errs // standard output stays one JSON value
	} else {
		now.Print(r.Out)
	}
	if r.Verbose {
		failures(out)
	}
	if r.old != nil {
		now.Compare(out, *r.old)
	}
	return r.unread()
}
