package main

import (
	"archive/tar"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models/pack"
)

// exercise is the folder of the drawn student cards.
func exercise(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(repository, "inference", "documents", "testdata", "egypt", "student"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// shell runs blocks of a page in a folder and returns what they print.
func shell(t *testing.T, dir string, parts []string, environ ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", strings.Join(parts, "\n"))
	c.Dir, c.Env = dir, append(os.Environ(), environ...)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, said.Bytes())
	}
	return string(out)
}

// madeOf runs the blocks of docs/adding-a-document.md up to the pack, and returns the folder in which they ran and the site's key.
func madeOf(t *testing.T, page string) (dir, key string) {
	t.Helper()
	for _, name := range []string{"bash", "openssl", "curl", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s on this machine", name)
		}
	}
	dir = t.TempDir()
	made := shell(t, dir, blocks(page, "sh"), "EXAMPLE="+exercise(t), "BAWAB_DATA="+filepath.Join(dir, "nothing"))
	for _, want := range []string{
		"proved: it is of the kind student_card\n", `"studentNumber": "20214471"`, "kind right      100.00 %  2 of 2",
		"kinds/student_card/00.jpg: ok\n", "kinds/student_card/01.jpg: ok\n", "kind student_card against the reference pictures: ok\n",
		"kinds.tar: version ",
	} {
		if !strings.Contains(made, want) {
			t.Errorf("the page does not print %q:\n%s", want, made)
		}
	}
	m := regexp.MustCompile(`(?m)^models.site_key: (\S+)$`).FindStringSubmatch(made)
	if m == nil {
		t.Fatalf("the page prints no key:\n%s", made)
	}
	return dir, m[1]
}

// Property: whoever does what docs/adding-a-document.md says has a kind of document that the program does not know served by a daemon,
// by the path, the fields and the rules of the others, and gone with its pack; what was read of it stays readable.
func TestAddingADocument(t *testing.T) {
	page := readDoc(t, "docs/adding-a-document.md")
	work, key := madeOf(t, page)
	t.Setenv("BAWAB_MODELS_SITE_KEY", key)
	dir := t.TempDir()
	p := startProgram(t, dir)
	endpoint := appliance.KindEndpoint("student_card")
	image := func(i int) map[string]any {
		return map[string]any{"image": base64.StdEncoding.EncodeToString(student(t, i))}
	}
	if r := p.mustPost(endpoint, image(0)); r.Status != 404 || r.Code != 404 {
		t.Fatalf("before: %+v", r)
	}
	served := shell(t, work, blocks(page, "bash"), "EXAMPLE="+exercise(t), "BAWAB_DATA="+dir, "API_URL=http://"+p.listen, "API_KEY="+p.secret)
	for _, want := range []string{
		" are in use\n", ", signed by the site, on trial\n", "\nkind of documents: student_card, 5 fields\n",
		"\nstudent_card\nمينا أشرف جمال حسن\n20214471\n2027-09-30\n",
	} {
		if !strings.Contains(served, want) {
			t.Errorf("the page does not print %q:\n%s", want, served)
		}
	}
	drawn := p.mustPost(endpoint, image(3))
	if drawn.Status != 200 || drawn.Data["studentNumber"] != "75615053" || drawn.Data["validUntil"] != "2027-04-13" ||
		drawn.Data["university"] != "جامعة القاهرة" || member(drawn.Services, "classification", "doc_type") != "student_card" {
		t.Errorf("a drawn card: %+v", drawn)
	}
	if drawn.Data["name"] != "YASSER ZAKI" && len(codes(drawn, "name")) == 0 { // a name in Latin letters is none of an Arabic field
		t.Errorf("a wrong name without a flag: %+v", drawn)
	}
	other := p.mustPost(endpoint, map[string]any{"image": samplePassport(t)})
	if member(other.Services, "classification", "doc_type") != "unknown" || len(codes(other, "")) != 1 || len(codes(other, "name")) == 0 {
		t.Errorf("a passport: %+v", other)
	}
	passport := p.mustPost(appliance.EndpointPassport, map[string]any{"image": samplePassport(t)})
	if passport.Data["passport_no"] != shownFields()["passport_no"] {
		t.Errorf("the kinds of the contract: %+v", passport)
	}
	if log := p.command("audit", "export", "--data", dir); !strings.Contains(log, "ocr/kinds/student_card") {
		t.Error("the journal does not name the endpoint")
	}
	p.command("models", "rollback", "--data", dir)
	if r := p.mustPost(endpoint, image(3)); r.Status != 404 {
		t.Errorf("after: %+v", r)
	}
	admin := p.command("keys", "add", "admin", "--scopes", "admin", "--data", dir)
	held := p.transaction(admin, drawn.Data["transaction_id"].(string))
	if records, _ := held.Data["records"].([]any); held.Code != 0 || len(records) != 1 {
		t.Errorf("what was read is not there: %+v", held)
	}
}

