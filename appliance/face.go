package appliance

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
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

// Reference names the identity document whose portrait a face was compared with, by its kind and the request that read it.
type Reference struct {
	Kind      Kind
	RequestID string
}
