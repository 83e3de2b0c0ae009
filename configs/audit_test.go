package configs

import (
	"strings"
	"testing"
)

// A vendor key that is none is named with the other problems of the configuration, before anything is installed.
func TestVendorKey(t *testing.T) {
	for value, want := range map[string]string{
		"": "", strings.Repeat("A", 43) + "=": "", "x": "models.vendor_key", "QUJD": "models.vendor_key",
	} {
		_, err := Load(Sources{Environ: []string{"BAWAB_MODELS_VENDOR_KEY=" + value}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", value, err)
		}
	}
}
