package usecase

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/appliance/queue"
)

// scriptCamera plays frames at their times of the bubble's clock, newest wins; at the end it fails or falls silent.
type scriptCamera struct {
	began  time.Time
	frames []scriptFrame
	ends   error // nil: silence
}

// scriptFrame is a frame at some milliseconds; what it shows stands in its bytes.
type scriptFrame struct {
	ms   int
	show string
	run  uint64
}

func (c *scriptCamera) Next(ctx context.Context, after uint64) (*appliance.Frame, error) {
	for {
		now, wait := time.Since(c.began), time.Hour
		var newest *appliance.Frame
		for i, s := range c.frames {
			at := time.Duration(s.ms) * time.Millisecond
			if at > now {
				wait = at - now
				break
			}
			newest = &appliance.Frame{JPEG: []byte(s.show), Sequence: uint64(i + 1), Run: s.run, Kernel: at, Wall: c.began.Add(at)}
		}
		if newest != nil && newest.Sequence > after {
			return newest, nil
		}
		if wait == time.Hour && c.ends != nil {
			return nil, c.ends
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// thirty is a script of 30 frames a second of which each shows what show says of its number.
func thirty(frames int, show func(i int) string) []scriptFrame {
	var out []scriptFrame
	for i := range frames {
		out = append(out, scriptFrame{ms: i * 1000 / 30, show: show(i)})
	}
	return out
}

// showDecoder gives a picture of even grey; "damaged" is none. The picture remembers its bytes in its chroma.
type showDecoder struct{}

func (showDecoder) Decode(_ context.Context, image []byte) (*appliance.Picture, error) {
	if bytes.HasPrefix(image, []byte("damaged")) {
		return nil, appliance.Errorf(appliance.CodePictureBroken, "damaged")
	}
	p := &appliance.Picture{Width: 128, Height: 96, Y: bytes.Repeat([]byte{100}, 128*96), Cb: image}
	if bytes.HasPrefix(image, []byte("move")) { // a bright card that lies elsewhere in every frame
		at := int(image[len(image)-1]) % 8 * 12
		for y := 20; y < 70; y++ {
			for x := at; x < at+40; x++ {
				p.Y[y*128+x] = 220
			}
		}
	}
	return p, nil
}

// showJudge takes a frame's guidance from its bytes: "ready 3" is GuideReady.
type showJudge struct{}

func (showJudge) JudgeFrame(_ context.Context, p *appliance.Picture) (appliance.Guidance, error) {
	word, _, _ := bytes.Cut(p.Cb, []byte(" "))
	return appliance.Guidance(word), nil
}

// cameraTransactions holds one transaction with a portrait and takes records.
type cameraTransactions struct {
	appliance.TransactionStore
	document appliance.Document
	records  []appliance.Record
	renewed  int
	attempts int
}

func (s *cameraTransactions) Transaction(_ context.Context, id string) (*appliance.Transaction, error) {
	if id != "known" {
		return nil, appliance.Errorf(appliance.CodeTransactionUnknown, "unknown")
	}
	return &appliance.Transaction{
		ID: id, Attempts: s.attempts, Records: []appliance.Record{{Documents: []appliance.Document{s.document}}},
	}, nil
}

func (s *cameraTransactions) Append(_ context.Context, _ string, r appliance.Record) error {
	s.records = append(s.records, r)
	return nil
}

func (s *cameraTransactions) Attempt(_ context.Context, _ string, most int) error {
	if s.attempts >= most {
		return appliance.TooManyAttempts(most)
	}
	s.attempts++
	return nil
}

func (s *cameraTransactions) Renew(context.Context, string) error {
	s.renewed++
	return nil
}

// oneMatcher finds every face to be the same person.
type oneMatcher struct{}

func (oneMatcher) Embed(context.Context, *appliance.Picture, appliance.Face) (appliance.Embedding, error) {
	return appliance.Embedding{1}, nil
}
func (oneMatcher) Model() string                               { return "net" }
func (oneMatcher) Similarity(a, b appliance.Embedding) float64 { return 0.75 }
func (oneMatcher) Threshold() float64                          { return 0.5 }

// burstJudge keeps which pictures it was given and finds a living person.
type burstJudge struct {
	shown [][]string
	fails error
}

func (j *burstJudge) Judge(_ context.Context, frames []*appliance.Picture) (appliance.BurstFindings, error) {
	var shown []string
	for _, f := range frames {
		shown = append(shown, string(f.Cb))
	}
	j.shown = append(j.shown, shown)
	return appliance.BurstFindings{Score: 0.875, Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}}, j.fails
}

// kiosk is a Capturer over a script.
type kiosk struct {
	*Capturer
	store *cameraTransactions
	judge *burstJudge
	reads []string // what was shown to the reader
}

func newKiosk(t *testing.T, frames []scriptFrame, ends error) *kiosk {
	t.Helper()
	k := &kiosk{judge: &burstJudge{}, store: &cameraTransactions{document: appliance.Document{
		Kind:     appliance.Passport,
		Portrait: &appliance.Portrait{Embedding: appliance.Embedding{0.5, -1}, Model: "net", Quality: 1},
	}}}
	identity, err := proof.NewIdentity(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	k.Capturer = NewCapturer(CapturerDeps{
		Appliance: New(Deps{
			Decoder: showDecoder{}, Transactions: k.store, Queue: queue.New(1, 1), Now: time.Now,
			Networks: Networks{
				Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointIDFront: k, appliance.EndpointGeneral: k},
				Faces:   Faces{Matcher: oneMatcher{}, Judge: k.judge}, FaceGuide: showJudge{}, DocumentGuide: showJudge{},
				Models: map[string]string{"faces": "00"}, Thresholds: map[string]float64{"live": 0.5},
			},
		}),
		Camera:   &scriptCamera{began: time.Now(), frames: frames, ends: ends},
		Identity: identity, Rule: usualRule(), Budget: 5 * time.Second, Viewers: 2, Version: "test", Now: time.Now,
	})
	return k
}

// networks are those in use.
func (k *kiosk) networks() *Networks { return &k.Appliance.exchange.now.networks }

// Read reads a document out of what is shown: "ready glare" has a flaw, "ready nothing" has none of a document.
func (k *kiosk) Read(_ context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
	k.reads = append(k.reads, string(p.Cb))
	if bytes.Contains(p.Cb, []byte("nothing")) {
		return appliance.Reading{}, appliance.Errorf(appliance.CodeNoDocument, "nothing found")
	}
	if bytes.Contains(p.Cb, []byte("beside")) { // a fine one beside one with glare
		return appliance.Reading{Documents: []appliance.Document{
			{Kind: appliance.NationalIDBack, Capture: appliance.Capture{Sharpness: 0.5}},
			{Kind: appliance.NationalIDFront, Capture: appliance.Capture{Sharpness: 0.5, Glared: true}},
		}}, nil
	}
	c := appliance.Capture{Sharpness: 0.5, Glared: bytes.Contains(p.Cb, []byte("glare")), CutOff: bytes.Contains(p.Cb, []byte("cut"))}
	return appliance.Reading{Documents: []appliance.Document{{
		Kind: appliance.NationalIDFront, Capture: c, Fields: []appliance.Field{{Name: "name", Value: string(p.Cb)}},
	}}}, nil
}

var compared = Comparison{RequestID: "request", TransactionID: "known"}

// A camera liveness check judges three frames whose kernel times keep the rule, and states them under the appliance's signature.
func TestCaptureLiveness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(60, func(i int) string {
			if i%2 == 1 {
				return "blurred " + string(rune('a'+i))
			}
			return "ready " + string(rune('a'+i))
		}), nil)
		out, err := k.Liveness(t.Context(), compared)
		if err != nil {
			t.Fatal(err)
		}
		if !out.IsLive || !out.IsMatched || len(k.store.records) != 1 || len(k.judge.shown) != 1 {
			t.Errorf("%+v, %d records", out.Liveness, len(k.store.records))
		}
		if diff := cmp.Diff([]float64{200, 200}, appliance.Milliseconds(out.Gaps)); diff != "" {
			t.Error(diff)
		}
		s, err := out.Proof.Open(k.Identity.Public())
		if err != nil {
			t.Fatal(err)
		}
		if s.Source != appliance.SourceCamera || out.Source != appliance.SourceCamera || out.Reference.Kind != k.store.document.Kind {
			t.Errorf("source %q, %q, reference %+v", s.Source, out.Source, out.Reference)
		}
		k.Recording = true
		if again, err := k.Liveness(t.Context(), compared); err != nil {
			t.Error(err)
		} else if s, err := again.Proof.Open(nil); err != nil || s.Source != appliance.SourceRecording {
			t.Errorf("a recording: %+v, %v", s, err)
		}
		hash := proof.EmbeddingHash(appliance.Embedding{0.5, -1})
		if s.RequestID != "request" || s.TransactionID != "known" || s.DocumentEmbedding == nil || *s.DocumentEmbedding != hash ||
			s.Thresholds["match"] != 0.5 || s.Models["faces"] != "00" || s.Result.LivenessScore != 1 || out.Score != 0.875 {
			t.Errorf("%+v", s)
		}
		for i, f := range out.Frames {
			sum := sha256.Sum256(f)
			if s.Frames[i].SHA256 != hex.EncodeToString(sum[:]) || s.Frames[i].KernelUS != int64(i)*200_000 {
				t.Errorf("frame %d: %+v", i, s.Frames[i])
			}
		}
	})
}

