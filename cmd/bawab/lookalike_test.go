package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents"
)

// student is the drawn student card of the exercise in docs/adding-a-document.md, which the daemon has no description of, with the name,
// the
// number and the date of the i-th student in the place of its own.
func student(t *testing.T, i int) []byte {
	t.Helper()
	drawn, err := os.ReadFile(filepath.Join("..", "..", "inference", "documents", "testdata", "egypt", "student", "00.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	card, err := jpeg.Decode(bytes.NewReader(drawn))
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(card.Bounds())
	draw.Draw(m, m.Bounds(), card, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(440, 196, 618, 310), image.NewUniform(card.At(500, 330)), image.Point{}, draw.Src)
	name := []string{"TAREK FAHMY", "MONA ASHRAF", "HEBA KASSEM", "YASSER ZAKI", "SALMA RAAFAT", "NOHA GHANEM", "KARIM LOTFY"}[i%7]
	written(t, m, image.Pt(460, 224), 17, 40, name, fmt.Sprint(48213740+9133771*i), fmt.Sprintf("20%d/0%d/1%d", 27+i%3, 1+i, i))
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Cards that the appliance does not know are shown as ones that look alike once five different ones have come, and a draft of their
// description is had that the engine loads and that holds nobody's value; the console shows both. With no picture kept there are none.
func TestUnknownCardsOfDaemon(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir, "BAWAB_REVIEW_KEEP=3", "BAWAB_REVIEW_LOOKS=1000")
	p.secret = p.command("keys", "add", "desk", "--scopes", "ocr,admin,review", "--data", dir)
	for i := range 6 {
		r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": base64.StdEncoding.EncodeToString(student(t, i))})
		if r.Status != 200 || r.Data["reviewed"] != true {
			t.Fatalf("card %d: %+v", i, r)
		}
	}
	var list struct {
		Data struct {
			Documents, Waiting int
			Groups             []struct {
				ID               string
				Cards, Different int
				Words            []string
			}
		}
	}
	for range 4 {
		status, body := p.get("/v1/review/cards")
		if err := json.Unmarshal(body, &list); status != 200 || err != nil {
			t.Fatalf("%d %s", status, body)
		}
		if list.Data.Waiting == 0 {
			break
		}
	}
	if len(list.Data.Groups) != 1 || list.Data.Documents != 6 || list.Data.Groups[0].Cards < 5 || len(list.Data.Groups[0].Words) < 3 {
		t.Fatalf("%+v", list.Data)
	}
	var draft struct {
		Data struct{ Kind, Description, Labels string }
	}
	status, body := p.get("/v1/review/cards/" + list.Data.Groups[0].ID + "/draft")
	if err := json.Unmarshal(body, &draft); status != 200 || err != nil {
		t.Fatalf("%d %s", status, body)
	}
	t.Logf("%+v\n%s\n%s", list.Data, draft.Data.Description, draft.Data.Labels)
	for _, value := range []string{"TAREK", "ASHRAF", "KASSEM", "4821374", "2027", "20214471"} {
		if strings.Contains(draft.Data.Description+draft.Data.Labels, value) {
			t.Errorf("%s is in the draft", value)
		}
	}
	for _, want := range []string{"بطاقة طالب", "الاسم", "رقم الطالب", "صالحة حتى"} {
		if !strings.Contains(draft.Data.Labels, want) {
			t.Errorf("the labels lack %s", want)
		}
	}
	loaded, err := documents.Load(fstest.MapFS{
		"card/description.txt": &fstest.MapFile{
			Data: []byte(draft.Data.Description),
		}, "card/labels.txt": &fstest.MapFile{Data: []byte(draft.Data.Labels)},
	})
	if err != nil || len(loaded) != 1 || string(loaded[0].Kind) != draft.Data.Kind {
		t.Errorf("the draft does not load: %v", err)
	}
	if log := p.command("audit", "export", "--json", "--data", dir); !strings.Contains(log, `"draft"`) {
		t.Error("the draft is not in the journal")
	}
	drafts := t.TempDir()
	first := "6 cards look alike: " + filepath.Join(drafts, "card_")
	if said := p.command("truth", "draft", drafts, "--data", dir); !strings.HasPrefix(said, first) {
		t.Errorf("the command says %q", said)
	}
	if said := p.command("truth", "draft", drafts, "--data", dir); !strings.Contains(said, "is there already") {
		t.Errorf("the command says %q", said)
	}
	for name, want := range map[string]string{"description.txt": draft.Data.Description, "labels.txt": draft.Data.Labels} {
		if got, err := os.ReadFile(filepath.Join(drafts, draft.Data.Kind, name)); err != nil || string(got) != want {
			t.Errorf("the command writes another %s: %s, %v", name, got, err)
		}
	}
	if log := p.command("audit", "export", "--data", dir); strings.Count(log, "by=command") != 2 {
		t.Errorf("the drafts of the command are not in the journal")
	}
	if status, _ := p.get("/v1/review/cards/" + appliance.NewGUID() + "/draft"); status != 404 {
		t.Errorf("another group: %d", status)
	}
	b := openBrowser(t, p)
	b.enter(p.secret)
	b.resize(screens()[0])
	b.press("nav.rooms a", "Review")
	b.press("[role=tab]", "New cards")
	b.see(".alike h2", "6 cards that look alike")
	b.press(".alike .button", "Show a card")
	b.await(`document.querySelector(".alike img")?.naturalWidth > 100`)
	b.press(".alike .button", "Draft a description")
	b.await(
		`decodeURIComponent(document.querySelector(".alike a[download]")?.href ?? "") !== "" &&
			document.querySelectorAll(".alike a[download]").length === 2`,
	)
	script := axe(t)
	b.accessible(script, "new cards")
	if os.Getenv("PAGE_SHOTS") != "" {
		b.resize(screens()[2])
		b.shot("room-cards-en")
		b.touch(".language", "0")
		b.shot("room-cards-ar")
	}
	b.calm()
}
