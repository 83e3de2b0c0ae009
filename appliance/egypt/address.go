package egypt

import (
	"slices"
	"strings"
	"unicode"
)

// placeScore is the least likeness of a governorate's name at the end of an address.
const placeScore = 0.8

// EndsInPlace reports whether a line ends in a governorate's name, some letters misread: one that no street bears, as شارع بورسعيد does.
func EndsInPlace(line string) bool { return endsIn(line, placeScore) }

// EndsInListedPlace reports whether a line ends in a governorate's name in one of its spellings.
func EndsInListedPlace(line string) bool { return endsIn(line, 1) }

func endsIn(line string, least float64) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" -–—/", r) })
	for n := 1; n <= min(2, len(words)); n++ {
		if from := len(words) - n; namesPlace(strings.Join(words[from:], " "), least) {
			return from == 0 || !slices.Contains(streetWords(), Fold(words[from-1]))
		}
	}
	return false
}

// streetWords are the folded words before the name of a street.
func streetWords() []string {
	return []string{"شارع", "ش", "طريق", "ميدان", "كورنيش", "كوبري", "درب", "حاره"}
}

// FiveAlone is an address with ٥ for a 0 that stands alone, where no other western digit does: no house, floor or flat has that number, and the two look alike.
func FiveAlone(address string) string {
	words := strings.Split(address, " ")
	if strings.ContainsAny(address, "123456789") {
		return address
	}
	for i, w := range words {
		if w == "0" {
			words[i] = "٥"
		}
	}
	return strings.Join(words, " ")
}

// LetterOrOne reports whether the number of a house, with which an address begins, may hold the letter of a part of the house, which looks
// like one more digit one: ١٣٤ا as ١١٣٤, ٨٩ ا as ٨٩ ١. Numbers of houses have hardly ever four digits.
func LetterOrOne(address string) bool {
	words := strings.Fields(address)
	if len(words) == 0 || strings.ContainsFunc(words[0], func(r rune) bool { return !unicode.IsDigit(r) }) {
		return false
	}
	digits := []rune(words[0])
	return len(digits) == 4 && isOne(string(digits[0])) || len(words) > 1 && isOne(words[1])
}

// isOne reports whether a text is the digit one and nothing else.
func isOne(text string) bool { return text == "١" || text == "1" }

// namesPlace reports whether a text is the name of a governorate, and nothing else: as like one as least.
func namesPlace(text string, least float64) bool {
	if Fold(text) == "اسنان" { // of a dentist, one letter from أسوان
		return false
	}
	for _, g := range Governorates() {
		for _, name := range append(governorateVariants(g.Code), g.Arabic) {
			if g.Code != BornAbroad && Likeness(text, name) >= least {
				return true
			}
		}
	}
	return false
}

// governorateVariants lists other names in use.
func governorateVariants(code string) []string {
	switch code {
	case "01":
		return []string{"قاهرة"}
	case "02":
		return []string{"اسكندرية"}
	case "03":
		return []string{"بور سعيد"}
	case "14":
		return []string{"قليوبية"}
	case "15":
		return []string{"كفرالشيخ"}
	case "22":
		return []string{"بنى سويف", "بنيسويف"}
	case "24":
		return []string{"منيا"}
	case "33":
		return []string{"مرسى مطروح"}
	}
	return nil
}
