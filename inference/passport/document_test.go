package passport

import (
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/mrz"
)

// A national number is taken out of the zone of an Egyptian passport alone, and only where the zone itself speaks for it.
func TestNationalNumber(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	sound := mrz.Field{Value: "29001021234565", Confidence: 1, CheckOK: mrz.Passed}
	for name, c := range map[string]struct {
		change func(z *mrz.Reading)
		want   string
	}{
		"sound":             {func(*mrz.Reading) {}, "29001021234565"},
		"another state":     {func(z *mrz.Reading) { z.IssuingState.Value = "TUR" }, ""},
		"another form":      {func(z *mrz.Reading) { z.Format = mrz.TD1 }, ""},
		"check digit wrong": {func(z *mrz.Reading) { z.Optional.CheckOK = mrz.Failed }, ""},
		"doubtful":          {func(z *mrz.Reading) { z.Optional.Confidence = 0.5 }, ""},
		"another birth":     {func(z *mrz.Reading) { z.BirthDate.Value = "1990-01-03" }, ""},
		"no birth":          {func(z *mrz.Reading) { z.BirthDate.Value = "" }, ""},
		"short":             {func(z *mrz.Reading) { z.Optional.Value = "2900102123456" }, ""},
		"empty":             {func(z *mrz.Reading) { z.Optional.Value = "" }, ""},
	} {
		z := mrz.Reading{Format: mrz.TD3, Optional: sound}
		z.IssuingState.Value, z.BirthDate.Value = "EGY", "1990-01-02"
		c.change(&z)
		if got := nationalNumber(z, now); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
