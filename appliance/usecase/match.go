package usecase

import (
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/holder"
)

// advice says what to change.
func advice(f appliance.FaceFault) string {
	switch f {
	case appliance.FaceTooSmall:
		return "it is too small: come closer"
	case appliance.FaceTurned:
		return "it is turned away: look straight into the camera"
	case appliance.FaceCovered:
		return "it is covered: take off mask, sunglasses or hand"
	case appliance.FaceDark:
		return "it is too dark: put light on it"
	case appliance.FaceBright:
		return "it is too bright: take light off it"
	case appliance.FaceBlurred:
		return "it is blurred: hold still and let the camera focus"
	}
	return "take a sharper picture from the front"
}

// Faces are the parts that compare faces and judge liveness. Without finder and matcher face match is CodeNotBuilt, and
// without a judge liveness is.
type Faces struct {
	Finder  appliance.FaceFinder
	Matcher appliance.FaceMatcher
	Judge   appliance.LivenessJudge
	// Documents tells the face on a document from one before the camera; nil leaves that out.
	Documents appliance.DocumentFinder
	// PortraitCeiling is the similarity from which a picture is taken for the document's own portrait: two photographs of one
	// person, years apart and by different cameras, are never that alike. 0 is none.
	PortraitCeiling float64
}

// printsPortrait says whether a similarity is that of the document's own portrait.
func (f Faces) printsPortrait(similarity float64) bool {
	return f.PortraitCeiling > 0 && similarity >= f.PortraitCeiling
}

// Comparison names a request that compares faces with the identity document of a transaction, whose id it needs.
type Comparison struct {
	RequestID           string
	TransactionID       string
	ClientTransactionID *string
}

// MatchFace compares the one face of a picture with the portrait of the transaction's reference. When it returns without an error
// the outcome is on record; any request renews a living transaction.
//
// It counts as one of the transaction's face checks from the moment in which the picture shows one face clearly: what is answered
// then tells an attacker something. A broken picture, and one with no face, several or an unclear one, cost nothing: they are the
// mistakes of people who hold a camera, and their answers say nothing about the holder.
func (a *Appliance) MatchFace(ctx context.Context, c Comparison, image []byte) (m appliance.FaceMatch, err error) {
	defer a.renewAfter(ctx, c.TransactionID, &err)
	a, leave := a.hold()
	defer leave()
	err = a.queue.Do(ctx, func(ctx context.Context) error {
		watch := a.stopwatch()
		defer func() { m.Stages = watch.stages }()
		picture, err := a.decoder.Decode(ctx, image)
		if err != nil {
			return err
		}
		watch.lap("decode")
		t, err := a.identified(ctx, c.TransactionID)
		if err != nil {
			return err
		}
		if a.faces.Finder == nil || a.faces.Matcher == nil {
			return appliance.Errorf(appliance.CodeNotBuilt, "this appliance cannot compare faces yet")
		}
		ref, err := a.compared(t)
		if err != nil {
			return err
		}
		face, err := a.faces.one(ctx, picture, watch)
		if err != nil {
			return err
		}
		if err := a.transactions.Attempt(ctx, c.TransactionID, a.attempts); err != nil {
			return err
		}
		watch.lap("count")
		m, err = a.faces.match(ctx, picture, face, ref, watch)
		return err
	})
	if err != nil {
		return appliance.FaceMatch{Stages: m.Stages}, err
	}
	if err = a.remember(ctx, c, appliance.Record{Endpoint: appliance.EndpointFaceMatch, Match: &m}); err == nil {
		a.reviewMatch(ctx, c, &m, image)
	}
	return m, err
}

// one returns the only face of a picture, if it is clear enough to be compared.
func (f Faces) one(ctx context.Context, p *appliance.Picture, watch *stopwatch) (appliance.Face, error) {
	found, err := f.Finder.FindFaces(ctx, p)
	watch.lap("find_face")
	if err != nil {
		return appliance.Face{}, fmt.Errorf("find face: %w", err)
	}
	switch {
	case len(found) == 0:
		return appliance.Face{}, appliance.Errorf(appliance.CodeNoFace,
			"no face was found in the picture: show one face from the front, upright and in good light")
	case len(found) > 1:
		return appliance.Face{}, appliance.Errorf(appliance.CodeManyFaces, "the picture shows more than one face: show one person alone")
	case len(found[0].Quality.Faults) > 0:
		return appliance.Face{}, appliance.Errorf(appliance.CodeFaceUnclear,
			"the face is not clear enough: %s", appliance.Phrasef(advice(found[0].Quality.Faults[0])))
	}
	return found[0], nil
}

