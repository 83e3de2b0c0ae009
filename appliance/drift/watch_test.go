package drift

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/google/go-cmp/cmp"
)

// memory is a Store that fails when it is told to.
type memory struct {
	kept   map[string][]byte
	fail   error
	writes int
}

func (m *memory) Drift(context.Context) (map[string][]byte, error) { return maps.Clone(m.kept), m.fail }

func (m *memory) KeepDrift(_ context.Context, put map[string][]byte, drop []string) error {
	if m.fail != nil {
		return m.fail
	}
	m.writes++
	if m.kept == nil {
		m.kept = map[string][]byte{}
	}
	maps.Copy(m.kept, put)
	for _, name := range drop {
		delete(m.kept, name)
	}
	return nil
}

// clock is a clock that tests set.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

// opened is a watch over a store, at noon of a Monday.
func opened(t *testing.T, m *memory) (*Watch, *clock) {
	t.Helper()
	zone, err := time.LoadLocation("Africa/Cairo")
	if err != nil {
		t.Skip(err)
	}
	c := &clock{time.Date(2026, 11, 2, 12, 0, 0, 0, zone)}
	w := New(m, c.now, zone)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w, c
}

// front is the decision about an ID front; without names the fields that were not read.
func front(without ...string) *appliance.Decision {
	d := appliance.Document{Kind: appliance.NationalIDFront}
	for _, f := range appliance.NationalIDFront.Model() {
		if !slices.Contains(without, f.Name) {
			d.Fields = append(d.Fields, appliance.Field{Name: f.Name, Value: "x"})
		}
	}
	return &appliance.Decision{Endpoint: appliance.EndpointIDFront, Documents: []appliance.Document{d}}
}

// days lets the watch see so many fronts a day for some days; every nth has no birth date.
func days(w *Watch, c *clock, days, each, nth int) {
	for range days {
		for i := range each {
			if nth > 0 && i%nth == 0 {
				w.Decided(front("dateOfBirth"))
			} else {
				w.Decided(front())
			}
		}
		c.Time = c.AddDate(0, 0, 1)
	}
}

const births ID = "read.national_id_front.empty.dateOfBirth"

// What rose together has one cause and can be acknowledged as a whole; what rose a week later, or in another kind, is left to be looked at.
func TestCause(t *testing.T) {
	w, c := opened(t, &memory{})
	passport := func(without string) *appliance.Decision {
		d := front("dateOfBirth", "gender")
		d.Documents[0].Kind, d.Endpoint = appliance.Passport, appliance.EndpointPassport
		if without != "" {
			d.Documents[0].Flag(without, "x", appliance.CodeLowConfidence)
		}
		return d
	}
	day := func(missing, passports string, also ...string) {
		for i := range 100 {
			d, p := front(), passport("")
			if i%3 == 0 {
				d, p = front(append(also, missing)...), passport(passports)
			}
			w.Decided(d)
			w.Decided(p)
		}
		c.Time = c.AddDate(0, 0, 1)
	}
	for range 5 {
		day("", "")
	}
	day("dateOfBirth", "name", "gender")
	for range 6 {
		day("dateOfBirth", "name", "gender")
	}
	day("dateOfBirth", "name", "gender", "name")
	kinds := map[string]bool{}
	for _, s := range w.Alarms() {
		kinds[s.Kind] = true
	}
	cause := w.Cause(births)
	if len(kinds) != 2 || len(cause) < 2 || cause[0] != births || !slices.Contains(cause, "read.national_id_front.empty.gender") {
		t.Fatalf("%v of %+v", cause, w.Alarms())
	}
	for _, id := range cause {
		if kind, _, of := id.Parts(); kind != "national_id_front" || of == "name" {
			t.Errorf("%s is no part of it", id)
		}
	}
	if got := w.Cause("read.passport.empty.x"); len(got) != 1 {
		t.Errorf("without an alarm: %v", got)
	}
}

