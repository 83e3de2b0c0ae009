package configs

import (
	"strings"
	"testing"
	"time"
)

// Nothing is kept for review unless it is asked for; what cannot be is refused with its path: more than 90 days, an unknown kind, a branch.
func TestReviewConfiguration(t *testing.T) {
	c, err := Load(Sources{File: write(t, "")})
	if err != nil || c.Review.Keep != 0 || !c.Review.Flagged || c.Review.Share != 100 || len(c.Review.Kinds) != 0 {
		t.Fatalf("%+v, %v", c.Review, err)
	}
	c, err = Load(Sources{File: write(t, "review:\n  keep: 14\n  kinds: [passport, liveness]\n  share: 5\n  flagged: false\n")})
	if err != nil || c.Review.Lasts() != 14*24*time.Hour || len(c.Review.Kinds) != 2 || c.Review.Share != 5 || c.Review.Flagged {
		t.Errorf("%+v, %v", c.Review, err)
	}
	branch := "store:\n  driver: etcd\n  etcd:\n    endpoints: [10.0.0.1:2379]\n    ca: ca.pem\n    certificate: c.pem\n    key: k.pem\n"
	for text, path := range map[string]string{
		"review:\n  keep: 91\n": "review.keep", "review:\n  keep: -1\n": "review.keep", "review:\n  share: 0\n": "review.share",
		"review:\n  kinds: [letter]\n": "review.kinds", branch + "review:\n  keep: 1\n": "review.keep",
	} {
		if _, err := Load(Sources{File: write(t, text)}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
