package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/configs"
	"github.com/google/go-cmp/cmp"
)

// Each broken part of a machine makes its check fail with a hint, and a sound one does not; both are told in Arabic too.
func TestDoctorChecks(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	open := t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		got  appliance.Check
		ok   bool
	}{
		{"clock that was never set", Clock(time.Unix(0, 0)), false},
		{"clock", Clock(now), true},
		{"no key", Keys(nil, now), false},
		{"ended key", Keys([]appliance.Key{{Name: "a", Expires: now}}, now), false},
		{"one valid key", Keys([]appliance.Key{{Name: "a", Expires: now}, {Name: "b"}}, now), true},
		{"open folder", Folder(open), false},
		{"closed folder", Folder(closed), true},
		{"folder to be made", Folder(filepath.Join(closed, "new")), true},
		{"another version", Daemon(state.Status{Version: "other"}, "0.1")[0], false},
		{"this version", Daemon(state.Status{Version: "0.1"}, "0.1")[0], true},
	}
	for _, tt := range tests {
		if tt.got.OK != tt.ok || !tt.ok && tt.got.Hint == "" {
			t.Errorf("%s: got %+v", tt.name, tt.got)
		}
		if detail, hint := tt.got.In(appliance.English); detail != tt.got.Detail || hint != tt.got.Hint {
			t.Errorf("%s: %q and %q in English of %+v", tt.name, detail, hint, tt.got)
		}
		detail, hint := tt.got.In(appliance.Arabic)
		for _, text := range []string{detail, hint} {
			if text != "" && text != closed && !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
				t.Errorf("%s: %q is not Arabic", tt.name, text)
			}
		}
	}
}

// The doctor says of every configured camera what keeps it from working, once: a running daemon's warnings of it take the place
// of a look at the device, the cameras that could be named are beside it, and that a recording is played is told alike with and without a
// daemon.
func TestCheckCamera(t *testing.T) {
	there := filepath.Join(t.TempDir(), "camera")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	warns := func(codes ...appliance.WarningCode) *state.Status {
		s := &state.Status{Warnings: []appliance.Warning{{Code: appliance.WarnClock, Msg: "m", Hint: "h"}}}
		for _, code := range codes {
			s.Warnings = append(s.Warnings, appliance.CameraWarning(code))
		}
		return s
	}
	for _, tt := range []struct {
		device  string
		running *state.Status
		want    string // the names of the rows
		ok      bool
	}{
		{device: there, want: "camera", ok: true},
		{device: there, running: warns(), want: "camera", ok: true},
		{device: there, running: warns(appliance.WarnCameraLost), want: "camera_lost"},
		{device: there + "2", want: "camera_missing"},
		{device: "replay:" + there, want: "camera_played"},
		{device: "replay:" + there, running: warns(appliance.WarnCameraPlayed), want: "camera_played"},
		{device: "replay:" + there, running: warns(appliance.WarnCameraPlayed, appliance.WarnCameraStale), want: "camera_played camera_stale"},
		{device: "replay:/nowhere", want: "camera"},
		{want: Cameras().Name, ok: Cameras().OK},
	} {
		var names []string
		for _, c := range Camera(configs.Camera{Device: tt.device}, tt.running) {
			names = append(names, c.Name)
			if c.OK != tt.ok || !tt.ok && c.Hint == "" {
				t.Errorf("%s: %+v", tt.device, c)
			}
			if (c.Name == "camera_missing" || c.Name == "camera_lost") &&
				!strings.HasSuffix(c.Detail, "cameras of this machine: "+Cameras().Detail) {
				t.Errorf("%s does not list the cameras: %+v", tt.device, c)
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: rows %s, want %s", tt.device, got, tt.want)
		}
	}
	for _, c := range Daemon(*warns(appliance.WarnCameraLost), "0.1") {
		if ofCamera(appliance.WarningCode(c.Name)) {
			t.Errorf("told with the daemon again: %+v", c)
		}
	}
}

// A daemon is found by its command line, wherever --data stands in it and from whichever folder it was started; other programs,
// other commands and processes that have gone are passed over.
func TestDaemonFolders(t *testing.T) {
	proc := t.TempDir()
	for pid, args := range map[string][]string{
		"10": {"/usr/bin/bawab", "serve", "--listen", "127.0.0.1:0", "--data", "var"}, "11": {"bawab", "serve", "--data=/srv/kiosk"},
		"12": {"bawab", "serve"}, "13": {"bawab", "doctor", "--data", "x"}, "14": {"bash", "serve", "--data", "y"},
		"15": {"bawab", "serve", "--data"}, "16": {}, "17": {"bawab", "serve", "--data", "/srv/kiosk"},
	} {
		dir := filepath.Join(proc, pid)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "cmdline"), []byte(strings.Join(args, "\x00")+"\x00"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/home/op", filepath.Join(dir, "cwd")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(proc, "18"), 0o700); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/home/op/var", "/srv/kiosk"}, DaemonFolders(proc)); diff != "" {
		t.Error(diff)
	}
}

// The doctor goes on with the folder of the one other daemon that answers, unless a folder was named; where there are more, they are
// named and none is chosen.
func TestElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name    string
		folders []string
		named   bool
		folder  string
		says    string
	}{
		{"none", nil, false, "", ""},
		{"the folder itself", []string{"/d"}, false, "", ""},
		{"one that does not answer", []string{"/dead"}, false, "", ""},
		{"one", []string{"/dead", "/d", "/a"}, false, "/a", "on /a, which is examined here; nothing runs on /d"},
		{"one, and a name", []string{"/a"}, true, "", "not on /d, but on /a, 1 in all"},
		{"three", []string{"/a", "/b", "/c"}, false, "", "not on /d, but on /a, /b, 3 in all"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder, checks := elsewhere(tt.folders, "/d", tt.named, func(dir string) bool { return dir != "/dead" })
			says := ""
			for _, c := range checks {
				says += c.Detail
				if c.Broken() {
					t.Error("another daemon breaks nothing")
				}
			}
			if folder != tt.folder || says != tt.says {
				t.Errorf("goes on with %q and says %q", folder, says)
			}
		})
	}
}
