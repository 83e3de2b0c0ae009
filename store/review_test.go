package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
)

const reviewNumber = "29001010100017"

// sampleReview is a review of an ID that is kept for some days, told apart by n.
func sampleReview(n int, now time.Time, days int) review.Review {
	return review.Review{
		ID: numbered(
			1000 + n,
		), Transaction: numbered(n), Request: numbered(2000 + n), Key: "till", At: now, Kind: appliance.NationalIDFront, Flagged: true,
		Expires: now.Add(time.Duration(days) * 24 * time.Hour), Pictures: 1,
		Document: &appliance.Document{
			Kind:   appliance.NationalIDFront,
			Fields: []appliance.Field{{Name: "idNumber", Value: reviewNumber}, {Name: "first_name", Value: "منى"}},
		},
	}
}

func reviewPicture() []byte { return bytes.Repeat([]byte("a picture of a card "), 5000) }

func keepSample(t *testing.T, s *Store, n, days int) review.Review {
	t.Helper()
	r := sampleReview(n, s.cfg.Now(), days)
	must(t, s.KeepReview(t.Context(), r, [][]byte{reviewPicture()}))
	return r
}

// workReview does what reaches a point of reviews.
func workReview(t *testing.T, s *Store, at database.Point) {
	t.Helper()
	reached := s.cfg.Reached
	if at == database.PointReviewErased {
		s.cfg.Reached = nil
	}
	keepSample(t, s, 1, 3)
	s.cfg.Reached = reached
	got, err := s.EraseReviews(t.Context(), func(*review.Review) bool { return true })
	if err != nil || got.Reviews != 1 {
		t.Errorf("erased %+v, %v", got, err)
	}
}

// wantNoReview checks that neither reviews nor pictures are left.
func wantNoReview(t *testing.T, s *Store) {
	t.Helper()
	if all, err := s.Reviews(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("reviews %v, %v", all, err)
	}
	if files, err := s.cfg.reviewFiles(); err != nil || len(files) != 0 {
		t.Errorf("pictures %v, %v", files, err)
	}
}

