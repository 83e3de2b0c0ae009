package doctor

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/configs"
)

// networked is a configuration of an appliance that others can call.
func networked(t *testing.T, change func(*configs.Config)) *configs.Config {
	t.Helper()
	cfg, err := configs.Load(configs.Sources{File: os.DevNull, Flags: map[string]string{"listen": "0.0.0.0:0", "data": t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cfg.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cfg)
	}
	return cfg
}

// Each fault of network, certificate and files fails its check, with a hint that names what to do; a sound appliance
// passes all of them.
func TestDoctorNetwork(t *testing.T) {
	now := time.Now()
	sound := networked(t, nil)
	if _, err := certificate.Renew(certificateOf(sound), now, false); err != nil {
		t.Fatal(err)
	}
	loose := networked(t, nil)
	left := filepath.Join(loose.Data, "bawab.db")
	if err := os.WriteFile(left, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	busy := networked(t, func(c *configs.Config) { c.Listen = taken.Addr().String() })
	brought := networked(t, func(c *configs.Config) { c.TLS.Certificate, c.TLS.Key = left, left })
	tests := []struct {
		name   string
		got    []appliance.Check
		ok     bool
		detail string
	}{
		{"certificate", Certificate(sound.Listen, certificateOf(sound), now), true, "valid to "},
		{"no certificate yet", Certificate(loose.Listen, certificateOf(loose), now), true, "the first start makes one"},
		{"certificate about to end", Certificate(sound.Listen, certificateOf(sound), now.Add(800*24*time.Hour)), false, "is renewed by itself"},
		{"ended certificate", Certificate(sound.Listen, certificateOf(sound), now.Add(900*24*time.Hour)), false, "expired on"},
		{"certificate that is none", Certificate(brought.Listen, certificateOf(brought), now), false, "others may read it"},
		{"port", []appliance.Check{Listen(t.Context(), sound, false)}, true, "with TLS, for this machine and 10.0.0.0/8"},
		{"taken port", []appliance.Check{Listen(t.Context(), busy, false)}, false, "is taken on 0.0.0.0"},
		{"files", []appliance.Check{Files(sound.Data)}, true, "nobody else can read them"},
		{"loose file", []appliance.Check{Files(loose.Data)}, false, "has mode 0644"},
		{"time source", []appliance.Check{judgeSync(false, nil)}, true, "kept right"},
		{"no time source", []appliance.Check{judgeSync(true, nil)}, false, "no time server"},
		{"time source unknown", []appliance.Check{judgeSync(false, os.ErrPermission)}, false, "does not say"},
	}
	if os.Geteuid() == 0 {
		foreign := networked(t, nil)
		name := filepath.Join(foreign.Data, "bawab.db")
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if os.Chown(foreign.Data, 12345, 12345) == nil {
			tests = append(tests, struct {
				name   string
				got    []appliance.Check
				ok     bool
				detail string
			}{"file of root", []appliance.Check{Files(foreign.Data)}, false, "belongs to another user"})
		}
	}
	for _, tt := range tests {
		if len(tt.got) == 0 {
			t.Errorf("%s: no check", tt.name)
			continue
		}
		got := tt.got[0]
		if got.OK != tt.ok || !strings.Contains(got.Detail, tt.detail) || !tt.ok && got.Hint == "" {
			t.Errorf("%s: got %+v", tt.name, got)
		}
	}
	if print := Certificate(sound.Listen, certificateOf(sound), now); len(print) != 2 || len(print[1].Detail) != 95 {
		t.Errorf("the fingerprint is not told: %+v", print)
	}
}

// What systemd lets through is told from loopback by its own list.
func TestAdmitsNetwork(t *testing.T) {
	for list, want := range map[string]bool{
		"": false, "127.0.0.0/8 ::1/128": false, "127.0.0.0/8 ::1/128 10.0.0.0/8": true,
		"192.168.1.20/32": true, "any": false,
	} {
		if got := admitsNetwork(list); got != want {
			t.Errorf("%q: %v", list, got)
		}
	}
}

// certificateOf says where the certificate of a configuration lies.
func certificateOf(cfg *configs.Config) certificate.Config {
	return certificate.Config{File: cfg.TLS.Certificate, KeyFile: cfg.TLS.Key, Dir: cfg.Data}
}
