package offline

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
)

// RestoreReport says what a restored database holds.
type RestoreReport struct {
	// Transactions and Records count what was brought back.
	Transactions, Records int
	// Ended counts transactions of the backup that were left out: their time is over, or they were erased since.
	Ended int
	// Keys names the API keys. They are those of the day of the backup and should be read over.
	Keys []string
	// Returned names those of them that the database did not have any more: they may have been revoked.
	Returned []string
	// NewIdentity tells that the database had another identity than the backup, whose identity holds now.
	NewIdentity bool
	// Unread tells that the database that was replaced could not be read, so that what was erased since the backup is not
	// known.
	Unread bool
}

// Restore puts a backup in the place of the database of a folder that no bawab uses. Before anything is changed every
// value of the backup is opened. The database stays under another name until the new one is in place and was opened, and
// is overwritten then.
//
// Nothing whose time is over comes back: transactions that have ended since by the clock, or were erased as far as the
// present database remembers, are left out. What the present database holds and the backup does not is lost.
//
// Keyfile names the appliance key of the backup where that is not the present one; "" stands for the present one.
func Restore(ctx context.Context, folder database.Folder, backup, keyFile string) (RestoreReport, error) {
	if _, err := os.Stat(backup); err != nil {
		return RestoreReport{}, restoreError("the backup cannot be read", "check "+backup, err)
	}
	if _, err := os.Stat(folder.KeyPath()); errors.Is(err, fs.ErrNotExist) && keyFile == "" {
		return RestoreReport{}, restoreError("the appliance key is missing, and without it the backup cannot be opened",
			"put the key of the backup at "+folder.KeyPath()+", or name it with --key", nil)
	}
	lock, placed, err := folder.Claim(ctx)
	if err != nil {
		return RestoreReport{}, err
	}
	defer lock.Close()
	if err := folder.RemoveLeftovers(); err != nil {
		return RestoreReport{}, err
	}
	r := &restoration{folder: folder, now: folder.Now()}
	if err := r.readPresent(ctx, placed); err != nil {
		return RestoreReport{}, err
	}
	if err := r.takeOver(ctx, backup, keyFile); err != nil {
		return RestoreReport{}, errors.Join(err, folder.RemoveLeftovers())
	}
	folder.Reach(database.PointRestoring)
	if err := r.make(ctx); err != nil {
		return RestoreReport{}, errors.Join(err, folder.RemoveLeftovers())
	}
	folder.Reach(database.PointRestored)
	if err := folder.Swap(folder.Path()+database.SuffixRestored, database.PointKept, database.PointReplaced); err != nil {
		return RestoreReport{}, err
	}
	if err := r.prove(); err != nil {
		return RestoreReport{}, err
	}
	return r.report, folder.RemoveLeftovers()
}

func restoreError(msg, hint string, err error) error {
	return &appliance.Error{Code: appliance.CodeUnavailable, Op: "restore store", Msg: msg, Hint: hint, Err: err}
}

// restoration is a restore under way.
type restoration struct {
	folder  database.Folder
	now     time.Time
	key     seal.Sealer        // of the present database, and of the restored one
	present *database.Contents // nil where there is none that can be read
	theirs  seal.Sealer        // the key of the backup
	image   *pages.File
	backup  *database.Contents
	report  RestoreReport
}

// readPresent takes in what the present database remembers, where it can be read.
func (r *restoration) readPresent(ctx context.Context, placed seal.Sealer) error {
	f, err := os.Open(r.folder.Path())
	if errors.Is(err, fs.ErrNotExist) {
		r.key, _, err = r.folder.KeyFor(bytes.NewReader(nil), placed)
		return err
	}
	if err != nil {
		return database.FolderError(r.folder.Path(), err)
	}
	defer f.Close()
	if r.key, _, err = r.folder.KeyFor(f, placed); err != nil {
		return err
	}
	r.report.Unread = true
	all, err := pages.Load(f)
	if err != nil {
		return nil
	}
	c, err := database.ReadContents(ctx, all)
	if err == nil && c.Current(r.key) == nil {
		r.present, r.report.Unread = c, false
	}
	return ctx.Err()
}

