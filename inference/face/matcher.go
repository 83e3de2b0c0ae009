package face

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// embedLength and embedSide are how many numbers the embedder gives, and the side of the aligned face that it looks at.
	embedLength, embedSide = 512, 112
	// nearLength and nearEmbedSide are those of the second one, which looks from nearer: at the crop of template.
	nearLength, nearEmbedSide = 256, 128
)

// embedTemplate is where the embedder wants the eyes, the tip of the nose and the corners of the mouth, in shares of its side: the
// template of most published embedders, whose pixels have their middles at whole numbers.
func embedTemplate() (t [5]appliance.Point) {
	for i, p := range [5]appliance.Point{{X: 38.2946, Y: 51.6963}, {X: 73.5318, Y: 51.5014}, {X: 56.0252, Y: 71.7366}, {X: 41.5493, Y: 92.3655}, {X: 70.7299, Y: 92.2041}} {
		t[i] = appliance.Point{X: (p.X + 0.5) / embedSide, Y: (p.Y + 0.5) / embedSide}
	}
	return t
}

// Scale is the calibration of a matcher: the cosines of embeddings at which one in a hundred, in a thousand and in ten thousand
// pairs of different persons would match.
type Scale struct{ Percent, PerMille, PerTenThousand float64 }

// The similarities at these cosines. They stay the same from network to network, so that a caller's own threshold keeps its
// meaning: each tenth from 0.4 to 0.6 is a factor of ten in false matches.
const (
	similarPercent        = 0.4
	similarPerMille       = 0.5
	similarPerTenThousand = 0.6
	// unrelated is the similarity of embeddings that have nothing in common, a cosine of 0.
	unrelated = 0.2
)

func (s Scale) check() error {
	if !(0 < s.Percent && s.Percent < s.PerMille && s.PerMille < s.PerTenThousand && s.PerTenThousand < 1) {
		return fmt.Errorf("calibrate faces: the thresholds %g, %g and %g do not rise between 0 and 1", s.Percent, s.PerMille, s.PerTenThousand)
	}
	return nil
}

// Similarity maps a cosine to 0 to 1, straight from knot to knot.
func (s Scale) Similarity(cosine float64) float64 {
	knots := [6][2]float64{{-1, 0}, {0, unrelated}, {s.Percent, similarPercent}, {s.PerMille, similarPerMille}, {s.PerTenThousand, similarPerTenThousand}, {1, 1}}
	for i := 1; i < len(knots); i++ {
		from, to := knots[i-1], knots[i]
		if cosine <= to[0] {
			return max(0, from[1]+(to[1]-from[1])*(cosine-from[0])/(to[0]-from[0]))
		}
	}
	return 1
}

// Threshold is the similarity at a rate of false matches, given in per cent; ok is false for a rate that is not calibrated.
func Threshold(rate float64) (similarity float64, ok bool) {
	similarity, ok = map[float64]float64{1: similarPercent, 0.1: similarPerMille, 0.01: similarPerTenThousand}[rate]
	return similarity, ok
}

// Embedders are the networks that make embeddings; they stay the caller's. Each has learnt from other pictures by other people, so that
// they err on other faces: both together are better than either looking twice as often.
type Embedders struct {
	// Embedder and Near are the networks "embedder" and "embedder_near".
	Embedder, Near *inference.Network
	// Model names both: what another pair made is never compared.
	Model string
}

// embedder is one network that makes directions of aligned faces.
type embedder struct {
	net     network
	ideal   [5]appliance.Point // where the face lies in its crop
	side    int
	length  int
	scratch sync.Pool
}

func newEmbedder(name string, net network, ideal [5]appliance.Point, side, length int) (*embedder, error) {
	if err := fits(name, net, []int{1, side, side, 3}, []int{1, length}); err != nil {
		return nil, err
	}
	e := &embedder{net: net, ideal: ideal, side: side, length: length}
	e.scratch.New = func() any { return newLook(side, net.Input(), net.Output()) }
	return e, nil
}

// Matcher compares faces; it implements appliance.FaceMatcher. It is safe for concurrent use.
type Matcher struct {
	embedders [2]*embedder
	model     string
	scale     Scale
	threshold float64
}

