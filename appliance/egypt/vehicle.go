package egypt

import (
	"fmt"
	"math"
)

// Vocabulary of vehicle licences: common words of the trade, from general knowledge and published vocabularies of
// applications. No transcript of a card was available.

// Fuels lists what vehicles run on.
func Fuels() *Terms {
	return newTerms("بنزين|سولار|ديزل|غاز طبيعي|غاز|غاز مسال|بنزين/غاز|بنزين - غاز|بنزين وغاز|بنزين/كهرباء|كهرباء|كهربائي|هايبرد|هجين")
}

// Colours lists colours of vehicles.
func Colours() *Terms {
	return newTerms("أبيض|أسود|فضي|رمادي|أحمر|أزرق|كحلي|أخضر|بيج|بني|ذهبي|نبيتي|أصفر|برتقالي|زيتي|سماوي|لبني|شامبين|رصاصي|بنفسجي|تركواز|" +
		"فيراني|عنابي|برونزي|تيتانيوم|وردي|كريمي|كاكي|موف|متعدد الألوان|أبيض لؤلؤي|أبيض وأسود|أسود وأبيض|كحلي غامق|أخضر زيتي|رمادي فاتح|" +
		"رمادي غامق|أزرق فاتح|أزرق غامق|أحمر غامق|أخضر فاتح|أخضر غامق|بني فاتح|بني غامق")
}

// Makes lists makers of vehicles as Egyptians spell them.
func Makes() *Terms {
	return newTerms("هيونداي|نيسان|تويوتا|شيفروليه|شيفورليه|كيا|فيات|رينو|بيجو|أوبل|سكودا|فولكس فاجن|مرسيدس|بي ام دبليو|ميتسوبيشي|سوزوكي|هوندا|مازدا|" +
		"دايو|لادا|سيات|جيلي|شيري|ام جي|بي واي دي|بروتون|جيب|فورد|اسبرانزا|هافال|باجاج|داسيا|سوبارو|ستروين|سيتروين|دايهاتسو|ايسوزو|جاك|" +
		"فوتون|هيرو|دايون|بينيللي|أودي|فولفو|لاند روفر|جاجوار|لكزس|إنفينيتي|كرايسلر|دودج|بورش|ميني|سانج يونج|بريليانس|ياماها|كاواساكي|" +
		"شانجان|جاك|بايك|زوتي|سوإيست|دونج فينج|تاتا|فاو|مان|سكانيا|إيفيكو|كينج لونج|هينو")
}

// Bodies lists the kinds of vehicles and of their bodies.
func Bodies() *Terms {
	return newTerms("سيدان|هاتشباك|ستيشن واجن|ستيشن|جيب|صالون|دبل كابينة|ربع نقل|نصف نقل|نقل|نقل ثقيل|تريلا|مقطورة|نصف مقطورة|ميكروباص|أتوبيس|" +
		"ميني باص|فان|كوبيه|كشف|دراجة نارية|موتوسيكل|تروسيكل|جرار زراعي|ملاكي 4 باب|صندوق|صهريج|قلاب|توك توك|لودر|ونش|خلاط|بيك أب")
}

// Count is a small number that is printed, such as a year or a count of cylinders.
type Count struct {
	Value      string
	Confidence float64
}

// DecodeCount finds the number between low and high that the ink supports best; "" where there is none.
func DecodeCount(ink Digits, low, high int) (best Count) {
	if ink == nil {
		return best
	}
	top, total := 0.0, 0.0
	for n := len(fmt.Sprint(low)); n <= len(fmt.Sprint(high)); n++ {
		cells := ink.Cells(n)
		length := math.Exp(min(0, ink.LogLength(n)))
		if len(cells) != n || !(length > 0.001) {
			continue
		}
		beliefs := believeAll(cells)
		from, to := max(low, pow10(n-1)), min(high, pow10(n)-1)
		for v := from; v <= to; v++ {
			w := length
			for i, rest := n-1, v; i >= 0; i, rest = i-1, rest/10 {
				w *= beliefs[i][rest%10]
			}
			total += w
			if w > top {
				top = w
				best.Value = fmt.Sprint(v)
			}
		}
	}
	// What is no such number weighs as much as its ink.
	if total > 0 {
		best.Confidence = top / (total + 0.5*max(0, 1-total))
	}
	return best
}

// pow10 is a power of ten; 0 for the zeroth, so that 0 counts as a number of one digit.
func pow10(n int) int {
	if n <= 0 {
		return 0
	}
	p := 1
	for range n {
		p *= 10
	}
	return p
}
