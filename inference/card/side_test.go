package card

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// printed is a line of a card that was never printed: its text in logical order, its right and left end and its centre
// as shares of the card, and its height in view pixels.
type printed struct {
	text           string
	left, right, y float64
	height         float64
}

func (p printed) line() text.Line {
	return text.Line{
		Start:  appliance.Point{X: p.left * viewWidth, Y: p.y * viewHeight},
		End:    appliance.Point{X: p.right * viewWidth, Y: p.y * viewHeight},
		Height: p.height,
	}
}

// sheetOf is a sheet whose lines are read without a fault, whatever stretch of them is asked for.
func sheetOf(lines []printed) *sheet {
	places := linesOf(lines)
	// The signs of a stretch are those of the lines on that height whose place lies within it.
	signs := func(l text.Line, digits bool) []text.Symbol {
		var out []text.Symbol
		for _, p := range lines {
			q := p.line()
			if math.Abs(q.Start.Y-l.Start.Y) > q.Height {
				continue
			}
			shown := []rune(asPrinted(p.text))
			unit := (q.End.X - q.Start.X) / float64(len(shown))
			for i, r := range shown {
				from := q.Start.X + float64(i)*unit
				if middle := from + unit/2; middle < l.Start.X || middle > l.End.X {
					continue
				}
				if digits && !strings.ContainsRune("0123456789/-", r) {
					continue
				}
				out = append(out, text.Symbol{Rune: r, Prob: 1, Start: (from - l.Start.X) / l.Length(), End: (from + unit - l.Start.X) / l.Length()})
			}
			if !digits {
				out = append(out, text.Symbol{Rune: ' ', Prob: 1})
			}
		}
		return out
	}
	return &sheet{
		known:     newVocabulary(),
		rows:      rowsOf(places),
		lines:     places,
		toPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1},
		level:     asSeen,
		words: func(_ context.Context, l text.Line) (script, error) {
			found := signs(l, false)
			shown := ""
			for _, s := range found {
				shown += string(s.Rune)
			}
			return script{text: asPrinted(shown), confidence: 1, symbols: found[:max(0, len(found)-1)], alternatives: alternatives{score: scoreOf(asPrinted(shown)), formed: formedOf(asPrinted(shown))}}, nil
		},
		digits: func(_ context.Context, l text.Line) (figures, error) { return sure(signs(l, true)), nil },
	}
}

// asSeen is where a line stands that the detector saw without a fault.
func asSeen(_ context.Context, l text.Line) (text.Line, error) { return l, nil }

// linesOf are the lines as a detector sees them.
func linesOf(lines []printed) (places []text.Line) {
	for _, p := range lines {
		places = append(places, p.line())
	}
	return places
}

// scoreOf is the ink of a line that shows nothing but a text.
func scoreOf(shown string) func(string) float64 {
	return func(other string) float64 { return -15 * egypt.Distance(other, shown) }
}

// formedOf is the form of a line that shows nothing but a text: it fits, or its first signs do.
func formedOf(shown string) func(egypt.Form) egypt.Formed {
	return func(f egypt.Form) egypt.Formed {
		if len(shown) != len(f) {
			return egypt.Formed{}
		}
		for i, allowed := range f {
			if !strings.ContainsRune(allowed, rune(shown[i])) {
				return egypt.Formed{}
			}
		}
		return egypt.Formed{Text: shown, Share: 1, Fits: 1}
	}
}

// asPrinted turns text from logical to visual order and back: words and Arabic letters run from right to left.
func asPrinted(s string) string {
	words := strings.Fields(s)
	slices.Reverse(words)
	for i, w := range words {
		if w[0] >= utf8.RuneSelf {
			letters := []rune(w)
			slices.Reverse(letters)
			words[i] = string(letters)
		}
	}
	return strings.Join(words, " ")
}

// sure is a reading of digits without a doubt.
type sure []text.Symbol

func (s sure) Symbols() []text.Symbol { return s }

func (s sure) Text() string {
	shown := ""
	for _, sign := range s {
		shown += string(sign.Rune)
	}
	return shown
}

func (s sure) LogLength(n int) float64 {
	if n == count(s) {
		return 0
	}
	return -20
}

func (s sure) Score(digits string) float64 {
	if digits == strings.Map(digit, s.Text()) {
		return 0
	}
	return -20
}

func (s sure) Cells(n int) []egypt.Cell {
	cells, shown := make([]egypt.Cell, n), strings.Map(digit, s.Text())
	for i := range cells {
		for d := range cells[i] {
			cells[i][d] = -15
		}
		if i < len(shown) {
			cells[i][shown[i]-'0'] = 0
		}
	}
	return cells
}

// shown is the text of digits, "" where there were none.
func shown(f figures) string {
	if f == nil {
		return ""
	}
	return f.Text()
}

// front is an ordinary front; the tests change it.
func front() []printed {
	return []printed{
		{"جمهورية مصر العربية", 0.45, 0.95, 0.08, 14},
		{"بطاقة تحقيق الشخصية", 0.50, 0.95, 0.17, 14},
		{"فاطمة", 0.80, 0.95, 0.29, 14},
		{"محمود إبراهيم حسن", 0.50, 0.95, 0.39, 14},
		{"12 شارع النيل", 0.60, 0.95, 0.53, 13},
		{"قسم المعادي - القاهرة", 0.50, 0.95, 0.63, 13},
		{"20001010100014", 0.42, 0.94, 0.84, 20},
		{"1900/01/01", 0.08, 0.28, 0.83, 12},
		{"AB1234567", 0.07, 0.27, 0.93, 10},
	}
}

// replaced exchanges the lines with a text.
func replaced(lines []printed, old string, by ...printed) []printed {
	i := slices.IndexFunc(lines, func(p printed) bool { return p.text == old })
	return slices.Replace(lines, i, i+1, by...)
}

// shifted moves all lines.
func shifted(lines []printed, dx, dy float64) []printed {
	for i := range lines {
		lines[i].left, lines[i].right, lines[i].y = lines[i].left+dx, lines[i].right+dx, lines[i].y+dy
	}
	return lines
}

