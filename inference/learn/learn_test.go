package learn

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/models"
)

// line is a driving licence that people decided about.
func line(n int, name string, people ...string) truth.Line {
	number := fmt.Sprintf("290010101%05d", n)
	return truth.Line{
		File: fmt.Sprintf(
			"pictures/00000000-0000-4000-8000-%012d.jpg",
			n,
		), Person: truth.PersonOf(number), Day: "2026-11-01", Release: "1", People: people,
		Documents: []truth.Document{
			{Kind: appliance.DrivingLicense, Fields: map[string]string{"nameArabic": name, "nationalID": number, "job": "قبطان"}},
		},
		Read: map[string]truth.Reading{
			"nameArabic": {
				Value:      name,
				Confidence: 0.99,
			}, "job": {Value: "قبطان", Confidence: 0.6, Codes: []appliance.Code{appliance.CodeLowConfidence}},
		},
	}
}

// Words that fewer than five persons have are told of nobody, and no number and no whole name ever is.
func TestWordsTellOfNobody(t *testing.T) {
	var lines []truth.Line
	for n := range 8 {
		own := []string{"زبرجد", "ياقوت", "مرجان", "لازورد", "عقيق", "فيروز", "زمرد", "كهرمان"}[n]
		lines = append(lines, line(n, "محمد "+own), line(n, "محمد "+own)) // two documents of one person
	}
	words := wordsOf(lines)
	if len(words) != 2 || words[0].Text != "قبطان" || words[1].Text != "محمد" || words[1].In != "names" {
		t.Errorf("%+v", words)
	}
	origin := site.Origin{DataSet: "a", N: 1, Date: "2026-11-27", Budget: "b", Kinds: []appliance.Kind{appliance.DrivingLicense}}
	text, err := site.File{Form: site.Form, Origin: origin, Words: words}.Text()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		own := strings.Fields(l.Documents[0].Fields["nameArabic"])[1]
		for _, secret := range []string{l.Documents[0].Fields["nationalID"], l.Documents[0].Fields["nameArabic"], own, l.Person} {
			if strings.Contains(string(text), secret) {
				t.Errorf("the result holds %s", secret)
			}
		}
	}
}

