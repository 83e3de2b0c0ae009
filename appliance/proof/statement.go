package proof

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
)

// StatementForm names the layout of a Statement; another layout gets another name.
const StatementForm = "bawab-liveness/1"

// Statement is what an appliance states about a liveness check that it made with its own camera. Its members stand in the order
// of their names, which together with the encoder makes their text the canonical one of RFC 8785.
type Statement struct {
	// Appliance is the Ed25519 public key of the appliance.
	Appliance []byte `json:"appliance"`
	// Challenge names the colours that the screen was told to show, one for each frame, with commas; null without a challenge.
	Challenge *string `json:"challenge"`
	// DocumentEmbedding is the SHA-256 of the portrait's embedding that the faces were compared with, null without one.
	DocumentEmbedding *string `json:"document_embedding"`
	Form              string  `json:"form"`
	// Frames are those that were judged; none when the camera saw none that could be.
	Frames []StatementFrame `json:"frames"`
	// GapsMS are the times between the frames in milliseconds.
	GapsMS []float64 `json:"gaps_ms"`
	// Models maps the networks of the appliance to the SHA-256 of their files.
	Models    map[string]string `json:"models"`
	RequestID string            `json:"request_id"`
	Result    StatementResult   `json:"result"`
	SignedAt  string            `json:"signed_at"`
	// Source is SourceCamera, or SourceRecording where a recording was played instead of a camera.
	Source string `json:"source"`
	// Thresholds are those that the result was drawn with.
	Thresholds    map[string]float64 `json:"thresholds"`
	TransactionID string             `json:"transaction_id"`
	Version       string             `json:"version"`
}

// StatementFrame is one frame of a Statement.
type StatementFrame struct {
	// KernelUS is the kernel's time of the frame on its monotonic clock in microseconds; Wall is the same moment on the wall
	// clock, as RFC 3339 in UTC.
	KernelUS int64 `json:"kernel_us"`
	// SHA256 is that of the frame's JPEG in hexadecimal digits.
	SHA256 string `json:"sha256"`
	Wall   string `json:"wall"`
}

// StatementResult is the outcome of the check, as the answer tells it.
type StatementResult struct {
	IsLive        bool               `json:"is_live"`
	IsMatched     bool               `json:"is_matched"`
	LivenessScore float64            `json:"liveness_score"`
	Reasons       []appliance.Reason `json:"reasons"`
	Similarity    float64            `json:"similarity"`
}

// StatementTime is how times of a Statement are written.
const StatementTime = "2006-01-02T15:04:05.000000Z"

// NewStatementFrame describes a frame; wall is its moment on the wall clock.
func NewStatementFrame(f *appliance.Frame, wall time.Time) StatementFrame {
	sum := sha256.Sum256(f.JPEG)
	return StatementFrame{KernelUS: f.Kernel.Microseconds(), SHA256: hex.EncodeToString(sum[:]), Wall: wall.UTC().Format(StatementTime)}
}