// Property: the lines of a front get their roles from their order, their words and their digits, however far the layout
// is from the expected one and however the detector cut the lines.
func TestFrontRoles(t *testing.T) {
	type roles struct{ Names, Addresses, Number, Birth, Serial string }
	usual := roles{"فاطمة|محمود إبراهيم حسن", "12 شارع النيل|قسم المعادي - القاهرة", "20001010100014", "1900/01/01", "AB1234567"}
	with := func(change func(*roles)) roles { r := usual; change(&r); return r }
	tests := map[string]struct {
		lines []printed
		want  roles
	}{
		"usual":        {front(), usual},
		"shifted down": {shifted(front(), 0.02, 0.05), usual},
		"labels": {replaced(replaced(replaced(replaced(append(front(), printed{"الرقم القومي", 0.78, 0.94, 0.74, 9}), "فاطمة", printed{"اسم : فاطمة", 0.70, 0.95, 0.29, 14}), "12 شارع النيل", printed{"عنوان 12 شارع النيل", 0.50, 0.95, 0.53, 13}),
			"محمود إبراهيم حسن", printed{"محمود إبراهيم حسن", 0.40, 0.85, 0.39, 14}), "قسم المعادي - القاهرة", printed{"قسم المعادي - القاهرة", 0.40, 0.85, 0.63, 13}), usual},
		"a name like a label": {replaced(front(), "محمود إبراهيم حسن", printed{"اسم محمود حسن", 0.50, 0.95, 0.39, 14}), with(func(r *roles) { r.Names = "فاطمة|اسم محمود حسن" })},
		"old offices":         {append(front()[1:], printed{"مصلحة الأحوال المدنية", 0.60, 0.95, 0.23, 11}), usual},
		"shifted up":          {shifted(front(), -0.03, -0.05), usual},
		"no titles":           {front()[2:], usual},
		"title misread":       {replaced(front(), "بطاقة تحقيق الشخصية", printed{"بطافة نحقيق الشخصيه", 0.5, 0.95, 0.17, 14}), usual},
		"number in groups": {replaced(front(), "20001010100014", printed{"2", 0.42, 0.45, 0.84, 20}, printed{"000101", 0.50, 0.66, 0.838, 20},
			printed{"01", 0.72, 0.77, 0.836, 20}, printed{"00014", 0.82, 0.94, 0.834, 20}), usual},
		"date joined to the number": {replaced(replaced(front(), "1900/01/01"), "20001010100014",
			printed{"1900/01/0120001010100014", 0.08, 0.94, 0.84, 18}), usual},
		"no birth date":                         {replaced(front(), "1900/01/01"), with(func(r *roles) { r.Birth = "" })},
		"no serial":                             {replaced(front(), "AB1234567"), with(func(r *roles) { r.Serial = "" })},
		"serial at right":                       {replaced(front(), "AB1234567", printed{"AB1234567", 0.70, 0.93, 0.94, 10}), usual},
		"three name lines":                      {replaced(front(), "محمود إبراهيم حسن", printed{"محمود إبراهيم", 0.6, 0.95, 0.36, 13}, printed{"حسن السيد", 0.7, 0.95, 0.43, 13}), with(func(r *roles) { r.Names = "فاطمة|محمود إبراهيم|حسن السيد" })},
		"three name lines close to the address": {replaced(front(), "محمود إبراهيم حسن", printed{"محمود إبراهيم", 0.6, 0.95, 0.385, 13}, printed{"حسن السيد", 0.7, 0.95, 0.46, 13}), with(func(r *roles) { r.Names = "فاطمة|محمود إبراهيم|حسن السيد" })},
		"village":                               {replaced(front(), "12 شارع النيل", printed{"ميت خميس", 0.75, 0.95, 0.53, 13}), with(func(r *roles) { r.Addresses = "ميت خميس|قسم المعادي - القاهرة" })},
		"village named after a person, high up": {replaced(front(), "12 شارع النيل", printed{"أم دينار", 0.75, 0.95, 0.50, 13}), with(func(r *roles) { r.Addresses = "أم دينار|قسم المعادي - القاهرة" })},
		"name in two pieces": {
			replaced(front(), "محمود إبراهيم حسن", printed{"محمود", 0.82, 0.95, 0.39, 14}, printed{"إبراهيم حسن", 0.50, 0.70, 0.392, 14}),
			with(func(r *roles) { r.Names = "فاطمة|محمود إبراهيم حسن" }),
		},
		"labels right of the values": {replaced(replaced(replaced(shifted(front(), -0.1, 0), "جمهورية مصر العربية", printed{"جمهورية مصر العربية", 0.45, 0.95, 0.08, 14}), "فاطمة",
			printed{"فاطمة", 0.70, 0.85, 0.29, 14}, printed{"الاسم", 0.90, 0.95, 0.29, 10}), "12 شارع النيل", printed{"12 شارع النيل", 0.50, 0.85, 0.53, 13}, printed{"محل الإقامة :", 0.88, 0.97, 0.53, 10}), usual},
		"the head of the office below the lines": {append(front(), printed{"المدير العام للأحوال المدنية", 0.60, 0.95, 0.72, 12}), usual},
		"print beside the card":                  {append(front(), printed{"عطا", 0.96, 0.99, 0.22, 12}), usual},
		"labels above the values": {append(replaced(replaced(front(), "فاطمة", printed{"فاطمة", 0.80, 0.95, 0.31, 14}), "محمود إبراهيم حسن", printed{"محمود إبراهيم حسن", 0.50, 0.95, 0.40, 14}),
			printed{"الاسم", 0.88, 0.95, 0.245, 9}, printed{"العنوان", 0.88, 0.95, 0.47, 9}), usual},
		"labels in the lines": {replaced(replaced(front(), "فاطمة", printed{"الاسم: فاطمة", 0.7, 0.95, 0.29, 14}), "12 شارع النيل", printed{"العنوان 12 شارع النيل", 0.50, 0.95, 0.53, 13}), usual},
		"number over the names": {append(shifted(replaced(front()[2:], "20001010100014"), 0, 0.13)[:4], front()[0], front()[1], printed{"20001010100014", 0.42, 0.94, 0.29, 18}, printed{"1900/01/01", 0.06, 0.26, 0.78, 12},
			printed{"AB1234567", 0.07, 0.27, 0.93, 10}), usual},
		"number among the lines": {append(replaced(replaced(front(), "20001010100014", printed{"20001010100014", 0.42, 0.94, 0.50, 18}), "12 شارع النيل", printed{"12 شارع النيل", 0.60, 0.95, 0.61, 13})[:5],
			printed{"20001010100014", 0.42, 0.94, 0.50, 18}, printed{"قسم المعادي - القاهرة", 0.50, 0.95, 0.72, 13}, printed{"1900/01/01", 0.08, 0.28, 0.83, 12}, printed{"AB1234567", 0.07, 0.27, 0.93, 10}), usual},
		"number among the lines of a card that does not say what it is": {append(front()[2:4:4], printed{"20001010100014", 0.42, 0.94, 0.50, 18}, printed{"12 شارع النيل", 0.60, 0.95, 0.61, 13}, printed{"قسم المعادي - القاهرة", 0.50, 0.95, 0.72, 13},
			printed{"AB1234567", 0.07, 0.27, 0.93, 10}), with(func(r *roles) { r.Number, r.Birth = "", "" })},
		"digits of no number among the lines": {append(replaced(front(), "20001010100014")[:4], printed{"99999999999999", 0.42, 0.94, 0.50, 18}, printed{"12 شارع النيل", 0.60, 0.95, 0.61, 13}, printed{"قسم المعادي - القاهرة", 0.50, 0.95, 0.72, 13},
			printed{"AB1234567", 0.07, 0.27, 0.93, 10}), with(func(r *roles) {
			r.Number, r.Birth, r.Addresses = "", "", "12 شارع النيل|قسم المعادي - القاهرة"
		})},
		"birth date in a line": {append(replaced(front(), "1900/01/01"), printed{"تاريخ الميلاد : 1900/01/01", 0.55, 0.95, 0.73, 12}), usual},
		"title of the number":  {replaced(front(), "بطاقة تحقيق الشخصية", printed{"بطاقة الرقم القومي", 0.5, 0.95, 0.17, 14}), usual},
		"labels of the holder": {append(replaced(replaced(front(), "فاطمة", printed{"فاطمة", 0.80, 0.95, 0.31, 14}), "محمود إبراهيم حسن", printed{"محمود إبراهيم حسن", 0.50, 0.95, 0.40, 14}),
			printed{"اسم المواطن", 0.80, 0.95, 0.245, 9}, printed{"عنوان الإقامة", 0.80, 0.95, 0.47, 9}), usual},
		"serial above, portrait and birth at the right": {[]printed{
			{"AB1234567", 0.04, 0.18, 0.08, 10},
			{"جمهورية مصر العربية", 0.30, 0.69, 0.08, 14},
			{"بطاقة تحقيق الشخصية", 0.35, 0.69, 0.17, 14},
			{"فاطمة", 0.55, 0.70, 0.29, 14},
			{"محمود إبراهيم حسن", 0.25, 0.70, 0.39, 14},
			{"12 شارع النيل", 0.35, 0.70, 0.53, 13},
			{"قسم المعادي - القاهرة", 0.25, 0.70, 0.63, 13},
			{"الميلاد", 0.80, 0.88, 0.63, 9},
			{"1900/01/01", 0.76, 0.93, 0.73, 12},
			{"20001010100014", 0.12, 0.70, 0.84, 18},
		}, usual},
		"labels of more words": {append(replaced(replaced(front(), "فاطمة", printed{"اسم حامل البطاقة: فاطمة", 0.55, 0.95, 0.29, 14}), "12 شارع النيل", printed{"محل الإقامة: ميت خميس", 0.50, 0.95, 0.45, 13}),
			printed{"صاحب البطاقة", 0.30, 0.40, 0.24, 9}), with(func(r *roles) { r.Addresses = "ميت خميس|قسم المعادي - القاهرة" })},
		"the number of a house among names of streets": {replaced(front(), "12 شارع النيل", printed{"12 عبد المنعم رياض", 0.55, 0.95, 0.46, 13}), with(func(r *roles) { r.Addresses = "12 عبد المنعم رياض|قسم المعادي - القاهرة" })},
		"a street like a title": {replaced(front(), "12 شارع النيل", printed{"عمارة 6 ش القومية العربية", 0.45, 0.95, 0.46, 13}), with(func(r *roles) {
			r.Addresses = "عمارة 6 ش القومية العربية|قسم المعادي - القاهرة"
		})},
		"a serial level with the number": {replaced(replaced(front(), "AB1234567", printed{"AB1234567", 0.06, 0.22, 0.84, 10}), "1900/01/01", printed{"1900/01/01", 0.06, 0.26, 0.76, 12}), usual},
		"a village, lines close together and high up": {append(front()[:2:2], printed{"فاطمة", 0.88, 0.96, 0.223, 14}, printed{"محمود إبراهيم حسن", 0.50, 0.95, 0.297, 14}, printed{"ميت ابو غالب", 0.78, 0.95, 0.384, 14}, printed{"قسم المعادي - القاهرة", 0.50, 0.95, 0.454, 13},
			front()[6], front()[7], front()[8]), with(func(r *roles) { r.Addresses = "ميت ابو غالب|قسم المعادي - القاهرة" })},
		"the address above the names": {[]printed{
			front()[0], front()[1],
			{"العنوان: 12 شارع النيل", 0.50, 0.95, 0.31, 13},
			{"المعادي / القاهرة", 0.60, 0.95, 0.43, 13},
			{"الاسم بالكامل: فاطمة", 0.70, 0.95, 0.56, 14},
			{"محمود إبراهيم حسن", 0.60, 0.95, 0.69, 14},
			front()[6], front()[7], front()[8],
		}, with(func(r *roles) { r.Addresses = "12 شارع النيل|المعادي / القاهرة" })},
		"the address above names without a label": {[]printed{
			front()[0], front()[1],
			{"العنوان: 12 شارع النيل", 0.50, 0.95, 0.31, 13},
			{"المعادي / القاهرة", 0.60, 0.95, 0.43, 13},
			{"فاطمة", 0.80, 0.95, 0.56, 14},
			{"محمود إبراهيم حسن", 0.60, 0.95, 0.69, 14},
			front()[6], front()[7], front()[8],
		}, with(func(r *roles) { r.Addresses = "12 شارع النيل|المعادي / القاهرة" })},
		"a centred column left of the portrait, the number among its lines": {[]printed{
			{"جمهورية مصر العربية", 0.30, 0.70, 0.07, 15},
			{"بطاقة الرقم القومي", 0.40, 0.60, 0.16, 12},
			{"فاطمة", 0.32, 0.44, 0.32, 14},
			{"محمود إبراهيم حسن", 0.31, 0.46, 0.45, 14},
			{"20001010100014", 0.10, 0.66, 0.60, 16},
			{"12 شارع النيل", 0.17, 0.59, 0.73, 14},
			{"قسم المعادي - القاهرة", 0.25, 0.51, 0.88, 14},
			{"AB1234567", 0.78, 0.95, 0.94, 12},
		}, with(func(r *roles) { r.Birth = "" })},
		"a whole address in one line": {replaced(replaced(front(), "12 شارع النيل", printed{"شطروخ", 0.80, 0.95, 0.49, 13}), "قسم المعادي - القاهرة", printed{"12 شارع النيل الكبير الجديد - القاهرة", 0.50, 0.95, 0.57, 13}), with(func(r *roles) {
			r.Names, r.Addresses = "فاطمة|محمود إبراهيم حسن|شطروخ", "12 شارع النيل الكبير الجديد - القاهرة"
		})},
		"a patch of the portrait beside a name": {[]printed{
			front()[0], front()[1],
			{"فاطمة", 0.55, 0.70, 0.29, 14},
			{"محمود إبراهيم حسن", 0.25, 0.70, 0.39, 14},
			{"١١١", 0.80, 0.92, 0.39, 32},
			{"12 شارع النيل", 0.35, 0.70, 0.53, 13},
			{"قسم المعادي - القاهرة", 0.25, 0.70, 0.63, 13},
			{"1900/01/01", 0.76, 0.93, 0.78, 12},
			{"20001010100014", 0.12, 0.70, 0.84, 18},
			{"AB1234567", 0.75, 0.93, 0.94, 10},
		}, usual},
		"labels of the parts of a name": {replaced(replaced(replaced(front(), "فاطمة", printed{"الاسم الأول: فاطمة", 0.60, 0.95, 0.29, 14}), "محمود إبراهيم حسن", printed{"باقي الاسم: محمود إبراهيم حسن", 0.40, 0.95, 0.39, 14}), "12 شارع النيل",
			printed{"العنوان: 12 شارع النيل", 0.45, 0.95, 0.53, 13}), usual},
		"labels of the parts of a name above them": {append(replaced(replaced(front(), "فاطمة", printed{"فاطمة", 0.80, 0.95, 0.31, 14}), "محمود إبراهيم حسن", printed{"محمود إبراهيم حسن", 0.50, 0.95, 0.42, 14}),
			printed{"الاسم الأول", 0.85, 0.95, 0.25, 9}, printed{"اسم الأب والعائلة", 0.78, 0.95, 0.365, 9}, printed{"العنوان", 0.88, 0.95, 0.475, 9}), usual},
		"a label of the serial":             {replaced(front(), "AB1234567", printed{"AB1234567 : مسلسل", 0.06, 0.34, 0.93, 10}), usual},
		"a title of which glare hides much": {replaced(front()[1:], "بطاقة تحقيق الشخصية", printed{"بطاقة تحقر", 0.62, 0.72, 0.17, 14}), usual},
		"a title misread, the number in it": {replaced(front()[1:], "بطاقة تحقيق الشخصية", printed{"بطاقة الرقم القوصى", 0.5, 0.95, 0.17, 14}), usual},
		"nothing":                           {nil, roles{}},
	}
	for name, test := range tests {
		p, err := sheetOf(test.lines).readFront(t.Context(), egypt.NewNameWording())
		if err != nil {
			t.Fatal(err)
		}
		got := roles{texts(p.names), texts(p.addresses), shown(p.number), shown(p.date), p.serial.text}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Names are in doubt where a line between them may have been overlooked, where they may reach into the address, and where
// they are fewer than anybody has; otherwise not.
func TestIncompleteNames(t *testing.T) {
	tests := map[string]struct {
		lines []printed
		want  bool
	}{
		"whole":                  {front(), false},
		"second line overlooked": {replaced(front(), "محمود إبراهيم حسن", printed{"محمود إبراهيم حسن", 0.6, 0.95, 0.46, 13}), true},
		"two words":              {replaced(front(), "محمود إبراهيم حسن", printed{"محمود", 0.8, 0.95, 0.39, 13}), true},
		"like both":              {replaced(front(), "12 شارع النيل", printed{"محمود الشربيني", 0.7, 0.95, 0.53, 13}), true},
	}
	for name, test := range tests {
		p, err := sheetOf(test.lines).readFront(t.Context(), egypt.NewNameWording())
		if err != nil || p.incomplete != test.want {
			t.Errorf("%s: incomplete %v, %v; names %s, addresses %s", name, p.incomplete, err, texts(p.names), texts(p.addresses))
		}
	}
}

// Property: a short line that the detector did not see, the given name or another where the names have room for one, is read where it must
// stand, in doubt.
func TestOverlookedName(t *testing.T) {
	const first, others, house, district = "فاطمة", "محمود إبراهيم حسن", "12 شارع النيل", "قسم المعادي - القاهرة"
	three := func() []printed {
		lines := replaced(front(), others, printed{"سراج", 0.85, 0.95, 0.34, 10}, printed{others, 0.5, 0.95, 0.40, 12})
		lines = replaced(lines, house, printed{house, 0.6, 0.95, 0.47, 12})
		return replaced(lines, district, printed{district, 0.5, 0.95, 0.55, 12})
	}
	const all = first + "|سراج|" + others
	centred := func() []printed {
		lines := three()
		for i, l := range lines[:len(lines)-3] { // above number, date and serial
			if l.y > 0.22 {
				lines[i].left, lines[i].right = 0.65-(l.right-l.left)/2, 0.65+(l.right-l.left)/2
			}
		}
		return lines
	}
	tests := map[string]struct {
		seen             []printed
		names, addresses string
		incomplete       bool
	}{
		"nothing":                           {front(), first + "|" + others, house + "|" + district, false},
		"the first name":                    {replaced(front(), first), first + "|" + others, house + "|" + district, true},
		"a title":                           {replaced(front(), "بطاقة تحقيق الشخصية"), first + "|" + others, house + "|" + district, false},
		"none of three":                     {three(), all, house + "|" + district, false},
		"the first of three":                {replaced(three(), first), all, house + "|" + district, true},
		"the second of three":               {replaced(three(), "سراج"), all, house + "|" + district, true},
		"the second of three in the middle": {replaced(centred(), "سراج"), all, house + "|" + district, true},
	}
	for name, test := range tests {
		s := sheetOf(front())
		switch {
		case strings.HasSuffix(name, "of three"):
			s = sheetOf(three())
		case strings.HasSuffix(name, "in the middle"):
			s = sheetOf(centred())
		}
		s.lines = linesOf(test.seen)
		s.rows = rowsOf(s.lines)
		p, err := s.readFront(t.Context(), egypt.NewNameWording())
		if err != nil || texts(p.names) != test.names || texts(p.addresses) != test.addresses || p.incomplete != test.incomplete {
			t.Errorf("%s overlooked: names %s, addresses %s, incomplete %v, %v", name, texts(p.names), texts(p.addresses), p.incomplete, err)
		}
	}
}

// Property: of what is in doubt, a line above the names that is not in line with them is none, while one without a word between two
// names is a line if it is as high as they are and in line with one; then the names stay in doubt.
func TestDoubtedLines(t *testing.T) {
	const names, others = "فاطمة|محمود إبراهيم حسن", "محمود إبراهيم حسن"
	apart := func(spot printed) []printed {
		return append(replaced(front(), others, printed{others, 0.5, 0.95, 0.43, 14}), spot)
	}
	tests := map[string]struct {
		lines      []printed
		want       string
		incomplete bool
	}{
		"below a title":       {append(front(), printed{"نقطة", 0.62, 0.66, 0.225, 7}), names, false},
		"a word in its line":  {apart(printed{"ند", 0.86, 0.95, 0.36, 13}), "فاطمة|ند|" + others, true},
		"a spot beside":       {apart(printed{"ند", 0.62, 0.66, 0.36, 13}), names, false},
		"a spot in its line":  {apart(printed{"ند", 0.91, 0.95, 0.36, 5}), names, false},
		"all is as it should": {front(), names, false},
	}
	for name, test := range tests {
		s := sheetOf(test.lines)
		whole := s.words
		s.words = func(ctx context.Context, l text.Line) (script, error) {
			w, err := whole(ctx, l)
			if len([]rune(w.text)) < 5 {
				w.confidence = 0.4
			}
			return w, err
		}
		p, err := s.readFront(t.Context(), egypt.NewNameWording())
		if err != nil || texts(p.names) != test.want || p.incomplete != test.incomplete {
			t.Errorf("%s: names %s, incomplete %v, %v", name, texts(p.names), p.incomplete, err)
		}
	}
}

// Property: what lies below the first of some lines in doubt and without a word is no line.
func TestCrumbs(t *testing.T) {
	line := func(text string, confidence float64) entry {
		return entry{script: script{text: text, confidence: confidence}}
	}
	usual := []entry{line("مى", 0.5), line("محمود حسن", 0.5), line("12 شارع النيل", 0.9), line("القاهرة", 0.9)}
	tests := map[string]struct {
		crumb entry
		want  int
	}{
		"digits":         {line("٠٠٧٠", 0.4), 4},
		"a letter":       {line("ك", 0.5), 4},
		"a sure word":    {line("مى", 0.9), 5},
		"a doubtful one": {line("حسن", 0.4), 5},
	}
	for name, test := range tests {
		if got, _ := withoutCrumbs(slices.Insert(slices.Clone(usual), 2, test.crumb)); len(got) != test.want || got[0].text != "مى" {
			t.Errorf("%s: %s", name, texts(got))
		}
	}
}

func texts(lines []entry) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.text)
	}
	return strings.Join(all, "|")
}

