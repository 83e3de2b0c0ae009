package configs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Exactly the keys in which two configurations differ are named, lists among them.
func TestChanged(t *testing.T) {
	load := func(text string) *Config {
		c, err := Load(Sources{File: write(t, text)})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a := load("store:\n  ttl: 30m\n")
	if got := Changed(a, load("")); got != nil {
		t.Errorf("got %v for the default written down", got)
	}
	b := load("store:\n  ttl: 31m\nhttp:\n  allow: [10.0.0.0/8]\nlog:\n  level: debug\n")
	if diff := cmp.Diff([]string{"log.level", "store.ttl", "http.allow"}, Changed(a, b)); diff != "" {
		t.Error(diff)
	}
}
