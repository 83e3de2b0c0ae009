package form

import (
	"cmp"
	"math"
	"slices"
)

// beam is how many partial assignments are kept from stretch to stretch.
const beam = 64 // work

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

// assigned is the likeliest assignment, and for each stretch by how much its role is likelier than the next one, in nats: alone, and as the
// whole assignment is likelier than the next one in which it has another role, which is the one it has instead.
type assigned struct {
	given             []role
	margins, together []float64
	instead           []role
}

// assign gives the stretches, from the top, their roles: each field begins once, and its further lines stand under its first.
func (s *sheet) assign() {
	roles := s.description.roles()
	shares := make([][]float64, len(s.stretches))
	kept := []assignment{{}}
	for i := range s.stretches {
		shares[i] = s.logShares(i, roles)
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
		kept[i].score -= s.omits(kept[i].roles)
	}
	slices.SortStableFunc(kept, func(a, b assignment) int { return cmp.Compare(b.score, a.score) })
	s.assigned = assigned{given: kept[0].roles, margins: make([]float64, len(s.stretches))}
	s.together, s.instead = s.apart(kept)
	for i, r := range s.given {
		at := slices.Index(roles, r)
		s.margins[i] = shares[i][at] - max(-20, slices.Max(slices.Delete(slices.Clone(shares[i]), at, at+1))) // guard: a share of 0
	}
}

// omits is how much less likely, in nats, an assignment is for what it leaves out: fields without print that every document of the kind
// has; print between two lines of one value; a first line above its label; and print close above a value that stands by its place or a line
// of a series, flush with it, since such columns hold values alone.
func (s *sheet) omits(given []role) (sum float64) {
	for i, f := range s.description.Fields {
		sum += s.Absent * one(f.Required && !slices.ContainsFunc(given, func(r role) bool { return r.field == i }))
	}
	for i, r := range given {
		x := &s.stretches[i]
		sum += s.Idle * one(r.field >= 0 && (s.broken(i, given) || s.late(x, r, given)))
		if x.below < 0 || given[x.below].field < 0 {
			continue
		}
		under := given[x.below].field
		column := s.description.Fields[under].Place != nil || len(s.description.Fields[under].series) > 0
		sum += s.Enclosed * one(x.above >= 0 && given[x.above].field == under && r.field != under)
		sum += s.Idle * one(r == none && column && s.flush(x, &s.stretches[x.below]))
	}
	return sum
}

// broken reports whether print under an announced value, flush with it or announced too, beside no other label, is not of the next field.
func (s *sheet) broken(i int, given []role) bool {
	x, f := &s.stretches[i], &s.description.Fields[given[i].field]
	if x.below < 0 || !x.labelled(f) {
		return false
	}
	o := &s.stretches[x.below]
	rest := slices.IndexFunc(s.description.Fields, func(o Field) bool { return o.Follows == f.Name })
	other := slices.ContainsFunc(o.links, func(l link) bool { return l.how == behind || l.how == further })
	return rest >= 0 && given[x.below].field != rest && !other && (s.flush(x, o) || o.labelled(f))
}

// late reports whether a label announces the last of two lines of a value, and not the first.
func (s *sheet) late(x *stretch, r role, given []role) bool {
	f, first := &s.description.Fields[r.field], x.above >= 0 && given[x.above] == role{field: r.field}
	return r.further && first && x.labelled(f) && !s.stretches[x.above].labelled(f) && (x.below < 0 || given[x.below].field != r.field)
}

// apart is for each stretch by how much the first assignment is likelier than the next one in which it has another role, and that role: two
// stretches that may change places are as likely so, though each role alone may seem clear.
func (s *sheet) apart(kept []assignment) (gaps []float64, instead []role) {
	gaps, instead = make([]float64, len(s.stretches)), make([]role, len(s.stretches))
	for i := range gaps {
		gaps[i], instead[i] = math.Inf(1), none
		if k := slices.IndexFunc(kept, func(a assignment) bool { return s.differ(kept[0].roles, a.roles, i) }); k > 0 {
			gaps[i], instead[i] = kept[0].score-kept[k].score, kept[k].roles[i]
		}
	}
	return gaps, instead
}

// differ reports whether the i-th stretch is something else in another assignment. Where two fields that an order sorts have changed
// places, the same is answered.
func (s *sheet) differ(roles, others []role, i int) bool {
	is, other := roles[i], others[i]
	k := slices.Index(roles, other)
	return is != other && (k < 0 || others[k] != is || !slices.ContainsFunc(s.description.Orders, func(o Order) bool {
		first, second := s.description.field(o.First), s.description.field(o.Second)
		return is.field == first && other.field == second || is.field == second && other.field == first
	}))
}

// fits reports whether the i-th stretch may have a role where those before it have theirs.
func (s *sheet) fits(given []role, i int, r role) bool {
	if r.field < 0 {
		return true
	}
	lines, last := 0, -1
	for k, g := range given {
		if g.field == r.field {
			lines, last = lines+1, k
		}
	}
	f := &s.description.Fields[r.field]
	if len(f.series) > 0 {
		foreign := func(l link) bool { return l.how == behind && !s.description.reads(l.label) } // right behind a label of no field
		return lines < f.Lines && !slices.ContainsFunc(s.stretches[i].links, foreign)
	}
	if s.announcedElse(&s.stretches[i], r) {
		return false
	}
	if !r.further || lines == 0 {
		return !r.further && lines == 0
	}
	x, o := s.stretches[i].box, s.stretches[last].box
	return lines < f.Lines && !s.level(x, o) && x.y > o.y && (s.stretches[i].above == last || s.over(x, o))
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
