package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// Erase destroys a transaction; see appliance.TransactionStore. On return nothing of it is left in the file. When it
// answers CodeUnavailable the erasure may be complete but for the overwriting, which the next Sweep makes good.
func (s *Store) Erase(ctx context.Context, idText string) error {
	_, err := s.erase(ctx, idText)
	return err
}

// EraseProven erases a transaction like Erase and then searches the database, and every other file of the data folder,
// for what had been its sealed values. A transaction that had ended but was not swept yet is erased all the same. What
// the search finds in the database itself is an error; it is not expected ever.
func (s *Store) EraseProven(ctx context.Context, idText string) (appliance.Erasure, error) {
	values, err := s.erase(ctx, idText)
	if err != nil && (values == nil || appliance.CodeOf(err) != appliance.CodeTransactionExpired) {
		return appliance.Erasure{}, err
	}
	return s.search(ctx, values)
}

// erase destroys a transaction and returns what its sealed values were: wrapped key and state first, then the records;
// nil where there was none. An expired one is erased and answered as such.
func (s *Store) erase(ctx context.Context, idText string) (values [][]byte, err error) {
	id, err := seal.ParseID(idText)
	if err != nil {
		return nil, err
	}
	err = s.writeVital(ctx, "erase transaction", func(t database.Tables) (refusal, failure error) {
		now := s.cfg.Now()
		h, err := t.Header(id, now)
		if h == nil {
			return err, nil
		}
		values, s.scrubDue = t.SealedValues(id), true
		at := h.Expires // an expired one keeps the time at which it ended
		if at.After(now) {
			at = now
		}
		return err, t.Erase(id, at, now)
	})
	if values == nil || err != nil && appliance.CodeOf(err) != appliance.CodeTransactionExpired {
		return nil, err
	}
	s.folder().Reach(database.PointErased)
	if scrub := s.scrubNow(); scrub != nil {
		return nil, scrub
	}
	return values, err
}

// search looks for what is left of erased values in the files of the folder.
func (s *Store) search(ctx context.Context, values [][]byte) (appliance.Erasure, error) {
	e := appliance.Erasure{Records: len(values) - 1}
	wanted := samples(values)
	err := filepath.WalkDir(s.cfg.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		found, n, err := searchFile(ctx, path, wanted)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it went meanwhile
		case err != nil:
			return err
		case path == s.folder().Path() && found:
			return errors.New("a sealed value of the transaction is still in the database")
		case path == s.folder().Path():
			e.Searched = n
		case found:
			e.Elsewhere = append(e.Elsewhere, path)
		}
		return nil
	})
	if err != nil {
		return e, &appliance.Error{
			Code: appliance.CodeInternal, Op: "search for what was erased",
			Msg: "the transaction is erased, but that nothing is left of it could not be proven", Hint: seal.HintCheck, Err: err,
		}
	}
	return e, nil
}

// sampleSize is how many bytes of a sealed value prove that it is the one: they are random.
const sampleSize = 24

// samples takes from each value what a page could have kept of it: the begin, the middle and the end.
func samples(values [][]byte) [][]byte {
	var out [][]byte
	for _, v := range values {
		for _, at := range []int{0, (len(v) - sampleSize) / 2, len(v) - sampleSize} {
			out = append(out, v[at:at+sampleSize])
		}
	}
	return out
}

// searchFile reports whether a file holds one of the samples, and how many bytes it has.
func searchFile(ctx context.Context, path string, wanted [][]byte) (found bool, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, 0, err
	}
	defer f.Close()
	buf, kept := make([]byte, 1<<20), 0
	for {
		if err := ctx.Err(); err != nil {
			return false, n, err
		}
		got, err := f.Read(buf[kept:])
		if got > 0 {
			n += int64(got)
			whole := buf[:kept+got]
			if slices.ContainsFunc(wanted, func(w []byte) bool { return bytes.Contains(whole, w) }) {
				return true, n, nil
			}
			kept = copy(buf, whole[max(0, len(whole)-sampleSize+1):])
		}
		if errors.Is(err, io.EOF) {
			return false, n, nil
		}
		if err != nil {
			return false, n, fmt.Errorf("search %s: %w", filepath.Base(path), err)
		}
	}
}
