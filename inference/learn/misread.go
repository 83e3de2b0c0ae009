package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/inference/text"
)

// leastMisread is the least share of the places where a letter is read that must be another one for that to be told, and mostMisread the
// most that is: the letter itself may come.
const leastMisread, mostMisread = 0.005, 0.95

// misreadOf reads the documents of the lines with what was learned so far, and lists the letters that are others than was read before any
// knowledge. A letter tells of nobody; that five persons' documents show it keeps out what one clerk confirmed by mistake.
func (l *Learning) misreadOf(ctx context.Context, lines []truth.Line, r *Result) (out []site.Misread, err error) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line truth.Line) bool {
		return !site.HasLabels(line.Documents[0].Kind) && l.described[line.Documents[0].Kind] == nil
	})
	if len(lines) == 0 {
		return nil, nil
	}
	set, err := l.set(r.told())
	if err != nil {
		return nil, err
	}
	e, err := l.Open(ctx, set)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	found := newLetters()
	for i := range lines {
		l.progress("letters", i+1, len(lines))
		picture, err := os.ReadFile(filepath.Join(l.Dir, "fit", filepath.FromSlash(lines[i].File)))
		if err != nil {
			return nil, fmt.Errorf("read truth set: %w", err)
		}
		p, err := e.Decoder.DecodePage(ctx, picture, 1)
		if err != nil {
			continue // what the readers cannot open counts in the readings
		}
		reading, err := e.ReaderOf(lines[i].Documents[0].Kind).Read(ctx, p, nil)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && len(reading.Documents) > 0 {
			found.look(&lines[i], &reading.Documents[0])
		}
	}
	return found.told(), nil
}

// letters are which ones were read where others are printed, by persons, how often each pair was, and how often each was read at all.
type letters struct {
	seen  tally[site.Misread]
	pairs map[site.Misread]int
	read  map[site.Misread]int // without what is printed
}

func newLetters() letters {
	return letters{tally[site.Misread]{}, map[site.Misread]int{}, map[site.Misread]int{}}
}

// look takes up the letters of one document: those of its fields that say nearly what was confirmed.
func (t *letters) look(line *truth.Line, d *appliance.Document) {
	told := line.Documents[0]
	for i := range d.Fields {
		read, want := arabic.Clean(d.Fields[i].Raw), arabic.Clean(told.Fields[d.Fields[i].Name])
		if d.Kind != told.Kind || arabic.Likeness(read, want) < sameValue {
			continue
		}
		for _, pair := range text.Aligned([]rune(read), []rune(want)) {
			if !arabic.Letter(pair[0]) || !arabic.Letter(pair[1]) {
				continue
			}
			m := site.Misread{Kind: d.Kind, Read: string(pair[0])}
			t.read[m]++
			if m.Printed = string(pair[1]); pair[0] != pair[1] {
				t.pairs[m]++
				t.seen.add(m, line.Person)
			}
		}
	}
}

// told are the pairs of letters that enough persons' documents show.
func (t *letters) told() (out []site.Misread) {
	all := map[site.Misread]float64{} // shares of a letter that is read
	for _, m := range t.seen.told() {
		of := site.Misread{Kind: m.Kind, Read: m.Read}
		pairs := t.pairs[m]
		m.N = t.read[of]
		if m.Share = float64(pairs) / float64(m.N+1); m.Share >= leastMisread {
			out = append(out, m)
			all[of] += m.Share
		}
	}
	for i := range out {
		m := &out[i]
		m.Share = rounded(m.Share * min(1, mostMisread/all[site.Misread{Kind: m.Kind, Read: m.Read}]))
	}
	slices.SortFunc(out, func(a, b site.Misread) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Read, b.Read), cmp.Compare(a.Printed, b.Printed))
	})
	return out
}
