package route

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestPreferred: the header Accept-Language is understood with its weights, regions and stars; whatever is neither English nor
// Arabic, and whatever makes no sense, means English.
func TestPreferred(t *testing.T) {
	for accept, want := range map[string]appliance.Language{
		"": "en", "ar": "ar", "AR-eg": "ar", "ar-EG,ar;q=0.9,en;q=0.8": "ar", "en-GB,ar;q=0.5": "en", "en;q=0.2, ar": "ar",
		"fr, ar;q=0.3": "ar", "fr, de": "en", "*": "en", "ar;q=0": "en", "q=;;": "en", "ar\x00": "en",
		strings.Repeat("a-", 3000): "en",
	} {
		if got := preferred(accept); got != want {
			t.Errorf("%.40q means %s, want %s", accept, got, want)
		}
	}
}
