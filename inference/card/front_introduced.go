package card

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/egypt"
)

// announcedFront is how many labels of different fields a front has at least whose lines are all introduced by one.
const announcedFront = 2

// arabicFront are the wordings of its labels in Arabic.
var arabicFront = sync.OnceValue(func() []egypt.Phrase {
	return slices.DeleteFunc(egypt.IntroducedFrontPhrases(), func(p egypt.Phrase) bool { return p.Label == egypt.LabelEnglish })
})

// fieldsAnnounced counts the fields that the labels in some lines introduce.
func fieldsAnnounced(lines []entry) int {
	found := map[egypt.Label]bool{}
	for _, e := range lines {
		for _, l := range labelsIn(strings.Fields(e.text), arabicFront()) {
			if !titleLabel(l) {
				found[l] = true
			}
		}
	}
	return len(found)
}

// readIntroducedFront reads what the labels of a front announce, as on a licence: other fields may stand between the parts of the name and the address, and the labels on any
// side of their values. ok is false where they announce no name or no address; then h is as it was.
func (s *sheet) readIntroducedFront(ctx context.Context, h *person) (ok bool, err error) {
	near := *s
	if s.closer != nil { // of boxes side by side the detector sees one line else
		if near.lines, err = s.closer(ctx); err != nil {
			return false, err
		}
	}
	all, err := near.readCells(ctx, egypt.IntroducedFrontPhrases())
	if err != nil {
		return false, err
	}
	names := all.announcedBy(nameLines, entry.ofPlace, egypt.LabelName, egypt.LabelRest)
	addresses := all.announcedBy(addressLines, entry.onlyDate, egypt.LabelAddress, egypt.LabelDistrict, egypt.LabelGovernorate)
	if len(names) == 0 || len(addresses) == 0 {
		return false, nil
	}
	seen := slices.Concat(h.names, h.addresses)
	names, addresses = surer(names, seen), surer(addresses, seen)
	// The label of one may be too small to be read.
	if gapped(names, 1) {
		names = all.withUnannounced(names, h.names)
	}
	if len(addresses) < addressLines {
		addresses = all.withUnannounced(addresses, h.addresses)
	}
	h.names, h.addresses, h.labelled = names, addresses, true
	h.incomplete = gapped(names, 1) || all.strayAmong(slices.Concat(names, addresses))
	if i := all.find(egypt.LabelBirth); i >= 0 {
		if v := all.valueOf(i); len(v) > 0 {
			h.birth = all.take(v...).row
		}
	}
	return true, nil
}

// surer takes for lines what was read at their height before, where they are hardly read and that is surer, or where it is the same text: the readers know it from as far as that.
func surer(lines, before []entry) []entry {
	out := slices.Clone(lines)
	for i, e := range lines {
		k := slices.IndexFunc(before, func(o entry) bool {
			return o.level(e) && (e.confidence < surePiece && o.confidence > e.confidence || o.sameReach(e))
		})
		if k >= 0 {
			out[i] = before[k]
		}
	}
	return out
}

// sameReach reports whether two lines begin and end at the same places.
func (e entry) sameReach(o entry) bool {
	near := e.height() / viewWidth
	return math.Abs(e.left()-o.left()) < near && math.Abs(e.right()-o.right()) < near
}

// strayAmong reports whether a word stands between the first and the last of some lines that no label announces and none of them holds: its label may have been misread.
func (a cells) strayAmong(lines []entry) bool {
	top, bottom := 1.0, 0.0
	for _, e := range lines {
		top, bottom = min(top, e.y()), max(bottom, e.y())
	}
	valued := a.valued()
	for i := range a {
		c := &a[i]
		beside := func(e entry) bool { return e.level(c.entry) && c.right() > e.left() && c.left() < e.right() }
		if !c.used && c.label == "" && !slices.Contains(valued, i) && c.y() > top && c.y() < bottom && c.confidence >= hardlyInk && arabicLetters(c.text) >= shortWord &&
			!isTitle(c.text) && !slices.ContainsFunc(lines, beside) {
			return true
		}
	}
	return false
}

// withUnannounced adds to lines those of others that are level with none that a label announces.
func (a cells) withUnannounced(lines, others []entry) []entry {
	for _, e := range others {
		level := func(c cell) bool { return e.level(c.entry) && (c.introduces() || c.used) }
		if !slices.ContainsFunc(a, level) {
			lines = append(lines, e)
		}
	}
	slices.SortStableFunc(lines, func(a, b entry) int { return cmp.Compare(a.y(), b.y()) })
	return lines
}

// valued are the cells that are the value of any label.
func (a cells) valued() (out []int) {
	for i := range a {
		out = append(out, a[i].values...)
	}
	return out
}

// ofPlace reports whether a line looks like one of an address.
func (e entry) ofPlace() bool { return e.ofStreet() || egypt.EndsInPlace(e.text) }

// nameLines is in how many lines a name is printed at the most.
const nameLines = 3

// announcedBy are the values of some labels in the order in which they are printed, that of a single label with the lines below it, up to most, that are no other label's and not
// foreign to it.
func (a cells) announcedBy(most int, foreign func(entry) bool, labels ...egypt.Label) (out []entry) {
	var own []int
	valued := a.valued()
	for i := range a {
		if slices.Contains(labels, a[i].label) && len(a[i].values) > 0 {
			own = append(own, i)
		}
	}
	inOrder(own, func(i int) entry { return a[i].entry })
	for _, i := range own {
		v := a.valueOf(i)
		if len(v) == 0 || isTitle(a[v[0]].text) {
			continue
		}
		out = append(out, a.take(v...))
		if len(own) > 1 {
			continue
		}
		for len(out) < most {
			next := a.belowValue(v)
			if next < 0 || a[next].confidence < crumb || slices.Contains(valued, next) || foreign(a[next].entry) {
				break
			}
			// What stands in the column of another value is that one's.
			v = slices.DeleteFunc(a.beside(next), func(k int) bool {
				return k != next && slices.ContainsFunc(valued, func(o int) bool { return !slices.Contains(a[i].values, o) && a[k].under(&a[o]) })
			})
			out = append(out, a.take(v...))
		}
	}
	return out
}

// labelsIn are the labels among words.
func labelsIn(words []string, labels []egypt.Phrase) []egypt.Label {
	at, ok := egypt.LocateLabel(words, labels)
	if !ok {
		return nil
	}
	return append(append(labelsIn(words[:at.From], labels), at.Phrase.Label), labelsIn(words[at.To:], labels)...)
}

// belowValue is the cell without a label close below a value, in its column; -1 where there is none.
func (a cells) belowValue(value []int) int {
	if len(value) == 0 {
		return -1
	}
	v := &a[value[0]]
	return slices.IndexFunc(a, func(c cell) bool {
		drop := (c.y() - v.y()) * viewHeight / max(v.height(), c.height())
		words := arabicLetters(c.text) >= shortWord && !anyDigit(c.text)
		return !c.used && c.label == "" && drop > 0.8 && drop < columnDrop && c.under(v) && words
	})
}
