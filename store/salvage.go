package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// SalvageReport says what a salvage saved and what it could not.
type SalvageReport struct {
	// Transactions, Records and Expired count what was saved.
	Transactions, Records, Expired int
	// Keys names the API keys that were saved. They should be read over: where the list of free pages was lost too, a
	// key that was revoked in the last moment before the damage can be among them.
	Keys []string
	// NewIdentity tells that the identity of the appliance was lost: what it signs from now on does not verify with the
	// public key that others hold.
	NewIdentity bool
	// Lost names the transactions of which something was found but not all: they were left out, since a transaction
	// that misses a document would pass for whole.
	Lost []string
	// DamagedPages counts pages of the file that could not be read as what they claim to be. How many transactions
	// lay on them entirely, nobody can tell.
	DamagedPages int
	// Unopened counts sealed values that no key opens.
	Unopened int
	// Damaged is where the damaged file was put. It holds personal data that no sweep reaches: delete it when it is
	// no longer needed.
	Damaged string
}

// Salvage makes a fresh database of what can be read of a damaged one, in its place, and keeps the damaged file
// beside it as bawab.db.damaged-TIME. It looks at every page by itself, whether the structure above it is whole or
// not, and takes over nothing whose seal does not open, so nothing that was saved is wrong. It needs the appliance
// key and room for a second file. A sound database is left alone, with an error.
func Salvage(ctx context.Context, cfg Config) (SalvageReport, error) {
	cfg = cfg.withDefaults()
	if _, err := os.Stat(cfg.path()); err != nil {
		return SalvageReport{}, missing(cfg, err)
	}
	lock, placed, err := claim(ctx, cfg)
	if err != nil {
		return SalvageReport{}, err
	}
	defer lock.Close()
	f, err := os.Open(cfg.path())
	if err != nil {
		return SalvageReport{}, folderError(cfg.path(), err)
	}
	defer f.Close()
	key, _, err := cfg.keyFor(f, placed)
	if err != nil {
		return SalvageReport{}, err
	}
	if err := worthSalvage(ctx, cfg, key); err != nil {
		return SalvageReport{}, err
	}
	w, err := scanWith(ctx, cfg, f, placed)
	if err != nil {
		return SalvageReport{}, err
	}
	if w.sealed == 0 && w.unopened > 0 {
		return SalvageReport{}, errNothingOpens()
	}
	report := w.settle()
	report.Damaged, err = w.replace(ctx, cfg)
	if err != nil {
		return SalvageReport{}, err
	}
	return report, nil
}

// worthSalvage returns an error for a database that a salvage could only harm.
func worthSalvage(ctx context.Context, cfg Config, key seal.Sealer) error {
	r, err := checkFile(ctx, cfg.path(), key)
	if err != nil {
		return err
	}
	if r.OK() {
		return &appliance.Error{Code: appliance.CodeBadRequest, Op: "salvage store", Msg: "the database is sound: there is nothing to salvage"}
	}
	if newest := len(migrations()); r.Schema > newest {
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "salvage store",
			Msg: fmt.Sprintf("the database was written by a newer bawab (schema %d, this one knows %d)", r.Schema, newest), Hint: "install that version again",
		}
	}
	return nil
}

// wreck is what the pages of a damaged file still hold.
type wreck struct {
	key seal.Sealer
	now time.Time

	headers map[seal.ID]seal.Header
	states  map[seal.ID]seal.State
	data    map[seal.ID]seal.Sealer
	records map[seal.ID]map[uint32][][]byte // sealed; pages that were copied can hold one twice
	gone    map[seal.ID]time.Time
	keys    map[string]found
	reviews map[seal.ID][]byte
	drift   map[string][]byte
	// identity is the seed of the appliance's identity; nil where it was not found.
	identity []byte
	journal  []byte // the signed head of the journal

	damagedPages, sealed, unopened int
}

type found struct {
	key   appliance.Key
	value []byte
}

