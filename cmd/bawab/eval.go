package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
)

func evalCommand() command {
	return command{
		name: "eval", short: "measure how well pictures with known content are read",
		long: "Measures the quality of the readers on pictures whose content is known.",
		sub: []command{{
			name: "mrz", params: "DIR", short: "machine readable zones: exact lines, characters, fields",
			long: `Reads every picture of DIR and compares it with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "mrz": ["P<UTO...", "L898..."], "fields": {"document_number": "L898902C3", "surname": "ERIKSSON",
   "given_names": "ANNA MARIA", "nationality": "UTO", "sex": "F", "date_of_birth": "1974-08-12", "date_of_expiry": "2012-04-15"}}

"lines" is another name for "mrz". Fields that are left out follow from the lines. A passport number
counts as wrong and unflagged when it differs from the truth, is not empty, and no validation error names it. Shares come with
their 95 % Wilson interval.`,
			setup: func(fs *flag.FlagSet) action {
				var e evaluation
				e.place.flags(fs)
				fs.StringVar(&e.truth, "truth", "", "`FILE` with the truth instead of DIR/truth.jsonl")
				fs.StringVar(&e.compare, "compare", "", "`FILE` of an earlier --json to compare with")
				fs.BoolVar(&e.json, "json", false, "print the figures as JSON")
				fs.BoolVar(&e.verbose, "verbose", false, "list every picture that is not exact")
				return func(ctx context.Context, t *terminal, args []string) error {
					e.dir = args[0]
					if e.truth == "" {
						e.truth = filepath.Join(e.dir, "truth.jsonl")
					}
					return e.run(ctx, t)
				}
			},
		}},
	}
}

// evaluation is one call of the command.
type evaluation struct {
	place   place
	dir     string
	truth   string
	compare string
	json    bool
	verbose bool
}

// specimen is one picture with its truth. Fields are those of the truth file first, and then those of the passport
// model.
type specimen struct {
	File   string            `json:"file"`
	MRZ    []string          `json:"mrz"`
	Lines  []string          `json:"lines"`
	Fields map[string]string `json:"fields"`
}

// evalFields are the fields that count, in the order of the report.
var evalFields = [...]string{"passport_no", "Date_of_Birth", "Date_of_Expiry", "name", "gender", "nationality"}

// readTruth reads the truth and fills in what it leaves to the lines.
func readTruth(name string, now time.Time) ([]specimen, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, &appliance.Error{Op: "read truth", Msg: "there is no truth to compare with", Hint: "see `bawab eval mrz --help` for the form of truth.jsonl", Err: err}
	}
	var all []specimen
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var s specimen
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("read truth: line %d: %w", n, err)
		}
		if len(s.MRZ) == 0 {
			s.MRZ = s.Lines
		}
		z, err := mrz.Parse(s.MRZ, now)
		if err != nil {
			return nil, fmt.Errorf("read truth: line %d: %s: %w", n, s.File, err)
		}
		s.Fields = expected(s.Fields, &z)
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read truth: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("read truth: the file names no picture")
	}
	return all, nil
}

// expected says what the passport model must hold: what the truth states, and what follows from the lines for the rest.
func expected(stated map[string]string, z *mrz.Reading) map[string]string {
	pick := func(name, otherwise string) string {
		if v, ok := stated[name]; ok {
			return v
		}
		return otherwise
	}
	sex := pick("sex", z.Sex.Value)
	if sex == "" || sex == "<" {
		sex = "X"
	}
	name := strings.TrimSpace(pick("given_names", z.GivenNames.Value) + " " + pick("surname", z.Surname.Value))
	return map[string]string{
		"passport_no":    pick("document_number", z.DocumentNumber.Value),
		"Date_of_Birth":  pick("date_of_birth", z.BirthDate.Value),
		"Date_of_Expiry": pick("date_of_expiry", z.ExpiryDate.Value),
		"name":           strings.ReplaceAll(name, "-", " "), // a zone has no hyphens
		"nationality":    pick("nationality", z.Nationality.Value),
		"gender":         map[string]string{"M": "Male", "F": "Female", "X": "X"}[sex],
	}
}

// outcome is what became of one specimen.
type outcome struct {
	specimen
	found    bool
	err      error // other than that nothing was found
	raw      []string
	lines    []string
	document appliance.Document
	elapsed  time.Duration
}

func (v *evaluation) run(ctx context.Context, t *terminal) error {
	zone, err := cairo()
	if err != nil {
		return err
	}
	specimens, err := readTruth(v.truth, time.Now().In(zone))
	if err != nil {
		return err
	}
	outcomes, err := v.examineAll(ctx, t, specimens)
	if err != nil {
		return err
	}
	now, out := scoreOf(outcomes), t.out
	if v.json {
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
	if v.verbose {
		printFailures(out, outcomes)
	}
	if v.compare == "" {
		return nil
	}
	var old score
	if err := readFigures(v.compare, formEval, &old); err != nil {
		return err
	}
	now.compare(out, old)
	return nil
}

// examineAll reads the specimens on all cores.
func (v *evaluation) examineAll(ctx context.Context, t *terminal, specimens []specimen) (outcomes []outcome, err error) {
	cfg, err := v.place.load(t, nil)
	if err != nil {
		return nil, err
	}
	e, err := openEngine(ctx, cfg.Picture, cfg.Queue.Workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	outcomes = make([]outcome, len(specimens))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range e.workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(specimens)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				outcomes[i] = e.examine(ctx, v.dir, specimens[i])
			}
		})
	}
	wg.Wait()
	return outcomes, ctx.Err()
}

// examine reads one specimen as a request would.
func (e *engine) examine(ctx context.Context, dir string, s specimen) outcome {
	o := outcome{specimen: s}
	picture, err := readPicture(nil, filepath.Join(dir, s.File), int64(e.decoder.MaxBytes))
	if err != nil {
		o.err = err
		return o
	}
	began := time.Now()
	decoded, err := e.decoder.Decode(ctx, picture)
	if err != nil {
		o.err = err
		return o
	}
	reading, z, err := e.passport.ReadZone(ctx, decoded)
	o.elapsed = time.Since(began)
	switch {
	case appliance.CodeOf(err) == appliance.CodeNoDocument:
	case err != nil:
		o.err = err
	default:
		o.found, o.raw, o.lines, o.document = true, z.Raw, z.Lines, reading.Documents[0]
	}
	return o
}

// printFailures lists the specimens whose lines are not exact.
func printFailures(w io.Writer, outcomes []outcome) {
	for _, o := range outcomes {
		if exact(o.lines, o.MRZ) {
			continue
		}
		why := "wrong"
		switch {
		case o.err != nil:
			why = "failed: " + o.err.Error()
		case !o.found:
			why = "not found"
		case unflaggedWrong(&o):
			why = "WRONG NUMBER, UNFLAGGED"
		}
		fmt.Fprintf(w, "\n%s: %s\n", o.File, why)
		for i, want := range o.MRZ {
			fmt.Fprintf(w, "  want %s\n", want)
			if i < len(o.lines) {
				fmt.Fprintf(w, "  got  %s\n", o.lines[i])
				fmt.Fprintf(w, "       %s\n", strings.TrimRight(marks(want, o.lines[i]), " "))
			}
		}
	}
}

// marks puts a ^ below each position that differs.
func marks(want, got string) string {
	m := bytes.Repeat([]byte{' '}, max(len(want), len(got)))
	for i := range m {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			m[i] = '^'
		}
	}
	return string(m)
}