// folderHolds tells which files of the data folder hold some bytes.
func folderHolds(t *testing.T, cfg Config, what []byte) (files []string) {
	t.Helper()
	must(t, filepath.WalkDir(cfg.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, what) {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// A review comes back as it was kept, with its pictures, also after a restart, a new appliance key and a compaction; what people decide is
// kept with it, one decision of each; and nothing of it lies on the disk in clear.
func TestReviewKept(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedStore(t, cfg)
	want := keepSample(t, s, 1, 3)
	yes := review.Decision{By: "mona", At: s.cfg.Now(), Verdict: review.Confirmed}
	no := review.Decision{
		By:      "mona",
		At:      s.cfg.Now(),
		Verdict: review.Corrected,
		Values:  map[string]string{"first_name": "مني"},
	}
	for _, d := range []review.Decision{yes, no} {
		if _, err := s.DecideReview(t.Context(), want.ID, d); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.RotateKey(t.Context(), nil)
	must(t, err)
	_, err = s.Compact(t.Context())
	must(t, err)
	must(t, s.Close())
	for _, clear := range []string{reviewNumber, "منى", "مني", "a picture of", "mona"} {
		if files := folderHolds(t, cfg, []byte(clear)); len(files) > 0 {
			t.Errorf("%q lies in clear in %v", clear, files)
		}
	}
	must(t, s.Open(t.Context()))
	got, pictures, err := s.ReviewPictures(t.Context(), want.ID)
	if err != nil || len(pictures) != 1 || !bytes.Equal(pictures[0], reviewPicture()) {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	if got.Document.Field("idNumber").Value != reviewNumber || len(got.Decisions) != 1 || got.Decisions[0].Values["first_name"] != "مني" ||
		!got.Expires.Equal(want.Expires) {
		t.Errorf("got %+v", got)
	}
	if r, err := s.Check(t.Context()); err != nil || !r.OK() || r.Reviews != 1 {
		t.Errorf("check %+v, %v", r, err)
	}
	if _, err := s.DecideReview(t.Context(), want.ID, review.Decision{By: "ali", Verdict: "perhaps"}); appliance.CodeOf(
		err,
	) != appliance.CodeBadRequest {
		t.Errorf("nonsense was taken: %v", err)
	}
	for _, id := range []string{appliance.NewGUID(), "../appliance.key", ""} {
		if _, _, err := s.ReviewPictures(t.Context(), id); appliance.CodeOf(err) != appliance.CodeNotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// Erasing a review, or its last day, leaves neither its wrapped key nor its pictures in any file; the others stay whole. A clock that was
// ahead lets none live longer than any may.
func TestReviewErased(t *testing.T) {
	for name, erase := range map[string]func(t *testing.T, s *Store, clock *appliancetest.Clock, id string){
		"by hand": func(t *testing.T, s *Store, _ *appliancetest.Clock, id string) {
			got, err := s.EraseReviews(t.Context(), func(r *review.Review) bool { return r.ID == id })
			if err != nil || got.Reviews != 1 || got.Searched == 0 || len(got.Elsewhere) > 0 {
				t.Errorf("erased %+v, %v", got, err)
			}
		},
		"by its days": func(t *testing.T, s *Store, clock *appliancetest.Clock, _ string) {
			clock.Advance(3*24*time.Hour + 1)
			_, err := s.Sweep(t.Context())
			must(t, err)
		},
		"clock set back": func(t *testing.T, s *Store, clock *appliancetest.Clock, _ string) {
			clock.Advance(-review.MostKept)
			_, err := s.Sweep(t.Context())
			must(t, err)
			clock.Advance(review.MostKept)
		},
	} {
		t.Run(name, func(t *testing.T) {
			clock := appliancetest.NewClock()
			cfg := Config{Dir: t.TempDir(), Now: clock.Now}
			s := openedStore(t, cfg)
			doomed, stays := keepSample(t, s, 1, 3), keepSample(t, s, 2, 60)
			var wrapped []byte
			must(t, s.view(t.Context(), "read", func(tb database.Tables) error {
				id, err := seal.ParseID(doomed.ID)
				wrapped = bytes.Clone(tb.ReviewValue(id)[8 : 8+seal.WrappedSize])
				return err
			}))
			id, err := seal.ParseID(doomed.ID)
			must(t, err)
			sealed, err := os.ReadFile(s.cfg.reviewPath(id))
			must(t, err)
			if len(folderHolds(t, cfg, wrapped)) == 0 || len(folderHolds(t, cfg, sealed[:64])) == 0 {
				t.Fatal("the test looks for the wrong thing")
			}
			erase(t, s, clock, doomed.ID)
			for what, b := range map[string][]byte{"key": wrapped, "picture": sealed[:64], "end of the picture": sealed[len(sealed)-64:]} {
				if files := folderHolds(t, cfg, b); len(files) > 0 {
					t.Errorf("the %s is left in %v", what, files)
				}
			}
			if _, _, err := s.ReviewPictures(t.Context(), doomed.ID); appliance.CodeOf(err) != appliance.CodeNotFound {
				t.Errorf("the erased review: %v", err)
			}
			if _, pictures, err := s.ReviewPictures(t.Context(), stays.ID); name != "clock set back" &&
				(err != nil || !bytes.Equal(pictures[0], reviewPicture())) {
				t.Errorf("the other review: %v", err)
			}
		})
	}
}

// Pictures that cannot be wiped keep neither other reviews nor transactions from being erased, and the room is counted all the same.
func TestSweepOutlivesReviews(t *testing.T) {
	clock := appliancetest.NewClock()
	s := openedStore(t, Config{Dir: t.TempDir(), Now: clock.Now})
	must(t, s.Append(t.Context(), numbered(9), appliancetest.SampleRecord(1)))
	for n := range 2 {
		r := keepSample(t, s, n+1, 3)
		if n > 0 {
			continue
		}
		id, err := seal.ParseID(r.ID)
		must(t, err)
		must(t, os.Remove(s.cfg.reviewPath(id)))
		must(t, os.Mkdir(s.cfg.reviewPath(id), 0o700))
	}
	clock.Advance(3*24*time.Hour + 1)
	if n, err := s.Sweep(t.Context()); n != 1 || appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("%d transactions erased, %v", n, err)
	}
	if n, size, _ := s.ReviewRoom(); n != 1 || size >= int64(len(reviewPicture())) {
		t.Errorf("%d pictures of %d bytes are counted, want the folder alone", n, size)
	}
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("second sweep: %d, %v", n, err)
	}
}

// A review that does not open is counted by whoever looks for a person, and goes with all the others.
func TestDamagedReviewErased(t *testing.T) {
	for name, spoil := range map[string]func(v []byte) []byte{
		"changed":   func(v []byte) []byte { v[len(v)-1] ^= 1; return v },
		"cut short": func(v []byte) []byte { return v[:20] },
	} {
		t.Run(name, func(t *testing.T) {
			s := openedStore(t, Config{Dir: t.TempDir()})
			id, err := seal.ParseID(keepSample(t, s, 1, 3).ID)
			must(t, err)
			must(t, s.write(t.Context(), "damage", func(tb database.Tables) (refusal, failure error) {
				return nil, tb.PutReview(id, spoil(bytes.Clone(tb.ReviewValue(id))))
			}))
			e, err := s.EraseReviews(t.Context(), func(r *review.Review) bool { return r.Mentions(reviewNumber) })
			if err != nil || e.Reviews != 0 || e.Damaged != 1 {
				t.Errorf("of the person: %+v, %v", e, err)
			}
			e, err = s.EraseReviews(t.Context(), func(*review.Review) bool { return true })
			if err != nil || e.Reviews != 1 || e.Damaged != 0 {
				t.Errorf("of all: %+v, %v", e, err)
			}
			must(t, s.view(t.Context(), "look", func(tb database.Tables) error {
				if tb.ReviewValue(id) != nil {
					t.Error("its key is left")
				}
				return nil
			}))
			wantNoReview(t, s)
		})
	}
}

// After a review's pictures went missing, or a file without its review came to lie there, the next start makes both agree.
func TestReviewsSettled(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedStore(t, cfg)
	lost, kept := keepSample(t, s, 1, 3), keepSample(t, s, 2, 3)
	must(t, s.Close())
	dir := filepath.Join(cfg.Dir, reviewFolder)
	must(t, os.Remove(filepath.Join(dir, lost.ID)))
	write(t, filepath.Join(dir, appliance.NewGUID()), []byte("half of a picture"))
	write(t, filepath.Join(dir, kept.ID+".bawab-part"), []byte("half of a picture"))
	must(t, s.Open(t.Context()))
	all, err := s.Reviews(t.Context())
	files, err2 := s.cfg.reviewFiles()
	if err != nil || err2 != nil || len(all) != 1 || all[0].ID != kept.ID || len(files) != 1 {
		t.Errorf("reviews %v, files %v, %v, %v", all, files, err, err2)
	}
	if n, size, most := s.ReviewRoom(); n != 1 || size < 1e5 || most != reviewRoom {
		t.Errorf("room: %d, %d of %d", n, size, most)
	}
}

// A backup holds no picture; restoring one keeps the reviews of the day of the restore, and a salvage keeps those that it finds.
func TestReviewRestoredAndSalvaged(t *testing.T) {
	cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
	s := openedStore(t, cfg)
	old := keepSample(t, s, 1, 3)
	saved := cfg.Dir + ".saved"
	_, err := s.Backup(t.Context(), saved)
	must(t, err)
	if info, err := os.Stat(saved); err != nil || info.Size() > int64(len(reviewPicture())) {
		t.Errorf("the backup has %d bytes, %v: the picture is in it", info.Size(), err)
	}
	_, err = s.EraseReviews(t.Context(), func(r *review.Review) bool { return r.ID == old.ID })
	must(t, err)
	now := keepSample(t, s, 2, 3)
	must(t, s.Close())
	_, err = offline.Restore(t.Context(), cfg.Folder(), saved, "")
	must(t, err)
	only := func(when string) {
		t.Helper()
		must(t, s.Open(t.Context()))
		all, err := s.Reviews(t.Context())
		if err != nil || len(all) != 1 || all[0].ID != now.ID {
			t.Errorf("%s: %d reviews, %v", when, len(all), err)
		}
		_, pictures, err := s.ReviewPictures(t.Context(), now.ID)
		if err != nil || !bytes.Equal(pictures[0], reviewPicture()) {
			t.Errorf("%s: %v", when, err)
		}
		must(t, s.Close())
	}
	only("restored")
	b, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	b[0] ^= 1
	write(t, cfg.Folder().Path(), b)
	_, err = offline.Salvage(t.Context(), cfg.Folder())
	must(t, err)
	only("salvaged")
	must(t, s.Open(t.Context()))
}

// Pictures take no more room than they may, and a review that cannot be kept leaves nothing behind.
func TestReviewRoom(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), ReviewRoom: 3 * int64(len(reviewPicture())) / 2}
	s := openedStore(t, cfg)
	keepSample(t, s, 1, 3)
	err := s.KeepReview(t.Context(), sampleReview(2, s.cfg.Now(), 3), [][]byte{reviewPicture()})
	var e *appliance.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "review.room") {
		t.Errorf("got %v", err)
	}
	if files, err := s.cfg.reviewFiles(); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	_, err = s.EraseReviews(t.Context(), func(*review.Review) bool { return true })
	must(t, err)
	keepSample(t, s, 3, 3)
}
