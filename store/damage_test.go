package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// specimen is a healthy database to be damaged, and what it holds.
type specimen struct {
	file, key []byte
	now       time.Time
	want      map[string]*appliance.Transaction
	used      []int            // the pages that are not free
	ends      []int            // where the end of life of a transaction lies, for each of them
	pages     map[string][]int // the pages on which a transaction lies
}

const specimenPage = 4096

// newSpecimen makes a database with long records (overflow pages), several records a transaction, erased transactions,
// attempts, API keys, and no stale copies on free pages, so that a transaction lies on known pages.
func newSpecimen(t testing.TB) *specimen {
	t.Helper()
	clock := appliancetest.NewClock()
	cfg := Config{Dir: t.TempDir(), Now: clock.Now}
	s := openedAndFilled(t, cfg, 90)
	for i := range 30 {
		long := appliancetest.SampleRecord(i)
		long.RequestID = string(bytes.Repeat([]byte("x"), 300*i))
		must(t, s.Append(t.Context(), numbered(3*i), long))
		for range i % 3 {
			must(t, s.Attempt(t.Context(), numbered(3*i), 9))
		}
	}
	for i := 80; i < 90; i++ {
		must(t, s.Erase(t.Context(), numbered(i)))
	}
	sp := &specimen{now: clock.Now(), want: map[string]*appliance.Transaction{}, pages: map[string][]int{}}
	wrapped := wrappedKeysOf(t, s)
	for i := range 80 {
		got, err := s.Transaction(t.Context(), numbered(i))
		must(t, err)
		sp.want[got.ID] = got
	}
	must(t, s.Close())
	var err error
	sp.file, err = os.ReadFile(cfg.Folder().Path())
	must(t, err)
	sp.key, err = os.ReadFile(filepath.Join(cfg.Dir, database.KeyName))
	must(t, err)
	sp.used = usedPages(t, cfg)
	for id := range sp.want {
		own, err := seal.ParseID(id)
		must(t, err)
		sp.locate(id, wrapped[own])
		sp.ends = append(sp.ends, bytes.Index(sp.file, wrapped[own])-8)
		for key, v := range entriesOf(t, sp.file, "records") {
			if strings.HasPrefix(key, string(own[:])) {
				sp.locate(id, v)
			}
		}
	}
	return sp
}

// usedPages lists the pages of the database of a closed store that are not free.
func usedPages(t testing.TB, cfg Config) (used []int) {
	t.Helper()
	db, err := bbolt.Open(cfg.Folder().Path(), 0o600, &bbolt.Options{Timeout: time.Second})
	must(t, err)
	must(t, errors.Join(db.View(func(tx *bbolt.Tx) error {
		for page := 0; int64(page)*specimenPage < tx.Size(); page++ {
			p, err := tx.Page(page)
			if err != nil {
				return err
			}
			if p.Type == "free" {
				continue
			}
			for ; page < p.ID+p.OverflowCount; page++ {
				used = append(used, page)
			}
			used = append(used, page)
		}
		return nil
	}), db.Close()))
	return used
}

func (sp *specimen) locate(id string, value []byte) {
	at := bytes.Index(sp.file, value)
	first := at / specimenPage
	for int(binary.LittleEndian.Uint64(sp.file[first*specimenPage:])) != first {
		first-- // the middle of a page with overflow
	}
	for p := first; p <= (at+len(value)-1)/specimenPage; p++ {
		sp.pages[id] = append(sp.pages[id], p)
	}
}

// damage is one way to spoil a file; touched holds the pages that are no longer what they were.
type damage struct {
	name    string
	file    []byte
	touched func(page int) bool
}

