package truth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
)

// Source is where reviews come from.
type Source interface {
	Reviews(ctx context.Context) ([]review.Review, error)
	ReviewPictures(ctx context.Context, id string) (review.Review, [][]byte, error)
}

// Report says what became of the reviews.
type Report struct {
	// Written are in the set now; Open nobody has decided about, Disputed people differ about, Few were decided by fewer people than
	// asked for.
	Written, Open, Disputed, Few int
	// Pages are of a page behind the first, which the measuring commands do not open.
	Pages int
	// Unreadable, OtherDocument and Faces are no documents with known fields; OtherHalf are of a person who is in the other half.
	Unreadable, OtherDocument, Faces, OtherHalf int
}

// Export adds what people confirmed to the set of a folder, which it makes where it is missing. Only reviews on which at least so many
// people agree count. zone is where days begin and end. note is told how many are taken before anything of them is written. What was
// written before stays, also when its review is erased meanwhile. A call that was cut off is made up for by the next one.
func Export(
	ctx context.Context, from Source, dir string, people int, zone *time.Location, note func(context.Context, int) error,
) (r Report, err error) {
	set, err := Open(dir)
	if err != nil {
		return r, err
	}
	return set.export(ctx, from, people, zone, note)
}

func (s *Set) export(
	ctx context.Context, from Source, people int, zone *time.Location, note func(context.Context, int) error,
) (r Report, err error) {
	reviews, err := from.Reviews(ctx)
	if err != nil {
		return r, err
	}
	persons := personsOf(reviews)
	pictures := map[string][]byte{}
	var lines []Line
	for i := range reviews {
		outcome, fit := reviews[i].Outcome(), false
		if fit, r = r.count(&reviews[i], outcome, people); !fit {
			continue
		}
		_, shown, err := from.ReviewPictures(ctx, reviews[i].ID)
		if appliance.CodeOf(err) == appliance.CodeNotFound {
			continue // it was erased meanwhile
		}
		if err != nil {
			return r, err
		}
		l := lineOf(&reviews[i], outcome, zone, shown[0])
		l.Person = persons[l.Transaction]
		lines, pictures[l.Review] = append(lines, l), shown[0]
	}
	added, left := s.add(lines)
	if err := errors.Join(note(ctx, len(added)), s.begin()); err != nil {
		return r, err
	}
	for i := range added {
		if err := s.put(&added[i], pictures[added[i].Review]); err != nil {
			return r, err
		}
	}
	if err := s.save(); err != nil {
		return r, err
	}
	r.Written, r.OtherHalf = len(added), left
	return r, nil
}

// count reports whether a review has a truth, and counts it where it has none.
func (r Report) count(e *review.Review, o review.Outcome, people int) (bool, Report) {
	switch {
	case e.Document == nil:
		r.Faces++
	case e.Page > 1:
		r.Pages++
	case len(e.Decisions) == 0:
		r.Open++
	case o.Verdict == "":
		r.Disputed++
	case len(e.Decisions) < people:
		r.Few++
	case o.Verdict == review.Unreadable:
		r.Unreadable++
	case o.Verdict == review.OtherDocument:
		r.OtherDocument++
	case len(o.Values) == 0:
		r.Disputed++
	default:
		return true, r
	}
	return false, r
}

// personsOf names the person of each transaction: by a number of one of its documents as people corrected it, and without one by the
// transaction itself.
func personsOf(reviews []review.Review) map[string]string {
	persons := map[string]string{}
	for i := range reviews {
		r := &reviews[i]
		if _, ok := persons[r.Transaction]; !ok {
			persons[r.Transaction] = hashed("transaction " + r.Transaction)
		}
	}
	for i := range reviews {
		r := &reviews[i]
		if r.Document == nil {
			continue
		}
		if number := numberOf(r); number != "" {
			persons[r.Transaction] = PersonOf(number)
		}
	}
	return persons
}

// numberOf is the number that names the holder of a reviewed document, "" where it has none.
func numberOf(r *review.Review) string {
	if r.Document.PersonalNumber != "" {
		return r.Document.PersonalNumber
	}
	values := r.Outcome().Values
	for _, name := range r.Document.HolderFields() {
		if v := values[name]; v != "" {
			return v
		}
	}
	return ""
}

