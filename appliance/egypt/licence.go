package egypt

// Vocabulary of driving licences and of the front of car licences: kinds known to law and to the reference, further ones
// from general knowledge. No transcript of a card was available.

// LicenceKinds lists the kinds of driving licences.
func LicenceKinds() *Terms {
	return newTerms("خاصة|درجة ثالثة|درجة ثانية|درجة أولى|مهنية|جرار زراعي|مترو|ترام|دراجة بخارية خاصة|دراجة بخارية|دراجة نارية|" +
		"توك توك|معدات ثقيلة|شرطة|جيش|تحت التعليم|مؤقتة|تجربة|عسكرية|دولية")
}

// Uses lists what vehicles are licensed for.
func Uses() *Terms {
	return newTerms("ملاكي|أجرة|نقل|نقل ثقيل|نصف نقل|أتوبيس خاص|أتوبيس عام|أتوبيس مدارس|أتوبيس سياحة|رحلات|سياحة|هيئة دبلوماسية|شرطة|" +
		"جرار زراعي|مقطورة|دراجة نارية|موتوسيكل|توك توك|حكومة|محافظة|ليموزين|جمارك|تجاري|تجربة|مؤقتة|معدات ثقيلة")
}

// Nationalities lists nationalities as licences print them, and the country, which some print instead.
func Nationalities() *Terms {
	return newTerms("مصري|مصرية|مصر|سوري|سورية|سوداني|سودانية|ليبي|ليبية|فلسطيني|فلسطينية|أردني|أردنية|لبناني|لبنانية|عراقي|عراقية|" +
		"يمني|يمنية|سعودي|سعودية|كويتي|كويتية|إماراتي|إماراتية|قطري|قطرية|بحريني|بحرينية|عماني|عمانية|تونسي|تونسية|جزائري|جزائرية|" +
		"مغربي|مغربية|صومالي|صومالية|إريتري|إريترية|إثيوبي|إثيوبية|هندي|هندية|باكستاني|باكستانية|صيني|صينية|روسي|روسية|أمريكي|أمريكية|" +
		"بريطاني|بريطانية|فرنسي|فرنسية|ألماني|ألمانية|إيطالي|إيطالية|تركي|تركية|يوناني|يونانية")
}

// Conditions lists what the condition line of a driving licence says mostly.
func Conditions() *Terms {
	return newTerms("يرتدي نظارة|يرتدي نظارة طبية|نظارة طبية|عدسات لاصقة|سيارة مجهزة|سيارة أوتوماتيك|ناقل حركة أوتوماتيك|أطراف صناعية|" +
		"سماعة أذن|القيادة نهارا فقط|مرآة جانبية إضافية|بدون شروط|لا يوجد|مقود مجهز يدويا|لا يقود ليلا")
}

// NationalityEnglish is what driving licences print for an Egyptian in Latin letters.
const NationalityEnglish = "EGYPTIAN"
