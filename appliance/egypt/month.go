package egypt

import (
	"strings"
	"sync"
	"time"
)

// monthNames are the names of the months, folded, as Egypt writes them and as English does, of which the beginnings may stand alone.
var monthNames = sync.OnceValue(func() (names [12][]string) {
	for i, arabic := range strings.Fields("يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر") {
		english := strings.ToUpper(time.Month(i + 1).String())
		names[i] = []string{Fold(arabic), english, english[:3]}
	}
	return names
})

// sureMonth is how much a word must look like the name of a month, and surelyOne how much more like it than like that of another: يونيو and يوليو differ by one letter.
const (
	sureMonth = 0.8
	surelyOne = 0.1
)

// MonthNamed returns the month, 1 to 12, whose name a word is; 0 where it is none, or may be either of two.
func MonthNamed(word string) int {
	word = strings.ToUpper(word)
	month, best, second := 0, 0.0, 0.0
	for i, names := range monthNames() {
		like := 0.0
		for _, name := range names {
			like = max(like, Likeness(word, name))
		}
		if like > best {
			month, best, second = i+1, like, best
		} else {
			second = max(second, like)
		}
	}
	if best < sureMonth || best-second < surelyOne {
		return 0
	}
	return month
}
