package card

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/text"
)

// Property: what the product reads must not get worse. Of the committed photographs of licences at least so many fields of
// each kind come out exact, each is told as what it is, and few values mislead: wrong ones that nothing flags.
func TestGoldenLicences(t *testing.T) {
	floors := map[appliance.Kind]int{appliance.DrivingLicense: 39, appliance.CarLicenseFront: 30, appliance.CarLicenseBack: 44}
	const mostMisleading = 2
	tools, exact, misleading := cardTools(t), map[appliance.Kind]int{}, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil)
		if err != nil || got.Documents[0].Kind != want.Kind {
			t.Errorf("%s: %v, %v", truth.File, got.Documents, err)
			continue
		}
		d := got.Documents[0]
		for _, spec := range want.Kind.Model() {
			f, shown := d.Field(spec.Name), ""
			if v := want.Fields[spec.Name]; v != nil {
				shown = *v
			}
			switch {
			case f.Value == shown:
				exact[want.Kind]++
			case f.Value != "" && !flagged(d, spec.Name):
				misleading++
				t.Logf("%s, %s: %q, not %q, and nothing says so", truth.File, spec.Name, f.Value, shown)
			default:
				t.Logf("%s, %s: %q, not %q", truth.File, spec.Name, f.Value, shown)
			}
			if slices.ContainsFunc(d.Fields, func(o appliance.Field) bool { return o.Name == spec.Name }) == false {
				t.Errorf("%s: %s is missing", truth.File, spec.Name)
			}
		}
	}
	t.Log(exact)
	for kind, floor := range floors {
		if exact[kind] < floor {
			t.Errorf("%s: %d exact, the floor is %d", kind, exact[kind], floor)
		}
	}
	if misleading > mostMisleading {
		t.Errorf("%d values mislead", misleading)
	}
}

// wordsAt is print at a place of the view, in its pixels, as a test's recogniser reads it.
type wordsAt struct {
	left, right, y float64
	text           string
}

// sheetShowing is a sheet whose recogniser reads what stands under a line, as far as the line covers it.
func sheetShowing(prints ...wordsAt) *sheet {
	const height = 10
	var lines []text.Line
	for _, p := range prints {
		lines = append(lines, text.Line{Start: appliance.Point{X: p.left, Y: p.y}, End: appliance.Point{X: p.right, Y: p.y}, Height: height})
	}
	under := func(l text.Line) script {
		w := script{confidence: 0.99}
		for _, p := range prints {
			if l.Start.Y < p.y-height || l.Start.Y > p.y+height {
				continue
			}
			signs := []rune(asPrinted(p.text))
			step := (p.right - p.left) / float64(len(signs))
			for i, r := range signs {
				x := p.left + (float64(i)+0.5)*step
				if x < l.Start.X || x > l.End.X {
					continue
				}
				share := func(x float64) float64 { return (x - l.Start.X) / l.Length() }
				w.symbols = append(w.symbols, text.Symbol{Rune: r, Prob: 0.99, Start: share(x - step/2), End: share(x + step/2)})
			}
		}
		for _, s := range w.symbols {
			w.text += string(s.Rune)
		}
		w.text = asPrinted(w.text)
		return w
	}
	return &sheet{rows: rowsOf(lines), lines: lines, known: newVocabulary(), level: asSeen, words: func(_ context.Context, l text.Line) (script, error) { return under(l), nil }}
}

// Lines are read from the top, those that stand beside each other from right to left.
func TestOrderOfLines(t *testing.T) {
	var lines []entry
	for _, p := range []printed{{"رابع", 0.1, 0.4, 0.891, 11}, {"ثان", 0.1, 0.4, 0.8, 11}, {"ثالث", 0.6, 0.95, 0.9, 11}, {"أول", 0.6, 0.95, 0.804, 11}} {
		lines = append(lines, entry{row: row{piece{p.line()}}, script: script{text: p.text}})
	}
	inOrder(lines, func(e entry) entry { return e })
	for i, want := range []string{"أول", "ثان", "ثالث", "رابع"} {
		if lines[i].text != want {
			t.Errorf("line %d is %q, want %q", i, lines[i].text, want)
		}
	}
}

// inMirror turns a picture's brightness into its mirror image and returns where an outline comes to lie.
func inMirror(p *appliance.Picture, q appliance.Quad) appliance.Quad {
	for row := range slices.Chunk(p.Y, p.Width) {
		slices.Reverse(row)
	}
	for i := range q {
		q[i].X = float64(p.Width) - q[i].X
	}
	return appliance.Quad{q[1], q[0], q[3], q[2]}
}

// Property: the back of an ID that the finder takes for its mirror image and the wrong way up, as one with its bar code on top, is read all the same; a true mirror image is refused.
func TestBackInNoMirror(t *testing.T) {
	tools := cardTools(t)
	cards := goldenTruth(t, "documents")
	card := cards[slices.IndexFunc(cards, func(c inferencetest.Card) bool { return c.Documents[0].Kind == appliance.NationalIDBack })]
	p := picture(t, "documents/"+card.File)
	for _, mirrored := range []bool{false, true} {
		q := corners(card.Documents[0].Quad)
		if mirrored {
			q = inMirror(p, q)
		}
		tools.Finder = foundBy{{Kind: appliance.NationalIDBack, Mirrored: true, Quad: appliance.Quad{q[2], q[3], q[0], q[1]}}}
		got, err := NewReader(appliance.NationalIDBack, tools).Read(t.Context(), p, nil)
		refused := appliance.CodeOf(err) == appliance.CodeNoDocument
		if refused != mirrored || !mirrored && (err != nil || got.Documents[0].Field("idNumber").Value != *card.Documents[0].Fields["idNumber"]) {
			t.Errorf("mirrored %v: %+v, %v", mirrored, got.Documents, err)
		}
	}
}

// A licence that the finder takes for its mirror image, because it does not know the arrangement, is read all the same; a
// true mirror image is refused.
func TestMirrorImageIsProved(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "licences")[0]
	p := picture(t, "licences/"+card.File)
	d := card.Documents[0]
	for _, mirrored := range []bool{false, true} {
		quad := corners(d.Quad)
		if mirrored {
			quad = inMirror(p, quad)
		}
		tools.Finder = foundBy{{Kind: appliance.Unknown, Mirrored: true, Quad: quad}}
		got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		refused := appliance.CodeOf(err) == appliance.CodeNoDocument
		if refused != mirrored || !mirrored && (err != nil || got.Documents[0].Kind != d.Kind) {
			t.Errorf("mirrored %v: %+v, %v", mirrored, got.Documents, err)
		}
	}
}

// Property: a name begins and ends with a letter, whatever a picture beside it was read as.
func TestBetweenLetters(t *testing.T) {
	for read, want := range map[string]string{"٤ سلمى كامل": "سلمى كامل", "= احمد": "احمد", "أحمد ٣": "أحمد", "محمد": "محمد", "٤": "", "": ""} {
		if got := betweenLetters(read); got != want {
			t.Errorf("%q: %q, want %q", read, got, want)
		}
	}
}

// BenchmarkLicence reads a driving licence: finding labels is a good part of the work beside the networks.
func BenchmarkLicence(b *testing.B) {
	p, reader := picture(b, filepath.Join("licences", "00.jpg")), NewReader(appliance.DrivingLicense, cardTools(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}
