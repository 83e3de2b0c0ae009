package reading

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/vision"
)

// Where the largest outline gives no number and another one of its kind overlaps it, the card that shows a number is read, and what both
// outlines hold is in doubt; one that lies elsewhere is another card and is only read in its place where that does not say what it is, then
// also without a number.
func TestRivalOutlines(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "documents")[0]
	want := card.Documents[0]
	p := inferencetest.Picture(t, samples, filepath.Join("documents", card.File))
	quad := inferencetest.Quad(want.Quad)
	// part is the strip of the card, and of what lies beside it, from one share of its width to another.
	part := func(from, to float64) appliance.Quad {
		return appliance.Quad{
			vision.Between(quad[0], quad[1], from), vision.Between(quad[0], quad[1], to), vision.Between(quad[3], quad[2], to),
			vision.Between(quad[3], quad[2], from),
		}
	}
	// twice shows the picture, in grey, beside itself: the card's names without its number at left, the card at right.
	twice := &appliance.Picture{Width: 2 * p.Width, Height: p.Height}
	for y := range p.Height {
		row := p.Y[y*p.Width:][:p.Width]
		twice.Y = append(append(twice.Y, row...), row...)
	}
	// rows is the card from one share of its height to another.
	rows := func(from, to float64) appliance.Quad {
		return appliance.Quad{
			vision.Between(quad[0], quad[3], from), vision.Between(quad[1], quad[2], from),
			vision.Between(quad[1], quad[2], to), vision.Between(quad[0], quad[3], to),
		}
	}
	other := quad
	for i := range other {
		other[i].X += float64(p.Width)
	}
	for name, test := range map[string]struct {
		picture       *appliance.Picture
		first, second appliance.Quad
		number        string
		doubted       bool
	}{
		"overlapping":             {p, part(-0.4, 0.3), quad, *want.Fields["idNumber"], true},
		"beside a blank one":      {p, part(-0.9, -0.2), quad, *want.Fields["idNumber"], false},
		"beside another":          {twice, rows(0, 0.7), other, "", false},
		"beside one with no name": {twice, rows(0.25, 0.7), other, *want.Fields["idNumber"], false},
		"without a number":        {p, part(-0.9, -0.2), rows(0, 0.7), "", false},
	} {
		edges := [4]float64{1, 1, 1, 1}
		tools.Finder = outlinetest.Found{{Kind: want.Kind, Quad: test.first, Edges: edges}, {Kind: want.Kind, Quad: test.second, Edges: edges}}
		got, err := NewReader(want.Kind, tools).Read(t.Context(), test.picture, nil)
		if err != nil || len(got.Others) != 1 {
			t.Errorf("%s: %+v, %v", name, got.Others, err)
			continue
		}
		d := got.Documents[0]
		if number := d.Field("idNumber").Value; number != test.number || test.doubted && !d.Flagged("idKey", appliance.CodeLowConfidence) {
			t.Errorf("%s: number %q, want %q; serial in doubt: %v", name, number, test.number, d.Flagged("idKey", appliance.CodeLowConfidence))
		}
		if d.Field("last_names").Value == "" {
			t.Errorf("%s: no name was read", name)
		}
	}
}

// A licence of no known look is read, although a blank sheet beside it looks more like one.
func TestUnknownRival(t *testing.T) {
	tools := cardTools(t)
	cards := goldenTruth(t, "licences")
	card := cards[slices.IndexFunc(cards, func(c inferencetest.Card) bool { return c.Documents[0].Kind == appliance.CarLicenseBack })]
	p := inferencetest.Picture(t, samples, filepath.Join("licences", card.File))
	quad, edges := inferencetest.Quad(card.Documents[0].Quad), [4]float64{1, 1, 1, 1}
	blank := quad
	for i := range blank {
		blank[i].X += 0.9 * (quad[1].X - quad[0].X)
		blank[i].Y += 0.9 * (quad[1].Y - quad[0].Y)
	}
	tools.Finder = outlinetest.Found{
		{Kind: appliance.CarLicenseBack, Quad: blank, Edges: edges},
		{Kind: appliance.Unknown, Quad: quad, Edges: edges},
	}
	got, err := NewReader(appliance.CarLicenseBack, tools).Read(t.Context(), p, nil)
	if err != nil || got.Documents[0].Field("chasis").Value != *card.Documents[0].Fields["chasis"] {
		t.Errorf("chassis number %q, want %q, %v", got.Documents[0].Field("chasis").Value, *card.Documents[0].Fields["chasis"], err)
	}
}

