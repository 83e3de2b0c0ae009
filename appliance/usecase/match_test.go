package usecase_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/google/go-cmp/cmp"
)

// faceWorld is an appliance with faces made of functions, and one living transaction.
type faceWorld struct {
	*usecase.Appliance
	store *appliancetest.Transactions
	clock *appliancetest.Clock
	ids   usecase.Comparison
}

type finderFunc func(*appliance.Picture) ([]appliance.Face, error)

func (f finderFunc) FindFaces(_ context.Context, p *appliance.Picture) ([]appliance.Face, error) {
	return f(p)
}

// dotMatcher takes the cosine for the similarity; the width of a picture chooses its face.
type dotMatcher struct{}

func (dotMatcher) Embed(_ context.Context, p *appliance.Picture, _ appliance.Face) (appliance.Embedding, error) {
	return direction(p.Width), nil
}
func (dotMatcher) Model() string      { return "model" }
func (dotMatcher) Threshold() float64 { return 0.5 }
func (dotMatcher) Similarity(a, b appliance.Embedding) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return max(sum, 0)
}

// direction has a cosine of 1 - n/10 with direction 0.
func direction(n int) appliance.Embedding { return appliance.Embedding{1 - float32(n)/10, 0.1} }

type judgeFunc func([]*appliance.Picture) (appliance.BurstFindings, error)

func (f judgeFunc) Judge(_ context.Context, frames []*appliance.Picture) (appliance.BurstFindings, error) {
	return f(frames)
}

