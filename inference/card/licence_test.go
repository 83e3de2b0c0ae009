package card

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/text"
)

// Property: what the product reads must not get worse. Of the committed photographs of licences at least so many fields of
// each kind come out exact, each is told as what it is, and few values mislead: wrong ones that nothing flags.
func TestGoldenLicences(t *testing.T) {
	floors := map[appliance.Kind]int{appliance.DrivingLicense: 39, appliance.CarLicenseFront: 30, appliance.CarLicenseBack: 44}
	const mostMisleading = 2
	tools, exact, misleading := cardTools(t), map[appliance.Kind]int{}, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil)
		if err != nil || got.Documents[0].Kind != want.Kind {
			t.Errorf("%s: %v, %v", truth.File, got.Documents, err)
			continue
		}
		d := got.Documents[0]
		for _, spec := range want.Kind.Model() {
			f, shown := d.Field(spec.Name), ""
			if v := want.Fields[spec.Name]; v != nil {
				shown = *v
			}
			switch {
			case f.Value == shown:
				exact[want.Kind]++
			case f.Value != "" && !flagged(d, spec.Name):
				misleading++
				t.Logf("%s, %s: %q, not %q, and nothing says so", truth.File, spec.Name, f.Value, shown)
			default:
				t.Logf("%s, %s: %q, not %q", truth.File, spec.Name, f.Value, shown)
			}
			if slices.ContainsFunc(d.Fields, func(o appliance.Field) bool { return o.Name == spec.Name }) == false {
				t.Errorf("%s: %s is missing", truth.File, spec.Name)
			}
		}
	}
	t.Log(exact)
	for kind, floor := range floors {
		if exact[kind] < floor {
			t.Errorf("%s: %d exact, the floor is %d", kind, exact[kind], floor)
		}
	}
	if misleading > mostMisleading {
		t.Errorf("%d values mislead", misleading)
	}
}

// wordsAt is print at a place of the view, in its pixels, as a test's recogniser reads it.
type wordsAt struct {
	left, right, y float64
	text           string
}

// sheetShowing is a sheet whose recogniser reads what stands under a line, as far as the line covers it.
func sheetShowing(prints ...wordsAt) *sheet {
	const height = 10
	var lines []text.Line
	for _, p := range prints {
		lines = append(lines, text.Line{Start: appliance.Point{X: p.left, Y: p.y}, End: appliance.Point{X: p.right, Y: p.y}, Height: height})
	}
	under := func(l text.Line) script {
		w := script{confidence: 0.99}
		for _, p := range prints {
			if l.Start.Y < p.y-height || l.Start.Y > p.y+height {
				continue
			}
			signs := []rune(asPrinted(p.text))
			step := (p.right - p.left) / float64(len(signs))
			for i, r := range signs {
				x := p.left + (float64(i)+0.5)*step
				if x < l.Start.X || x > l.End.X {
					continue
				}
				share := func(x float64) float64 { return (x - l.Start.X) / l.Length() }
				w.symbols = append(w.symbols, text.Symbol{Rune: r, Prob: 0.99, Start: share(x - step/2), End: share(x + step/2)})
			}
		}
		for _, s := range w.symbols {
			w.text += string(s.Rune)
		}
		w.text = asPrinted(w.text)
		return w
	}
	return &sheet{rows: rowsOf(lines), lines: lines, known: newVocabulary(), level: asSeen, words: func(_ context.Context, l text.Line) (script, error) { return under(l), nil }}
}

