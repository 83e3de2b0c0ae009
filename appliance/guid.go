package appliance

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

// NilGUID stands for "no transaction yet" in a request, like an absent member.
const NilGUID = "00000000-0000-0000-0000-000000000000"

// NewGUID returns a random RFC 4122 version 4 GUID in lower case.
func NewGUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: the runtime aborts the process when the kernel has no randomness
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	var s [36]byte
	hex.Encode(s[0:8], b[0:4])
	hex.Encode(s[9:13], b[4:6])
	hex.Encode(s[14:18], b[6:8])
	hex.Encode(s[19:23], b[8:10])
	hex.Encode(s[24:36], b[10:16])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// ParseGUID checks the 8-4-4-4-12 text form (any version, any case) and returns it in lower case.
// Braces, a urn prefix, missing hyphens and blanks are refused.
func ParseGUID(s string) (string, bool) {
	if len(s) != 36 {
		return "", false
	}
	for i := range len(s) {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return "", false
			}
			continue
		}
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return "", false
		}
	}
	return strings.ToLower(s), true
}