// A card that lies on a sheet whose outline seems to lie above it is read all the same, and all that both hold is in doubt; what a
// sheet does hide is not invented.
func TestReadThrough(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "documents")[0]
	want := card.Documents[0]
	p := inferencetest.Picture(t, samples, filepath.Join("documents", card.File))
	quad := inferencetest.Quad(want.Quad)
	// The sheet's upper side seems to run across the card above its text: what lies beyond it is darker.
	sheet := appliance.Quad{
		vision.Between(quad[0], quad[3], 0.04), vision.Between(quad[1], quad[2], 0.04),
		vision.Between(quad[1], quad[2], 1.1), vision.Between(quad[0], quad[3], 1.1),
	}
	for y := range p.Height {
		for x := range p.Width {
			if at := (appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}); quad.Contains(at) && !sheet.Contains(at) {
				p.Y[y*p.Width+x] /= 3
			}
		}
	}
	edges := [4]float64{1, 1, 1, 1}
	ctx, s := scene.New(t.Context(), p, nil)
	s.Found = []outline.Found{{Kind: want.Kind, Quad: quad, Edges: edges}, {Kind: appliance.Unknown, Quad: sheet, Edges: edges}}
	r := NewReader(want.Kind, tools)
	blank := appliance.Document{Kind: want.Kind}
	covers := s.Card(0).Covers
	got, err := r.reread(ctx, s, scene.Card{Found: s.Found[0]}, blank, covers)
	if err != nil || got.Field("idNumber").Value != *want.Fields["idNumber"] {
		t.Errorf("number %q, %v, want %q", got.Field("idNumber").Value, err, *want.Fields["idNumber"])
	}
	if len(covers) == 0 || !got.Flagged("idNumber", appliance.CodeLowConfidence) {
		t.Error("a number that a sheet may cover is in no doubt")
	}
	hidden, err := r.reread(ctx, s, scene.Card{Found: s.Found[0], Covers: []appliance.Quad{sheet}}, blank, covers)
	if err != nil || tools.Numbered(hidden) {
		t.Errorf("under the sheet: number %q, %v", hidden.Field("idNumber").Value, err)
	}
}

// What the finder holds for something else is read as the side of an ID that was asked for when its text says that it is one;
// a licence, which shows a national number as well, stays what it is, and so does the other side.
func TestReadAsAsked(t *testing.T) {
	tools := cardTools(t)
	for name, test := range map[string]struct {
		set   string
		shown appliance.Kind
		asked appliance.Kind
	}{
		"front":                    {"documents", appliance.NationalIDFront, appliance.NationalIDFront},
		"back":                     {"documents", appliance.NationalIDBack, appliance.NationalIDBack},
		"back as front":            {"documents", appliance.NationalIDBack, appliance.NationalIDFront},
		"front as back":            {"documents", appliance.NationalIDFront, appliance.NationalIDBack},
		"driving licence as front": {"licences", appliance.DrivingLicense, appliance.NationalIDFront},
		"driving licence as back":  {"licences", appliance.DrivingLicense, appliance.NationalIDBack},
		"car licence as front":     {"licences", appliance.CarLicenseFront, appliance.NationalIDFront},
		"car licence as back":      {"licences", appliance.CarLicenseFront, appliance.NationalIDBack},
	} {
		pictures, taken := 0, 0
		for _, card := range goldenTruth(t, test.set) {
			if len(card.Documents) != 1 || card.Documents[0].Kind != test.shown {
				continue
			}
			pictures++
			p := inferencetest.Picture(t, samples, filepath.Join(test.set, card.File))
			ctx, s := scene.New(t.Context(), p, nil)
			s.Found = []outline.Found{{Kind: appliance.LicensePlate, Quad: inferencetest.Quad(card.Documents[0].Quad)}}
			before := appliance.Document{Kind: appliance.LicensePlate}
			got, err := NewReader(test.asked, tools).readAsAsked(ctx, s, 0, before)
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind == test.asked {
				taken++
			}
		}
		// A card without an expiry date says nothing on its back.
		if own := test.asked == test.shown; pictures == 0 || own && taken < pictures-1 || !own && taken > 0 {
			t.Errorf("%s: %d of %d taken for one", name, taken, pictures)
		}
	}
}

// An ID that looks like a passport, but shows nothing of one, is read as the side that was asked for.
func TestLikeAPassport(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "documents")[0]
	want := card.Documents[0]
	tools.Finder = outlinetest.Found{{Kind: appliance.Passport, Quad: inferencetest.Quad(want.Quad)}}
	got, err := NewReader(want.Kind, tools).Read(t.Context(), inferencetest.Picture(t, samples, filepath.Join("documents", card.File)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := got.Documents[0]; d.Kind != want.Kind || d.Field("idNumber").Value != *want.Fields["idNumber"] {
		t.Errorf("%s with number %q, want %s", d.Kind, d.Field("idNumber").Value, *want.Fields["idNumber"])
	}
}
