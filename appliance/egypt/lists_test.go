package egypt

import (
	"math"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance/arabic"
)

// Every nationality has what is said in Arabic and in Latin letters; of a woman it has ة behind it; and no phrase of a list stands twice.
func TestLists(t *testing.T) {
	for _, of := range listed(nationalities) {
		said, latin, ok := strings.Cut(of, "=")
		for _, p := range phrases(said) {
			if !ok || !strings.HasSuffix(p, "ي") || !Nationalities().Holds(p+"ة") {
				t.Errorf("%q of %q", p, of)
			}
		}
		for _, p := range phrases(latin) {
			if p == "" || strings.ToUpper(p[:1]) != p[:1] || !NationalitiesEnglish().Holds(strings.ToUpper(p)) {
				t.Errorf("%q of %q", p, of)
			}
		}
	}
	for _, list := range []string{makes, models, nationalities} {
		seen := map[string]bool{}
		for _, p := range phrases(strings.ReplaceAll(list, "=", "|")) {
			if seen[p] || p == "" || arabic.Clean(p) != p {
				t.Errorf("%q stands twice or is not clean", p)
			}
			seen[p] = true
		}
	}
}

// Phrases that differ in a kind of alef alone are one phrase, which is found in each of their spellings.
func TestSpellingsOfOnePhrase(t *testing.T) {
	terms := NewTerms([]string{"إيسوزو", "أيسوزو", "نيسان"})
	if len(terms.terms) != 2 {
		t.Fatalf("%d phrases", len(terms.terms))
	}
	for _, p := range []string{"إيسوزو", "أيسوزو", "ايسوزو"} {
		if got := terms.Choose(p, math.Log(0.9), inked(p, 8)); got.Value != p || !got.Listed {
			t.Errorf("%s: %+v", p, got)
		}
	}
}

// Words of occupations are listed as they stand behind the prepositions that are written as one with them, too, and are rarer so.
func TestPrefixedWords(t *testing.T) {
	l := jobLexicon()
	for _, word := range []string{"بالمعهد", "للأورام", "بمستشفي", "والصحه"} {
		if !l.listed[arabic.Fold(word)] {
			t.Errorf("%s is not listed", word)
		}
	}
	for _, e := range l.entries {
		if string(e.spelled) == "للحميات" && e.often != prefixed {
			t.Errorf("%s: %v", string(e.spelled), e.often)
		}
	}
}