// A burst that was judged counts as a face check of its transaction, one that the camera could not complete does not; where the
// checks are used up the camera is not used.
func TestCaptureAttempts(t *testing.T) {
	for name, tt := range map[string]struct {
		show  string
		costs int
	}{"judged": {"ready", 1}, "nobody there": {"no_face", 0}} {
		synctest.Test(t, func(t *testing.T) {
			k := newKiosk(t, thirty(300, func(int) string { return tt.show }), nil)
			if _, err := k.Liveness(t.Context(), compared); err != nil || k.store.attempts != tt.costs {
				t.Errorf("%s: %d attempts, %v", name, k.store.attempts, err)
			}
			k.store.attempts = appliance.FaceAttempts
			judged, began := len(k.judge.shown), time.Now()
			_, err := k.Liveness(t.Context(), compared)
			if appliance.CodeOf(err) != appliance.CodeTooManyAttempts || len(k.judge.shown) != judged || time.Since(began) > 0 {
				t.Errorf("%s: with no checks left: %v after %v", name, err, time.Since(began))
			}
		})
	}
}

// What keeps a burst from being complete is told by the reason of the contract, recorded and signed; frames too far apart are
// never judged.
func TestCaptureLivenessReasons(t *testing.T) {
	slow := func(ms int) []scriptFrame {
		var out []scriptFrame
		for at := 0; at < 6000; at += ms {
			out = append(out, scriptFrame{ms: at, show: "ready"})
		}
		return out
	}
	always := func(show string) []scriptFrame { return thirty(200, func(int) string { return show }) }
	for _, tt := range []struct {
		name   string
		frames []scriptFrame
		want   appliance.Reason
	}{
		{"nobody", always("no_face"), appliance.NoFaceInFrame},
		{"two people", always("several_faces"), appliance.MultipleFacesInFrame},
		{"too dark", always("too_dark"), appliance.LowQuality},
		{"damaged frames", always("damaged"), appliance.LowQuality},
		{"a slow camera", slow(501), appliance.GapExceeded},
		{"one good frame a second", thirty(200, func(i int) string {
			if i%30 == 0 {
				return "ready"
			}
			return "blurred"
		}), appliance.GapExceeded},
		{"every frame from another opening", func() []scriptFrame {
			out := slow(200)
			for i := range out {
				out[i].run = uint64(i)
			}
			return out
		}(), appliance.GapExceeded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k, began := newKiosk(t, tt.frames, nil), time.Now()
				out, err := k.Liveness(t.Context(), compared)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]appliance.Reason{tt.want}, out.Reasons); diff != "" || out.IsLive || len(out.Frames) != 0 {
					t.Errorf("%+v %s", out.Liveness, diff)
				}
				if len(k.judge.shown) > 0 || len(k.store.records) != 1 {
					t.Errorf("judged %v, %d records", k.judge.shown, len(k.store.records))
				}
				if took := time.Since(began); took != k.Budget {
					t.Errorf("it took %v", took)
				}
				if s, err := out.Proof.Open(nil); err != nil || s.Result.IsLive {
					t.Errorf("%+v, %v", s, err)
				}
			})
		})
	}
}

