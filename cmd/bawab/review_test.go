package main

import (
	"bytes"
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

	"filippo.io/age"
	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
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

// A clerk whose key has the scope review alone confirms a document with one key for each doubt, and at least one, corrects a value of the
// next one beside its crop, and reaches no other room; what he decided is on record under his name. In Arabic the page turns round.
func TestConsoleReview(t *testing.T) {
	p := startProgram(t, t.TempDir(), reviewEnviron()...)
	b := openBrowser(t, p)
	p.secret = p.command("keys", "add", "desk", "--scopes", "ocr,face,review,admin", "--data", p.dir)
	samples := map[appliance.Endpoint]string{appliance.EndpointIDFront: "id_front.jpg", appliance.EndpointPassport: "passport.jpg"}
	for endpoint, name := range samples {
		if r := p.mustPost(endpoint, map[string]any{"image": samplePictureText(t, name)}); r.Data["reviewed"] != true {
			t.Fatalf("%s: %+v", name, r)
		}
	}
	b.run(chromedp.Navigate(b.base + "/console/"))
	b.write("input[name=key]", p.command("keys", "add", "mona", "--scopes", "review", "--data", p.dir)+"\r")
	b.see("nav.rooms", "Review")
	if rooms := b.ask(`document.querySelector("nav.rooms").innerText`); strings.Contains(rooms, "Keys") || strings.Contains(rooms, "Health") {
		t.Errorf("a clerk is shown %q", rooms)
	}
	b.see("[role=tab]", "Waiting (2)")
	b.see(".reviewed li.field", "")
	b.await(`[...document.querySelectorAll(".reviewed canvas")].some(c => c.toDataURL().length > 5000)`)
	doubts := b.ask(`String(document.querySelectorAll(".reviewed li.doubt").length)`)
	first, keys := b.ask(`document.querySelector(".reviewed h2").innerText`), 0
	for ; keys < 20 && strings.Contains(b.ask(`document.querySelector(".room.review header .hint").innerText`), "0 decided"); keys++ {
		b.run(chromedp.KeyEvent("\r"))
		b.await(`!document.querySelector(".verbs .main")?.disabled`)
	}
	t.Logf("%s with %s doubts was confirmed with %d keys", first, doubts, keys)
	if want := max(1, atoi(t, doubts)); keys != want {
		t.Errorf("%d keys for %d doubts, want one for each", keys, want)
	}
	b.await(`document.querySelector(".reviewed h2") !== null && document.querySelector(".reviewed h2").innerText !== "` + first + `"`)
	b.await(`document.activeElement?.tagName === "INPUT"`)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector(".reviewed input[data-field$=name]").select()`))
	b.run(chromedp.KeyEvent("AMINA"))
	b.see(".reviewed li.changed", "")
	b.press(".verbs .button", "Right, next")
	b.see(".notice", "Nothing waits")
	b.press(".language", "العربية")
	b.see("h1", "المراجعة")
	if dir := b.ask(`document.documentElement.dir`); dir != "rtl" {
		t.Errorf("the page is %s", dir)
	}
	b.calm()
	_, list := p.get("/v1/review?state=decided")
	ids := regexp.MustCompile(`"id":"([^"]+)"`).FindAllSubmatch(list, -1)
	if len(ids) != 2 {
		t.Fatalf("decided: %s", list)
	}
	var all []byte
	for _, id := range ids {
		_, shown := p.get("/v1/review/" + string(id[1]))
		all = append(all, shown...)
	}
	for _, want := range []string{`"by":"mona"`, `"verdict":"confirmed"`, `"verdict":"corrected"`, `"AMINA"`} {
		if !bytes.Contains(all, []byte(want)) {
			t.Errorf("the decisions do not say %s", want)
		}
	}
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What a clerk corrected becomes a truth set that the measuring command reads, with the machine's own reading counted as wrong where it
// was; an archive of it opens elsewhere for its recipient; and erasing the person removes him from the set and names the archive.
func TestTruthLoop(t *testing.T) {
	dir, work := t.TempDir(), t.TempDir()
	p := startProgram(t, dir, reviewEnviron()...)
	p.secret = p.command("keys", "add", "desk", "--scopes", "ocr,face,review", "--data", dir)
	r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": samplePictureText(t, "id_front.jpg")})
	number, _ := r.Data["idNumber"].(string)
	_, list := p.get("/v1/review")
	id := string(regexp.MustCompile(`"id":"([^"]+)"`).FindSubmatch(list)[1])
	corrected := map[string]any{"verdict": "corrected", "values": map[string]string{"first_name": "ماجدة"}}
	if d := p.mustPost(appliance.Endpoint("review/"+id+"/decision"), corrected); d.Status != 200 {
		t.Fatalf("%+v", d)
	}
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keys, set, archive, joined := filepath.Join(
		work,
		"key.txt",
	), filepath.Join(
		work,
		"set",
	), filepath.Join(
		work,
		"set.age",
	), filepath.Join(
		work,
		"joined",
	)
	if err := os.WriteFile(keys, []byte(identity.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said := p.command("truth", "export", set, "--archive", archive, "--recipient", identity.Recipient().String(), "--data", dir)
	if !strings.Contains(said, "written: 1 document") {
		t.Errorf("export says %q", said)
	}
	if said := p.command("audit", "export", "--json", "--data", dir); !strings.Contains(said, "truth.exported") {
		t.Error("the journal does not note the export")
	}
	half := "fit"
	if _, err := os.Stat(filepath.Join(set, half)); err != nil {
		half = "test"
	}
	if said := p.command("eval", "documents", filepath.Join(set, half)); !strings.Contains(said, "national_id_front") {
		t.Errorf("eval says %q", said)
	}
	if said := p.command("truth", "stats", set); !regexp.MustCompile(`first_name +`+half+` +1 +0\.0 %`).MatchString(said) ||
		!strings.Contains(said, "desk decided about 1 document") {
		t.Errorf("stats say %q", said)
	}
	if said := p.command("truth", "import", joined, archive, "--identity", keys, "--data", t.TempDir()); !strings.Contains(
		said,
		"written: 1 document",
	) {
		t.Errorf("import says %q", said)
	}
	said = p.command("store", "erase", "--person", number, "--data", dir)
	if !strings.Contains(said, "1 review") || !strings.Contains(said, "removed: 1 document from the truth set "+set) ||
		!strings.Contains(said, archive) {
		t.Errorf("erase says %q", said)
	}
	if bytes.Contains(everyFile(t, set), []byte(number)) || !bytes.Contains(everyFile(t, joined), []byte(number)) {
		t.Error("the person is still in the set, or gone from the one that was carried away")
	}
}
