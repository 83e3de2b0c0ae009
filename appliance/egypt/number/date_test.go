package number

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/arabic"
)

// print is a line of digits as a test sees it: text and cells, surely as many as they are.
type print struct {
	text   string
	cells  []Cell
	length map[int]float64
}

func (p print) Text() string { return p.text }

func (p print) LogLength(n int) float64 {
	if p.length != nil {
		return math.Log(p.length[n])
	}
	if n == len(p.cells) {
		return 0
	}
	return -20
}

// Cells repeats the last cell, or leaves some out, for a length that is not printed.
func (p print) Cells(n int) []Cell {
	if len(p.cells) == 0 {
		return make([]Cell, n)
	}
	out := slices.Clone(p.cells[:min(n, len(p.cells))])
	for len(out) < n {
		out = append(out, out[len(out)-1])
	}
	return out
}

// inkDate is a clear text.
func inkDate(text string) print {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, arabic.FoldDigits(text))
	return print{text: text, cells: ink(digits)}
}

func (p print) doubt(at, digit int, share float64) print {
	p.cells = doubt(p.cells, at, digit, share)
	return p
}

// A clear date in its form is read as it is; another form, or none, has the code of its field, and what is no day is not
// invented.
func TestDecodeDate(t *testing.T) {
	birth, release, expiry, licence := BirthRules(today), ReleaseRules(today), ExpiryRules(today), LicenceExpiryRules(today)
	for _, test := range []struct {
		ink   print
		rules DateRules
		want  string
		codes []Code
	}{
		{inkDate("1985/06/15"), birth, "1985-06-15", nil},
		{inkDate("١٩٨٥/٠٦/١٥"), birth, "1985-06-15", nil},
		{inkDate("2000/02/29"), birth, "2000-02-29", nil},
		{inkDate("1900/02/29"), birth, "", []Code{CodeBirthFormat}},
		{inkDate("1985/13/15"), birth, "", []Code{CodeBirthFormat}},
		{inkDate("2026/11/20"), birth, "2026-11-20", nil},
		{inkDate("2026/11/21"), birth, "", []Code{CodeBirthFormat}},
		{inkDate("15/06/1985"), birth, "1985-06-15", []Code{CodeBirthFormat}},
		{inkDate("2021/05"), release, "2021-05-01", nil},
		{inkDate("2021-05"), release, "2021-05-01", nil},
		{inkDate("202105"), release, "2021-05-01", nil},
		{inkDate("2026/11"), release, "2026-11-01", nil},
		{inkDate("2026/12"), release, "", []Code{CodeReleaseDate}},
		{inkDate("2021/15"), release, "", []Code{CodeReleaseDate}},
		{inkDate("2021/05/14"), release, "2021-05-14", []Code{CodeReleaseFormat}},
		{inkDate("05/2021"), release, "2021-05-01", []Code{CodeReleaseFormat}},
		{inkDate("15/2021"), release, "", []Code{CodeReleaseDate}},
		{inkDate("13/05/2028"), expiry, "2028-05-13", []Code{CodeExpiryFormat}},
		{inkDate("2028/05/13"), expiry, "2028-05-13", nil},
		{inkDate("2028/05"), expiry, "2028-05-01", []Code{CodeExpiryFormat}},
		{inkDate("2028/02/30"), expiry, "", []Code{CodeExpiryFormat}},
		{inkDate("2028/05/13"), licence, "2028-05-13", nil},
		{inkDate("13/05/2028"), licence, "2028-05-13", nil},
		{inkDate("13052028"), licence, "2028-05-13", nil},
		{inkDate("20202020"), licence, "", []Code{CodeExpiryFormat}},
		{inkDate("2028/05/1"), expiry, "", []Code{CodeExpiryFormat}},
		{inkDate("12"), expiry, "", []Code{CodeExpiryFormat}},
		{inkDate(""), expiry, "", nil},
	} {
		d := DecodeDate(test.ink, test.rules)
		if d.Value != test.want || !slices.Equal(d.Codes, test.codes) || d.Raw != arabic.FoldDigits(test.ink.text) {
			t.Errorf("%s: %+v, want %q %v", test.ink.text, d, test.want, test.codes)
		}
		if d.doubtful() != (test.want == "") && !slices.Contains(test.codes, CodeExpiryFormat) {
			t.Errorf("%s: confidence %v", test.ink.text, d.Confidence)
		}
	}
	if d := DecodeDate(nil, birth); d.Value != "" || d.Codes != nil || !d.doubtful() {
		t.Errorf("nothing: %+v", d)
	}
}

