package egypt

import (
	"slices"
	"testing"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// inkOf is print as the reader of words reads it.
func inkOf(said string) text.Spelled {
	s := text.Spelled{Said: said, Confidence: 1}
	for _, r := range said {
		if unicode.IsDigit(r) {
			s.Signs = append(s.Signs, text.Symbol{Rune: r, Prob: 1})
		}
	}
	return s
}

// Property: the dates of a card have the codes of what is wrong with them: no such month, another form, over, not seven years apart; and
// where a digit may be covered or lost they are in doubt, as is an expiry that no release bears out: it may be the release.
func TestDatesOfACard(t *testing.T) {
	today := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	low := appliance.CodeLowConfidence
	for _, test := range []struct {
		release, expiry, want string
		released, ends        []appliance.Code
	}{
		{"2021/05", "2028/05/13", "2021-05-01 2028-05-13", nil, nil},
		{"2021/05", "2028/07/01", "2021-05-01 2028-07-01", nil, []appliance.Code{appliance.CodeExpirySpan}},
		{"2019/11", "2026/11/19", "2019-11-01 2026-11-19", nil, []appliance.Code{appliance.CodeExpired}},
		{"2027/05", "2028/05/13", " 2028-05-13", []appliance.Code{appliance.CodeReleaseDate}, []appliance.Code{low}},
		{"", "2028/05/13", " 2028-05-13", nil, []appliance.Code{low}},
		{"2021/05/07", "2028/05/13", "2021-05-07 2028-05-13", []appliance.Code{appliance.CodeReleaseFormat}, nil},
		{"2021/5", "2028/05/13", "2021-05-01 2028-05-13", []appliance.Code{low}, nil},
		{"2021/05", "2028/0513", "2021-05-01 2028-05-13", nil, []appliance.Code{low}},
	} {
		known := field.Known{Now: today, Values: map[string]field.Value{}}
		r := release().decode(inkOf(test.release), known)
		known.Values[releaseField] = r
		x := expiry().decode(inkOf(test.expiry), known)
		if got := r.Text + " " + x.Text; got != test.want || !slices.Equal(r.Codes, test.released) || !slices.Equal(x.Codes, test.ends) {
			t.Errorf("%s and %s: %s, %v and %v", test.release, test.expiry, got, r.Codes, x.Codes)
		}
	}
}

// Property: a card without an expiry is one of before 2009, or its expiry was not found, which is flagged.
func TestWithoutExpiry(t *testing.T) {
	for release, flagged := range map[string]bool{"2008-12-01": false, "2009-01-01": true, "": true} {
		v := withoutExpiry(field.Known{Values: map[string]field.Value{releaseField: {Text: release}}})
		if v.Text != "" || slices.Contains(v.Codes, appliance.CodeUnreadable) != flagged {
			t.Errorf("released %q: %+v", release, v)
		}
	}
}

// Property: a release and an expiry are told apart by their digits and separators; a number is neither.
func TestLikeADate(t *testing.T) {
	for what, want := range map[string][2]bool{
		"٢٠٢١/٠٥": {true, false}, "٢٠٢٨/٠٥/١٣": {false, true}, "٢٩٠٠١٠١٠١٠٠٠١٤": {}, "ربة منزل": {}, "٢٠٢١٠٥": {},
	} {
		const like = 0.75
		if got := [2]bool{release().Match(what) > like, expiry().Match(what) > like}; got != want {
			t.Errorf("%s: like a release %v, an expiry %v", what, got[0], got[1])
		}
	}
}
