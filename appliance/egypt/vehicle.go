package egypt

import (
	"fmt"
	"math"
	"strings"
)

// Vocabulary of vehicle licences: common words of the trade, from general knowledge and published vocabularies of
// applications. No transcript of a card was available.

// Fuels lists what vehicles run on.
func Fuels() *Terms {
	return newTerms("بنزين|بنزين 80|بنزين 90|بنزين 92|بنزين 95|سولار|ديزل|غاز طبيعي|غاز|غاز مسال|بنزين/غاز|بنزين / غاز|بنزين - غاز|بنزين وغاز|بنزين وغاز طبيعي|بنزين/كهرباء|بنزين / كهرباء|كهرباء|كهربائي|هايبرد|هجين").close()
}

// Colours lists colours of vehicles, each alone and in its shades, and pairs of common ones.
func Colours() *Terms {
	single := strings.Split("أبيض|أسود|فضي|رمادي|أحمر|أزرق|كحلي|أخضر|بيج|بني|ذهبي|نبيتي|أصفر|برتقالي|زيتي|سماوي|لبني|شامبين|شمبين|شمبانيا|شامبانيا|شمباني|رصاصي|بنفسجي|"+
		"تركواز|فيراني|عنابي|برونزي|تيتانيوم|وردي|كريمي|كاكي|موف|بترولي|كافيه|فستقي|نحاسي", "|")
	shades := strings.Fields("فاتح غامق ميتاليك ميتالك معدني لؤلؤي مطفي لامع")
	all := append(single, "متعدد الألوان", "أحمر ناري", "أخضر زيتي", "أحمر نبيتي")
	for _, one := range single {
		for _, shade := range shades {
			all = append(all, one+" "+shade)
		}
	}
	common := strings.Fields("أبيض أسود فضي رمادي أحمر أزرق أخضر أصفر بيج")
	for _, one := range common {
		for _, other := range common {
			if one != other {
				all = append(all, one+" في "+other, one+" و"+other, one+"/"+other)
			}
		}
	}
	return newTerms(strings.Join(all, "|")).close()
}

// Makes lists makers of vehicles as Egyptians spell them.
func Makes() *Terms {
	return newTerms("هيونداي|نيسان|تويوتا|شيفروليه|شيفورليه|كيا|فيات|رينو|بيجو|أوبل|سكودا|فولكس فاجن|مرسيدس|بي ام دبليو|ميتسوبيشي|سوزوكي|هوندا|مازدا|" +
		"دايو|لادا|سيات|جيلي|شيري|ام جي|بي واي دي|بروتون|جيب|فورد|اسبرانزا|سبرانزا|هافال|باجاج|بجاج|داسيا|سوبارو|ستروين|سيتروين|دايهاتسو|إيسوزو|جاك|" +
		"فوتون|هيرو|دايون|بينيللي|أودي|فولفو|لاند روفر|جاجوار|لكزس|إنفينيتي|كرايسلر|دودج|بورش|ميني|سانج يونج|بريليانس|ياماها|كاواساكي|" +
		"شانجان|جاك|بايك|زوتي|سوإيست|دونج فينج|تاتا|فاو|مان|سكانيا|إيفيكو|كينج لونج|هينو|هوجن|هوجان|دي اف اس كي|جيتور|إكسيد|هونشي|كايي|بستيون|ألفا روميو|جي ام سي|كاديلاك|تسلا|كوبرا|سمارت|هامر|دي اس|جي ايه سي|ليفان|جريت وول|" +
		"سوكون|كاما|شاكمان|سينوتراك|فيسبا|كي تي ام|دوكاتي|هارلي ديفيدسون|تي في اس").close()
}

