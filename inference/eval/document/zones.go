package document

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
)

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

// complete fills in what the truth leaves to the lines.
func (s *specimen) complete(now time.Time) error {
	if len(s.MRZ) == 0 {
		s.MRZ = s.Lines
	}
	z, err := mrz.Parse(s.MRZ, now)
	if err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	s.Fields = expected(s.Fields, &z)
	return nil
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

// Failure implements eval.Outcome.
func (o outcome) Failure() (string, error) { return o.File, o.err }

// Zones measures on a folder of machine readable zones.
type Zones struct {
	eval.Call
}

// Run measures how machine readable zones are read.
func (v *Zones) Run(ctx context.Context) error {
	zone, err := egypt.Cairo()
	if err != nil {
		return err
	}
	now := time.Now().In(zone)
	specimens, err := eval.ReadTruth(&v.Call, "mrz", func(s *specimen) error { return s.complete(now) })
	if err != nil {
		return err
	}
	r, err := eval.OpenReport[zoneScore](&v.Call, formZones)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, specimens, v.examineMRZ)
	if err != nil {
		return err
	}
	return r.Deliver(scoreOf(outcomes), func(w io.Writer) { printFailures(w, outcomes) })
}

// examineMRZ reads one specimen as a request would.
func (v *Zones) examineMRZ(ctx context.Context, e *engine.Engine, s specimen) outcome {
	o := outcome{specimen: s}
	began := time.Now()
	decoded, err := v.Decode(ctx, e, s.File)
	if err != nil {
		o.err = err
		return o
	}
	reading, z, err := e.Passport.ReadZone(ctx, decoded, nil)
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