func newWreck(key seal.Sealer, now time.Time) *wreck {
	return &wreck{
		key: key, now: now, headers: map[seal.ID]seal.Header{}, states: map[seal.ID]seal.State{}, data: map[seal.ID]seal.Sealer{},
		records: map[seal.ID]map[uint32][][]byte{}, gone: map[seal.ID]time.Time{}, keys: map[string]found{},
		reviews: map[seal.ID][]byte{}, drift: map[string][]byte{},
	}
}

// scanWith reads the file with the appliance key, and where a change of keys was not completed also with the next one,
// and goes on with the one that opens more: the damage may have taken what says which of them holds.
func scanWith(ctx context.Context, cfg Config, f sized, placed seal.Sealer) (*wreck, error) {
	best := newWreck(placed, cfg.Now())
	if err := best.scan(ctx, f); err != nil {
		return nil, err
	}
	raw, err := cfg.nextSealed(placed)
	if raw == nil {
		return best, err
	}
	next, err := seal.New(raw)
	if err != nil {
		return nil, err
	}
	other := newWreck(next, cfg.Now())
	if err := other.scan(ctx, f); err != nil {
		return nil, err
	}
	if other.sealed >= best.sealed {
		best = other
	}
	return best, nil
}

// scan reads every page of the file by itself.
func (w *wreck) scan(ctx context.Context, f sized) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("measure the file: %w", err)
	}
	pageSize, free := layout(f, size)
	for id := int64(0); id*pageSize < size; id++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := lonePage(f, id*pageSize, pageSize, size)
		if err != nil {
			w.damagedPages++ // the disk does not give it
			continue
		}
		numbered := int64(binary.LittleEndian.Uint64(page)) == id
		_, err = elements(page)
		if binary.LittleEndian.Uint16(page[8:]) != flagLeaf {
			continue
		}
		if err != nil && numbered && !free[id] {
			w.damagedPages++
		}
		// The middle of a longer page is sealed, looks random, and neither bears its number nor parses.
		if numbered || err == nil {
			w.leaf(page, free[id])
		}
	}
	return nil
}

// layout returns the page size of a damaged file, and which pages are certainly free: none unless both heads and the
// free list are whole, because the older head knows nothing of what the last commit wrote.
func layout(f sized, size int64) (pageSize int64, free map[int64]bool) {
	heads, errs := readHeads(f, size)
	free = map[int64]bool{}
	im, err := loadImage(f)
	switch {
	case err == nil:
		if im.freelist() == nil {
			for id, use := range im.seen {
				free[int64(id)] = use == pageFree
			}
		}
		return im.head.pageSize, free
	case errs[0] == nil:
		return heads[0].pageSize, free
	case errs[1] == nil:
		return heads[1].pageSize, free
	}
	return int64(os.Getpagesize()), free
}

// lonePage reads a page without knowing what refers to it. A damaged length neither hides what follows, since every
// page is looked at, nor asks for more memory than the file has bytes.
func lonePage(r io.ReaderAt, offset, pageSize, size int64) ([]byte, error) {
	page := make([]byte, pageSize)
	if n, err := r.ReadAt(page, offset); err != nil && (n < pageHeader || !errors.Is(err, io.EOF)) {
		return nil, err
	}
	overflow := int64(binary.LittleEndian.Uint32(page[12:]))
	if overflow == 0 || binary.LittleEndian.Uint16(page[8:]) != flagLeaf {
		return page, nil
	}
	page = make([]byte, min((overflow+1)*pageSize, size-offset))
	if _, err := r.ReadAt(page, offset); err != nil {
		return nil, err
	}
	return page, nil
}

// leaf takes in every entry of a leaf page, or of a bucket's inline page, that lies within the page.
func (w *wreck) leaf(page []byte, free bool) {
	count := int(binary.LittleEndian.Uint16(page[10:]))
	for i := range min(count, (len(page)-pageHeader)/elementSize) {
		e, _, _, err := parseElement(page, pageHeader+i*elementSize, flagLeaf)
		switch {
		case err != nil:
		case e.bucket && len(e.value) >= bucketSize+pageHeader:
			w.leaf(e.value[bucketSize:], free)
		default:
			w.entry(e.key, e.value, free)
		}
	}
}