// Unclear digits follow the calendar, and the repair is said; digits that the calendar leaves open stay doubtful.
func TestDecodeDateRepairs(t *testing.T) {
	for _, test := range []struct {
		ink    print
		rules  DateRules
		want   string
		repair string
		doubt  bool
	}{
		{inkDate("2021/95").doubt(4, 0, 0.2), ReleaseRules(today), "2021-05-01", "digit 5: 9 read as 0, date", false},
		{inkDate("2021/05").doubt(5, 6, 0.3), ReleaseRules(today), "2021-05-01", "", true},
		{inkDate("2121/05").doubt(1, 0, 0.02), ReleaseRules(today), "2021-05-01", "digit 2: 1 read as 0, date", true},
		{inkDate("2028/05/43").doubt(6, 1, 0.3), ExpiryRules(today), "2028-05-13", "digit 7: 4 read as 1, date", false},
	} {
		d := DecodeDate(test.ink, test.rules)
		if d.Value != test.want || strings.Join(d.Repairs, "; ") != test.repair || d.doubtful() != test.doubt {
			t.Errorf("%s: %+v, want %+v", test.ink.text, d, test)
		}
	}
}

// Doubt about the number of digits is doubt about the date.
func TestDecodeDateLength(t *testing.T) {
	p := inkDate("2021/05")
	p.length = map[int]float64{6: 0.6, 7: 0.4}
	if d := DecodeDate(p, ReleaseRules(today)); d.Value != "2021-05-01" || !d.doubtful() {
		t.Errorf("%+v", d)
	}
	p.length = map[int]float64{6: 0.01, 7: 0.99}
	if d := DecodeDate(p, ReleaseRules(today)); d.Value != "" || !slices.Equal(d.Codes, []Code{CodeReleaseFormat}) {
		t.Errorf("%+v", d)
	}
	p.length = map[int]float64{6: math.NaN(), 8: math.NaN()}
	if d := DecodeDate(p, ReleaseRules(today)); d.Value != "" {
		t.Errorf("%+v", d)
	}
}

// Property: an expiry whose ink leaves a choice is the one seven years after its release, as far as that was read surely; what is clear is
// never overruled, and a span that is more than a month off is told.
func TestDecodeExpiry(t *testing.T) {
	for _, test := range []struct {
		release string
		sure    float64
		expiry  Digits
		want    string
		keeps   bool
	}{
		{"2021-05-01", 1, inkDate("2028/05/13"), "2028-05-13", true},
		{"2021-05-01", 1, inkDate("2028/06/13"), "2028-06-13", true},
		{"2021-05-01", 1, inkDate("2028/04/30"), "2028-04-30", true},
		{"2021-05-01", 1, inkDate("2028/07/01"), "2028-07-01", false},
		{"2021-12-01", 1, inkDate("2029/01/01"), "2029-01-01", true},
		{"2021-05-01", 1, inkDate("2029/05/13").doubt(3, 8, 0.2), "2028-05-13", true},
		{"2021-05-01", 0, inkDate("2029/05/13").doubt(3, 8, 0.2), "2029-05-13", false},
		{"", 0, inkDate("2028/05/13"), "2028-05-13", false},
		{"2021-05-01", 1, nil, "", false},
	} {
		d := DecodeExpiry(test.expiry, test.release, test.sure, today)
		if d.Value != test.want || KeepsValidity(test.release, d.Value) != test.keeps {
			t.Errorf("after %s: %s, want %+v", test.release, d.Value, test)
		}
	}
}

// A document is valid through its last day where it is read.
func TestExpired(t *testing.T) {
	late := time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		date string
		now  time.Time
		want bool
	}{
		{"2026-11-20", late, false},
		{"2026-11-19", late, true},
		{"2026-11-21", late, false},
		{"2026-11-20", late.In(time.FixedZone("Cairo", 2*3600)), true},
		{"", late, false},
		{"2026-13-01", late, false},
		{"0001", late, false},
	} {
		if got := Expired(test.date, test.now); got != test.want {
			t.Errorf("%s at %v: %v", test.date, test.now, got)
		}
	}
}

// Licences print dates in both orders and leave out leading zeros; an ID does not.
func TestShortDates(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct{ shown, want string }{
		{"2021/5/14", "2021-05-14"},
		{"2021/10/4", "2021-10-04"},
		{"2021/5/4", "2021-05-04"},
		{"14/5/2021", "2021-05-14"},
		{"4/10/2021", "2021-10-04"},
		{"4/5/2021", "2021-05-04"},
		{"14/05/2021", "2021-05-14"},
		{"2021/05/14", "2021-05-14"},
	} {
		got := DecodeDate(inkDate(test.shown), LicenceExpiryRules(now))
		if got.Value != test.want || len(got.Codes) > 0 || got.doubtful() {
			t.Errorf("%s: %+v", test.shown, got)
		}
		if id := DecodeDate(inkDate(test.shown), BirthRules(now)); len(test.shown) < 10 && id.Value == test.want && !id.doubtful() {
			t.Errorf("%s on an ID: %+v", test.shown, id)
		}
	}
}
