package face

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// embeddingLength is how many components an embedding has.
	embeddingLength = 512
	// embedSide is the side of the aligned face that the embedder looks at.
	embedSide = 112
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

// Matcher compares faces; it implements appliance.FaceMatcher. It is safe for concurrent use.
type Matcher struct {
	net       network
	model     string
	scale     Scale
	threshold float64
	scratch   sync.Pool
}

var _ appliance.FaceMatcher = (*Matcher)(nil)

// NewMatcher makes a matcher over the "embedder" network, which stays the caller's; model is the SHA-256 of its file and s its
// calibration. rate is the share of pairs of different persons, in per cent, that may match: 1, 0.1 or 0.01.
func NewMatcher(net *inference.Network, model string, s Scale, rate float64) (*Matcher, error) {
	return newMatcher(net, model, s, rate)
}

func newMatcher(net network, model string, s Scale, rate float64) (*Matcher, error) {
	if err := fits("embedder", net, []int{1, embedSide, embedSide, 3}, []int{1, embeddingLength}); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	limit, ok := Threshold(rate)
	if !ok {
		return nil, fmt.Errorf("open matcher: a false match rate of %g %% is not calibrated: choose 1, 0.1 or 0.01", rate)
	}
	m := &Matcher{net: net, model: model, scale: s, threshold: limit}
	m.scratch.New = func() any { return newLook(embedSide, net.Input(), net.Output()) }
	return m, nil
}

// Embed makes the embedding of a face.
func (m *Matcher) Embed(ctx context.Context, p *appliance.Picture, f appliance.Face) (appliance.Embedding, error) {
	return m.embed(ctx, p, view{toPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}}, f.Landmarks, twice)
}

// How often a face is looked at for its embedding: as it is, or also in a mirror. Faces are alike in a mirror, the noise of light, pose and
// int8 is not. The frames of a burst are three looks already: of one each, with the portrait's two, lfw-dev and photographed cards have
// the same TAR at FMR 0.1 % (27 November 2026: 98.75 % of 400 pairs, 93.25 % of 400 cards).
const (
	once  = 1
	twice = 2
)

// embed makes the embedding of the face whose landmarks are given in the square of a view: a portrait is aligned on the flat
// document, not in its photograph.
func (m *Matcher) embed(ctx context.Context, p *appliance.Picture, v view, landmarks [5]appliance.Point, looks int) (appliance.Embedding, error) {
	l := m.scratch.Get().(*look)
	defer m.scratch.Put(l)
	h, ok := aligned(landmarks, embedTemplate(), embedSide)
	if !ok {
		return nil, fmt.Errorf("embed face: the landmarks are no face's")
	}
	sum := make([]float64, embeddingLength)
	if err := l.run(ctx, m.net, p, view{toPicture: v.toPicture.Mul(h)}); err != nil {
		return nil, fmt.Errorf("embed face: %w", err)
	}
	add(sum, l.out, m.net.Output().ZeroPoint)
	if looks == once {
		return direction(sum), nil
	}
	l.mirror()
	if err := m.net.Run(ctx, l.in, l.out); err != nil {
		return nil, fmt.Errorf("embed face: %w", err)
	}
	add(sum, l.out, m.net.Output().ZeroPoint)
	return direction(sum), nil
}

// add adds the direction of the network's output.
func add(sum []float64, out []int8, zero int) {
	squares := 0
	for _, v := range out {
		squares += (int(v) - zero) * (int(v) - zero)
	}
	length := math.Sqrt(max(float64(squares), 1))
	for i, v := range out {
		sum[i] += float64(int(v)-zero) / length
	}
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

// direction brings a sum of directions to unit length.
func direction(sum []float64) appliance.Embedding {
	e, squares := make(appliance.Embedding, len(sum)), 0.0
	for _, v := range sum {
		squares += v * v
	}
	for i, v := range sum {
		e[i] = float32(v / max(math.Sqrt(squares), 1e-9))
	}
	return e
}

// Model is the SHA-256 of the network.
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
