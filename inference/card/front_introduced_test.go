package card

import (
	"context"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// titlesOfFront are those of all the fronts here.
func titlesOfFront() []printed { return front()[:2:2] }

// Property: where labels introduce the lines of a front, each value goes where its label says, whatever stands between them and on whichever side of it; a line whose label is not
// read is found, or leaves the names in doubt.
func TestIntroducedFront(t *testing.T) {
	for name, test := range map[string]struct {
		lines            []printed
		names, addresses string
		incomplete       bool
	}{
		"each part of the name on a row of its own, the birthplace among them": {
			append(titlesOfFront(),
				printed{"فاطمة", 0.74, 0.85, 0.26, 12}, printed{"الاسم", 0.88, 0.95, 0.26, 11}, printed{"محمود", 0.74, 0.85, 0.34, 12}, printed{"اسم الأب", 0.87, 0.95, 0.34, 11},
				printed{"أسوان", 0.74, 0.85, 0.42, 12}, printed{"محل الميلاد", 0.86, 0.95, 0.42, 11}, printed{"حسن السيد", 0.68, 0.85, 0.50, 12}, printed{"العائلة", 0.88, 0.95, 0.50, 11},
				printed{"12 شارع النيل", 0.60, 0.85, 0.58, 12}, printed{"العنوان", 0.88, 0.95, 0.58, 11}, printed{"المعادي - القاهرة", 0.60, 0.85, 0.66, 12}, printed{"الجهة", 0.89, 0.95, 0.66, 11}),
			"فاطمة|محمود|حسن السيد", "12 شارع النيل|المعادي - القاهرة", false,
		},
		"labels left of their values": {
			append(titlesOfFront(),
				printed{"الاسم بالكامل", 0.34, 0.46, 0.26, 10}, printed{"فاطمة محمود حسن", 0.66, 0.95, 0.26, 12}, printed{"محل الميلاد", 0.34, 0.44, 0.38, 10}, printed{"أسوان", 0.86, 0.95, 0.38, 12},
				printed{"العنوان", 0.34, 0.42, 0.50, 10}, printed{"12 شارع النيل", 0.70, 0.95, 0.50, 12}, printed{"القسم والمحافظة", 0.34, 0.48, 0.62, 10}, printed{"المعادي - القاهرة", 0.66, 0.95, 0.62, 12}),
			"فاطمة محمود حسن", "12 شارع النيل|المعادي - القاهرة", false,
		},
		"a row of labels above a row of values": {
			append(titlesOfFront(),
				printed{"اسم الجد", 0.50, 0.58, 0.26, 8}, printed{"اسم الأب", 0.70, 0.78, 0.26, 8}, printed{"الاسم", 0.90, 0.95, 0.26, 8},
				printed{"حسن", 0.46, 0.54, 0.33, 12}, printed{"محمود", 0.64, 0.74, 0.33, 12}, printed{"فاطمة", 0.84, 0.92, 0.33, 12},
				printed{"العنوان", 0.88, 0.95, 0.45, 8}, printed{"12 شارع النيل", 0.70, 0.95, 0.52, 12}, printed{"المركز والمحافظة", 0.80, 0.95, 0.62, 8}, printed{"المعادي - القاهرة", 0.66, 0.95, 0.69, 12}),
			"فاطمة|محمود|حسن", "12 شارع النيل|المعادي - القاهرة", false,
		},
		"a line whose label is none that is known": {
			append(titlesOfFront(),
				printed{"فاطمة", 0.74, 0.85, 0.26, 12}, printed{"الاسم", 0.88, 0.95, 0.26, 11}, printed{"محمود عادل حسن", 0.60, 0.85, 0.34, 12}, printed{"اسم الأب", 0.87, 0.95, 0.34, 11},
				printed{"كنية حسن السيد", 0.60, 0.95, 0.42, 12}, printed{"12 شارع النيل", 0.60, 0.85, 0.50, 12}, printed{"العنوان", 0.88, 0.95, 0.50, 11}, printed{"المعادي - القاهرة", 0.60, 0.85, 0.58, 12},
				printed{"الجهة", 0.89, 0.95, 0.58, 11}),
			"فاطمة|محمود عادل حسن", "12 شارع النيل|المعادي - القاهرة", true,
		},
		"a name in three lines below its label": {
			append(titlesOfFront(),
				printed{"صاحبة البطاقة", 0.78, 0.95, 0.25, 9}, printed{"فاطمة", 0.84, 0.95, 0.32, 12}, printed{"محمود إبراهيم", 0.70, 0.95, 0.40, 12}, printed{"حسن", 0.88, 0.95, 0.48, 12},
				printed{"محل السكن", 0.48, 0.60, 0.25, 9}, printed{"12 شارع النيل", 0.36, 0.60, 0.32, 12}, printed{"المعادي - القاهرة", 0.36, 0.60, 0.40, 12}),
			"فاطمة|محمود إبراهيم|حسن", "12 شارع النيل|المعادي - القاهرة", false,
		},
		"the head of the office below": {
			append(titlesOfFront(),
				printed{"فاطمة", 0.74, 0.85, 0.26, 12}, printed{"الاسم", 0.88, 0.95, 0.26, 11}, printed{"محمود حسن", 0.68, 0.85, 0.34, 12}, printed{"اللقب", 0.88, 0.95, 0.34, 11},
				printed{"12 شارع النيل", 0.60, 0.85, 0.42, 12}, printed{"مقر الإقامة", 0.86, 0.95, 0.42, 11}, printed{"المعادي - القاهرة", 0.60, 0.85, 0.50, 12},
				printed{"المدير العام للأحوال المدنية", 0.60, 0.85, 0.62, 12}),
			"فاطمة|محمود حسن", "12 شارع النيل|المعادي - القاهرة", false,
		},
	} {
		p, err := sheetOf(append(test.lines, front()[6:]...)).readFront(t.Context(), egypt.NewNameWording())
		if err != nil || texts(p.names) != test.names || texts(p.addresses) != test.addresses || p.incomplete != test.incomplete {
			t.Errorf("%s: names %s, addresses %s, incomplete %v, %v", name, texts(p.names), texts(p.addresses), p.incomplete, err)
		}
	}
}

// Property: the lines of an introduced front are those that are seen from near.
func TestIntroducedFrontIsLookedAtCloser(t *testing.T) {
	lines := append(titlesOfFront(),
		printed{"اسم الأب", 0.70, 0.78, 0.26, 8}, printed{"الاسم", 0.90, 0.95, 0.26, 8}, printed{"محمود حسن", 0.62, 0.78, 0.33, 12}, printed{"فاطمة", 0.84, 0.92, 0.33, 12},
		printed{"العنوان", 0.88, 0.95, 0.45, 8}, printed{"12 شارع النيل", 0.70, 0.95, 0.52, 12}, printed{"الجهة", 0.88, 0.95, 0.62, 8}, printed{"المعادي - القاهرة", 0.66, 0.95, 0.69, 12})
	lines = append(lines, front()[6:]...)
	s := sheetOf(lines)
	s.lines = linesOf(replaced(slices.Clone(lines), "محمود حسن"))
	s.rows = rowsOf(s.lines)
	s.closer = func(context.Context) ([]text.Line, error) { return linesOf(lines), nil }
	p, err := s.readFront(t.Context(), egypt.NewNameWording())
	if err != nil || texts(p.names) != "فاطمة|محمود حسن" {
		t.Errorf("names %s, %v", texts(p.names), err)
	}
}