// EmbeddingHash is the SHA-256, in hexadecimal digits, of an embedding's components as little-endian numbers.
func EmbeddingHash(e appliance.Embedding) string {
	raw := make([]byte, 0, 4*len(e))
	for _, v := range e {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Canonical returns the one text of the statement: JSON by RFC 8785. It holds plain ASCII alone, of which no sign has two
// spellings.
func (s *Statement) Canonical() ([]byte, error) {
	full := *s // arrays and objects are written as such, also empty ones
	if full.Frames == nil {
		full.Frames = []StatementFrame{}
	}
	if full.GapsMS == nil {
		full.GapsMS = []float64{}
	}
	if full.Result.Reasons == nil {
		full.Result.Reasons = []appliance.Reason{}
	}
	if full.Models == nil {
		full.Models = map[string]string{}
	}
	if full.Thresholds == nil {
		full.Thresholds = map[string]float64{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(full); err != nil {
		return nil, fmt.Errorf("write statement: %w", err)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if bytes.IndexByte(text, '\\') >= 0 || bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7f }) {
		return nil, errors.New("write statement: a text in it is not plain ASCII")
	}
	return text, nil
}

// Proof is a signed Statement: its canonical text and the signature of that. In JSON both are base64.
type Proof struct {
	Statement []byte `json:"statement"`
	Signature []byte `json:"signature"`
}

// SignStatement signs a statement, in which it names the identity.
func SignStatement(id *Identity, s Statement) (Proof, error) {
	s.Form, s.Appliance = StatementForm, id.Public()
	text, err := s.Canonical()
	if err != nil {
		return Proof{}, err
	}
	return Proof{Statement: text, Signature: id.Sign(SignedLiveness, text)}, nil
}

// Open checks the proof and returns what it states. public is the key that the appliance is known to have; nil takes the one
// that the statement itself names, which proves only that nothing was changed since somebody signed it.
func (p Proof) Open(public ed25519.PublicKey) (*Statement, error) {
	dec := json.NewDecoder(bytes.NewReader(p.Statement))
	dec.DisallowUnknownFields()
	var s Statement
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("read statement: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("read statement: something follows it")
	}
	if s.Form != StatementForm {
		return nil, fmt.Errorf("read statement: its form is %q, not %s", s.Form, StatementForm)
	}
	if public != nil && !public.Equal(ed25519.PublicKey(s.Appliance)) {
		return nil, fmt.Errorf("the statement was made by another appliance: it names the key %s instead of %s",
			Fingerprint(s.Appliance), Fingerprint(public))
	}
	if !VerifySignature(s.Appliance, SignedLiveness, p.Statement, p.Signature) {
		return nil, errors.New("the signature is wrong: the statement was changed, or the appliance that it names did not make it")
	}
	text, err := s.Canonical()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(text, p.Statement) {
		return nil, errors.New("read statement: it is not in its canonical form")
	}
	return &s, s.consistent()
}

// consistent holds what a statement says about its frames against itself.
func (s *Statement) consistent() error {
	if n := len(s.Frames); n != 0 && n != appliance.BurstFrames || len(s.GapsMS) != max(0, n-1) {
		return fmt.Errorf("the statement has %d frames and %d gaps", n, len(s.GapsMS))
	}
	var gaps []time.Duration
	for i := 1; i < len(s.Frames); i++ {
		gaps = append(gaps, time.Duration(s.Frames[i].KernelUS-s.Frames[i-1].KernelUS)*time.Microsecond)
	}
	if !slices.Equal(appliance.Milliseconds(gaps), s.GapsMS) && len(gaps) > 0 {
		return errors.New("the gaps of the statement do not follow from its times")
	}
	if s.Result.IsLive && (len(s.Frames) == 0 || len(s.Result.Reasons) > 0 || slices.Max(gaps) > appliance.MaxGap || slices.Min(gaps) <= 0) {
		return errors.New("the statement says that a person is live, but not that the rules were kept")
	}
	return nil
}

// Fingerprint is a short name of a public key for people to compare: the first 8 bytes of its SHA-256 as 4 groups of
// hexadecimal digits.
func Fingerprint(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	text := hex.EncodeToString(sum[:8])
	return strings.Join([]string{text[:4], text[4:8], text[8:12], text[12:]}, "-")
}

// PublicPEM writes a public key as PEM, as openssl and most libraries read it.
func PublicPEM(public ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, fmt.Errorf("write public key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

// PublicText writes a public key in one line, as settings and the journal have it: base64 of its 32 bytes.
func PublicText(public ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(public) }

// ParsePublic reads what PublicPEM wrote.
func ParsePublic(text []byte) (ed25519.PublicKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PUBLIC KEY" {
		return nil, errors.New("read public key: it is not a PEM block PUBLIC KEY")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read public key: %w", err)
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("read public key: it is not an Ed25519 key")
	}
	return public, nil
}
