package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/bawab/bawab/appliance"
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

// Check examines the database of a folder that no bawab uses: its structure page by page, its indexes, and whether
// every sealed value opens. It changes nothing. The error says that the check could not be made; what it found is in
// the report.
func Check(ctx context.Context, cfg Config) (Report, error) {
	cfg = cfg.withDefaults()
	if _, err := os.Stat(cfg.path()); err != nil {
		return Report{}, missing(cfg, err)
	}
	lock, key, err := claim(ctx, cfg)
	if err != nil {
		return Report{}, err
	}
	defer lock.Close()
	f, err := os.Open(cfg.path())
	if err != nil {
		return Report{}, folderError(cfg.path(), err)
	}
	defer f.Close()
	if key, _, err = cfg.keyFor(f, key); err != nil {
		return Report{}, err
	}
	return checkFile(ctx, cfg.path(), key)
}

func missing(cfg Config, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &appliance.Error{
			Code: appliance.CodeNotFound, Op: "open store", Msg: "there is no database in the data folder",
			Hint: "check the folder: " + cfg.Dir, Err: err,
		}
	}
	return folderError(cfg.path(), err)
}

// Check does the same for an open store. Writers wait meanwhile.
func (s *Store) Check(ctx context.Context) (Report, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if s.lock == nil {
		return Report{}, unavailable("check store", errClosed)
	}
	return checkFile(ctx, s.cfg.path(), s.sealer)
}

func checkFile(ctx context.Context, path string, key seal.Sealer) (Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return Report{}, folderError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Report{}, folderError(path, err)
	}
	r := Report{Bytes: info.Size()}
	im, err := loadImage(f)
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r, nil
	}
	c, err := im.contents(ctx)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r, nil
	}
	r.Reviews = len(c.reviews)
	r.Schema, r.Transactions, r.Records, r.Expired, r.Keys = int(c.schema), len(c.transactions), c.records, len(c.gone), len(c.keys)
	if err := c.current(key); err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r, nil
	}
	r.Problems = append(im.leaks(), c.disagreements(key)...)
	values, err := im.unopened(f, c, key)
	r.Problems = append(r.Problems, values...)
	return r, err
}

// contents are the entries of a database as its pages hold them, but for the records, which are only counted.
type contents struct {
	schema       uint32
	known        bool // the schema version is there
	check        []byte
	identity     []byte
	journal      []byte
	transactions map[seal.ID]seal.Header
	perID        map[seal.ID]uint32 // records
	records      int
	expiring     map[[24]byte]bool
	gone         map[seal.ID][8]byte
	forgetting   map[[24]byte]bool
	keys         map[string][]byte
	reviews      map[seal.ID][]byte
	drift        map[string][]byte
	problems     []string
}

// contents walks the file once. The error is about its structure.
func (im *image) contents(ctx context.Context) (*contents, error) {
	c := &contents{
		transactions: map[seal.ID]seal.Header{}, perID: map[seal.ID]uint32{}, expiring: map[[24]byte]bool{},
		gone: map[seal.ID][8]byte{}, forgetting: map[[24]byte]bool{}, keys: map[string][]byte{}, reviews: map[seal.ID][]byte{},
		drift: map[string][]byte{},
	}
	return c, im.walk(func(bucket string, key, value []byte) error {
		if !c.add(bucket, key, value) {
			c.problems = append(c.problems, fmt.Sprintf("bucket %q holds an entry of a wrong form", bucket))
		}
		return ctx.Err()
	})
}

