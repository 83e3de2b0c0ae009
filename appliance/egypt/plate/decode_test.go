package plate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// sureSigns are signs that are read with probability p, digits and letters at places as on a plate: given from left to right.
func sureSigns(text string, y, p float64) []Sign {
	var all []Sign
	runes := []rune(text)
	for i, r := range runes {
		if r == ' ' {
			continue
		}
		at := otherSign
		for j, sign := range []rune(Signs) {
			if sign == r {
				at = j
			}
		}
		s := Sign{X: 2 * (float64(i) + 0.5) / float64(len(runes)), Y: y, There: p}
		for j := range s.Cell {
			s.Cell[j] = math.Log((1 - p) / (classes - 1))
		}
		s.Cell[at] = math.Log(p)
		all = append(all, s)
	}
	return all
}

// Signs in any order become the plate that they stand for: digits left of letters, letters read from the right, or a row each.
func TestDecodePlate(t *testing.T) {
	for _, c := range []struct {
		name          string
		upper, lower  string
		want, raw     string
		rows          int
		foreign, full bool
	}{
		{"one row", "1234 بنس", "", "س ن ب 1234", "1234بنس", 1, false, true},
		{"the fewest signs", "1 ه", "", "ه 1", "1ه", 1, false, true},
		{"letters above digits", "ط ر ق", "8 7 3", "ق ر ط 873", "طرق 873", 2, false, true},
		{"digits above letters", "8 7 3", "ط ر ق", "ق ر ط 873", "873 طرق", 2, false, true},
		{"a letter that no plate carries", "555 نىز", "", "", "555نى?", 1, true, false},
		{"five digits", "12345 س", "", "", "12345س", 1, true, false},
		{"four letters", "1 سسسس", "", "", "1سسسس", 1, true, false},
		{"digits alone", "123    ", "", "", "123", 1, true, false},
		{"one digit alone", "1", "", "", "1", 1, false, false},
		{"nothing", "", "", "", "", 1, false, false},
	} {
		signs := sureSigns(c.upper, 0.64, 0.99)
		if c.lower != "" {
			signs = append(sureSigns(c.upper, 0.5, 0.99), sureSigns(c.lower, 0.82, 0.99)...)
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(signs), func(i, j int) { signs[i], signs[j] = signs[j], signs[i] })
		r := Decode(signs)
		if r.Plate.String() != c.want || r.Raw != c.raw || r.Rows != c.rows || r.Foreign != c.foreign || (len(r.Plate.Letters) > 0) != c.full {
			t.Errorf("%s: %+v, want %+v", c.name, r, c)
		}
		if c.full && (len(r.Characters) != len([]rune(c.want)) || len(r.Printed) != len(signs)) {
			t.Errorf("%s: %d characters and %d signs of %q", c.name, len(r.Characters), len(r.Printed), c.want)
		}
	}
}

// A tilted row is one row, and a sign that reads as either kind is taken for the kind of its side.
func TestDecodePlateDoubt(t *testing.T) {
	signs := sureSigns("111 أسأ", 0.64, 0.95)
	for i := range signs {
		signs[i].Y += 0.2 * (signs[i].X - 1)
		if i == 2 { // one or alef: the ink does not tell
			signs[i].Cell[0], signs[i].Cell[digitSigns] = math.Log(0.45), math.Log(0.5)
		}
	}
	r := Decode(signs)
	if got := r.Plate.String(); got != "أ س أ 111" || r.Rows != 1 {
		t.Errorf("got %q in %d rows", got, r.Rows)
	}
	sure := Decode(sureSigns("111 أسأ", 0.64, 0.95)).Confidence
	if r.Confidence > sure/2 {
		t.Errorf("a doubtful sign leaves the confidence at %.3f of %.3f", r.Confidence, sure)
	}
	dirt := Sign{X: 0.1, Y: 0.2, There: 0.3}
	if c := Decode(append(signs, dirt)).Confidence; math.Abs(c-0.7*r.Confidence) > 1e-9 {
		t.Errorf("a sign that may be there changes the confidence from %.3f to %.3f", r.Confidence, c)
	}
}

