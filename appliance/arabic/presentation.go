package arabic

import "strings"

// forms holds the letters of the presentation forms U+FE80 to U+FEF4 in their order.
const forms = "ءآآأأؤؤإإئئئئااببببةةتتتتثثثثججججححححخخخخددذذررززسسسسششششصصصصضضضضططططظظظظععععغغغغففففققققككككللللممممننننههههووىىيييي"

// presented spells a presentation form with the letters that it shows.
func presented(r rune) (string, bool) {
	switch {
	case r >= 0xFE80 && r <= 0xFEF4:
		at := 2 * int(r-0xFE80) // every letter of forms has two bytes
		return forms[at : at+2], true
	case r >= 0xFEF5 && r <= 0xFEFC:
		return "لا", true
	case r == 0xFDF2:
		return "الله", true
	case r >= 0xFB56 && r <= 0xFB59:
		return "ب", true
	case r >= 0xFB8E && r <= 0xFB91:
		return "ك", true
	case r >= 0xFBA4 && r <= 0xFBAD:
		return "ه", true
	case r >= 0xFBAE && r <= 0xFBB1, r >= 0xFBFC && r <= 0xFBFF:
		return "ي", true
	case r >= 0xFE70 && r <= 0xFE7F: // marks that stand alone
		return "", true
	}
	return "", false
}

// Nominal writes presentation forms as letters.
func Nominal(text string) string {
	var b strings.Builder
	for _, r := range text {
		if letters, ok := presented(r); ok {
			b.WriteString(letters)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
