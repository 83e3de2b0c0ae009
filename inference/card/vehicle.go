package card

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// vehiclePrint is what is printed on the back of a car licence: empty where nothing was found.
type vehiclePrint struct {
	chassis, motor, brand, model, body, colour, fuel entry
	year, cylinders, volume, examined                printedDate
	free                                             []entry
	all                                              cells
	guessed                                          []string // fields whose labels were not found: what they say tells
}

// vehicleLabels are the labels of the back of car licences.
func vehicleLabels() []egypt.Phrase {
	return egypt.PhrasesOf(egypt.LabelInterior, egypt.LabelRepublic, egypt.LabelChassis, egypt.LabelMotor, egypt.LabelMake, egypt.LabelModel, egypt.LabelModelYear, egypt.LabelBody,
		egypt.LabelColour, egypt.LabelFuel, egypt.LabelCylinders, egypt.LabelVolume, egypt.LabelInspection, egypt.LabelRemarks,
		egypt.LabelVehicleData, egypt.LabelSerial, egypt.LabelHeading, egypt.LabelOther, egypt.LabelEnglish)
}

// readCarBack finds out what is what among the text of the back of a car licence.
func (s *sheet) readCarBack(ctx context.Context, all cells, names *egypt.Wording) (p vehiclePrint, err error) {
	p.all = all
	for _, n := range []struct {
		label   egypt.Label
		value   *printedDate
		lengths []int // in digits; none for a date
	}{{egypt.LabelModelYear, &p.year, yearDigits}, {egypt.LabelCylinders, &p.cylinders, cylinderDigits}, {egypt.LabelVolume, &p.volume, volumeDigits}, {egypt.LabelInspection, &p.examined, nil}} {
		v, label := p.take(n.label)
		v = slices.DeleteFunc(v, func(i int) bool { return lettersIn(p.all, []int{i}) > 2 && !s.known.shortPrint(p.all[i].text) }) // what is left of a label
		if len(v) > 0 {
			if n.lengths == nil {
				*n.value, err = s.readDateOf(ctx, p.all, v)
			} else {
				*n.value, err = s.readNumberOf(ctx, p.all, v, n.lengths...)
			}
		} else if label >= 0 {
			if r := p.all.overlooked(label); r != nil {
				*n.value, err = s.readOverlooked(ctx, r, 1)
			}
		}
		if err != nil {
			return p, err
		}
	}
	for _, w := range []struct {
		label egypt.Label
		value *entry
		terms *egypt.Terms
	}{
		{egypt.LabelChassis, &p.chassis, nil},
		{egypt.LabelMotor, &p.motor, nil},
		{egypt.LabelMake, &p.brand, egypt.Makes()},
		{egypt.LabelModel, &p.model, nil},
		{egypt.LabelBody, &p.body, egypt.Bodies()},
		{egypt.LabelColour, &p.colour, egypt.Colours()},
		{egypt.LabelFuel, &p.fuel, egypt.Fuels()},
	} {
		v, label := p.take(w.label)
		if v != nil {
			*w.value, err = s.whole(ctx, p.all.take(v...))
			if err == nil && label >= 0 && (w.label == egypt.LabelChassis || w.label == egypt.LabelMotor) {
				if right, ok := p.all.valueColumn(label); ok {
					err = s.readToColumn(ctx, w.value, right)
				}
			}
		} else if label >= 0 {
			if r := p.all.overlooked(label); r != nil {
				*w.value, err = s.readOverlookedWords(ctx, r, w.terms)
			}
		}
		if err != nil {
			return p, err
		}
	}
	if err := s.readUnlabelled(ctx, &p, names); err != nil {
		return p, err
	}
	for _, e := range []*entry{&p.chassis, &p.motor} {
		if err := s.readLatin(ctx, e); err != nil {
			return p, err
		}
	}
	return p, nil
}