// Models lists models of vehicles that are common in Egypt, as they are spelled there. There are many more.
func Models() *Terms {
	return newTerms("إلنترا|فيرنا|أكسنت|توسان|سنتافي|آي 10|i10|i20|ماتريكس|جيتس|سوناتا|كريتا|أتوس|بايون|صني|سنترا|قشقاي|جوك|بيك أب|تيدا|سيلفي|" +
		"كورولا|يارس|هاي اس|كامري|لاند كروزر|فورتشنر|هايلوكس|راف 4|كوستر|لانوس|أوبترا|أفيو|كروز|دبابة|جامبو|سبارك|كابتيفا|ان بي ار|سيراتو|" +
		"سبورتاج|ريو|بيكانتو|كارينز|سورينتو|كارنز|سول|تيبو|بونتو|سيينا|تيمبرا|ريجاتا|شاهين|أونو|بولونيز|128|127|131|لوجان|داستر|كليو|ميجان|" +
		"سانديرو|فلوانس|ماستر|كادجار|سيمبول|بارتنر|إكسبرت|504|405|301|3008|505|206|207|307|508|2008|5008|أسترا|كورسا|فيكترا|انسيجنيا|كاديت|" +
		"موكا|جراند لاند|أوكتافيا|فابيا|فيليشيا|سوبرب|كودياك|كاروك|رابيد|جولف|باسات|بولو|تيجوان|جيتا|ترانسبورتر|كادي|أكتروس|تريلا|" +
		"ميكروباص|سبرنتر|190|200|E200|C180|C200|E180|A180|316|318|320|520|X1|X3|X5|لانسر|إكليبس|باجيرو|كانتر|ميراج|أتراج|أوتلاندر|سويفت|" +
		"ماروتي|فان|فيتارا|إرتيجا|سياز|ديزاير|ألتو|سيليريو|سيفيك|سيتي|أكورد|CRV|323|بي تي 50|نوبيرا|جوليت|ماتيز|سيلو|إسبيرو|جرانتا|نيفا|" +
		"سمارا|2105|2107|إيبيزا|ليون|أتيكا|توليدو|أروسا|إمجراند|إمجراند 7|باندينو|كولراي|تيجو|أريزو|أريزو 5|إنفي|A5|A3|ZS|HS|RX5|F3|L3|S5|S3|" +
		"جين 2|ساجا|وايرا|بيرسونا|شيروكي|جراند شيروكي|رانجلر|رينيجيد|فوكس|فيستا|كوجا|ترانزيت|رينجر|فيوجن|A516|A620|M11|H6|H2|جوليون|" +
		"بوكسر|توك توك|بالسر|ديسكفر|إمبريزا|فورستر|ليجاسي|C4|C3|C5|C-Elysee|إكسارا|برلينجو|تيريوس|جران ماكس|شاريد|سيريون|ديماكس|تروبر|" +
		"ربع نقل|نصف نقل|J7|J4|فيو|تونلاند|هانتر|سبلندر|حلاوة|موتوسيكل|VLR|TNT")
}

// Bodies lists the kinds of vehicles and of their bodies.
func Bodies() *Terms {
	all := strings.Split("سيدان|هاتشباك|هاتش باك|كابينة مزدوجة|دفع رباعي|ستيشن واجن|ستيشن|جيب|صالون|دبل كابينة|دوبل كابينة|استيشن|جرار|ربع نقل|نصف نقل|نقل|نقل ثقيل|نقل خفيف|نقل بضائع|تريلا|مقطورة|نصف مقطورة|ميكروباص|أتوبيس|أتوبيس صغير|سيارة ركوب|"+
		"ميني باص|ميني فان|فان|كوبيه|كشف|دراجة نارية|دراجة بخارية|موتوسيكل|تروسيكل|جرار زراعي|ملاكي 4 باب|صندوق|صندوق مغلق|نقل صندوق|نقل صندوق معدن|نقل بصندوق|نقل مبرد|مبرد|ثلاجة|صهريج|قلاب|توك توك|لودر|ونش|خلاط|بيك أب", "|")
	for _, body := range strings.Fields("سيدان صالون هاتشباك ستيشن كوبيه جيب") { // some name the use with them
		all = append(all, "ملاكي "+body, "أجرة "+body)
	}
	return newTerms(strings.Join(all, "|")).close()
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
