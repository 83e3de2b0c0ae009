package egypt

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/arabic"
)

// Words by which names of companies begin, and of what they do, folded.
var (
	companies  = sync.OnceValue(func() []string { return strings.Fields(arabic.Fold(wordList(companyWords))) })
	businesses = sync.OnceValue(func() []string { return strings.Fields(arabic.Fold(wordList(businessWords))) })
)

// NamesCompany reports whether a line begins as the names of companies, schools and offices do.
func NamesCompany(line string) bool {
	words := strings.Fields(arabic.Fold(line))
	return len(words) > 0 && slices.Contains(companies(), words[0])
}

// NamesBusiness reports whether a line says what a company is for, as second lines of their names do:
// للنقل البري, لتوزيع الأدوية.
func NamesBusiness(line string) bool {
	words := strings.Fields(arabic.Fold(line))
	if len(words) == 0 {
		return false
	}
	what, is := strings.CutPrefix(words[0], "ل")
	article := strings.HasPrefix(what, "ل") && utf8.RuneCountInString(what) > leastBusiness
	return is && (article || slices.Contains(businesses(), what))
}

// leastBusiness is how many letters a word has at least behind لل.
const leastBusiness = 3

// NamesState reports whether a line is the state's name and nothing else.
func NamesState(line string) bool { return arabic.Fold(line) == "مصر" }
