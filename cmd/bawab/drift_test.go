package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/drift"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/store"
)

// counted puts the counts of twelve days into a data folder: of the ID fronts of each day one in ten has no birth date, and one in three
// since three days ago. None has the key of the card.
func counted(t *testing.T, dir string) {
	t.Helper()
	zone, err := egypt.Cairo()
	if err != nil {
		t.Fatal(err)
	}
	s := store.New(store.Config{Dir: dir})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	at := time.Now().AddDate(0, 0, -12)
	w := drift.New(s, func() time.Time { return at }, zone)
	for day := range 12 {
		nth := 10
		if day >= 9 {
			nth = 3
		}
		for i := range 90 + 3*day {
			d := appliance.Document{Kind: appliance.NationalIDFront}
			for _, f := range d.Kind.Model() {
				switch {
				case f.Name == "dateOfBirth" && i%nth == 0:
					d.Flag(f.Name, "", appliance.CodeUnreadable)
				case f.Name == "idKey":
					d.Flag(f.Name, "", appliance.CodeUnreadable)
				case f.Name != "address" || i%20 != 0:
					d.Fields = append(d.Fields, appliance.Field{Name: f.Name, Value: "x"})
				}
			}
			w.Decided(&appliance.Decision{Endpoint: appliance.EndpointIDFront, Documents: []appliance.Document{d}})
		}
		at = at.AddDate(0, 0, 1)
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// What the daemon counted before it was started again is warned of and shown in the console, day by day and in both languages;
// an admin sees the pictures that are kept since then, and acknowledges it with all that rose with it, and the warning ends. The doctor
// tells of it, too. What is read meanwhile is counted on.
func TestConsoleDrift(t *testing.T) {
	dir := t.TempDir()
	counted(t, dir)
	p := startProgram(t, dir)
	key := p.command("keys", "add", "operator", "--scopes", "ocr,admin,review", "--data", p.dir)
	warned := func() bool {
		t.Helper()
		r, err := http.Get("http://" + p.listen + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		return err == nil && strings.Contains(string(text), "no Date of birth on 3")
	}
	if !warned() {
		t.Error("/readyz does not warn")
	}
	b := openBrowser(t, p)
	b.enter(key)
	b.resize(screens()[0])
	b.press("nav.rooms a", "Drift")
	b.see(".drift .mend", "no Date of birth on 3")
	b.see(".drift .plot.risen", "Date of birth: not read")
	b.await(`document.querySelector(".drift .plot.risen")?.querySelectorAll(".bar").length === 12`)
	const scales = `[...document.querySelectorAll(".plot .mark")].map(m => m.textContent).filter(s => s.endsWith("%")).map(parseFloat)`
	b.await("(s => s.length > 1 && Math.max(...s) === 100)(" + scales + ")") // of a share there is no more
	script := axe(t)
	for _, language := range []string{"en", "ar"} {
		b.accessible(script, "drift "+language)
		if os.Getenv("PAGE_SHOTS") != "" {
			b.shot("room-drift-" + language)
			b.resize(screens()[2])
			b.shot("room-drift-tall-" + language)
			b.resize(screens()[0])
		}
		b.touch(".language", "0")
	}
	doctor, err := exec.Command("bawab", "doctor", "--data", p.dir).Output() // it fails where something else is wrong with the machine
	if said := string(doctor); !strings.Contains(said, "no Date of birth on 3") || !strings.Contains(said, "lens") {
		t.Errorf("the doctor says %s, %v", said, err)
	}
	if n := b.ask(`String(document.querySelectorAll(".drift .mend li").length)`); n == "1" {
		t.Error("one series alone has risen: nothing is acknowledged as a whole")
	}
	b.await(`document.querySelector(".drift .mend a.button")?.hash.startsWith("#review/national_id_front/20")`)
	b.press(".drift .mend a.button", "See its pictures")
	b.see(".review .since", "Pictures since")
	b.accessible(script, "pictures of a rise")
	b.press("nav.rooms a", "Drift")
	b.press(".drift .mend .button", "Expect it from now on")
	b.await(`document.querySelector("dialog input[type=checkbox]")?.checked === true`)
	b.press("dialog .button", "Expect it from now on")
	b.see(".drift .notice.good", "Readings are what they were")
	if warned() {
		t.Error("/readyz warns of what was acknowledged")
	}
	if log := p.command("audit", "export", "--data", p.dir); !slices.ContainsFunc(strings.Split(log, "\n"), func(line string) bool {
		return strings.Contains(line, "drift.acknowledged") && strings.Contains(line, "read.national_id_front.empty.dateOfBirth") &&
			strings.Contains(line, "operator")
	}) {
		t.Error("the journal does not name who acknowledged")
	}
	b.calm()
}
