package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/card"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/kind"
	"github.com/bawab/bawab/models"
)

// kindsOf makes the readers of the kinds that a set brings.
func kindsOf(set *models.Set, t card.Tools) (readers []*kind.Reader, err error) {
	described, err := documents.LoadKinds(set.Kinds())
	if err != nil || len(described) == 0 {
		return nil, err
	}
	c, err := models.OpenCalibration()
	if err != nil {
		return nil, fmt.Errorf("open the document engine: %w", err)
	}
	tools := kind.Tools{
		Finder: t.Finder, Detector: t.Detector, Words: t.Words, Digits: t.Digits, Weights: c.Values(), Capture: card.CaptureOf, Now: t.Now,
	}
	slices.SortFunc(described, func(a, b *form.Description) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, d := range described {
		readers = append(readers, kind.New(d, tools))
	}
	return readers, nil
}

// Kinds lists the kinds that the set brings, by their names.
func (e *Engine) Kinds() (models []appliance.KindModel) {
	for _, k := range e.kinds {
		models = append(models, k.Model())
	}
	return models
}
