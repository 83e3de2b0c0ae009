package card

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// drivingPrint is what is printed on a driving licence: empty where nothing was found.
type drivingPrint struct {
	number                               datedNumber
	department, unit, kind               entry
	name, latin, address                 []entry
	nationality, nationalityEnglish, job entry
	jobUnlabelled                        bool // on a card that labels its values
	condition                            []entry
	issued, expiry                       printedDate
	all                                  cells
}

// labelledCard is from how many labels on a card labels its values.
const labelledCard = 4

// labels counts the labels that have values.
func (a cells) labels() (n int) {
	for i := range a {
		if len(a[i].values) > 0 {
			n++
		}
	}
	return n
}

// printedDate is a date as it was read; figures are nil where none was found.
type printedDate struct {
	figures
	row
	spelled  egypt.Digits // the same, as the reader of words read it; nil where that saw no number
	named    bool         // its month is, so that the reader of digits does not know it
	doubtful bool         // which date it is
}

// drivingLabels are the labels of driving licences.
func drivingLabels() []egypt.Phrase {
	country := func(p egypt.Phrase) bool { return p.Text == "Egypt" } // here it is the nationality
	return slices.DeleteFunc(slices.Concat(kindAs(egypt.LabelLicenceType), egypt.PhrasesOf(egypt.LabelRepublic, egypt.LabelInterior, egypt.LabelHeading, egypt.LabelDriving, egypt.LabelLicenceType, egypt.LabelNumber, egypt.LabelName,
		egypt.LabelAddress, egypt.LabelNationality, egypt.LabelJob, egypt.LabelIssued, egypt.LabelExpires, egypt.LabelValidUntil, egypt.LabelCondition,
		egypt.LabelUse, egypt.LabelOffice, egypt.LabelLatinName, egypt.LabelLatinNation, egypt.LabelSerial, egypt.LabelBlood, egypt.LabelBirth, egypt.LabelRemarks, egypt.LabelOther, egypt.LabelEnglish)), country)
}

// kindAs is the label النوع, which on the back of a vehicle's licence announces the make, as the label of what it announces on another side.
func kindAs(label egypt.Label) []egypt.Phrase {
	kind := slices.DeleteFunc(egypt.PhrasesOf(egypt.LabelMake), func(p egypt.Phrase) bool { return p.Text != "النوع" })
	for i := range kind {
		kind[i].Label = label
	}
	return kind
}

// readDriving finds out what is what among the print of a driving licence.
func (s *sheet) readDriving(ctx context.Context, all cells, names, jobs *egypt.Wording) (p drivingPrint, err error) {
	p.all = all
	if p.issued, p.expiry, err = s.readValidity(ctx, p.all); err != nil {
		return p, err
	}
	if p.number, err = s.readHolder(ctx, p.all); err != nil {
		return p, err
	}
	p.department = p.all.beginning(egypt.LabelDepartment, hardlyLabel)
	p.unit = p.all.unit()
	kinds := s.expected(appliance.DrivingLicense, "licenseType", egypt.LicenceKinds())
	if p.kind, err = s.readWorded(ctx, p.all, kinds, 0.8, egypt.LabelLicenceType, egypt.LabelUse, egypt.LabelDriving); err != nil {
		return p, err
	}
	p.latinLines()
	for i := range p.latin {
		if err := s.readLatin(ctx, &p.latin[i]); err != nil {
			return p, err
		}
	}
	if p.nationalityEnglish, p.nationality, err = s.parted(ctx, p.nationalityEnglish); err != nil {
		return p, err
	}
	if len(p.nationality.row) > 0 {
		err = s.readListed(ctx, &p.nationality, egypt.Nationalities())
	} else {
		p.nationality, err = s.readWorded(ctx, p.all, egypt.Nationalities(), 0.75, egypt.LabelNationality)
	}
	if err != nil {
		return p, err
	}
	lines := p.all.freeLines(names, map[egypt.Label]role{
		egypt.LabelName: roleName, egypt.LabelAddress: roleAddress, egypt.LabelJob: roleJob, egypt.LabelCondition: roleRemark, egypt.LabelRemarks: roleRemark,
	})
	p.weigh(lines)
	for i, r := range (freeRoles{roleName, roleAddress, roleJob, roleRemark}).assign(lines) {
		e := lines[i].entry
		switch r {
		case roleName:
			p.name = append(p.name, e)
		case roleAddress:
			p.address = append(p.address, e)
		case roleJob:
			p.job, p.jobUnlabelled = e, lines[i].bound == roleNone && p.all.labels() >= labelledCard
		case roleRemark:
			p.condition = append(p.condition, e)
		}
	}
	if err := s.readAllStrange(ctx, names, p.name); err != nil {
		return p, err
	}
	err = s.readStrange(ctx, jobs, &p.job)
	return p, err
}

