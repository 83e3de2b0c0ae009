package egypt

import "strings"

// imprintLikeness is the least likeness of a line to an imprint: some jobs lack the article alone.
const imprintLikeness = 0.88

// imprints are what licences print for the card itself: what the signer is, and notices. From general knowledge; no transcript of a card was available.
const imprints = "رئيس الوحدة|رئيس القسم|مدير الوحدة|مدير الإدارة|مدير المرور|مدير إدارة المرور|رئيس قسم المرور|رئيس وحدة المرور|مدير وحدة المرور|الموظف المختص|المختص|" +
	"توقيع حامل الرخصة|توقيع صاحب الرخصة|توقيع المرخص له|التوقيع|خاتم الوحدة|ختم الوحدة|خاتم الدولة|ختم الدولة|طبع بمطابع الشرطة|" +
	"يجب تجديد الرخصة قبل انتهائها|يعاقب من يخالف ذلك بالقانون|تقدم لرجال المرور عند الطلب|هذه الرخصة ملك وزارة الداخلية|هذه الرخصة ملك لوزارة الداخلية"

// Imprint reports whether a line is what licences print for the card itself and no value: what its signer is, or a notice.
func Imprint(line string) bool {
	for text := range strings.SplitSeq(imprints, "|") {
		if Likeness(line, text) >= imprintLikeness {
			return true
		}
	}
	return false
}
