package configs

import (
	"strings"
	"testing"
)

// A key of who signs packs that is none is named with the other problems of the configuration, before anything is installed.
func TestPackKeys(t *testing.T) {
	for value, fits := range map[string]bool{"": true, strings.Repeat("A", 43) + "=": true, "x": false, "QUJD": false} {
		for name, path := range map[string]string{"BAWAB_MODELS_VENDOR_KEY": "models.vendor_key", "BAWAB_MODELS_SITE_KEY": "models.site_key"} {
			_, err := Load(Sources{Environ: []string{name + "=" + value}})
			if (err == nil) != fits || err != nil && !strings.Contains(err.Error(), path) {
				t.Errorf("%s %q: got %v", name, value, err)
			}
		}
	}
}