// PersonOf is how a set names the person of a number.
func PersonOf(number string) string {
	return hashed("number " + strings.ToUpper(strings.Join(strings.Fields(number), "")))
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte("bawab truth " + text))
	return hex.EncodeToString(sum[:8])
}

// lineOf writes a review as a line of the set.
func lineOf(r *review.Review, o review.Outcome, zone *time.Location, picture []byte) Line {
	d := Document{Kind: r.Subject(), Fields: o.Values, Covered: append(slices.Clone(o.Unreadable), o.Disputed...)}
	for i, p := range r.Document.Quad {
		d.Quad[i] = [2]float64{p.X, p.Y}
	}
	l := Line{
		File: picturesName + "/" + r.ID + extension(picture), Documents: []Document{d}, Review: r.ID, Transaction: r.Transaction,
		Day: r.At.In(zone).Format(time.DateOnly), Release: r.Versions["bawab"], Flagged: r.Flagged, Read: map[string]Reading{},
	}
	for i := range r.Decisions {
		l.People = append(l.People, r.Decisions[i].By)
	}
	for _, f := range r.Fields() {
		read := r.Document.Field(f.Name)
		l.Read[f.Name] = Reading{Value: read.Value, Confidence: read.Confidence, Codes: r.Document.Codes(f.Name)}
	}
	return l
}

// extension tells by its begin what a picture is.
func extension(b []byte) string {
	for begin, ext := range map[string]string{
		"\xff\xd8": ".jpg", "\x89PNG": ".png", "RIFF": ".webp", "II*\x00": ".tiff", "MM\x00*": ".tiff", "BM": ".bmp", "%PDF": ".pdf",
	} {
		if bytes.HasPrefix(b, []byte(begin)) {
			return ext
		}
	}
	return ".bin"
}

// Erased says what was removed from a set.
type Erased struct {
	Dir   string
	Lines int
}

// Erase removes the lines that are wanted, and destroys their pictures. A folder without a set is no error: it was carried away.
func Erase(dir string, wanted func(*Line) bool) (Erased, error) {
	s := &Set{dir: dir, sync: (*os.File).Sync}
	if err := s.clear(s.aside()); err != nil { // of an import that was cut off, before the set perhaps
		return Erased{Dir: dir}, err
	}
	if _, err := os.Stat(filepath.Join(dir, manifestName)); err != nil {
		return Erased{Dir: dir}, err
	}
	s, err := Open(dir)
	if err != nil {
		return Erased{Dir: dir}, err
	}
	return s.erase(wanted)
}

// erase destroys the pictures before it writes the lines without them: this needs no room on a full disk, and where it is cut off the
// lines still say what is to be erased.
func (s *Set) erase(wanted func(*Line) bool) (Erased, error) {
	out := Erased{Dir: s.dir}
	for _, half := range Halves() {
		for i := range s.Lines[half] {
			if l := &s.Lines[half][i]; wanted(l) {
				out.Lines++
				if err := s.destroy(filepath.Join(s.dir, half, filepath.FromSlash(l.File))); err != nil {
					return out, err
				}
			}
		}
	}
	if out.Lines == 0 {
		return out, s.tidy()
	}
	if err := s.forget(); err != nil { // what was made of the set may tell of whom it was
		return out, err
	}
	for _, half := range Halves() {
		s.Lines[half] = slices.DeleteFunc(s.Lines[half], func(l Line) bool { return wanted(&l) })
	}
	return out, s.save()
}

// Mentions reports whether a line is about the person of a number.
func (l *Line) Mentions(number string) bool {
	number = strings.ToUpper(strings.Join(strings.Fields(number), ""))
	if number == "" {
		return false
	}
	if l.Person == PersonOf(number) {
		return true
	}
	is := func(v string) bool { return strings.ToUpper(strings.Join(strings.Fields(v), "")) == number }
	for _, d := range l.Documents {
		for _, v := range d.Fields {
			if is(v) {
				return true
			}
		}
	}
	for _, r := range l.Read {
		if is(r.Value) {
			return true
		}
	}
	return false
}
