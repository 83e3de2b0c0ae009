package egypt

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/arabic"
)

// Words by which names of companies begin, of what they do, with which they end, and behind which a number stands, folded.
var (
	companies  = sync.OnceValue(func() []string { return strings.Fields(arabic.Fold(wordList(companyWords))) })
	businesses = sync.OnceValue(func() []string { return strings.Fields(arabic.Fold(wordList(businessWords))) })
	partners   = sync.OnceValue(func() []string { return strings.Fields(arabic.Fold(wordList(partnerWords))) })
	numbered   = sync.OnceValue(func() []string { return strings.Fields(arabic.Fold(wordList(numberedWords))) })
)

// NamesCompany reports whether a line begins as the names of companies, schools and offices do.
func NamesCompany(line string) bool { return begins(line, companies()) }

// AsksNumber reports whether a line begins with a word behind which a number stands: عدد الركاب, حمولة.
func AsksNumber(line string) bool { return begins(line, numbered()) }

// begins reports whether a line begins with one of some words.
func begins(line string, with []string) bool {
	words := strings.Fields(arabic.Fold(line))
	return len(words) > 0 && slices.Contains(with, words[0])
}

// NamesBusiness reports whether a line says what a company is for, whose it is or what in law, as second lines of their names do:
// للنقل البري, لتوزيع الأدوية, وشركاه, مساهمة مصرية.
func NamesBusiness(line string) bool {
	words := strings.Fields(arabic.Fold(line))
	if len(words) == 0 {
		return false
	}
	what, is := strings.CutPrefix(words[0], "ل")
	article := strings.HasPrefix(what, "ل") && utf8.RuneCountInString(what) > leastBusiness
	return is && (article || slices.Contains(businesses(), what)) || slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains(partners(), w) || slices.Contains(partners(), strings.TrimPrefix(w, "و"))
	})
}

// leastBusiness is how many letters a word has at least behind لل.
const leastBusiness = 3

// NamesState reports whether a line is the state's name and nothing else.
func NamesState(line string) bool { return arabic.Fold(line) == "مصر" }