// Bands are named by their colour, in any light; what could be two things is not named.
func TestPlateCategory(t *testing.T) {
	for _, c := range []struct {
		band, field Colour
		want        string
	}{
		{Colour{168, 33, -28}, Colour{235, 0, 0}, "private"},
		{Colour{90, 50, -30}, Colour{200, 0, 0}, "private"},
		{Colour{90, 20, -10}, Colour{200, -30, 20}, "private"}, // in warm light
		{Colour{40, 45, -15}, Colour{200, 0, 0}, ""},           // police, or a private one at dusk
		{Colour{157, -72, 59}, Colour{235, 0, 0}, "taxi"},
		{Colour{93, -27, 87}, Colour{235, 0, 0}, "goods"},
		{Colour{99, -16, -49}, Colour{235, 0, 0}, "diplomatic"},
		{Colour{183, -24, 16}, Colour{235, 0, 0}, "tourist"},
		// Median hues and strengths of real plates, and their fifths and ninety-fifths of a hundred.
		{Colour{120, -28, 48}, Colour{200, 0, 0}, "taxi"},
		{Colour{120, -9, 26}, Colour{200, 0, 0}, "taxi"},
		{Colour{120, -59, 71}, Colour{200, 0, 0}, "taxi"},
		{Colour{80, -4, 36}, Colour{200, 0, 0}, "goods"},
		{Colour{80, 1, 15}, Colour{200, 0, 0}, "goods"},
		{Colour{80, -28, 83}, Colour{200, 0, 0}, "goods"},
		{Colour{150, -26, 15}, Colour{200, 0, 0}, "tourist"},
		{Colour{150, -12, 10}, Colour{200, 0, 0}, "tourist"},
		{Colour{150, -78, 25}, Colour{200, 0, 0}, "tourist"},
		{Colour{100, -6, -27}, Colour{200, 0, 0}, "diplomatic"},
		{Colour{100, 0, -20}, Colour{200, 0, 0}, "diplomatic"},
		{Colour{200, -90, 29}, Colour{235, 0, 0}, "customs"},
		{Colour{150, 0, 1}, Colour{235, 0, 0}, "bus"},
		// Medians of drawn bands by night, in light of a third to a half and a warm cast.
		{Colour{46, -8, -16}, Colour{112, -13, 11}, "diplomatic"},
		{Colour{31, -5, -12}, Colour{76, -6, 5}, "diplomatic"},
		{Colour{48, -3, 3}, Colour{80, -7, 8}, "bus"},
		{Colour{72, -10, 3}, Colour{119, -12, 4}, "bus"},
		{Colour{96, -29, 15}, Colour{120, -5, 9}, "tourist"},
		{Colour{29, -10, 30}, Colour{82, -8, 5}, "goods"},
		{Colour{63, -29, 33}, Colour{106, -13, 8}, "taxi"},
		// Medians of yellowish taxis, by night and in dull light, of tourist cars by night, and a colour between the two.
		{Colour{73, -36, 38}, Colour{117, -6, 10}, "taxi"},
		{Colour{134, -60, 54}, Colour{217, -1, 0}, "taxi"},
		{Colour{83, -26, 16}, Colour{108, -9, 10}, "tourist"},
		{Colour{140, -50, 40}, Colour{217, -1, 0}, ""},
		{Colour{32, 7, -14}, Colour{75, -9, 2}, "private"},
		{Colour{20, 10, -5}, Colour{50, 0, 0}, ""}, // too dark
		{Colour{235, 1, 0}, Colour{235, 0, 0}, ""}, // no band
	} {
		if got := Category(c.band, c.field); got != c.want {
			t.Errorf("%v beside %v: %q, want %q", c.band, c.field, got, c.want)
		}
	}
}

// Whatever signs come, a plate that is read keeps the rules and is sure to between 0 and 1.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("one row of signs"))
	f.Add([]byte{0, 255, 7, 7, 128, 3, 200, 10, 90})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		var signs []Sign
		for ; len(bytes) >= 4; bytes = bytes[4:] {
			s := Sign{X: float64(bytes[0]) / 128, Y: float64(bytes[1]) / 255, There: float64(bytes[2]) / 255}
			for i := range s.Cell {
				s.Cell[i] = math.Log(0.1 / (classes - 1))
			}
			s.Cell[int(bytes[3])%classes] = math.Log(0.9)
			signs = append(signs, s)
		}
		r := Decode(signs)
		if r.Confidence < 0 || r.Confidence > 1 || math.IsNaN(r.Confidence) {
			t.Fatalf("confidence %v", r.Confidence)
		}
		if text := r.Plate.String(); text != "" && (!r.Plate.Valid() || strings.Contains(text, "?")) {
			t.Fatalf("%q breaks the rules", text)
		}
	})
}
