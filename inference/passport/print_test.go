package passport

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/zone"
)

// zoneOf is a zone with right check digits, and its document.
func zoneOf(t testing.TB, birth string) (mrz.Reading, appliance.Document) {
	t.Helper()
	number, expiry := "A12345678", "310226"
	second := number + string(
		mrz.CheckDigit(number),
	) + "EGY" + birth + string(
		mrz.CheckDigit(birth),
	) + "F" + expiry + string(
		mrz.CheckDigit(expiry),
	) + strings.Repeat(
		"<",
		14,
	) + "0"
	second += string(mrz.CheckDigit(second[:10] + second[13:20] + second[21:43]))
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	z, err := mrz.Parse([]string{"P<EGYELSHERBINY<<MONA<ADEL<<<<<<<<<<<<<<<<<<", second}, now)
	if err != nil {
		t.Fatal(err)
	}
	return z, Of(zone.Reading{Reading: z}, now)
}

// printedPage lays lines of text below each other, label over value; a line "a|b" has two pieces side by side.
func printedPage(confidence float64, texts ...string) (out []pageLine) {
	for i, all := range texts {
		x, y := 100.0, 20+12*float64(i)
		for piece := range strings.SplitSeq(all, "|") {
			l := text.Line{Height: 8}
			l.Start.X, l.Start.Y = x, y
			l.End.X, l.End.Y = x+5*float64(len(piece)), y
			x = l.End.X + 10
			out = append(out, pageLine{l, piece, strings.ToUpper(piece), confidence, nil})
		}
	}
	return out
}

// compared is the document that the lines of a page leave.
func compared(t testing.TB, birth string, lines []pageLine) appliance.Document {
	t.Helper()
	z, d := zoneOf(t, birth)
	found := judged{}
	for i := range lines {
		found.take(lines[:i+1], z)
	}
	found.finish(lines, z)
	found.write(&d)
	settleCentury(&d, z.BirthDate.Other, found.birth)
	return d
}

// genuine is what the page of zoneOf prints.
func genuine() []string {
	return []string{
		"Surname", "ELSHERBINY", "Given names", "MONA ADEL", "Passport No", "A12345678", "Date of birth", "12/07/1979",
		"Sex", "F", "Date of expiry", "26 FEB 2031", "Nationality", "EGYPTIAN",
	}
}

// with is the genuine page with other lines in the places of some.
func with(replaced ...string) []string {
	out := genuine()
	for i := 0; i < len(replaced); i += 2 {
		for k := range out {
			if out[k] == replaced[i] {
				out[k] = replaced[i+1]
			}
		}
	}
	return out
}

