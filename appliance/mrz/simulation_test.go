package mrz

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// simulated is small enough for every run of the tests; figures to quote come from -documents 20000.
var simulated = flag.Int("documents", 2000, "simulated documents for each severity")

// maker draws documents that belong to nobody.
type maker struct{ *rand.Rand }

func (m maker) from(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	latin   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	numeric = "0123456789"
)

// number draws a document number; half of the foreign ones mix letters and digits in some way.
func (m maker) number(state string) string {
	if state == "EGY" {
		return m.from(latin, 1) + m.from(numeric, 8)
	}
	switch m.IntN(7) {
	case 0, 1:
		return m.from(numeric, 9)
	case 2:
		return m.from(latin, 1) + m.from(numeric, 7)
	case 3:
		return m.from(latin, 2) + m.from(numeric, 7)
	case 4:
		return m.from(numeric, 2) + m.from(latin, 2) + m.from(numeric, 5)
	case 5:
		return m.from("CFGHJK", 1) + m.from("CFGHJKLMNPRTVWXYZ0123456789", 8)
	}
	return m.from(latin, 1) + m.from(numeric, 8)
}

func (m maker) name(width int) string {
	part := func() string {
		var b strings.Builder
		for range 1 + m.IntN(4) {
			b.WriteString(m.from("BDFGHKLMNRSTWYZ", 1) + m.from("AEIOU", 1))
		}
		return b.String()
	}
	name := part() + "<<" + part()
	for range m.IntN(4) {
		name += "<" + part()
	}
	return fill(name, width)
}

func (m maker) date(from, to int) string {
	year, month := from+m.IntN(to-from), 1+m.IntN(12)
	return fmt.Sprintf("%02d%02d%02d", year%100, month, 1+m.IntN(daysIn(year, month)))
}

// fill pads with fillers, or cuts, to a width.
func fill(text string, width int) string {
	return (text + strings.Repeat("<", width))[:width]
}

// document draws a right zone.
func (m maker) document() specimen {
	state := "EGY"
	if m.IntN(2) == 0 {
		state = stateCode(m.IntN(stateCount))
	}
	number := fill(m.number(state), 9) + "0"
	birth := m.date(1930, 2026)
	personal := ""
	if state == "EGY" {
		personal = "2" + birth + m.from(numeric, 7)
	} else if m.IntN(2) == 0 {
		personal = m.from(numeric, 6+m.IntN(7))
	}
	birth += "0"
	expiry := m.date(2015, 2040) + "0"
	sex := m.from("MF", 1)
	var s specimen
	switch m.IntN(4) {
	case 0:
		s = specimen{TD1, []string{
			"I<" + state + number + fill(personal, 15), birth + sex + expiry + state + fill("", 11) + "0", m.name(30),
		}}
	case 1:
		s = specimen{TD2, []string{
			"I<" + state + m.name(31), number + state + birth + sex + expiry + fill(personal, 7) + "0",
		}}
	default:
		s = specimen{TD3, []string{
			"P<" + state + m.name(39), number + state + birth + sex + expiry + fill(personal, 14) + "00",
		}}
	}
	s.lines = rechecked(s.format, s.lines)
	return s
}

// severity is how badly a recogniser sees. It was drawn up by judgement before the decoder was tuned.
type severity struct {
	name string
	// errors is the share of positions whose best symbol is wrong.
	errors float64
	// margin is the mean distance, in nats, between the true symbol and the next where the best symbol is right.
	margin float64
	// sure is the share of wrong positions at which the true symbol gets next to nothing.
	sure float64
}

// seenAs holds the look-alikes of each symbol as recognisers of OCR-B confuse them; the decoder has a list of its own.
var seenAs = strings.Fields("O0QD 0OD8Q 1I7L I1LT 8B30 B8R3 5S6 S58 2Z7 Z27 6GB5 G6C D0O Q0O 4A 7T1Y T7I A4R 38B9 9" +
	"3G8 K<XH <KC CG<O UV0 VUY MNH NMH EFB FEP PRF RPKB XKY YVX HNM JI LI1 WVM")

// cell draws what the recogniser reports for a true symbol.
func (m maker) cell(truth byte, s severity) (c Cell) {
	for i := range c {
		c[i] = float32(-13 - 3*m.Float64())
	}
	rival := Alphabet[m.IntN(symbols)]
	if m.Float64() < 0.85 {
		for _, row := range seenAs {
			if row[0] == truth {
				rival = row[1+m.IntN(len(row)-1)]
			}
		}
	}
	if rival == truth {
		rival = Alphabet[(Index(truth)+1)%symbols]
	}
	margin := s.margin * (0.4 + 1.2*m.Float64())
	if m.Float64() < s.errors {
		truth, rival = rival, truth
		margin = 2 * m.ExpFloat64()
		if m.Float64() < s.sure {
			margin = 9
		}
	}
	c[Index(truth)] = 0
	c[Index(rival)] = float32(-margin)
	return c
}

