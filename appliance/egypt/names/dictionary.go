package names

import "strings"

// Men are given names of men as dictionaries spell them, as are those that follow. The caller owns each list.
func Men() []string { return spellings(men) }

// Women are given names of women.
func Women() []string { return spellings(women) }

// Coptic are Christian given names.
func Coptic() []string { return spellings(coptic) }

// Families are names of families and tribes.
func Families() []string { return spellings(families) }

// Compounds are names of two words that are one, and those whose Latin spelling no rule gives.
func Compounds() []string { return spellings(compounds) }

// Stems are what follows عبد ال and similar beginnings.
func Stems() []string { return spellings(stems) }

// spellings lists the Arabic spelling of a name list.
func spellings(list string) []string {
	names := strings.Split(strings.Trim(list, "|"), "|")
	for i, n := range names {
		folded, latin, _ := strings.Cut(n, "=")
		names[i] = folded
		if _, spelled, ok := strings.Cut(latin, "="); ok {
			names[i] = spelled
		}
	}
	return names
}

// lookUp finds the Latin spelling of a folded name in a list.
func lookUp(list, folded string) (string, bool) {
	if folded == "" || strings.ContainsAny(folded, "|=") {
		return "", false
	}
	at := strings.Index(list, "|"+folded+"=")
	if at < 0 {
		return "", false
	}
	entry := list[at+len(folded)+2:]
	return entry[:strings.IndexAny(entry, "=|")], true
}

// lookUpAny searches all lists of single names.
func lookUpAny(folded string) (string, bool) {
	for _, list := range [...]string{men, women, coptic, families, compounds, stems} {
		if latin, ok := lookUp(list, folded); ok {
			return latin, true
		}
	}
	return "", false
}