// latinLines finds the name and the nationality in Latin letters. The letter of the category stands alone and is no field.
func (p *drivingPrint) latinLines() {
	const like = 0.6
	nationalities := egypt.NationalitiesEnglish()
	name, most := -1, 3
	for i := range p.all {
		c := &p.all[i]
		if c.used || c.label != "" {
			continue
		}
		latin := slices.DeleteFunc(strings.Fields(c.text), func(w string) bool { return arabicLetters(w) > 0 })
		letters := len(strings.ReplaceAll(c.text, " ", ""))
		switch {
		case strings.EqualFold(c.text, "egypt") && c.y() < titleFoot: // a title
			c.used = true
		case len(p.nationalityEnglish.row) == 0 && nationalities.Likeness(strings.Join(latin, " ")) > like:
			p.nationalityEnglish = p.all.take(i)
		case latinShare(c.text) >= 0.6 && letters > most && !c.ofCardItself():
			name, most = i, letters
		}
	}
	if name >= 0 {
		p.latin = p.all.latinName(name)
	}
	for i := range p.all { // what else is Latin is no field of Arabic words
		if c := &p.all[i]; c.label == "" && latinShare(c.text) >= 0.6 {
			c.used = true
		}
	}
}

// latinName takes the lines of a name in Latin letters of which one is known: that above it or below it, too, where a narrow box broke it in two.
func (a cells) latinName(i int) []entry {
	const fewest, farthest = 3, 3.5 // letters, and heights
	e := a.take(a.beside(i)...)
	known := &cell{entry: e}
	for k := range a {
		c := &a[k]
		gap := (c.y() - e.y()) * viewHeight / max(c.height(), e.height())
		if c.used || c.label != "" || latinShare(c.text) < 1 || len([]rune(c.text)) < fewest || anyDigit(c.text) || c.level(known) || math.Abs(gap) > farthest || !c.under(known) {
			continue
		}
		both := []entry{e, a.take(a.beside(k)...)}
		slices.SortFunc(both, func(x, y entry) int { return cmp.Compare(x.y(), y.y()) })
		return both
	}
	return []entry{e}
}

// parted reads the Latin and the Arabic part of a cell that holds both, each for itself: a nationality is often printed in both beside each
// other. A cell of one script is returned as it is.
func (s *sheet) parted(ctx context.Context, e entry) (latin, arabic entry, err error) {
	if len(e.parts) != 1 {
		return e, entry{}, nil
	}
	signs := slices.DeleteFunc(slices.Clone(e.parts[0].symbols), func(s text.Symbol) bool { return !arabicLetter(s.Rune) && !latinLetter(s.Rune) })
	for i := 1; i < len(signs); i++ {
		before, after := arabicLetter(signs[i-1].Rune), arabicLetter(signs[i].Rune)
		if before == after {
			continue
		}
		place := e.parts[0].place
		room := seamRoom * place.Height / place.Length() // what stands between the two, a stroke or a dash, is part of neither
		var sides [2]entry
		for k, l := range []text.Line{cut(place, 0, signs[i-1].End-room), cut(place, signs[i].Start+room, 1)} {
			sides[k].row = row{{l}}
			if sides[k].script, err = s.readWords(ctx, sides[k].row); err != nil {
				return e, entry{}, err
			}
		}
		if before {
			return sides[1], sides[0], nil
		}
		return sides[0], sides[1], nil
	}
	return e, entry{}, nil
}

