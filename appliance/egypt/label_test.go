package egypt

import (
	"strings"
	"testing"
)

// Every phrase finds its own label, printed as it is, with the habits of text, with a letter misread and without blanks.
func TestFindLabelPhrases(t *testing.T) {
	list := Phrases()
	for _, p := range list {
		for _, text := range []string{p.Text, strings.NewReplacer("ة", "ه", "ى", "ي", "إ", "ا").Replace(p.Text), p.Text + ":"} {
			f, ok := FindLabel(text, list)
			if !ok || f.Phrase.Label != p.Label || f.Score < 0.99 || f.Before+f.After != "" {
				t.Errorf("%q: %+v", text, f)
			}
		}
	}
}

// Property: a remark that begins with a condition, or names an agreement, holds no label, though each is a letter or two from one.
func TestConditionsAreNoLabels(t *testing.T) {
	for _, remark := range []string{"شرط الموافقة للبيع", "شرط الاحتفاظ بالملكية للشركة", "شرط موافقة البنك قبل البيع", "شرط عدم البيع"} {
		if f, ok := FindLabel(remark, Phrases()); ok {
			t.Errorf("%q holds %+v", remark, f)
		}
	}
}

// A label is found among what stands beside it, which comes back as printed.
func TestFindLabel(t *testing.T) {
	list := Phrases()
	for _, test := range []struct {
		text          string
		want          Label
		before, after string
	}{
		{"البطاقة سارية حتى ٢٠٢٨/٠٥/١٣", LabelValidUntil, "", "٢٠٢٨/٠٥/١٣"},
		{"البطاقه صارية حتي 2028/05/13", LabelValidUntil, "", "2028/05/13"},
		{"البطاقةساريةحتى ٢٠٢٨/٠٥/١٣", LabelValidUntil, "", "٢٠٢٨/٠٥/١٣"},
		{"حمهورية مصر العربيه", LabelRepublic, "", ""},
		{"بطافة تحقيق الشخصية", LabelIdentityCard, "", ""},
		{"رخصه قياده خاصه", LabelDriving, "", "خاصه"},
		{"إدارة مرور الجيزة", LabelDepartment, "", "الجيزة"},
		{"وحده مرور الدقي", LabelUnit, "", "الدقي"},
		{"تاريخ التحرير : 14/05/2021", LabelIssued, "", "14/05/2021"},
		{"2028/05/13 نهاية الترخيص", LabelExpires, "2028/05/13", ""},
		{"رقم الشاسيه : ABC123", LabelChassis, "", "ABC123"},
		{"وزارة الداخليه", LabelInterior, "", ""},
		{"الاداره العامه لمرور سوهاج", LabelDepartment, "", "سوهاج"},
		{"آخر فحص : ٢٠٢٣/٠٥/١٢", LabelInspection, "", "٢٠٢٣/٠٥/١٢"},
		{"موديل سنة 2015", LabelModelYear, "", "2015"},
		{"الاسم كامل", LabelName, "", "كامل"}, // a first name, and no longer label
		{"الاسم : أسامة", LabelName, "", "أسامة"},
		{"الاسم جمال", LabelName, "", "جمال"},
	} {
		f, ok := FindLabel(test.text, list)
		if !ok || f.Phrase.Label != test.want || f.Before != test.before || f.After != test.after {
			t.Errorf("%q: %+v, want %+v", test.text, f, test)
		}
	}
	for _, text := range []string{"", "محمد أحمد السيد", "١٢ شارع النيل", "الدقي - الجيزة", "أحمد سعيد عبد الله", "تامر عثمان نصر هادى", "لملوم حسنى ناجى الفاضلى", "شروق القناوى", "ملاحظ بلوك", "علوان", "محمد الجمل", "المالكي", "الملك فيصل قسم سيدى جابر", "القاسم", "الأسمر", "بلوك ٣٠ مدخل ٦ العاشر من رمضان - الشرقيه"} {
		if f, ok := FindLabel(text, list); ok {
			t.Errorf("%q holds %+v", text, f)
		}
	}
}

// No text breaks the search, and what it reports lies in the text.
func FuzzFindLabel(f *testing.F) {
	f.Add("البطاقة سارية حتى ٢٠٢٨/٠٥/١٣")
	f.Add(" : - \xff")
	list := Phrases()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		found, ok := FindLabel(text, list)
		whole := strings.Join(strings.Fields(text), " ")
		if ok && (!strings.Contains(whole, found.Before) || !strings.Contains(whole, found.After)) {
			t.Fatalf("%q: %+v", text, found)
		}
	})
}

// The king is of a street's name, and the owner, misread, where names alone follow him or nothing does.
func TestNoLabel(t *testing.T) {
	for line, want := range map[string]bool{"الملك فيصل قسم سيدى جابر": true, "الملك إسماعيل": false, "الملك محمد على حسن": false, "الملك": false, "ملاحظ بلوك": true, "ملاحظ": true, "المالك محمد": false} {
		if got := NoLabel(strings.Fields(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
