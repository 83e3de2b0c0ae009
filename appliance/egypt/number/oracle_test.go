package number

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// oracle weighs numbers one by one, by the standard library's calendar and by Parse.
type oracle struct {
	own    weights
	e      Evidence
	days   float64
	weight float64 // of all days by their age priors
}

func newOracle(own weights, e Evidence) *oracle {
	o := &oracle{own: own, e: e}
	for day := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC); !day.After(e.Today); day = day.AddDate(0, 0, 1) {
		o.days++
		o.weight += agePrior(e.Today.Year() - day.Year())
	}
	return o
}

// share is how well digits fit cells, the best ones 1.
func share(cells []Cell, digits string) float64 {
	w := 1.0
	for i := range cells {
		b := believe(&cells[i])
		w *= b[digits[i]-'0'] / slices.Max(b[:])
	}
	return w
}

// weigh is the weight of a string, and whether it keeps the grammar.
func (o *oracle) weigh(digits string) (w float64, valid bool) {
	parts, err := Parse(digits, o.e.Today)
	w = 1
	for i := range o.own {
		w *= o.own[i][digits[i]-'0']
	}
	if o.e.Other != nil {
		w *= otherAgrees*share(o.e.Other, digits) + 1 - otherAgrees
	}
	if err != nil {
		return w * strange / (o.days * 28 * 1e5), false
	}
	birth, _ := time.Parse(time.DateOnly, parts.Birth)
	w *= agePrior(o.e.Today.Year()-birth.Year()) / o.weight / 1e4
	w *= governoratePrior(slices.Index(Governorates(), parts.Governorate))
	if o.e.Birth != nil {
		w *= birthAgrees*share(o.e.Birth, birth.Format("20060102")) + 1 - birthAgrees
	}
	if o.e.Sex != "" {
		agree := sexRead*sexAgrees + (1-sexRead)*(1-sexAgrees)
		if parts.Sex == o.e.Sex {
			w *= agree
		} else {
			w *= 1 - agree
		}
	}
	obeys := obeys1900
	if birth.Year() >= 2000 {
		obeys = obeys2000
	}
	switch parts.Check {
	case CheckAgrees:
		w *= obeys + (1-obeys)/10
	case CheckDisagrees:
		w *= (1 - obeys) / 10
	default:
		w *= 0.1
	}
	return w, true
}

// each goes through all strings of the cells' support.
func (o *oracle) each(yield func(digits string)) {
	var digits [Length]byte
	var fill func(i int)
	fill = func(i int) {
		if i == len(digits) {
			yield(string(digits[:]))
			return
		}
		for d, w := range o.own[i] {
			if w > 0 {
				digits[i] = '0' + byte(d)
				fill(i + 1)
			}
		}
	}
	fill(0)
}

// blurred draws cells around digits: dense ones, some unclear.
func blurred(r *rand.Rand, digits string) []Cell {
	cells := make([]Cell, len(digits))
	for i := range cells {
		for d := range cells[i] {
			cells[i][d] = -12 * r.Float64()
		}
		if r.IntN(3) > 0 {
			cells[i][digits[i]-'0'] = 2
		}
	}
	return cells
}

// round draws a number, sparse cells around it, and other evidence.
func round(r *rand.Rand, i int) (own weights, e Evidence) {
	truth := maker{r}.number(today)
	if i%4 > 0 {
		truth = obey(truth)
	}
	for k := range own {
		own[k][truth[k]-'0'] = 1
		own[k][r.IntN(10)] += r.Float64() * float64(r.IntN(2)*(1+i%3)) / 3
		own[k] = own[k].normalised()
	}
	e.Today = today
	if i%2 == 0 {
		e.Birth = blurred(r, [2]string{"19", "20"}[truth[0]-'2']+truth[1:7])
	}
	if i%3 == 0 {
		e.Other = blurred(r, truth)
	}
	if i%5 == 0 {
		e.Sex = [2]Sex{Male, Female}[r.IntN(2)]
	}
	return own, e
}

// found is what weighing one by one says about a value.
type found struct {
	best               string
	top, total, broken float64
	digits             [Length]float64
	birth, place, sex  float64
}

func (o *oracle) find(value string) (f found) {
	o.each(func(s string) {
		w, valid := o.weigh(s)
		f.total += w
		if w > f.top {
			f.best, f.top = s, w
		}
		if !valid {
			f.broken += w
			return
		}
		for i := range s {
			f.digits[i] += only(w, s[i] == value[i])
		}
		f.birth += only(w, s[:7] == value[:7])
		f.place += only(w, s[7:9] == value[7:9])
		f.sex += only(w, s[12]%2 == value[12]%2)
	})
	return f
}

// The decoder finds what weighing every number one by one finds: the best, its probability, and that of each part.
func TestDecodeNumberAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 14))
	decided := 0
	for i := range 60 {
		own, e := round(r, i)
		d := newDecoder(&own, &e)
		var n Reading
		d.decide(&n, "")
		o := newOracle(own, e)
		f := o.find(n.Value)
		near := func(what string, got, want float64) {
			if math.Abs(got-want/f.total) > 1e-9 {
				t.Errorf("round %d: %s %v, want %v", i, what, got, want/f.total)
			}
		}
		value, valid := o.weigh(n.Value)
		near("confidence", n.Confidence, value)
		if f.top/f.total > 0.5 {
			decided++
			best, _ := digits14(f.best)
			raw, _ := digits14(printed(own[:]))
			if n.Value != f.best && !d.overrules(&best, &raw) {
				t.Errorf("round %d: %s, want %s", i, n.Value, f.best)
			}
		}
		if !valid {
			continue
		}
		for k := range f.digits {
			near("digit", n.Digits[k], f.digits[k]+f.broken*own[k][n.Value[k]-'0'])
		}
		near("birth", n.Birth, f.birth)
		near("place", n.Place, f.place)
		near("sex", n.Sex, f.sex)
	}
	if decided < 20 {
		t.Errorf("only %d of the rounds had a clear winner", decided)
	}
}

// normalised is the belief with a sum of 1.
func (b belief) normalised() belief {
	sum := b.sum()
	for i := range b {
		b[i] /= sum
	}
	return b
}

// The calendar of the decoder is the standard library's, for ordinary days, leap days, the end of a month and the first day.
func TestCalendarAgainstTime(t *testing.T) {
	for _, now := range []time.Time{
		today, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2105, 5, 5, 0, 0, 0, 0, time.UTC),
	} {
		c := newCalendar(now)
		days := 0
		for year := 1899; year <= 2101; year++ {
			for month := 0; month <= 13; month++ {
				for day := 0; day <= 32; day++ {
					d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
					real := d.Year() == year && int(d.Month()) == month && d.Day() == day
					want := real && year >= 1900 && year < 2100 && !d.After(now)
					if want {
						days++
					}
					if c.holds(year, month, day) != want {
						t.Fatalf("%v: %d-%d-%d: want %v", now, year, month, day, want)
					}
				}
			}
		}
		if c.count != days {
			t.Errorf("%v: %d days, want %d", now, c.count, days)
		}
	}
}
