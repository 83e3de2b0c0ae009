package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/store/noted"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/store/offline"
)

func backupCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "backup FILE", Short: "save the database to a new file",
		Long: `Writes the database as it is at one moment to a new file, mode 0600, and opens every value of it before the file gets its
name. It works while the daemon runs. The backup is sealed like the database: it is worthless without the appliance key,
so keep a copy of that key, and not in the same place. Whoever has both can open what was erased since.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			return backupStore(ctx, t, p, args[0])
		}
	})
}

func backupStore(ctx context.Context, t *command.Terminal, p command.Place, file string) error {
	if err := newFile("back up store", file); err != nil {
		return err
	}
	var r appliance.BackupReport
	err := reach.Administer(ctx, t, p,
		func(c *control.Client) (err error) { r, err = fetchBackup(ctx, c, file); return err },
		func(s noted.Store) (err error) { r, err = s.Backup(ctx, file); return err })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(
		t.Out,
		"saved: %s, %s, %s, in %s\n",
		words.Transactions(r.Transactions, r.Records),
		words.Count(r.Keys, "key", "keys"),
		words.Size(r.Bytes),
		file,
	)
	return err
}

// newFile refuses a place at which a command cannot make a new file, before it begins.
func newFile(op, file string) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return &appliance.Error{
			Op:   op,
			Msg:  "there is such a file already",
			Hint: "name a file that is not there yet, instead of " + file,
			Err:  err,
		}
	}
	return inFolder(op, file)
}

// inFolder refuses a place whose folder is not there.
func inFolder(op, file string) error {
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		return &appliance.Error{Op: op, Msg: "there is no folder " + filepath.Dir(file), Hint: "make it first, or name a file in another folder"}
	}
	return nil
}

// fetchBackup lets the daemon make a backup and writes it with the rights of who asks: the daemon itself may write to its
// data folder only.
func fetchBackup(ctx context.Context, c *control.Client, file string) (r appliance.BackupReport, err error) {
	part := file + ".part"
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return r, fmt.Errorf("back up store: %w", err)
	}
	r, err = c.BackupStore(ctx, f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return r, errors.Join(err, os.Remove(part))
	}
	if err := folder.Sync(filepath.Dir(file), (*os.File).Sync); err != nil {
		return r, fmt.Errorf("back up store: %w", err)
	}
	return r, nil
}

func restoreCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "restore FILE", Short: "put a backup in the place of the database",
		Long: `Puts a backup in the place of the database. The daemon must be stopped. Every value of the backup is opened before anything
is changed, and the database stays beside it until the new one is in place and was opened.

Nothing whose time is over comes back: transactions that have ended since by the clock, or that the present database
remembers as erased, are left out. Where the present database cannot be read, what was erased since is not known, and
transactions come back for the rest of their time. What the present database holds and the backup does not is lost.
API keys come back too, also those that were revoked since: they are named, revoke what you do not expect.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		key := fs.String("key", "", "`FILE` of the appliance key of the backup, where that is not the present one")
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			return restoreStore(ctx, t, p, args[0], *key)
		}
	})
}

func restoreStore(ctx context.Context, t *command.Terminal, p command.Place, file, key string) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	if err := reach.WithoutDaemon(cfg, "restore store"); err != nil {
		return err
	}
	r, err := offline.Restore(ctx, daemon.StoreConfig(cfg, t.Environ, nil).Folder(), file, key)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		t.Out,
		"restored: %s, %s; left out because they have ended: %d\n",
		words.Transactions(r.Transactions, r.Records),
		words.Count(len(r.Keys), "key", "keys"),
		r.Ended,
	)
	for _, name := range r.Returned {
		fmt.Fprintf(t.Out, "key %s is back: revoke it again if it had been revoked\n", name)
	}
	if r.Unread {
		fmt.Fprintln(
			t.Out,
			"the database that was replaced could not be read: what was erased, and which keys were revoked since the backup, is not known",
		)
		for _, name := range r.Keys {
			fmt.Fprintf(t.Out, "key %s: revoke it if you do not expect it here\n", name)
		}
	}
	if r.NewIdentity {
		fmt.Fprintln(
			t.Out,
			"the identity is that of the backup: what the appliance signed since, its journal among it, verifies with the former public key only",
		)
	}
	return reach.NoteAfterwards(ctx, t, p, appliance.Entry{
		Kind:   appliance.EntryStoreRestored,
		Detail: map[string]string{"transactions": strconv.Itoa(r.Transactions), "keys": strconv.Itoa(len(r.Keys))},
	})
}
