package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/inference/eval/report"
)

// reviewEnviron lets a daemon keep everything for review.
func reviewEnviron() []string {
	return []string{
		"BAWAB_REVIEW_KEEP=3", "BAWAB_REVIEW_FLAGGED=false", "BAWAB_REVIEW_LOOKS=1000",
		"BAWAB_REVIEW_KINDS=national_id_front,national_id_back,passport,face_match,liveness",
	}
}

// get asks for a path with the program's key.
func (p *program) get(path string) (status int, body []byte) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+p.listen+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("ApiKey", p.secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err = io.ReadAll(res.Body); err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, body
}

// What is kept is told, can be looked at and decided about with the scope review, lies on the disk as noise, stands in no metric and no
// log, and goes with its transaction or its person; without review.keep nothing of it is there.
func TestReviewOfDaemon(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir, reviewEnviron()...)
	p.secret = p.command("keys", "add", "desk", "--scopes", "ocr,face,review", "--data", dir)
	r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": samplePictureText(t, "id_front.jpg")})
	number, _ := r.Data["idNumber"].(string)
	if r.Status != 200 || r.Data["reviewed"] != true || len(number) != 14 {
		t.Fatalf("got %+v", r)
	}
	m := p.mustPost(
		appliance.EndpointFaceMatch,
		map[string]any{"image": samplePictureText(t, "face.jpg"), "transaction_id": r.Data["transaction_id"]},
	)
	if m.Status != 200 || m.Data["reviewed"] != true {
		t.Errorf("face match: %+v", m)
	}
	status, list := p.get("/v1/review")
	if status != 200 || bytes.Contains(list, []byte(number)) || bytes.Count(list, []byte(`"id":`)) != 2 {
		t.Fatalf("%d %s", status, list)
	}
	id := string(bytes.SplitN(bytes.SplitN(list, []byte(`"id":"`), 2)[1], []byte(`"`), 2)[0])
	if status, shown := p.get("/v1/review/" + id); status != 200 || !bytes.Contains(shown, []byte(number)) {
		t.Errorf("%d %s", status, shown)
	}
	status, picture := p.get("/v1/review/" + id + "/pictures/0")
	if _, err := jpeg.Decode(bytes.NewReader(picture)); status != 200 || err != nil {
		t.Errorf("picture: %d, %v", status, err)
	}
	status, crop := p.get("/v1/review/" + id + "/crops/idNumber")
	if c, err := jpeg.DecodeConfig(bytes.NewReader(crop)); status != 200 || err != nil || c.Width < 2*c.Height {
		t.Errorf("crop: %d, %+v, %v", status, c, err)
	}
	decided := p.mustPost(appliance.Endpoint("review/"+id+"/decision"), map[string]any{"verdict": "confirmed"})
	if decided.Status != 200 {
		t.Errorf("%+v", decided)
	}
	_, metrics := p.get("/metrics")
	for name, text := range map[string][]byte{"metrics": metrics, "log": p.log.Bytes(), "disk": everyFile(t, dir)} {
		if bytes.Contains(text, []byte(number)) {
			t.Errorf("the %s holds what was read", name)
		}
	}
	original, err := os.ReadFile(samplePath(t, "id_front.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(everyFile(t, dir), original[len(original)/2:len(original)/2+64]) {
		t.Error("the picture lies on the disk in clear")
	}
	if said := p.command("store", "erase", r.Data["transaction_id"].(string), "--data", dir); !strings.Contains(said, "2 records, 2 reviews") {
		t.Errorf("erase says %q", said)
	}
	if said := p.command("audit", "export", "--json", "--data", dir); !strings.Contains(said, `review.decided`) ||
		strings.Contains(said, number) {
		t.Errorf("the journal says %.300s", said)
	}
	p.mustPost(appliance.EndpointIDFront, map[string]any{"image": samplePictureText(t, "id_front.jpg")})
	if said := p.command("store", "erase", "--person", number, "--data", dir); !strings.Contains(said, "1 living transaction, 1 review") {
		t.Errorf("erase says %q", said)
	}
	if status, list := p.get("/v1/review"); status != 200 || bytes.Contains(list, []byte(`"id":`)) {
		t.Errorf("left: %d %s", status, list)
	}
}

