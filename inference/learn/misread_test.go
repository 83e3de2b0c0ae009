package learn

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/site"
)

// Property: a letter that five persons' documents show where another is read is told with its share, whoever confirmed them; not one that
// fewer show, nor what a line of another field, a figure, or a sign too many has.
func TestLetters(t *testing.T) {
	found := newLetters()
	look := func(n int, read, name string) {
		l := student(n, "جامعة بنها", name)
		found.look(&l, &appliance.Document{Kind: "student_card", Fields: []appliance.Field{
			{Name: "name", Raw: read}, {Name: "university", Raw: "تنتهي في ٢٠٢٨"}, {Name: "studentNumber", Raw: "20210007"},
		}})
	}
	for n := range 6 {
		look(n, "هحهد سالم", "محمد سالم")
	}
	for n := range 4 {
		look(n, "ماهر سالن", "ماهر سالم")
	}
	look(9, "هالة  سالم حسن", "هالة سالِم حس")
	look(9, "حالة سالم", "هالة سالم")
	look(9, "شوقي", "محمد سالم")
	for n := range 60 {
		look(n, "ذسن كمال", "حسن كمال")
	}
	want := []site.Misread{
		{Kind: "student_card", Read: "ذ", Printed: "ح", Share: mostMisread, N: 60},
		{Kind: "student_card", Read: "ه", Printed: "م", Share: rounded(12.0 / 18), N: 17},
	}
	if got := found.told(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Property: what is misread on a kind's documents counts where they are read and nowhere else: a name with a letter that is often another
// one is less sure, and is the same name.
func TestMisreadIsUsed(t *testing.T) {
	set := kindOfSite(t)
	l := learningOf(t, set)
	picture, err := os.ReadFile(filepath.Join(studentCard, "00.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(misread ...site.Misread) (name, number appliance.Field) {
		t.Helper()
		kinds := []appliance.Kind{"student_card"}
		file := site.File{Form: site.Form, Misread: misread, Origin: site.Origin{
			DataSet: "a set", N: 1, Date: time.Now().Format(time.DateOnly), Budget: "none", Kinds: kinds,
		}}
		with, err := l.set(&Result{Site: file})
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.OpenSet(t.Context(), with, configs.Picture{MaxBytes: 8 << 20, MaxPixels: 25e6, MinSide: 64}, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}()
		p, err := e.Decoder.DecodePage(t.Context(), picture, 1)
		if err != nil {
			t.Fatal(err)
		}
		reading, err := e.ReaderOf("student_card").Read(t.Context(), p, nil)
		if err != nil || len(reading.Documents) != 1 {
			t.Fatalf("%d documents, %v", len(reading.Documents), err)
		}
		return reading.Documents[0].Field("name"), reading.Documents[0].Field("studentNumber")
	}
	name, number := read()
	letter := string([]rune(name.Value)[0])
	if with, other := read(site.Misread{Kind: "student_card", Read: letter, Printed: "ظ", Share: 0.9}); with.Confidence >= name.Confidence ||
		with.Value != name.Value || other.Confidence != number.Confidence {
		t.Errorf("%+v, was %+v; %+v, was %+v", with, name, other, number)
	}
}
