package configs

import (
	"errors"
	"strings"
	"testing"
)

// The keys of a branch are checked together with all others, and every problem is named at once.
func TestBranch(t *testing.T) {
	good := map[string]string{
		"BAWAB_STORE_DRIVER": "etcd", "BAWAB_STORE_ETCD_ENDPOINTS": "10.0.0.1:2379, kiosk-2.bank.example:2379, [fd00::3]:2379",
		"BAWAB_STORE_ETCD_CA": "ca.pem", "BAWAB_STORE_ETCD_CERTIFICATE": "kiosk.pem", "BAWAB_STORE_ETCD_KEY": "kiosk.key",
	}
	for name, c := range map[string]struct {
		change map[string]string
		want   []string
	}{
		"complete": {nil, nil},
		"nothing set": {
			map[string]string{"BAWAB_STORE_ETCD_ENDPOINTS": "", "BAWAB_STORE_ETCD_CA": "", "BAWAB_STORE_ETCD_CERTIFICATE": "", "BAWAB_STORE_ETCD_KEY": ""},
			[]string{"store.etcd.endpoints is missing", "store.etcd.ca is missing", "store.etcd.certificate is missing", "store.etcd.key is missing"},
		},
		"driver forgotten": {
			map[string]string{"BAWAB_STORE_DRIVER": ""},
			[]string{"store.etcd.endpoints is set, but store.driver is bbolt", "store.etcd.key is set"},
		},
		"unknown driver":   {map[string]string{"BAWAB_STORE_DRIVER": "redis"}, []string{"must be one of bbolt, etcd"}},
		"no port":          {map[string]string{"BAWAB_STORE_ETCD_ENDPOINTS": "10.0.0.1"}, []string{"it is not HOST:PORT"}},
		"port 0":           {map[string]string{"BAWAB_STORE_ETCD_ENDPOINTS": "10.0.0.1:0"}, []string{"no number from 1 to 65535"}},
		"a URL":            {map[string]string{"BAWAB_STORE_ETCD_ENDPOINTS": "https://10.0.0.1:2379"}, []string{"store.etcd.endpoints"}},
		"a member twice":   {map[string]string{"BAWAB_STORE_ETCD_ENDPOINTS": "a:1, b:1, a:1"}, []string{"names a member twice"}},
		"a blank prefix":   {map[string]string{"BAWAB_STORE_ETCD_PREFIX": "our branch"}, []string{"other characters than letters"}},
		"a slash too many": {map[string]string{"BAWAB_STORE_ETCD_PREFIX": "branch/"}, []string{"begins or ends with a slash"}},
		"long timeout":     {map[string]string{"BAWAB_STORE_ETCD_TIMEOUT": "5m"}, []string{"from 1s to 30s"}},
		"two at once":      {map[string]string{"BAWAB_STORE_ETCD_PREFIX": "/x", "BAWAB_STORE_ETCD_KEY": ""}, []string{"begins or ends with a slash", "store.etcd.key is missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			var environ []string
			for key, value := range good {
				if other, ok := c.change[key]; ok {
					value = other
				}
				environ = append(environ, key+"="+value)
			}
			for key, value := range c.change {
				if _, ok := good[key]; !ok {
					environ = append(environ, key+"="+value)
				}
			}
			cfg, err := Load(Sources{File: write(t, ""), Environ: environ})
			if len(c.want) == 0 {
				if err != nil || len(cfg.Store.Etcd.Endpoints) != 3 || cfg.Store.Etcd.Prefix != "bawab" {
					t.Errorf("got %+v, %v", cfg, err)
				}
				return
			}
			e := (*Error)(nil)
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			}
		})
	}
}
