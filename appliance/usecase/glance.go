package usecase

import (
	"context"

	"github.com/bawab/bawab/appliance"
)

// Glance looks at a picture as the preview looks at a frame of the appliance's own camera, for a page that shows another one: what the
// person should change, and where the document lies. Nothing is read, compared or kept. A picture that cannot be decoded is an error.
func (a *Appliance) Glance(ctx context.Context, image []byte, s Subject) (seen appliance.Sight, err error) {
	a, leave := a.hold()
	defer leave()
	judge := a.held.networks.FaceGuide
	if s == SubjectDocument {
		judge = a.held.networks.DocumentGuide
	}
	err = a.queue.Do(ctx, a.inTime(func(ctx context.Context) error {
		p, err := a.decoder.Decode(ctx, image)
		if err != nil {
			return err
		}
		seen, err = sightOf(ctx, judge, p)
		return err
	}))
	return seen, err
}
