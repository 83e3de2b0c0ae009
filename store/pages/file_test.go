package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

const samplePage = 4096

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sample is the file of a database whose entries fill a branch of leaves, with a few free pages, and of a small bucket.
func sample(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second, PageSize: samplePage})
	must(t, err)
	for n := range 60 {
		must(t, db.Update(func(tx *bbolt.Tx) error {
			large, err := tx.CreateBucketIfNotExists([]byte("large"))
			if err != nil {
				return err
			}
			small, err := tx.CreateBucketIfNotExists([]byte("small"))
			if err != nil {
				return err
			}
			value := bytes.Repeat([]byte{byte(n)}, 400)
			return errors.Join(large.Put(fmt.Appendf(nil, "entry %02d", n), value), small.Put([]byte("last"), value[:1]))
		}))
	}
	must(t, db.Update(func(tx *bbolt.Tx) error {
		large := tx.Bucket([]byte("large"))
		c := large.Cursor()
		for k, _ := c.First(); k != nil && string(k) < "entry 20"; k, _ = c.First() {
			if err := large.Delete(k); err != nil {
				return err
			}
		}
		return nil
	}))
	must(t, db.Close())
	file, err := os.ReadFile(path)
	must(t, err)
	return file
}

// A walk and a scan show every entry of a whole file; and the scan shows those of each page also where the pages above it are lost.
func TestEntries(t *testing.T) {
	file := sample(t)
	f, err := Load(bytes.NewReader(file))
	must(t, err)
	want := map[string]string{}
	must(t, f.Walk(func(bucket string, key, value []byte) error {
		want[string(key)] = string(value)
		if (bucket == "small") != (string(key) == "last") {
			t.Errorf("%s lies in bucket %s", key, bucket)
		}
		return nil
	}))
	if len(want) != 41 {
		t.Errorf("%d entries, want 41", len(want))
	}
	lost := slices.Clone(file)
	clear(lost[:2*samplePage])
	for name, content := range map[string][]byte{"whole": file, "heads lost": lost} {
		got := map[string]string{}
		damaged, err := Scan(t.Context(), bytes.NewReader(content), func(key, value []byte, free bool) {
			if !free {
				got[string(key)] = string(value)
			}
		})
		if err != nil || damaged != 0 {
			t.Errorf("%s: %d damaged pages, %v", name, damaged, err)
		}
		for key, value := range want {
			if found, ok := got[key]; !ok || key != "last" && found != value {
				t.Errorf("%s: %q is missing or another", name, key)
			}
		}
		if name == "whole" && got["last"] != want["last"] {
			t.Error("the scan took an older form from a free page")
		}
	}
}

// Each rule about the structure of a file is held when it is read: bbolt would go on with most of these files, and lose or mix up data.
func TestStructure(t *testing.T) {
	file := sample(t)
	f, err := Load(bytes.NewReader(file))
	must(t, err)
	must(t, f.Walk(func(string, []byte, []byte) error { return nil }))
	if n := f.Leaked(); n != 0 {
		t.Errorf("%d pages leaked", n)
	}
	freelist, root := int(f.head.freelist)*samplePage, int(f.head.root)*samplePage
	leaf, branch := 0, 0
	for id, use := range f.seen {
		page := file[id*samplePage:]
		if use != pageUsed || id+1 == len(f.seen) || id*samplePage == root {
			continue
		}
		if page[8] == flagLeaf && binary.LittleEndian.Uint16(page[10:]) > 2 {
			leaf = id * samplePage
		}
		if page[8] == flagBranch {
			branch = id * samplePage
		}
	}
	le := binary.LittleEndian
	if n := le.Uint16(file[freelist+10:]); n < 3 || leaf == 0 || branch == 0 {
		t.Fatalf("%d free pages, leaf at %d, branch at %d: not the file that this test needs", n, leaf, branch)
	}
	for want, spoil := range map[string]func(b []byte){
		"head page 0 has a wrong checksum": func(b []byte) { b[pageHeader+41]++ },
		"head page 1 has a wrong checksum": func(b []byte) { b[samplePage+pageHeader+41]++ },
		"head page 0 is not that of":       func(b []byte) { b[pageHeader]++ },
		"head page 1 has a wrong header":   func(b []byte) { b[samplePage]++ },
		"the file is cut":                  func(b []byte) { clear(b[int(f.head.pages-1)*samplePage:]) },
		"cannot be free":                   func(b []byte) { le.PutUint64(b[freelist+16:], f.head.freelist) },
		"free and used":                    func(b []byte) { le.PutUint64(b[freelist+16:], uint64(leaf/samplePage)) },
		"entries do not fit":               func(b []byte) { le.PutUint16(b[freelist+10:], 60000) },
		"free list: page 999999":           func(b []byte) { le.PutUint64(b[freelist+24:], 999999) },
		"has flags":                        func(b []byte) { b[leaf+8] = flagLeaf | flagBranch },
		"calls itself":                     func(b []byte) { b[leaf+1]++ },
		"reaches outside":                  func(b []byte) { b[leaf+15] = 1 },
		"used twice, or free and used":     func(b []byte) { le.PutUint32(b[leaf+12:], uint32(f.head.pages)-uint32(leaf/samplePage)-1) },
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
			b = b[:int(f.head.pages-1)*samplePage]
		}
		bad, err := Load(bytes.NewReader(b))
		if err == nil {
			err = bad.Walk(func(string, []byte, []byte) error { return nil })
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// FuzzFile proves that no file, however wrong, makes the reading of its pages panic or hang.
func FuzzFile(f *testing.F) {
	file := sample(f)
	f.Add(file, uint32(0), byte(0))
	f.Add(file[:3*samplePage], uint32(2*samplePage+10), byte(0xff))
	f.Fuzz(func(t *testing.T, b []byte, at uint32, x byte) {
		b = slices.Clone(b)
		if len(b) > 0 {
			b[int(at)%len(b)] ^= x
		}
		if whole, err := Load(bytes.NewReader(b)); err == nil {
			_ = whole.Walk(func(string, []byte, []byte) error { return nil })
		}
		if _, err := Scan(t.Context(), bytes.NewReader(b), func(_, _ []byte, _ bool) {}); err != nil {
			t.Errorf("scan: %v", err)
		}
	})
}
