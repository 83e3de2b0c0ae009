package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/pages"
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
func Salvage(ctx context.Context, folder database.Folder) (SalvageReport, error) {
	lock, placed, err := claim(ctx, folder)
	if err != nil {
		return SalvageReport{}, err
	}
	defer lock.Close()
	f, err := os.Open(folder.Path())
	if err != nil {
		return SalvageReport{}, database.FolderError(folder.Path(), err)
	}
	defer f.Close()
	key, _, err := folder.KeyFor(f, placed)
	if err != nil {
		return SalvageReport{}, err
	}
	if err := worthSalvage(ctx, folder, key); err != nil {
		return SalvageReport{}, err
	}
	w, err := scanWith(ctx, folder, f, placed)
	if err != nil {
		return SalvageReport{}, err
	}
	if w.sealed == 0 && w.unopened > 0 {
		return SalvageReport{}, errNothingOpens()
	}
	report := w.settle()
	report.Damaged, err = w.replace(ctx, folder)
	if err != nil {
		return SalvageReport{}, err
	}
	return report, nil
}

func errNothingOpens() error {
	return &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "salvage store", Msg: "nothing in the database opens with this appliance key",
		Hint: "put the right " + database.KeyName + " back from a backup; if it is the right one, nothing can be saved: move " +
			database.FileName + " away",
	}
}

// worthSalvage returns an error for a database that a salvage could only harm.
func worthSalvage(ctx context.Context, folder database.Folder, key seal.Sealer) error {
	r, err := database.CheckFile(ctx, folder.Path(), key)
	if err != nil {
		return err
	}
	if r.OK() {
		return &appliance.Error{
			Code: appliance.CodeBadRequest, Op: "salvage store", Msg: "the database is sound: there is nothing to salvage",
		}
	}
	if newest := database.NewestSchema(); r.Schema > newest {
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "salvage store",
			Msg:  fmt.Sprintf("the database was written by a newer bawab (schema %d, this one knows %d)", r.Schema, newest),
			Hint: "install that version again",
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
func scanWith(ctx context.Context, folder database.Folder, f pages.Source, placed seal.Sealer) (*wreck, error) {
	best := newWreck(placed, folder.Now())
	if err := best.scan(ctx, f); err != nil {
		return nil, err
	}
	raw, err := folder.NextKey(placed)
	if raw == nil {
		return best, err
	}
	next, err := seal.New(raw)
	if err != nil {
		return nil, err
	}
	other := newWreck(next, folder.Now())
	if err := other.scan(ctx, f); err != nil {
		return nil, err
	}
	if other.sealed >= best.sealed {
		best = other
	}
	return best, nil
}

// scan reads every page of the file by itself.
func (w *wreck) scan(ctx context.Context, f pages.Source) (err error) {
	w.damagedPages, err = pages.Scan(ctx, f, w.entry)
	return err
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
	if database.IsDrift(key, value) {
		if !free { // an older form lies on a free page
			w.drift[string(key)] = value
		}
		return
	}
	if len(value) < seal.Overhead {
		return
	}
	if k, err := database.OpenAPIKey(w.key, key, value); err == nil {
		w.sealed++
		w.addKey(k, value, free)
		return
	}
	switch {
	case len(key) == 16 && seal.IsHeader(value):
		w.addHeader(seal.ID(key), value)
	case len(key) == 16 && seal.IsReviewHead(value):
		w.addReview(seal.ID(key), value, free)
	default:
		id, n, ok := database.ParseRecordKey(key)
		if !ok {
			w.meta(string(key), value, free)
			return
		}
		if w.records[id] == nil {
			w.records[id] = map[uint32][][]byte{}
		}
		w.records[id][n] = append(w.records[id][n], value)
	}
}

// meta takes in an entry about the database itself; what is none, and lies on a page in use, could not be opened.
func (w *wreck) meta(key string, value []byte, free bool) {
	switch key {
	case database.MetaCheck:
		if _, err := w.key.Open(value, seal.PurposeCheck); err == nil {
			w.sealed++
		}
	case database.MetaIdentity:
		if seed, err := w.key.Open(value, seal.PurposeIdentity); err == nil {
			w.sealed++
			w.identity = seed
		}
	case database.MetaJournal:
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
	r, _, err := database.OpenReview(w.key, id, value)
	if err != nil {
		if !free {
			w.unopened++
		}
		return
	}
	w.sealed++
	if old, _, err := database.OpenReview(w.key, id, w.reviews[id]); !free && (err != nil || len(old.Decisions) <= len(r.Decisions)) {
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
		newer := cmp.Or(
			st.Created.Compare(was.Created), cmp.Compare(st.Records, was.Records), cmp.Compare(st.Attempts, was.Attempts),
			h.Expires.Compare(old.Expires),
		)
		if newer <= 0 {
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
func (w *wreck) replace(ctx context.Context, folder database.Folder) (damaged string, err error) {
	fresh := folder.Path() + database.SuffixSalvaged
	if err := database.Create(fresh, w.key, w.fill); err != nil {
		return "", database.FolderError(folder.Dir, err)
	}
	if _, err := database.CheckSound(ctx, fresh, w.key); err != nil {
		return "", errors.Join(fmt.Errorf("check the salvaged database: %w", err), os.Remove(fresh))
	}
	damaged = folder.Path() + ".damaged-" + w.now.UTC().Format("20060102T150405.000Z")
	if err := os.Link(folder.Path(), damaged); err != nil {
		return "", errors.Join(database.FolderError(folder.Dir, err), os.Remove(fresh))
	}
	if err := os.Rename(fresh, folder.Path()); err != nil {
		return "", database.FolderError(folder.Dir, err)
	}
	return damaged, database.SyncFolder(folder.Dir)
}

// fillTransactions writes the transactions that were saved.
func (w *wreck) fillTransactions(t database.Tables) error {
	for id, h := range w.headers {
		o := database.Transaction{ID: id, Data: w.data[id], State: w.states[id], Header: seal.Header{Wrapped: h.Wrapped}}
		if err := t.Renew(&o, h.Expires); err != nil {
			return err
		}
		for seq := uint32(1); seq <= w.states[id].Records; seq++ {
			if err := t.PutSealedRecord(id, seq, w.records[id][seq][0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill writes what was saved. Records and keys go over as they are.
func (w *wreck) fill(t database.Tables) error {
	if w.identity != nil {
		if err := t.PutIdentity(w.identity); err != nil {
			return err
		}
	}
	if w.journal != nil {
		if err := t.PutJournalHead(w.journal); err != nil {
			return err
		}
	}
	if err := w.fillTransactions(t); err != nil {
		return err
	}
	for id, at := range w.gone {
		if err := t.Remember(id, at); err != nil {
			return err
		}
	}
	for id, v := range w.reviews {
		if err := t.PutReview(id, v); err != nil {
			return err
		}
	}
	if err := t.FillDrift(w.drift); err != nil {
		return err
	}
	for name, k := range w.keys {
		if err := t.PutSealedAPIKey(name, k.value); err != nil {
			return err
		}
	}
	return nil
}
