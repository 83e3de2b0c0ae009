package egypt

import (
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/number"
)

// Vocabulary names a closed list of words.
type Vocabulary int

// The vocabularies of the back's status row.
const (
	VocabularySex Vocabulary = iota
	VocabularyReligion
	VocabularyMarital
	vocabularies
)

// Word is an entry of a vocabulary.
type Word struct {
	Vocabulary Vocabulary
	// Text is the dictionary spelling.
	Text string
	// Sex is whom the word is said of, "" for either.
	Sex number.Sex
	// Variants are other spellings in text.
	Variants []string
}

// Dash stands for a religion that is not stated.
const Dash = "-"

// StatusWords lists the words of the status row: sexes, religions and marital states. The caller owns the list.
func StatusWords() []Word {
	const s, r, m = VocabularySex, VocabularyReligion, VocabularyMarital
	return []Word{
		{s, "ذكر", number.Male, nil},
		{s, "أنثى", number.Female, []string{"انثى", "أنثي", "انثي"}},
		{r, "مسلم", number.Male, nil},
		{r, "مسلمة", number.Female, []string{"مسلمه"}},
		{r, "مسيحي", number.Male, []string{"مسيحى"}},
		{r, "مسيحية", number.Female, []string{"مسيحيه"}},
		{r, "يهودي", number.Male, []string{"يهودى"}},
		{r, "يهودية", number.Female, []string{"يهوديه"}},
		{r, Dash, "", []string{"--", "---", "–", "—"}},
		{m, "أعزب", number.Male, []string{"اعزب"}},
		{m, "آنسة", number.Female, []string{"أنسة", "انسة", "آنسه", "أنسه", "انسه"}},
		{m, "عزباء", number.Female, []string{"عزبا", "عزبه"}},
		{m, "متزوج", number.Male, nil},
		{m, "متزوجة", number.Female, []string{"متزوجه"}},
		{m, "مطلق", number.Male, nil},
		{m, "مطلقة", number.Female, []string{"مطلقه"}},
		{m, "أرمل", number.Male, []string{"ارمل"}},
		{m, "أرملة", number.Female, []string{"أرمله", "ارملة", "ارمله"}},
	}
}

// Match is a word of a vocabulary that a text may be.
type Match struct {
	Word Word
	// Score is the likeness of the text to the word, 0 to 1.
	Score float64
	// Margin is by how much Score exceeds that of the next other word.
	Margin float64
}

// MatchWord finds the word of a list that is most like a text after folding; ok is false where none is at all. Lists of
// several vocabularies are weighed at once, so that a word goes to the vocabulary that it fits best.
func MatchWord(text string, list []Word) (best Match, ok bool) {
	second := 0.0
	for _, w := range list {
		score := arabic.Likeness(text, w.Text)
		for _, v := range w.Variants {
			score = max(score, arabic.Likeness(text, v))
		}
		switch {
		case score > best.Score:
			second = best.Score
			best.Word, best.Score = w, score
		case score > second:
			second = score
		}
	}
	best.Margin = best.Score - second
	return best, best.Score > 0
}