// Whole values are told of fields with few values alone, and where five persons have them.
func TestTermsTellOfNobody(t *testing.T) {
	var lines []truth.Line
	for n := range 8 {
		l := line(n, "محمد سامح", "a")
		l.Documents[0].Fields["licenseType"] = "مهنية  أولى"
		l.Documents[0].Fields["trafficUnit2"] = []string{"وحدة مرور بدر", "وحدة مرور النزهة"}[n/6]
		lines = append(lines, l)
	}
	want := []site.Printed{
		{Kind: appliance.DrivingLicense, Field: "licenseType", Text: "مهنية أولى"},
		{Kind: appliance.DrivingLicense, Field: "trafficUnit2", Text: "وحدة مرور بدر"},
	}
	if got := termsOf(lines); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What stands before the confirmed values of five persons' documents, or right above them, is a wording of their label: not what announces
// another field as often, what the program knows already, a misread form of a wording, another value, or what fewer persons have.
func TestWordings(t *testing.T) {
	at := func(text string, right, top float64) appliance.Line {
		left, bottom := right-10*float64(len([]rune(text))), top+20
		q := appliance.Quad{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}
		return appliance.Line{Text: text, Quad: q}
	}
	w := newWordings(nil)
	for n := range 9 {
		names := []string{
			"حاتم منير", "وليد سيف", "عاصم جلال", "رامز بركات", "شاكر عفيفي", "مدحت شلبي", "لؤي مرزوق", "باهر العطار", "هاني القاضي",
		}
		l := line(n, names[n], "a")
		d := l.Documents[0].Fields
		d["address"], d["licenseType"] = fmt.Sprintf("%d شارع النصر", 20+n), "خاصة"
		d["issuenceDate"], d["expiryDate"] = "2024-03-01", "2027-03-01"
		label := "الاسم كما في البطاقة"
		if n > 6 {
			label = "الاسم كمافي البطقة"
		}
		w.look(&l, []appliance.Line{
			at("رخصة قيادة خاصة", 900, 20), at(label+" :", 900, 80), at(names[n], 900, 105), at("يقيم في: "+d["address"], 900, 160),
			at("الرقم القومي", 900, 200), at(arabic.FoldDigits(d["nationalID"]), 900, 225), at(names[n]+" كاتب", 900, 300), at("قبطان", 900, 322),
			at("بيان ٢٠٢٤/٠٣/٠١", 900, 400), at("بيان ٠١/٠٣/٢٠٢٧", 400, 400),
		})
	}
	want := []site.Printed{
		{Kind: appliance.DrivingLicense, Field: "address", Text: "يقيم في"},
		{Kind: appliance.DrivingLicense, Field: "nameArabic", Text: "الاسم كما في البطاقة"},
	}
	if got := w.told(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// One who confirms nonsense among three is left out, of two who differ nobody is, and one who decided most weighs no more than the rest.
func TestWeigh(t *testing.T) {
	var lines []truth.Line
	for n := range 90 {
		l := line(n, "محمد", []string{"a", "b", "nonsense"}[n%3])
		if n%3 == 2 {
			l.Documents[0].Fields["nameArabic"] = "خطأ"
		}
		lines = append(lines, l)
	}
	weights, left, conflict := weigh(lines)
	if !slices.Equal(left, []string{"nonsense"}) || conflict || len(weights) != 60 {
		t.Errorf("left out %v, conflict %v, %d weights", left, conflict, len(weights))
	}
	if _, left, conflict := weigh(slices.DeleteFunc(slices.Clone(lines), func(l truth.Line) bool { return l.People[0] == "b" })); !conflict ||
		left != nil {
		t.Errorf("of two: left out %v, conflict %v", left, conflict)
	}
	lines = lines[:0]
	for n := range 100 {
		lines = append(lines, line(n, "محمد", map[bool]string{true: "most", false: "other"}[n < 90]))
	}
	weights, _, _ = weigh(lines)
	most, other := 0.0, 0.0
	for n, l := range lines {
		if n < 90 {
			most += weights[l.File]
		} else {
			other += weights[l.File]
		}
	}
	if most > other*1.001 || other != 10 {
		t.Errorf("who decided most weighs %g, the others %g", most, other)
	}
}

// What none but one who confirms nonsense decided is neither learned from nor measured by, in whichever half he shows it; what another one
// decided too stays.
func TestTrusted(t *testing.T) {
	for name, half := range map[string]string{"in the half fit": "fit", "in the half test": "test"} {
		set := &truth.Set{Lines: map[string][]truth.Line{}}
		for n := range 180 {
			l, at := line(n, "محمد", []string{"a", "b", "nonsense"}[n%3]), truth.Halves()[n%2]
			if n%3 == 2 && at == half {
				l.Documents[0].Fields["nameArabic"] = "خطأ"
			}
			set.Lines[at] = append(set.Lines[at], l)
		}
		set.Lines["test"] = append(set.Lines["test"], line(180, "محمد", "a", "nonsense"))
		weights, left, conflict := trusted(set)
		if !slices.Equal(left, []string{"nonsense"}) || conflict || len(weights) != 60 || len(set.Lines["test"]) != 61 {
			t.Errorf("%s: left out %v, conflict %v, %d weights, %d to measure", name, left, conflict, len(weights), len(set.Lines["test"]))
		}
	}
}

// Of a set of one kind only that one gets rules and words; a kind that one half alone holds gets none either, since nothing measures them,
// and without a kind in both halves nothing is learned.
func TestKinds(t *testing.T) {
	var licences, fronts []truth.Line
	for n := range 60 {
		l, f := line(n, "محمد", "a"), line(100+n, "زبرجد", "a")
		f.Documents[0].Kind = appliance.NationalIDFront
		licences, fronts = append(licences, l), append(fronts, f)
	}
	readings, weights := site200(60)
	for i, l := range licences {
		readings[i].File, weights[l.File] = l.File, 1
	}
	for _, f := range fronts {
		other := readings[0]
		other.File, other.Kind, other.Answered = f.File, appliance.NationalIDFront, appliance.NationalIDFront
		readings, weights[f.File] = append(readings, other), 1
	}
	for name, c := range map[string]struct{ fit, test []truth.Line }{
		"one kind": {licences, licences}, "one measured": {slices.Concat(licences, fronts), licences},
	} {
		set, weights := &truth.Set{Lines: map[string][]truth.Line{"fit": c.fit, "test": c.test}}, maps.Clone(weights)
		kinds := (&Learning{}).kindsOf(set)
		f := site.File{Words: wordsOf(usable(set, weights, kinds)), Doubts: doubtsOf(examplesOf(readings, weights), 0.01)}
		if name == "one kind" { // nothing was read of another
			f.Doubts = doubtsOf(examplesOf(readings[:60], weights), 0.01)
		}
		if f.Origin.Kinds = kinds; !slices.Equal(kinds, []appliance.Kind{appliance.DrivingLicense}) || len(f.Doubts) == 0 || len(f.Words) == 0 {
			t.Errorf("%s: %+v", name, f)
		}
		for _, d := range f.Doubts {
			if d.Kind != appliance.DrivingLicense {
				t.Errorf("%s: a rule for %s", name, d.Kind)
			}
		}
		if slices.ContainsFunc(f.Words, func(w site.Word) bool { return w.Text == "زبرجد" }) {
			t.Errorf("%s: a word of another kind: %+v", name, f.Words)
		}
		_, _, _, own := f.Rules().Printed(appliance.DrivingLicense)
		if _, _, _, other := f.Rules().Printed(appliance.NationalIDFront); !own || other {
			t.Errorf("%s: the words are used for other kinds", name)
		}
	}
	if kinds := (&Learning{}).kindsOf(&truth.Set{Lines: map[string][]truth.Line{"fit": licences, "test": fronts}}); len(kinds) > 0 {
		t.Errorf("in both halves: %v", kinds)
	}
}

// site200 is what a site shows: a field that is flagged and always right, one that is flagged and wrong in a third, one that the
// documents do not print in half, and one of which printed ones are missed.
func site200(n int) (readings []document.Reading, weights map[string]float64) {
	r := rand.New(rand.NewPCG(1, 2))
	weights = map[string]float64{}
	flag, gone := []appliance.Code{appliance.CodeLowConfidence}, []appliance.Code{appliance.CodeUnreadable}
	for i := range n {
		at := document.Reading{File: fmt.Sprint(i), Person: fmt.Sprint(i), Kind: appliance.DrivingLicense, Answered: appliance.DrivingLicense}
		field := func(name string, right bool, confidence float64, codes []appliance.Code) {
			at.Fields = append(at.Fields, document.FieldReading{Field: name, Right: right, Seen: true, Confidence: confidence, Codes: codes})
		}
		field("licenseType", true, 0.7+0.25*r.Float64(), flag)
		field("nameEnglish", r.IntN(3) > 0, 0.5+0.4*r.Float64(), flag)
		field("job", true, 0.97+0.03*r.Float64(), nil)
		printed := i%2 == 0
		at.Fields = append(
			at.Fields,
			document.FieldReading{
				Field:      "trafficUnit1",
				Right:      true,
				Empty:      !printed,
				Blank:      !printed,
				Seen:       printed,
				Confidence: map[bool]float64{true: 0.99}[printed],
				Codes:      map[bool][]appliance.Code{false: gone}[printed],
			},
			document.FieldReading{
				Field:      "trafficUnit2",
				Right:      i%10 > 0,
				Empty:      i%10 == 0,
				Seen:       i%10 > 0,
				Confidence: map[bool]float64{true: 0.99}[i%10 > 0],
				Codes:      map[bool][]appliance.Code{true: gone}[i%10 == 0],
			},
		)
		readings, weights[at.File] = append(readings, at), 1
	}
	return readings, weights
}

// Flags that are always wrong fall, those that are right in part stay, an empty field is no doubt only where hardly any document prints it,
// and a smaller budget never takes more flags away.
func TestDoubts(t *testing.T) {
	readings, weights := site200(200)
	cleared := func(budget float64) (n map[string]int) {
		n = map[string]int{}
		rules := site.File{Doubts: doubtsOf(examplesOf(readings, weights), budget)}.Rules()
		for _, r := range readings {
			d := appliance.Document{Kind: r.Kind}
			for _, f := range r.Fields {
				v := appliance.Field{Name: f.Field, Confidence: f.Confidence}
				if !f.Empty {
					v.Value, v.Raw = "x", "x"
				}
				d.Fields = append(d.Fields, v)
				for _, c := range f.Codes {
					d.Flag(f.Field, v.Value, c)
				}
			}
			rules.Apply(&d)
			for _, f := range r.Fields {
				if f.Doubted() && !document.Doubted(d.Codes(f.Field)) {
					n[f.Field]++
				}
			}
		}
		return n
	}
	wide, narrow := cleared(0.01), cleared(0.0005)
	if wide["licenseType"] < 100 || wide["nameEnglish"] > 0 || wide["trafficUnit1"] != 100 || wide["trafficUnit2"] > 0 {
		t.Errorf("cleared %v", wide)
	}
	for field := range narrow {
		if narrow[field] > wide[field] {
			t.Errorf("%s: a smaller budget clears %d, a larger one %d", field, narrow[field], wide[field])
		}
	}
	if len(doubtsOf(examplesOf(readings[:10], weights), 0.01)) != 0 {
		t.Error("ten pictures made a rule")
	}
}

// What is worse in one field, or no better, is not written.
func TestJudge(t *testing.T) {
	readings, _ := site200(200)
	better := slices.Clone(readings)
	for i := range better {
		better[i].Fields = slices.Clone(better[i].Fields)
		better[i].Fields[0].Codes = nil
	}
	misled := slices.Clone(better)
	for i := range misled {
		misled[i].Fields = slices.Clone(misled[i].Fields)
		misled[i].Fields[1].Codes = nil // wrong in a third, and now silent
	}
	one := slices.Clone(better)
	for i := range one {
		if !one[i].Fields[1].Right {
			one[i].Fields = slices.Clone(one[i].Fields)
			one[i].Fields[1].Codes = nil
			break
		}
	}
	for name, c := range map[string]struct {
		after  []document.Reading
		budget float64
		want   bool
	}{
		"better": {better, 0, true}, "the same": {readings, 0, false}, "misleads": {misled, 0.01, false},
		"misleads once, and none may": {one, 0, false}, "misleads once, within the budget": {one, 0.01, true},
	} {
		r := Result{Before: outcomesOf(readings), After: outcomesOf(c.after)}
		if r.judge(c.budget); r.Better != c.want || r.Better == (r.Why != "") {
			t.Errorf("%s: better %v, %s", name, r.Better, r.Why)
		}
	}
}

// The log loss is 0 where all values are surely right, that of a coin where nothing is known, and large but finite for a sure error; what
// is empty or covered has none.
func TestLogLoss(t *testing.T) {
	for name, c := range map[string]struct {
		fields []document.FieldReading
		want   float64
	}{
		"none":         {nil, 0},
		"surely right": {[]document.FieldReading{{Right: true, Confidence: 1}}, 0},
		"a coin":       {[]document.FieldReading{{Right: true, Confidence: 0.5}, {Confidence: 0.5}}, math.Ln2},
		"a sure error": {[]document.FieldReading{{Confidence: 1}, {Right: true, Confidence: 1}}, -math.Log(1e-4) / 2},
		"no value":     {[]document.FieldReading{{Empty: true}, {Covered: true, Confidence: 1}, {Right: true, Confidence: 0.5}}, math.Ln2},
	} {
		got := outcomesOf([]document.Reading{{Kind: "a", Fields: c.fields}}).LogLoss
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// A threshold moves only where genuine presentations and attacks are enough and the other half of the subjects is served better by it.
func TestThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var all []shown
	for i := range 600 {
		all = append(all, shown{fmt.Sprint("g", i), 0.3 * r.Float64(), false})
	}
	if at, need := threshold(all, 0.9, 0.02); at != 0.9 || !strings.Contains(need, "0 genuine and 60 attacks") {
		t.Errorf("without attacks %g, %q", at, need)
	}
	for i := range 200 {
		all = append(all, shown{fmt.Sprint("a", i), 0.5 + 0.5*r.Float64(), true})
	}
	if at, need := threshold(all, 0.9, 0.02); need != "" || at < 0.25 || at > 0.35 {
		t.Errorf("from 0.9 to %g, %q", at, need)
	}
	if at, _ := threshold(all, 0.4, 0.02); at != 0.4 {
		t.Errorf("0.4 parts them without an error, and %g took its place", at)
	}
}

// What was read is kept and not read again; a line that a power cut left half, or another release made, is; an erasing destroys all of it.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	var lines []byte
	for n := range 2 {
		text, err := json.Marshal(line(n, "محمد", "a"))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, append(text, '\n')...)
	}
	for name, content := range map[string][]byte{"truth.json": []byte(`{"form": "` + truth.Form + `"}`), "fit/truth.jsonl": lines} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := truth.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	l := Learning{Dir: dir, Program: "2"}
	cache := set.Cache("fit", "7")
	cached := []string{`{"program":"2","file":"a"}`, `{"program":"1","file":"b"}`, `{"program":"2","fi`}
	if err := os.WriteFile(cache, []byte(strings.Join(cached, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := l.kept(cache); len(got) != 1 || got["a"].File != "a" {
		t.Errorf("kept %v", got)
	}
	if _, err := l.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "2 documents") {
		t.Errorf("two pictures: %v", err)
	}
	if _, err := truth.Erase(dir, func(l *truth.Line) bool { return l.Mentions("29001010100001") }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(cache); !os.IsNotExist(err) {
		t.Errorf("after an erasing: %v", err)
	}
}

// The set with what was learned holds the same networks, a newer version and the thresholds with their origin, and loads.
func TestFiles(t *testing.T) {
	base, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	l := Learning{Set: base}
	r := Result{
		Site: site.File{
			Form: site.Form,
			Origin: site.Origin{
				DataSet: "a", N: 1, Date: time.Now().Format(time.DateOnly), Budget: "b", Kinds: []appliance.Kind{appliance.DrivingLicense},
			},
			Doubts: []site.Doubt{{Kind: appliance.DrivingLicense, Field: "job", Slope: 1, Below: 0.9, N: 20}},
		},
	}
	r.thresholds = []moved{{"liveness", "attack", 0.5, 0.4, 700, "2 %"}}
	set, err := l.set(&r)
	if err != nil || set.Version() <= base.Version() || len(set.List()) != len(base.List()) {
		t.Fatalf("%v", err)
	}
	for _, m := range base.List() {
		learned, err := set.Model(m.Name)
		if err != nil || learned.SHA256 != m.SHA256 {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	live, err := set.Model("liveness")
	if at, ok := live.Threshold("attack"); err != nil || !ok || at != 0.4 || live.Thresholds["attack"].Budget != "2 %" {
		t.Errorf("threshold %v", live.Thresholds)
	}
	if f, err := site.Parse(set.Site(), nil); err != nil || len(f.Doubts) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// One wrong value that looks sure does not flag all right ones of its field, and a wrong one that nobody flagged may cost a few flags.
func TestPays(t *testing.T) {
	values := func(wrong example) (all []*example) {
		for range 99 {
			all = append(all, &example{right: true, estimate: 0.99})
		}
		return append(all, &wrong)
	}
	flagged := values(example{estimate: 0.995, flagged: true})
	silent := values(example{estimate: 0.6})
	for name, c := range map[string]struct {
		values []*example
		at     float64
		want   bool
	}{
		"all flagged": {flagged, 0.996, false}, "one stopped": {silent, 0.7, true}, "one stopped by all": {silent, 0.996, false},
		"one let through": {flagged, 0.9, false}, "nothing": {values(example{right: true, estimate: 0.99}), 0.9, false},
		"a flag less": {values(example{right: true, estimate: 0.99, flagged: true}), 0.9, true},
	} {
		if got := pays(c.values, c.at); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