// Property: a front whose titles cannot be read is told by its serial with the birth date that stands in its number, wherever that is printed, or with a title that other cards have as well; by a
// serial alone it is not. A number above the names stays then, and is dropped else.
func TestSerialProves(t *testing.T) {
	untitled := replaced(replaced(replaced(front()[2:], "1900/01/01"), "20001010100014", printed{"20001010100014", 0.45, 0.95, 0.16, 15}), "AB1234567", printed{"AB1234567", 0.08, 0.24, 0.66, 12})
	for name, test := range map[string]struct {
		more printed
		want bool
	}{
		"its birth date": {printed{"1900/01/01", 0.06, 0.26, 0.72, 12}, true}, "another date": {printed{"1900/02/01", 0.06, 0.26, 0.72, 12}, false}, "a title": {printed{"جمهورية مصر العربية", 0.5, 0.95, 0.06, 14}, true},
		"alone": {printed{"", 0.9, 0.95, 0.99, 1}, false},
	} {
		s := sheetOf(append(untitled[:len(untitled):len(untitled)], test.more))
		p, err := s.readFront(t.Context(), egypt.NewNameWording())
		if err != nil || s.named != test.want || (shown(p.number) != "") != test.want {
			t.Errorf("%s: proved %v, number %q, %v", name, s.named, shown(p.number), err)
		}
	}
}

