package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/face"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/models"
)

// The networks of faces, by their names in the manifest.
const (
	ModelFaces     = "faces"
	ModelLandmarks = "landmarks"
	ModelEmbedder  = "embedder"
	ModelNearer    = "embedder_near" // the second opinion, on a crop from nearer
	ModelLiveness  = "liveness"
	ModelWide      = "liveness_wide" // the same for a wider crop
)

// Faces is what finds and compares faces. Its parts are nil where the binary carries no networks for them.
type Faces struct {
	Finder    *face.Finder
	Matcher   *face.Matcher // for embedding; those that compare are made for the configured rate
	embedders face.Embedders
	attacks   face.Attacks
}

// loadFaces puts the readers of faces over the networks that the set carries for them.
func (e *Engine) loadFaces() error {
	finds, marks := e.Networks.Network(ModelFaces), e.Networks.Network(ModelLandmarks)
	first, second := e.Networks.Network(ModelEmbedder), e.Networks.Network(ModelNearer)
	if finds == nil || marks == nil || first == nil || second == nil {
		return nil
	}
	pair, err := embeddersOf(e.Set)
	if err != nil {
		return err
	}
	e.Faces.embedders = face.Embedders{Embedder: first, Near: second, Model: pair}
	scores, err := scoresOf(e.Set)
	if err != nil {
		return err
	}
	if e.Faces.Finder, err = face.NewFinder(finds, marks, scores); err != nil {
		return fmt.Errorf("open face finder: %w", err)
	}
	e.Faces.attacks.Near, e.Faces.attacks.Wide = e.Networks.Network(ModelLiveness), e.Networks.Network(ModelWide)
	e.Faces.Matcher, err = e.matcherAt(configs.Face{FMR: "0.1%"})
	return err
}

// matcherAt makes a matcher for the configured rate of false matches.
func (e *Engine) matcherAt(c configs.Face) (*face.Matcher, error) {
	m, err := e.Set.Model(ModelEmbedder)
	if err != nil {
		return nil, err
	}
	scale, err := ScaleOf(m)
	if err != nil {
		return nil, err
	}
	matcher, err := face.NewMatcher(e.Faces.embedders, scale, c.Percent())
	if err != nil {
		return nil, fmt.Errorf("open face matcher: %w", err)
	}
	return matcher, nil
}

// embeddersOf names the pair of networks that make embeddings, by the SHA-256 of both.
func embeddersOf(set *models.Set) (string, error) {
	both := sha256.New()
	for _, name := range []string{ModelEmbedder, ModelNearer} {
		m, err := set.Model(name)
		if err != nil {
			return "", fmt.Errorf("open face matcher: %w", err)
		}
		both.Write([]byte(m.SHA256))
	}
	return hex.EncodeToString(both.Sum(nil)), nil
}

// scoresOf reads the calibration of the networks that find faces.
func scoresOf(set *models.Set) (s face.Scores, err error) {
	for _, t := range []struct {
		model, name string
		value       *float64
	}{
		{ModelFaces, "score", &s.Seen},
		{ModelFaces, "printed", &s.Printed},
		{ModelFaces, "sure", &s.Sure},
		{ModelLandmarks, "confirmed", &s.Confirmed},
	} {
		m, err := set.Model(t.model)
		if err != nil {
			return s, fmt.Errorf("open face finder: %w", err)
		}
		var ok bool
		if *t.value, ok = m.Threshold(t.name); !ok {
			return s, fmt.Errorf("open face finder: model %s has no threshold %s", m.Name, t.name)
		}
	}
	return s, nil
}

// ScaleOf reads the calibration of both embedders together, which stands with "embedder": its thresholds are named by their rates in
// per cent.
func ScaleOf(m models.Model) (s face.Scale, err error) {
	for name, value := range map[string]*float64{"fmr_1": &s.Percent, "fmr_0.1": &s.PerMille, "fmr_0.01": &s.PerTenThousand} {
		t, ok := m.Threshold(name)
		if !ok {
			return s, fmt.Errorf("open face matcher: model %s has no threshold %s", m.Name, name)
		}
		*value = t
	}
	return s, nil
}

