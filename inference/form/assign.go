package form

import (
	"cmp"
	"math"
	"slices"
)

// beam is how many partial assignments are kept from stretch to stretch.
const beam = 64

// absent is how much less likely, in nats, an assignment is for each field without print that every document of the kind has.
func (w Weights) absent() float64 { return w.number("absent", 2) }

// assignment gives each stretch its role.
type assignment struct {
	roles []role
	score float64
}

// step is a partial assignment led on by the role of one more stretch.
type step struct {
	from, role int // by index
	score      float64
}

// assign gives the stretches, from the top, their roles: each field begins once, and its further lines stand under its first. It
// returns the likeliest assignment, and for each stretch by how much its role is likelier than the next one, in nats: alone, and as the
// whole assignment is likelier than the next one in which it has another role.
func (s *sheet) assign(w Weights) (best []role, margins, together []float64) {
	roles := s.description.roles()
	shares := make([][]float64, len(s.stretches))
	kept := []assignment{{}}
	for i := range s.stretches {
		shares[i] = s.logShares(i, roles, w)
		var next []step
		for k, a := range kept {
			for n, r := range roles {
				if s.fits(a.roles, i, r) {
					next = append(next, step{k, n, a.score + shares[i][n]})
				}
			}
		}
		slices.SortFunc(next, func(a, b step) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from), cmp.Compare(a.role, b.role))
		})
		grown := make([]assignment, min(len(next), beam))
		for k, n := range next[:len(grown)] {
			grown[k] = assignment{append(slices.Clone(kept[n.from].roles), roles[n.role]), n.score}
		}
		kept = grown
	}
	for i := range kept {
		kept[i].score -= w.absent() * float64(s.description.without(kept[i].roles))
	}
	slices.SortStableFunc(kept, func(a, b assignment) int { return cmp.Compare(b.score, a.score) })
	best = kept[0].roles
	margins = make([]float64, len(best))
	for i, r := range best {
		own := shares[i][slices.Index(roles, r)]
		second := -20.0
		for k, o := range roles {
			if o != r {
				second = max(second, shares[i][k])
			}
		}
		margins[i] = own - second
	}
	return best, margins, s.together(kept)
}

// without counts the fields that every document of the kind has and to which an assignment gives no print.
func (d *Description) without(given []role) (n int) {
	for i, f := range d.Fields {
		if f.Required && !slices.ContainsFunc(given, func(r role) bool { return r.field == i }) {
			n++
		}
	}
	return n
}

// together is for each stretch by how much the first assignment is likelier than the next one in which it has another role: two
// stretches that may change places are as likely so, though each role alone may seem clear.
func (s *sheet) together(kept []assignment) []float64 {
	out := make([]float64, len(s.stretches))
	for i := range out {
		out[i] = math.Inf(1)
		for _, a := range kept[1:] {
			if a.roles[i] != kept[0].roles[i] {
				out[i] = kept[0].score - a.score
				break
			}
		}
	}
	return out
}

// fits reports whether the i-th stretch may have a role where those before it have theirs.
func (s *sheet) fits(given []role, i int, r role) bool {
	if r.field < 0 {
		return true
	}
	lines := 0
	last := -1
	for k, g := range given {
		if g.field == r.field {
			lines++
			last = k
		}
	}
	f := &s.description.Fields[r.field]
	if len(f.series) > 0 {
		return lines < f.Lines
	}
	if !r.further || lines == 0 {
		return !r.further && lines == 0
	}
	x, o := s.stretches[i].box, s.stretches[last].box
	return lines < f.Lines && !x.level(o) && x.y > o.y && (s.stretches[i].above == last || x.over(o))
}

// deal gives the lines that the first fields of series have to all fields of these.
func (s *sheet) deal() {
	dealt := map[int]int{}
	for i, r := range s.given {
		if r.field < 0 || len(s.description.Fields[r.field].series) == 0 {
			continue
		}
		series, n := s.description.Fields[r.field].series, dealt[r.field]
		dealt[r.field] = n + 1
		s.given[i] = role{field: series[min(n, len(series)-1)], further: n >= len(series)}
	}
}
