package audit

import "strconv"

// passage is the way through one segment.
type passage struct {
	*verifier
	n        uint64 // its number by the name of the file
	held     uint64 // its number by its first entry
	first    uint64 // its first entry
	lines    []line
	sealed   bool
	broken   int    // lines in a row that are no entries
	expected uint64 // the entry that belongs to the first of them
	last     bool   // no segment follows
}

// segment verifies one segment.
func (v *verifier) segment(n uint64, last bool) error {
	content, err := readSegment(v.dir, n)
	if err != nil {
		return err
	}
	v.report.Segments++
	p := &passage{verifier: v, n: n, held: n, lines: split(content), last: last}
	for i := range p.lines {
		if p.sealed {
			p.report.problem(n, 0, "bytes follow its seal")
			break
		}
		if err := p.line(i); err != nil {
			return err
		}
	}
	p.finish()
	return nil
}

// line judges one line.
func (p *passage) line(i int) error {
	l := p.lines[i]
	if !l.sound {
		if p.broken == 0 {
			p.expected = p.at.Seq + 1
		}
		p.broken++
		return nil
	}
	if i == 0 || p.first == 0 {
		p.opening(l)
	}
	p.mend(l)
	guessed := p.loose // then what a seal here signed cannot be told
	if !l.follows(p.at) && !p.accept(i) {
		return nil
	}
	before := p.at
	p.at = l.position()
	if _, asked := p.hashes[p.at.Seq]; asked {
		p.hashes[p.at.Seq] = p.at.Hash
	}
	r := &p.report
	if r.Entries++; r.Since.IsZero() {
		r.Since = l.record.At
	}
	r.Until = l.record.At
	if l.record.Kind == entrySealed {
		p.sealed = true
		if !guessed && !l.record.sealed(p.check.Public, p.held, p.first, before) {
			r.problem(p.n, l.record.Seq, "the seal was not made by this appliance for what the segment holds")
		}
	}
	if p.each == nil {
		return nil
	}
	return p.each(l.record)
}

// opening judges the first entry of the segment. One that was changed is left to accept.
func (p *passage) opening(l line) {
	p.first = l.record.Seq
	if p.broken > 0 {
		p.first = p.expected
		return
	}
	previous, ok := parseDigest(l.record.Detail["previous"])
	claimed := position{l.record.Seq - 1, previous}
	if l.record.Kind != entryOpened || !ok || !l.follows(claimed) {
		if l.follows(p.at) || p.loose {
			p.report.problem(p.n, l.record.Seq, "the entry that begins the segment is missing before it")
		}
		return
	}
	if l.record.Subject != strconv.FormatUint(p.n, 10) {
		p.report.problem(p.n, 0, "the file holds segment %s: files were renamed or exchanged", l.record.Subject)
		p.held, _ = strconv.ParseUint(l.record.Subject, 10, 64) // 0 is no segment either
		p.loose = true
	}
	switch {
	case claimed == p.at, claimed == p.other, p.loose: // or named already
	case claimed.Seq > p.at.Seq:
		p.report.problem(p.n-1, 0, "its end is missing: segment %d goes on from entry %d, and it ends with entry %d", p.n, claimed.Seq, p.at.Seq)
	default:
		p.report.problem(p.n, l.record.Seq, "it does not go on from entry %d, the last of the segment before", p.at.Seq)
	}
	p.at, p.loose = claimed, false
}

// mend ends a row of lines that are no entries, now that entry l follows.
func (p *passage) mend(l line) {
	if p.broken == 0 {
		return
	}
	switch last := l.record.Seq - 1; {
	case last == p.expected:
		p.report.problem(p.n, p.expected, "damaged")
	case last > p.expected:
		p.report.problem(p.n, p.expected, "damaged, and those up to entry %d", last)
	default:
		p.report.problem(p.n, l.record.Seq, "bytes that are no entry stand before it")
	}
	p.broken = 0
	p.at.Seq, p.loose = l.record.Seq-1, true
}

// accept judges an entry that does not follow the one before it. It reports whether the journal goes on from there.
func (p *passage) accept(i int) bool {
	l, want := p.lines[i], p.at.Seq+1
	if p.loose && l.record.Seq == want {
		p.loose = false
		return true // behind what is missing or damaged, its hash cannot be told
	}
	// Where the next line goes on from the hash that stands here, only the text of this one was changed, or its hash.
	same := p.ends(i, want) || i+1 < len(p.lines) && (p.lines[i+1].follows(position{want, l.hash}) || p.lines[i+1].follows(position{want, p.at.follow(l.text)}))
	switch {
	case l.record.Seq == want || same:
		p.report.problem(p.n, want, "changed")
		l.record.Seq = want
		p.other = position{want, p.at.follow(l.text)}
		if i+1 < len(p.lines) && p.lines[i+1].follows(p.other) {
			l.hash = p.other.Hash
		}
		p.at, p.sealed = l.position(), l.record.Kind == entrySealed
		if i == 0 {
			p.first = want
		}
		return false
	case l.record.Seq > want && l.record.Seq == want+1:
		p.report.problem(p.n, want, "missing")
	case l.record.Seq > want:
		p.report.problem(p.n, want, "missing, and those up to entry %d", l.record.Seq-1)
	default:
		p.report.problem(p.n, l.record.Seq, "it stands where entry %d belongs", want)
		return false
	}
	return true
}

// ends reports whether the segment ends with line i, and the entry in that place has the number want: a seal says so itself, and
// of the last segment the head does.
func (p *passage) ends(i int, want uint64) bool {
	if i+1 < len(p.lines) {
		return false
	}
	r := p.lines[i].record
	return r.Kind == entrySealed && r.Detail["last"] == strconv.FormatUint(want-1, 10) || p.last && p.top.Seq == want
}

// finish judges how the segment ends.
func (p *passage) finish() {
	if p.sealed {
		p.broken = 0 // what follows the seal is named already
	}
	if p.broken > 0 {
		torn := p.broken == 1 && p.last && !p.lines[len(p.lines)-1].whole
		switch {
		case torn && p.check.Live: // it is being written
		case torn && p.at.Seq >= p.top.Seq:
			p.report.problem(p.n, p.expected, "it ends in the middle of this entry: a crash while it was written; the next start cuts it")
		default:
			p.report.problem(p.n, p.expected, "damaged, at the end of the segment")
			p.loose = true
		}
	}
	if len(p.lines) == 0 && !(p.last && p.top.Segment < p.n) {
		p.report.problem(p.n, 0, "is empty")
		p.loose = true
	}
	p.loose = p.loose || p.held != p.n
	if !p.sealed && !p.last && p.broken == 0 {
		p.report.problem(p.n, 0, "it has no seal")
	}
}
