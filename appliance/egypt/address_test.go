package egypt

import "testing"

// A line ends in a governorate whatever parts its name from the place before, and with a letter misread, but not in the name of a street.
func TestEndsInPlace(t *testing.T) {
	for line, want := range map[string]bool{
		"الدقي - الجيزة": true, "إدفو أسوان": true, "طبيب أسنان": false, "الدقي-الجيزه": true, "قنا–قنا": true, "الدقي الجيزة": true, "الفشن / بني سويف": true,
		"دسوق كفر الشيخ": true, "طابا - جنوب سيناء": true, "قسم المرج - القاهره": true, "مركز تلا - النوفية": true,
		"الدقي - الجنزة": true, "الجيزة": true, "١٤٥ شارع بورسعيد": false, "ش الجيزة": false, "شارع النيل": false, "الجيزة شارع": false, "": false, "- ": false,
	} {
		if got := EndsInPlace(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// A line ends in a listed governorate only in a spelling of its name.
func TestEndsInListedPlace(t *testing.T) {
	for line, want := range map[string]bool{
		"الدقي - الجيزة": true, "قسم المرج - القاهره": true, "الفشن / بنى سويف": true, "طلخا - الدقهية": false, "الدقي - الجيز": false, "مدينة الخانكة": false, "": false,
	} {
		if got := EndsInListedPlace(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: an address may end in a town or a district that is listed, of one word or several, whatever its spelling, and not in a
// street of that name, nor in a part of it.
func TestEndsInTown(t *testing.T) {
	for line, want := range map[string]bool{
		"١٢ شارع النصر حلوان": true, "٤ ش التحرير - مدينه نصر": true, "شارع السلام - القاهرة الجديدة": true, "قطعة ٣ ٦ أكتوبر": true,
		"المعادى":       true,
		"١٢ شارع حلوان": false, "٣ ش مدينة نصر": false, "١٢ شارع النصر": false, "حلوان ١٢": false, "١٢ شارع النصر نص": false, "": false,
	} {
		if got := EndsInTown(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a house's number that may be a shorter one with the letter ا is one; other numbers, and ones elsewhere in the address, are not.
func TestLetterOrOne(t *testing.T) {
	for line, want := range map[string]bool{
		"١١٣٤ شارع الحدادين": true, "١٨٩ ١ طريق المجلس": true, "1130 طريق أحمد": true, "٢١٣٤ شارع": false, "١٣٤ شارع ١": false,
		"١٢ ٣٣٣ ش ٢": true, "١٣٤أ شارع": false, "شارع ١١٣٤": false, "١": false, "": false,
	} {
		if got := LetterOrOne(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a letter or digit that stands alone where only the one that it looks like can stand is that; every other one stays.
func TestLettersAndDigits(t *testing.T) {
	for address, want := range map[string]string{
		"مدخل ٤ شقة 0": "مدخل ٤ شقة ٥", "شقة 0": "شقة ٥", "12 شارع 0": "12 شارع 0", "١٠ شارع النيل": "١٠ شارع النيل",
		"شارع النيل - الدور ا": "شارع النيل - الدور ١", "بلوك ٦٢ مدخل ا المقطم": "بلوك ٦٢ مدخل ١ المقطم",
		"٨ ا شارع النيل": "٨ ا شارع النيل", "ا شارع النيل": "ا شارع النيل",
		"٤ ٣٣٣ ش ٢ كفر الجبل": "ع ٣٣٣ ش ٢ كفر الجبل", "٤ شارع ٣": "٤ شارع ٣", "٤٤ ٣٣٣ ش ٢": "٤٤ ٣٣٣ ش ٢",
		"٣٤ مكر شارع المعز": "٣٤ مكرر شارع المعز", "شارع مكر": "شارع مكر", "شقة ٤ ٢٦ يوليو": "شقة ٤ ٢٦ يوليو", "٤": "٤", "٤ ": "٤ ", "": "",
	} {
		if got := LettersAndDigits(address); got != want {
			t.Errorf("%q: %q", address, got)
		}
	}
}