// takeOver copies the backup into the folder, lifts it to the current schema, and opens every value of it.
func (r *restoration) takeOver(ctx context.Context, backup, keyFile string) error {
	r.theirs = r.key
	if keyFile != "" {
		raw, err := database.ReadKey(keyFile, 0o077, []uint32{uint32(os.Geteuid()), 0})
		if err != nil {
			return restoreError("the key of the backup cannot be used", "check "+keyFile, err)
		}
		if r.theirs, err = seal.New(raw); err != nil {
			return fmt.Errorf("restore store: %w", err)
		}
	}
	path := r.folder.Path() + database.SuffixRestoring
	if err := takeOver(backup, path); err != nil {
		if folder.Full(err) {
			return database.FolderError(path, err)
		}
		return restoreError("the backup cannot be read", "check "+backup, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return database.FolderError(path, err)
	}
	db, err := database.OpenFile(f, r.theirs, r.folder.LockTimeout)
	if err != nil {
		return errBackup(err)
	}
	if err := db.Close(); err != nil {
		return errBackup(err)
	}
	checked, err := database.CheckFile(ctx, path, r.theirs)
	if err != nil {
		return err
	}
	if !checked.OK() {
		return errBackup(errors.New(checked.Problems[0]))
	}
	return nil
}

// takeOver copies a file from elsewhere into the folder, durably, of mode 0600.
func takeOver(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close(), folder.Give(to, filepath.Dir(to)))
}

// errBackup says what is wrong with a backup; nothing was changed by then.
func errBackup(err error) error {
	if e := (*appliance.Error)(nil); errors.As(err, &e) && e.Msg == database.ErrWrongKey().(*appliance.Error).Msg {
		return restoreError("the backup was sealed with another appliance key", "name the key of that time with --key", nil)
	}
	return restoreError("the backup is damaged, and nothing was changed", "take another backup, or another copy of this one", err)
}

// make builds the database of what the backup holds and may come back, and checks it.
func (r *restoration) make(ctx context.Context) error {
	f, err := os.Open(r.folder.Path() + database.SuffixRestoring)
	if err != nil {
		return database.FolderError(r.folder.Path(), err)
	}
	defer f.Close()
	if r.image, err = pages.Load(f); err != nil {
		return errBackup(err)
	}
	if r.backup, err = database.ReadContents(ctx, r.image); err != nil {
		return errBackup(err)
	}
	if r.image, err = pages.Load(f); err != nil { // records are read in a second walk
		return errBackup(err)
	}
	path := r.folder.Path() + database.SuffixRestored
	if err := database.Create(path, r.key, r.fill); err != nil {
		return database.FolderError(path, err)
	}
	if _, err := database.CheckSound(ctx, path, r.key); err != nil {
		return fmt.Errorf("check the restored database: %w", err)
	}
	return nil
}

// fill writes what may come back, sealed with the present appliance key.
func (r *restoration) fill(t database.Tables) error {
	seed, err := r.theirs.Open(r.backup.Identity, seal.PurposeIdentity)
	if err != nil {
		return errBackup(err)
	}
	if err := t.PutIdentity(seed); err != nil {
		return err
	}
	if r.present != nil {
		now, err := r.key.Open(r.present.Identity, seal.PurposeIdentity)
		r.report.NewIdentity = err != nil || !bytes.Equal(now, seed)
		if err := errors.Join(r.keepJournal(t), r.keepReviews(t), t.FillDrift(r.present.Drift)); err != nil {
			return err
		}
	}
	if err := errors.Join(r.fillKeys(t), r.fillGone(t)); err != nil {
		return err
	}
	living := map[seal.ID]bool{}
	for id, h := range r.backup.Transactions {
		if r.over(id, h) {
			r.report.Ended++
			continue
		}
		if err := r.bring(t, id, h); err != nil {
			return err
		}
		living[id] = true
		r.report.Transactions++
	}
	return database.EachRecord(r.image, func(id seal.ID, n uint32, value []byte) error {
		if !living[id] {
			return nil
		}
		r.report.Records++
		return t.PutSealedRecord(id, n, bytes.Clone(value))
	})
}