// entry takes in an entry of any bucket: what it is shows in its form, and its seal proves it.
func (w *wreck) entry(key, value []byte, free bool) {
	if len(key) == 16 && len(value) == 8 {
		at := seal.ParseTime(value)
		if !at.After(w.now) && w.now.Sub(at) <= appliance.ExpiredMemory {
			w.gone[seal.ID(key)] = at
		}
		return
	}
	if isDrift(key, value) {
		if !free { // an older form lies on a free page
			w.drift[string(key)] = value
		}
		return
	}
	if len(value) < seal.Overhead {
		return
	}
	if k, err := openAPIKey(w.key, key, value); err == nil {
		w.sealed++
		w.addKey(k, value, free)
		return
	}
	switch {
	case len(key) == 16 && seal.IsHeader(value):
		w.addHeader(seal.ID(key), value)
	case len(key) == 16 && seal.IsReviewHead(value):
		w.addReview(seal.ID(key), value, free)
	case len(key) == recordKey:
		id, seq := seal.ID(key), binary.BigEndian.Uint32(key[16:])
		if w.records[id] == nil {
			w.records[id] = map[uint32][][]byte{}
		}
		w.records[id][seq] = append(w.records[id][seq], value)
	default:
		w.meta(string(key), value, free)
	}
}

// meta takes in an entry about the database itself; what is none, and lies on a page in use, could not be opened.
func (w *wreck) meta(key string, value []byte, free bool) {
	switch key {
	case metaCheck:
		if _, err := w.key.Open(value, seal.PurposeCheck); err == nil {
			w.sealed++
		}
	case metaIdentity:
		if seed, err := w.key.Open(value, seal.PurposeIdentity); err == nil {
			w.sealed++
			w.identity = seed
		}
	case metaJournal:
		if !free {
			w.journal = value
		}
	default:
		if !free {
			w.unopened++
		}
	}
}

// addKey keeps the newest form of an API key. One that lies on a free page only was revoked.
func (w *wreck) addKey(k appliance.Key, value []byte, free bool) {
	old, ok := w.keys[k.Name]
	older := ok && (k.Created.Before(old.key.Created) || k.Created.Equal(old.key.Created) && k.LastUsed.Before(old.key.LastUsed))
	if !free && !older {
		w.keys[k.Name] = found{k, value}
	}
}

// addReview keeps a review. One that lies on a free page only was erased. Of two forms the one with more decisions is the newer.
func (w *wreck) addReview(id seal.ID, value []byte, free bool) {
	r, _, err := openReview(w.key, id, value)
	if err != nil {
		if !free {
			w.unopened++
		}
		return
	}
	w.sealed++
	if old, _, err := openReview(w.key, id, w.reviews[id]); !free && (err != nil || len(old.Decisions) <= len(r.Decisions)) {
		w.reviews[id] = value
	}
}

// addHeader keeps the newest form of a transaction's header.
func (w *wreck) addHeader(id seal.ID, value []byte) {
	h, err := seal.ParseHeader(value)
	if err != nil {
		return
	}
	data, st, err := w.key.DataKey(id, h)
	if err != nil {
		w.unopened++
		return
	}
	w.sealed++
	if old, ok := w.headers[id]; ok {
		was := w.states[id]
		if c := cmp.Or(st.Created.Compare(was.Created), cmp.Compare(st.Records, was.Records), cmp.Compare(st.Attempts, was.Attempts), h.Expires.Compare(old.Expires)); c <= 0 {
			return
		}
	}
	w.headers[id], w.states[id], w.data[id] = h, st, data
}

