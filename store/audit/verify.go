package audit

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Check says how a journal is verified.
type Check struct {
	// Dir is the data folder, or any folder that holds the files of a journal in a folder audit.
	Dir string
	// Public are the keys of the identities that may have signed; at least one.
	Public []ed25519.PublicKey
	// Kept is the signed head that the database keeps; nil where it is not at hand.
	Kept []byte
	// Live tells that a daemon writes the journal meanwhile: what follows the head is not judged by where it ends.
	Live bool
	// Known is a line that an earlier verification printed (Report.Last); the journal must still hold it. The zero Mark asks
	// for nothing.
	Known Mark
}

// Mark names one entry by number and hash: a witness of everything up to it.
type Mark struct {
	Seq  uint64
	Hash string // 64 hexadecimal digits
}

// String writes the mark as ParseMark reads it.
func (m Mark) String() string { return fmt.Sprintf("%d:%s", m.Seq, m.Hash) }

// ParseMark reads a mark, as 120:9f86....
func ParseMark(s string) (m Mark, err error) {
	if _, err := fmt.Sscanf(s, "%d:%s", &m.Seq, &m.Hash); err != nil {
		return m, fmt.Errorf("%q is no mark: write NUMBER:HASH, as a verification prints it", s)
	}
	if _, ok := parseDigest(m.Hash); !ok || m.Seq == 0 {
		return m, fmt.Errorf("%q is no mark: write NUMBER:HASH, as a verification prints it", s)
	}
	return m, nil
}

// Problem is one thing that is wrong with a journal. Segment and Entry are 0 where it concerns none.
type Problem struct {
	Segment, Entry uint64
	What           appliance.Phrase
}

// String says where and what, in English.
func (p Problem) String() string { return p.In(appliance.English) }

// In says where and what in a language.
func (p Problem) In(l appliance.Language) string {
	switch {
	case p.Segment > 0 && p.Entry > 0:
		return appliance.Phrasef("segment %d, entry %d: %s", p.Segment, p.Entry, p.What).In(l)
	case p.Segment > 0:
		return appliance.Phrasef("segment %d: %s", p.Segment, p.What).In(l)
	case p.Entry > 0:
		return appliance.Phrasef("entry %d: %s", p.Entry, p.What).In(l)
	}
	return p.What.In(l)
}

// maxProblems bounds a report: a file of something else altogether has one in every line.
const maxProblems = 1000

// Report is what a verification found.
type Report struct {
	Segments int
	Entries  uint64
	// Pruned is the last entry that was deleted because of its age; 0 where none was.
	Pruned uint64
	// Since and Until are the times of the first and the last entry.
	Since, Until time.Time
	// Last is the last entry: worth keeping outside of the appliance.
	Last     Mark
	Problems []Problem
}

// OK tells that nothing is wrong.
func (r Report) OK() bool { return len(r.Problems) == 0 }

func (r *Report) problem(segment, entry uint64, format string, args ...any) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, Problem{segment, entry, appliance.Phrasef(format, args...)})
	}
}

// Verify examines a whole journal and names all that is wrong with it. The error is for a journal that cannot be read.
func Verify(ctx context.Context, c Check) (Report, error) {
	v := verifier{check: c, dir: Folder(c.Dir), hashes: map[uint64]digest{}}
	if err := v.run(ctx); err != nil {
		return v.report, fmt.Errorf("verify journal: %w", err)
	}
	return v.report, nil
}

// verifier is one verification under way.
type verifier struct {
	check  Check
	dir    string
	report Report
	top    head               // the newest head of all
	hashes map[uint64]digest  // of the entries that heads and marks name
	at     position           // behind what was read so far
	other  position           // where at may be as well: the last entry was changed, its text or its hash
	loose  bool               // at is not certain: what came before is missing or damaged, and named
	number uint64             // of the last segment
	each   func(Record) error // gets every sound entry; may be nil
}

func (v *verifier) run(ctx context.Context) error {
	// The head is read before the segments: a daemon that writes meanwhile can only add to what it names.
	if err := v.readHeads(); err != nil {
		return err
	}
	gone, err := readPruned(v.dir, v.check.Public)
	if err != nil {
		v.report.problem(0, 0, "the record of deleted segments is damaged or not signed by this appliance")
		v.loose = true
	}
	list, err := segments(v.dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return err
	}
	v.number, v.at, v.report.Pruned = gone.Through, gone.position(), gone.Seq
	for i, n := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if n <= gone.Through {
			continue // a crash kept it from being deleted; its entries are vouched for by the record
		}
		v.gap(n)
		if err := v.segment(n, i == len(list)-1); err != nil {
			return err
		}
	}
	v.end()
	return nil
}

