package reading

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/scene"
)

// facing is a way in which a document may lie, and how well its print can be read then, from 0 to 1.
type facing struct {
	appliance.Quad
	mirrored bool
	legible  float64
}

// Face looks whether the documents of a scene lie in a mirror that the finder holds for mirror images: arrangements that it does not know
// look like these, too. Their print tells, as they lie, upside down or crosswise. A camera mirrors all or nothing: where the first that can
// be read lies in no mirror, none does.
func (r *Reader) Face(ctx context.Context, s *scene.Scene) error {
	defer s.Lap("read")
	for i := range s.Found {
		if !s.Found[i].Mirrored {
			continue
		}
		best, err := r.facing(ctx, s, i)
		if err != nil || best.mirrored {
			return err
		}
		if best.legible > 0 {
			unmirror(s.Found)
			s.Found[i].Quad = best.Quad
			return nil
		}
	}
	return nil
}

// unmirror takes back that documents lie in a mirror.
func unmirror(found []outline.Found) {
	for i := range found {
		if found[i].Mirrored {
			found[i] = found[i].Unmirrored()
		}
	}
}

// facing is how the i-th document of a scene lies by its print: the first way in which that can be read well, or the best of all.
func (r *Reader) facing(ctx context.Context, s *scene.Scene, i int) (best facing, err error) {
	c := s.Card(i)
	for _, q := range []appliance.Quad{c.Quad, {c.Quad[1], c.Quad[2], c.Quad[3], c.Quad[0]}} {
		view, ok := scene.LayFlat(scene.Card{Found: outline.Found{Quad: q}, Covers: c.Covers})
		if !ok {
			continue
		}
		view, lines, err := r.view.Lines(ctx, s, view)
		if err != nil {
			return best, err
		}
		for _, pose := range scene.Poses() {
			if len(lines) == 0 || pose.Mirrored && scene.Crowded(lines) || best.legible > wellRead {
				break
			}
			legible, err := r.legible(ctx, s.Page(view.ToPicture.Mul(pose.View()), pose.Lines(lines), r.Words, r.Digits, &r.Calibration.Page))
			if err != nil {
				return best, err
			}
			if legible > best.legible {
				best = facing{pose.Quad(q), pose.Mirrored, legible}
			}
		}
	}
	return best, nil
}

// legible says from 0 to 1 how well the print of a card can be read, whatever its kind.
func (r *Reader) legible(ctx context.Context, page *laid.Page) (most float64, err error) {
	all, err := r.surveyed(ctx, page, nil, appliance.Unknown)
	for _, of := range all {
		most = max(most, of.Legible)
	}
	return most, err
}
