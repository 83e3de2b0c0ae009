package configs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "bawab.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Every key has a default that passes its own check, and the contract's defaults hold.
func TestDefaults(t *testing.T) {
	c, err := Load(Sources{File: write(t, "")})
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:8080" || c.Data != "/var/lib/bawab" || c.Store.TTL != 30*time.Minute {
		t.Errorf("got %q, %q, %v", c.Listen, c.Data, c.Store.TTL)
	}
	want := Picture{MaxBytes: 8 << 20, MaxPixels: 25_000_000, MinSide: 64, MaxTime: 20 * time.Second}
	if diff := cmp.Diff(want, c.Picture); diff != "" {
		t.Error(diff)
	}
	if c.HTTP.MaxBodyBytes != 16<<20 || c.HTTP.MaxLivenessBodyBytes != 40<<20 || c.HTTP.ReadTimeout != time.Minute {
		t.Errorf("got %+v", c.HTTP)
	}
}

// The command line beats the environment, which beats the file, which beats the default.
func TestPrecedence(t *testing.T) {
	file := write(t, "store:\n  ttl: 40m\n  sweep: 10s\nqueue:\n  waiting: 5\nlisten: 127.0.0.1:1\npicture:\n  max_bytes: 1048576\n")
	c, err := Load(Sources{
		File: file, Environ: []string{"HOME=/", "BAWAB_STORE_TTL=45m", "BAWAB_LISTEN=127.0.0.1:2", "BAWAB_PICTURE_MIN_SIDE=80"},
		Flags: map[string]string{"listen": "127.0.0.1:3"},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Store.TTL, c.Store.Sweep, c.Queue.Waiting, c.Listen, c.Picture.MinSide, c.Picture.MaxBytes, c.Log.Level}
	want := []any{45 * time.Minute, 10 * time.Second, 5, "127.0.0.1:3", 80, Bytes(1 << 20), "info"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Each mistake is named with its path, what is allowed and, for a typo, the nearest known key.
func TestProblems(t *testing.T) {
	tests := []struct {
		name    string
		file    string
		environ []string
		want    []string // parts of the message and hint of the problems in order
	}{
		{"typo", "store:\n  tll: 30m\n", nil, []string{"store.tll is not a configuration key | did you mean store.ttl?"}},
		{"typo at the top", "lisen: 127.0.0.1:80\n", nil, []string{"lisen is not a configuration key | did you mean listen?"}},
		{"dotted typo", "store.tl: 30m\n", nil, []string{"store.tl is not a configuration key | did you mean store.ttl?"}},
		{"unknown values stay hidden", "password: hunter2\n", nil, []string{"password is not a configuration key"}},
		{"section", "store: 5\n", nil, []string{"store is a section and needs keys below it"}},
		{"environment typo", "", []string{"BAWAB_STORE_TLL=1m"}, []string{"BAWAB_STORE_TLL is not a configuration key | did you mean BAWAB_STORE_TTL?"}},
		{"duration without unit", "store:\n  ttl: 30\n", nil, []string{`store.ttl is "30": must be a duration from 1m to 24h | write a duration with its unit`}},
		{"list", "listen: [a, b]\n", nil, []string{`must be a single value, an address with a port`}},
		{"no port", "listen: localhost\n", nil, []string{`listen is "localhost": must be an address with a port | write HOST:PORT`}},
		{
			"all at once", "queue:\n  workers: many\n  waiting: -1\nlog:\n  level: loud\n", nil,
			[]string{`log.level is "loud": must be one of debug, info, warn, error`, `queue.workers is "many": must be a whole number from 0 to 256`, `queue.waiting is "-1"`},
		},
		{"size", "picture:\n  max_bytes: 8MB\n", nil, []string{`picture.max_bytes is "8MB": must be a size from 1KiB to 64MiB | write a size, as 8MiB`}},
		{"body too small for a picture", "picture:\n  max_bytes: 20MiB\n", nil, []string{`http.max_body_bytes is "16MiB": must be at least`}},
		{"read shorter than header", "http:\n  read_timeout: 5s\n", nil, []string{`http.read_timeout is "5s": must be at least http.header_timeout (10s)`}},
		{"not YAML", "listen: [", nil, []string{"is not valid YAML"}},
		{"twice", "listen: 127.0.0.1:1\nlisten: 127.0.0.1:2\n", nil, []string{"is not valid YAML"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(Sources{File: write(t, tt.file), Environ: tt.environ})
			e, ok := err.(*Error)
			if !ok || len(e.Problems) != len(tt.want) {
				t.Fatalf("got %v, want %d problems", err, len(tt.want))
			}
			for i, p := range e.Problems {
				msg, hint, _ := strings.Cut(tt.want[i], " | ")
				if !strings.Contains(p.String(), msg) || !strings.HasPrefix(p.Hint, hint) {
					t.Errorf("got %q, hint %q; want %q", p.String(), p.Hint, tt.want[i])
				}
				if strings.Contains(p.String(), "hunter2") {
					t.Error("the value of an unknown key is shown")
				}
			}
		})
	}
}

// A file that was asked for and is missing is an error, and says so.
func TestMissingFile(t *testing.T) {
	_, err := Load(Sources{File: filepath.Join(t.TempDir(), "none.yaml")})
	if err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Fatalf("got %v", err)
	}
}

// What YAML prints is a file that Load reads back to the same configuration.
func TestYAMLRoundTrip(t *testing.T) {
	c, err := Load(Sources{File: write(t, "data: \"/srv/a b\"\nstore:\n  ttl: 90m\nlog:\n  level: debug\n")})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(Sources{File: write(t, c.YAML())})
	if err != nil {
		t.Fatalf("%v in\n%s", err, c.YAML())
	}
	if diff := cmp.Diff(c, again, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Error(diff)
	}
}

// The committed schema is the one that the table of keys gives.
func TestSchemaFresh(t *testing.T) {
	got, err := os.ReadFile("bawab.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Schema(), string(got)); diff != "" {
		t.Errorf("stale: write it anew with `bawab config schema > configs/bawab.schema.json`\n%s", diff)
	}
}

// The page of the configuration ends with the table that the keys give.
func TestPageFresh(t *testing.T) {
	page, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(page), "\n\n"+Table()) {
		t.Errorf("stale: end docs/configuration.md with the output of `bawab config table`:\n%s", Table())
	}
}

// A size is read with each unit and refuses what would overflow or mean something else.
func TestBytes(t *testing.T) {
	tests := []struct {
		in   string
		want Bytes
		ok   bool
	}{
		{"0", 0, true},
		{"17", 17, true},
		{"16KiB", 16 << 10, true},
		{"8 MiB", 8 << 20, true},
		{"2GiB", 2 << 30, true},
		{"8MB", 0, false},
		{"-1", 0, false},
		{"", 0, false},
		{"9223372036854775807KiB", 0, false},
		{"1.5MiB", 0, false},
	}
	for _, tt := range tests {
		var b Bytes
		if err := b.UnmarshalText([]byte(tt.in)); (err == nil) != tt.ok || b != tt.want {
			t.Errorf("%q: got %d, %v", tt.in, b, err)
		}
	}
}

// What was most likely meant is the name that the fewest letters part from it.
func TestNearest(t *testing.T) {
	names := []string{"scopes", "rate", "origin"}
	for _, tt := range []struct {
		meant     string
		at, apart int
	}{{"scope", 0, 1}, {"rtae", 1, 2}, {"origin", 2, 0}, {"orgins", 2, 2}} {
		if at, apart := Nearest(names, tt.meant); at != tt.at || apart != tt.apart {
			t.Errorf("%s: %d, %d apart, want %d, %d", tt.meant, at, apart, tt.at, tt.apart)
		}
	}
	if at, _ := Nearest(nil, "scope"); at != -1 {
		t.Errorf("%d of no names", at)
	}
}
