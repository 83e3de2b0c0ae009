package database

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Steps run in order from the version of the file, all in one commit: when one fails the file stays as it was.
func TestMigrationSteps(t *testing.T) {
	key, err := seal.New(make([]byte, seal.KeySize))
	must(t, err)
	path := filepath.Join(t.TempDir(), "test.db")
	must(t, Create(path, key, nil))
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	must(t, err)
	defer db.Close()

	var ran []string
	step := func(name string, err error) migration {
		return func(tx *bbolt.Tx, _ seal.Sealer) error {
			ran = append(ran, name)
			_, created := tx.CreateBucket([]byte(name))
			return errors.Join(created, err)
		}
	}
	state := func() (version uint32, buckets int) {
		must(t, db.View(func(tx *bbolt.Tx) error {
			version, _ = schemaVersion(tx)
			return tx.ForEach(func([]byte, *bbolt.Bucket) error { buckets++; return nil })
		}))
		return version, buckets
	}
	_, before := state()
	newest := uint32(NewestSchema())
	broken := errors.New("no")
	if err := migrate(db, key, append(migrations(), step("two", nil), step("three", broken))); !errors.Is(err, broken) {
		t.Errorf("got %v, want the failure of the step", err)
	}
	if v, n := state(); v != newest || n != before || len(ran) != 2 {
		t.Errorf("after a failed step: version %d, %d buckets, ran %v", v, n, ran)
	}
	ran = nil
	for range 2 {
		must(t, migrate(db, key, append(migrations(), step("two", nil), step("three", nil))))
	}
	if v, n := state(); v != newest+2 || n != before+2 || len(ran) != 2 || ran[0] != "two" {
		t.Errorf("after: version %d, %d buckets, ran %v", v, n, ran)
	}
	newer := (*appliance.Error)(nil)
	if err := migrate(db, key, migrations()); !errors.As(err, &newer) || newer.Code != appliance.CodeUnavailable || newer.Hint == "" ||
		!strings.Contains(newer.Msg, fmt.Sprintf("newer bawab (schema %d", newest+2)) {
		t.Errorf("of a newer version: %v", err)
	}
}
