package offline

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sample is the file of a database with n transactions of one record each, which live for an hour from now on, and its key.
func sample(t testing.TB, n int, now time.Time) (file []byte, key seal.Sealer) {
	t.Helper()
	key, err := seal.New(make([]byte, seal.KeySize))
	must(t, err)
	path := filepath.Join(t.TempDir(), database.FileName)
	must(t, database.Create(path, key, func(in database.Tables) error {
		for i := range n {
			o, err := in.Begin(seal.ID{byte(i)}, now)
			must(t, err)
			plain, err := seal.EncodeRecord(appliancetest.SampleRecord(i))
			must(t, err)
			must(t, in.Put(o, plain, now.Add(time.Hour)))
		}
		return in.PutAPIKey(appliancetest.SampleKey("till"))
	}))
	file, err = os.ReadFile(path)
	must(t, err)
	return file, key
}

// brokenReader gives an input error from an offset on.
type brokenReader struct {
	*bytes.Reader
	from int64
}

func (r brokenReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > r.from {
		return 0, fmt.Errorf("read: %w", syscall.EIO)
	}
	return r.Reader.ReadAt(p, at)
}

// A disk that fails to read makes the reading of a database fail with that reason, and never shows less than there is; a salvage counts
// the pages that it could not read and saves the rest.
func TestReadFails(t *testing.T) {
	const page, most = 4096, 60
	now := appliancetest.NewClock().Now()
	file, key := sample(t, most, now)
	failed := 0
	for from := int64(0); from < int64(len(file)); from += page {
		all, err := pages.Load(brokenReader{bytes.NewReader(file), from})
		var c *database.Contents
		if err == nil {
			c, err = database.ReadContents(t.Context(), all)
		}
		switch {
		case err == nil && len(c.Transactions) != most:
			t.Errorf("from %d: it shows %d transactions", from, len(c.Transactions))
		case err != nil:
			failed++
			if !errors.Is(err, syscall.EIO) {
				t.Errorf("from %d: %v", from, err)
			}
		}
	}
	if failed < len(file)/page/4 {
		t.Errorf("%d readings failed", failed)
	}
	w := newWreck(key, now)
	must(t, w.scan(t.Context(), brokenReader{bytes.NewReader(file), int64(len(file)) / 4}))
	if r := w.settle(); w.damagedPages == 0 || r.Transactions >= most {
		t.Errorf("%+v", r)
	}
}

// A salvage finds everything of a file whose heads are lost.
func TestScan(t *testing.T) {
	now := appliancetest.NewClock().Now()
	file, key := sample(t, 6, now)
	clear(file[:2*4096])
	w := newWreck(key, now)
	must(t, w.scan(t.Context(), bytes.NewReader(file)))
	r := w.settle()
	if r.Transactions != 6 || r.Records != 6 || len(r.Lost) != 0 || !slices.Equal(r.Keys, []string{"till"}) || r.NewIdentity {
		t.Errorf("%+v", r)
	}
}

// FuzzSalvage proves that no file, however wrong, makes a salvage panic or hang.
func FuzzSalvage(f *testing.F) {
	now := appliancetest.NewClock().Now()
	file, key := sample(f, 6, now)
	f.Add(file, uint32(0), byte(0))
	f.Add(file[:len(file)/2], uint32(len(file)/3), byte(0xff))
	f.Fuzz(func(t *testing.T, b []byte, at uint32, x byte) {
		b = slices.Clone(b)
		if len(b) > 0 {
			b[int(at)%len(b)] ^= x
		}
		w := newWreck(key, now)
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
