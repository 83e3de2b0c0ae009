package configs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A list is read from YAML and from one text with commas alike, and written so that it reads back.
func TestLists(t *testing.T) {
	c, err := Load(Sources{
		File:    write(t, "tls:\n  names: [kiosk.bank.example, \"192.168.1.5\", \"fd00::1\"]\n"),
		Environ: []string{"BAWAB_HTTP_ALLOW=10.1.0.0/16, 192.168.7.9"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"kiosk.bank.example", "192.168.1.5", "fd00::1"}, c.TLS.Names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"10.1.0.0/16", "192.168.7.9"}, c.HTTP.Allow); diff != "" {
		t.Error(diff)
	}
	again, err := Load(Sources{File: write(t, c.YAML())})
	if err != nil {
		t.Fatalf("%v in\n%s", err, c.YAML())
	}
	if diff := cmp.Diff(c, again, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Error(diff)
	}
	none, err := Load(Sources{File: write(t, "http:\n  allow: []\n")})
	if err != nil || len(none.HTTP.Allow) != 0 {
		t.Errorf("an empty list gave %v, %v", none, err)
	}
}

// Each mistake in a network, a name or the pair of certificate and key is named with the item that is wrong.
func TestNetworkProblems(t *testing.T) {
	for name, tt := range map[string]struct{ file, want string }{
		"no network":        {"http:\n  allow: [10.0.0.0/8, bank]\n", `must not hold "bank": it is neither an address nor a network`},
		"host bits":         {"http:\n  allow: [10.0.0.5/8]\n", `must not hold "10.0.0.5/8": the network is 10.0.0.0/8`},
		"zone":              {"http:\n  allow: ['fe80::1%eth0']\n", `must not hold "fe80::1%eth0"`},
		"no text":           {"http:\n  allow: [10]\n", "must be a list of texts, not 10"},
		"no list":           {"http:\n  allow: 7\n", "must be a list"},
		"blank name":        {"tls:\n  names: ['']\n", `must not hold ""`},
		"name with a port":  {"tls:\n  names: ['kiosk:8443']\n", `must not hold "kiosk:8443"`},
		"name with a blank": {"tls:\n  names: ['my kiosk']\n", `must not hold "my kiosk"`},
		"key alone":         {"tls:\n  key: /k.pem\n", "tls.certificate is missing beside tls.key"},
		"certificate alone": {"tls:\n  certificate: /c.pem\n", "tls.key is missing beside tls.certificate"},
		"too many requests": {"http:\n  requests_per_minute: -1\n", "must be a whole number from 0 to 1000000"},
	} {
		_, err := Load(Sources{File: write(t, tt.file)})
		e, ok := err.(*Error)
		if !ok || len(e.Problems) != 1 || !strings.Contains(e.Error(), tt.want) || e.Problems[0].Hint == "" {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}
