package scene

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Property: the advice names what hides most, in one sentence, and nothing where nothing is wrong.
func TestAdvice(t *testing.T) {
	for says, c := range map[string]appliance.Capture{
		"move closer": {CutOff: true, Covered: true, TooSmall: true, Glared: true, Blurred: true}, // where a small card ends is hardly seen
		"move back":   {CutOff: true, Covered: true, Glared: true, Blurred: true},
		"by itself":   {Covered: true, Glared: true},
		"reflection":  {Glared: true, Blurred: true},
		"blurred":     {Blurred: true},
	} {
		if got := advice(c); !strings.Contains(got, says) || strings.Count(got, ".") != 1 {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := advice(appliance.Capture{}); got != "" {
		t.Errorf("nothing wrong: %q", got)
	}
}