// Property: the console's room Try offers a kind that a pack brought, under the name that it prints, and shows what was read; the room
// Models names it.
func TestConsoleKinds(t *testing.T) {
	work, key := madeOf(t, readDoc(t, "docs/adding-a-document.md"))
	t.Setenv("BAWAB_MODELS_SITE_KEY", key)
	p := startProgram(t, t.TempDir())
	p.command("models", "install", filepath.Join(work, "kinds.tar"), "--data", p.dir)
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	b.see(".endpoint", "بطاقة طالب (student_card)")
	b.run(chromedp.SetValue(".endpoint select", "ocr/kinds/student_card"))
	b.await(`document.querySelector(".endpoint select").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.choose(onePicture, filepath.Join(exercise(t), "00.jpg"))
	b.see(".document .value", "مينا أشرف جمال حسن")
	b.see("[data-field=studentNumber]", "20214471")
	b.await(`document.querySelectorAll(".outlines polygon:is(.field, .doubt)").length === 5`)
	b.press("[role=tab]", "curl")
	b.see("pre", "/v1/ocr/kinds/student_card")
	b.press("nav.rooms a", "Models")
	b.see(".room.models", "student_card")
	b.calm()
}

// repacked is a pack with the content of a file replaced, signed again and not checked, as a vendor might by mistake.
func repacked(t *testing.T, work, file, content string) string {
	t.Helper()
	key, err := pack.ReadKey(filepath.Join(work, "site.pem"))
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(filepath.Join(work, "kinds.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	dir := t.TempDir()
	if _, err := pack.Unpack(in, pack.Signers{Site: key.Public().(ed25519.PublicKey)}, dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, err = pack.Write(&b, os.DirFS(dir), key)
	name := filepath.Join(t.TempDir(), "bad.tar")
	if err := errors.Join(err, os.WriteFile(name, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return name
}

// refused runs bawab in a folder, on the data of dir, and holds it to fail and to say what is wanted.
func refused(t *testing.T, work, dir, want string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "bawab", append(args, "--data", dir)...)
	c.Dir = work
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), want) {
		t.Errorf("%v\n%s\nwant %s", err, out, want)
	}
}

// Property: a kind that is wrong stops the pack where it is made, and where it was made all the same its installation, with file, line and
// reason; the models in use go on, and the journal has it.
func TestBadKinds(t *testing.T) {
	work, key := madeOf(t, readDoc(t, "docs/adding-a-document.md"))
	t.Setenv("BAWAB_MODELS_SITE_KEY", key)
	dir := t.TempDir()
	p := startProgram(t, dir)
	for name, test := range map[string]struct{ file, content, want string }{
		"a decoder": {"description.txt", "kind k\ntitle title\nfield f verse\n", "description.txt:3: field f: there is no decoder verse"},
		"a name":    {"description.txt", "kind unknown\n", "description.txt:1: unknown is the name of something that this program knows"},
		"a label":   {"labels.txt", "title: Card\ntitle: Pass\n", "labels.txt:2: label title stands in line 1 already"},
		"a truth":   {"truth.jsonl", `{"file": "00.jpg"}`, "truth.jsonl:1: 00.jpg shows 0 documents, want one"},
		"a number": {
			"truth.jsonl", `{"file": "00.jpg", "documents": [{"kind": "student_card", "fields": {"studentNumber": "1"}}]}` + "\n" +
				`{"file": "01.jpg", "documents": [{"kind": "student_card"}]}`,
			"00.jpg: FAILED: read kinds/student_card/00.jpg: studentNumber is wrong, and no code says so",
		},
	} {
		t.Run(name, func(t *testing.T) {
			wrong := repacked(t, work, "kinds/student_card/"+test.file, test.content)
			refused(t, work, dir, "student_card/"+test.want, "models", "install", wrong)
			kinds := filepath.Join(t.TempDir(), "student_card")
			if err := os.CopyFS(kinds, os.DirFS(filepath.Join(work, "kinds", "student_card"))); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(kinds, test.file), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			refused(t, work, dir, test.want, "models", "pack", "--kinds", filepath.Dir(kinds), "--key", "site.pem", "--out", "bad.tar")
			if _, err := os.Stat(filepath.Join(work, "bad.tar")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a pack was written: %v", err)
			}
		})
	}
	if log := p.command("audit", "export", "--data", dir); strings.Count(log, "models.failed") != 5 {
		t.Errorf("the journal has\n%s", log)
	}
	embedded, err := engine.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if m, err := p.switchModels(); err != nil || m.Version != embedded.Version() {
		t.Errorf("%+v are in use, %v", m, err)
	}
	if r := p.mustPost(appliance.EndpointPassport, map[string]any{"image": samplePassport(t)}); r.Status != 200 {
		t.Errorf("%+v", r)
	}
}

// Property: what `bawab learn` and a pack of networks do with a set keeps the kinds that it brings.
func TestPackOfASetKeepsItsKinds(t *testing.T) {
	set, err := engine.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if set, err = engine.WithKinds(set, exercise(t)); err != nil {
		t.Fatal(err)
	}
	c, err := set.Contents(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := pack.Write(&b, os.DirFS(dir), key); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for r := tar.NewReader(&b); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names[h.Name] = true
	}
	for _, want := range []string{"description.txt", "labels.txt", "README.md", "truth.jsonl", "00.jpg", "01.jpg"} {
		if !names["kinds/student_card/"+want] {
			t.Errorf("the pack lacks %s: %v", want, names)
		}
	}
}