// What no document of the site ever had, or hardly one, has no share left that could rise.
func TestNeverThere(t *testing.T) {
	w, c := opened(t, &memory{})
	for i := range 3000 {
		if i%100 == 0 {
			c.Time = c.AddDate(0, 0, 1)
		}
		if i%50 == 49 {
			w.Decided(front("gender"))
		} else {
			w.Decided(front("gender", "dateOfBirth"))
		}
	}
	if got := w.Alarms(); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// A rise is told with its day, its share and its ratio within a day, is the same after a restart, ends by itself when the share is back,
// and ends at once when somebody acknowledges it: the share that is then is the new baseline.
func TestRise(t *testing.T) {
	m := &memory{}
	w, c := opened(t, m)
	days(w, c, 10, 100, 10)
	if got := w.Alarms(); len(got) != 0 {
		t.Fatalf("at rest: %+v", got)
	}
	began := c.Time
	days(w, c, 1, 99, 3)
	got := w.Alarms()
	if len(got) != 1 || got[0].ID != births || got[0].Kind != "national_id_front" || got[0].Of != "dateOfBirth" || got[0].Measure != Empty {
		t.Fatalf("after a day: %+v", got)
	}
	if a := got[0].Alarm; began.Sub(a.Since).Abs() > 24*time.Hour || a.Ratio < 2.5 || a.Ratio > 4 || a.Rate < 0.3 || a.Rate > 0.4 ||
		a.Before < 0.09 ||
		a.Before > 0.11 {
		t.Errorf("alarm %+v", a)
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := New(m, c.now, w.zone)
	if err := again.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again.Alarms()); diff != "" {
		t.Error(diff)
	}
	days(again, c, 3, 100, 10)
	if got := again.Alarms(); len(got) != 0 {
		t.Errorf("the share is back: %+v", got)
	}
	if _, err := w.Acknowledge(births); err != nil || len(w.Alarms()) != 0 {
		t.Errorf("acknowledged: %v, %+v", err, w.Alarms())
	}
	days(w, c, 8, 99, 3)
	if got := w.Alarms(); len(got) != 0 {
		t.Errorf("the new baseline does not hold: %+v", got)
	}
	if _, err := w.Acknowledge("read.national_id_front.empty.none"); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("a series that is not there: %v", err)
	}
}

