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
	"github.com/bawab/bawab/store/seal"
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
	sp.file, err = os.ReadFile(cfg.path())
	must(t, err)
	sp.key, err = os.ReadFile(filepath.Join(cfg.Dir, keyName))
	must(t, err)
	im, err := loadImage(bytes.NewReader(sp.file))
	must(t, err)
	must(t, im.walk(func(string, []byte, []byte) error { return nil }))
	for page, use := range im.seen {
		if use == pageUsed {
			sp.used = append(sp.used, page)
		}
	}
	for id := range sp.want {
		own, err := seal.ParseID(id)
		must(t, err)
		sp.locate(id, wrapped[own])
		sp.ends = append(sp.ends, bytes.Index(sp.file, wrapped[own])-8)
		for _, v := range recordsOf(t, sp.file, own) {
			sp.locate(id, v)
		}
	}
	return sp
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

func recordsOf(t testing.TB, file []byte, id seal.ID) [][]byte {
	t.Helper()
	im, err := loadImage(bytes.NewReader(file))
	must(t, err)
	var out [][]byte
	must(t, im.walk(func(bucket string, key, value []byte) error {
		if bucket == bucketRecords && bytes.HasPrefix(key, id[:]) {
			out = append(out, value)
		}
		return nil
	}))
	return out
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
		write(t, filepath.Join(cfg.Dir, keyName), sp.key)
		write(t, cfg.path(), d.file)
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
		r, err := Check(t.Context(), cfg)
		if err != nil {
			t.Errorf("%s: check: %v", d.name, err)
		}
		if r.OK() {
			continue
		}
		report, err := Salvage(t.Context(), cfg)
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
	if _, err := Salvage(t.Context(), cfg); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := Check(t.Context(), cfg); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("empty folder: %v", err)
	}
	if l := listing(t, cfg.Dir); l != "" {
		t.Errorf("the empty folder now has %s", l)
	}
	must(t, openedAndFilled(t, cfg, 3).Close())
	before := listing(t, cfg.Dir)
	if _, err := Salvage(t.Context(), cfg); appliance.CodeOf(err) != appliance.CodeBadRequest {
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
	write(t, filepath.Join(cfg.Dir, keyName), make([]byte, seal.KeySize))
	before := listing(t, cfg.Dir)
	_, err := Salvage(t.Context(), cfg)
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
	must(t, s.write(t.Context(), "erase", func(tb tables) (refusal, failure error) {
		return nil, tb.erase(erased, clock.Now(), clock.Now())
	}))
	must(t, s.Close())
	b, err := os.ReadFile(cfg.path())
	must(t, err)
	b[0] ^= 1
	b[specimenPage] ^= 1
	write(t, cfg.path(), b)

	r, err := Salvage(t.Context(), cfg)
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

// Each rule about the structure of a file is held when it is opened: bbolt would go on with most of these files, and
// lose or mix up data.
func TestStructure(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 60)
	must(t, s.Erase(t.Context(), numbered(3)))
	must(t, s.Close())
	file, err := os.ReadFile(cfg.path())
	must(t, err)
	key, err := os.ReadFile(filepath.Join(cfg.Dir, keyName))
	must(t, err)
	seal, err := seal.New(key)
	must(t, err)
	im, err := loadImage(bytes.NewReader(file))
	must(t, err)
	must(t, im.walk(func(string, []byte, []byte) error { return nil }))
	freelist, root := int(im.head.freelist)*specimenPage, int(im.head.root)*specimenPage
	leaf, branch := 0, 0
	for id, use := range im.seen {
		page := file[id*specimenPage:]
		if use != pageUsed || id+1 == len(im.seen) || id*specimenPage == root {
			continue
		}
		values := binary.LittleEndian.Uint32(page[pageHeader+12:]) > 0 // the indexes have none
		if page[8] == flagLeaf && binary.LittleEndian.Uint16(page[10:]) > 2 && values {
			leaf = id * specimenPage
		}
		if page[8] == flagBranch {
			branch = id * specimenPage
		}
	}
	le := binary.LittleEndian
	if n := le.Uint16(file[freelist+10:]); n < 3 || leaf == 0 || branch == 0 {
		t.Fatalf("%d free pages, leaf at %d, branch at %d: not the file that this test needs", n, leaf, branch)
	}
	for want, spoil := range map[string]func(b []byte){
		"head page 0 has a wrong checksum": func(b []byte) { b[pageHeader+41]++ },
		"head page 1 has a wrong checksum": func(b []byte) { b[specimenPage+pageHeader+41]++ },
		"head page 0 is not that of":       func(b []byte) { b[pageHeader]++ },
		"head page 1 has a wrong header":   func(b []byte) { b[specimenPage]++ },
		"the file is cut":                  func(b []byte) { clear(b[int(im.head.pages-1)*specimenPage:]) },
		"cannot be free":                   func(b []byte) { le.PutUint64(b[freelist+16:], im.head.freelist) },
		"free and used":                    func(b []byte) { le.PutUint64(b[freelist+16:], uint64(leaf/specimenPage)) },
		"entries do not fit":               func(b []byte) { le.PutUint16(b[freelist+10:], 60000) },
		"free list: page 999999":           func(b []byte) { le.PutUint64(b[freelist+24:], 999999) },
		"has flags":                        func(b []byte) { b[leaf+8] = flagLeaf | flagBranch },
		"calls itself":                     func(b []byte) { b[leaf+1]++ },
		"reaches outside":                  func(b []byte) { b[leaf+15] = 1 },
		"used twice, or free and used":     func(b []byte) { le.PutUint32(b[leaf+12:], uint32(im.head.pages)-uint32(leaf/specimenPage)-1) },
		"an entry that cannot be":          func(b []byte) { le.PutUint32(b[leaf+pageHeader+8:], 1<<31) },
		"entry 1 lies at":                  func(b []byte) { le.PutUint32(b[leaf+pageHeader+12:], le.Uint32(b[leaf+pageHeader+12:])-1) },
		"entry 0 lies at":                  func(b []byte) { le.PutUint32(b[leaf+pageHeader+4:], le.Uint32(b[leaf+pageHeader+4:])+1) },
		"a bucket in a bucket":             func(b []byte) { b[leaf+pageHeader] = leafBucket },
		"an entry outside all buckets":     func(b []byte) { b[root+pageHeader] = 0 },
		"belongs to another page": func(b []byte) {
			one, two := b[branch+pageHeader+8:branch+pageHeader+16], b[branch+pageHeader+elementSize+8:branch+pageHeader+elementSize+16]
			n := le.Uint64(one)
			copy(one, two)
			le.PutUint64(two, n)
		},
		"is out of order": func(b []byte) { b[leaf+pageHeader+int(le.Uint32(b[leaf+pageHeader+4:]))] = 0xff },
	} {
		b := slices.Clone(file)
		spoil(b)
		if want == "the file is cut" {
			b = b[:int(im.head.pages-1)*specimenPage]
		}
		bad, err := loadImage(bytes.NewReader(b))
		if err == nil {
			_, err = bad.inspect(seal)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// FuzzImage proves that no file, however wrong, makes the reading of its pages panic or hang, nor the salvage.
func FuzzImage(f *testing.F) {
	key, err := seal.New(make([]byte, seal.KeySize))
	must(f, err)
	cfg := Config{Dir: f.TempDir()}
	must(f, os.Chmod(cfg.Dir, 0o700))
	write(f, filepath.Join(cfg.Dir, keyName), make([]byte, seal.KeySize))
	must(f, openedAndFilled(f, cfg, 6).Close())
	file, err := os.ReadFile(cfg.path())
	must(f, err)
	f.Add(file, uint32(0), byte(0))
	f.Add(file[:3*specimenPage], uint32(2*specimenPage+10), byte(0xff))
	f.Fuzz(func(t *testing.T, b []byte, at uint32, x byte) {
		b = slices.Clone(b)
		if len(b) > 0 {
			b[int(at)%len(b)] ^= x
		}
		if im, err := loadImage(bytes.NewReader(b)); err == nil {
			_, _ = im.inspect(key)
		}
		w := newWreck(key, time.Unix(1e9, 0))
		if err := w.scan(t.Context(), bytes.NewReader(b)); err != nil {
			t.Errorf("scan: %v", err)
		}
		for _, id := range w.settle().Lost {
			if _, err := seal.ParseID(id); err != nil {
				t.Errorf("lost %q", id)
			}
		}
	})
}
