package pack

import (
	"archive/tar"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bawab/bawab/models"
	"github.com/google/go-cmp/cmp"
)

// vendorKey is the private key of a vendor.
func vendorKey(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func public(n byte) Signers { return Signers{Vendor: vendorKey(n).Public().(ed25519.PublicKey)} }

// setFolder is a model set of one network whose file has the given content.
func setFolder(t testing.TB, version uint64, content string) fstest.MapFS {
	t.Helper()
	sum := sha256.Sum256([]byte(content))
	text, err := json.Marshal(map[string]any{"version": version, "models": []models.Model{{
		Name: "a", File: "a.tflite", SHA256: hex.EncodeToString(sum[:]),
		Input:  models.Tensor{Name: "in", Shape: []int{1, 2, 2, 1}, Type: "int8", Scale: 1, Channels: models.Grey},
		Output: models.Tensor{Name: "out", Shape: []int{1, 3}, Type: "int8", Scale: 1},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"manifest.json": {Data: text}, "a.tflite": {Data: []byte(content)}}
}

// packed is a pack of folder, signed by vendor 1.
func packed(t testing.TB, version uint64, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(&b, setFolder(t, version, content), vendorKey(1)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A pack that was written is unpacked to the same set, and opens as it.
func TestPack(t *testing.T) {
	var b bytes.Buffer
	written, err := Write(&b, setFolder(t, 7, "network"), vendorKey(1))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	read, err := Unpack(&b, public(1), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	written.By = ByVendor
	if diff := cmp.Diff(written, read); diff != "" {
		t.Error(diff)
	}
	set, info, err := Open(dir, public(1))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := set.Model("a"); err != nil || string(m.Bytes) != "network" || set.Version() != 7 || info.Version != 7 {
		t.Errorf("got %+v, %v", m, err)
	}
	for name, bad := range map[string]fstest.MapFS{"no version": setFolder(t, 0, "x"), "a strange name": {"manifest.json": {Data: []byte(`{"version":1,"models":[]}`)}, "b.tflite": {}}} {
		if _, err := Write(io.Discard, bad, vendorKey(1)); err == nil {
			t.Errorf("a pack with %s was written", name)
		}
	}
}

// withKind is a folder with a kind of documents.
func withKind(t testing.TB) fstest.MapFS {
	t.Helper()
	set := setFolder(t, 7, "network")
	for name, content := range map[string]string{"description.txt": "kind k", "labels.txt": "l: x", "0.jpg": "picture"} {
		set["kinds/k/"+name] = &fstest.MapFile{Data: []byte(content)}
	}
	return set
}

// Property: the kinds of a set travel in its pack, signed as all of it: one that was changed, or put beside them, is refused.
func TestKindsTravel(t *testing.T) {
	unpacked := func() (dir string) {
		var b bytes.Buffer
		if _, err := Write(&b, withKind(t), vendorKey(1)); err != nil {
			t.Fatal(err)
		}
		dir = t.TempDir()
		if _, err := Unpack(&b, public(1), dir, nil); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	set, info, err := Open(unpacked(), public(1))
	if err != nil || len(info.Files) != 5 || string(set.Kinds()["kinds/k/0.jpg"]) != "picture" || len(set.Kinds()) != 3 {
		t.Fatalf("%v, %v", set, err)
	}
	for name, file := range map[string]string{"changed": "kinds/k/labels.txt", "added": "kinds/k/1.jpg", "site": "site.json"} {
		dir := unpacked()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte("other"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(dir, public(1)); !errors.Is(err, ErrTampered) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, path := range map[string]string{
		"a way out": "kinds/../../labels.txt", "deeper": "kinds/k/l/labels.txt", "a program": "kinds/k/draw.py", "no folder": "kinds/labels.txt",
	} {
		var b bytes.Buffer
		if _, err := Write(&b, withKind(t), vendorKey(1)); err != nil {
			t.Fatal(err)
		}
		list := entries(t, b.Bytes())
		list[2].name = path
		bad := assemble(t, signAgain(list, func(i *Info) { i.Files[0].Name = path }))
		if _, err := Unpack(bytes.NewReader(bad), public(1), t.TempDir(), nil); !errors.Is(err, ErrForm) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Property: the calibration of a set travels in its pack, signed as all of it: one that was changed or put beside it is refused, and one
// that is signed and wrong, with line and reason.
func TestCalibrationTravels(t *testing.T) {
	const good = "{\n\"form\": \"bawab.calibration/1\"}"
	packed := func(calibration string) []byte {
		folder := setFolder(t, 7, "network")
		if calibration != "" {
			folder[models.CalibrationFile] = &fstest.MapFile{Data: []byte(calibration)}
		}
		var b bytes.Buffer
		if _, err := Write(&b, folder, vendorKey(1)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	dir := t.TempDir()
	if _, err := Unpack(bytes.NewReader(packed(good)), public(1), dir, nil); err != nil {
		t.Fatal(err)
	}
	if set, info, err := Open(dir, public(1)); err != nil || len(info.Files) != 3 || string(set.Calibration()) != good {
		t.Fatalf("%v, %v", set, err)
	}
	if err := os.WriteFile(filepath.Join(dir, models.CalibrationFile), []byte(good+" "), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(dir, public(1)); !errors.Is(err, ErrTampered) {
		t.Errorf("changed: %v", err)
	}
	dir = t.TempDir()
	if _, err := Unpack(bytes.NewReader(packed("")), public(1), dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, models.CalibrationFile), []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(dir, public(1)); !errors.Is(err, ErrTampered) {
		t.Errorf("added: %v", err)
	}
	bad := []byte(strings.Replace(good, "/1", "/2", 1))
	list := entries(t, packed(good))
	at := slices.IndexFunc(list, func(e entry) bool { return e.name == models.CalibrationFile })
	list[at].body = bad
	list = signAgain(list, func(i *Info) {
		k := slices.IndexFunc(i.Files, func(f File) bool { return f.Name == models.CalibrationFile })
		i.Files[k].SHA256 = fmt.Sprintf("%x", sha256.Sum256(bad))
	})
	_, err := Unpack(bytes.NewReader(assemble(t, list)), public(1), t.TempDir(), nil)
	if !errors.Is(err, ErrForm) || !strings.Contains(err.Error(), `calibration.json:2: form "bawab.calibration/2"`) {
		t.Errorf("wrong: %v", err)
	}
}

// entry is one entry of a pack that a test puts together by hand.
type entry struct {
	name string
	body []byte
	kind byte
}

// entries takes a pack apart.
func entries(t testing.TB, b []byte) []entry {
	t.Helper()
	var list []entry
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, entry{h.Name, body, h.Typeflag})
	}
}

func assemble(t testing.TB, list []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range list {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Size: int64(len(e.body)), Mode: 0o644}
		if e.kind == tar.TypeSymlink {
			h.Linkname, h.Size = "/etc/passwd", 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write(e.body); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// signAgain signs a pack whose description a test has changed.
func signAgain(list []entry, change func(*Info)) []entry {
	var info Info
	if json.Unmarshal(list[1].body, &info) != nil {
		panic("the description cannot be read")
	}
	change(&info)
	list[1].body, _ = json.Marshal(info)
	list[0].body = ed25519.Sign(vendorKey(1), append([]byte("bawab models\x00"), list[1].body...))
	return list
}

// Everything that is wrong with a pack is refused by name, and nothing is written outside of its folder.
func TestRefused(t *testing.T) {
	good := packed(t, 7, "network")
	with := func(change func(list []entry) []entry) []byte { return assemble(t, change(entries(t, good))) }
	for name, tt := range map[string]struct {
		pack   []byte
		vendor Signers
		want   error
	}{
		"another vendor":       {good, public(2), ErrUnsigned},
		"nothing":              {nil, public(1), ErrPartial},
		"not a pack":           {bytes.Repeat([]byte("x"), 2000), public(1), ErrForm},
		"half":                 {good[:len(good)/2], public(1), ErrPartial},
		"cut in its last file": {good[:len(good)-1024-400], public(1), ErrPartial},
		"bytes behind it":      {append(bytes.Clone(good), 'x'), public(1), ErrTampered},
		"changed network":      {bytes.Replace(good, []byte("network"), []byte("netw0rk"), 1), public(1), ErrTampered},
		"changed description":  {bytes.Replace(good, []byte(`"version": 7`), []byte(`"version": 8`), 1), public(1), ErrUnsigned},
		"unsigned":             {with(func(l []entry) []entry { l[0].body = make([]byte, 64); return l }), public(1), ErrUnsigned},
		"no signature":         {with(func(l []entry) []entry { return l[1:] }), public(1), ErrForm},
		"a file missing":       {with(func(l []entry) []entry { return l[:3] }), public(1), ErrPartial},
		"a file too many":      {with(func(l []entry) []entry { return append(l, entry{"b.tflite", []byte("b"), tar.TypeReg}) }), public(1), ErrTampered},
		"another order":        {with(func(l []entry) []entry { l[2], l[3] = l[3], l[2]; return l }), public(1), ErrForm},
		"a link":               {with(func(l []entry) []entry { l[2].kind = tar.TypeSymlink; return l }), public(1), ErrForm},
		"a path": {with(func(l []entry) []entry {
			l[2].name = "../a.tflite"
			return signAgain(l, func(i *Info) { i.Files[0].Name = "../a.tflite" })
		}), public(1), ErrForm},
		"an absolute path": {with(func(l []entry) []entry {
			l[2].name = "/tmp/a.tflite"
			return signAgain(l, func(i *Info) { i.Files[0].Name = "/tmp/a.tflite" })
		}), public(1), ErrForm},
		"its own description as a file": {with(func(l []entry) []entry {
			return signAgain(l, func(i *Info) { i.Files[0].Name = infoName })
		}), public(1), ErrForm},
		"a bomb": {with(func(l []entry) []entry {
			return signAgain(l, func(i *Info) { i.Files[0].Size = maxFile + 1 })
		}), public(1), ErrLarge},
		"a wrong size": {with(func(l []entry) []entry {
			return signAgain(l, func(i *Info) { i.Files[0].Size++ })
		}), public(1), ErrPartial},
		"another format": {with(func(l []entry) []entry {
			return signAgain(l, func(i *Info) { i.Format = "other/1" })
		}), public(1), ErrForm},
		"a version of its own": {with(func(l []entry) []entry {
			return signAgain(l, func(i *Info) { i.Version = 9 })
		}), public(1), ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "in")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if _, err := Unpack(bytes.NewReader(tt.pack), tt.vendor, dir, nil); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if left, err := os.ReadDir(parent); err != nil || len(left) != 1 {
				t.Errorf("the folder above holds %v, %v", left, err)
			}
		})
	}
}

// A set that was changed on disk after its installation does not open.
func TestOpenRefuses(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"changed":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.tflite"), []byte("netw0rk"), 0o600) },
		"longer":    func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.tflite"), []byte("network1"), 0o600) },
		"missing":   func(dir string) error { return os.Remove(filepath.Join(dir, "a.tflite")) },
		"stranger":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "b.tflite"), nil, 0o600) },
		"unsigned":  func(dir string) error { return os.Remove(filepath.Join(dir, signatureName)) },
		"manifest":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o600) },
		"no folder": os.RemoveAll,
		"another set, sound in itself": func(dir string) error {
			other := setFolder(t, 7, "netw0rk")
			return errors.Join(os.WriteFile(filepath.Join(dir, "a.tflite"), other["a.tflite"].Data, 0o600),
				os.WriteFile(filepath.Join(dir, "manifest.json"), other["manifest.json"].Data, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := Unpack(bytes.NewReader(packed(t, 7, "network")), public(1), dir, nil); err != nil {
				t.Fatal(err)
			}
			if err := spoil(dir); err != nil {
				t.Fatal(err)
			}
			if _, _, err := Open(dir, public(1)); err == nil {
				t.Error("it opens")
			}
		})
	}
}

// install puts a version on a shelf and switches to it.
func install(t *testing.T, s *Shelf, version uint64) {
	t.Helper()
	dir, info, err := s.Stage(bytes.NewReader(packed(t, version, "network")))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt(dir, info); err != nil {
		t.Fatal(err)
	}
}

// confirm ends the trial of a version.
func confirm(t *testing.T, s *Shelf, version uint64) {
	t.Helper()
	if err := s.Confirm(version); err != nil {
		t.Fatal(err)
	}
}

// begin starts a daemon, as it were, and returns the version that it runs with and the one that it gave up.
func begin(t *testing.T, s *Shelf) (version, gaveUp uint64) {
	t.Helper()
	o, err := s.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if (o.Version != 0) != (o.Set != nil) {
		t.Errorf("version %d with the set %v", o.Version, o.Set)
	}
	return o.Version, o.GaveUp
}

// A version is on trial until its first healthy minute: a daemon that died of it makes the next one go back, one that stopped
// in order does not.
func TestTrial(t *testing.T) {
	s := NewShelf(t.TempDir(), public(1), 3)
	if v, _ := begin(t, s); v != 0 {
		t.Fatalf("an empty shelf gives version %d", v)
	}
	install(t, s, 5)
	if v, _ := begin(t, s); v != 5 {
		t.Fatalf("version %d runs, want 5", v)
	}
	confirm(t, s, 5)
	for range 2 {
		if v, gave := begin(t, s); v != 5 || gave != 0 { // killed, but not of its models
			t.Errorf("version %d runs, %d was given up, want 5 and none", v, gave)
		}
	}
	install(t, s, 7)
	begin(t, s)
	if err := s.Pause(7); err != nil {
		t.Fatal(err)
	}
	if v, gave := begin(t, s); v != 7 || gave != 0 {
		t.Errorf("after a stop in order: version %d runs, %d was given up", v, gave)
	}
	if v, gave := begin(t, s); v != 5 || gave != 7 {
		t.Errorf("after a crash: version %d runs, %d was given up", v, gave)
	}
	st, err := s.State()
	if err != nil || st.Current != 5 || st.Failed != 7 || st.Why == "" || st.Trial {
		t.Errorf("the state is %+v, %v", st, err)
	}
	install(t, s, 7) // once more, it may have been the power
	if v, _ := begin(t, s); v != 7 {
		t.Errorf("version %d runs after another installation", v)
	}
	install(t, s, 8)
	begin(t, s)
	if v, gave := begin(t, s); v != 5 || gave != 8 {
		t.Errorf("version %d runs after %d was given up, want 5: version 7 never proved itself", v, gave)
	}
}

// A set that is damaged on disk is not run: the one before is, and where that is damaged too, the one in the program.
func TestDamagedSet(t *testing.T) {
	s := NewShelf(t.TempDir(), public(1), 3)
	install(t, s, 5)
	confirm(t, s, 5)
	install(t, s, 7)
	damage := func(version uint64) {
		if err := os.WriteFile(filepath.Join(s.Dir(version), "a.tflite"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	damage(7)
	o, err := s.Begin(t.Context())
	if err != nil || o.Version != 5 || o.GaveUp != 7 || !strings.Contains(o.Why, "a.tflite") {
		t.Errorf("got %+v, %v", o, err)
	}
	damage(5)
	if v, gave := begin(t, s); v != 0 || gave != 5 {
		t.Errorf("version %d runs, %d was given up", v, gave)
	}
}

// Only newer versions come onto the shelf; the way back is one step, and another one leads to the set in the program.
func TestVersions(t *testing.T) {
	s := NewShelf(t.TempDir(), public(1), 3)
	refuse := func(version uint64) {
		t.Helper()
		if _, _, err := s.Stage(bytes.NewReader(packed(t, version, "network"))); !errors.Is(err, ErrOld) {
			t.Errorf("version %d: got %v, want %v", version, err, ErrOld)
		}
	}
	refuse(2)
	refuse(3)
	install(t, s, 5)
	confirm(t, s, 5)
	install(t, s, 7)
	refuse(5)
	refuse(7)
	for _, want := range [][2]uint64{{7, 5}, {5, 0}} {
		if from, to, err := s.Rollback("the operator"); from != want[0] || to != want[1] || err != nil {
			t.Errorf("rolled back from %d to %d, %v; want %v", from, to, err, want)
		}
	}
	if _, _, err := s.Rollback("the operator"); err == nil {
		t.Error("there was something before the set in the program")
	}
	entries, err := os.ReadDir(s.dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), staging) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
	install(t, s, 8)
	newer := NewShelf(s.data, public(1), 9) // an upgrade of the program brought a newer set
	if v, _ := begin(t, newer); v != 0 {
		t.Errorf("version %d runs though the program has version 9", v)
	}
	if _, _, err := NewShelf(t.TempDir(), Signers{}, 1).Stage(bytes.NewReader(nil)); err == nil {
		t.Error("a pack was taken without a vendor")
	}
}

// Packs of the site are taken beside those of the vendor, and say who signed them; anybody else's are refused by name. A vendor's pack that
// kills its daemon gives way to the site's by itself, and where the site's key is taken away, that gives way to the program's.
func TestSigners(t *testing.T) {
	both := Signers{Vendor: public(1).Vendor, Site: public(2).Vendor}
	s := NewShelf(t.TempDir(), both, 3)
	signedBy := func(n byte, version uint64) []byte {
		var b bytes.Buffer
		if _, err := Write(&b, setFolder(t, version, "network"), vendorKey(n)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, c := range []struct {
		n       byte
		version uint64
		by      string
	}{{2, 5, BySite}, {1, 7, ByVendor}} {
		dir, info, err := s.Stage(bytes.NewReader(signedBy(c.n, c.version)))
		if err == nil {
			err = s.Adopt(dir, info)
		}
		if err != nil || info.By != c.by || s.By(c.version) != c.by {
			t.Fatalf("version %d: %+v, %v", c.version, info, err)
		}
		if v, _ := begin(t, s); v != c.version {
			t.Errorf("version %d runs, want %d", v, c.version)
		}
		if c.by == BySite {
			confirm(t, s, c.version)
		}
	}
	_, _, err := s.Stage(bytes.NewReader(signedBy(3, 9)))
	if !errors.Is(err, ErrUnsigned) || !strings.Contains(err.Error(), "neither by the vendor of this appliance nor by its site") {
		t.Errorf("a stranger's: %v", err)
	}
	if v, gave := begin(t, s); v != 5 || gave != 7 {
		t.Errorf("after a crash: version %d runs, %d was given up", v, gave)
	}
	alone := NewShelf(s.data, public(1), 3)
	if v, gave := begin(t, alone); v != 0 || gave != 5 || alone.By(5) != "" {
		t.Errorf("without the site's key: version %d runs, %d was given up", v, gave)
	}
}

// What an installation that died left behind costs nothing but room for an hour.
func TestLeftovers(t *testing.T) {
	s := NewShelf(t.TempDir(), public(1), 3)
	install(t, s, 5)
	old, young, forgotten := filepath.Join(s.dir(), staging+"old"), filepath.Join(s.dir(), staging+"young"), s.Dir(4)
	for _, dir := range []string{old, young, forgotten} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * staleAfter)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	install(t, s, 6)
	for dir, want := range map[string]bool{old: false, young: true, forgotten: false, s.Dir(5): true, s.Dir(6): true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(dir), err == nil, want)
		}
	}
}

// A damaged state is no reason not to start: the set in the program is used, and the next installation repairs it.
func TestDamagedState(t *testing.T) {
	s := NewShelf(t.TempDir(), public(1), 3)
	install(t, s, 5)
	if err := os.WriteFile(filepath.Join(s.dir(), stateName), []byte(`{"current":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if v, _ := begin(t, s); v != 0 {
		t.Errorf("version %d runs", v)
	}
	install(t, s, 6)
	if v, _ := begin(t, s); v != 6 {
		t.Errorf("version %d runs after the repair", v)
	}
}

// Whatever a file holds, it is either the pack that was signed or refused, and it writes only into its folder.
func FuzzUnpack(f *testing.F) {
	good := packed(f, 7, "network")
	f.Add(good)
	f.Add([]byte{})
	f.Add(assemble(f, append(entries(f, good), entry{"../x", []byte("x"), tar.TypeReg})))
	f.Add(good[:len(good)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := Unpack(bytes.NewReader(b), public(1), dir, nil); err == nil && !bytes.Equal(bytes.TrimRight(b, "\x00"), bytes.TrimRight(good, "\x00")) {
			// Headers of tar are not signed: what counts is that names, order and content are.
			if diff := cmp.Diff(entries(t, good), entries(t, b), cmp.AllowUnexported(entry{})); diff != "" {
				t.Error(diff)
			}
		}
		if left, err := os.ReadDir(parent); err != nil || len(left) != 1 {
			t.Errorf("the folder above holds %v, %v", left, err)
		}
	})
}
