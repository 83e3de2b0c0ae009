package card

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// holdsSerial reports whether a line is a serial, with its label or without.
func (e entry) holdsSerial() bool {
	return serialLike(e.text) == 1 || slices.ContainsFunc(strings.Fields(e.text), func(w string) bool { return serialLike(w) == 1 })
}

// longNumber reports whether a line holds more digits than any house has.
func (e entry) longNumber() bool { return digitsIn(e.text) >= fewestDigits }

// readSerial finds the card's serial: the most serial-like of the lines below the names, wherever they stand, but for the
// row of the number. A birth date that stands among them is taken, too, where none was found beside the number.
func (s *sheet) readSerial(ctx context.Context, d *datedNumber) (best entry, err error) {
	place, _ := egypt.At(egypt.Front(), egypt.RoleSerial)
	var candidates []row
	for _, r := range s.rows {
		for _, p := range r {
			p = p.leftOfNumber(d)
			if p.y() > place.Y-3*place.DY && p.slim() > 3 && p.slim() < 16 && !d.holds(p) {
				p.Height *= serialHeight
				candidates = append(candidates, row{p})
			}
		}
	}
	left, _ := s.textColumn()
	below := left == 0 // the portrait, which is on the right
	if below {
		behind, err := s.behindNumber(ctx, d)
		if err != nil {
			return best, err
		}
		candidates = append(candidates, behind...)
	}
	away := func(r row) float64 {
		x := r[0].centre()
		if below {
			x = 1 - x
		}
		return place.Distance(x, r.y())
	}
	slices.SortStableFunc(candidates, func(a, b row) int { return cmp.Compare(away(a), away(b)) })
	most := 0.0
	for _, r := range candidates[:min(len(candidates), 3)] {
		w, err := s.readWords(ctx, r)
		if err != nil {
			return best, err
		}
		if (entry{r, w}).onlyDate() {
			if err := s.readBirth(ctx, r, d); err != nil {
				return best, err
			}
			continue
		}
		e := entry{r, w}
		if err := s.withoutSerialLabel(ctx, &e); err != nil {
			return best, err
		}
		if v := serialLike(e.text); v > most {
			best, most = e, v
		}
		if most == 1 && (d.date != nil || len(d.numberRow) > 0 && !d.above()) { // beside the number it was looked for
			break
		}
	}
	if most < likeSerial || digitsIn(best.text) <= egypt.IDKeyDigits/2 { // words in Latin letters are a little like one
		if e, err := s.readSerialElsewhere(ctx, d); err != nil || len(e.row) > 0 {
			return e, err
		}
	}
	err = s.readFurther(ctx, &best)
	return best, err
}

// withoutSerialLabel leaves of a line in several words the one that is a serial, if one is: the others announce it.
func (s *sheet) withoutSerialLabel(ctx context.Context, e *entry) (err error) {
	if len(e.parts) != 1 {
		return nil
	}
	words := wordsOf(e.parts[0])
	at := slices.IndexFunc(words, func(w word) bool { return serialLike(w.text) == 1 })
	if at < 0 || len(words) == 1 {
		return nil
	}
	from, to := reach(words, at, at+1)
	e.row = row{piece{cut(e.row[0].Line, from, to)}}
	e.script, err = s.readWords(ctx, e.row)
	return err
}

// above reports whether the number of a front stands over the names or among the lines, and not at the foot.
func (d *datedNumber) above() bool {
	place, _ := egypt.At(egypt.Front(), egypt.RoleNumber)
	return len(d.numberRow) > 0 && d.numberRow.y() < place.Y-1.5*place.DY
}

// likeSerial is the least likeness to a serial of what may be one that was misread.
const likeSerial = 0.5

// readSerialElsewhere finds a serial at any height beside the lines, below the portrait or at the level of the titles, or else among them, behind its label; empty where none surely stands there.
func (s *sheet) readSerialElsewhere(ctx context.Context, d *datedNumber) (e entry, err error) {
	const side = 0.35 // of the card's width
	for _, beside := range []bool{true, false} {
		for _, r := range s.rows {
			for _, p := range r {
				if p.slim() < 4 || beside && p.slim() > 16 || beside != (p.right() <= side || p.left() >= 1-side) || d.holds(p) {
					continue
				}
				if beside {
					p.Height *= serialHeight
				}
				e := entry{row: row{p}}
				if e.script, err = s.readWords(ctx, e.row); err != nil {
					return entry{}, err
				}
				if e.holdsSerial() {
					err = s.withoutSerialLabel(ctx, &e)
					return e, err
				}
			}
		}
	}
	return entry{}, nil
}

// leftOfNumber is what of a piece stands left of the number, where the detector saw both as one.
func (p piece) leftOfNumber(d *datedNumber) piece {
	start := d.numberStart() - 0.5*p.Height
	if !p.inside(d.numberRow) || start-p.Start.X < 3*p.Height || p.End.X < start {
		return p
	}
	return piece{cut(p.Line, 0, (start-p.Start.X)/(p.End.X-p.Start.X))}
}

// behindNumber is the last word right of the number and its label, where the detector saw them all as one.
func (s *sheet) behindNumber(ctx context.Context, d *datedNumber) ([]row, error) {
	_, end := d.numberSpan()
	for _, r := range s.rows {
		for _, p := range r {
			if !p.inside(d.numberRow) || p.Start.X > end || p.End.X-end < leastSlim*p.Height {
				continue
			}
			rest := cut(p.Line, (end-p.Start.X)/(p.End.X-p.Start.X), 1)
			w, err := s.words(ctx, rest)
			if err != nil {
				return nil, err
			}
			if words := wordsOf(w); len(words) > 1 {
				last := piece{cut(rest, (words[0].start+words[1].end)/2, 1)}
				last.Height *= serialHeight
				return []row{{last}}, nil
			}
		}
	}
	return nil, nil
}

// serialHeight is what of the height that the detector sees in small Latin text is the letters' own (300 drawn
// photographs, November 2026).
const serialHeight = 0.75

// serialForm is what a serial looks like.
func serialForm() *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf("^[A-Z]{%d}[0-9]{%d}$", egypt.IDKeyLetters, egypt.IDKeyDigits))
}

// serialLike says from 0 to 1 how much a text looks like a serial.
func serialLike(line string) float64 {
	line = strings.Trim(strings.ToUpper(strings.ReplaceAll(egypt.FoldDigits(line), " ", "")), signs) // those of a label
	if serialForm().MatchString(line) {
		return 1
	}
	signs, good := []rune(line), 0
	for _, r := range signs {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			good++
		}
	}
	if len(signs) < 5 || len(signs) > 13 {
		return 0
	}
	return 0.9 * float64(good) / float64(len(signs)) * (1 - math.Abs(float64(len(signs)-9))/9)
}
