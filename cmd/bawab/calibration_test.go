package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/daemon/packtest"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// numbers is the text of the program's calibration with other numbers, from and to by turns.
func numbers(t *testing.T, changes ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(repository, "models", models.CalibrationFile))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := 0; i < len(changes); i += 2 {
		if strings.Count(text, changes[i]) != 1 {
			t.Fatalf("%q stands %d times in the calibration", changes[i], strings.Count(text, changes[i]))
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return text
}

// lineOf is the line of a text in which a piece of it stands.
func lineOf(text, piece string) string {
	before, _, _ := strings.Cut(text, piece)
	return strconv.Itoa(1 + strings.Count(before, "\n"))
}

// trusting is a calibration by which the doubt about cardDoubt is none.
func trusting(t *testing.T) string {
	return numbers(t, `"right family_names limit": 0.95`, `"right family_names limit": 0`)
}

// doubted reports whether an answer says that the value of cardDoubt may be wrong.
func doubted(r reply) bool { return slices.Contains(codes(r, cardDoubt), appliance.CodeLowConfidence) }

// Property: a daemon reads by the calibration that a pack brings from the moment on in which the pack is taken, without a lost request,
// and by that of the program again when it is rolled back; `scan` reads by it beforehand, and lists and the journal say which one counts.
func TestCalibrationOfAPack(t *testing.T) {
	work, dir := t.TempDir(), t.TempDir()
	key, file, packed := filepath.Join(work, "site.pem"), filepath.Join(work, "mine.json"), filepath.Join(work, "mine.tar")
	t.Setenv("BAWAB_MODELS_SITE_KEY", proof.PublicText(makeSiteKey(t, key)))
	if err := os.WriteFile(file, []byte(trusting(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, dir)
	card := map[string]any{"image": fileText(t, cardFile)}
	before := p.mustPost(appliance.EndpointIDFront, card)
	if !doubted(before) {
		t.Fatalf("nothing is in doubt: %+v", before)
	}
	scan := func(args ...string) string {
		return p.command(append([]string{"scan", cardFile, "--endpoint", "id/front", "--data", dir, "--json"}, args...)...)
	}
	const doubt = `"field":"` + cardDoubt + `"`
	if !strings.Contains(scan(), doubt) || strings.Contains(scan("--calibration", file), doubt) {
		t.Error("scan does not read by the calibration of a file")
	}
	made := p.command("models", "pack", "--calibration", file, "--key", key, "--out", packed, "--data", dir)
	if !strings.Contains(made, "id_front.jpg: ok") {
		t.Errorf("the reference pictures were not read:\n%s", made)
	}
	if strings.Contains(scan("--models", packed), doubt) {
		t.Error("scan does not read by the calibration of a pack")
	}
	readWhile(t, p, card, func() {
		p.command("models", "install", packed, "--data", dir)
		if after := p.mustPost(appliance.EndpointIDFront, card); doubted(after) || after.Data[cardDoubt] != before.Data[cardDoubt] {
			t.Errorf("after: %+v", after)
		}
		for command, want := range map[string]string{"list": "calibration: of the pack, 2", "verify": "calibration: ok, of the pack, 2"} {
			if said := p.command("models", command, "--data", dir); !strings.Contains(said, want) {
				t.Errorf("%s says\n%s", command, said)
			}
		}
		p.command("models", "rollback", "--data", dir)
	})
	if again := p.mustPost(appliance.EndpointIDFront, card); !doubted(again) {
		t.Errorf("rolled back: %+v", again)
	}
	if said := p.command("models", "verify", "--data", dir); !strings.Contains(said, "calibration: ok, of the program, 2") {
		t.Errorf("verify says\n%s", said)
	}
	if log := p.command("audit", "export", "--json", "--data", dir); strings.Count(log, `"calibration":"`) < 3 {
		t.Errorf("the journal does not name the calibrations:\n%s", log)
	}
}

// readWhile sends a picture from two sides while something is done; each answer is one of either calibration, and both come.
func readWhile(t *testing.T, p *program, card map[string]any, do func()) {
	t.Helper()
	var sure, unsure atomic.Int64
	var load sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		load.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, err := p.post(t.Context(), appliance.EndpointIDFront, card)
				if err != nil || r.Status != 200 || r.Data[cardDoubt] == "" {
					t.Errorf("lost: %+v, %v", r, err)
					return
				}
				if doubted(r) {
					unsure.Add(1)
				} else {
					sure.Add(1)
				}
			}
		})
	}
	appliancetest.Until(t, patience, "requests are answered", func() bool { return unsure.Load() > 2 || t.Failed() })
	do()
	close(stop)
	load.Wait()
	if sure.Load() == 0 || unsure.Load() == 0 {
		t.Errorf("%d answers without a doubt, %d with one", sure.Load(), unsure.Load())
	}
}

