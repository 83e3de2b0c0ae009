package number

// Governorate is where a birth was registered, as digits 8 and 9 of a national number say it. It is not where the holder
// lives.
type Governorate struct {
	Code    string // two digits
	Arabic  string // dictionary spelling
	English string
}

// BornAbroad is the code of births outside of Egypt.
const BornAbroad = "88"

// Governorates lists the 27 governorates in the order of their codes, then births abroad. The gaps in the codes are by
// design. The caller owns the list.
func Governorates() []Governorate {
	return []Governorate{
		{"01", "القاهرة", "Cairo"},
		{"02", "الإسكندرية", "Alexandria"},
		{"03", "بورسعيد", "Port Said"},
		{"04", "السويس", "Suez"},
		{"11", "دمياط", "Damietta"},
		{"12", "الدقهلية", "Dakahlia"},
		{"13", "الشرقية", "Sharqia"},
		{"14", "القليوبية", "Qalyubia"},
		{"15", "كفر الشيخ", "Kafr El Sheikh"},
		{"16", "الغربية", "Gharbia"},
		{"17", "المنوفية", "Monufia"},
		{"18", "البحيرة", "Beheira"},
		{"19", "الإسماعيلية", "Ismailia"},
		{"21", "الجيزة", "Giza"},
		{"22", "بني سويف", "Beni Suef"},
		{"23", "الفيوم", "Fayoum"},
		{"24", "المنيا", "Minya"},
		{"25", "أسيوط", "Assiut"},
		{"26", "سوهاج", "Sohag"},
		{"27", "قنا", "Qena"},
		{"28", "أسوان", "Aswan"},
		{"29", "الأقصر", "Luxor"},
		{"31", "البحر الأحمر", "Red Sea"},
		{"32", "الوادي الجديد", "New Valley"},
		{"33", "مطروح", "Matrouh"},
		{"34", "شمال سيناء", "North Sinai"},
		{"35", "جنوب سيناء", "South Sinai"},
		{BornAbroad, "خارج الجمهورية", "born abroad"},
	}
}

// GovernorateOf finds a governorate by its two Western digits.
func GovernorateOf(code string) (Governorate, bool) {
	for _, g := range Governorates() {
		if g.Code == code {
			return g, true
		}
	}
	return Governorate{}, false
}