// Comparing returns the parts that compare faces at the configured rate; they are nil where the binary carries no networks for
// them.
func (e *Engine) Comparing(c configs.Face) (usecase.Faces, error) {
	if e.Faces.Finder == nil {
		return usecase.Faces{}, nil
	}
	matcher, err := e.matcherAt(c)
	if err != nil {
		return usecase.Faces{}, err
	}
	f := usecase.Faces{Finder: e.Faces.Finder, Matcher: matcher}
	if f.Documents, err = e.documentsBesideFaces(); err != nil {
		return usecase.Faces{}, err
	}
	if f.PortraitCeiling, err = e.portraitCeiling(); err != nil {
		return usecase.Faces{}, err
	}
	judge, err := e.Judge()
	if judge != nil {
		f.Judge = judge
	}
	return f, err
}

// portraitCeiling returns the similarity from which a picture is the document's own portrait. It is the threshold "portrait" of the
// "embedder" network, a cosine like the others; 0, which is no ceiling, where the set has none.
func (e *Engine) portraitCeiling() (float64, error) {
	m, err := e.Set.Model(ModelEmbedder)
	if err != nil {
		return 0, err
	}
	cosine, ok := m.Threshold("portrait")
	if !ok {
		return 0, nil
	}
	scale, err := ScaleOf(m)
	if err != nil {
		return 0, err
	}
	if cosine <= scale.PerTenThousand || cosine > 1 {
		return 0, fmt.Errorf(
			"open face matcher: the threshold portrait of model %s is %g, not above fmr_0.01 (%g) and at most 1",
			m.Name,
			cosine,
			scale.PerTenThousand,
		)
	}
	return scale.Similarity(cosine), nil
}

// documentsBesideFaces is the finder of documents in pictures of persons, with the threshold "beside_face" of the "documents" network; 0,
// which takes all that is found, where the set has none.
func (e *Engine) documentsBesideFaces() (documentFinder, error) {
	m, err := e.Set.Model(modelDocuments)
	surely, _ := m.Threshold("beside_face")
	return documentFinder{e.documents, surely}, err
}

// documentFinder is a finder of documents as package appliance has it, of those that are surely there: where a document was asked for,
// less does, but in the picture of a person it would be clothes and the wall behind.
type documentFinder struct {
	*outline.Finder
	surely float64 // how sure the finder must be of a document
}

// FindDocuments implements appliance.DocumentFinder.
func (f documentFinder) FindDocuments(ctx context.Context, p *appliance.Picture) (outlines []appliance.Outline, err error) {
	found, err := f.Find(ctx, p)
	for _, d := range found {
		if d.Score >= f.surely {
			outlines = append(outlines, appliance.Outline{Kind: d.Kind, Quad: d.Quad})
		}
	}
	return outlines, err
}

// Judge returns the judge of liveness, nil where the binary carries no networks that tell attacks: without them nobody is called live.
func (e *Engine) Judge() (*face.Judge, error) {
	if !e.Built(appliance.EndpointLiveness) {
		return nil, nil
	}
	attacks := e.Faces.attacks
	m, err := e.Set.Model(ModelLiveness)
	if err != nil {
		return nil, err
	}
	var ok bool
	if attacks.Threshold, ok = m.Threshold("attack"); !ok {
		return nil, errors.New("open judge of liveness: the manifest has no threshold attack")
	}
	j, err := face.NewJudge(e.Faces.Finder, e.Faces.Matcher, attacks)
	if err != nil {
		return nil, fmt.Errorf("open judge of liveness: %w", err)
	}
	return j, nil
}

// withPortrait returns a reader that also takes the portraits of identity documents, where the networks for it are carried.
func (e *Engine) withPortrait(r appliance.Reader) appliance.Reader {
	if e.Faces.Finder == nil {
		return r
	}
	return face.NewPortraitReader(r, e.Faces.Finder, e.Faces.Matcher)
}