// newFaceWorld makes an appliance whose pictures are as wide as their first byte says.
func newFaceWorld(t *testing.T, f usecase.Faces, docs ...appliance.Document) *faceWorld {
	t.Helper()
	w := &faceWorld{clock: appliancetest.NewClock()}
	w.store = appliancetest.NewTransactions(30*time.Minute, w.clock.Now)
	decoder := appliancetest.PictureDecoder{DecodeFunc: func(_ context.Context, image []byte) (*appliance.Picture, error) {
		if len(image) == 0 || image[0] == 'x' {
			return nil, appliance.Errorf(appliance.CodePictureBroken, "the picture cannot be decoded")
		}
		p := &appliance.Picture{Width: int(image[0])}
		if len(image) > 1 {
			p.Taken = time.Unix(100, int64(image[1])*1e7)
		}
		return p, nil
	}}
	w.Appliance = usecase.New(usecase.Deps{
		Decoder: decoder, Transactions: w.store, Queue: queue.New(1, 1), Now: w.clock.Now, Networks: usecase.Networks{Faces: f},
	})
	w.ids = usecase.Comparison{RequestID: appliance.NewGUID(), TransactionID: appliance.NewGUID()}
	for _, d := range docs {
		if err := w.store.Append(t.Context(), w.ids.TransactionID, appliance.Record{Endpoint: appliance.EndpointPassport, Documents: []appliance.Document{d}}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func passportWith(p *appliance.Portrait) appliance.Document {
	return appliance.Document{Kind: appliance.Passport, Portrait: p}
}

func portrait(n int) *appliance.Portrait {
	return &appliance.Portrait{Embedding: direction(n), Model: "model", Quality: 0.8}
}

func found(n int, faults ...appliance.FaceFault) finderFunc {
	return func(*appliance.Picture) ([]appliance.Face, error) {
		faces := make([]appliance.Face, n)
		for i := range faces {
			faces[i].Quality.Faults = faults
		}
		return faces, nil
	}
}

// A face match answers each thing that can be wrong with its own code, in the order of the contract, and compares with the first
// usable portrait otherwise.
func TestMatchFace(t *testing.T) {
	both := func(f finderFunc) usecase.Faces { return usecase.Faces{Finder: f, Matcher: dotMatcher{}} }
	one := both(found(1))
	for name, c := range map[string]struct {
		faces   usecase.Faces
		docs    []appliance.Document
		image   string
		code    appliance.Code
		says    string
		matched bool
	}{
		"match":                    {faces: one, docs: []appliance.Document{passportWith(portrait(0))}, image: "\x01", matched: true},
		"another person":           {faces: one, docs: []appliance.Document{passportWith(portrait(0))}, image: "\x08"},
		"no picture":               {faces: one, docs: []appliance.Document{passportWith(portrait(0))}, image: "x", code: 5004},
		"no transaction":           {faces: one, image: "\x01", code: 4101},
		"picture before all":       {faces: one, image: "x", code: 5004},
		"no identity document":     {faces: one, docs: []appliance.Document{{Kind: appliance.NationalIDBack, Portrait: portrait(0)}}, image: "\x01", code: 4102},
		"no networks":              {docs: []appliance.Document{passportWith(portrait(0))}, image: "\x01", code: 501},
		"no networks, no document": {image: "\x01", code: 4101},
		"no portrait":              {faces: one, docs: []appliance.Document{passportWith(nil)}, image: "\x01", code: 4208},
		"portrait of another network": {
			faces: one, docs: []appliance.Document{passportWith(&appliance.Portrait{Embedding: direction(0), Model: "older"})},
			image: "\x01", code: 4208,
		},
		"empty portrait":   {faces: one, docs: []appliance.Document{passportWith(&appliance.Portrait{Model: "model"})}, image: "\x01", code: 4208},
		"first portrait":   {faces: one, docs: []appliance.Document{passportWith(portrait(0)), passportWith(portrait(9))}, image: "\x01", matched: true},
		"first usable one": {faces: one, docs: []appliance.Document{passportWith(nil), passportWith(portrait(0))}, image: "\x01", matched: true},
		"two faces":        {faces: both(found(2)), docs: []appliance.Document{passportWith(portrait(0))}, image: "\x01", code: 4206},
		"no face":          {faces: both(found(0)), docs: []appliance.Document{passportWith(portrait(0))}, image: "\x01", code: 4207},
		"small face": {
			faces: both(found(1, appliance.FaceTooSmall, appliance.FaceDark)), docs: []appliance.Document{passportWith(portrait(0))},
			image: "\x01", code: 4209, says: "come closer",
		},
		"covered face": {faces: both(found(1, appliance.FaceCovered)), docs: []appliance.Document{passportWith(portrait(0))}, image: "\x01", code: 4209, says: "mask"},
	} {
		w := newFaceWorld(t, c.faces, c.docs...)
		m, err := w.MatchFace(t.Context(), w.ids, []byte(c.image))
		if got := codeOf(err); got != c.code || c.says != "" && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: code %d, want %d: %v", name, got, c.code, err)
			continue
		}
		if m.IsMatched != c.matched {
			t.Errorf("%s: matched %v, similarity %g", name, m.IsMatched, m.Similarity)
		}
		if err == nil {
			last := w.records(t)[len(c.docs)]
			if last.Endpoint != appliance.EndpointFaceMatch || last.Match == nil || last.Match.Similarity != m.Similarity || last.RequestID != w.ids.RequestID {
				t.Errorf("%s: on record %+v", name, last)
			}
		}
	}
}

func codeOf(err error) appliance.Code {
	if err == nil {
		return 0
	}
	return appliance.CodeOf(err)
}

func (w *faceWorld) records(t *testing.T) []appliance.Record {
	t.Helper()
	got, err := w.store.Transaction(t.Context(), w.ids.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	return got.Records
}

// A comparison keeps its transaction alive, whether it succeeds or fails.
func TestComparisonRenews(t *testing.T) {
	for name, image := range map[string]string{"match": "\x01", "broken picture": "x"} {
		w := newFaceWorld(t, usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}, passportWith(portrait(0)))
		for range 3 {
			w.clock.Advance(20 * time.Minute)
			_, _ = w.MatchFace(t.Context(), w.ids, []byte(image))
		}
		if _, err := w.store.Transaction(t.Context(), w.ids.TransactionID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type documentsFunc func() ([]appliance.Outline, error)

func (f documentsFunc) FindDocuments(context.Context, *appliance.Picture) ([]appliance.Outline, error) {
	return f()
}

// The face on an identity document is no live face: it is refused as unclear, unless it is too large for a document's, lies beside
// the document, or the document is none of a person's.
func TestFaceOnDocument(t *testing.T) {
	sheet := appliance.Quad{{X: 10, Y: 10}, {X: 90, Y: 12}, {X: 88, Y: 60}, {X: 8, Y: 58}}
	for name, c := range map[string]struct {
		kind appliance.Kind
		x, w float64
		code appliance.Code
	}{
		"on a passport":     {appliance.Passport, 30, 20, 4209},
		"beside a passport": {appliance.Passport, 95, 20, 0},
		"on a plate":        {appliance.LicensePlate, 30, 20, 0},
		"large":             {appliance.Passport, 30, 60, 0},
	} {
		finder := finderFunc(func(p *appliance.Picture) ([]appliance.Face, error) {
			p.Width, p.Height = 100, 100
			f := appliance.Face{Quad: appliance.Quad{{X: c.x - c.w/2, Y: 20}, {X: c.x + c.w/2, Y: 20}, {X: c.x + c.w/2, Y: 50}, {X: c.x - c.w/2, Y: 50}}}
			f.Landmarks[2] = appliance.Point{X: c.x, Y: 35}
			return []appliance.Face{f}, nil
		})
		faces := usecase.Faces{Finder: finder, Matcher: dotMatcher{}, Documents: documentsFunc(func() ([]appliance.Outline, error) {
			return []appliance.Outline{{Kind: c.kind, Quad: sheet}}, nil
		})}
		w := newFaceWorld(t, faces, passportWith(portrait(0)))
		if _, err := w.MatchFace(t.Context(), w.ids, []byte("\x01")); codeOf(err) != c.code {
			t.Errorf("%s: %v, want code %d", name, err, c.code)
		}
	}
}

// What a judge finds becomes reasons in the order of the contract, each once; the score speaks of attacks alone, and a face
// matches only when those of all three frames do.
func TestJudgeLiveness(t *testing.T) {
	three := [appliance.BurstFrames]appliance.Embedding{direction(1), direction(2), direction(3)}
	for name, c := range map[string]struct {
		findings appliance.BurstFindings
		images   [3]string
		want     appliance.Liveness
	}{
		"live": {
			appliance.BurstFindings{Embeddings: three, Score: 0.9},
			[3]string{"\x01", "\x02", "\x03"},
			appliance.Liveness{IsLive: true, IsMatched: true, Similarity: 0.71, Score: 0.9},
		},
		"live, another person": {
			appliance.BurstFindings{Embeddings: [3]appliance.Embedding{direction(1), direction(2), direction(8)}, Score: 0.9},
			[3]string{"\x01", "\x02", "\x03"},
			appliance.Liveness{IsLive: true, Similarity: 0.21, Score: 0.9},
		},
		"attack": {
			appliance.BurstFindings{Embeddings: three, Score: 0.2, Reasons: []appliance.Reason{appliance.PresentationAttack}},
			[3]string{"\x01", "\x02", "\x03"},
			appliance.Liveness{IsMatched: true, Similarity: 0.71, Score: 0.2, Reasons: []appliance.Reason{appliance.PresentationAttack}},
		},
		"equal bytes": {
			appliance.BurstFindings{Embeddings: three, Score: 0.9},
			[3]string{"\x01", "\x02", "\x01"},
			appliance.Liveness{IsMatched: true, Similarity: 0.71, Reasons: []appliance.Reason{appliance.IdenticalImages}},
		},
		"all reasons, in order": {
			appliance.BurstFindings{
				Embeddings: [3]appliance.Embedding{direction(1), nil, direction(2)}, Score: 0.9,
				Reasons: append([]appliance.Reason{appliance.LowQuality}, backwards(appliance.Reasons())...),
			},
			[3]string{"\x01", "\x01", "\x01"},
			appliance.Liveness{Reasons: appliance.Reasons()},
		},
		"one frame without a face": {
			appliance.BurstFindings{Embeddings: [3]appliance.Embedding{direction(1), nil, direction(2)}, Reasons: []appliance.Reason{appliance.NoFaceInFrame}},
			[3]string{"\x01", "\x02", "\x03"},
			appliance.Liveness{Reasons: []appliance.Reason{appliance.NoFaceInFrame}},
		},
		"times within the gap": {
			appliance.BurstFindings{Embeddings: three, Score: 0.9},
			[3]string{"\x01\x00", "\x02\x32", "\x03\x40"},
			appliance.Liveness{IsLive: true, IsMatched: true, Similarity: 0.71, Score: 0.9, Gaps: []time.Duration{500 * time.Millisecond, 140 * time.Millisecond}},
		},
		"times beyond the gap": {
			appliance.BurstFindings{Embeddings: three, Score: 0.9},
			[3]string{"\x01\x00", "\x02\x33", "\x03\x40"},
			appliance.Liveness{IsMatched: true, Similarity: 0.71, Gaps: []time.Duration{510 * time.Millisecond, 130 * time.Millisecond}, Reasons: []appliance.Reason{appliance.GapExceeded}},
		},
		"times that run backwards": {
			appliance.BurstFindings{Embeddings: three, Score: 0.9},
			[3]string{"\x01\x20", "\x02\x10", "\x03\x20"},
			appliance.Liveness{IsMatched: true, Similarity: 0.71, Gaps: []time.Duration{-160 * time.Millisecond, 160 * time.Millisecond}, Reasons: []appliance.Reason{appliance.GapExceeded}},
		},
		"one time is missing": {
			appliance.BurstFindings{Embeddings: three, Score: 0.9},
			[3]string{"\x01\x00", "\x02", "\x03\x40"},
			appliance.Liveness{IsLive: true, IsMatched: true, Similarity: 0.71, Score: 0.9},
		},
	} {
		w := newFaceWorld(t, usecase.Faces{Matcher: dotMatcher{}, Judge: judgeFunc(func([]*appliance.Picture) (appliance.BurstFindings, error) { return c.findings, nil })},
			passportWith(portrait(0)))
		var frames []appliance.LivenessFrame
		for _, image := range c.images {
			frames = append(frames, appliance.LivenessFrame{Image: []byte(image)})
		}
		got, err := w.JudgeLiveness(t.Context(), w.ids, frames)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		last := w.records(t)[1]
		if last.Endpoint != appliance.EndpointLiveness || last.Liveness == nil || last.Liveness.IsLive != got.IsLive {
			t.Errorf("%s: on record %+v", name, last)
		}
		if got.Source != appliance.SourceUpload || got.Reference.Kind != appliance.Passport {
			t.Errorf("%s: source %q, reference %+v", name, got.Source, got.Reference)
		}
		got.Stages, got.Portrait, got.Threshold, got.Source, got.Reference = nil, nil, 0, "", appliance.Reference{}
		near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })
		if diff := cmp.Diff(c.want, got, near); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Liveness has the codes of the transaction and of the pictures, 4208 and, without a judge, 501; a picture sent twice is decoded
// once.
func TestLivenessCodes(t *testing.T) {
	faces := usecase.Faces{Matcher: dotMatcher{}, Judge: judgeFunc(func(frames []*appliance.Picture) (appliance.BurstFindings, error) {
		if frames[0] != frames[2] {
			t.Error("equal bytes were decoded twice")
		}
		return appliance.BurstFindings{}, nil
	})}
	for name, c := range map[string]struct {
		faces  usecase.Faces
		docs   []appliance.Document
		images []string
		code   appliance.Code
	}{
		"judged":               {faces, []appliance.Document{passportWith(portrait(0))}, []string{"\x01", "\x02", "\x01"}, 0},
		"second picture":       {faces, nil, []string{"\x01", "x", "\x01"}, 5004},
		"no transaction":       {faces, nil, []string{"\x01", "\x02", "\x01"}, 4101},
		"no identity document": {faces, []appliance.Document{{Kind: appliance.LicensePlate}}, []string{"\x01", "\x02", "\x01"}, 4102},
		"no portrait":          {faces, []appliance.Document{passportWith(nil)}, []string{"\x01", "\x02", "\x01"}, 4208},
		"no judge":             {usecase.Faces{Matcher: dotMatcher{}}, []appliance.Document{passportWith(portrait(0))}, []string{"\x01", "\x02", "\x01"}, 501},
		"two frames":           {faces, []appliance.Document{passportWith(portrait(0))}, []string{"\x01", "\x02"}, 500},
	} {
		w := newFaceWorld(t, c.faces, c.docs...)
		var frames []appliance.LivenessFrame
		for _, image := range c.images {
			frames = append(frames, appliance.LivenessFrame{Image: []byte(image)})
		}
		if _, err := w.JudgeLiveness(t.Context(), w.ids, frames); codeOf(err) != c.code {
			t.Errorf("%s: %v, want code %d", name, err, c.code)
		}
	}
}

func backwards(list []appliance.Reason) []appliance.Reason {
	slices.Reverse(list)
	return list
}