// everyFile joins the files of a folder.
func everyFile(t *testing.T, dir string) (all []byte) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, b...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The loop of a kind that a model pack brings: its cards come to the queue with the fields of its description, one that nothing proves is
// marked; a clerk confirms by keyboard; what he decided is a truth set of that kind, counted and reported as others are.
func TestReviewOfPackKind(t *testing.T) {
	key, dir, set := filepath.Join(t.TempDir(), "site.pem"), t.TempDir(), filepath.Join(t.TempDir(), "set")
	t.Setenv("BAWAB_MODELS_SITE_KEY", proof.PublicText(makeSiteKey(t, key)))
	p := startProgram(t, dir, append(reviewEnviron(), "BAWAB_REVIEW_KINDS=kinds/student_card,face_match")...)
	pack := filepath.Join(t.TempDir(), "kinds.tar")
	p.command("models", "pack", "--kinds", exercise(t), "--key", key, "--out", pack, "--data", dir)
	p.command("models", "install", pack, "--data", dir)
	endpoint := appliance.KindEndpoint("student_card")
	p.secret = p.command("keys", "add", "desk", "--scopes", "ocr,review", "--data", dir)
	for _, picture := range [][]byte{student(t, 0), student(t, 3)} {
		if r := p.mustPost(endpoint, map[string]any{"image": base64.StdEncoding.EncodeToString(picture)}); r.Data["reviewed"] != true {
			t.Fatalf("%+v", r)
		}
	}
	for e, kept := range map[appliance.Endpoint]any{endpoint: true, appliance.EndpointPassport: nil} {
		if r := p.mustPost(e, map[string]any{"image": samplePassport(t)}); r.Data["reviewed"] != kept {
			t.Errorf("a passport at %s: %+v", e, r)
		}
	}
	b := openBrowser(t, p)
	b.run(chromedp.Navigate(b.base + "/console/"))
	b.write("input[name=key]", p.command("keys", "add", "mona", "--scopes", "review", "--data", dir)+"\r")
	b.see("nav.rooms", "Review")
	for n := range 3 {
		b.see(".room.review header .hint", fmt.Sprintf("%d decided", n))
		b.await(`document.activeElement?.closest(".reviewed") !== null`)
		if heading := b.ask(`document.querySelector(".reviewed h2").innerText`); heading != "student_card" {
			t.Errorf("shown as %q", heading)
		}
		if fields := b.ask(`[...document.querySelectorAll(".reviewed input[data-field]")].map(i => i.dataset.field).sort().join()`); fields !=
			"faculty,name,studentNumber,university,validUntil" {
			t.Errorf("fields %s", fields)
		}
		decide := chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
		if strings.Contains(b.ask(`document.querySelector(".reviewed .top").innerText`), "not proved") {
			decide = chromedp.KeyEvent(kb.F8)
		}
		b.run(decide)
	}
	b.see(".notice", "Nothing waits")
	b.calm()
	said := p.command("truth", "export", set, "--data", dir)
	if !strings.Contains(said, "written: 2 documents\nleft out: 1 that show another document") {
		t.Error(said)
	}
	said = p.command("truth", "stats", set)
	if !regexp.MustCompile(`student_card +studentNumber +(fit|test) +2 +100\.0 %`).MatchString(said) {
		t.Error(said)
	}
	half := "fit"
	if _, err := os.Stat(filepath.Join(set, half)); err != nil {
		half = "test"
	}
	page := filepath.Join(t.TempDir(), "report.html")
	said = p.command("eval", "report", set, "--half", half, "--out", page, "--json", "--data", dir)
	var f report.Figures
	if err := json.Unmarshal([]byte(said), &f); err != nil || len(f.Kinds) != 1 || f.Kinds[0].Kind != "student_card" || f.Kinds[0].N != 2 ||
		len(f.Kinds[0].Fields) != 5 {
		t.Errorf("%v, %+v", err, f.Kinds)
	}
}
