package database

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
)

// Report is the outcome of a check.
type Report struct {
	// Schema is the version of the database; 0 where the file could not be read and nothing was counted.
	Schema int
	// Transactions, Records, Expired, Keys and Reviews count what is stored; Expired are remembered as ended only.
	Transactions, Records, Expired, Keys, Reviews int
	// Bytes is the size of the file.
	Bytes int64
	// Problems says in plain words what is wrong; it is empty for a sound database. It names transactions by id and
	// API keys by name, and nothing else of their content.
	Problems []string
}

// OK reports whether the check found nothing wrong.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Check examines the database of a folder that is claimed, whose key in place is given: its structure page by page, its indexes, and
// whether every sealed value opens. It changes nothing. The error says that the check could not be made; what it found is in the report.
func (d Folder) Check(ctx context.Context, placed seal.Sealer) (Report, error) {
	f, err := os.Open(d.Path())
	if err != nil {
		return Report{}, FolderError(d.Path(), err)
	}
	defer f.Close()
	key, _, err := d.KeyFor(f, placed)
	if err != nil {
		return Report{}, err
	}
	return CheckFile(ctx, d.Path(), key)
}

// CheckFile examines a database as Folder.Check does, wherever it lies, with the key that sealed it.
func CheckFile(ctx context.Context, path string, key seal.Sealer) (Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return Report{}, FolderError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Report{}, FolderError(path, err)
	}
	r := Report{Bytes: info.Size()}
	all, err := pages.Load(f)
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r, nil
	}
	c, err := ReadContents(ctx, all)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r, nil
	}
	r.Reviews = len(c.Reviews)
	r.Schema, r.Transactions, r.Records, r.Expired, r.Keys = int(c.schema), len(c.Transactions), c.records, len(c.Gone), len(c.APIKeys)
	if err := c.Current(key); err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r, nil
	}
	r.Problems = append(leaks(all), c.disagreements(key)...)
	values, err := unopened(f, c, key)
	r.Problems = append(r.Problems, values...)
	return r, err
}

// CheckSound examines a database as CheckFile does. That something is wrong with it is an error.
func CheckSound(ctx context.Context, path string, key seal.Sealer) (Report, error) {
	r, err := CheckFile(ctx, path, key)
	if err == nil && !r.OK() {
		err = errDamagedFile(errors.New(r.Problems[0]))
	}
	return r, err
}

// Contents are the entries of a database as its pages hold them, sealed, but for the records, which are only counted.
type Contents struct {
	Identity     []byte
	Journal      []byte
	Transactions map[seal.ID]seal.Header
	Gone         map[seal.ID][8]byte // when each ended
	APIKeys      map[string][]byte
	Reviews      map[seal.ID][]byte
	Drift        map[string][]byte

	schema     uint32
	known      bool // the schema version is there
	check      []byte
	perID      map[seal.ID]uint32 // records
	records    int
	expiring   map[[24]byte]bool
	forgetting map[[24]byte]bool
	problems   []string
}

// ReadContents walks a file. The error is about its structure.
func ReadContents(ctx context.Context, all *pages.File) (*Contents, error) {
	c := &Contents{
		Transactions: map[seal.ID]seal.Header{}, perID: map[seal.ID]uint32{}, expiring: map[[24]byte]bool{},
		Gone: map[seal.ID][8]byte{}, forgetting: map[[24]byte]bool{}, APIKeys: map[string][]byte{}, Reviews: map[seal.ID][]byte{},
		Drift: map[string][]byte{},
	}
	return c, all.Walk(func(bucket string, key, value []byte) error {
		if !c.add(bucket, key, value) {
			c.problems = append(c.problems, fmt.Sprintf("bucket %q holds an entry of a wrong form", bucket))
		}
		return ctx.Err()
	})
}

// add takes in one entry; it returns false when the entry has not the form of its bucket.
func (c *Contents) add(bucket string, key, value []byte) bool {
	switch bucket {
	case bucketMeta:
		c.addMeta(string(key), value)
	case bucketTransactions:
		h, err := seal.ParseHeader(bytes.Clone(value))
		if err != nil || len(key) != 16 {
			return false
		}
		c.Transactions[seal.ID(key)] = h
	case bucketRecords:
		id, n, ok := ParseRecordKey(key)
		if !ok {
			return false
		}
		c.perID[id]++
		c.records++
		return n == c.perID[id] // they come in order, so none is missing in between
	case bucketExpiring:
		return addIndex(c.expiring, key, value)
	case bucketForgetting:
		return addIndex(c.forgetting, key, value)
	case bucketGone:
		if len(key) != 16 || len(value) != 8 {
			return false
		}
		c.Gone[seal.ID(key)] = [8]byte(value)
	case bucketKeys:
		c.APIKeys[string(key)] = bytes.Clone(value)
	case bucketReviews:
		return c.addReview(key, value)
	case bucketDrift:
		c.Drift[string(key)] = bytes.Clone(value)
		return IsDrift(key, value)
	default:
		return false
	}
	return true
}

// addIndex takes in one entry of an index of ends.
func addIndex(index map[[24]byte]bool, key, value []byte) bool {
	if len(key) != 24 || len(value) != 0 {
		return false
	}
	index[[24]byte(key)] = true
	return true
}

// addReview takes in the head of a review.
func (c *Contents) addReview(key, value []byte) bool {
	if len(key) != len(seal.ID{}) || !seal.IsReviewHead(value) {
		return false
	}
	c.Reviews[seal.ID(key)] = bytes.Clone(value)
	return true
}

