package card

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// named reports whether most words of a line are names.
func named(names *egypt.Wording, line string) bool {
	words, known := strings.Fields(egypt.Fold(line)), 0
	for _, w := range words {
		if names.Knows(w) {
			known++
		}
	}
	return 2*known > len(words)
}

// ofTraffic reports whether a line is مرور and a place.
func ofTraffic(line string) bool {
	words := strings.Fields(egypt.Fold(line))
	return len(words) > 1 && words[0] == "مرور"
}

// remarkable reports whether folded words are those of remarks.
func remarkable(words []string) bool {
	const company, fewest = "شركه", 3 // a director of a company has it in his occupation
	if len(words) >= fewest && slices.Contains(words, company) {
		return true
	}
	known := strings.Fields("شرط محظور حظر فحص بنك البنك لصالح بموافقه ملصق معفي الضريبه مجهزه مجهز معاقين تعمل يعمل الا داخل ممنوع مسموح قسط اقساط بالغاز مركب بدل فاقد تالف تجديد ملكيه زجاج رفارف حموله الركاب الابواب مخالفات للتامين التامين ملاحظات بواسطه مرخص لحمل قياده توكيل بالبيع رهن مرهون مرهونه وثيقه تحويل بموجب وصيه القصر خاضعه للفحص معفاه التصرف مسدده رسوم تتبع طفايه اسعافات")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(known, w) || ofChange(w) })
}

// mostLetters is how many letters a plate has at the most.
const mostLetters = 3
