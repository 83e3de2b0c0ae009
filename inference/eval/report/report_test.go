package report

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/person"
	"github.com/bawab/bawab/inference/eval/score"
)

// readings are of three cards: one value of each outcome, and one that nobody can read.
func readings() []document.Reading {
	doubt := []appliance.Code{appliance.CodeLowConfidence}
	return []document.Reading{
		{
			File:     "a",
			Person:   "p",
			Kind:     appliance.NationalIDFront,
			Answered: appliance.NationalIDFront,
			Honest:   true,
			Elapsed:  2e8,
			Fields: []document.FieldReading{
				{Field: "idNumber", Right: true, Confidence: 0.9995}, {Field: "name", Right: true, Confidence: 0.6, Codes: doubt},
			},
			Cues: []document.CueReading{{Name: "screen_replay", Score: 0.1, Threshold: 0.8}},
		},
		{
			File:     "b",
			Person:   "p",
			Kind:     appliance.NationalIDFront,
			Answered: appliance.NationalIDFront,
			Elapsed:  4e8,
			Fields: []document.FieldReading{
				{Field: "idNumber", Confidence: 0.97}, {Field: "name", Confidence: 0.4, Codes: doubt},
			},
			Cues: []document.CueReading{{Name: "screen_replay", Score: 0.9, Threshold: 0.8}},
		},
		{File: "c", Person: "q", Kind: appliance.NationalIDFront, Honest: true, Elapsed: 3e8, Fields: []document.FieldReading{
			{Field: "idNumber", Empty: true}, {Field: "name", Empty: true, Covered: true},
		}},
	}
}

// Every value of a field has one of the four outcomes, and the fields come in the order of the contract.
func TestKindsOf(t *testing.T) {
	kinds := kindsOf(readings(), nil)
	if len(kinds) != 1 || kinds[0].N != 3 || kinds[0].Right.OK != 2 || kinds[0].Honest.OK != 2 {
		t.Fatalf("%+v", kinds)
	}
	name, number := kinds[0].Fields[0], kinds[0].Fields[1]
	if name.Field != "name" || name.Flagged.OK != 1 || name.Wrong.OK != 2 || name.Silent.OK != 0 {
		t.Errorf("name: %+v", name)
	}
	if number.Exact.OK != 1 || number.Silent.OK != 1 || number.Wrong.OK != 1 {
		t.Errorf("number: %+v", number)
	}
	for _, f := range kinds[0].Fields {
		if sum := f.Exact.OK + f.Flagged.OK + f.Wrong.OK + f.Silent.OK; sum != f.N || f.N != 3 {
			t.Errorf("%s: %d outcomes of %d", f.Field, sum, f.N)
		}
	}
}

// A kind that a model set brings stands behind those of the contract, with its fields in the order of its description.
func TestKindsOfPack(t *testing.T) {
	brought := appliance.KindModel{Kind: "club_card", Fields: []appliance.FieldSpec{{Name: "number"}, {Name: "member"}}}
	of := append(readings(), document.Reading{File: "d", Kind: "club_card", Answered: "club_card", Fields: []document.FieldReading{
		{Field: "member", Right: true, Confidence: 0.99}, {Field: "number", Right: true, Confidence: 0.99},
	}})
	kinds := kindsOf(of, []appliance.KindModel{brought})
	if len(kinds) != 2 || kinds[1].Kind != "club_card" || kinds[1].N != 1 ||
		len(kinds[1].Fields) != 2 || kinds[1].Fields[0].Field != "number" {
		t.Errorf("%+v", kinds)
	}
}

// Errors at the working point and along the curve are those that can be counted by hand, attacks by their kinds.
func TestTrials(t *testing.T) {
	m := matchOf(
		person.Pairs{
			Genuine:  []float64{0.9, 0.8, 0.2, person.Refused},
			Impostor: []float64{0.1, 0.3, 0.05, 0},
			Pictures: 8,
			Acquired: 7,
			Subjects: 4,
		},
		0.25,
	)
	if m.Refused.OK != 2 || m.Passed[everyone].OK != 1 || m.Taken.OK != 7 || m.EER < 0.25 || m.EER > 0.5 {
		t.Errorf("match: %+v", m)
	}
	for _, p := range m.Curves[everyone] {
		if p.Threshold == 0.3 && (p.Passed != 0.25 || p.Refused != 0.5) {
			t.Errorf("at 0.3: %+v", p)
		}
	}
	l := livenessOf([]person.Presentation{
		{Subject: "a", Attack: 0.1, Live: true},
		{Subject: "b", Attack: 0.2},
		{Kind: "print", Subject: "a", Attack: 0.9},
		{Kind: "screen", Subject: "c", Attack: 0.3, Live: true},
		{Kind: "screen", Failed: true},
	})
	if l.Refused.OK != 1 || l.Passed["screen"].OK != 1 || l.Passed["print"].OK != 0 || l.Worst != "screen" || l.Subjects != 3 ||
		l.Presentations != [2]int{2, 2} {
		t.Errorf("liveness: %+v", l)
	}
	f := fraudOf(
		readings(),
		[]document.Presentation{{Attack: "screen_replay/phone", Found: true, Fake: true, Cues: readings()[1].Cues}, {Attack: "grey_copy"}},
	)
	if f.Refused.OK != 1 || f.Refused.Of != 2 || f.Taken.OK != 3 || f.Taken.Of != 5 || f.Passed["screen_replay/phone"].OK != 0 {
		t.Errorf("fraud: %+v", f)
	}
	if sure, _ := surely([]document.CueReading{{Score: 0.8, Threshold: 0.8}}); math.Abs(sure-0.5) > 1e-9 {
		t.Errorf("at its threshold a cue is sure by %g", sure)
	}
}

