package egypt

import (
	"math"
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
)

// Spelling counts how the words of a card are spelled where typists differ. A typist is mostly steady, so that one word tells
// what to expect of the next.
type Spelling [typistHabits]habit

// The habits: ى for a last ي, alefs without hamza, ه for ة.
const (
	habitYeh = iota
	habitAlef
	habitHeh
	typistHabits
)

// usualShares are the shares of words that are spelled as dictionaries have them, as [Wording] expects them of any card.
func usualShares() [typistHabits]float64 {
	share := func(dictionary rune) float64 { return math.Exp(logSpelling(dictionary, dictionary)) }
	return [typistHabits]float64{share('ي'), share('أ'), share('ة')}
}

// habit counts words as dictionaries spell them and in the other way.
type habit struct{ usual, other float64 }

// steadiness is how many words' worth of what all cards show is expected of a new typist, who then keeps to what he did
// before: below 1 most do one or the other, by judgement.
const steadiness = 0.8

// Spelling counts how the words of a line are spelled. Of words that no list holds only the last ي or ى tells.
func (w *Wording) Spelling(line string) (s Spelling) {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !arabicLetter(r) }) {
		w.spelling([]rune(word), &s)
	}
	return s
}

// spelling adds a word to the counts.
func (w *Wording) spelling(word []rune, s *Spelling) {
	if len(word) < 3 {
		return
	}
	dictionary := w.listed[arabic.Fold(string(word))]
	last := word[len(word)-1]
	if len(dictionary) != len(word) {
		if last == 'ي' || last == 'ى' {
			s[habitYeh].count(last == 'ي')
		}
		return
	}
	switch end := dictionary[len(word)-1]; end {
	case 'ي':
		s[habitYeh].see(end, last)
	case 'ة':
		s[habitHeh].see(end, last)
	}
	for i, r := range dictionary {
		if otherSpelling(r) == 'ا' {
			s[habitAlef].see(r, word[i])
			return
		}
	}
}

// Misspelled counts the words of a line that are listed and spelled in a way in which no typist spells them: a hamza where dictionaries
// have none.
func (w *Wording) Misspelled(line string) (n int) {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !arabicLetter(r) }) {
		printed := []rune(word)
		dictionary := w.listed[arabic.Fold(word)]
		if len(dictionary) != len(printed) {
			continue
		}
		for i, r := range printed {
			if d := dictionary[i]; r != d && r != otherSpelling(d) {
				n++
				break
			}
		}
	}
	return n
}

// see counts a letter that is printed as dictionaries have it, or in the other way; a third way tells nothing.
func (h *habit) see(dictionary, printed rune) {
	if printed == dictionary || printed == otherSpelling(dictionary) {
		h.count(printed == dictionary)
	}
}

func (h *habit) count(usual bool) {
	if usual {
		h.usual++
	} else {
		h.other++
	}
}

// Plus is the count of both, the second with a weight.
func (s Spelling) Plus(o Spelling, weight float64) Spelling {
	for i := range s {
		s[i].usual += weight * o[i].usual
		s[i].other += weight * o[i].other
	}
	return s
}

// LogHabit says how much likelier words that are spelled so are, as a natural logarithm, on a card whose other words are spelled
// as elsewhere than each would be on its own.
func (s Spelling) LogHabit(elsewhere Spelling) (sum float64) {
	shares := usualShares()
	for i, own := range s {
		share := shares[i]
		usual, other := steadiness*share+max(0, elsewhere[i].usual), steadiness*(1-share)+max(0, elsewhere[i].other)
		for range int(own.usual) {
			sum += math.Log(usual / (usual + other) / share)
			usual++
		}
		for range int(own.other) {
			sum += math.Log(other / (usual + other) / (1 - share))
			other++
		}
	}
	return sum
}
