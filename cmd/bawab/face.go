package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/face"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/models"
)

// The networks of faces, by their names in the manifest.
const (
	modelFaces     = "faces"
	modelLandmarks = "landmarks"
	modelEmbedder  = "embedder"
	modelLiveness  = "liveness"
	modelWide      = "liveness_wide" // the same for a wider crop
)

// faceEngine is what finds and compares faces. Its parts are nil where the binary carries no networks for them.
type faceEngine struct {
	finder   *face.Finder
	matcher  *face.Matcher // for embedding; those that compare are made for the configured rate
	embedder *inference.Network
	attacks  face.Attacks
}

// loadFaces puts the readers of faces over the networks that the set carries for them.
func (e *engine) loadFaces() error {
	finds, marks := e.networks.Network(modelFaces), e.networks.Network(modelLandmarks)
	if e.faces.embedder = e.networks.Network(modelEmbedder); finds == nil || marks == nil || e.faces.embedder == nil {
		return nil
	}
	scores, err := scoresOf(e.set)
	if err != nil {
		return err
	}
	if e.faces.finder, err = face.NewFinder(finds, marks, scores); err != nil {
		return fmt.Errorf("open face finder: %w", err)
	}
	e.faces.attacks.Near, e.faces.attacks.Wide = e.networks.Network(modelLiveness), e.networks.Network(modelWide)
	e.faces.matcher, err = e.matcherAt(configs.Face{FMR: "0.1%"})
	return err
}

// matcherAt makes a matcher for the configured rate of false matches.
func (e *engine) matcherAt(c configs.Face) (*face.Matcher, error) {
	m, err := e.set.Model(modelEmbedder)
	if err != nil {
		return nil, err
	}
	scale, err := scaleOf(m)
	if err != nil {
		return nil, err
	}
	matcher, err := face.NewMatcher(e.faces.embedder, m.SHA256, scale, c.Percent())
	if err != nil {
		return nil, fmt.Errorf("open face matcher: %w", err)
	}
	return matcher, nil
}

