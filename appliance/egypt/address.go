package egypt

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/number"
)

// placeScore is the least likeness of a governorate's name at the end of an address.
const placeScore = 0.8

// EndsInPlace reports whether a line ends in a governorate's name, some letters misread: one that no street bears, as شارع بورسعيد does.
func EndsInPlace(line string) bool { return endsIn(line, placeScore) }

// EndsInListedPlace reports whether a line ends in a governorate's name in one of its spellings.
func EndsInListedPlace(line string) bool { return endsIn(line, 1) }

// listedTowns are the listed towns and districts.
var listedTowns = sync.OnceValue(func() *Terms { return NewTerms(phrases(towns)) })

// EndsInTown reports whether a line ends in the name of a listed town or district that no street bears.
func EndsInTown(line string) bool { return lastNamed(line, mostTownWords, listedTowns().Holds) }

// mostTownWords is of how many words the name of a town is at most, mostGovernorate of how many that of a governorate.
const mostTownWords, mostGovernorate = 4, 2

// wordsOf are the words of an address, without strokes.
func wordsOf(address string) []string {
	return strings.FieldsFunc(address, func(r rune) bool { return strings.ContainsRune(" -–—/", r) })
}

func endsIn(line string, least float64) bool {
	return lastNamed(line, mostGovernorate, func(name string) bool { return namesPlace(name, least) })
}

// lastNamed reports whether the last words of an address, so many at most, are the name of a place that no street bears.
func lastNamed(line string, most int, named func(name string) bool) bool {
	words := wordsOf(line)
	for n := 1; n <= min(most, len(words)); n++ {
		if from := len(words) - n; named(strings.Join(words[from:], " ")) {
			return from == 0 || !slices.Contains(streetWords(), arabic.Fold(words[from-1]))
		}
	}
	return false
}

// mostDistrict is of how many words the names of a district and its governorate are at most, and mostTown of how many that of a town is
// which nothing announces: أبو تشت - قنا, مدينة صان الحجر - الشرقية.
const mostDistrict, mostTown = 4, 2

// PlaceAlone reports whether an address may name no street, no house and no village, but a district of a governorate alone.
func PlaceAlone(address string) bool {
	words := wordsOf(address)
	if len(words) > mostDistrict || strings.ContainsFunc(address, unicode.IsDigit) {
		return false
	}
	for n := min(mostGovernorate, len(words)); n > 0; n-- {
		if from := len(words) - n; namesPlace(strings.Join(words[from:], " "), 1) {
			words = words[:from]
			break
		}
	}
	return len(words) <= mostTown || slices.Contains([]string{"مركز", "قسم", "مدينه", "حي", "بندر"}, arabic.Fold(words[0]))
}

// streetWords are the folded words before the name of a street.
func streetWords() []string {
	return []string{"شارع", "ش", "طريق", "ميدان", "كورنيش", "كوبري", "درب", "حاره"}
}

// LettersAndDigits is an address with the letter or digit that must stand where one that looks like it was read alone. No house, floor or
// flat has the number 0, and ٥ looks like it where no other digit is western. Behind a word ا is no word, and looks like ١. No house has
// two numbers, so that a ٤ with which an address begins before another one is ع, for عمارة. A second house of one number is مكرر, whose two
// last letters are one where they run together. Of 5,100 drawn addresses none has a ا behind a
// word or begins with two numbers; all six and 15 that were read so were these.
func LettersAndDigits(address string) string {
	words := strings.Split(address, " ")
	western := strings.ContainsAny(address, "123456789")
	for i, w := range words {
		switch {
		case w == "0" && !western:
			words[i] = "٥"
		case w == "ا" && i > 0 && !isNumber(words[i-1]):
			words[i] = "١"
		case w == "٤" && i == 0 && len(words) > 1 && isNumber(words[1]):
			words[i] = "ع"
		case w == "مكر" && i > 0 && isNumber(words[i-1]):
			words[i] = "مكرر"
		}
	}
	return strings.Join(words, " ")
}

// LetterOrOne reports whether the number of a house, with which an address begins, may hold the letter of a part of the house, which looks
// like a digit: ١٣٤ا as ١١٣٤, ٨٩ ا as ٨٩ ١. Numbers of houses have hardly ever four digits, and no house has two.
func LetterOrOne(address string) bool {
	words := strings.Fields(address)
	if len(words) == 0 || !isNumber(words[0]) {
		return false
	}
	digits := []rune(words[0])
	return len(digits) == 4 && (digits[0] == '١' || digits[0] == '1') || len(words) > 1 && isNumber(words[1])
}

// isNumber reports whether a word is digits and nothing else.
func isNumber(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
}

// namesPlace reports whether a text is the name of a governorate, and nothing else: as like one as least.
func namesPlace(text string, least float64) bool {
	if arabic.Fold(text) == "اسنان" { // of a dentist, one letter from أسوان
		return false
	}
	for _, g := range number.Governorates() {
		for _, name := range append(governorateVariants(g.Code), g.Arabic) {
			if g.Code != number.BornAbroad && arabic.Likeness(text, name) >= least {
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
