package scene

import (
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
)

// finder finds the documents of a picture, largest first; outline.Finder is the one there is.
type finder interface {
	Find(ctx context.Context, p *appliance.Picture) ([]outline.Found, error)
}

// Guide judges single frames of a camera by where the finder sees a document and how well it can be seen there, without
// reading it. It is safe for concurrent use and implements appliance.FrameJudge.
type Guide struct{ finder finder }

// NewGuide makes a guide over a finder, which stays the caller's.
func NewGuide(f finder) *Guide { return &Guide{finder: f} }

// JudgeFrame implements appliance.FrameJudge.
func (g *Guide) JudgeFrame(ctx context.Context, p *appliance.Picture) (appliance.Guidance, error) {
	seen, err := g.PlaceFrame(ctx, p)
	return seen.Guidance, err
}

// PlaceFrame implements appliance.FramePlacer.
func (g *Guide) PlaceFrame(ctx context.Context, p *appliance.Picture) (appliance.Sight, error) {
	found, err := g.finder.Find(ctx, p)
	if err != nil {
		return appliance.Sight{}, fmt.Errorf("guide document: %w", err)
	}
	i := slices.IndexFunc(found, func(f outline.Found) bool { return f.Kind != appliance.Unknown })
	if i < 0 {
		return appliance.Sight{Guidance: appliance.GuideNoDocument}, nil
	}
	card := Card{Found: found[i]}
	if _, ok := LayFlat(card); !ok {
		return appliance.Sight{Guidance: appliance.GuideNoDocument}, nil
	}
	return appliance.Sight{Guidance: Capture(p, card).Guidance(), Kind: card.Kind, Quad: card.Quad}, nil
}