// match compares a face of a picture with a reference.
func (f Faces) match(
	ctx context.Context, p *appliance.Picture, face appliance.Face, ref *holder.Reference, watch *stopwatch,
) (appliance.FaceMatch, error) {
	if printed, err := f.printed(ctx, p, face); err != nil || printed {
		watch.lap("find_document")
		if err != nil {
			return appliance.FaceMatch{}, fmt.Errorf("find document: %w", err)
		}
		return appliance.FaceMatch{}, appliance.Errorf(appliance.CodeFaceUnclear, "the face is that on a document: show the person's own face")
	}
	e, err := f.Matcher.Embed(ctx, p, face)
	watch.lap("embed")
	if err != nil {
		return appliance.FaceMatch{}, fmt.Errorf("embed face: %w", err)
	}
	m := appliance.FaceMatch{Reference: ref.Reference, Threshold: f.Matcher.Threshold(), Quality: face.Quality}
	m.Similarity = f.Matcher.Similarity(e, ref.Document.Portrait.Embedding)
	if f.printsPortrait(m.Similarity) {
		m.Reasons = []appliance.Reason{appliance.DocumentPortrait}
	}
	m.IsMatched = m.Similarity >= m.Threshold && len(m.Reasons) == 0
	return m, nil
}

// portraitShare is the share of the shorter side of a picture above which a face is too large for a portrait on a document that
// the picture shows whole.
const portraitShare = 0.4

// printed reports whether a face lies on an identity document that the picture shows.
func (f Faces) printed(ctx context.Context, p *appliance.Picture, face appliance.Face) (bool, error) {
	if f.Documents == nil || face.Quad[1].X-face.Quad[0].X > portraitShare*float64(min(p.Width, p.Height)) {
		return false, nil
	}
	found, err := f.Documents.FindDocuments(ctx, p)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(found, func(o appliance.Outline) bool { return o.Kind.Identity() && o.Quad.Contains(face.Landmarks[2]) }), nil
}

// identified returns a living transaction that holds an identity document and may have a face check more. That it may is counted
// when the check is made; here it saves the work of one that would be refused.
func (a *Appliance) identified(ctx context.Context, id string) (*appliance.Transaction, error) {
	if a.transactions == nil {
		return nil, appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is not known: read an identity document first")
	}
	t, err := a.transaction(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := t.Room(0, 1); err != nil {
		return nil, err
	}
	if t.FirstIdentityDocument() == nil {
		return nil, appliance.Errorf(appliance.CodeNoIdentityDocument,
			"the transaction holds no document with a portrait: read a national ID front, a driving licence or a passport first")
	}
	if t.Attempts >= a.attempts {
		return nil, appliance.TooManyAttempts(a.attempts)
	}
	return t, nil
}

// compared returns the reference of a transaction. Where the networks were exchanged since, it is the newest document that was the
// reference and whose portrait the present network made: all of them are one holder's.
func (a *Appliance) compared(t *appliance.Transaction) (*holder.Reference, error) {
	refs := a.holders.References(t)
	for i := range slices.Backward(refs) {
		if refs[i].Document.Portrait.Model == a.faces.Matcher.Model() {
			return &refs[i], nil
		}
	}
	if len(refs) > 0 {
		return nil, appliance.Errorf(appliance.CodeNoPortrait,
			"the networks of the appliance were exchanged since the identity document was read: read it again")
	}
	return nil, appliance.Errorf(appliance.CodeNoPortrait,
		"the identity document of the transaction shows no usable portrait: read it again from a sharp picture without glare")
}

// remember puts the outcome of a comparison on record.
func (a *Appliance) remember(ctx context.Context, c Comparison, r appliance.Record) error {
	r.RequestID, r.ClientTransactionID, r.At = c.RequestID, c.ClientTransactionID, a.now()
	return a.transactions.Append(ctx, c.TransactionID, r)
}

// renewAfter renews a living transaction after a request that failed.
func (a *Appliance) renewAfter(ctx context.Context, id string, err *error) {
	if *err != nil {
		a.renew(ctx, id)
	}
}