// Property: a calibration that is wrong is refused where its pack is made, and where it was packed all the same where it is installed, with
// line and reason; one by which documents are not read, with the picture. The models in use go on, and the journal has it.
func TestBadCalibrations(t *testing.T) {
	vendor, dir, work := packtest.New(t), t.TempDir(), t.TempDir()
	makeSiteKey(t, filepath.Join(work, "site.pem"))
	p := startProgram(t, dir)
	const gap = `"word gap": 2.2`
	text := numbers(t)
	at := lineOf(text, gap)
	installed := 0
	for name, test := range map[string]struct {
		text, want string
		packs      bool // it can be put into a pack: its form is right
	}{
		"no number": {numbers(t, gap, `"word gap": "wide"`), "calibration.json:" + at + ": word gap is no number", false},
		"twice":     {numbers(t, gap, gap+",\n"+gap), "word gap stands in line " + at + " already", false},
		"missing": {
			numbers(t, gap+",\n", ""),
			"calibration.json:" + lineOf(text, `"name": "judged"`) + `: the number "word gap" of group judged is missing`, true,
		},
		"unknown":        {numbers(t, gap, gap+`, "word hole": 1`), "calibration.json:" + at + `: there is no number "word hole"`, true},
		"below nothing":  {numbers(t, gap, `"word gap": -2`), "calibration.json:" + at + `: "word gap" is -2, it must be above 0`, true},
		"another group":  {numbers(t, `"name": "judged"`, `"name": "guessed"`), `: there is no group guessed`, true},
		"reads no card":  {numbers(t, `"least glyph": 3.55`, `"least glyph": 900`), "id_front.jpg: FAILED", true},
		"above one":      {numbers(t, `"right family_names limit": 0.95`, `"right family_names limit": 96`), `it must be from 0 to 1`, true},
		"nothing at all": {"", "calibration.json:1: it ends too early", false},
	} {
		file := filepath.Join(work, "bad.json")
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			refused(t, work, dir, test.want, "models", "pack", "--calibration", file, "--key", "site.pem", "--out", "bad.tar")
			if _, err := os.Stat(filepath.Join(work, "bad.tar")); err == nil {
				t.Error("a pack was written")
			}
			if !test.packs {
				return
			}
			installed++
			packed := filepath.Join(t.TempDir(), "bad.tar")
			if err := os.WriteFile(packed, vendor.Calibrated(goodSet, test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			refused(t, work, dir, test.want, "models", "install", packed)
		})
	}
	if log := p.command("audit", "export", "--data", dir); strings.Count(log, "models.failed") != installed {
		t.Errorf("of %d refusals the journal has\n%s", installed, log)
	}
	if r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": fileText(t, cardFile)}); !doubted(r) {
		t.Errorf("%+v", r)
	}
}

// Property: a daemon gives up a set whose calibration is wrong, or reads no document, for the one before: as it starts, and as it goes over
// to it.
func TestCalibrationIsGivenUp(t *testing.T) {
	vendor, dir := packtest.New(t), filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	blind := numbers(t, `"least glyph": 3.55`, `"least glyph": 900`)
	vendor.Adopt(dir, vendor.Calibrated(goodSet, blind))
	p := startProgram(t, dir)
	if said := p.command("models", "list", "--data", dir); !strings.Contains(said, "given up: version 2999010101 (read by calibration.json") {
		t.Errorf("list says\n%s", said)
	}
	vendor.Adopt(dir, vendor.Calibrated(betterSet, trusting(t)))
	if m, err := p.switchModels(); err != nil || m.Version != betterSet {
		t.Fatalf("%+v are in use, %v", m, err)
	}
	if err := pack.NewShelf(dir, pack.Signers{Vendor: vendor.Public}, 1).Confirm(betterSet); err != nil { // as after its trial
		t.Fatal(err)
	}
	for i, text := range []string{numbers(t, `"idle": 4`, `"idle": -4`), blind} {
		version := brokenSet + uint64(i)
		vendor.Adopt(dir, vendor.Calibrated(version, text))
		_, err := p.switchModels()
		if err == nil || !strings.Contains(err.Error(), "was given up: ") || !strings.Contains(err.Error(), "calibration.json") {
			t.Errorf("version %d: %v", version, err)
		}
		if r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": fileText(t, cardFile)}); r.Status != 200 || doubted(r) {
			t.Errorf("the calibration before is not in use: %+v", r)
		}
	}
}
