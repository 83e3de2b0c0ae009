package plate

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/reading/readingtest"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
)

// largest reads plates in what a finder finds.
func largest(t reading.Tools, f outlinetest.Parts, plates OutlineReader) *Largest {
	t.Finder, t.Own = f, []reading.Own{Own(plates)}
	return NewLargest(t, f, plates)
}

// Property: where no plate is seen in the whole picture, the largest that is read clearly in its parts is answered and the
// others are named; the smallest parts are looked at where all plates are far away. Another document that clearly lies
// there is read instead.
func TestStreetSeenInParts(t *testing.T) {
	read := platesAt{
		100: {Value: "س 1", Confidence: 0.95},
		400: {Value: "ص 2", Confidence: 0.95},
		700: {Value: "ط 3", Confidence: 0.6},
		705: {Value: "ط 33", Confidence: 0.97},
		708: {Value: "ط 8", Confidence: 0.55},
		900: {Value: "ه 4", Confidence: 0.9},
	}
	seen := func(x, w float64) outline.Found {
		return outline.Found{Kind: appliance.LicensePlate, Quad: vision.RectQuad(x, 100, x+w, 100+w/2), Score: 0.9}
	}
	card := outline.Found{Kind: appliance.Passport, Quad: vision.RectQuad(0, 0, 600, 400), Score: 0.9, Edges: [4]float64{1, 1, 1, 1}}
	window := outline.Found{Kind: appliance.Unknown, Quad: vision.RectQuad(1000, 500, 1100, 600), Score: 0.9}
	for name, c := range map[string]struct {
		whole, parts, smallest []outline.Found
		want                   string
		others                 int
	}{
		"two":               {nil, []outline.Found{seen(100, 160), seen(400, 200)}, nil, "ص 2", 1},
		"a window":          {[]outline.Found{window}, []outline.Found{seen(100, 160)}, nil, "س 1", 1},
		"the larger unsure": {nil, []outline.Found{seen(100, 160), seen(700, 200)}, nil, "س 1", 1},
		"near":              {nil, []outline.Found{seen(100, 160)}, []outline.Found{seen(900, 60)}, "س 1", 0},
		"far away":          {nil, []outline.Found{seen(100, 120)}, []outline.Found{seen(900, 60)}, "س 1", 1},
		"outlined better":   {nil, []outline.Found{seen(700, 160), seen(705, 170)}, nil, "ط 33", 0},
		"outlined worse":    {nil, []outline.Found{seen(705, 170), seen(708, 150)}, nil, "ط 33", 0},
		"none read clearly": {nil, []outline.Found{seen(700, 160)}, nil, "", 0},
		"another document":  {[]outline.Found{card}, []outline.Found{seen(100, 160)}, nil, "", 0},
	} {
		f := outlinetest.Parts{Larger: c.parts, Smallest: c.smallest}
		r := largest(reading.Tools{}, f, read)
		p := &appliance.Picture{Width: 1200, Height: 800, Y: make([]byte, 1200*800)}
		ctx, s := scene.New(t.Context(), p, nil)
		s.Found = c.whole
		street := NewStreet(f, read, p, s.Watch)
		if showsDocument(s) {
			if c.want != "" {
				t.Errorf("%s: shows a document", name)
			}
			continue
		}
		got, ok, err := r.largest(ctx, s, street)
		if err != nil || ok != (c.want != "") {
			t.Errorf("%s: read %t, %v", name, ok, err)
		}
		if ok && (Number(got.Documents[0]).Value != c.want || len(got.Others) != c.others) {
			t.Errorf("%s: %q with %d others", name, Number(got.Documents[0]).Value, len(got.Others))
		}
	}
}