// add takes in one entry; it returns false when the entry has not the form of its bucket.
func (c *contents) add(bucket string, key, value []byte) bool {
	switch bucket {
	case bucketMeta:
		c.addMeta(string(key), value)
	case bucketTransactions:
		h, err := seal.ParseHeader(bytes.Clone(value))
		if err != nil || len(key) != 16 {
			return false
		}
		c.transactions[seal.ID(key)] = h
	case bucketRecords:
		if len(key) != recordKey {
			return false
		}
		id := seal.ID(key)
		c.perID[id]++
		c.records++
		return binary.BigEndian.Uint32(key[16:]) == c.perID[id] // they come in order, so none is missing in between
	case bucketExpiring:
		return addIndex(c.expiring, key, value)
	case bucketForgetting:
		return addIndex(c.forgetting, key, value)
	case bucketGone:
		if len(key) != 16 || len(value) != 8 {
			return false
		}
		c.gone[seal.ID(key)] = [8]byte(value)
	case bucketKeys:
		c.keys[string(key)] = bytes.Clone(value)
	case bucketReviews:
		return c.addReview(key, value)
	case bucketDrift:
		c.drift[string(key)] = bytes.Clone(value)
		return isDrift(key, value)
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
func (c *contents) addReview(key, value []byte) bool {
	if len(key) != len(seal.ID{}) || !seal.IsReviewHead(value) {
		return false
	}
	c.reviews[seal.ID(key)] = bytes.Clone(value)
	return true
}

// addMeta takes in one entry about the database itself.
func (c *contents) addMeta(key string, value []byte) {
	switch key {
	case metaSchema:
		c.known = len(value) == 4
		if c.known {
			c.schema = binary.BigEndian.Uint32(value)
		}
	case metaCheck:
		c.check = bytes.Clone(value)
	case metaIdentity:
		c.identity = bytes.Clone(value)
	case metaJournal:
		c.journal = bytes.Clone(value)
	}
}

// current reports whether the database is of the schema that this program works with and opens with the given key.
func (c *contents) current(key seal.Sealer) error {
	switch newest := uint32(len(migrations())); {
	case !c.known:
		return errForeign()
	case c.schema != newest:
		return fmt.Errorf("the database has schema %d, and this program checks schema %d", c.schema, newest)
	}
	if _, err := key.Open(c.check, seal.PurposeCheck); err != nil {
		return errWrongKey()
	}
	return nil
}

// inspect is the part of a check that a database must pass to be opened: structure, indexes and API keys. A record or
// transaction whose seal does not open harms only itself, and is refused when it is read. An older or newer schema
// passes as not current, for the migration to deal with.
func (im *image) inspect(key seal.Sealer) (current bool, err error) {
	c, err := im.contents(context.Background())
	if err != nil {
		return false, errDamagedFile(err)
	}
	if c.known && c.schema != uint32(len(migrations())) {
		return false, nil
	}
	if err := c.current(key); err != nil {
		return false, err
	}
	if p := c.disagreements(key); len(p) > 0 {
		return false, errDamagedFile(errors.New(p[0]))
	}
	return true, nil
}

// disagreements lists where buckets contradict each other, and an identity or API keys that do not open.
func (c *contents) disagreements(key seal.Sealer) []string {
	problems := c.problems
	note := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for id, h := range c.transactions {
		if !c.expiring[[24]byte(append(seal.TimeBytes(h.Expires), id[:]...))] {
			note("transaction %s is missing in the index of ends", id)
		}
		if c.perID[id] == 0 {
			note("transaction %s has no records", id)
		}
	}
	if len(c.expiring) != len(c.transactions) {
		note("the index of ends has %d entries for %d transactions", len(c.expiring), len(c.transactions))
	}
	for id := range c.perID {
		if _, ok := c.transactions[id]; !ok {
			note("records of %s lie there without their transaction", id)
		}
	}
	for id, at := range c.gone {
		if !c.forgetting[[24]byte(append(at[:], id[:]...))] {
			note("ended transaction %s is missing in the index of what to forget", id)
		}
		if _, ok := c.transactions[id]; ok {
			note("transaction %s is both living and ended", id)
		}
	}
	if len(c.forgetting) != len(c.gone) {
		note("the index of what to forget has %d entries for %d ended transactions", len(c.forgetting), len(c.gone))
	}
	if _, err := openIdentity(key, c.identity); err != nil {
		note("the identity of the appliance does not open")
	}
	for name, v := range c.keys {
		if _, err := openAPIKey(key, []byte(name), v); err != nil {
			note("API key %q does not open", name)
		}
	}
	return problems
}

// leaks lists pages that are neither used nor free. They do no harm but are never overwritten.
func (im *image) leaks() []string {
	n := 0
	for _, use := range im.seen {
		if use == pageUnseen {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d pages are neither used nor free", n)}
}

// unopened lists the transactions whose key, state or records do not open. It walks the file a second time.
func (im *image) unopened(f sized, c *contents, key seal.Sealer) ([]string, error) {
	var problems []string
	data := map[seal.ID]seal.Sealer{}
	for id, h := range c.transactions {
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
	for id, v := range c.reviews {
		if _, _, err := openReview(key, id, v); err != nil {
			problems = append(problems, fmt.Sprintf("review %s does not open", id))
		}
	}
	again, err := loadImage(f)
	if err != nil {
		return problems, fmt.Errorf("read the file again: %w", err)
	}
	return problems, again.walk(func(bucket string, key, value []byte) error {
		if bucket != bucketRecords || len(key) != recordKey {
			return nil
		}
		d, ok := data[seal.ID(key)]
		if !ok {
			return nil
		}
		plain, err := d.Open(value, seal.PurposeRecord, key[:16], key[16:])
		if err != nil || json.Unmarshal(plain, &appliance.Record{}) != nil {
			problems = append(problems, fmt.Sprintf("record %d of transaction %s does not open", binary.BigEndian.Uint32(key[16:]), seal.ID(key)))
		}
		return nil
	})
}
