package reading

import (
	"context"
	"iter"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/scene"
)

// FindAbout looks for the document whose text lines are, beside those that are known.
func (r *Reader) FindAbout(
	ctx context.Context, p *appliance.Picture, print block.Lines, known []appliance.Quad,
) (f outline.Found, ok bool, err error) {
	f, ok, err = r.Finder.FindAt(ctx, p, print.Places(), known)
	return f, ok && print.HeldBy(f.Quad) >= block.Mostly, err
}

// findByPrint yields the documents that the text of a scene shows.
func (r *Reader) findByPrint(ctx context.Context, s *scene.Scene) iter.Seq2[outline.Found, error] {
	return func(yield func(outline.Found, error) bool) {
		m, err := r.Detector.Detect(ctx, s.Luma)
		if err != nil {
			yield(outline.Found{}, err)
			return
		}
		for _, print := range block.Groups(m.Lines(), nil) {
			if f, ok, err := r.FindAbout(ctx, s.Picture, print, nil); (err != nil || ok) && !yield(f, err) {
				return
			}
		}
	}
}
