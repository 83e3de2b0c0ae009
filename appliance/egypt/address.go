package egypt

import "strings"

// placeScore is the least likeness of a governorate's name at the end of an address.
const placeScore = 0.8

// EndsInPlace tells whether a line ends in a governorate's name, some letters misread.
func EndsInPlace(line string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" -–—/", r) })
	for n := 1; n <= min(2, len(words)); n++ {
		if namesPlace(strings.Join(words[len(words)-n:], " ")) {
			return true
		}
	}
	return false
}

// namesPlace tells whether a text is the name of a governorate, and nothing else.
func namesPlace(text string) bool {
	for _, g := range Governorates() {
		for _, name := range append(governorateVariants(g.Code), g.Arabic) {
			if g.Code != BornAbroad && Likeness(text, name) >= placeScore {
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
