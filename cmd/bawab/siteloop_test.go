package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/eval/report"
	"github.com/bawab/bawab/store"
)

// A drawn ID without a portrait, and the field of it that is right and flagged until the site has learned.
const (
	cardFile  = "testdata/doubtful_id.jpg"
	cardDoubt = "last_names"
)

// A person needs so long to look at one place and to press a key: the operators M and K of the keystroke-level model (Card, Moran and
// Newell, 1980; an average typist).
const (
	secondsToLook  = 1.35
	secondsForAKey = 0.28
	// clerkSeconds is how long a clerk may take for a document.
	clerkSeconds = 6.0
)

// office is a site that reviews what its appliance reads, and learns from it.
type office struct {
	*program
	key, set, pack string           // the file of the site's key, the truth set, what was learned
	flagged        []appliance.Code // the codes of cardDoubt before
	holder         string           // the number of him who is erased in the end
}

// openOffice starts the daemon of a site with a key of its own, on the reviews of its days before.
func openOffice(t *testing.T) *office {
	t.Helper()
	work := t.TempDir()
	o := &office{key: filepath.Join(work, "site.pem"), set: filepath.Join(work, "set"), pack: filepath.Join(work, "site.tar")}
	t.Setenv("BAWAB_MODELS_SITE_KEY", proof.PublicText(makeSiteKey(t, o.key)))
	dir := t.TempDir()
	reviewedBefore(t, dir)
	o.program = startProgram(t, dir, append(reviewEnviron(), "BAWAB_REVIEW_KEEP=90")...)
	o.secret = o.command("keys", "add", "desk", "--scopes", "ocr,face,review", "--data", dir)
	return o
}

