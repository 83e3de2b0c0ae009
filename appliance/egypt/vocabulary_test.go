package egypt

import (
	"math"
	"testing"
)

// Every word, in every spelling of text, finds itself among all vocabularies, also with one letter misread.
func TestMatchWord(t *testing.T) {
	list := StatusWords()
	for _, w := range list {
		for _, text := range append([]string{w.Text, " " + w.Text}, w.Variants...) {
			m, ok := MatchWord(text, list)
			if !ok || m.Word.Text != w.Text || m.Score < 0.99 || w.Text != Dash && m.Margin < 0.1 {
				t.Errorf("%q: %+v", text, m)
			}
		}
	}
	for text, want := range map[string]string{
		"أنتى": "أنثى", "انسه": "آنسة", "دكر": "ذكر", "مسلمنة": "مسلمة", "متروج": "متزوج", "مستحي": "مسيحي", "ازملة": "أرملة",
	} {
		if m, _ := MatchWord(text, list); m.Word.Text != want || m.Score < 0.6 {
			t.Errorf("%q: %+v, want %q", text, m, want)
		}
	}
	if _, ok := MatchWord("xyz", list); ok {
		t.Error("xyz is a status")
	}
}

// Property: print that is like a phrase of a closed list is that phrase, however clear it looks, and doubtful; other text stays.
func TestClosedLists(t *testing.T) {
	for text, want := range map[string]Term{
		"بنزين": {Value: "بنزين", Confidence: 0.99, Listed: true},
		"بنزن":  {Value: "بنزين", Confidence: closedConfidence, Listed: true},
		"طحينة": {Value: "طحينة"},
	} {
		got := Fuels().Choose(text, math.Log(0.99), func(s string) float64 {
			if s == text {
				return math.Log(0.99)
			}
			return -50
		})
		if got.Value != want.Value || got.Listed != want.Listed || want.Listed && math.Abs(got.Confidence-want.Confidence) > 0.02 {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// Property: where the ink hardly allows any phrase of a closed list, the one among those that are a little like the reading is
// chosen that it allows most, and is doubtful.
func TestClosedListByInk(t *testing.T) {
	got := Fuels().Choose("بازن", math.Log(0.66), func(s string) float64 {
		switch s {
		case "بازن":
			return math.Log(0.66)
		case "بنزين":
			return -14
		}
		return -30
	})
	if got.Value != "بنزين" || !got.Listed || got.Confidence > 0.5 {
		t.Errorf("%+v", got)
	}
}

// Property: a short chassis number holds the digits that its letters look like, and says so; an engine number keeps its letters.
func TestLookalikes(t *testing.T) {
	if s := DecodeChassis("0AX8OI", 0.99, nil); s.Value != "0AX801" || s.Confidence > lookalike || len(s.Repairs) == 0 {
		t.Errorf("%+v", s)
	}
	if s := DecodeMotor("OI90128765", 0.99, nil); s.Value != "OI90128765" || s.Confidence != 0.99 {
		t.Errorf("%+v", s)
	}
}

// Property: a colour and its shade are a phrase of the list whichever two they are, and clear ink that says another word than the phrase
// that is nearest as a whole stays what it says, in doubt.
func TestPhrasesWordByWord(t *testing.T) {
	for name, c := range map[string]struct {
		list   *Terms
		said   string
		value  string
		listed bool
	}{
		"shade of a rare colour":      {Colours(), "برتقالى غامق", "برتقالى غامق", true},
		"a condition":                 {Conditions(), "يلزم سماعة أذن", "يلزم سماعة أذن", true},
		"a gear":                      {Conditions(), "ناقل حركة أتوماتيكي", "ناقل حركة أتوماتيكي", true},
		"a holder and the vehicle":    {Conditions(), "معاق - سيارة مجهزة", "معاق - سيارة مجهزة", true},
		"a body and its doors":        {Bodies(), "صالون ٤ باب", "صالون ٤ باب", true},
		"a licence by its name":       {LicenceKinds(), "رخصة خاصة", "رخصة خاصة", true},
		"a model in Latin letters":    {Models(), "ARRIZO 5", "ARRIZO 5", true},
		"a condition and its opening": {Conditions(), "يشترط سيارة مجهزة طبيا", "يشترط سيارة مجهزة طبيا", true},
		"matte":                       {Colours(), "رمادي مطفي", "رمادي مطفي", true},
		"another word of two":         {Bodies(), "ملاكي ركوب", "ملاكي ركوب", false},
		"a letter of one word of two": {Bodies(), "ملاكي صالوت", "ملاكي صالون", true},
	} {
		v := c.list.Choose(c.said, math.Log(0.99), inked(c.said, 12))
		if v.Value != c.value || v.Listed != c.listed || !c.listed && v.Confidence > 0.5 {
			t.Errorf("%s: %+v", name, v)
		}
	}
}
