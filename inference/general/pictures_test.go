package general

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// readGeneral reads a drawn picture of testdata.
func readGeneral(t *testing.T, g *Reader, file string) []appliance.Line {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := decode.Decoder{MaxBytes: 1 << 20, MaxPixels: 1 << 20, MinSide: 16}.Decode(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Read(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Lines
}

// Property: numbers with separators, wide ones too, in Persian digits whose zero is an open circle, in boxes that touch or stand apart, on
// a rule with teeth and with their digits set apart are read with the right value, alone, below a label and behind a word, words drawn out
// by long strokes are whole, letters under vowel signs are read, which make their line seem higher, a sign that looks like dots is none,
// signs above a line are no line of their own, nor is a part of the line with them, which a look from further away takes for a larger one,
// and a letter that stands above the next one is read though all others are clear.
func TestPrintedText(t *testing.T) {
	g := newReader(t)
	for file, want := range map[string][]string{
		"boxed.png":       {"٢٩٠٠١٠١١٢٣٤٥٦٧"},
		"boxed_label.png": {"رقم الملف المدني", "٣٠٤١٢٣٤٥"},
		"boxes_rows.png": {
			"رقم الملف المدني", "٢٩١٤١٧٧٧٦٣١٧٠٦", "رقم القضية", "٦٩٠٧٤٣٩١٥٠٠٠٨٠",
			"رقم الحساب", "٦٣٦٠٨٣٧٧٨٣٥٣٣٧", "رقم العقد", "٤٠٦٨١٢٤١٥٨٦٨٣٤",
			"رقم الهاتف", "٤٩٧٨٦٩٠٧٣٦٦٢٥٨", "رقم السجل", "٥١٧٨١٢٨٦٥٧٠٧٠٤",
		},
		"boxes_apart.png": {"666723009"},
		"boxes_word.png":  {"كود العميل ٠٠٥٥٨٩١"},
		"comb.png":        {"٠١٥٩٢١٩٥٠٢٣"},
		"stops_wide.png":  {"بتاريخ ٠٦.٠٩.٢٠٢١"}, // whose stops could be dirt between digits that stand apart
		"apart_label.png": {"رقم الملف", "٣٦٨١٩٥٨٠٦٠٥"},
		"apart_word.png":  {"الرقم ٣٦٠٤٧٨٠٩", "رقم الملف ٧٢٥٠٦١"},
		"dashes.png":      {"الجلسة في ٢٢-٠٢-٢٠٢٤", "رقم ١٤-٠٢ من ٠٢-١٤", "الوزن ٧.٠٥ كجم", "المادة ٢.١.٤"},
		"drawn_out.png":   {"تجديد رخصة المحل", "مكتب بريد المحطة", "سداد قيمة المخالفات"},
		"tatweel.png":     {"مرضى القلب", "نقضاء الحكم", "محفظة النقود", "الأعلام المرفوعة"},
		"vowelled.png": {
			"سافر محمد إلى القاهرة بالقطار", "فلا بد أن يستجيب القدر", "على قدر أهل العزم تأتي العزائم", "قفا نبك من ذكرى حبيب ومنزل",
		},
		"vowelled_square.png": {"القناعة كنز لا يفنى", "لكل مقام مقال", "أنت تريد وأنا أريد", "وتأتي على قدر الكرام المكارم"},
		"fallen.png":          {"حسن الخلق يوجب المودة", "رأس الحكمة مخافة الله"},
		"fallen_low.png":      {"خير الأمور أوسطها", "لا يلدغ المؤمن مرتين"},
		"larger.png":          {"خير الأمور أوسطها", "رب ضارة نافعة"},
		"bare.png":            {"إذا تم العقل نقص الكلام", "ذهبت الأم إلى السوق"},
		"overlooked.png":      {"محكمة المحلة", "نادي المحافظة"},
		"vowelled_looks.png":  {"ما كل ما يتمنى المرء يدركه"},
		"persian.png":         {"المبلغ المستحق ٥٠٠٠ جنيه", "رقم الهاتف ٠١٥٦٤٥٠٥٠٩٣", "الفاتورة ٤٦٠٠ بتاريخ"},
		"stops_alone.png":     {"الوزن ٨.٦٥ كجم", "قيمة القسط ٩.٤٥ جنيه"}, // no zero beside which they stand lower
		"stop_overlooked.png": {"الوزن ٨.٥ كجم", "قيمة القسط ٧.٩ جنيه"},   // by the reader of lines, surely
		"separators.png":      {"ثمن القطعة ٤٦.٤٠ جنيه", "البند ١.٧ من العقد", "حرر في ٠٦.١١.٢٠١٥ بمعرفتنا", "القيمة ٣٠،١٩ جنيه"},
	} {
		var got []string
		for _, l := range readGeneral(t, g, file) {
			got = append(got, l.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// Property: a sign far smaller than the lines about it, as vowel signs that are read as a digit, carries the code of a field read with low
// confidence, and the lines do not.
func TestStraySigns(t *testing.T) {
	printed := []string{"خير الأمور الوسط", "الصبر مفتاح الفرج"}
	lines := readGeneral(t, newReader(t), "stray.png")
	for _, l := range lines {
		if (l.Code == 0) != slices.Contains(printed, l.Text) {
			t.Errorf("%q has the code %d", l.Text, l.Code)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d lines: the sign is not seen, and nothing is tested", len(lines))
	}
}

// Property: small text and text with vowel signs is right, or carries the code of a field read with low confidence.
func TestDoubtfulLines(t *testing.T) {
	g := newReader(t)
	value := strings.NewReplacer(",", ".", "،", ".") // in a few pixels a full stop looks like a comma; the number is the same
	for file, want := range map[string][]string{
		"small.png":  {"سعر الوحدة ١٢.٥٠ جنيه", "موعد الجلسة القادمة ١٤:٣٠", "قسم الحسابات العامة", "الوزن الصافي ٠.٧٥", "إيصال استلام نقدية"},
		"vowels.png": {"السكوت علامة الرضا", "كل إناء بما فيه ينضح"},
	} {
		lines := readGeneral(t, g, file)
		if len(lines) != len(want) {
			t.Errorf("%s: %d lines, want %d", file, len(lines), len(want))
		}
		for _, l := range lines {
			if !slices.Contains(want, value.Replace(l.Text)) && l.Code == 0 {
				t.Errorf("%s: %q is wrong without a code, sure by %.2f", file, l.Text, l.Confidence)
			}
		}
	}
}

// Property: a sheet of hundreds of small numbers is read, although a first look takes its columns for lines and shows no sense; what is not
// read carries a code.
func TestSheetOfFigures(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "figures.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for n := range strings.FieldsSeq(string(b)) {
		want[n]++
	}
	right, told, silent := 0, 0, 0
	for _, l := range readGeneral(t, newReader(t), "figures.png") {
		switch {
		case want[l.Text] > 0:
			want[l.Text]--
			right++
		case l.Code != 0:
			told++
		default:
			silent++
			t.Logf("%q is wrong without a code", l.Text)
		}
	}
	if right < 228 || right+told < 237 || silent > 1 {
		t.Errorf("of 240 numbers %d are right, %d told, %d wrong without a code", right, told, silent)
	}
}

// Property: a number in boxes that fills a large picture is read as in a small one, and stands at the same place of it; the memory that
// finding its signs takes does not grow with the picture.
func TestLargeBoxes(t *testing.T) {
	const times = 8
	g := newReader(t)
	b, err := os.ReadFile(filepath.Join("testdata", "boxed.png"))
	if err != nil {
		t.Fatal(err)
	}
	small, err := decode.Decoder{MinSide: 16}.Decode(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	w, h := times*small.Width, times*small.Height
	large := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	if !vision.Warp(vision.Luma(small), vision.Homography{1.0 / times, 0, 0, 0, 1.0 / times, 0, 0, 0, 1}, w, h, large.Y) {
		t.Fatal("not enlarged")
	}
	want, err := g.Read(t.Context(), small, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.Read(t.Context(), large, nil)
	if err != nil || len(got.Lines) != 1 || len(want.Lines) != 1 || got.Lines[0].Text != want.Lines[0].Text {
		t.Fatalf("read %+v, want %+v, %v", got.Lines, want.Lines, err)
	}
	for i, p := range got.Lines[0].Quad {
		if d := p.X/times - want.Lines[0].Quad[i].X; d < -3 || d > 3 {
			t.Errorf("corner %d lies %.1f pixels off", i, d)
		}
	}
	if p, _ := reduced(vision.Luma(large)); max(p.Width, p.Height) > piecesSide {
		t.Errorf("%d x %d pixels are looked at", p.Width, p.Height)
	}
}

// Property: letters that ink leaves open are read as the words that are written: worn text has fewer wrong signs than without the table of
// letters. Lines that carry no code, and which lines do, are the same with and without it.
func TestDoubtfulLinesInWords(t *testing.T) {
	g := newReader(t)
	without := *g
	without.letters = &text.Letters{}
	whole, want := notice(t)
	before, after, changed := 0, 0, 0
	for _, scale := range []float64{0.36, 0.38, 0.4, 0.42, 0.44, 0.46} {
		p := reducedBy(whole, scale)
		plain, err := without.Read(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		read, err := g.Read(t.Context(), p, nil)
		if err != nil || len(read.Lines) != len(plain.Lines) {
			t.Fatalf("scale %v: %d and %d lines, %v", scale, len(read.Lines), len(plain.Lines), err)
		}
		for i, l := range read.Lines {
			was := plain.Lines[i]
			if l.Code != was.Code || l.Confidence != was.Confidence || l.Code == 0 && l.Text != was.Text {
				t.Errorf("scale %v: %q with code %v, %q with code %v without the table", scale, l.Text, l.Code, was.Text, was.Code)
			}
			if l.Text != was.Text && len(read.Lines) == len(want) {
				changed++
				t.Logf("%q, %q", was.Text, l.Text)
				before, after = before+distance([]rune(was.Text), []rune(want[i])), after+distance([]rune(l.Text), []rune(want[i]))
			}
		}
	}
	if changed == 0 || after >= before {
		t.Errorf("%d lines changed, %d signs wrong became %d", changed, before, after)
	}
}

// reducedBy is a picture so many times as large, from 0 to 1.
func reducedBy(p *appliance.Picture, scale float64) *appliance.Picture {
	out := &appliance.Picture{Width: int(scale * float64(p.Width)), Height: int(scale * float64(p.Height))}
	out.Y = make([]byte, out.Width*out.Height)
	vision.Warp(vision.Luma(p), vision.Homography{1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1}, out.Width, out.Height, out.Y)
	return out
}
