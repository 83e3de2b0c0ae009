package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

const (
	// reviewFolder holds the sealed pictures of reviews, one file each, named by its id. They lie beside the database, not in it: a
	// backup takes none of them along, and a scrub need not go over them.
	reviewFolder = "review"
	// reviewsMost bounds how many reviews there are, so that a list of them takes no more than a moment and a few MiB.
	reviewsMost = 4096
	// reviewReserve is the room on the disk that pictures leave to transactions, and reviewRoom what they take together where nobody
	// says otherwise.
	reviewReserve = 64 << 20
	reviewRoom    = 1 << 30
)

func (c Config) reviewDir() string { return filepath.Join(c.Dir, reviewFolder) }

func (c Config) reviewPath(id seal.ID) string { return filepath.Join(c.reviewDir(), id.String()) }

var _ review.Store = (*Store)(nil)

// KeepReview puts the pictures on disk first and the key that opens them after that: whatever a power cut leaves, a file without its
// key is noise, and the next Open removes it.
func (s *Store) KeepReview(ctx context.Context, r review.Review, pictures [][]byte) error {
	id, err := seal.ParseID(r.ID)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode review: %w", err)
	}
	key, raw, err := seal.NewKey()
	if err != nil {
		return fmt.Errorf("keep review: %w", err)
	}
	sealed := key.Seal(joinPictures(pictures), seal.PurposeReviewPictures, id[:])
	s.reviewMu.Lock() // the room is measured and used by one at a time
	defer s.reviewMu.Unlock()
	if err := s.roomForReview(int64(len(sealed))); err != nil {
		return err
	}
	path := s.cfg.reviewPath(id)
	if err := s.cfg.makeReviewDir(); err != nil {
		return err
	}
	if err := folder.Replace(path, sealed, (*os.File).Sync); err != nil {
		return errors.Join(unavailable("keep review", err), database.Wipe(path+folder.Part))
	}
	s.folder().Reach(database.PointReviewPictures)
	err = s.write(ctx, "keep review", func(t database.Tables) (refusal, failure error) {
		head := seal.ReviewHead{Expires: r.Expires, Wrapped: t.WrapReviewKey(id, raw), Content: key.SealReview(id, plain, r.Expires)}
		return nil, t.PutReview(id, head.Bytes())
	})
	if err != nil {
		return errors.Join(err, s.wipeUnlessKept(id))
	}
	s.reviewBytes.Add(int64(len(sealed)))
	s.reviewCount.Add(1)
	return nil
}

// makeReviewDir makes the folder of the pictures, for the owner of the data folder alone. Where nothing is ever kept there is none.
func (c Config) makeReviewDir() error {
	err := os.Mkdir(c.reviewDir(), 0o700)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err == nil {
		err = folder.Give(c.reviewDir(), c.Dir)
	}
	if err != nil {
		return unavailable("keep review", err)
	}
	return database.SyncFolder(c.Dir)
}

// reviewFiles lists the folder of the pictures.
func (c Config) reviewFiles() ([]os.DirEntry, error) {
	entries, err := os.ReadDir(c.reviewDir())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, database.FolderError(c.reviewDir(), err)
	}
	return entries, nil
}

// roomForReview fails where pictures of n bytes have no room. The caller holds reviewMu.
func (s *Store) roomForReview(n int64) error {
	full := func(msg, hint string) error {
		return &appliance.Error{Code: appliance.CodeUnavailable, Op: "keep review", Msg: msg, Hint: hint}
	}
	switch free, err := s.DiskFree(); {
	case s.reviewCount.Load() >= reviewsMost:
		return full(
			fmt.Sprintf("there are %d reviews already", reviewsMost),
			"confirm and erase some, or keep a smaller share of them with review.share",
		)
	case s.reviewBytes.Load()+n > s.cfg.ReviewRoom:
		return full("the pictures for review take all the room that they may", "confirm and erase some, or raise review.room")
	case err == nil && free-s.room.Missing()-n < reviewReserve:
		return full("the disk has no room for pictures", "free some room on the disk of the data folder")
	}
	return nil
}

// ReviewRoom returns how many reviews there are and how many bytes their pictures take, and how many they may.
func (s *Store) ReviewRoom() (reviews int, bytes, most int64) {
	return int(s.reviewCount.Load()), s.reviewBytes.Load(), s.cfg.ReviewRoom
}