// reviewedBefore puts into a data folder what two clerks confirmed on the 22 days before today, four documents a day: of these days at
// least ten are odd and ten are even, so that each half has the 40 documents without which nothing is learned. Four more are of another
// card, whose words too few persons have.
func reviewedBefore(t *testing.T, dir string) {
	t.Helper()
	cfg := &configs.Config{Data: t.TempDir()}
	cfg.Picture = configs.Picture{MaxBytes: 8 << 20, MaxPixels: 25_000_000, MinSide: 64}
	card, rare := confirmedCard{release: version}, confirmedCard{release: version}
	card.picture, card.document = flaggedCard(t, cfg)
	rare.picture, rare.document = readCard(t, cfg, "../../models/samples/documents/10.jpg")
	s := store.New(store.Config{Dir: dir})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 88 {
		card.keep(t, s, time.Now().AddDate(0, 0, -1-i/4), []string{"mona", "samir"}[i%2])
	}
	for day := range 4 {
		rare.keep(t, s, time.Now().AddDate(0, 0, -2-day), "samir")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// sends reads documents and faces, all of which are kept: a card with a doubt, a card, a passport, the back of a card, and the face
// checks of the second card's holder.
func (o *office) sends() {
	o.t.Helper()
	face, burst := map[string]any{"image": samplePictureText(o.t, "face.jpg")}, map[string]any{}
	for _, n := range []string{"1", "2", "3"} {
		burst["face_"+n] = samplePictureText(o.t, "burst/"+n+".jpg")
	}
	for _, step := range []struct {
		endpoint appliance.Endpoint
		members  map[string]any
	}{
		{appliance.EndpointIDFront, map[string]any{"image": fileText(o.t, cardFile)}},
		{appliance.EndpointPassport, map[string]any{"image": samplePictureText(o.t, "passport.jpg")}},
		{appliance.EndpointIDBack, map[string]any{"image": samplePictureText(o.t, "id_back.jpg")}},
		{appliance.EndpointIDFront, map[string]any{"image": samplePictureText(o.t, "id_front.jpg")}},
		{appliance.EndpointFaceMatch, face},
		{appliance.EndpointLiveness, burst},
	} {
		r := o.mustPost(step.endpoint, step.members)
		if r.Data["reviewed"] != true {
			o.t.Fatalf("%s: %+v", step.endpoint, r)
		}
		if o.flagged == nil {
			o.flagged = codes(r, cardDoubt)
		}
		if number, ok := r.Data["idNumber"].(string); ok {
			o.holder = number
		}
		face["transaction_id"], burst["transaction_id"] = r.Data["transaction_id"], r.Data["transaction_id"]
	}
	if len(o.flagged) == 0 || len(o.holder) != 14 {
		o.t.Fatalf("nothing to learn or to erase: %v, %q", o.flagged, o.holder)
	}
}

// decides lets a clerk, whose key has the scope review alone, decide about all that waits, by keyboard.
func (o *office) decides(b *browser) {
	o.t.Helper()
	b.run(chromedp.Navigate(b.base + "/console/"))
	b.write("input[name=key]", o.command("keys", "add", "mona", "--scopes", "review", "--data", o.dir)+"\r")
	b.see("nav.rooms", "Review")
	if rooms := b.ask(`document.querySelector("nav.rooms").innerText`); strings.Contains(rooms, "Keys") || strings.Contains(rooms, "Health") {
		o.t.Errorf("a clerk is shown %q", rooms)
	}
	const waiting = 6
	b.see("[role=tab]", fmt.Sprintf("Waiting (%d)", waiting))
	script, order := axe(o.t), []string{}
	for n := range waiting {
		b.see(".room.review header .hint", fmt.Sprintf("%d decided", n))
		b.await(`document.activeElement?.closest(".reviewed") !== null && [...document.querySelectorAll(".reviewed canvas, .reviewed img")]
			.some(c => c.tagName === "IMG" ? c.naturalWidth > 0 : c.toDataURL().length > 5000)`)
		order = append(order, b.ask(`document.querySelector(".reviewed h2").innerText`))
		if n == 0 || order[n] == "Face match" {
			b.accessible(script, order[n])
		}
		o.decideOne(b, order[n], n > 0)
	}
	b.see(".notice", "Nothing waits")
	if order[0] != "National ID, front" {
		o.t.Errorf("what raised a doubt is not shown first: %q", order)
	}
}

// decideOne decides about what is shown; of a second card one field cannot be read.
func (o *office) decideOne(b *browser, kind string, second bool) {
	o.t.Helper()
	doubts := atoi(o.t, b.ask(`String(document.querySelectorAll(".reviewed li.doubt").length)`))
	at := func(field string) {
		for range 20 {
			if b.ask(`document.activeElement.dataset.field ?? ""`) == field {
				return
			}
			b.run(chromedp.KeyEvent(kb.ArrowDown))
		}
		o.t.Fatalf("no key leads to %s", field)
	}
	confirm := chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	switch {
	case kind == "Passport":
		at("name")
		b.run(chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`))
		b.run(chromedp.KeyEvent("AMINA"))
		b.see(".reviewed li.changed", "")
		b.run(confirm)
	case kind == "National ID, back":
		b.run(chromedp.KeyEvent(kb.F4))
	case kind == "Face match":
		b.run(chromedp.KeyEvent("1"), chromedp.KeyEvent(kb.Enter))
	case kind == "Liveness check":
		b.run(chromedp.KeyEvent("2"), chromedp.KeyEvent(kb.Enter))
	case second:
		at("address_1")
		b.run(chromedp.KeyEvent(kb.F2))
		b.await(`document.querySelector("[data-field=address_1]").readOnly`)
		b.run(confirm)
	default:
		keys := max(1, doubts)
		for range keys {
			b.run(chromedp.KeyEvent(kb.Enter))
		}
		seconds := float64(keys) * (secondsToLook + secondsForAKey)
		o.t.Logf("%s with %d doubts was confirmed with %d keys, which takes a clerk %.1f s", kind, doubts, keys, seconds)
		if seconds >= clerkSeconds {
			o.t.Errorf("a document takes a clerk %.1f s", seconds)
		}
	}
}

// differ lets a second clerk say that the passport was read rightly, and the head of the office, who is shown first that they differ and
// what each of them said, take the first one's side; then the page turns round in Arabic.
func (o *office) differ(b *browser) {
	o.t.Helper()
	_, list := o.get("/v1/review?kind=passport")
	id := string(regexp.MustCompile(`"id":"([^"]+)"`).FindSubmatch(list)[1])
	if d := o.mustPost(appliance.Endpoint("review/"+id+"/decision"), map[string]any{"verdict": "confirmed"}); d.Status != 200 {
		o.t.Fatalf("%+v", d)
	}
	b.press(".foot .button", "Sign out")
	b.see("h1", "Sign in")
	key := o.command("keys", "add", "head", "--scopes", "ocr,face,review,admin", "--data", o.dir)
	b.enter(key)
	b.press("nav.rooms a", "Review")
	b.press("[role=tab]", "Second look")
	b.see(".reviewed .top", "people differ")
	b.press(".reviewed summary", "What 2 have decided")
	b.see(".reviewed details .tag.bad", "AMINA")
	b.await(`document.activeElement?.dataset.field !== undefined || (document.querySelector(".reviewed input[data-field]").focus(), false)`)
	o.decideOne(b, "Passport", true)
	b.see(".room.review header .hint", "1 decided")
	b.press(".language", "العربية")
	b.see("h1", "المراجعة")
	if dir := b.ask(`document.documentElement.dir`); dir != "rtl" {
		o.t.Errorf("the page is %s", dir)
	}
	b.calm()
	o.secret = key
	var all []byte
	_, list = o.get("/v1/review?state=decided&limit=500")
	for _, id := range regexp.MustCompile(`"id":"([^"]+)"`).FindAllSubmatch(list, -1) {
		_, shown := o.get("/v1/review/" + string(id[1]))
		all = append(all, shown...)
	}
	for _, want := range []string{
		`"by":"mona"`, `"by":"head"`, `"verdict":"confirmed"`, `"AMINA"`, `"unreadable":["address_1"]`, `"verdict":"unreadable"`,
		`"same_person":false`, `"living":false`,
	} {
		if !bytes.Contains(all, []byte(want)) {
			o.t.Errorf("the decisions do not say %s", want)
		}
	}
}

// exports writes what was confirmed as a set and an archive, which opens elsewhere for its recipient; both are counted and measured.
func (o *office) exports() {
	o.t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		o.t.Fatal(err)
	}
	elsewhere := o.t.TempDir()
	keys, joined := filepath.Join(elsewhere, "key.txt"), filepath.Join(elsewhere, "set")
	if err := os.WriteFile(keys, []byte(identity.String()+"\n"), 0o600); err != nil {
		o.t.Fatal(err)
	}
	o.says(`written: 95 documents\nleft out: 1 that cannot be read\nleft out: 2 that are of faces`,
		"truth", "export", o.set, "--archive", o.archive(), "--recipient", identity.Recipient().String(), "--data", o.dir)
	o.says(`(?s)passport +name +(fit|test) +1 +0\.0 %.*head decided about 1 document\nmona decided about 47`, "truth", "stats", o.set)
	o.says(`written: 95 documents`, "truth", "import", joined, o.archive(), "--identity", keys, "--data", o.t.TempDir())
	o.says(`national_id_front`, "eval", "documents", filepath.Join(joined, "test"))
	if !bytes.Contains(everyFile(o.t, joined), []byte(o.holder)) {
		o.t.Error("the set elsewhere lacks a person")
	}
}

func (o *office) archive() string { return o.set + ".age" }

// says runs a command, and what it prints must match.
func (o *office) says(want string, args ...string) string {
	o.t.Helper()
	said := o.command(args...)
	if !regexp.MustCompile(want).MatchString(said) {
		o.t.Errorf("%s says %q, want %s", strings.Join(args[:2], " "), said, want)
	}
	return said
}

// learns makes a pack of the set, in which nothing of a person stands: no number, no whole value of words, and no word that fewer than
// five persons have.
func (o *office) learns() {
	o.t.Helper()
	o.says(`models.site_key: `, "learn", o.set, "--out", o.pack, "--key", o.key, "--wrong-silent", "5%", "--data", o.dir)
	set, err := truth.Open(o.set)
	if err != nil {
		o.t.Fatal(err)
	}
	learned, having, whole := o.learned(), map[string]map[string]bool{}, map[string]bool{}
	for _, l := range slices.Concat(set.Lines["fit"], set.Lines["test"]) {
		for _, value := range l.Documents[0].Fields {
			words := strings.Fields(value)
			whole[value] = len(words) > 1 || strings.ContainsAny(value, "0123456789")
			for _, word := range words {
				if having[word] == nil {
					having[word] = map[string]bool{}
				}
				having[word][l.Person] = true
			}
		}
	}
	rare := 0
	for word, persons := range having {
		if len(persons) >= 5 || len(word) < 3 {
			continue
		}
		rare++
		if strings.Contains(learned, word) {
			o.t.Errorf("the pack holds a word of %d persons", len(persons))
		}
	}
	for value, is := range whole {
		if is && strings.Contains(learned, value) {
			o.t.Error("the pack holds a whole value")
		}
	}
	if rare < 10 || len(whole) < 20 {
		o.t.Errorf("looked for %d words and %d values only", rare, len(whole))
	}
}

// learned is what the pack says beside its networks, all of which must be those that the site had.
func (o *office) learned() string {
	o.t.Helper()
	content, err := os.ReadFile(o.pack)
	if err != nil {
		o.t.Fatal(err)
	}
	files := tar.NewReader(bytes.NewReader(content))
	for {
		h, err := files.Next()
		if err != nil {
			o.t.Fatalf("the pack holds no site.json: %v", err)
		}
		if filepath.Base(h.Name) != "site.json" {
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil || !strings.Contains(string(text), cardDoubt) {
			o.t.Fatalf("%.300s, %v", text, err)
		}
		return string(text)
	}
}

// measures writes the page of all figures, and of no value, and prints it.
func (o *office) measures() {
	o.t.Helper()
	name := filepath.Join(o.t.TempDir(), "report.html")
	var f report.Figures
	said := o.command("eval", "report", o.set, "--out", name, "--pdf", "--json", "--data", o.dir)
	if err := json.Unmarshal([]byte(said), &f); err != nil {
		o.t.Fatal(err)
	}
	page, err := os.ReadFile(name)
	if err != nil {
		o.t.Fatal(err)
	}
	printed, err := os.ReadFile(strings.TrimSuffix(name, ".html") + ".pdf")
	if err != nil || !bytes.HasPrefix(printed, []byte("%PDF-")) || !bytes.Contains(printed, []byte("%%EOF")) {
		o.t.Errorf("the printed page has %d bytes, %v", len(printed), err)
	}
	if f.Set.Documents < 40 || len(f.Kinds) == 0 || f.Kinds[0].Right.Of < 40 || !bytes.Contains(page, []byte(f.Set.SHA256)) {
		o.t.Errorf("figures %+v", f)
	}
	if bytes.Contains(page, []byte(o.holder)) || bytes.Contains(page, []byte("AMINA")) {
		o.t.Error("the page holds a value")
	}
}

// installs takes what was learned into the running daemon, which reads the next card of that kind without the doubt and all else as
// before; and gives it up, after which it doubts as before.
func (o *office) installs() {
	o.t.Helper()
	card := map[string]any{"image": fileText(o.t, cardFile)}
	before := o.mustPost(appliance.EndpointIDFront, card)
	o.says(`^models of version \d+ are in use$`, "models", "install", o.pack, "--data", o.dir)
	after := o.mustPost(appliance.EndpointIDFront, card)
	if left := codes(after, cardDoubt); len(left) != 0 || after.Data[cardDoubt] != before.Data[cardDoubt] {
		o.t.Errorf("with what was learned %v is flagged %v", after.Data[cardDoubt], left)
	}
	o.says(`^models of version \d+ are in use$`, "models", "rollback", "--data", o.dir)
	if back := codes(o.mustPost(appliance.EndpointIDFront, card), cardDoubt); !slices.Equal(back, o.flagged) {
		o.t.Errorf("without it the flags are %v, want %v", back, o.flagged)
	}
}

// erases destroys one person, with both sides of his card and his faces, in the queue and in the set, and names the archive that is out
// of reach.
func (o *office) erases() {
	o.t.Helper()
	_, list := o.get("/v1/review?limit=500")
	said := o.says(`(?s)2 living transactions, 4 reviews.*removed: 1 document from the truth set `+regexp.QuoteMeta(o.set),
		"store", "erase", "--person", o.holder, "--data", o.dir)
	if !strings.Contains(said, o.archive()) {
		o.t.Errorf("erase names no archive: %q", said)
	}
	_, left := o.get("/v1/review?limit=500")
	if n := bytes.Count(list, []byte(`"id":`)) - bytes.Count(left, []byte(`"id":`)); n != 4 || bytes.Contains(left, []byte("face_match")) {
		o.t.Errorf("%d reviews are gone, want 4", n)
	}
	if bytes.Contains(everyFile(o.t, o.set), []byte(o.holder)) {
		o.t.Error("the person is still in the set")
	}
}

// accounted holds the journal against what was done: every step is there in its order, nothing of a person is, and nothing was changed.
func (o *office) accounted() {
	o.t.Helper()
	o.command("audit", "verify", "--data", o.dir)
	journal := o.command("audit", "export", "--json", "--data", o.dir)
	rest := journal
	for _, step := range []string{
		"key.added", `"decision"`, "console.in", "review.seen", "review.decided", "truth.exported", "models.installed", "models.used",
		"models.rolled_back", "models.used", "review.erased",
	} {
		_, after, found := strings.Cut(rest, step)
		if !found {
			o.t.Errorf("the journal does not have %s in its place", step)
			continue
		}
		rest = after
	}
	for _, text := range []string{o.holder, "AMINA", "رجب"} {
		if strings.Contains(journal, text) {
			o.t.Error("the journal says what was read")
		}
	}
}

// The whole loop of a site. Documents that are read come to the queue; a clerk confirms, corrects and gives up by keyboard, in the
// browser; what he decided becomes a set, figures and a signed pack; the running daemon takes the pack, doubts less and goes back; a
// person who asks for it is erased; and the journal accounts for all of it.
func TestSiteLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 280 pictures")
	}
	o := openOffice(t)
	b := openBrowser(t, o.program)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"send", o.sends},
		{"decide", func() { o.decides(b) }},
		{"differ", func() { o.differ(b) }},
		{"export", o.exports},
		{"learn", o.learns},
		{"measure", o.measures},
		{"install", o.installs},
		{"erase", o.erases},
		{"account", o.accounted},
	} {
		began := time.Now()
		step.do()
		t.Logf("%s: %v", step.name, time.Since(began).Round(10*time.Millisecond))
	}
}