func (m maker) zone(d specimen, s severity) Zone {
	z := Zone{Format: d.format, Cells: make([][]Cell, len(d.lines))}
	for i, line := range d.lines {
		for k := range len(line) {
			z.Cells[i] = append(z.Cells[i], m.cell(line[k], s))
		}
	}
	return z
}

// tally counts what became of one field, or of the zone.
type tally struct{ exact, flagged, silent int }

func (t *tally) count(f Field, truth string) {
	switch {
	case f.Doubtful():
		t.flagged++
	case f.Text != truth:
		t.silent++
	}
	if f.Text == truth {
		t.exact++
	}
}

// severities go from a good scan to a picture that nobody would send. The silent shares are the most, in percent, that may
// be wrong without a flag: none in a thousand of the numbers of pictures that are read with success nine times in ten.
func severities() []struct {
	severity
	exact, flagged, silent float64
} {
	return []struct {
		severity
		exact, flagged, silent float64
	}{
		{severity{"clean", 0.0002, 11, 0.05}, 99.5, 2, 0.05},
		{severity{"mild", 0.001, 9, 0.05}, 98, 4, 0.05},
		{severity{"moderate", 0.005, 8, 0.05}, 91, 8, 0.08},
		{severity{"poor", 0.02, 6, 0.05}, 70, 20, 0.1},
		{severity{"severe", 0.06, 5, 0.10}, 30, 45, 0.4},
		{severity{"wreck", 0.20, 3, 0.10}, 1, 95, 0.5},
	}
}

// A wrong document number without a flag is rarer than one in a thousand documents on pictures that can be read at all;
// on good pictures the decoder reads what is printed and flags little. The table shows, in percent of documents, raw and
// decoded lines that are exact, and per field: exact, flagged, wrong without a flag.
func TestSimulation(t *testing.T) {
	documents := *simulated
	if testing.Short() {
		documents = 300
	}
	t.Logf("%-9s %6s %6s | %-21s | %-21s | %-21s | %-21s", "severity", "raw", "exact", "number", "birth", "expiry", "surname")
	for _, s := range severities() {
		m := maker{rand.New(rand.NewPCG(9303, uint64(s.errors*1e6)))}
		var raw, exact int
		var number, birth, expiry, surname tally
		for range documents {
			d := m.document()
			r := Decode(m.zone(d, s.severity), noon)
			l := d.format.layout()
			raw += btoi(joined(r.Raw) == joined(d.lines))
			exact += btoi(joined(r.Lines) == joined(d.lines))
			number.count(r.DocumentNumber, l.number.text(d.lines))
			birth.count(r.BirthDate, l.birth.text(d.lines))
			expiry.count(r.ExpiryDate, l.expiry.text(d.lines))
			surname.count(r.Surname, d.lines[l.name.line][l.name.start:l.name.start+strings.Index(l.name.text(d.lines), "<<")])
		}
		share := func(n int) float64 { return 100 * float64(n) / float64(documents) }
		row := func(c tally) string {
			return fmt.Sprintf("%6.2f %6.2f %7.3f", share(c.exact), share(c.flagged), share(c.silent))
		}
		t.Logf("%-9s %6.2f %6.2f | %s | %s | %s | %s", s.name, share(raw), share(exact), row(number), row(birth), row(expiry), row(surname))
		// Short runs are not held to more than they can show: three standard deviations.
		slack := func(percent float64) float64 { return 3 * math.Sqrt(percent*(100-percent)/float64(documents)) }
		if share(exact) < s.exact-slack(s.exact) || share(number.flagged) > s.flagged+slack(s.flagged) {
			t.Errorf("%s: %.2f exact, want %.2f; %.2f flagged, want %.2f", s.name, share(exact), s.exact, share(number.flagged), s.flagged)
		}
		for name, c := range map[string]tally{"number": number, "birth": birth, "expiry": expiry} {
			if share(c.silent) > s.silent+slack(s.silent) {
				t.Errorf("%s: %.3f %% of %s wrong without a flag, want at most %.3f", s.name, share(c.silent), name, s.silent)
			}
		}
	}
}
