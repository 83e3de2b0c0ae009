package main

import (
	"bytes"
	"image/jpeg"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
