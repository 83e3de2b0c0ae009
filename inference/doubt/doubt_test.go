package doubt

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Property: a field that runs up to a covering document is flagged with all that follows from it, and where much is hidden one in the row
// beside it; one far from it is only where much is hidden and a field is missing.
func TestCovered(t *testing.T) {
	cover := []appliance.Quad{vision.RectQuad(100, 0, 200, 100)}
	place := func(from, to float64) appliance.Quad {
		return appliance.Quad{{X: from, Y: 40}, {X: to, Y: 40}, {X: to, Y: 50}, {X: from, Y: 50}}
	}
	d := appliance.Document{Fields: []appliance.Field{
		{Name: "far", Value: "a", Quad: place(10, 60)},
		{Name: "checked", Value: "1", Quad: place(10, 60), Checks: []appliance.FieldCheck{{Name: "grammar", Passed: true}}},
		{Name: "near", Value: "b", Quad: place(20, 85)},
		{Name: "empty", Quad: place(20, 85)},
		{Name: "below", Value: "e", Quad: vision.RectQuad(120, 105, 180, 115)},
		{Name: "follows", Value: "c", DerivedFrom: []string{"near"}},
		{Name: "follows from that", Value: "d", DerivedFrom: []string{"follows"}},
	}}
	for name, test := range map[string]struct {
		card  appliance.Quad
		lacks bool
		want  []string
	}{
		"little hidden":             {vision.RectQuad(-900, 0, 101, 500), true, []string{"near", "follows", "follows from that"}},
		"much hidden":               {vision.RectQuad(0, 0, 150, 90), true, []string{"far", "near", "below", "follows", "follows from that"}},
		"much hidden, none missing": {vision.RectQuad(0, 0, 150, 90), false, []string{"near", "below", "follows", "follows from that"}},
	} {
		d.Quad, d.Validations = test.card, nil
		if test.lacks {
			d.Flag("empty", "", appliance.CodeUnreadable)
		}
		Covered(&d, cover)
		var doubted []string
		for _, f := range d.Fields {
			if d.Flagged(f.Name, appliance.CodeLowConfidence) {
				doubted = append(doubted, f.Name)
			}
		}
		if diff := cmp.Diff(test.want, doubted); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Property: what lies beyond the picture, or where light has burnt it out, may be printed there: fields beside it are doubtful, where much
// is lost and a field that must be there is missing all that no check speaks for, and an empty one is not readable; of a card that fills
// the picture nothing is.
func TestLostPrint(t *testing.T) {
	const w, h = 1600, 1000
	fields := func() []appliance.Field {
		place := func(left, right, y float64) appliance.Quad {
			return appliance.Quad{{X: left, Y: y}, {X: right, Y: y}, {X: right, Y: y + 40}, {X: left, Y: y + 40}}
		}
		return []appliance.Field{
			{Name: "left", Value: "a", Quad: place(60, 500, 300)},
			{Name: "middle", Value: "b", Quad: place(600, 900, 300)},
			{Name: "checked", Value: "1", Quad: place(600, 900, 500), Checks: []appliance.FieldCheck{{Name: "grammar", Passed: true}}},
			{Name: "failed", Value: "2", Quad: place(600, 900, 600), Checks: []appliance.FieldCheck{{Name: "grammar"}}},
			{Name: "empty"},
		}
	}
	card := func(left, right float64) appliance.Quad {
		return appliance.Quad{{X: left, Y: 0}, {X: right, Y: 0}, {X: right, Y: h}, {X: left, Y: h}}
	}
	for name, test := range map[string]struct {
		quad       appliance.Quad
		ground     byte
		spot       int // its side, in samples
		lacks      bool
		low, empty []string
	}{
		"whole":                     {card(0, w), 180, 0, false, nil, nil},
		"a little cut off":          {card(-60, w), 180, 0, false, []string{"left"}, nil},
		"much cut off":              {card(-400, w), 180, 0, true, []string{"left", "middle", "failed"}, []string{"empty"}},
		"much, and none is missing": {card(-400, w), 180, 0, false, []string{"left"}, []string{"empty"}},
		"a spot on a line":          {card(0, w), 180, 100, false, []string{"middle"}, nil},
		"a spot as a word":          {card(0, w), 180, 200, true, []string{"left", "middle", "failed"}, []string{"empty"}},
		"it hides no line":          {card(0, w), 180, 200, false, []string{"middle"}, []string{"empty"}},
		"a large spot":              {card(0, w), 180, 400, true, []string{"left", "middle", "checked", "failed"}, []string{"empty"}},
		"all too bright":            {card(0, w), 250, 400, false, nil, nil},
		"a spot of no size":         {card(0, w), 180, 10, false, nil, nil},
		"as large as a letter":      {card(0, w), 180, 50, false, []string{"middle"}, nil},
		"the same on a bright card": {card(0, w), 230, 50, false, nil, nil},
	} {
		p := &appliance.Picture{Width: w, Height: h, Y: bytes.Repeat([]byte{test.ground}, w*h)}
		for y := range test.spot {
			for x := range test.spot {
				p.Y[(300+y)*w+720+x] = 255
			}
		}
		d := appliance.Document{Quad: test.quad, Fields: fields()}
		if test.quad[0].X < 0 {
			d.Fields[0].Quad[0].X, d.Fields[0].Quad[3].X = 20, 20
		}
		if test.lacks {
			d.Flag("empty", "", appliance.CodeUnreadable)
		}
		cutOff(&d, p)
		burnt(&d, p)
		var low, empty []string
		for _, f := range d.Fields {
			if d.Flagged(f.Name, appliance.CodeLowConfidence) {
				low = append(low, f.Name)
			}
			if d.Flagged(f.Name, appliance.CodeUnreadable) {
				empty = append(empty, f.Name)
			}
		}
		if diff := cmp.Diff([][]string{test.low, test.empty}, [][]string{low, empty}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Property: a burnt spot may hide a whole line, for which the next one is taken: a line within a row of it is doubtful, one that a check
// speaks for, and one further off, are not.
func TestSpotBesideALine(t *testing.T) {
	const w, h = 1600, 1000
	p := &appliance.Picture{Width: w, Height: h, Y: bytes.Repeat([]byte{180}, w*h)}
	for y := 300; y < 360; y++ {
		for x := 700; x < 760; x++ {
			p.Y[y*w+x] = 255
		}
	}
	d := appliance.Document{Quad: vision.RectQuad(0, 0, w, h), Fields: []appliance.Field{
		{Name: "above", Value: "a", Quad: vision.RectQuad(600, 220, 900, 270)},
		{Name: "far above", Value: "a", Quad: vision.RectQuad(600, 120, 900, 170)},
		{Name: "below", Value: "b", Quad: vision.RectQuad(600, 390, 900, 440)},
		{Name: "checked", Value: "1", Quad: vision.RectQuad(600, 390, 900, 440), Checks: []appliance.FieldCheck{{Name: "grammar", Passed: true}}},
		{Name: "aside", Value: "c", Quad: vision.RectQuad(100, 390, 500, 440)},
	}}
	burnt(&d, p)
	for name, want := range map[string]bool{"above": true, "far above": false, "below": true, "checked": false, "aside": false} {
		if d.Flagged(name, appliance.CodeLowConfidence) != want {
			t.Errorf("%s: want doubt %v", name, want)
		}
	}
}

// Property: a value that reaches beyond the outline of its card is in doubt, one that ends at it is not.
func TestBeyondTheOutlineIsDoubtful(t *testing.T) {
	d := appliance.Document{Kind: appliance.DrivingLicense, Quad: vision.RectQuad(100, 100, 900, 600)}
	for name, right := range map[string]float64{"nameArabic": 905, "nameEnglish": 940} {
		d.Fields = append(d.Fields, appliance.Field{Name: name, Value: "x", Confidence: 0.99, Quad: vision.RectQuad(500, 200, right, 220)})
	}
	Beyond(&d)
	if d.Flagged("nameArabic") || !d.Flagged("nameEnglish") {
		t.Errorf("%+v", d)
	}
}