// wipeUnlessKept destroys the pictures of a review that did not come to be. Where that is not certain they stay; the next Open decides.
func (s *Store) wipeUnlessKept(id seal.ID) error {
	kept := true
	err := s.view(context.Background(), "read review", func(t database.Tables) error {
		kept = t.ReviewValue(id) != nil
		return nil
	})
	if err != nil || kept {
		return nil
	}
	return database.Wipe(s.cfg.reviewPath(id))
}

// joinPictures writes pictures one behind the other, each behind its length.
func joinPictures(pictures [][]byte) []byte {
	var out []byte
	for _, p := range pictures {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(p))), p...)
	}
	return out
}

// splitPictures reads what joinPictures wrote.
func splitPictures(b []byte) (out [][]byte, err error) {
	for len(b) > 0 {
		if len(b) < 4 || int(binary.BigEndian.Uint32(b)) > len(b)-4 {
			return nil, errors.New("pictures that end too early")
		}
		n := int(binary.BigEndian.Uint32(b))
		out, b = append(out, b[4:4+n:4+n]), b[4+n:]
	}
	return out, nil
}

// Reviews returns all reviews that have not ended; see appliance.ReviewStore. One that is damaged is left out, and a check names it.
func (s *Store) Reviews(ctx context.Context) ([]review.Review, error) {
	var out []review.Review
	err := s.view(ctx, "list reviews", func(t database.Tables) error {
		now := s.cfg.Now()
		return t.EachReview(func(_ seal.ID, r review.Review, err error) error {
			if err == nil && now.Before(r.Expires) {
				out = append(out, r)
			}
			return ctx.Err()
		})
	})
	slices.SortFunc(out, func(a, b review.Review) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return out, err
}

// parseReviewID reads the id of a review; what is none is unknown.
func parseReviewID(text string) (seal.ID, error) {
	id, err := seal.ParseID(text)
	if err != nil {
		return id, review.NotFound()
	}
	return id, nil
}

// Review returns one review; see appliance.ReviewStore.
func (s *Store) Review(ctx context.Context, idText string) (r review.Review, err error) {
	id, err := parseReviewID(idText)
	if err != nil {
		return r, err
	}
	err = s.view(ctx, "read review", func(t database.Tables) (err error) {
		r, _, err = t.Review(id, s.cfg.Now())
		return err
	})
	return r, err
}

// ReviewPictures returns a review and its pictures; see appliance.ReviewStore.
func (s *Store) ReviewPictures(ctx context.Context, idText string) (r review.Review, pictures [][]byte, err error) {
	id, err := parseReviewID(idText)
	if err != nil {
		return r, nil, err
	}
	var own seal.Sealer
	if err = s.view(ctx, "read review", func(t database.Tables) (err error) {
		r, own, err = t.Review(id, s.cfg.Now())
		return err
	}); err != nil {
		return r, nil, err
	}
	sealed, err := os.ReadFile(s.cfg.reviewPath(id))
	if errors.Is(err, os.ErrNotExist) {
		return r, nil, review.NotFound() // it was erased meanwhile
	}
	if err != nil {
		return r, nil, unavailable("read review", err)
	}
	plain, err := own.Open(sealed, seal.PurposeReviewPictures, id[:])
	if err == nil {
		pictures, err = splitPictures(plain)
	}
	if err != nil {
		return r, nil, database.ErrReviewDamaged(id, err)
	}
	return r, pictures, nil
}

// DecideReview adds a decision and is durable on return; see appliance.ReviewStore.
func (s *Store) DecideReview(ctx context.Context, idText string, d review.Decision) (r review.Review, err error) {
	id, err := parseReviewID(idText)
	if err != nil {
		return r, err
	}
	err = s.write(ctx, "decide review", func(t database.Tables) (refusal, failure error) {
		found, own, err := t.Review(id, s.cfg.Now())
		if err == nil {
			err = d.Check(&found)
		}
		if err != nil {
			return err, nil
		}
		found.AddDecision(d)
		plain, err := json.Marshal(found)
		if err != nil {
			return fmt.Errorf("encode review: %w", err), nil
		}
		head, err := seal.ParseReviewHead(t.ReviewValue(id))
		if err != nil {
			return database.ErrReviewDamaged(id, err), nil
		}
		head.Content = own.SealReview(id, plain, head.Expires)
		r = found
		return nil, t.PutReview(id, head.Bytes())
	})
	return r, err
}

// EraseReviews destroys the keys of reviews, overwrites the pages on which they lay and their pictures, and then searches the data folder
// for what had been their sealed values; see appliance.ReviewStore.
func (s *Store) EraseReviews(ctx context.Context, doomed func(*review.Review) bool) (review.Erasure, error) {
	var ids []seal.ID
	damaged := 0
	err := s.view(ctx, "list reviews", func(t database.Tables) error {
		return t.EachReview(func(id seal.ID, r review.Review, err error) error {
			if err != nil {
				r = review.Review{ID: id.String()} // all that is known of it
			}
			if doomed(&r) {
				ids = append(ids, id)
			} else if err != nil {
				damaged++
			}
			return nil
		})
	})
	if err != nil || len(ids) == 0 {
		return review.Erasure{Damaged: damaged}, err
	}
	values, err := s.dropReviews(ctx, ids)
	if err != nil {
		return review.Erasure{}, err
	}
	if err := s.scrubNow(); err != nil {
		return review.Erasure{}, err
	}
	proof, err := s.search(ctx, values)
	return review.Erasure{Reviews: len(ids), Damaged: damaged, Searched: proof.Searched, Elsewhere: proof.Elsewhere}, err
}

// dropReviews deletes the keys of reviews in one commit and then destroys their pictures. It returns what the sealed values were.
func (s *Store) dropReviews(ctx context.Context, ids []seal.ID) (values [][]byte, err error) {
	s.reviewMu.Lock()
	defer s.reviewMu.Unlock()
	err = s.writeVital(ctx, "erase reviews", func(t database.Tables) (refusal, failure error) {
		for _, id := range ids {
			v := t.ReviewValue(id)
			if v == nil {
				continue
			}
			if s.scrubDue = true; seal.IsReviewHead(v) {
				values = append(values, bytes.Clone(v[8:8+seal.WrappedSize]), bytes.Clone(v[8+seal.WrappedSize:]))
			}
			if err := t.DropReview(id); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	s.folder().Reach(database.PointReviewErased)
	for _, id := range ids {
		if begin, err := beginOf(s.cfg.reviewPath(id)); err == nil {
			values = append(values, begin)
		}
		if failed := database.Wipe(s.cfg.reviewPath(id)); failed != nil {
			err = errors.Join(err, unavailable("erase reviews", failed))
		}
	}
	return values, errors.Join(err, s.measureReviews())
}

// beginOf returns the first bytes of a file, enough to know it by.
func beginOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	begin := make([]byte, 4*sampleSize)
	n, err := f.ReadAt(begin, 0)
	if n < sampleSize {
		return nil, errors.Join(errors.New("a file that is too short"), err)
	}
	return begin[:n], nil
}

// sweepReviews destroys the reviews whose days are over, and those that end later than any may: the clock was ahead when they were kept.
func (s *Store) sweepReviews(ctx context.Context) error {
	for {
		var ids []seal.ID
		err := s.view(ctx, "sweep reviews", func(t database.Tables) error {
			ids = t.EndedReviews(s.cfg.Now())
			return nil
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		if _, err := s.dropReviews(ctx, ids); err != nil {
			return err
		}
	}
}

// settleReviews makes database and folder agree after whatever ended the last run: pictures whose key is gone are overwritten, and reviews
// whose pictures are gone are dropped. The caller holds writer.
func (s *Store) settleReviews() error {
	entries, err := s.cfg.reviewFiles()
	if err != nil {
		return err
	}
	there, known := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		there[e.Name()] = true
	}
	err = s.update(func(t database.Tables) error {
		known, err = settle(t, there)
		return err
	})
	if err != nil {
		return fmt.Errorf("settle reviews: %w", err)
	}
	for name := range there {
		if known[name] {
			continue
		}
		if err := database.Wipe(filepath.Join(s.cfg.reviewDir(), name)); err != nil {
			return database.FolderError(s.cfg.reviewDir(), err)
		}
	}
	return s.measureReviews()
}

// settle drops the reviews whose pictures are not there, and returns the names of the others.
func settle(t database.Tables, there map[string]bool) (known map[string]bool, err error) {
	known = map[string]bool{}
	for _, id := range t.ReviewIDs() {
		if name := id.String(); there[name] {
			known[name] = true
		} else if err := t.DropReview(id); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// measureReviews counts the pictures in the folder.
func (s *Store) measureReviews() error {
	entries, err := s.cfg.reviewFiles()
	if err != nil {
		return err
	}
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			total += info.Size()
		}
	}
	s.reviewBytes.Store(total)
	s.reviewCount.Store(int64(len(entries)))
	return nil
}