func (sp *specimen) damages(rng *rand.Rand) []damage {
	var out []damage
	one := func(name string, page int, spoil func(b []byte)) {
		b := slices.Clone(sp.file)
		spoil(b)
		out = append(out, damage{name, b, func(p int) bool { return p == page }})
	}
	for range 45 {
		n := rng.IntN((sp.used[len(sp.used)-1] + 5) * specimenPage)
		out = append(out, damage{
			fmt.Sprintf("cut to %d bytes", n), slices.Clone(sp.file[:n]),
			func(p int) bool { return (p+1)*specimenPage > n },
		})
	}
	flip := func(at int) {
		bit := byte(1) << rng.IntN(8)
		one(fmt.Sprintf("bit %#x of byte %d flipped", bit, at), at/specimenPage, func(b []byte) { b[at] ^= bit })
	}
	for range 60 {
		flip(sp.used[rng.IntN(len(sp.used))]*specimenPage + rng.IntN(specimenPage))
	}
	for range 60 { // where the structure is
		flip(sp.used[rng.IntN(len(sp.used))]*specimenPage + rng.IntN(64))
	}
	slices.Sort(sp.ends)
	for _, at := range sp.ends[:20] { // what is in clear
		flip(at + rng.IntN(8))
	}
	for i, page := range sp.used {
		if i > 3 && rng.IntN(3) > 0 {
			continue
		}
		at := page * specimenPage
		one(fmt.Sprintf("page %d zeroed", page), page, func(b []byte) { clear(b[at : at+specimenPage]) })
		one(fmt.Sprintf("page %d half written", page), page, func(b []byte) { clear(b[at+512 : at+specimenPage]) })
		one(fmt.Sprintf("page %d all ones", page), page, func(b []byte) {
			copy(b[at:at+specimenPage], bytes.Repeat([]byte{0xff}, specimenPage))
		})
	}
	out = append(out, damage{"both heads gone", append(make([]byte, 2*specimenPage), sp.file[2*specimenPage:]...), func(p int) bool { return p < 2 }})
	return out
}

// However a file is damaged, opening it never panics: it opens and shows what was stored, where a damaged transaction
// says so itself, or it is refused with a way out; and the salvage then brings back every transaction whose pages the
// damage did not touch, unchanged.
func TestDamage(t *testing.T) {
	sp := newSpecimen(t)
	all := sp.damages(rand.New(rand.NewPCG(1, 2)))
	opened, refused, saved, scratch := 0, 0, 0, memoryFolder(t)
	for i, d := range all {
		if testing.Short() && i%5 > 0 {
			continue
		}
		cfg := Config{Dir: filepath.Join(scratch, "data"), Now: func() time.Time { return sp.now }}
		must(t, errors.Join(os.RemoveAll(cfg.Dir), os.Mkdir(cfg.Dir, 0o700)))
		write(t, filepath.Join(cfg.Dir, database.KeyName), sp.key)
		write(t, cfg.Folder().Path(), d.file)
		s := New(cfg)
		err := s.Open(t.Context())
		if err == nil {
			opened++
			sp.compare(t, s, d, false)
			must(t, s.Close())
		} else {
			refused++
			wantError(t, err, "bawab store check", "bawab store salvage")
		}
		r, err := offline.Check(t.Context(), cfg.Folder())
		if err != nil {
			t.Errorf("%s: check: %v", d.name, err)
		}
		if r.OK() {
			continue
		}
		report, err := offline.Salvage(t.Context(), cfg.Folder())
		if err != nil && strings.Contains(err.Error(), "nothing in the database opens") && sp.nothingWhole(d) {
			continue
		}
		if err != nil {
			t.Errorf("%s: salvage: %v", d.name, err)
			continue
		}
		saved++
		kept, err := os.ReadFile(report.Damaged)
		if err != nil || len(kept) != len(d.file) { // an open store has overwritten free pages
			t.Errorf("%s: the damaged file was not kept: %v", d.name, err)
		}
		wantSound(t, cfg)
		must(t, s.Open(t.Context()))
		sp.compare(t, s, d, true)
		must(t, s.Close())
	}
	t.Logf("%d ways of damage: %d opened, %d refused, %d salvaged", len(all), opened, refused, saved)
	if !testing.Short() && (len(all) < 200 || opened == 0 || refused < len(all)/3 || saved < len(all)/2) {
		t.Error("the damage did not do its work")
	}
}

// memoryFolder returns a folder where a sync costs nothing, if there is one: durability is not what is tested with it.
func memoryFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "bawab-store-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return dir
}

// nothingWhole reports whether the damage touched every transaction.
func (sp *specimen) nothingWhole(d damage) bool {
	for _, pages := range sp.pages {
		if !slices.ContainsFunc(pages, d.touched) {
			return false
		}
	}
	return true
}