// A difference counts where chance hardly makes it, in both directions.
func TestMoved(t *testing.T) {
	of := func(ok, n int) (s score.Share) { s.Count(ok, n); return s }
	for _, c := range []struct {
		here, release score.Share
		want          int
	}{{of(80, 100), of(99, 100), -1}, {of(99, 100), of(80, 100), 1}, {of(97, 100), of(99, 100), 0}, {of(0, 0), of(9, 10), 0}, {
		of(5, 5),
		of(5, 5), 0,
	}} {
		if got := moved(c.here, c.release); got != c.want {
			t.Errorf("%v against %v: %d", c.here, c.release, got)
		}
	}
}

// figuresOf are whole figures, with an attack whose name is markup.
func figuresOf() Figures {
	f := Figures{
		Form: Form, Program: "1.2", Set: Set{
			Name: "set <b>", Half: "test", SHA256: "ab12", Documents: 3, Persons: 2,
			Releases: []string{"1.0"}, Days: 2,
		},
		Models: Models{7, []Model{{"text", "cd34", "clean"}}}, Kinds: kindsOf(readings(), nil), Speed: speedOf(readings(), 2, 9e9),
	}
	f.Reliability, f.CalibrationError = reliabilityOf(readings())
	f.Match = matchOf(person.Pairs{Genuine: []float64{0.9, 0.2}, Impostor: []float64{0.1, 0.3}, Pictures: 4, Acquired: 4}, 0.25)
	f.Liveness = livenessOf([]person.Presentation{{Live: true}, {Kind: "</script><i>", Attack: 0.9}})
	f.Fraud = fraudOf(readings(), nil)
	return f
}

// A page stands alone: it asks no host and names no file, holds the figures as JSON, says each text in the languages that were asked for
// alone, and what comes from outside is no markup.
func TestPage(t *testing.T) {
	dress := Dress{
		Fonts: map[string][]byte{"arabic-400.woff2": []byte("font")},
		Words: map[string]map[string]string{"ar": {"field.name": "الاسم"}, "en": {"field.name": "Name"}},
	}
	outside := regexp.MustCompile(`(?i)(https?:)?//[a-z0-9]|src=|url\((?:"|')?[^"'d]|<link|@import`)
	for language, want := range map[string][2]bool{"both": {true, true}, "ar": {true, false}, "en": {false, true}} {
		var b strings.Builder
		if err := Write(&b, figuresOf(), language, dress); err != nil {
			t.Fatal(err)
		}
		page := strings.ReplaceAll(b.String(), `xmlns="http://www.w3.org/2000/svg"`, "")
		page = strings.ReplaceAll(page, `xmlns:xlink="http://www.w3.org/1999/xlink"`, "")
		if found := outside.FindString(page); found != "" {
			t.Errorf("%s: the page asks for something: %q", language, found)
		}
		if strings.Contains(page, "الاسم") != want[0] || strings.Contains(page, ">Name<") != want[1] {
			t.Errorf("%s: not its languages", language)
		}
		if strings.Contains(page, "<i>") || strings.Contains(page, "set <b>") || strings.Count(page, "<svg") != 4 {
			t.Errorf("%s: markup from outside, or %d plots", language, strings.Count(page, "<svg"))
		}
		_, rest, _ := strings.Cut(page, `id="figures">`)
		text, _, _ := strings.Cut(rest, "</script>")
		var f Figures
		if err := json.Unmarshal([]byte(text), &f); err != nil || f.Set.Name != "set <b>" || len(f.Kinds) != 1 {
			t.Errorf("%s: figures %+v, %v", language, f.Set, err)
		}
	}
}

// Every text of the page has both languages.
func TestTexts(t *testing.T) {
	var texts map[string]text
	if err := json.Unmarshal(pageTexts, &texts); err != nil {
		t.Fatal(err)
	}
	arabic := regexp.MustCompile(`\p{Arabic}`)
	for key, v := range texts {
		if v["en"] == "" || arabic.MatchString(v["en"]) || !arabic.MatchString(v["ar"]) ||
			strings.Count(v["ar"], "%d") != strings.Count(v["en"], "%d") {
			t.Errorf("%s: %v", key, v)
		}
	}
}

// The digest of a set changes with each byte and name in it.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]bool{}
	for _, f := range [][2]string{{"a", "1"}, {"a", "2"}, {"b", ""}} {
		if err := os.WriteFile(filepath.Join(dir, f[0]), []byte(f[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		sum, err := digest(dir)
		if err != nil || seen[sum] {
			t.Errorf("%v: %s again, %v", f, sum, err)
		}
		seen[sum] = true
	}
}
