// Package readingtest opens the product's own networks for tests of what reads documents.
package readingtest

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/zone"
)

// samples are the committed pictures, as a package of inference sees them.
const samples = "../../models/samples"

// Tools opens what reads the kinds that are described; it is closed with the test.
func Tools(t testing.TB) reading.Tools {
	t.Helper()
	digits, _ := inferencetest.Product(t, "digits")
	return reading.Tools{
		Kinds: reading.Kinds{Described: Described(t)}, Calibration: inferencetest.Calibrate[form.Calibration](t),
		Finder: outlinetest.Finder(t), Detector: texttest.Detector(t), Words: texttest.Words(t), Digits: text.NewDigitReader(digits),
		Now: Now,
	}
}

// Now is when the committed pictures are read.
func Now() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// Described are the kinds that the document engine reads.
func Described(t testing.TB) []*form.Description {
	t.Helper()
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Zones opens the product's reader of machine readable zones; it is closed with the test.
func Zones(t testing.TB) *zone.Reader {
	t.Helper()
	lines, _ := inferencetest.Product(t, "lines")
	chars, _ := inferencetest.Product(t, "mrz")
	return zone.NewReader(lines, chars, Now)
}

// Picture reads a committed picture.
func Picture(t testing.TB, file string) *appliance.Picture {
	t.Helper()
	return inferencetest.Picture(t, samples, file)
}

// Truth reads the truth of a folder of committed photographs.
func Truth(t testing.TB, folder string) []inferencetest.Card {
	t.Helper()
	return inferencetest.Truth(t, filepath.Join(samples, folder))
}

// Flagged reports whether a validation error names the field.
func Flagged(d appliance.Document, field string) bool {
	return slices.ContainsFunc(d.Validations, func(v appliance.Validation) bool { return v.Field == field })
}

// At is an upright card with its top left corner at a place.
func At(x, y float64) appliance.Quad {
	return appliance.Quad{{X: x, Y: y}, {X: x + 100, Y: y}, {X: x + 100, Y: y + 63}, {X: x, Y: y + 63}}
}

// Plates reads each outline as a plate of which it says what is shown.
type Plates func(q appliance.Quad) appliance.Field

// Shows takes every outline for that of a plate.
func (Plates) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

// ReadIn reads one; no field where nothing is shown.
func (p Plates) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	d := appliance.Document{Kind: appliance.LicensePlate, Quad: q}
	if f := p(q); f.Value != "" || f.Raw != "" {
		f.Name = "result"
		d.Fields = []appliance.Field{f}
	}
	return d, nil
}

// Surely reads each as the same plate, so surely.
func Surely(confidence float64) Plates {
	return func(appliance.Quad) appliance.Field {
		return appliance.Field{Value: "ن و ر 1234", Confidence: confidence}
	}
}

// Unread reads none.
func Unread(appliance.Quad) appliance.Field { return appliance.Field{} }
