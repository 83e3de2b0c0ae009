package configs

import (
	"crypto/ed25519"
	"encoding/base64"
	"time"
)

// Audit configures the journal.
type Audit struct {
	Keep time.Duration `mapstructure:"keep"`
	// MaxSize is how much room it may take.
	MaxSize Bytes `mapstructure:"max_size"`
}

// Models configures which model packs are taken. VendorKey may be "".
type Models struct {
	VendorKey string `mapstructure:"vendor_key"`
}

// validate finds a vendor key that is none.
func (m Models) validate() []Problem {
	if raw, err := base64.StdEncoding.DecodeString(m.VendorKey); err == nil && (len(raw) == 0 || len(raw) == ed25519.PublicKeySize) {
		return nil
	}
	return []Problem{{Path: "models.vendor_key", Value: m.VendorKey, Msg: "must be an Ed25519 public key in base64", Hint: "`bawab models pack` prints the key that belongs to a pack"}}
}

func auditKeys() []key {
	const day = 24 * time.Hour
	return []key{
		{
			path: "audit.keep", fallback: "9600h0m0s", kind: duration, lo: int64(day), hi: int64(20 * 365 * day),
			doc: "how long the journal is kept; older segments are deleted, which is itself an entry", hint: "write hours, as 9600h for 400 days",
		},
		{
			path: "audit.max_size", fallback: "1GiB", kind: size, lo: 64 << 20, hi: 1 << 40,
			doc: "room of the journal, about 2 million decisions in 1 GiB; the oldest segments of a larger one are deleted before their time, which is an entry too, and a warning comes at 70 %", hint: "write a size, as 1GiB",
		},
		{
			path: "models.vendor_key", optional: true,
			doc: "public key (Ed25519, base64) of who signs model packs; by default the one in the program, if it has one", hint: "`bawab models pack` prints it",
		},
	}
}
