package truth

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/bawab/bawab/appliance/appliancetest"
)

// The environment of a child of TestCut: what it does in which folder, and at which step the power is cut.
const cutWhat, cutDir, cutStep = "TRUTH_CUT_WHAT", "TRUTH_CUT_DIR", "TRUTH_CUT_STEP"

// seen is a site of two persons on two days.
func seen(t *testing.T) *site {
	s := newSite(t)
	s.card(one, "منى", 1, "")
	s.card(two, "على", 2, "")
	return s
}

// acts are what writes to a set, each in the folder dir beside an archive of the set and its key.
func acts(t *testing.T) map[string]func(s *Set, dir string) error {
	return map[string]func(s *Set, dir string) error{
		"export": func(s *Set, _ string) error {
			_, err := s.export(t.Context(), seen(t).store, 1, time.UTC, unnoted)
			return err
		},
		"import": func(s *Set, dir string) error {
			key, err := os.ReadFile(filepath.Join(dir, "key"))
			if err != nil {
				return err
			}
			identity, err := age.ParseX25519Identity(string(key))
			if err != nil {
				return err
			}
			archive, err := os.ReadFile(filepath.Join(dir, "archive"))
			if err != nil {
				return err
			}
			_, err = s.take(bytes.NewReader(archive), identity)
			return err
		},
		"erase": func(s *Set, _ string) error {
			_, err := s.erase(func(l *Line) bool { return l.Mentions(one) })
			return err
		},
	}
}

// TestCutChild is the process that TestCut kills.
func TestCutChild(t *testing.T) {
	what := os.Getenv(cutWhat)
	if what == "" {
		t.Skip("TestCut starts it")
	}
	last, err := strconv.Atoi(os.Getenv(cutStep))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(filepath.Join(os.Getenv(cutDir), "set"))
	if err != nil {
		t.Fatal(err)
	}
	s.sync = func(*os.File) error {
		if last--; last < 0 {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	}
	if err := acts(t)[what](s, os.Getenv(cutDir)); err != nil {
		t.Fatal(err)
	}
}

// cut does something in a process of its own that is killed at a step; done tells that it ended before.
func cut(t *testing.T, what, dir string, step int) (done bool) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCutChild$")
	child.Env = append(os.Environ(), cutWhat+"="+what, cutDir+"="+dir, cutStep+"="+strconv.Itoa(step))
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != -1) {
		t.Fatalf("%s at step %d: %v\n%s", what, step, err, out)
	}
	return err == nil
}

// Killed at each step, an export and an import are gone on with by the next call, and an erasing by the next erasing: the set is then what
// one call in peace makes of it, with no picture too many, and nothing of a person lies beside it.
func TestCut(t *testing.T) {
	for what, persons := range map[string][]string{"export": {one, two}, "import": {one, two}, "erase": {two}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			for step := 0; ; step++ {
				dir := t.TempDir()
				prepare(t, what, dir)
				done := cut(t, what, dir, step)
				s, err := Open(filepath.Join(dir, "set"))
				if err != nil {
					t.Fatalf("step %d: %v", step, err)
				}
				if err := acts(t)[what](s, dir); err != nil {
					t.Fatalf("step %d: %v", step, err)
				}
				checkSet(t, dir, step, persons)
				if done {
					if step < 6 {
						t.Errorf("it has %d steps: nothing was cut", step)
					}
					return
				}
			}
		})
	}
}

// prepare puts down what an act begins with.
func prepare(t *testing.T, what, dir string) {
	t.Helper()
	set := filepath.Join(dir, "set")
	switch what {
	case "erase":
		export(t, seen(t), set, 1)
		if err := os.WriteFile(filepath.Join(set, "fit", "readings-1.jsonl"), []byte(PersonOf(one)), 0o600); err != nil {
			t.Fatal(err)
		}
	case "import":
		identity, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		from := filepath.Join(t.TempDir(), "set")
		export(t, seen(t), from, 1)
		var archive bytes.Buffer
		if err := Pack(&archive, from, identity.Recipient()); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string][]byte{"archive": archive.Bytes(), "key": []byte(identity.String())} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkSet holds a set against the persons who must be in it, and everything beside and below it against the files that may be there.
func checkSet(t *testing.T, dir string, step int, persons []string) {
	t.Helper()
	s, err := Open(filepath.Join(dir, "set"))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Concat(s.Lines["fit"], s.Lines["test"])
	if len(lines) != len(persons) || len(s.Manifest.Releases) != 1 {
		t.Errorf("step %d: %d lines by %v", step, len(lines), s.Manifest.Releases)
	}
	for _, number := range []string{one, two} {
		want := 0
		if slices.Contains(persons, number) {
			want = 1
		}
		if got := filesWith(t, dir, "the picture of "+number); len(got) != want {
			t.Errorf("step %d: pictures of %s: %v", step, number, got)
		}
		if got := filesWith(t, dir, PersonOf(number)); len(got) != want {
			t.Errorf("step %d: %s is named in %v", step, number, got)
		}
	}
	if left := filesWith(t, dir, ""); slices.ContainsFunc(left, func(name string) bool { return strings.Contains(name, "part") }) {
		t.Errorf("step %d: left %v", step, left)
	}
}

// On a full disk an export and an import say what to do and leave the set as it was, an erasing works with no byte free, and with room
// again the same call goes through.
func TestFullDisk(t *testing.T) {
	disk, err := appliancetest.SmallDisk(t, "1m")
	if err != nil {
		t.Skip(err)
	}
	prepare(t, "import", disk)
	s, set, filler := newSite(t), filepath.Join(disk, "set"), filepath.Join(disk, "filler")
	s.card(three, "على", 3, "")
	export(t, s, set, 1)
	for what, act := range acts(t) {
		if what == "erase" {
			continue
		}
		appliancetest.Fill(t, filler)
		full, err := Open(set)
		if err != nil {
			t.Fatal(err)
		}
		if err := act(full, disk); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", what, err)
		}
		if kept, err := Open(set); err != nil || len(kept.Lines["fit"])+len(kept.Lines["test"]) == 0 {
			t.Errorf("after %s the set is %+v, %v", what, kept, err)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if err := act(full, disk); err != nil {
			t.Errorf("%s with room: %v", what, err)
		}
	}
	appliancetest.Fill(t, filler)
	if e, err := Erase(set, func(l *Line) bool { return l.Mentions(one) }); err != nil || e.Lines != 1 {
		t.Errorf("erasing with no byte free: %+v, %v", e, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if left := filesWith(t, disk, one); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
}

// A set or an archive of another form is refused by name, and left as it is.
func TestAnotherForm(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	export(t, seen(t), dir, 1)
	name := filepath.Join(dir, manifestName)
	other := []byte(`{"form": "bawab-truth/2", "releases": ["9.0"]}`)
	if err := os.WriteFile(name, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), seen(t).store, dir, 1, time.UTC, unnoted); err == nil || !strings.Contains(err.Error(), "of this form") {
		t.Errorf("export: %v", err)
	}
	if _, err := Erase(dir, func(*Line) bool { return true }); err == nil || len(filesWith(t, dir, "the picture of")) != 2 {
		t.Errorf("erase: %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, other) {
		t.Errorf("%s, %v", text, err)
	}
}