// The warning says since which day, of what and how many times as much, in both languages, once for a field and not for its codes again.
func TestWarnings(t *testing.T) {
	w, c := opened(t, &memory{})
	days(w, c, 10, 100, 10)
	c.Time = time.Date(2026, 11, 17, 12, 0, 0, 0, w.zone)
	for i := range 100 {
		d := front()
		if i%3 == 0 {
			d = front("dateOfBirth")
			d.Documents[0].Flag("dateOfBirth", "", appliance.CodeUnreadable)
		}
		w.Decided(d)
	}
	got := w.Warnings()
	if len(got) != 1 || got[0].Code != appliance.WarnDrift || len(w.Alarms()) != 4 {
		t.Fatalf("%+v of %+v", got, w.Alarms())
	}
	all := ""
	for _, warning := range got {
		english, _ := warning.In(appliance.English)
		arabic, hint := warning.In(appliance.Arabic)
		all += english + "\n" + arabic + "\n" + hint + "\n"
	}
	t.Log(all)
	for _, want := range []string{
		"National ID, front, since Tuesday 17 November: no Date of birth on 34 % of the documents instead of 10 % (3.4 times)",
		"بطاقة الرقم القومي، الوجه، منذ الثلاثاء 17 نوفمبر: لا يُقرأ «تاريخ الميلاد» في 34 % من الوثائق بدلًا من 10 % (3.4 أضعاف)",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// What is counted stays bounded: neither codes that nobody knows, nor days, nor a clock that jumps make it grow or lose it.
func TestBounds(t *testing.T) {
	m := &memory{}
	w, c := opened(t, m)
	for i := range 10000 {
		d := front()
		d.Documents[0].Flag("", "", appliance.Code(100000+i))
		w.Decided(d)
	}
	if got := w.History("", 1); len(got) > SeriesMost+1 {
		t.Errorf("%d series", len(got))
	}
	if c := w.days["2026-11-02"]["read.national_id_front"]; len(c.Hits) > SeriesMost+1 || c.N != 10000 || c.Hits[other] < 9000 {
		t.Errorf("%d of %d are others, in %d names", c.Hits[other], c.N, len(c.Hits))
	}
	for range DaysMost + 50 {
		c.Time = c.AddDate(0, 0, 1)
		w.Decided(front())
	}
	c.Time = c.AddDate(20, 0, 0) // ahead for a day
	w.Decided(front())
	c.Time = c.AddDate(-20, 0, 1)
	w.Decided(front())
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(w.days) != DaysMost || len(m.kept) != DaysMost+1 || w.days["2026-11-02"] != nil {
		t.Errorf("%d days, %d values are kept", len(w.days), len(m.kept))
	}
	c.Time = c.AddDate(-30, 0, 0) // a clock without a battery
	w.Decided(front())
	if len(w.days) > DaysMost || w.days[c.In(w.zone).Format(dayForm)] == nil {
		t.Errorf("%d days", len(w.days))
	}
}

// Days are those of the zone, also where a day has 23 or 25 hours; a day without documents is no day.
func TestDays(t *testing.T) {
	w, c := opened(t, &memory{})
	for _, at := range []time.Time{
		time.Date(2027, 4, 29, 21, 59, 0, 0, time.UTC), // 23:59, the night in which Egypt goes on an hour
		time.Date(2027, 4, 29, 22, 1, 0, 0, time.UTC),  // 01:01 of the next day
		time.Date(2027, 10, 28, 20, 30, 0, 0, time.UTC),
		time.Date(2027, 10, 28, 21, 30, 0, 0, time.UTC), // 23:30 for the second time
	} {
		c.Time = at
		w.Decided(front("dateOfBirth"))
	}
	got := w.History("national_id_front", 30)
	want := []Day{{"2027-04-29", 1, 1}, {"2027-04-30", 1, 1}, {"2027-10-28", 2, 2}}
	i := slices.IndexFunc(got, func(s Series) bool { return s.ID == births })
	if i < 0 || !cmp.Equal(got[i].Days, want) {
		t.Errorf("%+v", got)
	}
}

// What cannot be written now is written later, nothing is written where nothing was counted, and what is kept in no form that is understood
// costs itself alone.
func TestStoreFails(t *testing.T) {
	m := &memory{}
	w, c := opened(t, m)
	if err := w.Flush(t.Context()); err != nil || m.writes != 0 {
		t.Errorf("%d writes of nothing, %v", m.writes, err)
	}
	w.Decided(front())
	m.fail = errors.New("disk full")
	if err := w.Flush(t.Context()); err == nil {
		t.Error("a failed write is not told")
	}
	m.fail = nil
	for range 2 {
		if err := w.Flush(t.Context()); err != nil || m.writes != 1 || len(m.kept) != 2 {
			t.Errorf("%d writes of %d values, %v", m.writes, len(m.kept), err)
		}
	}
	for name, text := range map[string]string{"day 2026-11-02": `{"read.x":null}`, "state": `{"read.x":null,"read.y":{"series":{"a":null}}}`} {
		m.kept[name] = []byte(text)
	}
	m.kept["day x"], m.kept["day 2026-11-01"] = []byte("{}"), []byte("{")
	again := New(m, c.now, w.zone)
	if err := again.Open(t.Context()); err == nil {
		t.Error("what is not understood is not told")
	}
	again.Decided(front())
	if err := again.Flush(t.Context()); err != nil || !strings.Contains(string(m.kept["day 2026-11-02"]), "national_id_front") {
		t.Errorf("%s, %v", m.kept["day 2026-11-02"], err)
	}
}

// Each answer counts where it belongs: a document under its kind, a refusal under what was asked for, a check under its reasons; what is
// wrong with a caller counts nowhere.
func TestObserved(t *testing.T) {
	no := false
	wrong := front()
	wrong.Documents[0].Flag("", "", appliance.CodeOtherDocument)
	doubt := front("job")
	doubt.Documents[0].Flag("name", "x", appliance.CodeLowConfidence)
	doubt.Documents[0].Flag("idNumber", "x", appliance.CodeCheckDigit)
	for name, c := range map[string]struct {
		d    *appliance.Decision
		want string
	}{
		"doubt": {doubt, "[{read.national_id_front [doubted.name code.3301 code.3305 code.any]} {asked.national_id_front []}]"},
		"other": {wrong, "[{asked.national_id_front [refused.3308]}]"},
		"none": {
			&appliance.Decision{Endpoint: appliance.EndpointPassport, Code: appliance.CodeNoDocument},
			"[{asked.passport [refused.3011]}]",
		},
		"caller": {&appliance.Decision{Endpoint: appliance.EndpointPassport, Code: appliance.CodeTooMany}, "[]"},
		"match":  {&appliance.Decision{Endpoint: appliance.EndpointFaceMatch, Matched: &no}, "[{check.face_match [reason.not_matched]}]"},
		"burst": {
			&appliance.Decision{Endpoint: ownLiveness, Live: &no, Reasons: []appliance.Reason{appliance.LowQuality}},
			"[{check.liveness [reason.low_quality]}]",
		},
		"camera": {&appliance.Decision{Endpoint: ownDocument, Code: appliance.CodeNoDocument}, "[{asked.multi [refused.3011]}]"},
		"text":   {&appliance.Decision{Endpoint: appliance.EndpointGeneral}, "[{asked.general []}]"},
		"page":   {&appliance.Decision{Endpoint: "transactions"}, "[]"},
	} {
		if got := fmt.Sprint(observed(c.d)); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// BenchmarkDecided: what a decision costs the request that it belongs to.
func BenchmarkDecided(b *testing.B) {
	w := New(&memory{}, time.Now, time.UTC)
	d := front("dateOfBirth", "name")
	for i := range 30 {
		d.Documents[0].Flag("name", "", appliance.Code(3300+i))
	}
	for range 500 {
		w.Decided(d)
	}
	w.streams["read.national_id_front"].Days = LearnDays
	for b.Loop() {
		w.Decided(d)
	}
	if len(w.days) == 0 || strconv.Itoa(len(w.streams)) == "0" {
		b.Fatal("nothing was counted")
	}
}
