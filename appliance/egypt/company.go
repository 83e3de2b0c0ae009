package egypt

import (
	"slices"
	"strings"
	"unicode/utf8"

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

// businessWords are what companies do, as the second lines of their names say it behind ل, folded.
var businessWords = strings.Fields("نقل تجاره صناعه توزيع انتاج استيراد تصدير تاجير " +
	"مقاولات خدمات سياحه تعبيه تشغيل توريد تنميه تصنيع تسويق")

// NamesBusiness reports whether a line says what a company is for, as second lines of their names do:
// للنقل البري, لتوزيع الأدوية.
func NamesBusiness(line string) bool {
	words := strings.Fields(arabic.Fold(line))
	if len(words) == 0 {
		return false
	}
	what, is := strings.CutPrefix(words[0], "ل")
	article := strings.HasPrefix(what, "ل") && utf8.RuneCountInString(what) > leastBusiness
	return is && (article || slices.Contains(businessWords, what))
}

// leastBusiness is how many letters a word has at least behind لل.
const leastBusiness = 3

// NamesState reports whether a line is the state's name and nothing else.
func NamesState(line string) bool { return arabic.Fold(line) == "مصر" }
