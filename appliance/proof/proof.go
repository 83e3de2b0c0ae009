// Package proof holds what an appliance signs so that others can check it without the appliance: the identity that it signs with, and the
// proof of a liveness check with its own camera, which can be checked on any machine.
package proof

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// Checked is a proof that holds.
type Checked struct {
	Statement *Statement
	Known     bool     // the key that signed was named by who checks
	Frames    []string // names of the files that are the frames which were judged; nil where none were compared
}

// Check checks an answer of /v1/camera/liveness, or its member "proof" alone. Of a whole answer the members beside the proof are held
// against it. public is the key of the appliance; nil takes whoever signed. The pictures in folder are compared with those that were
// judged; "" compares none.
func Check(text []byte, public ed25519.PublicKey, folder string) (Checked, error) {
	proof, data, err := parse(text)
	if err != nil {
		return Checked{}, refuted(err)
	}
	s, err := proof.Open(public)
	if err == nil && data != nil {
		err = data.agrees(s)
	}
	if err == nil && s.Source != appliance.SourceCamera {
		err = errors.New("the frames came from a recording that was played instead of a camera")
	}
	if err != nil {
		return Checked{}, refuted(err)
	}
	c := Checked{Statement: s, Known: public != nil}
	if folder == "" {
		return c, nil
	}
	if c.Frames, err = findFrames(s, folder); err != nil {
		return Checked{}, refuted(err)
	}
	return c, nil
}

// refuted is the error of a proof that does not hold.
func refuted(err error) error {
	return &appliance.Error{
		Op:   "verify proof",
		Msg:  "the proof does not hold",
		Hint: "do not rely on this answer; ask the appliance for a new check",
		Err:  err,
	}
}

// proofText is a proof as it travels.
type proofText struct {
	Statement string `json:"statement"`
	Signature string `json:"signature"`
}

// statedData are the members of an answer that its proof must confirm.
type statedData struct {
	Proof         proofText          `json:"proof"`
	IsLive        bool               `json:"isLive"`
	IsMatched     bool               `json:"isMatched"`
	Reasons       []appliance.Reason `json:"reasons"`
	Similarity    float64            `json:"similarity"`
	LivenessScore float64            `json:"liveness_score"`
	GapsMS        []float64          `json:"gaps_ms"`
	TransactionID string             `json:"transaction_id"`
	RequestID     string             `json:"request_id"`
	Frames        []string           `json:"frames"`
}

// parse finds the proof in an answer or alone; data is nil for one alone.
func parse(text []byte) (Proof, *statedData, error) {
	var answer struct {
		Data *statedData `json:"data"`
		proofText
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&answer); err != nil {
		return Proof{}, nil, fmt.Errorf("the file is no answer of the appliance: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Proof{}, nil, errors.New("something follows the answer in the file")
	}
	travelled := answer.proofText
	if answer.Data != nil {
		travelled = answer.Data.Proof
	}
	if travelled.Statement == "" || travelled.Signature == "" {
		return Proof{}, nil, errors.New("the file holds no proof: it is no answer of a liveness check with the appliance's own camera")
	}
	var p Proof
	var err error
	if p.Statement, err = base64.StdEncoding.Strict().DecodeString(travelled.Statement); err == nil {
		p.Signature, err = base64.StdEncoding.Strict().DecodeString(travelled.Signature)
	}
	if err != nil {
		return Proof{}, nil, fmt.Errorf("the proof is not base64: %w", err)
	}
	return p, answer.Data, nil
}

// agrees compares an answer with what is signed.
func (d *statedData) agrees(s *Statement) error {
	r := s.Result
	same := d.IsLive == r.IsLive && d.IsMatched == r.IsMatched && slices.Equal(d.Reasons, r.Reasons) && shownAs(d.Similarity, r.Similarity) &&
		shownAs(
			d.LivenessScore,
			r.LivenessScore,
		) && slices.EqualFunc(d.GapsMS, s.GapsMS, shownAs) && d.TransactionID == s.TransactionID && d.RequestID == s.RequestID
	for i, text := range d.Frames {
		raw, err := base64.StdEncoding.Strict().DecodeString(text)
		same = same && err == nil && i < len(s.Frames) && digest(raw) == s.Frames[i].SHA256
	}
	if !same || d.Frames != nil && len(d.Frames) != len(s.Frames) {
		return errors.New("the answer says something else than the appliance signed")
	}
	return nil
}

// shownAs reports whether an answer, which shows numbers with at most four decimals, shows a signed one so.
func shownAs(shown, signed float64) bool { return shown == math.Round(signed*1e4)/1e4 }

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// findFrames returns the names of the files that are the frames of the statement, in their order.
func findFrames(s *Statement, folder string) ([]string, error) {
	names := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		names[digest(raw)] = filepath.Base(path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read frames: %w", err)
	}
	var found []string
	for i, f := range s.Frames {
		name, ok := names[f.SHA256]
		if !ok {
			return nil, fmt.Errorf("no picture in %s is frame %d that was judged", folder, i+1)
		}
		found = append(found, name)
	}
	return found, nil
}

// Print says in plain words what is proven and what is not.
func (c Checked) Print(w io.Writer) error {
	s, known, frames := c.Statement, c.Known, c.Frames
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	verdict := "a living person stood before the camera"
	if !s.Result.IsLive {
		var reasons []string
		for _, r := range s.Result.Reasons {
			reasons = append(reasons, string(r))
		}
		verdict = "NOT taken for a living person: " + strings.Join(reasons, ", ")
	}
	match := "the faces match the document's portrait"
	if !s.Result.IsMatched {
		match = "the faces do NOT match the document's portrait"
	}
	say("The signature is right. The appliance %s states:", Fingerprint(s.Appliance))
	say("  %s", verdict)
	say("  %s (similarity %.3f, needed %.3f)", match, s.Result.Similarity, s.Thresholds["match"])
	say("  transaction %s, request %s, signed %s by version %s", s.TransactionID, s.RequestID, s.SignedAt, s.Version)
	for i, f := range s.Frames {
		gap := ""
		if i > 0 {
			gap = fmt.Sprintf(", %.1f ms after the one before", s.GapsMS[i-1])
		}
		say("  frame %d at %s%s, SHA-256 %s...", i+1, f.Wall, gap, f.SHA256[:12])
	}
	if s.Challenge != nil {
		say("  the screen was told to show %s, one colour for each frame", strings.ReplaceAll(*s.Challenge, ",", ", "))
	}
	say("\nProven:")
	if known {
		say("  - the appliance with the given key made this statement, and not a letter of it was changed since")
	} else {
		say("  - not a letter was changed since the holder of the key %s signed it", Fingerprint(s.Appliance))
	}
	if len(s.Frames) > 0 {
		say("  - by the kernel's clock of that appliance the frames were taken at most %.1f ms apart", slices.Max(s.GapsMS))
	}
	if len(frames) > 0 {
		say("  - the frames that were judged are %s", strings.Join(frames, ", "))
	}
	say("Not proven:")
	if !known {
		say("  - whose key that is: compare its fingerprint with `bawab keys identity` on the appliance, or use --public")
	}
	if len(frames) == 0 && len(s.Frames) > 0 {
		say("  - what the frames show: --frames compares pictures with them")
	}
	say("  - that the wall clock of the appliance was right")
	say("  - that nobody had opened the appliance, put another camera in its place or copied its key")
	say("  - that the decision is free of error: it rests on networks with known error rates")
	_, err := io.WriteString(w, b.String())
	return err
}
