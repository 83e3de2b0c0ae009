package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Record is an entry as it stands in the journal.
type Record struct {
	// Seq counts all entries from 1.
	Seq  uint64              `json:"seq"`
	At   time.Time           `json:"at"`
	Kind appliance.EntryKind `json:"kind"`
	// Subject is what the entry is about.
	Subject string `json:"subject,omitempty"`
	// Transaction is the keyed hash of the transaction's id, 32 hexadecimal digits.
	Transaction string            `json:"transaction,omitempty"`
	Detail      map[string]string `json:"detail,omitempty"`
}

// Kinds of entries that the journal makes itself.
const (
	entryOpened    appliance.EntryKind = "journal.opened"    // first of each segment
	entrySealed    appliance.EntryKind = "journal.sealed"    // last of each segment
	entryRecovered appliance.EntryKind = "journal.recovered" // a torn last entry was cut
	entryDamaged   appliance.EntryKind = "journal.damaged"   // the journal was not as the head says
	entryResumed   appliance.EntryKind = "journal.resumed"   // it writes again after a failure
	entryPruned    appliance.EntryKind = "journal.pruned"    // old segments are deleted
)

// digest is the hash of an entry.
type digest [sha256.Size]byte

func (d digest) String() string { return hex.EncodeToString(d[:]) }

func parseDigest(s string) (d digest, ok bool) {
	if len(s) != 2*len(d) {
		return d, false
	}
	n, err := hex.Decode(d[:], []byte(s))
	return d, err == nil && n == len(d)
}

// position is a place in the journal: behind entry Seq, whose hash is Hash. The zero position is before the first.
type position struct {
	Seq  uint64
	Hash digest
}

// follow returns the hash of the entry text behind position p.
func (p position) follow(text []byte) digest {
	h := sha256.New()
	h.Write(p.Hash[:])
	h.Write(text)
	return digest(h.Sum(nil))
}

// put appends the line of a record behind p to buf and returns the position behind it.
func (p position) put(buf *bytes.Buffer, r Record) (position, error) {
	r.Seq = p.Seq + 1
	text, err := json.Marshal(r)
	if err != nil {
		return p, fmt.Errorf("write entry: %w", err)
	}
	next := position{Seq: r.Seq, Hash: p.follow(text)}
	buf.WriteString(next.Hash.String())
	buf.WriteByte(' ')
	buf.Write(text)
	buf.WriteByte('\n')
	return next, nil
}

// line is one line of a segment as it was found. Its text lies in the memory of the segment.
type line struct {
	hash   digest
	hashed bool // hash could be read
	text   []byte
	record Record
	sound  bool // the line has the form of an entry; its hash may be wrong
	offset int  // where it begins, and where the next one does
	end    int
	whole  bool // it ends with a line break
}

// position is behind the line.
func (l line) position() position { return position{l.record.Seq, l.hash} }

// follows reports whether the line is the entry behind p.
func (l line) follows(p position) bool {
	return l.sound && l.record.Seq == p.Seq+1 && p.follow(l.text) == l.hash
}

// split cuts the content of a segment into lines.
func split(content []byte) []line {
	var lines []line
	for at := 0; at < len(content); {
		end, whole := len(content), false
		if i := bytes.IndexByte(content[at:], '\n'); i >= 0 {
			end, whole = at+i, true
		}
		l := parseLine(content[at:end])
		l.offset, l.end, l.whole = at, end, whole
		if whole {
			l.end++
		}
		l.sound = l.sound && whole
		lines = append(lines, l)
		at = l.end
	}
	return lines
}

func parseLine(b []byte) (l line) {
	const head = 2*sha256.Size + 1
	if len(b) < head {
		return l
	}
	l.hash, l.hashed = parseDigest(string(b[:head-1]))
	if !l.hashed || b[head-1] != ' ' || l.hash.String() != string(b[:head-1]) {
		return l
	}
	l.text = b[head:]
	d := json.NewDecoder(bytes.NewReader(l.text))
	d.DisallowUnknownFields()
	if d.Decode(&l.record) != nil || d.InputOffset() != int64(len(l.text)) || l.record.Seq == 0 {
		return l
	}
	l.sound = true
	return l
}
