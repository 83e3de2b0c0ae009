package fraud

import (
	"bufio"
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/inferencetest"
)

// fixture is one drawn picture of testdata: an invented card, genuine or attacked, made by bawab_training.photograph.fraud_fixtures.
type fixture struct {
	File      string `json:"file"`
	Attack    string `json:"attack"`
	Documents []struct {
		Kind  appliance.Kind `json:"kind"`
		Quad  [4][2]float64  `json:"quad"`
		Lines []struct {
			Role string        `json:"role"`
			Quad [4][2]float64 `json:"quad"`
		} `json:"lines"`
	} `json:"documents"`
}

func corners(q [4][2]float64) (out appliance.Quad) {
	for i, c := range q {
		out[i] = appliance.Point{X: c[0], Y: c[1]}
	}
	return out
}

// document is what a perfect reader would hand over.
func (f fixture) document() appliance.Document {
	d := appliance.Document{Kind: f.Documents[0].Kind, Quad: corners(f.Documents[0].Quad)}
	for _, l := range f.Documents[0].Lines {
		d.Fields = append(d.Fields, appliance.Field{Name: l.Role, Quad: corners(l.Quad)})
	}
	return d
}

func (f fixture) picture(t testing.TB) *appliance.Picture {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", f.File))
	if err != nil {
		t.Fatal(err)
	}
	p, err := decode.Decoder{}.Decode(t.Context(), raw)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func fixtures(t testing.TB) (all []fixture) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var f fixture
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// product is the detector as the product wires it.
func product(t testing.TB) *Detector {
	t.Helper()
	net, m := inferencetest.Product(t, "fraud")
	around, _ := inferencetest.Product(t, "surroundings")
	thresholds := map[string]float64{}
	for name, v := range m.Thresholds {
		thresholds[name] = v.Value
	}
	return New(net, around, thresholds)
}

// Each attack raises the cue that is named after it, and the genuine card raises none. Only an altered field, which the
// cue's high threshold mostly lets pass, is asked to score well above the same card before.
func TestFixtures(t *testing.T) {
	d := product(t)
	genuine := 0.0 // the highest score of altered text on the genuine card
	for _, f := range fixtures(t) {
		cues, err := d.Examine(t.Context(), f.picture(t), f.document())
		if err != nil {
			t.Fatal(err)
		}
		named := false
		for _, c := range cues {
			t.Logf("%s: %s %.4f of %.4f", f.File, c.Name, c.Score, c.Threshold)
			if c.Threshold <= 0 {
				t.Errorf("%s has no threshold", c.Name)
			}
			if f.Attack == "" && c.Raised() {
				t.Errorf("%s: the genuine card raises %s", f.File, c.Name)
			}
			if f.Attack == "" && c.Name == TextAltered {
				genuine = max(genuine, c.Score)
			}
			named = named || c.Name == f.Attack && (c.Raised() || c.Name == TextAltered && c.Score > genuine+0.2)
		}
		if f.Attack != "" && !named {
			t.Errorf("%s: %s is not raised", f.File, f.Attack)
		}
	}
}

// Property: a document is examined for the signs that the contract names for its kind, in that order, and for no others: a score of 0 where
// nothing was compared would say that all is well.
func TestExaminedSigns(t *testing.T) {
	d, f := product(t), fixtures(t)[0]
	p := f.picture(t)
	for _, kind := range appliance.Contract() {
		doc := f.document()
		doc.Kind = kind.Kind
		cues, err := d.Examine(t.Context(), p, doc)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range cues {
			got = append(got, c.Name)
		}
		if !slices.Equal(got, kind.Cues) {
			t.Errorf("%s: %v, want %v", kind.Kind, got, kind.Cues)
		}
	}
}

// A document that cannot be examined has no cues, and a picture or a quad that makes no sense does no harm.
func TestNothingToExamine(t *testing.T) {
	d, f := product(t), fixtures(t)[0]
	p := f.picture(t)
	for _, doc := range []appliance.Document{
		{Kind: appliance.LicensePlate, Quad: f.document().Quad},
		{Kind: appliance.Unknown, Quad: f.document().Quad},
		{Kind: appliance.NationalIDFront},
	} {
		if cues, err := d.Examine(t.Context(), p, doc); err != nil || cues != nil {
			t.Errorf("%s: %v, %v", doc.Kind, cues, err)
		}
	}
	for _, kind := range []appliance.Kind{appliance.NationalIDFront, appliance.Passport} {
		for _, q := range []appliance.Quad{
			{{X: -500, Y: -500}, {X: -100, Y: -500}, {X: -100, Y: -100}, {X: -500, Y: -100}},
			{{X: 5, Y: 5}, {X: 6, Y: 5}, {X: 6, Y: 6}, {X: 5, Y: 6}},
			{{X: 1, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 1}},
			{{X: 1e300}, {X: 1e301}, {X: 1e301, Y: 1e300}, {X: 1e300, Y: 1e300}},
		} {
			cues, err := d.Examine(t.Context(), p, appliance.Document{Kind: kind, Quad: q, Fields: []appliance.Field{{Name: "a", Quad: q}, {Name: "b", Quad: f.document().Quad}}})
			if err != nil {
				t.Errorf("%v: %v", q, err)
			}
			for _, c := range cues {
				if !(c.Score >= 0 && c.Score <= 1) {
					t.Errorf("%v: %s has score %g", q, c.Name, c.Score)
				}
			}
		}
	}
}

// A document smaller than a patch shows no screen and no print: a thumbnail is not judged, and not called a copy.
func TestThumbnailIsNoCopy(t *testing.T) {
	d := product(t)
	for _, size := range []image.Point{{70, 64}, {200, 90}, {640, 480}} { // the last is large, the card on it is not
		p := &appliance.Picture{Width: size.X, Height: size.Y, Y: make([]byte, size.X*size.Y)}
		w, h := float64(min(size.X, 140)), float64(min(size.Y, 88))
		cues, err := d.Examine(t.Context(), p, appliance.Document{Kind: appliance.NationalIDFront, Quad: appliance.Quad{{}, {X: w}, {X: w, Y: h}, {Y: h}}})
		if err != nil || len(cues) == 0 {
			t.Errorf("%v: %d cues, %v", size, len(cues), err)
		}
		for _, c := range cues {
			if (c.Name == ScreenReplay || c.Name == PrintedCopy) && (c.Score != 0 || c.Raised() || c.NotJudged != NotJudgedSmall) {
				t.Errorf("%v: %+v", size, c)
			}
		}
	}
}

// BenchmarkMeasure is the cost of all cues of one card on one core, and of each: screen and print are one measurement.
func BenchmarkMeasure(b *testing.B) {
	d, f := product(b), fixtures(b)[0]
	p, doc := f.picture(b), f.document()
	for _, cue := range []struct {
		name    string
		measure func() error
	}{
		{"all", func() error { _, err := d.Measure(b.Context(), p, doc); return err }},
		{ScreenReplay + " and " + PrintedCopy, func() error { _, err := d.recaptured(b.Context(), p, doc); return err }},
		{GreyCopy, func() error { greyCopy(p, doc.Quad); return nil }},
		{PortraitReplaced, func() error { portraitMeasures(p, doc); return nil }},
		{TextAltered, func() error { fieldMeasures(p, doc); return nil }},
		{appliance.NumberInconsistent, func() error { numberInconsistent(&doc); return nil }},
	} {
		b.Run(cue.name, func(b *testing.B) {
			for b.Loop() {
				if err := cue.measure(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
