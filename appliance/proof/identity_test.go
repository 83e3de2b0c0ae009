package proof

import (
	"bytes"
	"testing"
)

// A signature holds for its message, its purpose and its key alone.
func TestIdentitySigns(t *testing.T) {
	mine, err := NewIdentity(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := NewIdentity(bytes.Repeat([]byte{2}, 32))
	message := []byte("three frames")
	signature := mine.Sign(SignedLiveness, message)
	for _, c := range []struct {
		name   string
		signer *Identity
		p      SignedPurpose
		text   string
		want   bool
	}{
		{"the same", mine, SignedLiveness, "three frames", true},
		{"another key", other, SignedLiveness, "three frames", false},
		{"another purpose", mine, SignedJournal, "three frames", false},
		{"another message", mine, SignedLiveness, "three frames.", false},
	} {
		if got := VerifySignature(c.signer.Public(), c.p, []byte(c.text), signature); got != c.want {
			t.Errorf("%s: verified %v, want %v", c.name, got, c.want)
		}
	}
	if _, err := NewIdentity(message); err == nil {
		t.Error("a seed of the wrong size was taken")
	}
}