// Property: of a page whose print is another holder's each field that differs carries 3309, and no other; a page that prints what its zone
// says, that light washes out or that is misread in one sign carries none, and no such page counts as fraud.
func TestPrintAgainstZone(t *testing.T) {
	for name, c := range map[string]struct {
		confidence float64
		lines      []string
		differ     string
		fraud      bool
	}{
		"genuine":                  {0.99, genuine(), "", false},
		"nothing printed":          {0.99, nil, "", false},
		"washed out":               {0.3, with("A12345678", "B87654321", "12/07/1979", "01/01/1960"), "", false},
		"one sign misread":         {0.9, with("A12345678", "A12345878", "12/07/1979", "12/07/1978"), "", false},
		"one sign, read surely":    {0.99, with("A12345678", "A12345878"), "passport_no", false},
		"another number":           {0.99, with("A12345678", "B87654321"), "passport_no", true},
		"another birth date":       {0.99, with("12/07/1979", "05 MAY 1961"), "Date_of_Birth", true},
		"another surname":          {0.99, with("ELSHERBINY", "ROSHDY"), "name", false},
		"other given names":        {0.99, with("MONA ADEL", "FATMA SAID"), "name", false},
		"given names of like ring": {0.99, with("MONA ADEL", "HODA NADER"), "name", false},
		"given names spelled anew": {0.99, with("MONA ADEL", "MOUNA ADELL"), "", false},
		"one name in common":       {0.99, []string{"Full name", "HODA ADEL RASHAD FAHMY"}, "name", false},
		"a line with most of it":   {0.99, []string{"Full name", "MONA ADEL IBRAHIM ELSHERBINY"}, "", false},
		"another sex":              {0.99, with("F", "M"), "gender", false},
		"another month in letters": {0.9, with("26 FEB 2031", "26 MAR 2031"), "Date_of_Expiry", true},
		"one letter of a month":    {0.9, with("12/07/1979", "12 JUN 1979"), "", false},
		"another expiry":           {0.99, with("26 FEB 2031", "17 OCT 2029"), "Date_of_Expiry", true},
		"another holder":           {0.99, with("ELSHERBINY", "ROSHDY", "MONA ADEL", "BELAL ASEM", "A12345678", "C87654321", "12/07/1979", "24/10/1956", "F", "M"), "gender name passport_no Date_of_Birth", true},
		"values beside labels":     {0.99, []string{"Surname|ROSHDY", "Passport No|B87654321", "Date of birth|24/10/1986"}, "name passport_no Date_of_Birth", true},
		"issue date alone":         {0.99, []string{"Date of issue", "27/02/2024"}, "", false},
		"place names":              {0.99, []string{"Place of birth", "CAIRO", "Authority", "GIZA", "Father's name", "SAID"}, "", false},
		"expiry without label":     {0.99, []string{"12/07/1979", "18 OCT 2022", "Valid", "17 OCT 2029"}, "Date_of_Expiry", false},
		"after the zone's expiry":  {0.99, []string{"17 OCT 2035"}, "Date_of_Expiry", false},
		"sex without label":        {0.99, []string{"Passport No", "A12345678", "M/ذ"}, "gender", false},
		"stroke of a letter":       {0.99, []string{"m٤", "Sex", "f"}, "", false},
		"another nationality":      {0.99, with("EGYPTIAN", "JORDANIAN"), "nationality", false},
		"code of another state":    {0.99, with("EGYPTIAN", "JOR"), "nationality", false},
		"names of other states":    {0.99, append(genuine(), "ALGERIA", "Place of birth", "KUWAITI HOSPITAL"), "", false},
		"surname without label":    {0.99, []string{"ROSHDY", "MONA ADEL"}, "name", false},
		"given without label":      {0.99, []string{"ELSHERBINY", "SALMA", "EGYPTIAN"}, "name", false},
		"state below the surname":  {0.99, []string{"ELSHERBINY", "EGYPTIAN"}, "", false},
		"surname like given name":  {0.99, with("ELSHERBINY", "ADELI", "Surname", "Last name"), "name", false},
		"year cut off":             {0.99, with("12/07/1979", "13/08/19"), "", false},
		"date read with doubt":     {0.7, with("12/07/1979", "24/10/1956"), "Date_of_Birth", false},
		"labels cut off":           {0.99, with("Surname", "Surnam", "ELSHERBINY", "ROSHDY"), "name", false},
		"name with hyphens":        {0.99, with("ELSHERBINY", "EL-SHERBINY"), "", false},
		"type and profession":      {0.99, append(genuine(), "Type", "P", "Profession", "DOCTOR"), "", false},
		"number of another form":   {0.99, with("A12345678", "29907121234567"), "", false},
		"two lines of other words": {0.99, []string{"ARAB REPUBLIC OF EGYPT", "PASSPORT", "MINISTRY OF INTERIOR"}, "", false},
	} {
		d := compared(t, "790712", printedPage(c.confidence, c.lines...))
		var differ []string
		for _, f := range d.Fields {
			if d.Flagged(f.Name, appliance.CodePrintDiffers) {
				differ = append(differ, f.Name)
			}
		}
		if got := strings.Join(differ, " "); got != c.differ {
			t.Errorf("%s: %q differ, want %q", name, got, c.differ)
		}
		const threshold = 0.8
		if got := d.Mismatch >= threshold; got != c.fraud {
			t.Errorf("%s: score %.2f", name, d.Mismatch)
		}
	}
	d := compared(t, "790712", printedPage(0.99, genuine()...))
	for _, f := range []string{"passport_no", "name", "gender", "nationality", "Date_of_Birth", "Date_of_Expiry"} {
		if checks := d.Field(f).Checks; len(checks) == 0 ||
			checks[len(checks)-1] != (appliance.FieldCheck{Name: appliance.PrintedCheck, Passed: true}) {
			t.Errorf("%s is printed, its checks are %v", f, checks)
		}
	}
}