// readToColumn reads a number of letters and digits once more as far as the other values of its column reach, where what the detector saw of it ends clearly before: it
// overlooks pale Latin text. What that shows more of it counts.
func (s *sheet) readToColumn(ctx context.Context, e *entry, right float64) error {
	const short = 2 // heights
	if (right-e.right())*viewWidth < short*e.height() {
		return nil
	}
	l := e.whole().Line
	l.End = along(l.Start, l.End, right*viewWidth+l.Height/2)
	longer := entry{row: row{{l}}}
	var err error
	if longer.script, err = s.readWords(ctx, longer.row); err != nil {
		return err
	}
	if arabicLetters(longer.text) == 0 && len(longer.text) > len(e.text) {
		*e = longer
	}
	return nil
}

// take finds the value of a label, or the number whose unit says that it is that; label is the last such label, -1 where there is none.
func (p *vehiclePrint) take(l egypt.Label) (value []int, label int) {
	label = -1
	for i := range p.all {
		if p.all[i].unit == l && !p.all[i].used {
			return []int{i}, -1
		}
	}
	for i := range p.all {
		if p.all[i].label == l {
			label = i
			if v := p.all.valueOf(i); len(v) > 0 {
				return v, i
			}
		}
	}
	return nil, label
}

// readUnlabelled tells by what they say the values whose labels are missing or could not be read, and takes what is left
// as free lines.
func (s *sheet) readUnlabelled(ctx context.Context, p *vehiclePrint, names *egypt.Wording) (err error) {
	for i := range p.all {
		c := &p.all[i]
		if c.used || c.label != "" {
			continue
		}
		compact := strings.ReplaceAll(c.text, " ", "")
		digits := digitsIn(c.text)
		switch {
		case p.examined.figures == nil && dateLike(c.text):
			if p.examined, err = s.readDateOf(ctx, p.all, []int{i}); err != nil {
				return err
			}
		case serialLike(c.text) > 0.7 && digits >= 6 && c.left() < 0.4 && c.y() > 0.7: // the card's own serial is no field
			c.used = true
		case p.year.figures == nil && yearLike(c.text):
			if p.year, err = s.readNumberOf(ctx, p.all, []int{i}, yearDigits...); err != nil {
				return err
			}
		case len(p.chassis.row) == 0 && len(compact) >= 15 && len(compact) <= 20 && digits >= 2 && latinShare(c.text) > 0.7:
			p.chassis = p.all.take(i)
		case len(p.motor.row) == 0 && motorLike(compact):
			p.motor, p.guessed = p.all.take(i), append(p.guessed, "motor")
		case p.volume.figures == nil && volumeLike(c.text):
			if p.volume, err = s.readNumberOf(ctx, p.all, []int{i}, volumeDigits...); err != nil {
				return err
			}
			p.guessed = append(p.guessed, "volume")
		}
	}
	for _, w := range []struct {
		name  string
		value *entry
		terms *egypt.Terms
	}{{"color", &p.colour, egypt.Colours()}, {"fuel", &p.fuel, egypt.Fuels()}, {"type", &p.brand, egypt.Makes()}, {"", &p.body, egypt.Bodies()}, {"sub_type", &p.model, egypt.Models()}} {
		blank := w.name == "" && p.all.find(egypt.LabelBody) >= 0 && p.all.labels() >= labelledCard
		if len(w.value.row) > 0 || blank {
			continue
		}
		if *w.value = p.all.worded(w.terms, 0.75); len(w.value.row) > 0 && w.name != "" {
			p.guessed = append(p.guessed, w.name)
		}
		if w.name == "type" && len(p.model.row) == 0 && len(p.brand.row) > 0 {
			if i := p.all.besideMake(p.brand); i >= 0 {
				p.model, p.guessed = p.all.take(i), append(p.guessed, "sub_type")
			}
		}
	}
	foot := p.all.labelledFoot()
	for _, l := range p.all.freeLines(names, map[egypt.Label]role{egypt.LabelRemarks: roleRemark}) {
		if arabicLetters(l.text) < shortWord || leftLabel(l.text) && !firstLicence(l.text) {
			continue // a number of whatever, a piece of a bar code, a label whose value was told otherwise
		}
		switch {
		case l.y() > foot-0.01 || remarkable(l.words) || firstLicence(l.text) || l.bound == roleRemark:
			p.free = append(p.free, l.entry)
		case len(p.body.row) == 0 && latinShare(l.text) < 0.5:
			p.body = l.entry
		case l.y() > titleFoot/2 && note(l):
			p.free = append(p.free, l.entry) // beside the labelled values
		}
	}
	return nil
}