var _ appliance.FaceMatcher = (*Matcher)(nil)

// NewMatcher makes a matcher; s is the calibration of both networks together. rate is the share of pairs of different persons, in per
// cent, that may match: 1, 0.1 or 0.01.
func NewMatcher(e Embedders, s Scale, rate float64) (*Matcher, error) {
	return newMatcher(e.Embedder, e.Near, e.Model, s, rate)
}

func newMatcher(net, near network, model string, s Scale, rate float64) (*Matcher, error) {
	first, err := newEmbedder("embedder", net, embedTemplate(), embedSide, embedLength)
	if err != nil {
		return nil, err
	}
	second, err := newEmbedder("embedder_near", near, template(), nearEmbedSide, nearLength)
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	limit, ok := Threshold(rate)
	if !ok {
		return nil, fmt.Errorf("open matcher: a false match rate of %g %% is not calibrated: choose 1, 0.1 or 0.01", rate)
	}
	return &Matcher{embedders: [2]*embedder{first, second}, model: model, scale: s, threshold: limit}, nil
}

// Embed makes the embedding of a face.
func (m *Matcher) Embed(ctx context.Context, p *appliance.Picture, f appliance.Face) (appliance.Embedding, error) {
	return m.embed(ctx, p, view{toPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}}, f.Landmarks)
}

// embed makes the embedding of the face whose landmarks are given in the square of a view: a portrait is aligned on the flat
// document, not in its photograph. It holds the directions of both networks one after the other, so that a cosine is the mean of theirs.
func (m *Matcher) embed(ctx context.Context, p *appliance.Picture, v view, landmarks [5]appliance.Point) (appliance.Embedding, error) {
	var both []float64
	for _, e := range m.embedders {
		one, err := e.direction(ctx, p, v, landmarks)
		if err != nil {
			return nil, fmt.Errorf("embed face: %w", err)
		}
		both = append(both, one...)
	}
	embedding := make(appliance.Embedding, len(both))
	for i, v := range unit(both) {
		embedding[i] = float32(v)
	}
	return embedding, nil
}

// direction is what one network makes of a face, of unit length.
func (e *embedder) direction(ctx context.Context, p *appliance.Picture, v view, landmarks [5]appliance.Point) ([]float64, error) {
	l := e.scratch.Get().(*look)
	defer e.scratch.Put(l)
	h, ok := aligned(landmarks, e.ideal, float64(e.side))
	if !ok {
		return nil, errors.New("the landmarks are no face's")
	}
	if err := l.run(ctx, e.net, p, view{toPicture: v.toPicture.Mul(h)}); err != nil {
		return nil, err
	}
	out, zero := make([]float64, e.length), e.net.Output().ZeroPoint
	for i, q := range l.out {
		out[i] = float64(int(q) - zero)
	}
	return unit(out), nil
}

// levels returns the mean and the standard deviation of samples.
func levels(pix []byte) (mean, deviation float64) {
	sum, squares := 0, 0
	for _, v := range pix {
		sum += int(v)
		squares += int(v) * int(v)
	}
	n := float64(len(pix))
	mean = float64(sum) / n
	return mean, math.Sqrt(max(0, float64(squares)/n-mean*mean))
}

// unit brings a vector to unit length, where it is.
func unit(v []float64) []float64 {
	squares := 0.0
	for _, x := range v {
		squares += x * x
	}
	length := max(math.Sqrt(squares), 1e-9)
	for i := range v {
		v[i] /= length
	}
	return v
}

// Model names the networks that make the embeddings.
func (m *Matcher) Model() string { return m.model }

// Similarity is on the scale of Scale. Embeddings of different length have nothing in common.
func (m *Matcher) Similarity(a, b appliance.Embedding) float64 {
	return m.scale.Similarity(Cosine(a, b))
}

// Threshold is the similarity from which two faces match.
func (m *Matcher) Threshold() float64 { return m.threshold }

// Cosine is that of two embeddings of unit length; those of different length have nothing in common: 0.
func Cosine(a, b appliance.Embedding) (sum float64) {
	if len(a) != len(b) {
		return 0
	}
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
