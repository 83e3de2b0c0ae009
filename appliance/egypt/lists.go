package egypt

import (
	_ "embed" // the lists lie in a folder beside this file
	"strings"
)

// Words and phrases from general knowledge, as documents print them; each list says what it holds.
var (
	//go:embed lists/addresses.txt
	addressWords string
	//go:embed lists/bodies.txt
	bodies string
	//go:embed lists/businesses.txt
	businessWords string
	//go:embed lists/colours.txt
	colours string
	//go:embed lists/companies.txt
	companyWords string
	//go:embed lists/conditions.txt
	conditions string
	//go:embed lists/frequent_names.txt
	frequentNames string
	//go:embed lists/frequent_words.txt
	frequentWords string
	//go:embed lists/fuels.txt
	fuels string
	//go:embed lists/jobs.txt
	jobWords string
	//go:embed lists/licence_kinds.txt
	licenceKinds string
	//go:embed lists/makes.txt
	makes string
	//go:embed lists/models.txt
	models string
	//go:embed lists/nationalities.txt
	nationalities string
	//go:embed lists/numbered.txt
	numberedWords string
	//go:embed lists/partners.txt
	partnerWords string
	//go:embed lists/remarks.txt
	remarkWords string
	//go:embed lists/towns.txt
	towns string
	//go:embed lists/units.txt
	units string
	//go:embed lists/uses.txt
	uses string
)

// listed are the lines of a list without its comments.
func listed(list string) (lines []string) {
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// wordList are the words of a list, parted by blanks.
func wordList(list string) string { return strings.Join(listed(list), " ") }

// phrases are what the lines of a list hold, parted by strokes.
func phrases(list string) (out []string) {
	for _, line := range listed(list) {
		for p := range strings.SplitSeq(line, "|") {
			out = append(out, strings.TrimSpace(p))
		}
	}
	return out
}

// expanded are all texts that a pattern stands for: (a|b) in it is a or b.
func expanded(pattern string) (out []string) {
	before, after, found := strings.Cut(pattern, "(")
	if !found {
		return []string{pattern}
	}
	choice, rest, _ := strings.Cut(after, ")")
	for _, end := range expanded(rest) {
		for one := range strings.SplitSeq(choice, "|") {
			out = append(out, before+one+end)
		}
	}
	return out
}