// note reports whether a line is some words that are clearly read and announce nothing.
func note(l freeLine) bool {
	if len(l.words) < 2 || l.confidence < halfSure || sureness(l.script) < fairly {
		return false
	}
	f, ok := egypt.FindLabel(l.text, egypt.Phrases())
	return !ok || ofVerdict(l.text) || slices.Contains([]egypt.Label{egypt.LabelBank, egypt.LabelPassengers, egypt.LabelLoad, egypt.LabelInsurance}, f.Phrase.Label)
}

// leftLabel reports whether a text is a word that is a label by itself, as well as that could be read.
func leftLabel(line string) bool {
	const like = 0.75
	return slices.ContainsFunc(egypt.Phrases(), func(p egypt.Phrase) bool {
		return !strings.Contains(p.Text, " ") && egypt.Likeness(line, p.Text) >= like
	})
}

// motorLike reports whether a text without blanks has the form of most engine numbers: up to four capitals and a number.
func motorLike(text string) bool {
	text = egypt.FoldDigits(text)
	number := strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(text)-len(number) <= 4 && len(number) >= 5 && len(number) <= 8 && strings.Map(digit, number) == number
}

// volumeLike reports whether a text is a number of cubic centimetres.
func volumeLike(line string) bool {
	line = egypt.FoldDigits(line)
	return (len(line) == 3 || len(line) == 4) && line[0] != '0' && strings.Map(digit, line) == line
}

// yearLike reports whether a text is the number of a year.
func yearLike(line string) bool {
	line = egypt.FoldDigits(line)
	return len(line) == 4 && (strings.HasPrefix(line, "19") || strings.HasPrefix(line, "20")) && strings.Map(digit, line) == line
}

// The numbers that a vehicle may have: years of make, cylinders, cubic centimetres.
const (
	firstModel    = 1930
	mostCylinders = 16
	leastVolume   = 40
	mostVolume    = 30000
	// mostEach is how many cubic centimetres of one cylinder are believed: those of the largest lorries have 2,700.
	mostEach = 3000
)

// How many digits these numbers have.
var yearDigits, cylinderDigits, volumeDigits = []int{4}, []int{1, 2}, []int{2, 3, 4, 5}

// carBack fills in the fields of a car licence's back.
func (e *editor) carBack(p vehiclePrint) {
	e.count("model_year", p.year, firstModel, e.now.Year()+1)
	e.count("cylinder", p.cylinders, 1, mostCylinders)
	e.count("volume", p.volume, leastVolume, mostVolume)
	e.doubtSize()
	e.add(e.term("type", egypt.Makes(), p.brand))
	e.printed("type")
	e.add(e.term("sub_type", egypt.Models(), p.model))
	e.printed("sub_type")
	e.add(e.term("sub_type_2", egypt.Bodies(), p.body))
	e.add(e.term("color", egypt.Colours(), p.colour))
	e.printed("color")
	e.add(e.term("fuel", egypt.Fuels(), p.fuel))
	e.printed("fuel")
	e.serialNumber("chasis", p.chassis, egypt.DecodeChassis)
	e.serialNumber("motor", p.motor, egypt.DecodeMotor)
	d := p.examined.dateOf(egypt.LicenceExpiryRules(e.now))
	d.Codes = nil
	e.date("examination_dt", d, p.examined.row)
	e.doubt(p.guessed...)
	if remarkable(strings.Fields(egypt.Fold(e.Field("sub_type").Value))) {
		e.doubt("sub_type") // of models there are more than a list holds
	}
	names := []string{"special_1", "special_2", "special_3", "special_4"}
	for i, name := range names {
		switch {
		case i >= len(p.free):
			e.add(e.words(name, nil))
		case i == len(names)-1:
			e.remark(name, p.free[i:]...)
		default:
			e.remark(name, p.free[i])
		}
	}
}

// sureRemark is the confidence under which a remark is doubtful: the fit of a wording was made on lines of names and addresses.
const sureRemark = 0.97

