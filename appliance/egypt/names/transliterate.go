package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/arabic"
)

// Transliterate writes an Arabic name in Latin letters the way it is usual in Egypt, each name capitalised: by the name
// dictionary where it knows the name, by rules for compounds (Abdelrahman, Aboelnour, Salah Eldin, Nasrallah) and the
// article (Elmasry), and letter by letter for the rest (ج G, ش Sh, خ Kh, ق K, final ي y; short vowels that text leaves
// out are guessed as a). It is for display and search: holders choose their own spelling. What is not Arabic stays.
func Transliterate(name string) string {
	var out []string
	for _, unit := range Units(name) {
		out = append(out, latinUnit(unit))
	}
	return strings.Join(out, " ")
}

// latinUnit writes one unit of Units.
func latinUnit(unit string) string {
	folded := arabic.Fold(unit)
	if latin, ok := known()[folded]; ok {
		return latin
	}
	first, rest, two := strings.Cut(folded, " ")
	if !two {
		return latinWord(folded)
	}
	switch first {
	case "عبد":
		return joinArticle("Abd", "Abd ", rest)
	case "ابو":
		return joinArticle("Abo", "Abou", rest)
	case "ام":
		return "Om " + latinUnit(rest)
	case "ابن", "بن":
		return "Ibn " + latinUnit(rest)
	case "بنت":
		return "Bent " + latinUnit(rest)
	case "ال": // آل, the house of
		return "Al " + latinUnit(rest)
	}
	if rest == "الله" {
		return strings.TrimRight(latinWord(first), "ae") + "allah"
	}
	return latinWord(first) + " " + latinUnit(rest)
}

// joinArticle writes a beginning with the folded rest of a compound, in one word where the rest has the article.
func joinArticle(before, plain, rest string) string {
	if rest == "الله" {
		return before + "allah"
	}
	if stem, ok := article(rest); ok {
		return before + "el" + strings.ToLower(latinWord(stem))
	}
	latin := latinUnit(rest)
	if !strings.HasSuffix(plain, " ") {
		latin = strings.ToLower(latin)
	}
	return plain + latin
}

// article takes ال off a folded word that is long enough to have it.
func article(folded string) (stem string, ok bool) {
	stem, ok = strings.CutPrefix(folded, "ال")
	return stem, ok && utf8.RuneCountInString(stem) >= 2
}

// latinWord writes one folded word.
func latinWord(folded string) string {
	if latin, ok := known()[folded]; ok {
		return latin
	}
	for _, end := range [...]string{"الدين", "الله", "الرب"} {
		if stem, ok := strings.CutSuffix(folded, end); ok && utf8.RuneCountInString(stem) >= 2 {
			return latinUnit(stem + " " + end)
		}
	}
	for _, joined := range [...][2]string{{"عبدال", "عبد ال"}, {"ابو", "ابو "}} {
		if stem, ok := strings.CutPrefix(folded, joined[0]); ok && utf8.RuneCountInString(stem) >= 2 {
			return latinUnit(joined[1] + stem)
		}
	}
	if stem, ok := article(folded); ok {
		return "El" + strings.ToLower(latinWord(stem))
	}
	return title(spellLatin([]rune(folded)))
}

// title capitalises the first letter.
func title(word string) string {
	for i, r := range word {
		return word[:i] + string(unicode.ToUpper(r)) + word[i+len(string(r)):]
	}
	return word
}

// spellLatin writes letters one by one. Short vowels are guessed: an a between the first two consonants, one before the
// third of a row and before a final وي, as in Badawy, and an e between the last two after ا, as in Zafer.
func spellLatin(word []rune) string {
	var b strings.Builder
	row := 0 // consonants since the last vowel
	for i, r := range word {
		latin, vowel := latinLetter(word, i)
		if latin == "" {
			b.WriteRune(r)
			row = 0
			continue
		}
		if vowel {
			row = 0
		} else {
			switch {
			case row == 1 && i >= 2 && i == len(word)-1 && word[i-2] == 'ا':
				b.WriteByte('e')
				row = 0
			case row == 2 || row == 1 && (i == 1 || string(word[i:]) == "وي"):
				b.WriteByte('a')
				row = 0
			}
			row++
		}
		if i > 0 && (r == 'ا' && word[i-1] == 'ع' || string(word[i-1:]) == "يي") {
			continue // one a, or one y, for both
		}
		b.WriteString(latin)
	}
	return b.String()
}

// latinLetter is the Latin spelling of the letter at a place of a folded word, and whether it is a vowel; "" for what is no
// Arabic letter.
func latinLetter(word []rune, i int) (latin string, vowel bool) {
	first, last := i == 0, i == len(word)-1
	afterConsonant := !first && !longVowel(word[i-1])
	// ة at the end sounds a, so that و and ي before it are consonants.
	beforeConsonant := !last && !longVowel(word[i+1]) && !(word[i+1] == 'ه' && i+2 == len(word))
	switch word[i] {
	case 'ا':
		return "a", true
	case 'و':
		if afterConsonant && (last || beforeConsonant) || beforeConsonant && !first && word[i-1] == 'ي' { // as in Mahmoud, Amrou, Fayoumy
			return "ou", true
		}
		return "w", false
	case 'ي':
		if afterConsonant && beforeConsonant {
			return "i", true
		}
		return "y", last && !first
	case 'ه':
		if last && !first && word[i-1] != 'ا' { // ة, or ه printed for it
			return "a", true
		}
		return "h", false
	case 'ع':
		return "a", true
	case 'ء':
		return "a", true
	}
	return latinConsonant(word[i]), false
}

// longVowel reports whether a folded letter may be one.
func longVowel(r rune) bool { return r == 'ا' || r == 'و' || r == 'ي' }

func latinConsonant(r rune) string {
	switch r {
	case 'ب':
		return "b"
	case 'ت', 'ط':
		return "t"
	case 'ث':
		return "th"
	case 'ج', 'گ':
		return "g"
	case 'ح':
		return "h"
	case 'خ':
		return "kh"
	case 'د', 'ض':
		return "d"
	case 'ذ', 'ز', 'ظ':
		return "z"
	case 'ر':
		return "r"
	case 'س', 'ص':
		return "s"
	case 'ش':
		return "sh"
	case 'غ':
		return "gh"
	case 'ف':
		return "f"
	case 'ڤ':
		return "v"
	case 'ق', 'ك':
		return "k"
	case 'ل':
		return "l"
	case 'م':
		return "m"
	case 'ن':
		return "n"
	}
	return ""
}