// compare wants every transaction of the specimen to be as it was. One whose pages were touched may be damaged or,
// after a salvage, missing.
func (sp *specimen) compare(t *testing.T, s *Store, d damage, salvaged bool) {
	t.Helper()
	for id, want := range sp.want {
		touched := slices.ContainsFunc(sp.pages[id], d.touched)
		got, err := s.Transaction(t.Context(), id)
		switch code := appliance.CodeOf(err); {
		case err == nil:
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: transaction %s is not what it was", d.name, id)
			}
		case !touched:
			t.Errorf("%s: transaction %s, whose pages are whole: %v", d.name, id, err)
		case salvaged && code != appliance.CodeTransactionUnknown, !salvaged && code != appliance.CodeInternal:
			t.Errorf("%s: damaged transaction %s: %v", d.name, id, err)
		}
	}
	if keys, err := s.Keys(t.Context()); !salvaged && (err != nil || len(keys) != 1) {
		t.Errorf("%s: %d keys, %v", d.name, len(keys), err)
	}
}

// A sound database is left alone by the salvage, and so is an empty folder.
func TestSalvageLeavesSoundAlone(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	if _, err := offline.Salvage(t.Context(), cfg.Folder()); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := offline.Check(t.Context(), cfg.Folder()); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("empty folder: %v", err)
	}
	if l := listing(t, cfg.Dir); l != "" {
		t.Errorf("the empty folder now has %s", l)
	}
	must(t, openedAndFilled(t, cfg, 3).Close())
	before := listing(t, cfg.Dir)
	if _, err := offline.Salvage(t.Context(), cfg.Folder()); appliance.CodeOf(err) != appliance.CodeBadRequest {
		t.Errorf("sound database: %v", err)
	}
	if listing(t, cfg.Dir) != before {
		t.Error("the sound database was changed")
	}
}

// With the wrong key the salvage refuses, instead of replacing the database with an empty one.
func TestSalvageWrongKey(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	must(t, openedAndFilled(t, cfg, 3).Close())
	write(t, filepath.Join(cfg.Dir, database.KeyName), make([]byte, seal.KeySize))
	before := listing(t, cfg.Dir)
	_, err := offline.Salvage(t.Context(), cfg.Folder())
	wantError(t, err, "nothing in the database opens", "backup")
	if listing(t, cfg.Dir) != before {
		t.Error("the folder was changed")
	}
}

// A salvage brings back nothing that had been ended, erased or revoked.
func TestSalvageRaisesNoDead(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg := Config{Dir: t.TempDir(), Now: clock.Now}
	s := openedAndFilled(t, cfg, 10)
	must(t, s.AddKey(t.Context(), appliancetest.SampleKey("revoked")))
	must(t, s.RevokeKey(t.Context(), "revoked"))
	must(t, s.Erase(t.Context(), numbered(0)))
	clock.Advance(29 * time.Minute)
	must(t, s.Renew(t.Context(), numbered(1)))
	must(t, s.Renew(t.Context(), numbered(2)))
	clock.Advance(2 * time.Minute) // the others end, not swept yet
	erased, err := seal.ParseID(numbered(2))
	must(t, err)
	// The power fails before its pages are overwritten.
	must(t, s.write(t.Context(), "erase", func(tb database.Tables) (refusal, failure error) {
		return nil, tb.Erase(erased, clock.Now(), clock.Now())
	}))
	must(t, s.Close())
	b, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	b[0] ^= 1
	b[specimenPage] ^= 1
	write(t, cfg.Folder().Path(), b)

	r, err := offline.Salvage(t.Context(), cfg.Folder())
	if err != nil || r.Transactions != 1 || r.Expired != 9 || len(r.Lost) != 0 || !slices.Equal(r.Keys, []string{"till"}) {
		t.Errorf("got %+v, %v", r, err)
	}
	must(t, s.Open(t.Context()))
	defer s.Close()
	for i := range 10 {
		_, err := s.Transaction(t.Context(), numbered(i))
		if want := appliance.CodeTransactionExpired; i != 1 && appliance.CodeOf(err) != want || i == 1 && err != nil {
			t.Errorf("transaction %d: %v", i, err)
		}
	}
}