// A capture that cannot come about ends at once with its code, renews its transaction once, gives the camera back and leaves no
// goroutine behind: the bubble panics over one that is left.
func TestCaptureErrors(t *testing.T) {
	lost := appliance.CameraUnavailable(appliance.WarnCameraLost, nil)
	ready := thirty(200, func(int) string { return "ready" })
	for _, tt := range []struct {
		name   string
		id     string
		frames []scriptFrame
		ends   error
		change func(*kiosk)
		want   appliance.Code
		within time.Duration
	}{
		{"unknown transaction", "other", ready, nil, nil, appliance.CodeTransactionUnknown, 0},
		{
			"no identity document", "known", ready, nil,
			func(k *kiosk) { k.store.document.Kind = appliance.LicensePlate },
			appliance.CodeNoIdentityDocument, 0,
		},
		{"no portrait", "known", ready, nil, func(k *kiosk) { k.store.document.Portrait = nil }, appliance.CodeNoPortrait, 0},
		{"no judge", "known", ready, nil, func(k *kiosk) { k.networks().Faces.Judge = nil }, appliance.CodeNotBuilt, 0},
		{"unplugged in the middle", "known", ready[:8], lost, nil, appliance.CodeUnavailable, time.Second},
		{"no frame at all", "known", nil, nil, nil, appliance.CodeUnavailable, 5 * time.Second},
		{"the judge fails", "known", ready, nil, func(k *kiosk) { k.judge.fails = errors.New("no memory") }, appliance.CodeInternal, time.Second},
		{"taken", "known", ready, nil, func(k *kiosk) { k.taken <- struct{}{} }, appliance.CodeUnavailable, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k, began := newKiosk(t, tt.frames, tt.ends), time.Now()
				if tt.change != nil {
					tt.change(k)
				}
				held := len(k.taken)
				_, err := k.Liveness(t.Context(), Comparison{RequestID: "r", TransactionID: tt.id})
				if appliance.CodeOf(err) != tt.want || err == nil {
					t.Errorf("%v, want %d", err, tt.want)
				}
				if took := time.Since(began); took > tt.within {
					t.Errorf("it took %v", took)
				}
				if len(k.taken) != held || k.store.renewed != 1 || len(k.store.records) > 0 {
					t.Errorf("taken %d, renewed %d, records %d", len(k.taken), k.store.renewed, len(k.store.records))
				}
			})
		})
	}
}