// Property: a serial is found below the portrait wherever that ends.
func TestSerialBelowThePortrait(t *testing.T) {
	for _, place := range []printed{{"AB1234567", 0.08, 0.24, 0.62, 12}, {"AB1234567", 0.08, 0.24, 0.5, 12}} {
		if got := values(read(t, appliance.NationalIDFront, replaced(front(), "AB1234567", place))); got["idKey"] != "AB1234567" {
			t.Errorf("at %.2f, %.2f: %q", place.left, place.y, got["idKey"])
		}
	}
}

// Property: a front whose titles cannot be seen is told by its serial with the birth date that stands in its number, in either order, and by no other date.
func TestShowsBirth(t *testing.T) {
	for date, want := range map[string]bool{"1900/01/01": true, "01/01/1900": true, "1900/01/02": false, "1900/01": false, "": false} {
		lines := replaced(front()[2:], "1900/01/01")
		if date != "" {
			lines = append(lines, printed{date, 0.06, 0.26, 0.84, 12})
		}
		s := sheetOf(lines)
		if _, err := s.readFront(t.Context(), egypt.NewNameWording()); err != nil || s.named != want {
			t.Errorf("%q: says what it is %v, %v", date, s.named, err)
		}
		s = sheetOf(replaced(lines, "AB1234567"))
		if _, err := s.readFront(t.Context(), egypt.NewNameWording()); err != nil || s.named {
			t.Errorf("%q without a serial: says what it is %v, %v", date, s.named, err)
		}
	}
}

// read edits the fields of a front or back as if its lines had been read in the year 2026.
func read(t *testing.T, kind appliance.Kind, lines []printed, earlier ...appliance.Document) appliance.Document {
	d := appliance.Document{Kind: kind}
	r := NewReader(kind, Tools{Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }})
	if _, err := r.readSide(t.Context(), sheetOf(lines), &d, earlier); err != nil {
		t.Fatal(err)
	}
	return d
}

// values are the fields of a document by name.
func values(d appliance.Document) map[string]string {
	out := map[string]string{}
	for _, f := range d.Fields {
		out[f.Name] = f.Value
	}
	return out
}

// codes are the codes of a document by field.
func codes(d appliance.Document) map[string][]appliance.Code {
	out := map[string][]appliance.Code{}
	for _, v := range d.Validations {
		out[v.Field] = v.Errors
	}
	return out
}

// Property: a front that was read without a fault has every field of its model in the form of the contract, and no flag.
func TestFrontFields(t *testing.T) {
	d := read(t, appliance.NationalIDFront, front())
	want := map[string]string{
		"idNumber": "20001010100014", "dateOfBirth": "1900-01-01", "govern": "القاهرة", "gender": "Male", "first_name": "فاطمة",
		"last_names": "محمود إبراهيم حسن", "name": "فاطمة محمود إبراهيم حسن", "address_1": "12 شارع النيل",
		"address_2": "قسم المعادي - القاهرة", "address": "12 شارع النيل قسم المعادي - القاهرة", "idKey": "AB1234567",
	}
	got := values(d)
	for _, f := range appliance.NationalIDFront.Model() {
		if w, ok := want[f.Name]; ok && got[f.Name] != w || got[f.Name] == "" {
			t.Errorf("%s: %q, want %q", f.Name, got[f.Name], w)
		}
	}
	if len(d.Validations) > 0 {
		t.Errorf("flags: %+v", d.Validations)
	}
}

// Property: a name in one line is parted into the first name and the others, both in doubt.
func TestNameInOneLine(t *testing.T) {
	d := read(t, appliance.NationalIDFront, replaced(replaced(front(), "فاطمة"), "محمود إبراهيم حسن", printed{"عبد الله إبراهيم حسن", 0.5, 0.95, 0.34, 14}))
	got, flags := values(d), codes(d)
	if got["first_name"] != "عبد الله" || got["last_names"] != "إبراهيم حسن" || got["name"] != "عبد الله إبراهيم حسن" {
		t.Errorf("first name %q, others %q, name %q", got["first_name"], got["last_names"], got["name"])
	}
	for _, field := range []string{"first_name", "last_names", "name"} {
		if !slices.Contains(flags[field], appliance.CodeLowConfidence) {
			t.Errorf("%s: %v", field, flags[field])
		}
	}
}

