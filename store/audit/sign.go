package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance/proof"
)

// head says where the journal ends.
type head struct {
	Segment uint64 `json:"segment"`
	Seq     uint64 `json:"seq"`
	Hash    string `json:"hash"`
	// Running tells that a daemon has noted its start and not its stop.
	Running bool      `json:"running"`
	Damage  *damage   `json:"damage,omitempty"`
	At      time.Time `json:"at"`
}

// damage says what was wrong with the journal, and in which segment that was noted.
type damage struct {
	What    string `json:"what"`
	Segment uint64 `json:"segment"`
}

func (h head) position() position {
	d, _ := parseDigest(h.Hash) // a signed head has a sound hash
	return position{h.Seq, d}
}

// pruned says which segments were deleted: all up to Through, whose last entry was Seq with Hash.
type pruned struct {
	Through uint64    `json:"through"`
	Seq     uint64    `json:"seq"`
	Hash    string    `json:"hash"`
	At      time.Time `json:"at"`
}

func (p pruned) position() position {
	d, _ := parseDigest(p.Hash)
	return position{p.Seq, d}
}

// signedNote is what a signed file holds.
type signedNote struct {
	Note      json.RawMessage `json:"note"`
	Signature string          `json:"signature"`
}

// What a signature of the journal is about; it is signed with the message.
const (
	aboutHead   = "head"
	aboutPruned = "pruned"
	aboutSeal   = "seal"
)

func message(about string, text []byte) []byte { return append([]byte(about+"\n"), text...) }

// signNote writes and signs a note.
func signNote(id *proof.Identity, about string, note any) ([]byte, error) {
	text, err := json.Marshal(note)
	if err != nil {
		return nil, fmt.Errorf("sign %s: %w", about, err)
	}
	signature := id.Sign(proof.SignedJournal, message(about, text))
	return json.Marshal(signedNote{text, base64.StdEncoding.EncodeToString(signature)})
}

// openNote reads a signed note of one of the keys.
func openNote(keys []ed25519.PublicKey, about string, b []byte, note any) error {
	var s signedNote
	if err := json.Unmarshal(bytes.TrimSpace(b), &s); err != nil {
		return fmt.Errorf("read %s: %w", about, err)
	}
	if !signedBy(keys, about, s.Note, s.Signature) {
		return fmt.Errorf("read %s: it is not signed by this appliance", about)
	}
	if err := json.Unmarshal(s.Note, note); err != nil {
		return fmt.Errorf("read %s: %w", about, err)
	}
	return nil
}

func signedBy(keys []ed25519.PublicKey, about string, text []byte, signature string) bool {
	raw, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return false
	}
	for _, k := range keys {
		if proof.VerifySignature(k, proof.SignedJournal, message(about, text), raw) {
			return true
		}
	}
	return false
}

// sealText is what the seal of a segment signs: its number, the first entry and the last one before the seal.
func sealText(segment, first uint64, last position) []byte {
	return fmt.Appendf(nil, "segment %d from %d to %d ends with %s", segment, first, last.Seq, last.Hash)
}

// seal is the entry that ends a segment.
func seal(id *proof.Identity, at time.Time, segment, first uint64, last position) Record {
	signature := id.Sign(proof.SignedJournal, message(aboutSeal, sealText(segment, first, last)))
	return Record{At: at, Kind: entrySealed, Subject: strconv.FormatUint(segment, 10), Detail: map[string]string{
		"first": strconv.FormatUint(first, 10), "last": strconv.FormatUint(last.Seq, 10),
		"signature": base64.StdEncoding.EncodeToString(signature),
	}}
}

// sealed reports whether the seal was made by one of the keys for this segment.
func (r Record) sealed(keys []ed25519.PublicKey, segment, first uint64, last position) bool {
	return signedBy(keys, aboutSeal, sealText(segment, first, last), r.Detail["signature"])
}

// Pseudonym is what the journal holds in place of the id of a transaction. Ed25519 signatures are always the same for the
// same message, so the one over a fixed text serves as a secret that comes and goes with the identity.
func Pseudonym(id *proof.Identity, transaction string) string {
	key := sha256.Sum256(id.Sign(proof.SignedJournal, []byte("pseudonyms of transactions\n")))
	h := hmac.New(sha256.New, key[:])
	h.Write([]byte(transaction))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
