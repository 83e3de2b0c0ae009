package egypt

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
)

// companyWords are those by which the names of companies, schools and offices begin, folded.
var companyWords = strings.Fields("شركه الشركه شركات مدرسه مدارس جمعيه الجمعيه موسسه الموسسه مصنع مصانع بنك هييه الهييه نقابه مستشفي " +
	"جامعه نادي مكتب مجموعه وزاره محافظه ديوان اتحاد معهد مركز")

// NamesCompany reports whether a line begins as the names of companies, schools and offices do.
func NamesCompany(line string) bool {
	words := strings.Fields(arabic.Fold(line))
	return len(words) > 0 && slices.Contains(companyWords, words[0])
}