// Property: a label that is printed too small to be read with its line is known by itself, and what only looks like one stays.
func TestSmallLabel(t *testing.T) {
	labels := egypt.CardPhrasesOf(egypt.LabelName, egypt.LabelAddress)
	for line, want := range map[string]string{
		"الاسم فاطمة محمود": "فاطمة محمود", "محل الإقامة شارع النيل": "شارع النيل", "السيد فاطمة محمود": "السيد فاطمة محمود", "الاسم": "",
	} {
		for _, closely := range []int{mostLabelWords, 0} {
			s := sheetOf([]printed{{line, 0.3, 0.9, 0.3, 14}})
			well := s.words
			s.words = func(ctx context.Context, l text.Line) (script, error) {
				w, err := well(ctx, l)
				if label := strings.TrimSuffix(line, want); label != "" && want != "" && strings.HasSuffix(w.text, want) && w.text != want {
					for i := range w.symbols {
						if i >= len([]rune(asPrinted(want)))+1 && w.symbols[i].Rune != ' ' { // right of the value
							w.symbols[i].Rune = 'ن'
						}
					}
				}
				return w, err
			}
			e := entry{row: s.rows[0]}
			var err error
			if e.script, err = s.readWords(t.Context(), e.row); err != nil {
				t.Fatal(err)
			}
			found, err := s.withoutLabel(t.Context(), &e, labels, closely)
			if err != nil {
				t.Fatal(err)
			}
			if cut := e.text == want; cut != (closely > 0 || want == line || want == "") || (found != "") != (cut && want != line) {
				t.Errorf("%s, %d words closely: %q, found %q", line, closely, e.text, found)
			}
		}
	}
}

// Property: a label before a colon is one however badly it was read; a name with a colon behind it is none.
func TestLabelBeforeAColon(t *testing.T) {
	for line, want := range map[string]egypt.Label{
		"عوان الإقمة: الحرجة قبلي": egypt.LabelAddress, "بعية الاسم : جمال شحاتة": egypt.LabelName, "محمود: جمال شحاتة": "", "عوان الإقمة الحرجة": "", "": "",
	} {
		if at, ok := labelBeforeColon(strings.Fields(line), egypt.FrontPhrases()); at.Phrase.Label != want || ok != (want != "") {
			t.Errorf("%q: %+v, want %q", line, at, want)
		}
	}
}

// Property: words in Latin letters beside a line in Arabic ones are cut off, on either side and in a piece of their own; digits read as letters stay, and so does a line in
// Latin letters alone.
func TestWithoutLatin(t *testing.T) {
	for _, test := range []struct {
		lines []printed
		want  string
	}{
		{[]printed{{"محمود First Name", 0.3, 0.9, 0.3, 14}}, "محمود"},
		{[]printed{{"Address شارع النيل", 0.3, 0.9, 0.3, 14}}, "شارع النيل"},
		{[]printed{{"شارع النيل", 0.6, 0.9, 0.3, 14}, {"District", 0.3, 0.42, 0.3, 14}}, "شارع النيل"},
		{[]printed{{"سارية حتى IA-.I-r.rI", 0.3, 0.9, 0.3, 14}}, "سارية حتى IA-.I-r.rI"},
		{[]printed{{"MAHMOUD GAMAL", 0.3, 0.9, 0.3, 14}}, "MAHMOUD GAMAL"},
	} {
		s := sheetOf(test.lines)
		e := entry{row: s.rows[0]}
		var err error
		if e.script, err = s.readWords(t.Context(), e.row); err != nil {
			t.Fatal(err)
		}
		if err := s.withoutLatin(t.Context(), &e); err != nil || e.text != test.want {
			t.Errorf("%v: %q, %v; want %q", test.lines, e.text, err, test.want)
		}
	}
}

// Property: a number that only the reader of words sees is one if it keeps the rules, in doubt; what is no number under them is none.
func TestReadSpelled(t *testing.T) {
	for line, want := range map[string]bool{"28907081520879": true, "28913081520879": false, "2890708152087": false, "محمود جمال": false} {
		s := sheetOf([]printed{{line, 0.3, 0.9, 0.3, 14}})
		d, err := s.readSpelled(t.Context(), s.rows[0])
		if err != nil || (d.number != nil) != want || want && math.Exp(d.number.LogLength(egypt.NumberLength)) > eitherDate+1e-9 {
			t.Errorf("%q: %+v, %v", line, d, err)
		}
	}
}

// Property: a date before a number ends after its day or its year, if the digits of a number are left.
func TestEndOfDate(t *testing.T) {
	for shown, want := range map[string]int{"04/202326301293154366": 7, "2024/01/0526301293154366": 10, "04/2023263012931543": -1, "26301293154366": -1} {
		var f sure
		for i, r := range shown {
			f = append(f, text.Symbol{Rune: r, Prob: 1, Start: float64(i) / float64(len(shown)), End: float64(i+1) / float64(len(shown))})
		}
		share, ok := endOfDate(f)
		if ok != (want >= 0) || ok && math.Abs(share*float64(len(shown))-float64(want)) > 0.01 {
			t.Errorf("%s: after %.2f, %v; want %d", shown, share*float64(len(shown)), ok, want)
		}
	}
}

// Property: what stands between the label of a name and its dash is part of the label, however it was read; between that of an address and a dash stands a house.
func TestLabelUpToItsDash(t *testing.T) {
	labels := egypt.CardPhrasesOf(egypt.LabelName, egypt.LabelAddress)
	for line, want := range map[string]string{"الاسم مبالكامل - فاطمة محمود": "فاطمة محمود", "العنوان 12 - شارع النيل": "12 - شارع النيل"} {
		s := sheetOf([]printed{{line, 0.3, 0.9, 0.3, 14}})
		e := entry{row: s.rows[0]}
		var err error
		if e.script, err = s.readWords(t.Context(), e.row); err != nil {
			t.Fatal(err)
		}
		if _, err := s.withoutLabel(t.Context(), &e, labels, 0); err != nil || e.text != want {
			t.Errorf("%s: %q, %v", line, e.text, err)
		}
	}
}

// Property: an address in one line is told from one whose second line was not seen, though streets are called by places.
func TestAddressInOneLine(t *testing.T) {
	for line, want := range map[string][2]bool{
		"12 شارع النيل قسم المعادي - القاهرة": {true, true}, "قرية سنديون مركز قليوب القليوبية": {true, false},
		"شارع جسر السويس": {false, false}, "12 شارع الجيزة": {false, false}, "قسم المعادي - القاهرة": {false, false}, "12 شارع النيل": {false, false},
	} {
		if whole, parted := inOneLine(line); whole != want[0] || parted != want[1] {
			t.Errorf("%s: %t, %t", line, whole, parted)
		}
	}
	d := read(t, appliance.NationalIDFront, replaced(replaced(front(), "12 شارع النيل"), "قسم المعادي - القاهرة", printed{"12 شارع النيل قسم المعادي - القاهرة", 0.4, 0.95, 0.55, 13}))
	if got := values(d); got["address_1"] != "12 شارع النيل قسم المعادي - القاهرة" || got["address_2"] != "" || got["address"] != got["address_1"] || len(codes(d)["address"]) > 0 {
		t.Errorf("%q, %v", got, codes(d))
	}
}