// Property: a birth date of two possible centuries is the printed one, and where none is printed with four digits it carries 3014.
func TestCenturyOfThePrint(t *testing.T) {
	for birth, c := range map[string]struct {
		lines []string
		want  string
		told  bool
	}{
		"201002": {[]string{"Date of birth", "02/10/1920"}, "1920-10-02", false},
		"211002": {[]string{"Date of birth", "02 OCT 2021"}, "2021-10-02", false},
		"221002": {[]string{"Date of birth", "02.10.22"}, "2022-10-02", true},
		"231002": {nil, "2023-10-02", true},
		"231021": {[]string{"Date of birth", "21-0CT1923"}, "1923-10-21", false}, // as small print is read
		"241002": {[]string{"Date of issue", "05/03/2020"}, "2024-10-02", true},
		"791002": {nil, "1979-10-02", false},
	} {
		d := compared(t, birth, printedPage(0.99, c.lines...))
		if got := d.Field("Date_of_Birth").Value; got != c.want || d.Flagged("Date_of_Birth", appliance.CodeTwoCenturies) != c.told {
			t.Errorf("%s with %q: %s, %v", birth, c.lines, got, d.Validations)
		}
	}
}

// Property: a date of the zone that is unknown, in part or whole, is empty and says so.
func TestUnknownDatesCarryACode(t *testing.T) {
	for _, birth := range []string{"<<<<<<", "74<<<<", "7408<<"} {
		_, d := zoneOf(t, birth)
		if d.Field("Date_of_Birth").Value != "" || !d.Flagged("Date_of_Birth", appliance.CodeUnreadable) || d.Flagged("Date_of_Expiry") {
			t.Errorf("%s: %+v", birth, d.Validations)
		}
	}
}

// Property: the parts of a date that stand apart, as a typewriter sets them, are put together, with the name of its month.
func TestDateInParts(t *testing.T) {
	var got []string
	for _, l := range joinedNumbers(printedPage(0.99, "13|SEP|2030", "MONA|2030", "F")) {
		got = append(got, l.text)
	}
	if want := []string{"13 SEP", "13 SEP 2030", "SEP 2030"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Property: dates are found in every usual form, and nothing else is taken for one.
func TestDatesInPrint(t *testing.T) {
	for line, want := range map[string]pageDate{
		"12/05/1990":            {day: 12, month: 5, year: 1990},
		"12 MAY 90":             {day: 12, month: 5, year: 90, name: "MAY"},
		"12 MAY/MAI 1990":       {day: 12, month: 5, year: 1990, name: "MAY"},
		"12 AVR / APR 90":       {day: 12, month: 4, year: 90, name: "AVR"},
		"06JUL 1924":            {day: 6, month: 7, year: 1924, name: "JUL"},
		"O7/NOV/2033":           {day: 7, month: 11, year: 2033, name: "NOV"},
		"21-0CT1923":            {day: 21, month: 10, year: 1923, name: "OCT"},
		"06 N0V 2031":           {day: 6, month: 11, year: 2031, name: "NOV"},
		"1987-03-05":            {day: 5, month: 3, year: 1987},
		"BORN 5.3.87 IN X":      {day: 5, month: 3, year: 87},
		"32/05/1990":            {},
		"12 ANF 1990":           {}, // inside the row of months, but no month
		"A12345678":             {},
		"00/05/1990 31/12/2001": {day: 31, month: 12, year: 2001},
	} {
		got := datesIn(line)
		for i := range got {
			got[i].text = ""
		}
		if len(got) > 1 || len(got) == 1 && got[0] != want || len(got) == 0 && want != (pageDate{}) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// No text makes the comparison fail, or claim more than it was sure of.
func FuzzPrintAgainstZone(f *testing.F) {
	f.Add("Date of birth 05 MAR 1987", "A12345679", 0.9)
	f.Fuzz(func(t *testing.T, a, b string, confidence float64) {
		if !(confidence >= 0 && confidence <= 1) {
			return
		}
		d := compared(t, "790712", printedPage(confidence, a, b))
		if !(d.Mismatch >= 0 && d.Mismatch <= confidence) {
			t.Fatalf("score %g", d.Mismatch)
		}
	})
}