// A caller who goes away ends the capture at once.
func TestCaptureCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(300, func(int) string { return "no_face" }), nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := k.Liveness(ctx, compared); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if _, err := k.Document(ctx, ReadRequest{Endpoint: appliance.EndpointIDFront}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("document: %v", err)
		}
	})
}

// A document is read when it is still and shown well, not before; the flawless reading is the answer, else the best one.
func TestCaptureDocument(t *testing.T) {
	at := func(show ...string) []scriptFrame { // one show each half second
		return thirty(15*len(show), func(i int) string {
			if s := show[i/15]; s != "move" {
				return s
			}
			return "move " + string(rune('a'+i))
		})
	}
	for _, tt := range []struct {
		name   string
		frames []scriptFrame
		want   string
		reads  int // at most
		code   appliance.Code
		within time.Duration
	}{
		{"held still", at("ready 1"), "ready 1", 1, 0, 400 * time.Millisecond},
		{"comes into view", at("no_document", "cut_off", "ready 1"), "ready 1", 1, 0, 1500 * time.Millisecond},
		{"moves first", at("move", "move", "ready 1"), "ready 1", 1, 0, 1600 * time.Millisecond},
		{"glare goes away", at("ready glare", "ready fine"), "ready fine", 5, 0, 1000 * time.Millisecond},
		{"glare stays", at("ready cut glare", "ready glare", "ready cut glare"), "ready glare", 60, 0, 5 * time.Second},
		{"nothing that can be read", at("ready nothing"), "", 60, appliance.CodeNoDocument, 5 * time.Second},
		{"never in view", at("no_document"), "no_document", 1, 0, 5 * time.Second}, // one try at the end: the judge may be wrong
		{"damaged", at("damaged"), "", 0, appliance.CodeNoDocument, 5 * time.Second},
		{"never still", thirty(200, func(i int) string { return "move " + string(rune('a'+i)) }), "move", 1, 0, 5 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k, began := newKiosk(t, tt.frames, nil), time.Now()
				answer, err := k.Document(t.Context(), ReadRequest{Endpoint: appliance.EndpointIDFront, RequestID: "r"})
				if took := time.Since(began); took > tt.within {
					t.Errorf("it took %v", took)
				}
				if len(k.reads) > tt.reads {
					t.Errorf("%d readings: %q", len(k.reads), k.reads)
				}
				if tt.code != 0 {
					if appliance.CodeOf(err) != tt.code || len(k.store.records) != 0 {
						t.Errorf("%v, %d records", err, len(k.store.records))
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := answer.Documents[0].Field("name").Value; len(got) < len(tt.want) || got[:len(tt.want)] != tt.want {
					t.Errorf("read %q", got)
				}
				if len(k.store.records) != 1 || answer.TransactionID == "" || answer.Stages[0].Name != "capture" {
					t.Errorf("%d records, %+v", len(k.store.records), answer.Stages)
				}
			})
		})
	}
}

