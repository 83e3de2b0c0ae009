package egypt

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt/number"
)

// Vocabulary of driving licences and of the front of car licences: kinds known to law and to the reference, further ones
// from general knowledge. No transcript of a card was available.

// LicenceKinds lists the kinds of driving licences.
func LicenceKinds() *Terms {
	return newTerms("خاصة|درجة ثالثة|درجة ثانية|درجة أولى|مهنية|مهنية درجة ثالثة|مهنية درجة ثانية|مهنية درجة أولى|جرار زراعي|مترو|ترام|دراجة بخارية خاصة|دراجة بخارية|دراجة نارية|" +
		"توك توك|معدات ثقيلة|شرطة|جيش|تحت التعليم|مؤقتة|تجربة|عسكرية|دولية").close()
}

// Uses lists what vehicles are licensed for.
func Uses() *Terms {
	return newTerms("ملاكي|أجرة|أجرة سرفيس|سرفيس|نقل|نقل ثقيل|نقل خفيف|نقل سريع|نقل متوسط|نقل خاص|نقل عام|نصف نقل|ربع نقل|أتوبيس خاص|أتوبيس عام|أتوبيس مدارس|أتوبيس سياحة|أتوبيس سياحي|أتوبيس رحلات|رحلات|سياحة|سياحي|نقل سياحي|تأجير|هيئة دبلوماسية|شرطة|" +
		"جرار زراعي|مقطورة|دراجة نارية|موتوسيكل|توك توك|حكومة|محافظة|ليموزين|جمارك|تجاري|تجربة|مؤقتة|معدات ثقيلة").close()
}

// Nationalities lists nationalities as licences print them, and the country, which some print instead. One that is not listed is taken for
// another that is.
func Nationalities() *Terms {
	all := []string{"مصر"}
	for _, man := range strings.Fields("مصري سوري سوداني ليبي فلسطيني أردني لبناني عراقي يمني سعودي كويتي إماراتي قطري بحريني عماني تونسي " +
		"جزائري مغربي موريتاني صومالي جيبوتي إريتري إثيوبي كيني تنزاني أوغندي رواندي كونغولي كاميروني نيجيري نيجري غاني سنغالي تشادي زامبي " +
		"أنجولي هندي باكستاني أفغاني إيراني بنجلاديشي سريلانكي نيبالي صيني ياباني كوري إندونيسي ماليزي سنغافوري فلبيني تايلاندي فيتنامي " +
		"تركي قبرصي يوناني روسي أوكراني بيلاروسي أرميني جورجي أذربيجاني كازاخستاني أوزبكي بريطاني أيرلندي فرنسي ألماني إيطالي إسباني " +
		"برتغالي هولندي بلجيكي سويسري نمساوي سويدي نرويجي دنماركي فنلندي بولندي تشيكي سلوفاكي سلوفيني مجري روماني بلغاري صربي كرواتي " +
		"بوسني ألباني مالطي أمريكي كندي مكسيكي كوبي برازيلي أرجنتيني تشيلي كولومبي فنزويلي أسترالي نيوزيلندي") {
		all = append(all, man, man+"ة")
	}
	return newTerms(strings.Join(all, "|")).close()
}

// Conditions lists what the condition line of a driving licence says mostly: what its holder wears, what the vehicle has, and when not to
// drive.
func Conditions() *Terms {
	all := strings.Split("قيادة نهارية فقط|القيادة نهارا فقط|عدم القيادة ليلا|لا يقود ليلا|بنظارة|بنظارة طبية|لا يعمل بالأجرة|أطراف صناعية|"+
		"مرآة جانبية إضافية|مقود مجهز يدويا|تجهيز السيارة|تجهيز السيارة طبيا", "|")
	for _, vehicle := range strings.Split("|سيارة |قيادة سيارة ", "|") {
		all = append(all, vehicle+"مجهزة", vehicle+"مجهزة طبيا")
	}
	aids := strings.Split("نظارة|نظارة طبية|عدسات|عدسات لاصقة|سماعة|سماعة طبية|سماعة أذن", "|")
	for _, aid := range aids {
		all = append(all, aid, "استعمال "+aid, "ارتداء "+aid)
	}
	for _, c := range all {
		for _, opening := range strings.Fields("بشرط يشترط شريطة") {
			all = append(all, opening+" "+c)
		}
	}
	for _, aid := range aids {
		for _, worn := range strings.Fields("يستعمل يستخدم يرتدي يلزم بدون") {
			all = append(all, worn+" "+aid)
		}
	}
	for _, gear := range strings.Split("سيارة|قيادة|قيادة سيارة|ناقل حركة", "|") {
		for _, shifts := range strings.Fields("أوتوماتيك آلي يدوي") {
			all = append(all, gear+" "+shifts, gear+" "+shifts+" فقط")
		}
	}
	return newTerms(strings.Join(append(all, "بدون شروط", "لا يوجد", "لا يوجد شروط"), "|"))
}

// Departments lists the traffic departments of the governorates.
func Departments() *Terms {
	var names []string
	for _, g := range number.Governorates() {
		names = append(names, "إدارة مرور "+g.Arabic, "الإدارة العامة لمرور "+g.Arabic)
	}
	t := newTerms(strings.Join(names, "|"))
	t.unlisted = hardlyUnlisted
	return t
}

// OnlyCapitals puts capitals in the place of the signs of a line that are none, if most of its letters are, and says how
// sure the ink is of the whole line then.
func OnlyCapitals(text string, score func(string) float64) (shown string, sure float64) {
	signs := []rune(text)
	capitals, others := 0, 0
	for _, r := range signs {
		switch {
		case r >= 'A' && r <= 'Z':
			capitals++
		case r != ' ':
			others++
		}
	}
	if others == 0 || capitals < 2*others {
		return text, 0
	}
	for i, r := range signs {
		if r == ' ' || r >= 'A' && r <= 'Z' {
			continue
		}
		best, top := unicode.ToUpper(r), math.Inf(-1)
		for c := 'A'; c <= 'Z'; c++ {
			signs[i] = c
			if s := score(string(signs)); s > top {
				best, top = c, s
			}
		}
		signs[i] = best
	}
	return string(signs), math.Exp(min(0, score(string(signs))))
}

// NationalitiesEnglish lists what driving licences print for the nationality in Latin letters.
func NationalitiesEnglish() *Terms {
	names := []string{
		"Egyptian", "Syrian", "Sudanese", "Libyan", "Palestinian", "Jordanian", "Lebanese", "Iraqi", "Yemeni", "Saudi", "Kuwaiti", "Emirati", "Qatari",
		"Bahraini", "Omani", "Tunisian", "Algerian", "Moroccan", "Somali", "Eritrean", "Ethiopian", "Indian", "Pakistani", "Chinese", "Russian", "American", "British",
		"French", "German", "Italian", "Turkish", "Greek",
	}
	for _, n := range slices.Clone(names) {
		names = append(names, strings.ToUpper(n))
	}
	names = append(names, "Egypt", "EGYPT") // some print the country
	return newTerms(strings.Join(names, "|"))
}
