package appliance

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Embedding is what the network of a FaceMatcher makes of a face: a direction of unit length. Two are near each other when they
// show one person; only those of one network can be compared. It is a biometric datum: it never leaves the appliance and
// stands in no log.
type Embedding []float32

// MarshalText writes the components as base64 of little-endian numbers, exactly and at a third of the length of decimals.
func (e Embedding) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 4*len(e))
	for _, v := range e {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText reads what MarshalText wrote.
func (e *Embedding) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || len(raw)%4 != 0 {
		return errors.New("read embedding: not base64 of whole numbers")
	}
	*e = make(Embedding, len(raw)/4)
	for i := range *e {
		(*e)[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return nil
}

// Portrait is the face of a document's holder as the document shows it. It is sealed in the record with its document.
type Portrait struct {
	Embedding Embedding
	// Model names the networks that made the embedding: what others made is never compared.
	Model string
	// Quality is how well the document shows the face, 0 to 1.
	Quality float64
}

// FaceFault is one way in which a picture shows a face too badly to compare it.
type FaceFault string

// The faults, in the order in which they are told: what to mend first comes first.
const (
	FaceTooSmall FaceFault = "too_small"
	FaceTurned   FaceFault = "turned"
	FaceCovered  FaceFault = "covered"
	FaceDark     FaceFault = "dark"
	FaceBright   FaceFault = "bright"
	FaceBlurred  FaceFault = "blurred"
)

// advice says what to change.
func (f FaceFault) advice() string {
	switch f {
	case FaceTooSmall:
		return "it is too small: come closer"
	case FaceTurned:
		return "it is turned away: look straight into the camera"
	case FaceCovered:
		return "it is covered: take off mask, sunglasses or hand"
	case FaceDark:
		return "it is too dark: put light on it"
	case FaceBright:
		return "it is too bright: take light off it"
	case FaceBlurred:
		return "it is blurred: hold still and let the camera focus"
	}
	return "take a sharper picture from the front"
}

// FaceQuality is how well a picture shows a face; what the figures mean to a matcher stands with the FaceFinder.
type FaceQuality struct {
	// EyeDistance is the distance between the eyes in pixels.
	EyeDistance float64
	// Yaw, Pitch and Roll are the pose in degrees, 0 when the face looks straight into an upright camera. Yaw is positive towards
	// the right of the picture, pitch upwards, roll clockwise.
	Yaw, Pitch, Roll float64
	// Sharpness, Light (the mean level of the face), Contrast and Covered (how much of the face something hides) run from 0 to 1.
	Sharpness, Light, Contrast, Covered float64
	// Score puts them together, 0 to 1.
	Score float64
	// Faults are why the face cannot be compared, in the order of the constants; none when it can be.
	Faults []FaceFault
}

// Face is one face of a picture. Places are in pixels of the picture.
type Face struct {
	// Quad outlines the face from chin to forehead, upright as the face is.
	Quad Quad
	// Landmarks are the eyes, the tip of the nose and the corners of the mouth, those on the left of the upright face first.
	Landmarks [5]Point
	// Score is the belief, 0 to 1, that this is a face.
	Score   float64
	Quality FaceQuality
}

// FaceFinder finds the faces of a picture, the largest first. A face that is small beside the largest one is left out: it is
// that of somebody in the background. The quality of each is measured.
type FaceFinder interface {
	FindFaces(ctx context.Context, p *Picture) ([]Face, error)
}

// FaceMatcher compares faces.
type FaceMatcher interface {
	// Embed makes the embedding of a face of the picture, whatever its quality.
	Embed(ctx context.Context, p *Picture, f Face) (Embedding, error)
	// Model names the networks that make the embeddings, as a SHA-256.
	Model() string
	// Similarity is how surely two embeddings are one person's, on a calibrated scale from 0 to 1.
	Similarity(a, b Embedding) float64
	// Threshold is the similarity from which two faces match; it was calibrated for the configured rate of false matches.
	Threshold() float64
}

// FaceAttempts is how many face checks a transaction may have where nobody says otherwise: enough for a person who holds the
// telephone badly, few for somebody who tries out masks, pictures or other people.
const FaceAttempts = 10

// DocumentFinder outlines the documents that a picture shows.
type DocumentFinder interface {
	FindDocuments(ctx context.Context, p *Picture) ([]Outline, error)
}

// FaceMatch is the outcome of a comparison of one face with the portrait of a transaction.
type FaceMatch struct {
	// IsMatched is true where the similarity reaches the threshold and no reason speaks against it.
	IsMatched bool
	// Reasons holds DocumentPortrait where the picture shows the document's own portrait.
	Reasons []Reason
	// Reference is the document that the face was compared with.
	Reference Reference
	// Similarity and Threshold are on the scale of FaceMatcher.
	Similarity, Threshold float64
	// Reviewed says that the picture is kept for a person to look at. Records do not keep it.
	Reviewed bool `json:"-"`
	// Quality is that of the live face. Records do not keep it: it only concerns the next picture.
	Quality FaceQuality `json:"-"`
	// Stages are the steps of the work in order. Records do not keep them.
	Stages []Stage `json:"-"`
}

// Faces are the parts that compare faces and judge liveness. Without finder and matcher face match is CodeNotBuilt, and
// without a judge liveness is.
type Faces struct {
	Finder  FaceFinder
	Matcher FaceMatcher
	Judge   LivenessJudge
	// Documents tells the face on a document from one before the camera; nil leaves that out.
	Documents DocumentFinder
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
func (a *Appliance) MatchFace(ctx context.Context, c Comparison, image []byte) (m FaceMatch, err error) {
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
			return Errorf(CodeNotBuilt, "this appliance cannot compare faces yet")
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
		return FaceMatch{Stages: m.Stages}, err
	}
	if err = a.remember(ctx, c, Record{Endpoint: EndpointFaceMatch, Match: &m}); err == nil {
		a.reviewMatch(ctx, c, &m, image)
	}
	return m, err
}

// one returns the only face of a picture, if it is clear enough to be compared.
func (f Faces) one(ctx context.Context, p *Picture, watch *stopwatch) (Face, error) {
	found, err := f.Finder.FindFaces(ctx, p)
	watch.lap("find_face")
	if err != nil {
		return Face{}, fmt.Errorf("find face: %w", err)
	}
	switch {
	case len(found) == 0:
		return Face{}, Errorf(CodeNoFace, "no face was found in the picture: show one face from the front, upright and in good light")
	case len(found) > 1:
		return Face{}, Errorf(CodeManyFaces, "the picture shows more than one face: show one person alone")
	case len(found[0].Quality.Faults) > 0:
		return Face{}, Errorf(CodeFaceUnclear, "the face is not clear enough: %s", Phrasef(found[0].Quality.Faults[0].advice()))
	}
	return found[0], nil
}

// match compares a face of a picture with a reference.
func (f Faces) match(ctx context.Context, p *Picture, face Face, ref *reference, watch *stopwatch) (FaceMatch, error) {
	if printed, err := f.printed(ctx, p, face); err != nil || printed {
		watch.lap("find_document")
		if err != nil {
			return FaceMatch{}, fmt.Errorf("find document: %w", err)
		}
		return FaceMatch{}, Errorf(CodeFaceUnclear, "the face is that on a document: show the person's own face")
	}
	e, err := f.Matcher.Embed(ctx, p, face)
	watch.lap("embed")
	if err != nil {
		return FaceMatch{}, fmt.Errorf("embed face: %w", err)
	}
	m := FaceMatch{Reference: ref.Reference, Threshold: f.Matcher.Threshold(), Quality: face.Quality}
	m.Similarity = f.Matcher.Similarity(e, ref.document.Portrait.Embedding)
	if f.printsPortrait(m.Similarity) {
		m.Reasons = []Reason{DocumentPortrait}
	}
	m.IsMatched = m.Similarity >= m.Threshold && len(m.Reasons) == 0
	return m, nil
}

// portraitShare is the share of the shorter side of a picture above which a face is too large for a portrait on a document that
// the picture shows whole.
const portraitShare = 0.4

// printed reports whether a face lies on an identity document that the picture shows.
func (f Faces) printed(ctx context.Context, p *Picture, face Face) (bool, error) {
	if f.Documents == nil || face.Quad[1].X-face.Quad[0].X > portraitShare*float64(min(p.Width, p.Height)) {
		return false, nil
	}
	found, err := f.Documents.FindDocuments(ctx, p)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(found, func(o Outline) bool { return o.Kind.Identity() && o.Quad.holds(face.Landmarks[2]) }), nil
}

// holds reports whether a point lies within a convex quad whose corners run clockwise.
func (q Quad) holds(p Point) bool {
	for i, a := range q {
		b := q[(i+1)%4]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			return false
		}
	}
	return true
}

// identified returns a living transaction that holds an identity document and may have a face check more. That it may is counted
// when the check is made; here it saves the work of one that would be refused.
func (a *Appliance) identified(ctx context.Context, id string) (*Transaction, error) {
	if a.transactions == nil {
		return nil, Errorf(CodeTransactionUnknown, "the transaction is not known: read an identity document first")
	}
	t, err := a.transaction(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := t.room(0, 1); err != nil {
		return nil, err
	}
	if t.firstIdentityDocument() == nil {
		return nil, Errorf(CodeNoIdentityDocument, "the transaction holds no document with a portrait: read a national ID front, a driving licence or a passport first")
	}
	if t.Attempts >= a.attempts {
		return nil, TooManyAttempts(a.attempts)
	}
	return t, nil
}

// compared returns the reference of a transaction. Where the networks were exchanged since, it is the newest document that was the
// reference and whose portrait the present network made: all of them are one holder's.
func (a *Appliance) compared(t *Transaction) (*reference, error) {
	refs := a.holders.references(t)
	for i := range slices.Backward(refs) {
		if refs[i].document.Portrait.Model == a.faces.Matcher.Model() {
			return &refs[i], nil
		}
	}
	if len(refs) > 0 {
		return nil, Errorf(CodeNoPortrait, "the networks of the appliance were exchanged since the identity document was read: read it again")
	}
	return nil, Errorf(CodeNoPortrait, "the identity document of the transaction shows no usable portrait: read it again from a sharp picture without glare")
}

// remember puts the outcome of a comparison on record.
func (a *Appliance) remember(ctx context.Context, c Comparison, r Record) error {
	r.RequestID, r.ClientTransactionID, r.At = c.RequestID, c.ClientTransactionID, a.now()
	return a.transactions.Append(ctx, c.TransactionID, r)
}

// renewAfter renews a living transaction after a request that failed.
func (a *Appliance) renewAfter(ctx context.Context, id string, err *error) {
	if *err != nil {
		a.renew(ctx, id)
	}
}
