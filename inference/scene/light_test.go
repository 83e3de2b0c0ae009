package scene

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
)

const samples = "../../models/samples"

// facts are what the view of a document depends on.
type facts struct {
	print  float64
	byLook bool
}

// kinds are the described ones, by their names.
type kinds map[appliance.Kind]facts

func (k kinds) PrintSize(kind appliance.Kind) float64 { return max(1, k[kind].print) }
func (k kinds) ByLook(kind appliance.Kind) bool       { return k[kind].byLook }

// described are the kinds of the program.
func described(t testing.TB) kinds {
	t.Helper()
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	out := kinds{}
	for _, d := range all {
		out[d.Kind] = facts{d.Size.Print, !d.Marks.ByPrint()}
	}
	return out
}

// viewer lays documents flat and finds their lines as the product does.
func viewer(t testing.TB) *Viewer {
	return &Viewer{Finder: outlinetest.Finder(t), Detector: texttest.Detector(t), Kinds: described(t)}
}

// withBand is a picture in which the upper share of a card is a dark band with light text.
func withBand(p *appliance.Picture, q appliance.Quad, share float64) *appliance.Picture {
	out := *p
	out.Y = slices.Clone(p.Y)
	band := appliance.Quad{q[0], q[1], vision.Between(q[1], q[2], share), vision.Between(q[0], q[3], share)}
	for y := range p.Height {
		for x := range p.Width {
			if band.Contains(appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}) {
				out.Y[y*p.Width+x] = byte(int(255-p.Y[y*p.Width+x]) * 9 / 10)
			}
		}
	}
	return &out
}

// Property: on the committed licences and national IDs light text on a dark band is found as such, nearly as much as of the dark text that
// it was; without a band no text is taken for light, beside one little of the card's pattern.
func TestLightPrintIsFound(t *testing.T) {
	const share, patterns = 0.45, 3
	e := viewer(t)
	dark, light := 0, 0
	for _, sample := range goldenCards(t) {
		want := sample.Documents[0]
		p, q := inferencetest.Picture(t, samples, sample.File), inferencetest.Quad(want.Quad)
		flat, _ := LayFlat(Card{Found: outline.Found{Kind: want.Kind, Quad: q}})
		for _, banded := range []bool{false, true} {
			seen := p
			if banded {
				seen = withBand(p, q, share)
			}
			ctx, s := New(t.Context(), seen, nil)
			lines, err := e.linesOf(ctx, s, flat)
			if err != nil {
				t.Fatal(err)
			}
			beside := 0
			for _, l := range lines {
				above := (l.Start.Y+l.End.Y)/2 < (share-0.05)*viewHeight
				switch {
				case l.Light && (!banded || (l.Start.Y+l.End.Y)/2 > (share+0.05)*viewHeight):
					beside++
				case above && !banded && l.Length() > 3*l.Height:
					dark++
				case above && banded && l.Light && l.Length() > 3*l.Height:
					light++
				}
			}
			if beside > 0 && !banded || beside > patterns {
				t.Errorf("%s, a band %v: %d lines of dark print are taken for light", sample.File, banded, beside)
			}
		}
	}
	if t.Logf("%d lines, %d as light print", dark, light); light < dark*5/6 {
		t.Errorf("of %d lines %d are found as light print", dark, light)
	}
}

// goldenCards are the committed licences and national IDs, with their folders.
func goldenCards(t *testing.T) (cards []inferencetest.Card) {
	kinds := described(t)
	for _, folder := range []string{"licences", "documents"} {
		for _, c := range inferencetest.Truth(t, filepath.Join(samples, folder)) {
			if _, ok := kinds[c.Documents[0].Kind]; ok {
				c.File = filepath.Join(folder, c.File)
				cards = append(cards, c)
			}
		}
	}
	return cards
}

// Property: on a committed licence that is dark all over, with light text, all lines are light text, as many as of the dark text that it
// was. A national ID is no exception.
func TestDarkCard(t *testing.T) {
	truth := inferencetest.Truth(t, filepath.Join(samples, "licences"))[0]
	for _, kind := range []appliance.Kind{truth.Documents[0].Kind, appliance.NationalIDFront} {
		t.Run(string(kind), func(t *testing.T) {
			testDarkCard(t, filepath.Join("licences", truth.File), inferencetest.Quad(truth.Documents[0].Quad), kind)
		})
	}
}

func testDarkCard(t *testing.T, file string, q appliance.Quad, kind appliance.Kind) {
	e, p := viewer(t), inferencetest.Picture(t, samples, file)
	flat, _ := LayFlat(Card{Found: outline.Found{Kind: kind, Quad: q}})
	var counts [2]int
	for i, seen := range []*appliance.Picture{p, withBand(p, q, 1)} {
		ctx, s := New(t.Context(), seen, nil)
		lines, err := e.linesOf(ctx, s, flat)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if l.Light == (i == 1) {
				counts[i]++
			}
		}
	}
	if counts[1] < counts[0]*4/5 {
		t.Errorf("%d lines of dark print, %d of light", counts[0], counts[1])
	}
}
