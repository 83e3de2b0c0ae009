package bench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/engine"
)

// sampleFace is the frame of an invented person, 640 x 480, that the repository carries to measure comparisons with.
const sampleFace = "models/samples/face.jpg"

// Endpoints are those that bench can measure alone.
func Endpoints() []appliance.Endpoint {
	return append(appliance.DocumentEndpoints(), appliance.EndpointFaceMatch, appliance.EndpointLiveness)
}

// compares reports whether an endpoint compares faces.
func compares(e appliance.Endpoint) bool {
	return e == appliance.EndpointFaceMatch || e == appliance.EndpointLiveness
}

// comparison measures requests that compare faces.
type comparison struct {
	appliance *usecase.Appliance
	store     appliance.TransactionStore
	endpoint  appliance.Endpoint
	portrait  appliance.Portrait
	frames    [appliance.BurstFrames][]byte
}

// newComparison prepares requests with one picture. The frames of a burst show it as a camera would, so that none is known as a copy
// before all is measured.
func newComparison(
	e *engine.Engine,
	s appliance.TransactionStore,
	queue *queue.Queue,
	endpoint appliance.Endpoint,
	picture []byte,
) (*comparison, error) {
	faces, err := e.Comparing(configs.Face{FMR: "0.1%"})
	if err != nil {
		return nil, err
	}
	faces.Finder, faces.Matcher = countedFinder{faces.Finder}, countedMatcher{faces.Matcher}
	c := &comparison{store: s, endpoint: endpoint}
	c.appliance = usecase.New(usecase.Deps{
		Decoder: e.Decoder, FrameDecoder: e.FrameDecoder(), Transactions: s, Queue: queue, Now: time.Now,
		Networks: usecase.Networks{Faces: faces},
	})
	c.portrait = appliance.Portrait{Embedding: make(appliance.Embedding, 512), Model: faces.Matcher.Model()}
	c.portrait.Embedding[0] = 1
	c.frames, err = exposures(picture)
	return c, err
}

// exposures returns a picture as a camera would take it three times of somebody who hardly moves: a pixel aside from frame to frame,
// each with noise of its own.
func exposures(picture []byte) (frames [appliance.BurstFrames][]byte, err error) {
	m, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return frames, fmt.Errorf("prepare burst: %w", err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range frames {
		out := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
		draw.Draw(out, out.Rect, m, m.Bounds().Min.Add(image.Pt(i, 0)), draw.Src)
		for at := 0; at < len(out.Pix); at += 4 {
			noise := 2 * r.NormFloat64()
			for k := range 3 {
				out.Pix[at+k] = byte(min(max(float64(out.Pix[at+k])+noise, 0), 255))
			}
			out.Pix[at+3] = 255
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, out, &jpeg.Options{Quality: 90}); err != nil {
			return frames, fmt.Errorf("prepare burst: %w", err)
		}
		frames[i] = b.Bytes()
	}
	return frames, nil
}

// once compares the picture in a transaction of its own; that the transaction is started is not timed.
func (c *comparison) once(ctx context.Context) (s sample, err error) {
	ids := usecase.Comparison{RequestID: appliance.NewGUID(), TransactionID: appliance.NewGUID()}
	document := appliance.Record{
		Endpoint:  appliance.EndpointPassport,
		Documents: []appliance.Document{{Kind: appliance.Passport, Portrait: &c.portrait}},
	}
	if err := c.store.Append(ctx, ids.TransactionID, document); err != nil {
		return s, fmt.Errorf("start a transaction: %w", err)
	}
	counts := stageCounts{}
	ctx = context.WithValue(ctx, stageCountsKey{}, counts)
	began := time.Now()
	var stages []appliance.Stage
	if c.endpoint == appliance.EndpointFaceMatch {
		m, failure := c.appliance.MatchFace(ctx, ids, c.frames[0])
		stages, err = m.Stages, failure
	} else {
		var frames []appliance.LivenessFrame
		for _, image := range c.frames {
			frames = append(frames, appliance.LivenessFrame{Image: image})
		}
		l, failure := c.appliance.JudgeLiveness(ctx, ids, frames)
		stages, err = l.Stages, failure
	}
	if err != nil {
		return s, fmt.Errorf("compare the picture: %w", err)
	}
	s.total = time.Since(began)
	rest := s.total
	for i := range stages {
		rest -= stages[i].Elapsed
		if n, ok := counts[stages[i].Name]; ok {
			stages[i].Runs, stages[i].MACs = n[0], n[1]
		}
	}
	s.stages = append(stages, appliance.Stage{Name: "store", Elapsed: rest})
	return s, nil
}

// stageCounts holds what the networks did in a stage: inferences and multiply-accumulates.
type stageCounts map[string][2]int64

// stageCountsKey finds the stageCounts of a context.
type stageCountsKey struct{}

// counted runs a stage and counts what the networks do in it.
func counted(ctx context.Context, stage string, run func(context.Context)) {
	var work inference.Work
	run(inference.WithWork(ctx, &work))
	if counts, ok := ctx.Value(stageCountsKey{}).(stageCounts); ok {
		runs, macs := work.Total()
		counts[stage] = [2]int64{runs, macs}
	}
}

// countedFinder is a finder of faces whose work is counted.
type countedFinder struct{ appliance.FaceFinder }

// FindFaces implements appliance.FaceFinder.
func (f countedFinder) FindFaces(ctx context.Context, p *appliance.Picture) (faces []appliance.Face, err error) {
	counted(ctx, "find_face", func(ctx context.Context) { faces, err = f.FaceFinder.FindFaces(ctx, p) })
	return faces, err
}

// countedMatcher is a matcher of faces whose work is counted.
type countedMatcher struct{ appliance.FaceMatcher }

// Embed implements appliance.FaceMatcher.
func (m countedMatcher) Embed(ctx context.Context, p *appliance.Picture, f appliance.Face) (e appliance.Embedding, err error) {
	counted(ctx, "embed", func(ctx context.Context) { e, err = m.FaceMatcher.Embed(ctx, p, f) })
	return e, err
}