// addMeta takes in one entry about the database itself.
func (c *Contents) addMeta(key string, value []byte) {
	switch key {
	case metaSchema:
		c.known = len(value) == 4
		if c.known {
			c.schema = binary.BigEndian.Uint32(value)
		}
	case MetaCheck:
		c.check = bytes.Clone(value)
	case MetaIdentity:
		c.Identity = bytes.Clone(value)
	case MetaJournal:
		c.Journal = bytes.Clone(value)
	}
}

// Current reports whether the database is of the schema that this program works with and opens with the given key.
func (c *Contents) Current(key seal.Sealer) error {
	switch newest := uint32(NewestSchema()); {
	case !c.known:
		return errForeign()
	case c.schema != newest:
		return fmt.Errorf("the database has schema %d, and this program checks schema %d", c.schema, newest)
	}
	if _, err := key.Open(c.check, seal.PurposeCheck); err != nil {
		return ErrWrongKey()
	}
	return nil
}

// inspect is the part of a check that a database must pass to be opened: structure, indexes and API keys. A record or
// transaction whose seal does not open harms only itself, and is refused when it is read. An older or newer schema
// passes as not current, for the migration to deal with.
func inspect(all *pages.File, key seal.Sealer) (current bool, err error) {
	c, err := ReadContents(context.Background(), all)
	if err != nil {
		return false, errDamagedFile(err)
	}
	if c.known && c.schema != uint32(NewestSchema()) {
		return false, nil
	}
	if err := c.Current(key); err != nil {
		return false, err
	}
	if p := c.disagreements(key); len(p) > 0 {
		return false, errDamagedFile(errors.New(p[0]))
	}
	return true, nil
}

// disagreements lists where buckets contradict each other, and an identity or API keys that do not open.
func (c *Contents) disagreements(key seal.Sealer) []string {
	problems := c.problems
	note := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for id, h := range c.Transactions {
		if !c.expiring[[24]byte(append(seal.TimeBytes(h.Expires), id[:]...))] {
			note("transaction %s is missing in the index of ends", id)
		}
		if c.perID[id] == 0 {
			note("transaction %s has no records", id)
		}
	}
	if len(c.expiring) != len(c.Transactions) {
		note("the index of ends has %d entries for %d transactions", len(c.expiring), len(c.Transactions))
	}
	for id := range c.perID {
		if _, ok := c.Transactions[id]; !ok {
			note("records of %s lie there without their transaction", id)
		}
	}
	for id, at := range c.Gone {
		if !c.forgetting[[24]byte(append(at[:], id[:]...))] {
			note("ended transaction %s is missing in the index of what to forget", id)
		}
		if _, ok := c.Transactions[id]; ok {
			note("transaction %s is both living and ended", id)
		}
	}
	if len(c.forgetting) != len(c.Gone) {
		note("the index of what to forget has %d entries for %d ended transactions", len(c.forgetting), len(c.Gone))
	}
	if _, err := openIdentity(key, c.Identity); err != nil {
		note("the identity of the appliance does not open")
	}
	for name, v := range c.APIKeys {
		if _, err := OpenAPIKey(key, []byte(name), v); err != nil {
			note("API key %q does not open", name)
		}
	}
	return problems
}

// leaks lists pages that are neither used nor free. They do no harm but are never overwritten.
func leaks(all *pages.File) []string {
	n := all.Leaked()
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d pages are neither used nor free", n)}
}

// unopened lists the transactions whose key, state or records do not open. It walks the file a second time.
func unopened(f pages.Source, c *Contents, key seal.Sealer) ([]string, error) {
	var problems []string
	data := map[seal.ID]seal.Sealer{}
	for id, h := range c.Transactions {
		d, st, err := key.DataKey(id, h)
		switch {
		case err != nil:
			problems = append(problems, fmt.Sprintf("transaction %s does not open", id))
			continue
		case st.Records != c.perID[id]:
			problems = append(problems, fmt.Sprintf("transaction %s has %d records, want %d", id, c.perID[id], st.Records))
		}
		data[id] = d
	}
	for id, v := range c.Reviews {
		if _, _, err := OpenReview(key, id, v); err != nil {
			problems = append(problems, fmt.Sprintf("review %s does not open", id))
		}
	}
	again, err := pages.Load(f)
	if err != nil {
		return problems, fmt.Errorf("read the file again: %w", err)
	}
	return problems, EachRecord(again, func(id seal.ID, n uint32, value []byte) error {
		d, ok := data[id]
		if !ok {
			return nil
		}
		if plain, err := d.OpenRecord(id, n, value); err != nil || json.Unmarshal(plain, &appliance.Record{}) != nil {
			problems = append(problems, fmt.Sprintf("record %d of transaction %s does not open", n, id))
		}
		return nil
	})
}

// EachRecord walks a file and shows its records, sealed. The error is about its structure, or visit's.
func EachRecord(all *pages.File, visit func(id seal.ID, n uint32, value []byte) error) error {
	return all.Walk(func(bucket string, key, value []byte) error {
		id, n, ok := ParseRecordKey(key)
		if bucket != bucketRecords || !ok {
			return nil
		}
		return visit(id, n, value)
	})
}

// ParseRecordKey reads the key of a record: the id of its transaction, and its place there, from 1. What is none is not ok.
func ParseRecordKey(key []byte) (id seal.ID, n uint32, ok bool) {
	if len(key) != recordKey {
		return id, 0, false
	}
	return seal.ID(key), binary.BigEndian.Uint32(key[len(id):]), true
}