// Property: a plate is looked for in parts of the picture where none was found, or nothing could be read on what was; a card is not.
func TestLooksForSmallPlates(t *testing.T) {
	wall := outlinetest.Found{{Kind: appliance.Unknown, Quad: readingtest.At(0, 0)}}
	plates := readingtest.Surely(0)
	tools := reading.Tools{Kinds: reading.Kinds{Described: readingtest.Described(t)}, Detector: texttest.Detector(t), Now: time.Now}
	for name, test := range map[string]struct {
		card  bool
		found outlinetest.Found
		read  bool
	}{
		"nothing": {false, nil, true}, "a wall": {false, wall, true}, "a card": {true, nil, false},
	} {
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		far := outlinetest.Parts{Found: test.found, Smallest: []outline.Found{{Kind: appliance.LicensePlate, Quad: readingtest.At(100, 100)}}}
		var reader appliance.Reader = largest(tools, far, plates)
		if test.card {
			tools.Finder, tools.Own = far, []reading.Own{Own(plates)}
			reader = reading.NewReader(appliance.NationalIDFront, tools)
		}
		got, err := reader.Read(t.Context(), p, nil)
		read := err == nil && len(got.Documents) == 1 && got.Documents[0].Kind == appliance.LicensePlate
		if read != test.read {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// Property: a plate of which hardly anything could be read gives way to one in a part of the picture that is read more surely, the surest
// of them, and stays where there is none.
func TestHardlyAPlate(t *testing.T) {
	whole, part, small := readingtest.At(0, 0), readingtest.At(60, 60), readingtest.At(100, 100)
	// A look at the whole picture outlined some signs, which are hardly read.
	plates := readingtest.Plates(func(q appliance.Quad) appliance.Field {
		switch q {
		case whole:
			return appliance.Field{Value: "ه 5", Confidence: 0.3}
		case part:
			return appliance.Field{Value: "و ر 1234", Confidence: 0.6}
		}
		return appliance.Field{Value: "ن و ر 1234", Confidence: 0.9}
	})
	for name, test := range map[string]struct {
		small []appliance.Quad
		want  string
	}{
		"a plate":               {[]appliance.Quad{small}, "ن و ر 1234"},
		"a part of it first":    {[]appliance.Quad{part, small}, "ن و ر 1234"},
		"a part of it at last":  {[]appliance.Quad{small, part}, "ن و ر 1234"},
		"a part of it and none": {[]appliance.Quad{part}, "و ر 1234"},
		"none":                  {nil, "ه 5"},
	} {
		var found []outline.Found
		for _, q := range test.small {
			found = append(found, outline.Found{Kind: appliance.LicensePlate, Quad: q})
		}
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		first := outlinetest.Found{{Kind: appliance.LicensePlate, Quad: whole}}
		far := outlinetest.Parts{Found: first, Smallest: found}
		got, err := largest(reading.Tools{Now: time.Now}, far, plates).Read(t.Context(), p, nil)
		if err != nil || len(got.Documents) != 1 || Number(got.Documents[0]).Value != test.want {
			t.Errorf("%s: %+v, %v, want %q", name, got.Documents, err, test.want)
		}
	}
}

// Property: what looks like a plate where an ID is asked for is answered as one if it can be read, and is none else: windows look like it.
func TestPlateThatNobodyAskedFor(t *testing.T) {
	p := &appliance.Picture{Width: 600, Height: 400, Y: slices.Repeat([]byte{180}, 600*400)}
	for name, c := range map[string]struct {
		plates readingtest.Plates
		want   appliance.Code
	}{"read": {readingtest.Surely(0.95), 0}, "not read": {readingtest.Unread, appliance.CodeNoDocument}} {
		tools := readingtest.Tools(t)
		seen := outline.Found{Kind: appliance.LicensePlate, Quad: readingtest.At(100, 100), Score: 0.9, Edges: [4]float64{1, 1, 1, 1}}
		tools.Own, tools.Finder = []reading.Own{Own(c.plates)}, outlinetest.Found{seen}
		got, err := reading.NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
		if code := appliance.CodeOf(err); code != c.want && !(c.want == 0 && err == nil) {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// spotted reads every outline as a plate of which a sign cannot be named.
type spotted string

func (spotted) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (s spotted) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	d := appliance.Document{Kind: appliance.LicensePlate, Quad: q, Fields: []appliance.Field{{Name: field, Raw: string(s)}}}
	d.Flag(field, "", appliance.CodePlateRule)
	return d, nil
}

// Property: a plate of which one sign cannot be named is answered as that, not as the wall behind it; what shows several such signs is no
// plate, and a wall without words no document.
func TestPlateWithAHiddenSign(t *testing.T) {
	tools := readingtest.Tools(t)
	p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
	for raw, want := range map[string]bool{"9941ن?ج": true, "9?4?ن": false, "94?": false} {
		far := outlinetest.Parts{
			Found:    outlinetest.Found{{Kind: appliance.Unknown, Quad: readingtest.At(0, 0)}},
			Smallest: []outline.Found{{Kind: appliance.LicensePlate, Quad: readingtest.At(100, 100)}},
		}
		got, err := largest(tools, far, spotted(raw)).Read(t.Context(), p, nil)
		plate := err == nil && got.Documents[0].Kind == appliance.LicensePlate
		if plate != want || !plate && appliance.CodeOf(err) != appliance.CodeNoDocument {
			t.Errorf("%s: %+v, %v", raw, got.Documents, err)
		}
	}
}
