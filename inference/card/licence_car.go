package card

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
)

// carFrontLabels are the labels of the front of car licences.
func carFrontLabels() []egypt.Phrase {
	labels := egypt.PhrasesOf(egypt.LabelRepublic, egypt.LabelInterior, egypt.LabelVehicle, egypt.LabelUse, egypt.LabelHeading, egypt.LabelLicenceType, egypt.LabelPlate, egypt.LabelName,
		egypt.LabelAddress, egypt.LabelNationality, egypt.LabelIssued, egypt.LabelExpires, egypt.LabelValidUntil, egypt.LabelRemarks, egypt.LabelCondition,
		egypt.LabelOffice, egypt.LabelRest, egypt.LabelSerial, egypt.LabelGovernorate, egypt.LabelNumber, egypt.LabelOther, egypt.LabelEnglish)
	return append(labels, kindAs(egypt.LabelUse)...)
}

// named reports whether most words of a line are names.
func named(names *egypt.Wording, line string) bool {
	words, known := strings.Fields(egypt.Fold(line)), 0
	for _, w := range words {
		if names.Knows(w) {
			known++
		}
	}
	return 2*known > len(words)
}

// ofTraffic reports whether a line is مرور and a place.
func ofTraffic(line string) bool {
	words := strings.Fields(egypt.Fold(line))
	return len(words) > 1 && words[0] == "مرور"
}

// titleFoot is how far down titles stand.
const titleFoot = 0.25

// remarkable reports whether folded words are those of remarks.
func remarkable(words []string) bool {
	const company, fewest = "شركه", 3 // a director of a company has it in his occupation
	if len(words) >= fewest && slices.Contains(words, company) {
		return true
	}
	known := strings.Fields("شرط محظور حظر فحص بنك البنك لصالح بموافقه ملصق معفي الضريبه مجهزه مجهز معاقين تعمل يعمل الا داخل ممنوع مسموح قسط اقساط بالغاز مركب بدل فاقد تالف تجديد ملكيه زجاج رفارف حموله الركاب الابواب مخالفات للتامين التامين ملاحظات بواسطه مرخص لحمل قياده توكيل بالبيع رهن مرهون مرهونه وثيقه تحويل بموجب وصيه القصر خاضعه للفحص معفاه التصرف مسدده رسوم تتبع طفايه اسعافات")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(known, w) || ofChange(w) })
}

// whole reads a line of several pieces anew as one, where that is no less clear.
func (s *sheet) whole(ctx context.Context, e entry) (entry, error) {
	if len(e.row) < 2 {
		return e, nil
	}
	one := entry{row: row{e.row.whole()}}
	var err error
	if one.script, err = s.readWords(ctx, one.row); err != nil {
		return e, err
	}
	if sureness(one.script) < sureness(e.script)-0.1 && e.score != nil {
		return e, nil
	}
	err = s.readAgain(ctx, &one)
	return one, err
}

// mostLetters is how many letters a plate has at the most.
const mostLetters = 3

// lettersIn counts the letters of cells.
func lettersIn(a cells, indices []int) (letters int) {
	for _, i := range indices {
		for _, r := range a[i].text {
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return letters
}
