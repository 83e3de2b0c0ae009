package egypt

import (
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/field"
)

// Property: a word is like the values of its own list, in each spelling, and much less like those of the others.
func TestLikeAStatus(t *testing.T) {
	lists := map[string]status{
		"sex": statusOf(egypt.VocabularySex), "religion": statusOf(egypt.VocabularyReligion), "marital": statusOf(egypt.VocabularyMarital),
	}
	for word, want := range map[string]string{
		"أنثي": "sex", "ذكر": "sex", "مسلمه": "religion", "مسيحى": "religion", "انسه": "marital", "متزوج": "marital",
	} {
		for name, list := range lists {
			if m := list.Match(word); name == want && m < 0.99 || name != want && m > 0.6 {
				t.Errorf("%s is like a %s by %.2f", word, name, m)
			}
		}
	}
}

// Property: without the word for it the sex is that of the number, in doubt where the number is; without a number nothing is known.
func TestSexOfNumber(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		number field.Value
		want   string
		doubt  bool
	}{
		"a woman's": {field.Value{Text: "20001010100022", Share: 1}, "Female", false},
		"in doubt":  {field.Value{Text: "20001010100014", Share: 0.6}, "Male", true},
		"none":      {field.Value{}, "", false},
	} {
		v := sexOfNumber(field.Known{Now: now, Values: map[string]field.Value{"idNumber": test.number}})
		unread, doubt := slices.Contains(v.Codes, appliance.CodeUnreadable), slices.Contains(v.Codes, appliance.CodeLowConfidence)
		if v.Text != test.want || unread != (test.want == "") || doubt != test.doubt || (len(v.From) > 0) != (test.want != "") {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Property: a religion that is not printed is none where the words beside it were read, and flagged where they were not.
func TestWithoutReligion(t *testing.T) {
	for raw, flagged := range map[string]bool{"ذكر": false, "": true} {
		v := withoutReligion(field.Known{Values: map[string]field.Value{sexField: {Raw: raw}}})
		if v.Text != "" || len(v.Codes) > 0 != flagged {
			t.Errorf("beside %q: %+v", raw, v)
		}
	}
}
