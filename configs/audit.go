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

// Models configures which model packs are taken: of the vendor, and of the site itself. Each key may be "".
type Models struct {
	VendorKey string `mapstructure:"vendor_key"`
	SiteKey   string `mapstructure:"site_key"`
}

// validate finds keys that are none.
func (m Models) validate() (problems []Problem) {
	for _, k := range []struct{ path, value, printed string }{
		{"models.vendor_key", m.VendorKey, "`bawab models pack` prints the key that belongs to a pack"},
		{"models.site_key", m.SiteKey, "`bawab learn` prints the key that belongs to its pack"},
	} {
		if raw, err := base64.StdEncoding.DecodeString(k.value); err != nil || len(raw) != 0 && len(raw) != ed25519.PublicKeySize {
			problems = append(problems, Problem{Path: k.path, Value: k.value, Msg: "must be an Ed25519 public key in base64", Hint: k.printed})
		}
	}
	return problems
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
		{
			path: "models.site_key", optional: true,
			doc:  "public key (Ed25519, base64) with which the site signs what it learned from its own documents; packs of the vendor are taken beside",
			hint: "`bawab learn` prints it",
		},
	}
}