// readHeads reads the head and the copy of it that the database keeps.
func (v *verifier) readHeads() error {
	found, bad, err := heads(v.dir, v.check.Public)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		v.top = found[0]
	}
	for _, h := range found {
		v.hashes[h.Seq] = digest{}
	}
	switch {
	case bad > 0 && len(found) == 0:
		v.report.problem(0, 0, "the head is damaged or not signed by this appliance: it was replaced, or the key is another one")
	case bad > 0:
		v.report.problem(0, 0, "one of the two slots of the head is damaged or not signed by this appliance")
	case len(found) == 0:
		if list, err := segments(v.dir); err == nil && len(list) > 0 {
			v.report.problem(0, 0, "the head is missing")
		}
	}
	var kept head
	if len(v.check.Kept) > 0 {
		if err := openNote(v.check.Public, aboutHead, v.check.Kept, &kept); err != nil {
			v.report.problem(0, 0, "the copy of the head in the database is damaged or not signed by this appliance")
		}
		v.hashes[kept.Seq] = digest{}
	}
	switch {
	case kept.Seq > v.top.Seq && v.top.Seq == 0:
		v.report.problem(0, 0, "there is no head, and its copy in the database names entry %d", kept.Seq)
		v.top = kept
	case kept.Seq > v.top.Seq:
		v.report.problem(0, 0, "the head names entry %d, its copy in the database entry %d: an older head was put in its place", v.top.Seq, kept.Seq)
		v.top = kept
	}
	v.hashes[v.check.Known.Seq] = digest{}
	return nil
}

// gap names the segments that are missing before n.
func (v *verifier) gap(n uint64) {
	switch missing := n - v.number - 1; {
	case missing == 1:
		v.report.problem(n-1, 0, "is missing")
	case missing > 1:
		v.report.problem(n-missing, 0, "and those up to segment %d are missing", n-1)
	}
	v.loose = v.loose || n != v.number+1
	v.number = n
}

// end compares where the journal ends with what the heads and the mark name.
func (v *verifier) end() {
	r := &v.report
	r.Last = Mark{v.at.Seq, v.at.Hash.String()}
	switch {
	case v.top.Seq > v.at.Seq && v.top.Segment > v.number:
		v.gap(v.top.Segment + 1)
	case v.top.Seq > v.at.Seq:
		r.problem(v.top.Segment, 0, "the end is missing: the signed head names entry %d, the journal ends with entry %d", v.top.Seq, v.at.Seq)
	case v.top.Seq > 0 && v.top.Seq < v.at.Seq && !v.check.Live:
		r.problem(v.number, 0, "%d entries follow entry %d, which the signed head names as the last: the daemon did not stop in order, or an older head was put in its place", v.at.Seq-v.top.Seq, v.top.Seq)
	}
	if h := v.hashes[v.top.Seq]; v.top.Seq > r.Pruned && v.top.Seq <= v.at.Seq && h != v.top.position().Hash {
		r.problem(v.top.Segment, v.top.Seq, "is not the one that the signed head names: the journal was rewritten, or the head replaced")
	}
	known := v.check.Known
	switch {
	case known.Seq == 0:
	case known.Seq <= r.Pruned:
		if known.Seq == r.Pruned && known.Hash != v.hashes[known.Seq].String() {
			r.problem(0, known.Seq, "is not the one that was known")
		}
	case known.Seq > v.at.Seq:
		r.problem(0, known.Seq, "was known and is missing: the journal ends with entry %d", v.at.Seq)
	case v.hashes[known.Seq].String() != known.Hash:
		r.problem(0, known.Seq, "is not the one that was known: the journal was rewritten")
	}
}

// Walk calls each with every sound entry from since to until, both included, in the order of the journal; a zero time
// is no limit. It returns what a verification found on the way.
func Walk(ctx context.Context, c Check, since, until time.Time, each func(Record) error) (Report, error) {
	v := verifier{check: c, dir: Folder(c.Dir), hashes: map[uint64]digest{}, each: func(r Record) error {
		if !since.IsZero() && r.At.Before(since) || !until.IsZero() && r.At.After(until) {
			return nil
		}
		return each(r)
	}}
	if _, err := os.Stat(v.dir); err != nil {
		return v.report, fmt.Errorf("read journal: %w", err)
	}
	if err := v.run(ctx); err != nil {
		return v.report, fmt.Errorf("read journal: %w", err)
	}
	return v.report, nil
}