// weigh adds to what lines are like what their places beside other print, and the name in Latin letters, tell.
func (p *drivingPrint) weigh(lines []freeLine) {
	weighRemarks(lines, footOf(p.issued, p.expiry))
	conditions := egypt.Conditions()
	above, below, over, under := -1, -1, math.Inf(1), math.Inf(1)
	var latin string
	for _, e := range p.latin {
		latin += e.text + " "
	}
	for i := range lines {
		l := &lines[i]
		if conditions.Likeness(l.text) > 0.7 {
			l.likes[roleRemark] += 6
		}
		if len(p.latin) == 0 {
			continue
		}
		if _, same := egypt.LogTranscription(l.text, latin); same {
			l.likes[roleName] += 6
		}
		if d := p.latin[0].y() - l.y(); d > 0 && d < over {
			above, over = i, d
		} else if d = l.y() - p.latin[len(p.latin)-1].y(); d > 0 && d < under {
			below, under = i, d
		}
	}
	if above >= 0 && over < 0.2 {
		lines[above].likes[roleName] += 2
	}
	if below >= 0 && under < 0.2 {
		lines[below].likes[roleAddress]++
	}
}

// nameCut reports whether nothing stands above a name without a label on a card that labels its values: a first line of it may lie beyond the outline.
func (p *drivingPrint) nameCut() bool {
	if len(p.name) == 0 || p.all.find(egypt.LabelName) >= 0 || p.all.labels() < labelledCard {
		return false
	}
	top := &cell{entry: p.name[0]}
	return !slices.ContainsFunc(p.all, func(c cell) bool { return c.y() < top.y() && !c.level(top) })
}

// compareNames flags the name of the script in which it has fewer words, or lacks one that the other spells: part of it may have been
// overlooked. Names of two words, such as those with عبد, are spelled as one as well. Both are in doubt where they are different names.
func (e *editor) compareNames() {
	const fewer = 2
	arabic, latin := e.Field("nameArabic").Value, e.Field("nameEnglish").Value
	if arabic == "" || latin == "" {
		return
	}
	more := len(strings.Fields(arabic)) - len(strings.Fields(latin))
	lacksArabic, lacksLatin := egypt.LackingName(arabic, latin)
	shortArabic, shortLatin := more <= -fewer || lacksArabic, more >= fewer || lacksLatin
	_, same := egypt.LogTranscription(arabic, latin)
	other := !same && !shortArabic && !shortLatin // one of them is another line
	if shortArabic || other {
		e.doubt("nameArabic")
	}
	if shortLatin || other {
		e.doubt("nameEnglish")
	}
}

// driving fills in the fields of a driving licence.
func (e *editor) driving(p drivingPrint) {
	e.number("nationalID", p.number, nil, "", 0)
	if _, ok := p.number.number.(text.Spelled); ok { // no confidence was fitted to it
		e.doubt("nationalID")
	}
	latin := e.capitals("nameEnglish", p.latin...)
	e.latin = latin.Value
	e.add(e.free("nameArabic", e.nameWords, egypt.LabelName, p.name...))
	e.latin = ""
	e.printed("nameArabic")
	if p.nameCut() {
		e.doubt("nameArabic")
	}
	e.add(latin)
	e.compareNames()
	e.wholeAddress(p.address)
	e.add(e.free("job", e.jobWords, egypt.LabelJob, filled(p.job)...))
	e.printed("job")
	if p.jobUnlabelled {
		e.doubt("job")
	}
	e.add(e.term("trafficUnit1", egypt.Departments(), p.department))
	e.printed("trafficUnit1")
	e.add(e.unit("trafficUnit2", p.unit))
	e.printed("trafficUnit2")
	if len(p.department.row) == 0 && ofTraffic(p.unit.text) {
		e.doubt("trafficUnit2") // it may be the department, whose first word could not be read
	}
	e.add(e.term("licenseType", egypt.LicenceKinds(), p.kind))
	e.printed("licenseType")
	e.add(e.term("nationalityArabic", egypt.Nationalities(), p.nationality))
	e.printed("nationalityArabic")
	e.add(e.term("nationalityEnglish", egypt.NationalitiesEnglish(), p.nationalityEnglish))
	if len(p.condition) == 1 {
		e.add(e.term("special1", egypt.Conditions(), p.condition[0]))
	} else {
		e.add(e.words("special1", nil, p.condition...))
	}
	if f := e.Field("special1"); f.Value != "" && egypt.Conditions().Foreign(f.Value) {
		e.Flag(f.Name, f.Value, appliance.CodeLowConfidence) // it may be another line
	}
	e.validDates("issuenceDate", "expiryDate", p.issued, p.expiry)
	e.doubtLines()
	if e.Field("nameArabic").Value == "" { // it may have been taken for another line
		e.doubt("address", "job", "special1")
	}
	if arabicLetters(latin.Value) > 0 {
		e.doubt("nameEnglish")
	}
}
