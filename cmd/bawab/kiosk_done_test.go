package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
)

// film writes what a browser's camera sees from its next start: each picture for a quarter of a second, over and over.
func film(t *testing.T, path string, samples ...string) {
	t.Helper()
	var all bytes.Buffer
	for _, name := range samples {
		raw, err := os.ReadFile(samplePath(t, name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(bytes.Repeat(raw, 8))
	}
	if err := os.WriteFile(path+".new", all.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// A living customer who is the one on the ID is done; what the kiosk read and saw waits in the review queue where the bank keeps it.
func TestKioskDone(t *testing.T) {
	camera := filepath.Join(t.TempDir(), "camera.mjpeg")
	film(t, camera, "id_front.jpg")
	p := startProgram(t, t.TempDir(), append(reviewEnviron(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_KIOSK_KINDS=national_id",
		"BAWAB_KIOSK_STEPS=check,face", "BAWAB_KIOSK_LANGUAGES=en", "BAWAB_KIOSK_TIMEOUT=5m")...)
	admin := p.command("keys", "add", "integrator", "--scopes", "review,admin", "--data", p.dir)
	events := p.follows(admin)
	b := openBrowser(t, p, chromedp.Flag("use-file-for-fake-video-capture", camera))
	b.letIn(p)
	b.press(".kinds .big", "Begin")
	b.see(".answers .big", "Yes")
	film(t, camera, "burst/1.jpg", "burst/2.jpg", "burst/3.jpg")
	b.press(".answers .big", "Yes")
	b.see(".last h1", "Thank you")
	e := ending(t, events)
	if e.Outcome != "done" {
		t.Fatalf("the outcome is %+v", e)
	}
	r := p.transaction(admin, e.Transaction)
	records, _ := r.Data["records"].([]any)
	last, _ := records[len(records)-1].(map[string]any)
	seen, _ := last["liveness"].(map[string]any)
	if last["endpoint"] != string(appliance.EndpointLiveness) || seen["isLive"] != true || seen["isMatched"] != true {
		t.Errorf("the integrator finds %+v", last)
	}
	p.secret = admin
	if status, list := p.get("/v1/review"); status != 200 || !bytes.Contains(list, []byte(`"kind":"liveness"`)) ||
		!bytes.Contains(list, []byte(`"kind":"national_id_front"`)) {
		t.Errorf("%d, the queue is %s", status, list)
	}
	b.calm()
}
