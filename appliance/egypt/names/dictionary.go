package names

import (
	_ "embed" // the lists lie in a folder beside this file
	"iter"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/arabic"
)

// The name dictionary, put down for this project from general knowledge; the sample of the reference is part of it. A line holds a name as
// dictionaries spell it, =, and the Latin spelling that is usual in Egypt. A name in several lists has one spelling.
var (
	//go:embed lists/men.txt
	men string
	//go:embed lists/women.txt
	women string
	//go:embed lists/coptic.txt
	coptic string
	//go:embed lists/families.txt
	families string
	//go:embed lists/compounds.txt
	compounds string
	//go:embed lists/stems.txt
	stems string
)

// Men are given names of men as dictionaries spell them, as are those that follow. The caller owns each list.
func Men() []string { return spelled(men) }

// Women are given names of women.
func Women() []string { return spelled(women) }

// Coptic are Christian given names.
func Coptic() []string { return spelled(coptic) }

// Families are names of families and tribes.
func Families() []string { return spelled(families) }

// Compounds are names of two words that are one, and those whose Latin spelling no rule gives.
func Compounds() []string { return spelled(compounds) }

// Stems are what follows عبد ال and similar beginnings.
func Stems() []string { return spelled(stems) }

// entries are the names of a list with their Latin spellings.
func entries(list string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(list) {
			name, latin, ok := strings.Cut(strings.TrimSpace(line), " = ")
			if ok && !strings.HasPrefix(line, "#") && !yield(name, latin) {
				return
			}
		}
	}
}

// spelled lists the names of a list.
func spelled(list string) (names []string) {
	for name := range entries(list) {
		names = append(names, name)
	}
	return names
}

// folded finds the Latin spellings of lists by the folded name.
func folded(lists ...string) map[string]string {
	found := map[string]string{}
	for _, list := range lists {
		for name, latin := range entries(list) {
			found[arabic.Fold(name)] = latin
		}
	}
	return found
}

var (
	known          = sync.OnceValue(func() map[string]string { return folded(men, women, coptic, families, compounds, stems) })
	knownCompounds = sync.OnceValue(func() map[string]string { return folded(compounds) })
)