// While a capture goes on because of one of two documents, the viewer is told what is wrong with that one.
func TestCaptureGuidesToTheWorst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(200, func(int) string { return "ready beside" }), nil)
		if _, err := k.Document(t.Context(), ReadRequest{Endpoint: appliance.EndpointIDFront, RequestID: "r"}); err != nil || len(k.reads) < 2 {
			t.Fatalf("%d readings, %v", len(k.reads), err)
		}
		if said := k.guides[SubjectDocument].said; said.Guidance != appliance.GuideGlare || said.Kind != appliance.NationalIDFront {
			t.Errorf("told %+v", said)
		}
	})
}

// General text is read without waiting for an outline, and an endpoint without a reader is refused before the camera is used.
func TestCaptureDocumentEndpoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(60, func(int) string { return "no_document" }), nil)
		if _, err := k.Document(t.Context(), ReadRequest{Endpoint: appliance.EndpointGeneral}); err != nil || len(k.reads) != 1 {
			t.Errorf("%v, %q", err, k.reads)
		}
		if _, err := k.Document(t.Context(), ReadRequest{Endpoint: appliance.EndpointMulti}); appliance.CodeOf(err) != appliance.CodeNotBuilt {
			t.Errorf("multi: %v", err)
		}
	})
}

// A viewer that takes its time gets fewer frames, the newest ones, and slows neither a quick viewer nor a capture; places are
// limited and given back.
func TestPreview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(300, func(i int) string { return "ready " + string(rune('a'+i)) }), appliance.CameraUnavailable(appliance.WarnCameraLost, nil))
		counts, done := [2]int{}, make(chan error, 2)
		for i, pause := range []time.Duration{0, time.Second} {
			leave, err := k.Admit()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				defer leave()
				done <- k.Show(t.Context(), SubjectFace, func(f *appliance.Frame, seen appliance.Sight) error {
					if counts[i]++; seen.Guidance == "" && counts[i] > 1 { // the other one may be looking at the first
						t.Error("no guidance")
					}
					if late := time.Since(f.Wall); late > 100*time.Millisecond {
						t.Errorf("viewer %d was shown a frame %v old", i, late)
					}
					time.Sleep(pause)
					return nil
				})
			}()
		}
		synctest.Wait()
		if _, err := k.Admit(); appliance.CodeOf(err) != appliance.CodeUnavailable {
			t.Errorf("a third viewer: %v", err)
		}
		began := time.Now()
		if out, err := k.Liveness(t.Context(), compared); err != nil || !out.IsLive || time.Since(began) > 500*time.Millisecond {
			t.Errorf("%+v, %v after %v", out.Reasons, err, time.Since(began))
		}
		for range 2 {
			if err := <-done; appliance.CodeOf(err) != appliance.CodeUnavailable {
				t.Error(err)
			}
		}
		if counts[0] < 140 || counts[0] > 200 || counts[1] < 9 || counts[1] > 11 {
			t.Errorf("%v frames were shown", counts)
		}
		synctest.Wait()
		if leave, err := k.Admit(); err != nil {
			t.Error(err)
		} else {
			leave()
		}
	})
}