// scoresOf reads the calibration of the networks that find faces.
func scoresOf(set *models.Set) (s face.Scores, err error) {
	for _, t := range []struct {
		model, name string
		value       *float64
	}{{modelFaces, "score", &s.Seen}, {modelFaces, "printed", &s.Printed}, {modelFaces, "sure", &s.Sure}, {modelLandmarks, "confirmed", &s.Confirmed}} {
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

// scaleOf reads the calibration of the "embedder" network: its thresholds are named by their rates in per cent.
func scaleOf(m models.Model) (s face.Scale, err error) {
	for name, value := range map[string]*float64{"fmr_1": &s.Percent, "fmr_0.1": &s.PerMille, "fmr_0.01": &s.PerTenThousand} {
		t, ok := m.Threshold(name)
		if !ok {
			return s, fmt.Errorf("open face matcher: model %s has no threshold %s", m.Name, name)
		}
		*value = t
	}
	return s, nil
}

// comparing returns the parts that compare faces at the configured rate; they are nil where the binary carries no networks for
// them.
func (e *engine) comparing(c configs.Face) (appliance.Faces, error) {
	if e.faces.finder == nil {
		return appliance.Faces{}, nil
	}
	matcher, err := e.matcherAt(c)
	if err != nil {
		return appliance.Faces{}, err
	}
	f := appliance.Faces{Finder: e.faces.finder, Matcher: matcher, Documents: documentFinder{e.documents}}
	if f.PortraitCeiling, err = e.portraitCeiling(); err != nil {
		return appliance.Faces{}, err
	}
	judge, err := e.judge()
	if judge != nil {
		f.Judge = judge
	}
	return f, err
}

// portraitCeiling returns the similarity from which a picture is the document's own portrait. It is the threshold "portrait" of the
// "embedder" network, a cosine like the others; 0, which is no ceiling, where the set has none.
func (e *engine) portraitCeiling() (float64, error) {
	m, err := e.set.Model(modelEmbedder)
	if err != nil {
		return 0, err
	}
	cosine, ok := m.Threshold("portrait")
	if !ok {
		return 0, nil
	}
	scale, err := scaleOf(m)
	if err != nil {
		return 0, err
	}
	if cosine <= scale.PerTenThousand || cosine > 1 {
		return 0, fmt.Errorf("open face matcher: the threshold portrait of model %s is %g, not above fmr_0.01 (%g) and at most 1", m.Name, cosine, scale.PerTenThousand)
	}
	return scale.Similarity(cosine), nil
}

// documentFinder is a finder of documents as package appliance has it.
type documentFinder struct{ *outline.Finder }

// FindDocuments implements appliance.DocumentFinder.
func (f documentFinder) FindDocuments(ctx context.Context, p *appliance.Picture) ([]appliance.Outline, error) {
	found, err := f.Find(ctx, p)
	outlines := make([]appliance.Outline, len(found))
	for i, d := range found {
		outlines[i] = appliance.Outline{Kind: d.Kind, Quad: d.Quad}
	}
	return outlines, err
}

// judge returns the judge of liveness, nil where the binary carries no networks that tell attacks: without them nobody is called live.
func (e *engine) judge() (*face.Judge, error) {
	if !e.built(appliance.EndpointLiveness) {
		return nil, nil
	}
	attacks := e.faces.attacks
	m, err := e.set.Model(modelLiveness)
	if err != nil {
		return nil, err
	}
	var ok bool
	if attacks.Threshold, ok = m.Threshold("attack"); !ok {
		return nil, errors.New("open judge of liveness: the manifest has no threshold attack")
	}
	j, err := face.NewJudge(e.faces.finder, e.faces.matcher, attacks)
	if err != nil {
		return nil, fmt.Errorf("open judge of liveness: %w", err)
	}
	return j, nil
}

// withPortrait returns a reader that also takes the portraits of identity documents, where the networks for it are carried.
func (e *engine) withPortrait(r appliance.Reader) appliance.Reader {
	if e.faces.finder == nil {
		return r
	}
	return face.NewPortraitReader(r, e.faces.finder, e.faces.matcher)
}

// comparing returns the parts of an engine that compare faces, under the vigil.
func (d *daemon) comparing(e *engine) (appliance.Faces, error) {
	f, err := e.comparing(d.cfg.Face)
	if f.Finder != nil {
		f.Finder = watchedFinder{d.vigil, f.Finder}
	}
	if early, ok := f.Judge.(appliance.EarlyJudge); ok {
		f.Judge = watchedJudge{d.vigil, early}
	}
	return f, err
}

// watchedFinder is a finder of faces under a vigil.
type watchedFinder struct {
	vigil *vigil
	appliance.FaceFinder
}

// FindFaces implements appliance.FaceFinder.
func (w watchedFinder) FindFaces(ctx context.Context, p *appliance.Picture) ([]appliance.Face, error) {
	defer w.vigil.begin()()
	return w.FaceFinder.FindFaces(ctx, p)
}

// watchedJudge is a judge of liveness under a vigil.
type watchedJudge struct {
	vigil *vigil
	appliance.EarlyJudge
}

// Judge implements appliance.LivenessJudge.
func (w watchedJudge) Judge(ctx context.Context, frames []*appliance.Picture) (appliance.BurstFindings, error) {
	defer w.vigil.begin()()
	return w.EarlyJudge.Judge(ctx, frames)
}

// Begin implements appliance.EarlyJudge.
func (w watchedJudge) Begin() appliance.Judgement {
	return watchedJudgement{w.vigil, w.EarlyJudge.Begin()}
}

// watchedJudgement is a judgement under a vigil.
type watchedJudgement struct {
	vigil *vigil
	appliance.Judgement
}

// See implements appliance.Judgement.
func (w watchedJudgement) See(ctx context.Context, p *appliance.Picture) error {
	defer w.vigil.begin()()
	return w.Judgement.See(ctx, p)
}

// Conclude implements appliance.Judgement.
func (w watchedJudgement) Conclude(ctx context.Context) (appliance.BurstFindings, error) {
	defer w.vigil.begin()()
	return w.Judgement.Conclude(ctx)
}
