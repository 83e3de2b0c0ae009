package proof

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

func testIdentity(t testing.TB, fill byte) *Identity {
	t.Helper()
	id, err := NewIdentity(bytes.Repeat([]byte{fill}, ed25519.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// testStatement states a check that was passed.
func testStatement() Statement {
	hash, noon := strings.Repeat("ab", 32), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := Statement{
		DocumentEmbedding: &hash, GapsMS: []float64{200, 200.001}, Models: map[string]string{"faces": hash, "embedder": hash},
		RequestID: "0c3d1f2a-0000-4000-8000-000000000001", TransactionID: "0c3d1f2a-0000-4000-8000-000000000002",
		Result:   StatementResult{IsLive: true, IsMatched: true, LivenessScore: 0.97, Similarity: 1e-7},
		SignedAt: noon.Format(StatementTime), Thresholds: map[string]float64{"match": 0.41, "live": 0.5}, Version: "1.2.3",
	}
	for i, us := range []int64{5_000_000, 5_200_000, 5_400_001} {
		f := &appliance.Frame{JPEG: []byte{byte(i)}, Kernel: time.Duration(us) * time.Microsecond}
		s.Frames = append(s.Frames, NewStatementFrame(f, noon.Add(f.Kernel)))
	}
	return s
}

// What an appliance signs opens with its key, with the one it names, and with no other.
func TestStatement(t *testing.T) {
	id := testIdentity(t, 1)
	p, err := SignStatement(id, testStatement())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []ed25519.PublicKey{nil, id.Public()} {
		s, err := p.Open(key)
		if err != nil || !s.Result.IsLive || s.Frames[2].KernelUS != 5_400_001 {
			t.Errorf("key %x: %v, %v", key, s, err)
		}
	}
	if _, err := p.Open(testIdentity(t, 2).Public()); err == nil || !strings.Contains(err.Error(), "another appliance") {
		t.Errorf("a stranger's key: %v", err)
	}
}

// A proof of which any one byte was changed does not open.
func FuzzStatement(f *testing.F) {
	p, err := SignStatement(testIdentity(f, 1), testStatement())
	if err != nil {
		f.Fatal(err)
	}
	size := len(p.Statement) + len(p.Signature)
	unnoticed := func(at int, flip byte) bool {
		all := append(bytes.Clone(p.Statement), p.Signature...)
		all[at] ^= flip
		_, err := Proof{Statement: all[:len(p.Statement)], Signature: all[len(p.Statement):]}.Open(nil)
		return err == nil
	}
	for at := range size {
		if unnoticed(at, 1) || unnoticed(at, 0x20) {
			f.Errorf("byte %d was flipped unnoticed", at)
		}
	}
	f.Add(size/2, byte(0x80))
	f.Fuzz(func(t *testing.T, at int, flip byte) {
		if at < 0 || at >= size || flip == 0 {
			t.Skip()
		}
		if unnoticed(at, flip) {
			t.Errorf("byte %d was flipped by %#x unnoticed", at, flip)
		}
	})
}

// A statement that contradicts itself, or is not in its one form, is refused although its signature is right.
func TestStatementInconsistent(t *testing.T) {
	id := testIdentity(t, 1)
	change := func(f func(*Statement)) []byte {
		s := testStatement()
		s.Form, s.Appliance = StatementForm, id.Public()
		f(&s)
		text, err := s.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	sound := change(func(*Statement) {})
	var indented bytes.Buffer
	if err := json.Indent(&indented, sound, "", " "); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"another form":          change(func(s *Statement) { s.Form = "bawab-liveness/2" }),
		"gaps of other times":   change(func(s *Statement) { s.GapsMS[0] = 199 }),
		"live without frames":   change(func(s *Statement) { s.Frames, s.GapsMS = nil, nil }),
		"two frames":            change(func(s *Statement) { s.Frames, s.GapsMS = s.Frames[:2], s.GapsMS[:1] }),
		"live with a reason":    change(func(s *Statement) { s.Result.Reasons = []appliance.Reason{appliance.LowQuality} }),
		"live with a wide gap":  change(func(s *Statement) { s.Frames[0].KernelUS, s.GapsMS[0] = 4_699_999, 500.001 }),
		"live in reverse order": change(func(s *Statement) { s.Frames[0].KernelUS, s.GapsMS[0] = 5_300_000, -100 }),
		"indented":              indented.Bytes(),
		"a further member":      append(sound[:len(sound)-1:len(sound)-1], `,"zoo":1}`...),
		"something behind":      append(bytes.Clone(sound), ' ', '1'),
	} {
		if _, err := (Proof{Statement: text, Signature: id.Sign(SignedLiveness, text)}).Open(nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := (Proof{Statement: sound, Signature: id.Sign(SignedJournal, sound)}).Open(nil); err == nil {
		t.Error("a signature for another purpose was accepted")
	}
}

// A check that failed is stated, too, with or without frames.
func TestStatementNotLive(t *testing.T) {
	s := testStatement()
	s.Frames, s.GapsMS, s.DocumentEmbedding = nil, nil, nil
	s.Result = StatementResult{Reasons: []appliance.Reason{appliance.NoFaceInFrame}}
	p, err := SignStatement(testIdentity(t, 1), s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Open(nil)
	if err != nil || got.Result.IsLive || len(got.Result.Reasons) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Texts that could be spelled in two ways are refused, not signed.
func TestStatementPlain(t *testing.T) {
	for _, version := range []string{"é", "a\"b", "\u2028", "a\nb"} {
		s := testStatement()
		s.Version = version
		if _, err := SignStatement(testIdentity(t, 1), s); err == nil {
			t.Errorf("%q was signed", version)
		}
	}
}

// A public key survives its PEM text, and its fingerprint is the same everywhere.
func TestPublicPEM(t *testing.T) {
	public := testIdentity(t, 1).Public()
	text, err := PublicPEM(public)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParsePublic(text)
	if err != nil || !back.Equal(public) {
		t.Errorf("%x, %v", back, err)
	}
	if got := Fingerprint(public); got != Fingerprint(back) || len(got) != 19 {
		t.Errorf("fingerprint %q", got)
	}
	for _, bad := range []string{"", "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n", "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----\n"} {
		if _, err := ParsePublic([]byte(bad)); err == nil {
			t.Errorf("%q is a key", bad)
		}
	}
}
