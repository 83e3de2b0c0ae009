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
	// Model is the SHA-256 of the network that made the embedding: what another version made is never compared.
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
	// Model is the SHA-256 of the network that makes the embeddings.
	Model() string
	// Similarity is how surely two embeddings are one person's, on a calibrated scale from 0 to 1.
	Similarity(a, b Embedding) float64
	// Threshold is the similarity from which two faces match; it was calibrated for the configured rate of false matches.
	Threshold() float64
}

// DocumentFinder outlines the documents that a picture shows.
type DocumentFinder interface {
	FindDocuments(ctx context.Context, p *Picture) ([]Outline, error)
}

// FaceMatch is the outcome of a comparison of one face with the portrait of a transaction.
type FaceMatch struct {
	IsMatched bool
	// Similarity and Threshold are on the scale of FaceMatcher.
	Similarity, Threshold float64
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
}

// Comparison names a request that compares faces with the identity document of a transaction, whose id it needs.
type Comparison struct {
	RequestID           string
	TransactionID       string
	ClientTransactionID *string
}

// MatchFace compares the one face of a picture with the newest usable portrait of the transaction. When it returns without an
// error the outcome is on record; any request renews a living transaction.
func (a *Appliance) MatchFace(ctx context.Context, c Comparison, image []byte) (m FaceMatch, err error) {
	defer a.renewAfter(ctx, c.TransactionID, &err)
	a, leave := a.hold()
	defer leave()
	err = a.queue.Do(ctx, func(ctx context.Context) error {
		watch := a.stopwatch()
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
		portrait, err := t.portrait(a.faces.Matcher.Model())
		if err != nil {
			return err
		}
		m, err = a.faces.match(ctx, picture, portrait, watch)
		m.Stages = watch.stages
		return err
	})
	if err != nil {
		return FaceMatch{Stages: m.Stages}, err
	}
	err = a.remember(ctx, c, Record{Endpoint: EndpointFaceMatch, Match: &m})
	return m, err
}

// match compares the one face of a picture with a portrait.
func (f Faces) match(ctx context.Context, p *Picture, portrait *Portrait, watch *stopwatch) (FaceMatch, error) {
	found, err := f.Finder.FindFaces(ctx, p)
	watch.lap("find_face")
	if err != nil {
		return FaceMatch{}, fmt.Errorf("find face: %w", err)
	}
	switch {
	case len(found) == 0:
		return FaceMatch{}, Errorf(CodeNoFace, "no face was found in the picture: show one face from the front, upright and in good light")
	case len(found) > 1:
		return FaceMatch{}, Errorf(CodeManyFaces, "the picture shows more than one face: show one person alone")
	case len(found[0].Quality.Faults) > 0:
		return FaceMatch{Quality: found[0].Quality}, Errorf(CodeFaceUnclear, "the face is not clear enough: %s", found[0].Quality.Faults[0].advice())
	}
	if printed, err := f.printed(ctx, p, found[0]); err != nil || printed {
		watch.lap("find_document")
		if err != nil {
			return FaceMatch{}, fmt.Errorf("find document: %w", err)
		}
		return FaceMatch{}, Errorf(CodeFaceUnclear, "the face is that on a document: show the person's own face")
	}
	e, err := f.Matcher.Embed(ctx, p, found[0])
	watch.lap("embed")
	if err != nil {
		return FaceMatch{}, fmt.Errorf("embed face: %w", err)
	}
	m := FaceMatch{Similarity: f.Matcher.Similarity(e, portrait.Embedding), Threshold: f.Matcher.Threshold(), Quality: found[0].Quality}
	m.IsMatched = m.Similarity >= m.Threshold
	return m, nil
}

// portraitShare is the share of the shorter side of a picture above which a face is too large for a portrait on a document that
// the picture shows whole.
const portraitShare = 0.4

// printed tells whether a face lies on an identity document that the picture shows.
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

// holds tells whether a point lies within a convex quad whose corners run clockwise.
func (q Quad) holds(p Point) bool {
	for i, a := range q {
		b := q[(i+1)%4]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			return false
		}
	}
	return true
}

// identified returns a living transaction that holds an identity document.
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
	if t.IdentityDocument() == nil {
		return nil, Errorf(CodeNoIdentityDocument, "the transaction holds no document with a portrait: read a national ID front, a driving licence or a passport first")
	}
	return t, nil
}

// portrait returns the newest portrait of the transaction that the network of that SHA-256 made. Of several documents of one
// picture it is the first's that has one.
func (t *Transaction) portrait(model string) (*Portrait, error) {
	for _, d := range t.Documents() {
		if d.Kind.Identity() && d.Portrait != nil && d.Portrait.Model == model && len(d.Portrait.Embedding) > 0 {
			return d.Portrait, nil
		}
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
