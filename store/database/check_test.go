package database

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
)

// FuzzInspect proves that no file, however wrong, makes what is done before bbolt sees it panic or hang.
func FuzzInspect(f *testing.F) {
	key, err := seal.New(make([]byte, seal.KeySize))
	must(f, err)
	path := filepath.Join(f.TempDir(), FileName)
	now := appliancetest.NewClock().Now()
	must(f, Create(path, key, func(t Tables) error {
		for n := range 6 {
			o, err := t.Begin(seal.ID{byte(n)}, now)
			if err != nil {
				return err
			}
			plain, err := seal.EncodeRecord(appliancetest.SampleRecord(n))
			if err != nil {
				return err
			}
			if err := t.Put(o, plain, now.Add(time.Hour)); err != nil {
				return err
			}
		}
		return t.PutAPIKey(appliancetest.SampleKey("till"))
	}))
	r, err := CheckSound(f.Context(), path, key)
	if err != nil || r.Transactions != 6 || r.Records != 6 || r.Keys != 1 {
		f.Fatalf("%+v, %v", r, err)
	}
	file, err := os.ReadFile(path)
	must(f, err)
	f.Add(file, uint32(0), byte(0))
	f.Add(file[:len(file)/2], uint32(len(file)/3), byte(0xff))
	f.Fuzz(func(_ *testing.T, b []byte, at uint32, x byte) {
		b = slices.Clone(b)
		if len(b) > 0 {
			b[int(at)%len(b)] ^= x
		}
		if all, err := pages.Load(bytes.NewReader(b)); err == nil {
			_, _ = inspect(all, key)
		}
	})
}