// A value is found left of its label, on the label's own line or further away, and below it; between columns it goes to the
// label of its own; a label without a value gets none of another's.
func TestValuesOfLabels(t *testing.T) {
	labels := vehicleLabels()
	for name, test := range map[string]struct {
		prints []wordsAt
		want   map[egypt.Label]string
	}{
		"on one line":               {[]wordsAt{{300, 480, 50, "اللون أحمر"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"with a colon":              {[]wordsAt{{300, 480, 50, "اللون : أحمر"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"amid a line, with a colon": {[]wordsAt{{100, 480, 50, "اللون : أحمر Colour الوقود: بنزين"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين"}},
		"amid a line, of a date":    {[]wordsAt{{300, 480, 50, "اللون أحمر تاريخ الفحص"}, {100, 180, 50, "2020/01/02"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر", egypt.LabelInspection: "2020/01/02"}},
		"a short label":             {[]wordsAt{{440, 480, 50, "لون"}, {300, 330, 51, "أحمر"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"far to the left":           {[]wordsAt{{440, 480, 50, "اللون"}, {300, 330, 51, "أحمر"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"below":                     {[]wordsAt{{440, 480, 50, "اللون"}, {445, 480, 68, "أحمر"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"two columns": {
			[]wordsAt{{440, 480, 50, "اللون"}, {360, 400, 50, "أحمر"}, {200, 240, 52, "الوقود"}, {110, 150, 52, "بنزين"}},
			map[egypt.Label]string{egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين"},
		},
		"a grid": {
			[]wordsAt{{440, 480, 50, "اللون"}, {200, 240, 50, "الوقود"}, {440, 480, 68, "أحمر"}, {200, 240, 68, "بنزين"}},
			map[egypt.Label]string{egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين"},
		},
		"dots to the value": {[]wordsAt{{100, 480, 50, "اللون ٠٠٠٠٠٠٠٠ أحمر ٠٠٠٠٠٠٠٠٠٢٠٠٠"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"dots beyond":       {[]wordsAt{{100, 480, 50, "اللون أحمر ........"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"in English, too":   {[]wordsAt{{440, 480, 50, "اللون"}, {300, 330, 51, "أحمر"}, {60, 100, 50, "Color"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"English between":   {[]wordsAt{{440, 480, 50, "اللون"}, {300, 340, 50, "Color"}, {200, 240, 51, "أحمر"}}, map[egypt.Label]string{egypt.LabelColour: "أحمر"}},
		"an empty label": {
			[]wordsAt{{440, 480, 50, "اللون"}, {200, 240, 50, "الوقود"}, {120, 160, 50, "بنزين"}},
			map[egypt.Label]string{egypt.LabelColour: "", egypt.LabelFuel: "بنزين"},
		},
	} {
		all, err := sheetShowing(test.prints...).readCells(t.Context(), labels)
		if err != nil {
			t.Fatal(err)
		}
		for label, want := range test.want {
			i := all.find(label)
			if i < 0 {
				t.Errorf("%s: no label %s", name, label)
				continue
			}
			got := ""
			if v := all.valueOf(i); len(v) > 0 {
				got = all[v[0]].text
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", name, label, got, want)
			}
		}
	}
}

// Lines without labels are told by what they say and by their order, a long address may have a second line close below, in a table also
// with print of other boxes between the two, and a label outweighs what the line says.
func TestFreeLines(t *testing.T) {
	names := egypt.NewNameWording()
	line := func(y float64, bound role, words string) freeLine {
		e := entry{row: row{{text.Line{Start: appliance.Point{X: 250, Y: y}, End: appliance.Point{X: 480, Y: y}, Height: 10}}}, script: script{text: words}}
		l := newFreeLine(e, names)
		l.bound = bound
		return l
	}
	at := func(l freeLine, left, right float64) freeLine {
		l.row[0].Start.X, l.row[0].End.X = left, right
		return l
	}
	labelled := func(at float64, l freeLine) freeLine {
		l.label = at / viewHeight
		return l
	}
	pitched := func(l freeLine) freeLine {
		l.pitch = 28
		return l
	}
	order := freeRoles{roleName, roleAddress, roleJob, roleRemark}
	for name, test := range map[string]struct {
		lines []freeLine
		want  []role
	}{
		"boxes": {
			[]freeLine{at(line(100, roleAddress, "٣ شارع النيل"), 300, 480), at(line(101, roleJob, "طبيبة أسنان"), 100, 200), at(line(120, 0, "الشرق - بورسعيد"), 310, 480)},
			[]role{roleAddress, roleJob, roleAddress},
		},
		"usual": {
			[]freeLine{line(100, 0, "محمد أحمد علي حسن"), line(125, 0, "١٢ شارع النصر - القاهرة"), line(150, 0, "مهندس")},
			[]role{roleName, roleAddress, roleJob},
		},
		"address in two lines": {
			[]freeLine{line(100, 0, "محمد أحمد علي حسن"), line(125, 0, "١٢ شارع النصر عمارة ٤"), line(142, 0, "قسم الدقي - الجيزة"), line(170, 0, "محاسب")},
			[]role{roleName, roleAddress, roleAddress, roleJob},
		},
		"its place further down": {
			[]freeLine{line(100, 0, "محمد أحمد علي حسن"), line(125, 0, "١٢ شارع النصر"), line(153, 0, "الدقي - الجيزة"), line(178, 0, "محاسب")},
			[]role{roleName, roleAddress, roleAddress, roleJob},
		},
		"its place far below, and no job": {
			[]freeLine{line(100, roleName, "محمد أحمد علي حسن"), line(125, roleAddress, "ميت عقبة"), line(155, 0, "الهرم - الجيزة")},
			[]role{roleName, roleAddress, roleAddress},
		},
		"a label beside the middle of two": {
			[]freeLine{line(100, roleName, "محمد أحمد"), line(125, 0, "١٢ شارع النصر"), labelled(134, line(143, roleAddress, "قسم الدقي - الجيزة"))},
			[]role{roleName, roleAddress, roleAddress},
		},
		"a label beside the second of two": {
			[]freeLine{line(100, roleName, "محمد أحمد"), line(125, 0, "١٢ شارع النصر"), labelled(143, line(143, roleAddress, "قسم الدقي - الجيزة"))},
			[]role{roleName, roleJob, roleAddress},
		},
		"its place in the next row of equal ones": {
			[]freeLine{pitched(line(72, roleName, "محمد أحمد علي حسن")), pitched(line(100, 0, "١٧٤ ش التعاون")), pitched(line(128, 0, "حى الزهور - بورسعيد"))},
			[]role{roleName, roleAddress, roleAddress},
		},
		"another order": {[]freeLine{line(100, 0, "١٢ شارع النصر - القاهرة"), line(125, 0, "محمد أحمد علي حسن")}, []role{roleAddress, roleName}},
		"labelled":      {[]freeLine{line(100, roleJob, "محمد أحمد علي"), line(125, roleName, "مهندس")}, []role{roleJob, roleName}},
		"labelled twice": {
			[]freeLine{line(100, roleJob, "مهندس"), line(125, roleJob, "مدرس"), line(150, 0, "محمد أحمد علي حسن")},
			[]role{roleJob, roleNone, roleName},
		},
		"none": {nil, nil},
	} {
		if got := order.assign(test.lines); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// What labels announce of which there is no field is no line: a serial, a governorate, also where the card labels it in English alone. Nor is a
// serial without a label, the heading of a part, what the signer is, or a notice.
func TestLinesOfNoField(t *testing.T) {
	all, err := sheetShowing(wordsAt{440, 480, 50, "مسلسل"}, wordsAt{300, 360, 50, "٦٤٦٥٤٥٣"}, wordsAt{420, 480, 80, "المحافظة"}, wordsAt{320, 360, 80, "الجيزة"},
		wordsAt{40, 90, 300, "D3643724"}, wordsAt{200, 260, 300, "م 24524920"}, wordsAt{300, 380, 300, "رئيس الوحدة"}, wordsAt{200, 380, 270, "يجب تجديد الرخصة قبل انتهائها"}, wordsAt{380, 480, 100, "بيانات المالك"}, wordsAt{100, 160, 110, "Address"}, wordsAt{200, 420, 140, "١٢ شارع النصر - القاهرة"}).readCells(t.Context(), carFrontLabels())
	if err != nil {
		t.Fatal(err)
	}
	lines := all.freeLines(egypt.NewNameWording(), nil)
	if len(lines) != 1 || lines[0].text != "١٢ شارع النصر - القاهرة" {
		t.Errorf("%d lines: %+v", len(lines), lines)
	}
}

// Property: what is labelled and no field of the service is no line, in whatever place; a load with its unit is a remark. What is left of a label is none.
func TestLabelledWithoutAField(t *testing.T) {
	for text, want := range map[string]int{"عدد الركاب : ١٤": 0, "عدد الركاب / ٤": 0, "عدد الركاب ١٤": 0, "حمولة ٣ طن": 1, "الضريبة السنوية : ٨٨٥": 0, "رقم": 0, "وذلك عن المدة من": 0} {
		all, err := sheetShowing(wordsAt{300, 480, 80, text}, wordsAt{200, 420, 140, "١٢ شارع النصر - القاهرة"}).readCells(t.Context(), carFrontLabels())
		if err != nil {
			t.Fatal(err)
		}
		if lines := all.freeLines(egypt.NewNameWording(), nil); len(lines) != 1+want {
			t.Errorf("%q: %d lines", text, len(lines))
		}
	}
}

// Property: numbers with their units behind them are told by these, and by no label beside them.
func TestUnits(t *testing.T) {
	s := sheetShowing(wordsAt{400, 480, 50, "٤ سلندر"}, wordsAt{300, 390, 80, "١٦٠٠ سم٣"}, wordsAt{440, 480, 80, "السنة"})
	all, err := s.readCells(t.Context(), vehicleLabels())
	if err != nil {
		t.Fatal(err)
	}
	p := vehiclePrint{all: all}
	for label, want := range map[egypt.Label]string{egypt.LabelCylinders: "٤", egypt.LabelVolume: "١٦٠٠", egypt.LabelModelYear: ""} {
		got := ""
		if v, _ := p.take(label); len(v) > 0 {
			got = all[v[0]].text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", label, got, want)
		}
	}
}

// Property: a chassis number says whether it is a VIN; that of an engine, which never is one, fails no such check.
func TestEngineIsNoVIN(t *testing.T) {
	printed := func(value string) entry {
		return entry{row: cellOf(value, 1, 100, 400, 100, 10).row, script: script{text: value, confidence: 1, parts: []script{{text: value, confidence: 1}}}}
	}
	for chassis, vin := range map[string]bool{"KNAFX411BF5123456": true, "95857692": false} {
		d := appliance.Document{Kind: appliance.CarLicenseBack}
		e := editor{Document: &d, sheet: &sheet{}}
		e.carBack(vehiclePrint{chassis: printed(chassis), motor: printed("G4FC123456")})
		if got := d.Field("chasis").Checks; !slices.Equal(got, []appliance.FieldCheck{{Name: "vin", Passed: vin}}) {
			t.Errorf("%s: %v", chassis, got)
		}
		if got := d.Field("motor"); got.Value != "G4FC123456" || got.Checks != nil {
			t.Errorf("engine %s: %v", got.Value, got.Checks)
		}
	}
}

// Property: the number of a remark in a list is no part of it, and one that a remark begins with stays where it says something.
func TestNumberedRemarks(t *testing.T) {
	for read, want := range map[string]string{"١- مقاعد جلد": "مقاعد جلد", "٠٣ وارد الجمارك": "وارد الجمارك", "- زجاج ملون": "زجاج ملون", "١٤ راكب": "١٤ راكب", "مقاعد ٢": "مقاعد ٢"} {
		if got := trimmed(lineOrdinal.ReplaceAllString(read, "$1")); got != want {
			t.Errorf("%q: %q, want %q", read, got, want)
		}
	}
}

// A nationality in English that the detector saw as one line with the value or the label of another column comes apart from it; one beside itself in
// Arabic does not.
func TestNationBesideAnotherColumn(t *testing.T) {
	for text, want := range map[string][]string{
		"EGYPTIAN أمين مخزن": {"EGYPTIAN", "أمين مخزن"}, "مصرى نجار مسلح": {"مصرى", "نجار مسلح"}, "مصر الجديدة - القاهرة": {"مصر الجديدة - القاهرة"}, "الوظيفة EGYPTIAN": {"EGYPTIAN", "الوظيفة"},
		"مصرية EGYPTIAN الوطيقة : طالبة": {"الوطيقة :", "طالبة", "مصرية EGYPTIAN"}, "EGYPTIAN مصري": {"EGYPTIAN مصري"}, "EGYPTIAN": {"EGYPTIAN"},
	} {
		all, err := sheetShowing(wordsAt{200, 400, 50, text}).readCells(t.Context(), drivingLabels())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range all {
			got = append(got, c.text)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Property: labels that end in one place left of their values, and a line that ends with one, show that a card is laid out from left to right; labels right of theirs, or no
// such line, do not.
func TestLaidFromLeft(t *testing.T) {
	line := wordsAt{170, 420, 60, "ضابط الوظيفة"}
	place := text.Line{Start: appliance.Point{X: line.left, Y: line.y}, End: appliance.Point{X: line.right, Y: line.y}, Height: 10}
	read, err := sheetShowing(line).words(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	whole := cell{entry: entry{row{{place}}, read}}
	at := func(left, right, y float64, label egypt.Label) cell {
		l := text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: 10}
		return cell{entry: entry{row: row{{l}}}, label: label}
	}
	var left, right cells
	for i, label := range []egypt.Label{egypt.LabelNumber, egypt.LabelIssued, egypt.LabelExpires} {
		y := 100 + 40*float64(i)
		left = append(left, at(230, 420, y, ""), at(170, 220, y, label))
		right = append(right, at(360, 420, y, label), at(200, 350, y, ""))
	}
	for name, test := range map[string]struct {
		cells cells
		want  bool
	}{"left": {append(cells{whole}, left...), true}, "right": {append(cells{whole}, right...), false}, "no line to cut": {left, false}} {
		if got := test.cells.laidFromLeft(drivingLabels()); got != test.want {
			t.Errorf("%s: laid out from left to right %v", name, got)
		}
	}
}

// A label that could not be read well enough to count as one is no line; remarks that begin like one are.
func TestLikeLabel(t *testing.T) {
	for line, want := range map[string]bool{"عدد الركاب": true, "عدد الركاب ٥": false, "نهاية التامين": true, "محظور البيع لبنك مصر": false, "تاريح الفحص": true, "٩٤ ش التحرير": false, "أحمد علي": false} {
		if likeLabel(line) != want {
			t.Errorf("%s: like a label %v", line, !want)
		}
	}
}

// A word that is a label by itself, also with a letter misread, is no remark; remarks are not taken for labels.
func TestLeftLabel(t *testing.T) {
	for line, want := range map[string]bool{"موتور": true, "اللور": true, "نقل ملكية": false, "أليانز": false, "وثاق للتأمين التكافلي": false} {
		if leftLabel(line) != want {
			t.Errorf("%s: left label %v", line, !want)
		}
	}
}

// Lines are read from the top, those that stand beside each other from right to left.
func TestOrderOfLines(t *testing.T) {
	var lines []freeLine
	for _, p := range []printed{{"رابع", 0.1, 0.4, 0.891, 11}, {"ثان", 0.1, 0.4, 0.8, 11}, {"ثالث", 0.6, 0.95, 0.9, 11}, {"أول", 0.6, 0.95, 0.804, 11}} {
		lines = append(lines, freeLine{entry: entry{row: row{piece{p.line()}}, script: script{text: p.text}}})
	}
	inOrder(lines, func(l freeLine) entry { return l.entry })
	for i, want := range []string{"أول", "ثان", "ثالث", "رابع"} {
		if lines[i].text != want {
			t.Errorf("line %d is %q, want %q", i, lines[i].text, want)
		}
	}
}

// The labels of a card outweigh its looks where they are clearly those of another kind, and do not where they say little.
func TestLicenceKind(t *testing.T) {
	of := func(texts ...string) (a cells) {
		for _, s := range texts {
			a = append(a, cell{entry: entry{script: script{text: s}}})
		}
		return a
	}
	for name, test := range map[string]struct {
		print cells
		looks appliance.Kind
		want  appliance.Kind
	}{
		"driving, looks unknown":  {of("رخصة قيادة", "محمد أحمد"), appliance.Unknown, appliance.DrivingLicense},
		"vehicle, looks unknown":  {of("رخصة تسيير مركبة"), appliance.Unknown, appliance.CarLicenseFront},
		"back, looks like front":  {of("رقم الشاسيه", "رقم الموتور", "اللون", "الوقود"), appliance.CarLicenseFront, appliance.CarLicenseBack},
		"a membership card":       {of("النادي الأهلي", "عضو عامل", "الاسم"), appliance.Unknown, appliance.Unknown},
		"one label of another":    {of("رقم الشاسيه"), appliance.DrivingLicense, appliance.DrivingLicense},
		"as much of each":         {of("رخصة قيادة", "رخصة تسيير"), appliance.CarLicenseFront, appliance.CarLicenseFront},
		"the same label repeated": {of("اللون", "اللون", "اللون", "اللون"), appliance.DrivingLicense, appliance.DrivingLicense},
	} {
		if got := kindOf(test.print.said(), test.looks); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// inMirror turns a picture's brightness into its mirror image and returns where an outline comes to lie.
func inMirror(p *appliance.Picture, q appliance.Quad) appliance.Quad {
	for row := range slices.Chunk(p.Y, p.Width) {
		slices.Reverse(row)
	}
	for i := range q {
		q[i].X = float64(p.Width) - q[i].X
	}
	return appliance.Quad{q[1], q[0], q[3], q[2]}
}

// Property: the back of an ID that the finder takes for its mirror image and the wrong way up, as one with its bar code on top, is read all the same; a true mirror image is refused.
func TestBackInNoMirror(t *testing.T) {
	tools := cardTools(t)
	cards := goldenTruth(t, "documents")
	card := cards[slices.IndexFunc(cards, func(c inferencetest.Card) bool { return c.Documents[0].Kind == appliance.NationalIDBack })]
	p := picture(t, "documents/"+card.File)
	for _, mirrored := range []bool{false, true} {
		q := corners(card.Documents[0].Quad)
		if mirrored {
			q = inMirror(p, q)
		}
		tools.Finder = foundBy{{Kind: appliance.NationalIDBack, Mirrored: true, Quad: appliance.Quad{q[2], q[3], q[0], q[1]}}}
		got, err := NewReader(appliance.NationalIDBack, tools).Read(t.Context(), p, nil)
		refused := appliance.CodeOf(err) == appliance.CodeNoDocument
		if refused != mirrored || !mirrored && (err != nil || got.Documents[0].Field("idNumber").Value != *card.Documents[0].Fields["idNumber"]) {
			t.Errorf("mirrored %v: %+v, %v", mirrored, got.Documents, err)
		}
	}
}

// A licence that the finder takes for its mirror image, because it does not know the arrangement, is read all the same; a
// true mirror image is refused.
func TestMirrorImageIsProved(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "licences")[0]
	p := picture(t, "licences/"+card.File)
	d := card.Documents[0]
	for _, mirrored := range []bool{false, true} {
		quad := corners(d.Quad)
		if mirrored {
			quad = inMirror(p, quad)
		}
		tools.Finder = foundBy{{Kind: appliance.Unknown, Mirrored: true, Quad: quad}}
		got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		refused := appliance.CodeOf(err) == appliance.CodeNoDocument
		if refused != mirrored || !mirrored && (err != nil || got.Documents[0].Kind != d.Kind) {
			t.Errorf("mirrored %v: %+v, %v", mirrored, got.Documents, err)
		}
	}
}

// Property: of several lines of a value that stand above their label the topmost is the first, and the others follow it.
func TestFirstOfLinesAboveTheirLabel(t *testing.T) {
	s := sheetShowing(
		wordsAt{300, 400, 40, "باسم أيمن"}, wordsAt{310, 390, 62, "هاني سمير"}, wordsAt{330, 370, 84, "المالك"},
		wordsAt{260, 440, 120, "٩٥ ش أبو قير"}, wordsAt{300, 400, 142, "المعادي القاهرة"}, wordsAt{325, 375, 164, "العنوان"},
		wordsAt{410, 450, 200, "مصري"}, wordsAt{405, 455, 222, "الجنسية"}, wordsAt{230, 330, 200, "٢٠٢٠/٠٥/٢٧"}, wordsAt{235, 325, 222, "تاريخ الانتهاء"},
	)
	all, err := s.readCells(t.Context(), carFrontLabels())
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[egypt.Label]string{egypt.LabelName: "باسم أيمن", egypt.LabelAddress: "٩٥ ش أبو قير"} {
		if v := all.valueOf(all.find(label)); len(v) == 0 || all[v[0]].text != want {
			t.Errorf("%s begins with the cells %v, want %s", label, v, want)
		}
	}
}

// Property: a line without a label goes on with the value of the label above it, as far down as that stands, where no label parts the two; in
// running text it is the first of the next row.
func TestLinesThatGoOn(t *testing.T) {
	name, value := labelOf(egypt.LabelName, cellOf("الاسم", 1, 440, 480, 50, 10)), cellOf("ماجد", 1, 390, 430, 50, 10)
	name.values = []int{1}
	further := cellOf("عطا الله فرغلي", 1, 300, 430, 88, 10)
	job := labelOf(egypt.LabelJob, cellOf("المهنة", 1, 440, 480, 70, 10))
	job.values = []int{0}
	wrapped := cellOf("فرغلي", 1, 445, 480, 72, 10)
	for what, test := range map[string]struct {
		all  cells
		want egypt.Label
	}{
		"two rows below":    {cells{name, value, further}, egypt.LabelName},
		"below a label":     {cells{name, value, further, job}, ""},
		"beside a label":    {cells{name, value, further, labelOf(egypt.LabelJob, cellOf("المهنة", 1, 440, 480, 88, 10))}, ""},
		"in the next row":   {cells{name, value, wrapped}, egypt.LabelName},
		"after another one": {cells{name, value, wrapped, cellOf("مصري", 1, 300, 340, 50, 10)}, ""},
	} {
		for i := range test.all[3:] {
			if c := &test.all[3+i]; c.label != "" {
				c.values = []int{1}
			}
		}
		if got := test.all.ownerOf(2); got != test.want {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
}

// Property: the numbers with which the lines of a card begin are cut off, a line that is a number and what stands apart from it are one, and each
// begins a field; house numbers stay.
func TestOrdinals(t *testing.T) {
	lines := []string{"1. سمير رزق", "2. SAMIR REZK", "4a. 2020/09/12", "4b. 2030/09/11", "5. 26511091512273", "8. ٥٦ ش النيل", "9. نجار"}
	show := func(lines []string) (out []string) {
		var prints []wordsAt
		for i, l := range lines {
			prints = append(prints, wordsAt{480 - 11*float64(len([]rune(l))), 480, 40 + 30*float64(i), l})
		}
		all, err := sheetShowing(prints...).readCells(t.Context(), drivingLabels())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			out = append(out, c.text)
		}
		return out
	}
	if got, want := show(lines), []string{"سمير رزق", "2020/09/12", "2030/09/11", "26511091512273", "٥٦ ش النيل", "نجار"}; !slices.Equal(slices.DeleteFunc(got, func(s string) bool { return latinShare(s) > 0 }), want) {
		t.Errorf("%q, want %q", got, want)
	}
	apart, err := sheetShowing(
		wordsAt{455, 480, 40, "1."}, wordsAt{370, 410, 40, "سمير"}, wordsAt{455, 480, 70, "2."}, wordsAt{370, 410, 70, "رزق"}, wordsAt{455, 480, 100, "3."}, wordsAt{370, 410, 100, "نجار"},
		wordsAt{455, 480, 130, "4."}, wordsAt{370, 410, 130, "أسوان"}, wordsAt{455, 480, 160, "5."}, wordsAt{370, 410, 160, "مصري"}, wordsAt{370, 410, 190, "خاصة"},
	).readCells(t.Context(), drivingLabels())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range apart {
		if c.begins != (c.text != "خاصة") {
			t.Errorf("apart from its number: %s begins a field: %v", c.text, c.begins)
		}
	}
	if got, want := show([]string{"سمير رزق", "٥٦ ش النيل", "نجار"}), []string{"سمير رزق", "٥٦ ش النيل", "نجار"}; !slices.Equal(got, want) {
		t.Errorf("without numbers: %q", got)
	}
}

// Property: a line of several of a vehicle's terms comes apart into them, a make from the model that follows it; one term of several words, and a
// remark, stay whole.
func TestTermsInALine(t *testing.T) {
	for line, want := range map[string][]string{
		"هاتشباك احمر ناري بنزين": {"هاتشباك", "احمر ناري", "بنزين"}, "نيسان سنترا": {"نيسان", "سنترا"}, "نصف نقل": {"نصف نقل"}, "ميني فان": {"ميني فان"},
		"أبيض في أسود": {"أبيض في أسود"}, "بها زجاج فاميه": {"بها زجاج فاميه"},
	} {
		all, err := sheetShowing(wordsAt{200, 420, 50, line}).readCells(t.Context(), vehicleLabels())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range all {
			got = append(got, c.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Property: a name begins and ends with a letter, whatever a picture beside it was read as.
func TestBetweenLetters(t *testing.T) {
	for read, want := range map[string]string{"٤ سلمى كامل": "سلمى كامل", "= احمد": "احمد", "أحمد ٣": "أحمد", "محمد": "محمد", "٤": "", "": ""} {
		if got := betweenLetters(read); got != want {
			t.Errorf("%q: %q, want %q", read, got, want)
		}
	}
}

// BenchmarkLicence reads a driving licence: finding labels is a good part of the work beside the networks.
func BenchmarkLicence(b *testing.B) {
	p, reader := picture(b, filepath.Join("licences", "00.jpg")), NewReader(appliance.DrivingLicense, cardTools(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Property: a number that ends before the other values of its column is read as far as they reach, one that reaches as far stays, and a name in Latin letters of
// which the detector saw pieces is one line from left to right.
func TestPaleLatinPrint(t *testing.T) {
	s := sheetShowing(wordsAt{300, 460, 50, "TCR3SPX42V4"})
	seen := func(left, right float64, shown string) entry {
		l := text.Line{Start: appliance.Point{X: left, Y: 50}, End: appliance.Point{X: right, Y: 50}, Height: 10}
		return entry{row{{l}}, script{text: shown, confidence: 0.99}}
	}
	for end, want := range map[float64]string{460: "TCR3SPX42V4", 395: "TCR3SP"} {
		e := seen(300, 387, "TCR3SP")
		if err := s.readToColumn(t.Context(), &e, end/viewWidth); err != nil || e.text != want {
			t.Errorf("to %v: %q, %v; want %q", end, e.text, err, want)
		}
	}
	e := seen(300, 350, "TCR")
	e.row = append(e.row, seen(400, 460, "42V4").row...)
	if err := s.readLatin(t.Context(), &e); err != nil || e.text != "TCR3SPX42V4" {
		t.Errorf("pieces: %q, %v", e.text, err)
	}
}

// Property: words that say that there are partners are the rest of a name and nothing else is.
func TestPartners(t *testing.T) {
	for line, want := range map[string]bool{"وشركاه": true, "وأخوته": true, "ش . م . م": true, "ش م م": true, "وشركاه للتجارة": false, "محمود": false, "": false} {
		if got := partners(strings.Fields(egypt.Fold(line))); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a first licence is a remark, unless a date stands beside it.
func TestFirstLicence(t *testing.T) {
	remark := cellOf("أول ترخيص", 0.99, 400, 480, 300, 10)
	for name, test := range map[string]struct {
		beside cells
		want   bool
	}{"alone": {nil, true}, "above a number": {cells{cellOf("2015", 0.99, 400, 440, 340, 10)}, true}, "beside a date": {cells{cellOf("05/06/2015", 0.99, 300, 380, 300, 10)}, false}} {
		if got := append(cells{remark}, test.beside...).remarksFirst(0); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
