package egypt

import "strings"

// placeScore is the least likeness of a governorate's name at the end of an address.
const placeScore = 0.8

// splitPlace parts a line that ends in a governorate's name before the sign that stands there.
func splitPlace(line string) (head, tail string, ok bool) {
	const signs = " -–—/"
	runes := []rune(line)
	for i := len(runes) - 1; i > 0; i-- {
		if !strings.ContainsRune(signs, runes[i]) {
			continue
		}
		head, tail = strings.TrimRight(string(runes[:i]), signs), strings.Trim(string(runes[i:]), signs)
		// Some names have two words, of which the second may be like a name itself.
		if namesPlace(tail) && !namesPlace(lastWord(head)+" "+tail) {
			return head, tail, true
		}
	}
	return "", "", false
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

// lastWord is the last word of a text.
func lastWord(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" -–—/", r) })
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
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