// settle decides what is whole, drops the rest, and reports both.
func (w *wreck) settle() SalvageReport {
	r := SalvageReport{DamagedPages: w.damagedPages, NewIdentity: w.identity == nil}
	for id := range w.records {
		if _, ok := w.headers[id]; !ok && w.gone[id].IsZero() {
			r.Lost = append(r.Lost, id.String())
		}
	}
	for id, h := range w.headers {
		at, ended := w.gone[id]
		switch whole := w.whole(id); {
		case ended && !at.Before(w.states[id].Created):
			delete(w.headers, id)
		case !w.now.Before(h.Expires):
			delete(w.headers, id)
			if w.now.Sub(h.Expires) <= appliance.ExpiredMemory {
				w.gone[id] = h.Expires
			}
		case !whole:
			r.Lost = append(r.Lost, id.String())
			delete(w.headers, id)
		default:
			r.Transactions++
			r.Records += int(w.states[id].Records)
		}
	}
	slices.Sort(r.Lost)
	r.Keys = slices.Sorted(maps.Keys(w.keys))
	r.Expired, r.Unopened = len(w.gone), w.unopened
	return r
}

// whole reports whether all records of a transaction are there, and keeps of each the value that opens.
func (w *wreck) whole(id seal.ID) bool {
	for seq := uint32(1); seq <= w.states[id].Records; seq++ {
		i := slices.IndexFunc(w.records[id][seq], func(v []byte) bool {
			plain, err := w.data[id].OpenRecord(id, seq, v)
			return err == nil && json.Unmarshal(plain, &appliance.Record{}) == nil
		})
		if i < 0 {
			return false
		}
		w.records[id][seq] = w.records[id][seq][i : i+1]
	}
	return true
}

// replace writes the fresh database, checks it, and puts it in the place of the damaged one, which is given its new
// name first: there is a database under the usual name at any time.
func (w *wreck) replace(ctx context.Context, cfg Config) (damaged string, err error) {
	fresh := cfg.path() + suffixSalvaged
	if err := createDatabase(fresh, w.key, w.fill); err != nil {
		return "", folderError(cfg.Dir, err)
	}
	r, err := checkFile(ctx, fresh, w.key)
	if err == nil && !r.OK() {
		err = errDamagedFile(errors.New(r.Problems[0]))
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("check the salvaged database: %w", err), os.Remove(fresh))
	}
	damaged = cfg.path() + ".damaged-" + w.now.UTC().Format("20060102T150405.000Z")
	if err := os.Link(cfg.path(), damaged); err != nil {
		return "", errors.Join(folderError(cfg.Dir, err), os.Remove(fresh))
	}
	if err := os.Rename(fresh, cfg.path()); err != nil {
		return "", folderError(cfg.Dir, err)
	}
	return damaged, syncFolder(cfg.Dir)
}

// fillTransactions writes the transactions that were saved.
func (w *wreck) fillTransactions(t tables) error {
	for id, h := range w.headers {
		o := opened{id, w.data[id], w.states[id], seal.Header{Wrapped: h.Wrapped}}
		if err := t.renew(&o, h.Expires); err != nil {
			return err
		}
		for seq := uint32(1); seq <= w.states[id].Records; seq++ {
			if err := t.records.Put(append(id[:], seal.Sequence(seq)...), w.records[id][seq][0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill writes what was saved. Records and keys go over as they are.
func (w *wreck) fill(t tables) error {
	if w.identity != nil {
		if err := putIdentity(w.key, t.meta, w.identity); err != nil {
			return err
		}
	}
	if w.journal != nil {
		if err := t.meta.Put([]byte(metaJournal), w.journal); err != nil {
			return err
		}
	}
	if err := w.fillTransactions(t); err != nil {
		return err
	}
	for id, at := range w.gone {
		if err := t.remember(id, at); err != nil {
			return err
		}
	}
	for id, v := range w.reviews {
		if err := t.reviews.Put(id[:], v); err != nil {
			return err
		}
	}
	if err := t.fillDrift(w.drift); err != nil {
		return err
	}
	for name, k := range w.keys {
		if err := t.keys.Put([]byte(name), k.value); err != nil {
			return err
		}
	}
	return nil
}