// The preview says what to change: what the judge of the subject says, and to hold still while a document moves.
func TestPreviewGuidance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(60, func(i int) string {
			if i < 30 {
				return "glare"
			}
			return "ready"
		}), appliance.CameraUnavailable(appliance.WarnCameraLost, nil))
		var said []appliance.Guidance
		_ = k.Show(t.Context(), SubjectDocument, func(_ *appliance.Frame, seen appliance.Sight) error {
			if len(said) == 0 || said[len(said)-1] != seen.Guidance {
				said = append(said, seen.Guidance)
			}
			return nil
		})
		if diff := cmp.Diff([]appliance.Guidance{appliance.GuideGlare, appliance.GuideReady}, said); diff != "" {
			t.Error(diff)
		}
	})
}

// faceFinder finds what it holds.
type faceFinder []appliance.Face

func (f faceFinder) FindFaces(context.Context, *appliance.Picture) ([]appliance.Face, error) {
	return f, nil
}

// The guidance for a face names what to mend first.
func TestFaceGuide(t *testing.T) {
	inside := appliance.Face{Quad: appliance.Quad{{X: 20, Y: 20}, {X: 60, Y: 20}, {X: 60, Y: 60}, {X: 20, Y: 60}}}
	cut, small, blurred := inside, inside, inside
	cut.Quad[0].X = -3
	small.Quality.Faults = []appliance.FaceFault{appliance.FaceTooSmall, appliance.FaceBlurred}
	blurred.Quality.Faults = []appliance.FaceFault{appliance.FaceBlurred}
	for _, tt := range []struct {
		faces []appliance.Face
		level byte
		want  appliance.Guidance
	}{
		{nil, 100, appliance.GuideNoFace},
		{nil, 2, appliance.GuideDark},
		{nil, 255, appliance.GuideBright},
		{[]appliance.Face{inside, inside}, 100, appliance.GuideManyFaces},
		{[]appliance.Face{cut}, 100, appliance.GuideCutOff},
		{[]appliance.Face{small}, 100, appliance.GuideCloser},
		{[]appliance.Face{blurred}, 100, appliance.GuideBlurred},
		{[]appliance.Face{inside}, 100, appliance.GuideReady},
	} {
		p := &appliance.Picture{Width: 80, Height: 80, Y: bytes.Repeat([]byte{tt.level}, 6400)}
		if got, err := (FaceGuide{faceFinder(tt.faces)}).JudgeFrame(t.Context(), p); err != nil || got != tt.want {
			t.Errorf("%+v at %d: %q, %v, want %q", tt.faces, tt.level, got, err, tt.want)
		}
	}
	for _, f := range []appliance.FaceFault{
		appliance.FaceTooSmall, appliance.FaceTurned, appliance.FaceCovered, appliance.FaceDark, appliance.FaceBright, appliance.FaceBlurred,
	} {
		if g := faultGuidance(f); g == appliance.GuideReady || g.Text() == "" || reasonOf(g) != appliance.LowQuality {
			t.Errorf("%s: %q", f, g)
		}
	}
}

// Motion shows in a small part of the scene, and the light of the whole scene is none.
func TestMotion(t *testing.T) {
	scene := func(level, at int) *thumbnail {
		p := &appliance.Picture{Width: 320, Height: 240, Y: bytes.Repeat([]byte{byte(level)}, 320*240)}
		for y := 100; y < 160; y++ {
			for x := at; x < at+90; x++ {
				p.Y[y*320+x] = byte(level + 80)
			}
		}
		return thumbnailOf(p)
	}
	for _, tt := range []struct {
		name  string
		now   *thumbnail
		moves bool
	}{{"still", scene(90, 100), false}, {"brighter", scene(110, 100), false}, {"moved by a fortieth", scene(90, 108), true}, {"gone", scene(90, 0), true}} {
		if got := tt.now.motion(scene(90, 100)); (got > stillLevels) != tt.moves {
			t.Errorf("%s: %.1f levels", tt.name, got)
		}
	}
	if !slices.Equal(thumbnailOf(&appliance.Picture{Width: 64, Height: 64, Y: make([]byte, 4096)})[:], make([]byte, len(thumbnail{}))) {
		t.Error("the smallest picture")
	}
}
