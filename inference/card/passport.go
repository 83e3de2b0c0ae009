package card

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// PassportReader reads the data page of a passport by its machine readable zone. It is safe for concurrent use.
type PassportReader struct{ zones zoneReader }

// NewPassportReader makes a reader over the "lines" and "mrz" networks, which stay the caller's. now gives the
// time in the zone in which documents expire.
func NewPassportReader(lines, chars *inference.Network, now func() time.Time) *PassportReader {
	return &PassportReader{zones: zoneReader{
		detector:   text.NewDetector(lines),
		recogniser: text.NewRecogniser(chars),
		now:        now,
	}}
}

// Read finds the machine readable zone at any angle, reads and checks it. A picture without one is CodeNoDocument;
// a zone of a visa or a card is read as far as it goes and answered as another document.
func (r *PassportReader) Read(ctx context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
	reading, _, err := r.ReadZone(ctx, p)
	return reading, err
}

// ReadZone does what Read does and also returns the zone as it was read, for measuring.
func (r *PassportReader) ReadZone(ctx context.Context, p *appliance.Picture) (appliance.Reading, mrz.Reading, error) {
	ctx, watch := newStopwatch(ctx)
	z, ok, err := r.zones.read(ctx, vision.Luma(p), watch)
	if err != nil {
		return appliance.Reading{}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	if !ok {
		return appliance.Reading{}, mrz.Reading{}, appliance.Errorf(appliance.CodeNoDocument,
			"no passport was found in the image: show the whole data page with its two lines at the bottom, sharp and without glare")
	}
	return appliance.Reading{
		Documents: []appliance.Document{passport(z, r.zones.now())},
		Stages:    watch.stages,
	}, z.Reading, nil
}

// passport turns a zone into the fields of the passport model.
func passport(z zoneReading, now time.Time) appliance.Document {
	d := appliance.Document{Kind: appliance.Passport, Quad: z.block.page()}
	if z.Format != mrz.TD3 || len(z.DocumentCode.Value) > 0 && z.DocumentCode.Value[0] != 'P' {
		d.Kind = appliance.Unknown
		d.Quad = z.block.outline(0, -capitals, float64(z.block.width), float64(z.block.lines-1)*lineGap+capitals)
	}
	name := z.Surname
	name.Value = z.Name()
	name.Confidence = min(z.GivenNames.Confidence, z.Surname.Confidence)
	name.Repairs = append(append([]mrz.Repair(nil), z.Surname.Repairs...), z.GivenNames.Repairs...)
	name.End = max(z.Surname.End, z.GivenNames.End)
	name.Raw = z.Raw[name.Line][name.Start:name.End]

	sex := z.Sex
	sex.Value = map[string]string{"M": "Male", "F": "Female", "X": "X"}[z.Sex.Value]

	add := func(name string, f mrz.Field) { addField(&d, z.block, name, f) }
	add("country_code", z.IssuingState)
	add("doc_Type", z.DocumentCode)
	add("gender", sex)
	add("name", name)
	add("nationality", z.Nationality)
	add("passport_no", z.DocumentNumber)
	add("Date_of_Birth", z.BirthDate)
	add("Date_of_Expiry", z.ExpiryDate)
	if z.NameTruncated {
		d.Flag("name", name.Value, appliance.CodeLowConfidence)
	}
	if z.ExpiryDate.Value != "" && z.ExpiryDate.Value < now.Format(time.DateOnly) {
		d.Flag("Date_of_Expiry", z.ExpiryDate.Value, appliance.CodeExpired)
	}
	for _, name := range []string{mrz.CheckPersonalNumber, mrz.CheckComposite} {
		if c, ok := z.Check(name); ok && !c.OK {
			d.Flag("", "", appliance.CodeMRZCheck)
			break
		}
	}
	return d
}

// addField records a field with its evidence and says what is doubtful about it.
func addField(d *appliance.Document, b block, name string, f mrz.Field) {
	out := appliance.Field{
		Name:       name,
		Value:      f.Value,
		Confidence: f.Confidence,
		Quad:       b.quad(f.Line, f.Start, f.End),
		Raw:        f.Raw,
	}
	for _, r := range f.Repairs {
		out.Repairs = append(out.Repairs, fmt.Sprintf("line %d, character %d: %c read as %c, %s", r.Line+1, r.Pos+1, r.From, r.To, r.Why))
	}
	if f.CheckOK != mrz.Unchecked {
		out.Checks = append(out.Checks, appliance.FieldCheck{Name: "check_digit", Passed: f.CheckOK == mrz.Passed})
	}
	d.Fields = append(d.Fields, out)

	if f.CheckOK == mrz.Failed {
		d.Flag(name, f.Value, appliance.CodeMRZCheck)
	}
	switch {
	case f.Value == "" && f.Reason != mrz.ReasonEmpty && f.Reason != mrz.ReasonUnknownDate:
		d.Flag(name, "", appliance.CodeUnreadable)
	case f.Doubtful():
		d.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
}

// stopwatch measures the stages of a reading: the time and what the networks did; a stage that comes again adds up.
type stopwatch struct {
	work       inference.Work
	last       time.Time
	runs, macs int64 // work done when the last stage ended
	stages     []appliance.Stage
}

// newStopwatch starts a stopwatch; the networks' work counts when they run under the context that it returns.
func newStopwatch(ctx context.Context) (context.Context, *stopwatch) {
	w := &stopwatch{last: time.Now()}
	return inference.WithWork(ctx, &w.work), w
}

// lap ends a stage, which began where the last one ended.
func (w *stopwatch) lap(name string) {
	now := time.Now()
	runs, macs := w.work.Total()
	lap := appliance.Stage{Name: name, Elapsed: now.Sub(w.last), Runs: runs - w.runs, MACs: macs - w.macs}
	w.last, w.runs, w.macs = now, runs, macs
	i := slices.IndexFunc(w.stages, func(s appliance.Stage) bool { return s.Name == name })
	if i < 0 {
		w.stages = append(w.stages, lap)
		return
	}
	s := &w.stages[i]
	s.Elapsed, s.Runs, s.MACs = s.Elapsed+lap.Elapsed, s.Runs+lap.Runs, s.MACs+lap.MACs
}
