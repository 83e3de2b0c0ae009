package names

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/bawab/bawab/appliance/arabic"
)

// The sample of the reference, and other frequent names, are written as they are in Egypt.
func TestTransliterate(t *testing.T) {
	for name, want := range map[string]string{
		"محمد": "Mohamed", "أحمد": "Ahmed", "محمود": "Mahmoud", "مصطفى": "Mostafa", "إبراهيم": "Ibrahim", "حسن": "Hassan",
		"حسين": "Hussein", "خالد": "Khaled", "عمر": "Omar", "عمرو": "Amr", "يوسف": "Youssef", "علي": "Ali", "كريم": "Karim",
		"هشام": "Hesham", "شريف": "Sherif", "جمال": "Gamal", "أشرف": "Ashraf", "عادل": "Adel", "إيهاب": "Ehab", "وائل": "Wael",
		"أيمن": "Ayman", "رضا": "Reda", "سيد": "Sayed", "ياسر": "Yasser", "فؤاد": "Fouad", "جابر": "Gaber", "إسماعيل": "Ismail",
		"عماد": "Emad", "أسامة": "Osama", "عصام": "Essam", "رجب": "Ragab", "معتز": "Moataz", "عبد الرحمن": "Abdelrahman",
		"جرجس": "Gerges", "مينا": "Mina", "بيشوي": "Bishoy", "فاطمة": "Fatma", "منى": "Mona", "هبة": "Heba", "مروة": "Marwa",
		"رانيا": "Rania", "نجوى": "Nagwa", "سارة": "Sarah", "نهى": "Noha", "دعاء": "Doaa", "شيماء": "Shaimaa", "إيمان": "Eman",
		"إسراء": "Esraa", "مريم": "Mariam", "سلمى": "Salma", "زينب": "Zeinab", "أسماء": "Asmaa", "جيهان": "Gihan", "آية": "Aya",
		"عبد الله": "Abdallah", "عبدالله": "Abdallah", "عبد العزيز": "Abdelaziz", "عبد الحميد": "Abdelhamid",
		"عبد الفتاح": "Abdelfattah", "عبد المنعم": "Abdelmoneim", "عبد ربه": "Abdrabo", "عبدالرحمن": "Abdelrahman",
		"عبد رب النبي": "Abdrab Elnaby", "أبو بكر": "Abobakr", "أبو زيد": "Abouzeid", "أبو النور": "Aboelnour",
		"ابوزيد": "Abouzeid", "أبوالعلا": "Aboelela", "صلاح الدين": "Salah Eldin", "نور الدين": "Noureldin", "تقي الدين": "Taky Eldin",
		"نصر الله": "Nasrallah", "فتح الله": "Fathallah", "عطا الله": "Attallah", "أبو عبد الله": "Abouabdallah",
		"السيد": "Elsayed", "المصري": "Elmasry", "الشافعى": "Elshafey", "محمد أحمد علي": "Mohamed Ahmed Ali",
		"مصطفي": "Mostafa", "فاطمه": "Fatma", "جمعه": "Gomaa", "آل سعود": "Al Saoud", "أم كلثوم": "Om Kalthoum",
		"ابن خلدون": "Ibn Khaldoun", "بنت الشاطئ": "Bent Elshaty", "غضنفر": "Ghadnafr", "الزمخشري": "Elzamkhashry",
		"طوغان": "Toughan", "شوشة": "Shousha", "ولدي": "Waldy", "كوارشي": "Kawarshy", "يزن": "Yazan",
		"صلاحالدين": "Salah Eldin", "رزقالله": "Rizkallah", "جادالرب": "Gad Elrab", "زافر": "Zafer", "عايش": "Ayesh", "حلوة": "Halwa",
		"MICHAEL ٣": "MICHAEL 3", "": "", "ء": "A",
	} {
		if got := Transliterate(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Property: names that no list holds are written with a final ي as y, without a vowel of its own before it, and و behind ي as
// a vowel, as the lists write their like.
func TestSpellLatin(t *testing.T) {
	for name, want := range map[string]string{
		"سعكاوى": "Sakawy", "شناوي": "Shanawy", "محلاوي": "Mahlawy", "البرماوي": "Elbarmawy", "راوي": "Rawy", "شاوي": "Shawy",
		"حموي": "Hamawy", "البلقاوي": "Elbalkawy", "صفوي": "Safawy", "سنهوي": "Sanhawy", "فيومي": "Fayoumy", "سيوطي": "Sayouty",
		"قليوبي": "Kalyouby", "بيوض": "Bayoud", "عيوش": "Ayoush", "كيوان": "Kaywan", "سنائي": "Sanay", "كسائي": "Kasay",
		"قناني": "Kanany", "حجازين": "Hagazin", "زافر": "Zafer", "ولدي": "Waldy",
	} {
		if got := Transliterate(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The dictionary is large, each entry is well formed, and a name has one spelling wherever it is listed.
func TestLists(t *testing.T) {
	seen := map[string]string{}
	for _, list := range []string{men, women, coptic, families, compounds, stems} {
		lines, of := 0, map[string]bool{}
		for name, latin := range entries(list) {
			folded := arabic.Fold(name)
			if lines++; folded == "" || arabic.Clean(name) != name || of[folded] {
				t.Errorf("entry %q, or it stands twice", name)
			}
			strange := strings.Trim(latin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
			if strange != "" || latin == "" || !unicode.IsUpper(rune(latin[0])) {
				t.Errorf("%s is written %q", name, latin)
			}
			if old, ok := seen[folded]; ok && old != latin {
				t.Errorf("%s is %s and %s", name, old, latin)
			}
			seen[folded], of[folded] = latin, true
		}
		if n := strings.Count(list, "\n"); lines != n-1 { // the first is a comment
			t.Errorf("%d entries in %d lines", lines, n)
		}
	}
	if len(seen) < 2000 {
		t.Errorf("%d names", len(seen))
	}
}

// Words that are one name stay together.
func TestUnits(t *testing.T) {
	for name, want := range map[string]string{
		"محمد أحمد علي":              "محمد|أحمد|علي",
		"عبد الرحمن محمد":            "عبد الرحمن|محمد",
		"محمد عبد الله أحمد":         "محمد|عبد الله|أحمد",
		"أحمد أبو بكر صلاح الدين":    "أحمد|أبو بكر|صلاح الدين",
		"هبة الله نصر الله":          "هبة الله|نصر الله",
		"أبو عبد الله سيد":           "أبو عبد الله|سيد",
		"عبد رب النبي علي":           "عبد رب النبي|علي",
		"ست الكل حسن":                "ست الكل|حسن",
		"عبد":                        "عبد",
		"المعتز بالله جاد الحق":      "المعتز بالله|جاد الحق",
		" محمـــد  \u200fعلي ":       "محمد|علي",
		"زين العابدين آل سعود":       "زين العابدين|آل سعود",
		"سيف الدين عبد رب النبي بدر": "سيف الدين|عبد رب النبي|بدر",
		"": "",
	} {
		if got := strings.Join(Units(name), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Whatever is printed, units lose no letter, and Arabic letters become Latin ones.
func FuzzTransliterate(f *testing.F) {
	for _, name := range []string{"محمد عبد الله", "أبو", "عبدال", "ال", "آل", "\xff", "|=", "ءءء", "ـ"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if units := strings.Join(Units(name), " "); units != arabic.Clean(name) {
			t.Fatalf("%q: units %q of %q", name, units, arabic.Clean(name))
		}
		latin := Transliterate(name)
		if slices.ContainsFunc([]rune(latin), func(r rune) bool { return r >= 'ا' && r <= 'ي' && r != 'ـ' && latinConsonant(r) != "" }) {
			t.Fatalf("%q: %q", name, latin)
		}
	})
}