// keepJournal takes over the head of the journal: the journal itself is not restored, it goes on.
func (r *restoration) keepJournal(t database.Tables) error {
	if r.present.Journal == nil {
		return nil
	}
	return t.PutJournalHead(r.present.Journal)
}

// keepReviews takes over the reviews that there are now: those of the backup have no pictures any more.
func (r *restoration) keepReviews(t database.Tables) error {
	for id, v := range r.present.Reviews {
		if err := t.PutReview(id, v); err != nil {
			return err
		}
	}
	return nil
}

// over reports whether a transaction of the backup has ended since.
func (r *restoration) over(id seal.ID, h seal.Header) bool {
	if !r.now.Before(h.Expires) {
		return true
	}
	if r.present == nil {
		return false
	}
	_, ended := r.present.Gone[id]
	return ended
}

// bring takes over a living transaction, but for its records.
func (r *restoration) bring(t database.Tables, id seal.ID, h seal.Header) error {
	data, st, err := r.theirs.DataKey(id, h)
	if err != nil {
		return errBackup(err)
	}
	wrapped, err := r.theirs.Rewrap(h.Wrapped, seal.PurposeDataKey, id, r.key)
	if err != nil {
		return errBackup(err)
	}
	return t.Renew(&database.Transaction{ID: id, Data: data, State: st, Header: seal.Header{Wrapped: wrapped}}, h.Expires)
}

// fillKeys takes over the API keys.
func (r *restoration) fillKeys(t database.Tables) error {
	for name, v := range r.backup.APIKeys {
		plain, err := r.theirs.Open(v, seal.PurposeAPIKey, []byte(name))
		if err != nil {
			return errBackup(err)
		}
		if err := t.PutSealedAPIKey(name, r.key.Seal(plain, seal.PurposeAPIKey, []byte(name))); err != nil {
			return err
		}
		r.report.Keys = append(r.report.Keys, name)
		if r.present != nil && r.present.APIKeys[name] == nil {
			r.report.Returned = append(r.report.Returned, name)
		}
	}
	slices.Sort(r.report.Keys)
	slices.Sort(r.report.Returned)
	return nil
}

// fillGone remembers what has ended: what the backup and the present database remember, and what ended in between.
func (r *restoration) fillGone(t database.Tables) error {
	gone := map[seal.ID]time.Time{}
	for id, h := range r.backup.Transactions {
		if !r.now.Before(h.Expires) {
			gone[id] = h.Expires
		}
	}
	for _, c := range []*database.Contents{r.backup, r.present} {
		if c == nil {
			continue
		}
		for id, at := range c.Gone {
			gone[id] = time.Unix(0, int64(binary.BigEndian.Uint64(at[:])))
		}
	}
	for id, at := range gone {
		if h, ok := r.backup.Transactions[id]; ok && !r.over(id, h) || r.now.Sub(at) > appliance.ExpiredMemory {
			continue
		}
		if err := t.Remember(id, at); err != nil {
			return err
		}
	}
	return nil
}

// prove opens the restored database in its place. When that fails the old one is put back.
func (r *restoration) prove() error {
	old := r.folder.Path() + database.SuffixOld
	f, err := os.OpenFile(r.folder.Path(), os.O_RDWR, 0)
	if err == nil {
		db, bad := database.OpenFile(f, r.key, r.folder.LockTimeout)
		if bad == nil {
			return errors.Join(db.Close(), database.Wipe(old))
		}
		err = bad
	}
	if _, kept := os.Lstat(old); kept == nil {
		err = errors.Join(err, os.Rename(old, r.folder.Path()), database.SyncFolder(r.folder.Dir))
	}
	return restoreError("the restored database does not open, and the old one was put back", seal.HintCheck, err)
}