// Property: every doubt about a document has its code on the field that it is about.
func TestCodes(t *testing.T) {
	front := front
	tests := map[string]struct {
		kind  appliance.Kind
		lines []printed
		want  map[string][]appliance.Code
	}{
		"birth date differs": {
			appliance.NationalIDFront, replaced(front(), "1900/01/01", printed{"1985/07/23", 0.08, 0.28, 0.83, 12}),
			map[string][]appliance.Code{"dateOfBirth": {appliance.CodeBirthMismatch}},
		},
		"no governorate": {
			appliance.NationalIDFront, replaced(front(), "20001010100014", printed{"20001012000014", 0.42, 0.94, 0.84, 20}),
			map[string][]appliance.Code{
				"idNumber": {appliance.CodeGovernorate, appliance.CodeCheckDigit, appliance.CodeLowConfidence},
				"govern":   {appliance.CodeUnreadable}, "dateOfBirth": {appliance.CodeLowConfidence}, "gender": {appliance.CodeLowConfidence},
			},
		},
		"serial of another form": {
			appliance.NationalIDFront, replaced(front(), "AB1234567", printed{"A12345678", 0.07, 0.27, 0.93, 10}),
			map[string][]appliance.Code{"idKey": {appliance.CodeIDKey}},
		},
		"titles hidden, and a given name perhaps": {appliance.NationalIDFront, replaced(replaced(front(), "جمهورية مصر العربية"), "بطاقة تحقيق الشخصية"), map[string][]appliance.Code{
			"name": {appliance.CodeLowConfidence}, "first_name": {appliance.CodeLowConfidence}, "first_name_english": {appliance.CodeLowConfidence},
			"last_names": {appliance.CodeLowConfidence}, "last_names_english": {appliance.CodeLowConfidence},
		}},
		"governorate cut short": {
			appliance.NationalIDFront, replaced(front(), "قسم المعادي - القاهرة", printed{"قسم المعادي - القاهر", 0.50, 0.95, 0.63, 13}),
			map[string][]appliance.Code{"address": {appliance.CodeLowConfidence}, "address_2": {appliance.CodeLowConfidence}},
		},
		"no century": {
			appliance.NationalIDFront, replaced(front(), "20001010100014", printed{"90001010100014", 0.42, 0.94, 0.84, 20}),
			map[string][]appliance.Code{
				"idNumber": {appliance.CodeIDNumber, appliance.CodeCheckDigit, appliance.CodeLowConfidence},
				"govern":   {appliance.CodeLowConfidence}, "dateOfBirth": {appliance.CodeLowConfidence}, "gender": {appliance.CodeLowConfidence},
			},
		},
		"no day of birth": {
			appliance.NationalIDFront, replaced(front(), "20001010100014", printed{"20002310100014", 0.42, 0.94, 0.84, 20}),
			map[string][]appliance.Code{"idNumber": {appliance.CodeBirthDate, appliance.CodeCheckDigit}, "dateOfBirth": {appliance.CodeLowConfidence}},
		},
		"number gone, birth date from its day": {
			appliance.NationalIDFront, replaced(replaced(front(), "20001010100014"), "1900/01/01", printed{"01/01/1900", 0.08, 0.28, 0.83, 12}),
			map[string][]appliance.Code{
				"idNumber": {appliance.CodeUnreadable}, "dateOfBirth": {appliance.CodeBirthFormat, appliance.CodeLowConfidence},
				"govern": {appliance.CodeUnreadable}, "gender": {appliance.CodeUnreadable},
			},
		},
		"number gone": {appliance.NationalIDFront, replaced(front(), "20001010100014"), map[string][]appliance.Code{
			"idNumber": {appliance.CodeUnreadable}, "dateOfBirth": {appliance.CodeLowConfidence}, "govern": {appliance.CodeUnreadable}, "gender": {appliance.CodeUnreadable},
		}},
	}
	for name, test := range tests {
		if diff := cmp.Diff(test.want, codes(read(t, test.kind, test.lines))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A serial is read as two letters and seven digits, as surely as its form fits the line; clear digits in the place of its letters
// are returned as they are.
func TestFormedSerial(t *testing.T) {
	for name, c := range map[string]struct {
		usual, any egypt.Formed
		value      string
		least      float64
		most       float64
	}{
		"clear":          {egypt.Formed{Text: "AB1234567", Share: 0.99, Fits: 0.95}, egypt.Formed{Text: "AB1234567", Share: 0.98, Fits: 0.96}, "AB1234567", 0.96, 0.99},
		"O or 0":         {egypt.Formed{Text: "AO1234567", Share: 0.98, Fits: 0.5}, egypt.Formed{Text: "AO1234567", Share: 0.5, Fits: 0.98}, "AO1234567", 0.6, 0.8},
		"clearly 0":      {egypt.Formed{Text: "AO1234567", Share: 0.98, Fits: 1e-4}, egypt.Formed{Text: "A01234567", Share: 0.99, Fits: 0.97}, "A01234567", 0.95, 0.99},
		"another length": {egypt.Formed{Text: "AB1234567", Share: 0.6, Fits: 1e-3}, egypt.Formed{Text: "AB1234567", Share: 0.6, Fits: 1e-3}, "AB1234567", 0, 0.3},
		"no room":        {egypt.Formed{}, egypt.Formed{}, "", 0, 0},
	} {
		got, sure := egypt.DecodeIDKey(func(f egypt.Form) egypt.Formed {
			if strings.Contains(f[0], "0") {
				return c.any
			}
			return c.usual
		})
		if got != c.value || sure < c.least || sure > c.most {
			t.Errorf("%s: %q, %.3f", name, got, sure)
		}
	}
}

// Property: what shows next to nothing is looked at in other heights until it is read, what is merely doubtful a little smaller
// and larger, and what is sure not again.
func TestLooks(t *testing.T) {
	for name, test := range map[string]struct {
		seen, best float64 // height at which the line is said to be, as a share of the text's own; confidence at that
		looks      int
		text       string
	}{
		"sure": {1, 0.9, 1, "read"}, "seen too low": {0.85, 0.9, 3, "read"}, "seen at two thirds": {0.7, 0.9, 4, "read"}, "seen too high": {1.4, 0.9, 5, "read"},
		"doubtful": {1, 0.5, 3, "read"}, "nothing": {3, 0.9, 5, "misread"},
	} {
		looks := 0
		s := &sheet{level: asSeen, words: func(_ context.Context, l text.Line) (script, error) {
			if looks++; math.Abs(l.Height/wordsHigher/20-1) > 0.05 {
				return script{text: "misread", confidence: 0.01}, nil
			}
			return script{text: "read", confidence: test.best}, nil
		}}
		r := row{piece{text.Line{End: appliance.Point{X: 100}, Height: 20 * test.seen}}}
		w, err := s.readWords(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		e := entry{r, w}
		if err := s.readFurther(t.Context(), &e); err != nil || e.text != test.text || looks != test.looks {
			t.Errorf("%s: %q after %d looks, %v; want %q after %d", name, e.text, looks, err, test.text, test.looks)
		}
	}
}

// hopeless are figures of which no count of digits is possible.
type hopeless struct{ figures }

func (hopeless) LogLength(int) float64 { return math.Inf(-1) }

// Property: a line of digits alone is a date where signs part these, dots too, or where they are those of a day of the last hundred years or of this.
func TestOnlyDate(t *testing.T) {
	for line, want := range map[string]bool{
		"2000/01/02": true, "١٩٩٣.٠٤.٢٤": true, "١٩٩٣ ٠٤٢٤": true, "24 04 1993": true, "1993 1324": false, "1893 0424": false, "12 شارع 1993/04/24": false, "2021": false, "": false,
	} {
		if got := (entry{script: script{text: line}}).onlyDate(); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: two dates beside each other are no number, though they have as many digits and keep its rules; a number in groups is one.
func TestLikeNumber(t *testing.T) {
	for shown, want := range map[string]bool{"2030/12/132023/12/": false, "13/12/2030 2023/12": false, "2030 - 12 - 13 2023 - 1": false, "2 570930 19 00752": true, "257-0930-190-0752": true, "2-611026-13-1828-6": true, "20001010100022": true, "2023/12": false} {
		var f sure
		for _, r := range shown {
			f = append(f, text.Symbol{Rune: r})
		}
		if got := likeNumber(f); got != want {
			t.Errorf("%q: %v", shown, got)
		}
	}
}

// Property: rows in which the network sees no possible count of digits are no number, and the rest is read.
func TestNoPossibleNumber(t *testing.T) {
	s := sheetOf(front())
	read := s.digits
	s.digits = func(ctx context.Context, l text.Line) (figures, error) {
		f, err := read(ctx, l)
		return hopeless{f}, err
	}
	p, err := s.readFront(t.Context(), egypt.NewNameWording())
	if err != nil || p.number != nil || texts(p.names) != "فاطمة|محمود إبراهيم حسن" {
		t.Errorf("number %s, names %s, %v", shown(p.number), texts(p.names), err)
	}
}

// A number of which the detector saw only the end is read whole, and that the date beside it cannot be read does not speak against it.
func TestStretchedNumberBesideABadDate(t *testing.T) {
	date := printed{"202/5", 0.1, 0.2, 0.1, 12}
	number := printed{"30110303599849", 0.4, 0.95, 0.1, 14}
	s := sheetOf([]printed{date, number})
	d, err := s.readStretched(context.Background(), row{{date.line()}, {cut(number.line(), 0.7, 1)}})
	if err != nil || d.number.Text() != number.text || d.date != nil || d.merit() <= certain {
		t.Errorf("number %q, date %v, merit %.2f, %v", d.number.Text(), d.date, d.merit(), err)
	}
}

// Property: digits that may be a date are looked at again, a serial and a place without any are not.
func TestSeekDateLooksOnce(t *testing.T) {
	for shown, want := range map[string]bool{"2013/10": true, "201310": true, "06479340": false, "": false} {
		looks := 0
		s := sheetOf(nil)
		s.digits = func(context.Context, text.Line) (figures, error) {
			looks++
			var signs sure
			for i, r := range shown {
				signs = append(signs, text.Symbol{Rune: r, Prob: 1, Start: float64(i) / 10, End: float64(i)/10 + 0.08})
			}
			return unsure{signs}, nil
		}
		l := text.Line{Start: appliance.Point{X: 20, Y: 200}, End: appliance.Point{X: 160, Y: 200}, Height: 12}
		if _, _, err := s.seekDate(t.Context(), []text.Line{l}, dateDigits); err != nil || (looks > 1) != want {
			t.Errorf("%q: %d looks, %v", shown, looks, err)
		}
	}
}

// unsure are digits whose count is in doubt.
type unsure struct{ sure }

// LogLength is as for even odds.
func (unsure) LogLength(int) float64 { return -0.7 }

// Property: a card of which the number was surely read is not taken for one in a mirror, whatever the rest of it looks like; a licence is not judged so.
func TestNumberReadLiesSo(t *testing.T) {
	numbered := func(kind appliance.Kind, name string, confidence float64) bool {
		return attempt{Document: appliance.Document{Kind: kind, Fields: []appliance.Field{{Name: name, Value: "28710011902343", Confidence: confidence}}}}.numberRead()
	}
	got := []bool{numbered(appliance.NationalIDBack, "idNumber", 0.99), numbered(appliance.NationalIDBack, "idNumber", 0.4), numbered(appliance.DrivingLicense, "nationalID", 0.99)}
	if want := []bool{true, false, false}; !slices.Equal(got, want) {
		t.Errorf("the number says how the card lies: %v, want %v", got, want)
	}
}

// impossible are digits of a line that is too short for a national number.
type impossible struct{ sure }

func (impossible) LogLength(int) float64 { return math.Inf(-1) }

// Property: of a card on which only a stump of its number can be seen the number is missing and flagged, and the rest is read.
func TestStumpOfANumber(t *testing.T) {
	for kind, name := range map[appliance.Kind]string{appliance.NationalIDFront: "idNumber"} {
		s := sheetOf([]printed{{"2900101", 0.5, 0.56, 0.16, 8}, {"2021/05", 0.10, 0.24, 0.26, 13}, {"مهندسة مدني", 0.60, 0.86, 0.36, 13}})
		digits := s.digits
		s.digits = func(ctx context.Context, l text.Line) (figures, error) {
			f, err := digits(ctx, l)
			if f == nil || err != nil {
				return f, err
			}
			return impossible{f.(sure)}, nil
		}
		d := appliance.Document{Kind: kind}
		r := NewReader(kind, Tools{Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }})
		if _, err := r.readSide(t.Context(), s, &d, nil); err != nil {
			t.Fatal(err)
		}
		if got := d.Field(name).Value; got != "" || !flagged(d, name) {
			t.Errorf("%s: the number is %q, flagged %v", kind, got, flagged(d, name))
		}
	}
}

// Property: the words at the end of a line are a label by themselves or with a scrap of the word beside it, not with a word.
func TestLabelAlone(t *testing.T) {
	labels := egypt.CardPhrasesOf(egypt.LabelName, egypt.LabelAddress)
	for line, want := range map[string]bool{"الاسم": true, "الاسم ش": true, "العنوان: ٨": true, "محل الإقامة": true, "الاسم شيرين": false, "شيرين": false, "كريم ع": false} {
		var words []word
		for _, text := range strings.Fields(line) {
			words = append(words, word{text: text})
		}
		if _, got := labelAlone(words, labels); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}

// Property: a serial level with the number is not taken for a part of it, whether the detector saw the two as one piece or as two of a row.
func TestSerialBesideTheNumber(t *testing.T) {
	piece := func(left, right float64) piece {
		return piece{text.Line{Start: appliance.Point{X: left, Y: 280}, End: appliance.Point{X: right, Y: 280}, Height: 12}}
	}
	signs := sure{}
	for i := range egypt.NumberLength {
		signs = append(signs, text.Symbol{Rune: '2', Prob: 1, Start: 0.4 + 0.04*float64(i), End: 0.43 + 0.04*float64(i)})
	}
	whole := piece(20, 480)
	d := &datedNumber{numberRow: row{piece(20, 120), piece(200, 480)}, number: signs, line: whole.Line}
	if d.holds(piece(20, 120)) || !d.holds(piece(200, 480)) {
		t.Errorf("the serial is held %t, the number %t", d.holds(piece(20, 120)), d.holds(piece(200, 480)))
	}
	if left := whole.leftOfNumber(d); d.holds(left) || left.End.X > 204 || left.End.X < 180 {
		t.Errorf("left of the number: %+v", left)
	}
	if same := piece(200, 480); same.leftOfNumber(d) != same {
		t.Errorf("the number alone was cut: %+v", same.leftOfNumber(d))
	}
}

// Property: a serial right of the number and its label is found there, where the detector saw the three as one; without it nothing is.
func TestSerialBehindTheNumber(t *testing.T) {
	for printedRow, want := range map[string]string{"AB1234567 الرقم القومي 20001010100014": "AB1234567", "القومي 20001010100014": ""} {
		whole := printed{printedRow, 0.10, 0.90, 0.90, 13}
		s := sheetOf([]printed{whole})
		long, signs := float64(len([]rune(printedRow))), sure{}
		for i := range egypt.NumberLength {
			signs = append(signs, text.Symbol{Rune: '2', Prob: 1, Start: float64(i) / long, End: float64(i+1) / long})
		}
		d := &datedNumber{numberRow: s.rows[0], number: signs, line: whole.line()}
		rows, err := s.behindNumber(t.Context(), d)
		if err != nil || len(rows) > 1 || (len(rows) == 1) != (want != "") {
			t.Fatalf("%s: %v, %v", printedRow, rows, err)
		}
		if len(rows) == 1 {
			if w, err := s.readWords(t.Context(), rows[0]); err != nil || w.text != want {
				t.Errorf("%s: %q, %v", printedRow, w.text, err)
			}
		}
	}
}

// Property: dates are no part of an address.
func TestAddressWithoutDates(t *testing.T) {
	for address, want := range map[string]string{"مركز اجا - الدقهلية ١٩٧١/٠٤/١٤": "مركز اجا - الدقهلية", "12 شارع 26 يوليو": "12 شارع 26 يوليو", "": ""} {
		if got, dated := withoutDates(address); got != want || dated != (address != want) {
			t.Errorf("%q: %q, %t", address, got, dated)
		}
	}
}

// Property: a title says that a card is one of identity by words that other cards of the state do not have, also with a letter misread.
func TestOfIdentity(t *testing.T) {
	for title, want := range map[string]bool{
		"بطاقة تحقيق الشخصية": true, "بطاقة تحقبق الشخصيه": true, "بطاقة شخصية": true, "بطاقة الرقم القومي": true, "اسم صاحب الرخصة": false, "الرقم القومي": false, "جمهورية مصر العربية": false, "بطاقة تموين الأسرة": false, "وزارة الداخلية": false, "وزارة الداخلية - قطاع الأحوال المدنية": false, "": false,
		"البطاقة القومية": true, "هوية وطنية": true, "بطاقة الهوية الوطنية": true, "هوية المواطن": true, "بطاقة وطنية": false,
	} {
		if want && !isTitle(title) {
			t.Errorf("%q is no title", title)
		}
		if isTitle(title) && ofIdentity(title) != want {
			t.Errorf("%q: of identity %v", title, !want)
		}
	}
}

// Property: a number among the lines of a front whose titles cannot be seen, and that shows no serial, is in doubt with all that follows from it where labels say what is what, and is not returned where none does.
func TestNumberWithoutTitles(t *testing.T) {
	lines := func(address string) []printed {
		return []printed{
			{"فاطمة", 0.80, 0.95, 0.29, 14},
			{"محمود إبراهيم حسن", 0.50, 0.95, 0.37, 14},
			{address, 0.50, 0.95, 0.45, 13},
			{"قسم المعادي - القاهرة", 0.50, 0.95, 0.53, 13},
			{"20001010100014", 0.42, 0.94, 0.61, 20},
			{"1900/01/01", 0.08, 0.28, 0.83, 12},
		}
	}
	for address, want := range map[string]string{"العنوان : 12 شارع النيل": "20001010100014", "12 شارع النيل": ""} {
		d := read(t, appliance.NationalIDFront, lines(address))
		if got := d.Field("idNumber").Value; got != want || !flagged(d, "idNumber") || want != "" && (!flagged(d, "gender") || !flagged(d, "govern")) {
			t.Errorf("%s: number %q, codes %v", address, got, codes(d))
		}
	}
}

// Property: the label of a number that stands above the names is none of them, though it stands where a first line might.
func TestLabelOfANumberAboveTheNames(t *testing.T) {
	d := read(t, appliance.NationalIDFront, []printed{
		{"جمهورية مصر العربية", 0.35, 0.65, 0.06, 14},
		{"بطاقة تحقيق الشخصية", 0.35, 0.65, 0.15, 14},
		{"20001010100014", 0.40, 0.76, 0.31, 16},
		{"الرقم القومي", 0.78, 0.95, 0.31, 14},
		{"فاطمة", 0.80, 0.95, 0.43, 14},
		{"محمود إبراهيم حسن", 0.50, 0.95, 0.54, 14},
		{"12 شارع النيل", 0.50, 0.95, 0.65, 13},
		{"قسم المعادي - القاهرة", 0.50, 0.95, 0.77, 13},
		{"AB1234567", 0.07, 0.27, 0.95, 10},
	})
	if got := values(d); got["name"] != "فاطمة محمود إبراهيم حسن" || got["idNumber"] != "20001010100014" {
		t.Errorf("name %q, number %q", got["name"], got["idNumber"])
	}
}

// Property: a card of identity says so in either of its titles; a number beside other text in a row where none is expected is found, and one that breaks the rules is no line of the address.
func TestUnusualFronts(t *testing.T) {
	lines := []printed{
		{"بطاقة تحقيق الشخصية", 0.35, 0.65, 0.06, 14},
		{"جمهورية مصر العربية", 0.35, 0.65, 0.15, 12},
		{"فاطمة", 0.74, 0.82, 0.26, 14},
		{"محمود إبراهيم حسن", 0.50, 0.82, 0.35, 14},
		{"12 شارع النيل", 0.60, 0.82, 0.44, 13},
		{"قسم المعادي - القاهرة", 0.50, 0.82, 0.53, 13},
		{"رقم قومي", 0.86, 0.95, 0.62, 13},
		{"20001010100014", 0.50, 0.82, 0.62, 15},
		{"1900/01/01", 0.08, 0.24, 0.62, 12},
	}
	for number, want := range map[string]string{"20001010100014": "20001010100014", "99999999999999": ""} {
		s := sheetOf(replaced(slices.Clone(lines), "20001010100014", printed{number, 0.50, 0.82, 0.62, 15}))
		p, err := s.readFront(t.Context(), egypt.NewNameWording())
		if err != nil || !s.named || shown(p.number) != want || texts(p.names) != "فاطمة|محمود إبراهيم حسن" || texts(p.addresses) != "12 شارع النيل|قسم المعادي - القاهرة" {
			t.Errorf("%s: named %v, number %q, names %s, address %s, %v", number, s.named, shown(p.number), texts(p.names), texts(p.addresses), err)
		}
	}
}

// Property: where the number is covered, the serial is none, and the printed birth date is returned in doubt.
func TestCoveredNumber(t *testing.T) {
	d := read(t, appliance.NationalIDFront, replaced(front(), "20001010100014"))
	if got := values(d); got["idNumber"] != "" || got["idKey"] != "AB1234567" || got["dateOfBirth"] != "1900-01-01" || !slices.Contains(codes(d)["dateOfBirth"], appliance.CodeLowConfidence) {
		t.Errorf("%v, %v", got, codes(d))
	}
}

// Property: where the outline of a front leaves out the titles, the line that stands there is read: its label says that it is the name's.
func TestTitlesLeftOut(t *testing.T) {
	rest := []printed{{"محمود إبراهيم حسن", 0.50, 0.82, 0.22, 14}, {"12 شارع النيل", 0.60, 0.82, 0.34, 13}, {"قسم المعادي - القاهرة", 0.50, 0.82, 0.45, 13}, {"20001010100014", 0.45, 0.82, 0.67, 16}}
	s := sheetOf(append([]printed{{"الاسم / فاطمة", 0.70, 0.95, 0.11, 14}}, rest...))
	p, err := s.readFront(t.Context(), egypt.NewNameWording())
	if err != nil || texts(p.names) != "فاطمة|محمود إبراهيم حسن" || texts(p.addresses) != "12 شارع النيل|قسم المعادي - القاهرة" {
		t.Errorf("names %s, address %s, %v", texts(p.names), texts(p.addresses), err)
	}
}

// Property: a title on a dark band, of which nothing is read where the detector sees it, is read lower than that and a little further up.
func TestTitleOnABand(t *testing.T) {
	lines := replaced(replaced(front(), "جمهورية مصر العربية", printed{"وزارة الداخلية - قطاع الأحوال المدنية", 0.30, 0.70, 0.06, 13}), "بطاقة تحقيق الشخصية", printed{"بطاقة الرقم القومي", 0.40, 0.60, 0.13, 12})
	s := sheetOf(lines)
	anywhere := s.words
	s.words = func(ctx context.Context, l text.Line) (script, error) {
		w, err := anywhere(ctx, l)
		if strings.HasPrefix(w.text, "بطاقة") && (l.Height > 10 || l.Start.Y >= 0.13*viewHeight) {
			w.text, w.confidence = "لظاشم", 1e-5
		}
		return w, err
	}
	if named, _, err := s.readUppermost(t.Context()); err != nil || !named {
		t.Errorf("named %v, %v", named, err)
	}
}

// Property: a line of an address is no name, though the label of its place stands below it or the label above it was overlooked; nor is a line that calls the card one.
func TestNamesEndAtTheAddress(t *testing.T) {
	for name, test := range map[string]struct{ title, label string }{"the label of the place": {"بطاقة تحقيق الشخصية", "المركز والمحافظة"}, "another title": {"بطاقة مواطن", "الجهة"}} {
		s := sheetOf([]printed{
			{"جمهورية مصر العربية", 0.65, 0.95, 0.06, 14},
			{test.title, 0.70, 0.95, 0.15, 14},
			{"فاطمة", 0.80, 0.95, 0.27, 14},
			{"محمود إبراهيم حسن", 0.50, 0.95, 0.38, 14},
			{"12 شارع النيل", 0.60, 0.95, 0.50, 14},
			{test.label, 0.78, 0.95, 0.57, 9},
			{"قسم المعادي - القاهرة", 0.50, 0.95, 0.65, 14},
			{"20001010100014", 0.42, 0.94, 0.82, 18},
			{"AB1234567", 0.07, 0.27, 0.95, 10},
		})
		p, err := s.readFront(t.Context(), egypt.NewNameWording())
		if err != nil || texts(p.names) != "فاطمة|محمود إبراهيم حسن" || texts(p.addresses) != "12 شارع النيل|قسم المعادي - القاهرة" {
			t.Errorf("%s: names %s, address %s, %v", name, texts(p.names), texts(p.addresses), err)
		}
	}
}

// Property: a serial is one whatever the sign of a label at its ends, and nothing else is as like one.
func TestSerialLike(t *testing.T) {
	for line, want := range map[string]bool{"AB1234567": true, "AB 1234567": true, "AB1234567.": true, ": AB1234567": true, "AB123456": false, "A81234567": false, "20001010100014": false, "": false} {
		if got := serialLike(line); (got == 1) != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: the number is found below longer rows of two pieces, as on a card in two languages.
func TestNumberBelowLongerRows(t *testing.T) {
	var lines []printed
	for i, y := range []float64{0.62, 0.68, 0.74, 0.80} {
		lines = append(lines, printed{"Address", 0.05, 0.20 + 0.01*float64(i), y, 9}, printed{"العنوان", 0.86, 0.96, y, 9})
	}
	lines = append(lines, printed{"20001010100014", 0.55, 0.95, 0.88, 16})
	d, _, err := sheetOf(lines).numberRowOf(t.Context(), 0.6, 1)
	if err != nil || shown(d.number) != "20001010100014" {
		t.Errorf("%q, %v", shown(d.number), err)
	}
}

// doubted are digits that are looked at again, since their count is not sure.
type doubted struct{ figures }

func (d doubted) LogLength(n int) float64 { return d.figures.LogLength(n) - 0.1 }

// Property: the work that a picture may cost can end at any inference of a side, and that is what its reading says then.
func TestWorkEndsAnywhere(t *testing.T) {
	for kind, print := range map[appliance.Kind][]printed{appliance.NationalIDFront: front()} {
		r := NewReader(kind, Tools{Now: func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }})
		for most := 0; ; most++ {
			s, left := sheetOf(print), most
			spend := func() error {
				if left--; left < 0 {
					return inference.ErrBudget
				}
				return nil
			}
			words, digits, level := s.words, s.digits, s.level
			s.words = func(ctx context.Context, l text.Line) (script, error) {
				if err := spend(); err != nil {
					return script{}, err
				}
				return words(ctx, l)
			}
			s.digits = func(ctx context.Context, l text.Line) (figures, error) {
				if err := spend(); err != nil {
					return nil, err
				}
				f, err := digits(ctx, l)
				return doubted{f}, err
			}
			s.level = func(ctx context.Context, l text.Line) (text.Line, error) {
				if err := spend(); err != nil {
					return l, err
				}
				return level(ctx, l)
			}
			_, err := r.readSide(t.Context(), s, &appliance.Document{Kind: kind}, nil)
			if err == nil {
				if most < 10 {
					t.Errorf("%s: read with %d inferences", kind, most)
				}
				break
			}
			if !errors.Is(err, inference.ErrBudget) {
				t.Fatalf("%s: ended after %d inferences: %v", kind, most, err)
			}
		}
	}
}
