package egypt

import "strings"

// Nearly is how much likelier, in nats, the ink may find a reading than its neighbour in the lexicon and still give way: two
// nats are odds of seven to one. Names and addresses are full of words that no list holds, so ink that is any clearer
// stays. Set by judgement on 20 November 2026.
const Nearly = 2.0

// shortest is the length of the shortest word that a lexicon changes: too many short strings are words.
const shortest = 3

// Lexicon is a list of words that are frequent in one kind of line. It is read only and may be shared.
type Lexicon struct {
	words map[string]struct{} // folded
}

// NewNameLexicon holds the words of the name dictionary.
func NewNameLexicon() *Lexicon {
	l := &Lexicon{map[string]struct{}{"عبد": {}, "ابو": {}}}
	for _, list := range [...]string{menNames, womenNames, copticNames, familyNames, compoundNames} {
		for _, entry := range strings.Split(strings.Trim(list, "|"), "|") {
			name, _, _ := strings.Cut(entry, "=")
			l.add(name)
		}
	}
	for _, entry := range strings.Split(strings.Trim(stemNames, "|"), "|") {
		stem, _, _ := strings.Cut(entry, "=")
		l.add("ال" + stem)
	}
	return l
}

// NewAddressLexicon holds words of addresses, and the names, after which streets are called.
func NewAddressLexicon() *Lexicon {
	l := NewNameLexicon()
	l.add(addressWords)
	for _, g := range Governorates() {
		l.add(g.Arabic)
	}
	return l
}

func (l *Lexicon) add(text string) {
	for _, w := range strings.Fields(Fold(text)) {
		l.words[w] = struct{}{}
	}
}

// Knows tells whether a word is listed, in whatever spelling.
func (l *Lexicon) Knows(word string) bool {
	_, ok := l.words[Fold(word)]
	return ok
}

// Choose looks at a line's best reading and its ink log-likelihood, and puts a listed word in the place of an unlisted one
// where they differ in one letter and the ink, asked by score for the whole line, finds them nearly tied. Clear ink is
// never overruled; spelling variants of one word are left to the ink. changed tells whether anything was put in.
func (l *Lexicon) Choose(best string, bestLL float64, score func(text string) float64) (text string, changed bool) {
	words := strings.Fields(best)
	ll := bestLL
	for i, w := range words {
		if letters(w) < shortest || l.Knows(w) {
			continue
		}
		choice, top := "", bestLL-Nearly
		l.neighbours(w, func(other string) {
			words[i] = other
			if s := score(strings.Join(words, " ")); s > top {
				choice, top = other, s
			}
		})
		if words[i] = w; choice != "" {
			words[i], ll, changed = choice, top, true
		}
	}
	if !changed || !(ll >= bestLL-Nearly) {
		return best, false
	}
	return strings.Join(words, " "), true
}

// neighbours goes through the listed words that differ from a word by one letter put in, left out or exchanged.
func (l *Lexicon) neighbours(word string, yield func(other string)) {
	const alphabet = "ابتثجحخدذرزسشصضطظعغفقكلمنهويةأإئ"
	letters := []rune(word)
	seen := map[string]struct{}{word: {}}
	offer := func(other string) {
		if _, ok := seen[other]; !ok && l.Knows(other) {
			yield(other)
		}
		seen[other] = struct{}{}
	}
	for i := range len(letters) + 1 {
		before, after := string(letters[:i]), string(letters[i:])
		if i < len(letters) {
			rest := string(letters[i+1:])
			offer(before + rest)
			for _, r := range alphabet {
				offer(before + string(r) + rest)
			}
		}
		for _, r := range alphabet {
			offer(before + string(r) + after)
		}
	}
}