// remark records lines of remarks.
func (e *editor) remark(name string, lines ...entry) {
	f := e.words(name, e.remarkWords, lines...)
	f.Value = trimmed(lineOrdinal.ReplaceAllString(f.Value, "$1"))
	e.addDoubting(f, sureRemark)
}

// lineOrdinal is the number of a line in a list: ١- or 2) or, where its sign was not read, a digit before a word.
var lineOrdinal = regexp.MustCompile(`^[٠0]?\pN\s*[-–.)]*\s+(\p{Arabic}{2})`)

// sureDigit is the confidence under which a digit that stands alone is doubtful: nothing beside it tells its size.
const sureDigit = 0.95

// count records a number within bounds.
func (e *editor) count(name string, p printedDate, low, high int) {
	f := appliance.Field{Name: name, Quad: e.sheet.quad(p.row)}
	if p.figures != nil {
		c := p.countOf(low, high)
		f.Value, f.Confidence, f.Raw = c.Value, c.Confidence, p.Text()
	}
	e.add(f)
	e.printed(name)
	if len(f.Value) == 1 && f.Confidence < sureDigit && e.Field(name).Value != "" {
		e.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
}

// doubtSize flags an engine too large for its cylinders: a digit too many or a cylinder number misread.
func (e *editor) doubtSize() {
	volume, unread := strconv.Atoi(e.Field("volume").Value)
	cylinders, err := strconv.Atoi(e.Field("cylinder").Value)
	if unread == nil && err == nil && volume > mostEach*cylinders {
		e.doubt("volume", "cylinder")
	}
}

// letterShapes are the letters that look like digits, which hardly any serial holds.
const letterShapes = "IOQ"

// agreed is the serial that the looks at a line support best together: the one that its best look gave, or what another look read
// in the same form. Where they disagree it is doubtful.
func (e entry) agreed(s egypt.Serial) egypt.Serial {
	pooled := e.pooled()
	if pooled == nil {
		return s
	}
	if strings.Contains(s.Value, ".") { // of serials without dots alone is known what the ink says
		if slices.ContainsFunc(e.looks(), func(look string) bool { return egypt.DecodeMotor(look, 1, nil).Value != s.Value }) {
			s.Confidence = min(s.Confidence, eitherDate)
		}
		return s
	}
	most := pooled(s.Value)
	for _, look := range e.looks() {
		other := egypt.SerialOf(look)
		if len(other) != len(s.Value) || strings.ContainsAny(other, letterShapes) && !strings.ContainsAny(s.Value, letterShapes) {
			continue
		}
		if v := pooled(other); v > most {
			most, s.Value, s.Confidence = v, other, min(s.Confidence, eitherDate)
		}
	}
	return s
}

// asSerial is an entry that is known to hold one number of capitals and digits: it and its looks are scored as such.
func (e entry) asSerial() entry {
	if e.scoreSerial == nil {
		return e
	}
	e.score = e.scoreSerial()
	e.parts = slices.Clone(e.parts)
	for i := range e.parts {
		looks := slices.Clone(e.parts[i].looks)
		for k := range looks {
			looks[k].score = looks[k].scoreSerial()
		}
		e.parts[i].looks = looks
	}
	return e
}

// serialNumber records the number of a chassis or an engine. Of a chassis alone it says whether it is a VIN, since no engine has one.
func (e *editor) serialNumber(name string, l entry, decode func(string, float64, func(string) float64) egypt.Serial) {
	f := e.words(name, nil, filled(l)...)
	if f.Value != "" {
		l := l.asSerial()
		s := l.agreed(decode(f.Value, l.confidence, l.score))
		f.Value, f.Confidence, f.Repairs = s.Value, s.Confidence, append(f.Repairs, s.Repairs...)
		if name == "chasis" {
			f.Checks = append(f.Checks, appliance.FieldCheck{Name: "vin", Passed: s.VIN})
		}
		if !s.VIN {
			f.Value = egypt.Grouped(f.Value, l.text)
		}
	}
	e.add(f)
	e.printed(name)
	if name == "chasis" && strings.Contains(f.Value, " ") { // which no chassis has: something may hide a sign
		e.doubt(name)
	}
}
