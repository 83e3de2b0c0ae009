package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/store/noted"

	"filippo.io/age"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/words"
)

func truthCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "truth", Short: "write what people confirmed as a set to measure with",
		Long: `A truth set is a folder that holds what people confirmed in the review queue, with the
pictures, in the form that ` + "`bawab eval`" + ` reads. It has two halves, fit and test, that share
no person and no day. It holds personal data in clear: keep it on an encrypted disk.`,
	}, truthExportCommand(), truthImportCommand(), truthStatsCommand(), truthDraftCommand())
}

func truthExportCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "export DIR", Short: "add what was confirmed to a truth set",
		Long: `Adds every document on whose values more than half of those who looked agree to the set in DIR, which is made where it is missing.
What is disputed in a document is left out of it. It works while the daemon runs, is an entry of the journal, and
` + "`bawab store erase`" + ` on this machine will know the set. With --archive, it is also written as one file that only the recipients
can open; see age-keygen(1) for keys.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		people := fs.Int("people", 1, "how many must have decided at least")
		archive := fs.String("archive", "", "also write the whole set, encrypted, to a new `FILE`")
		to := fs.StringSlice("recipient", nil, "`KEYS` of those who can open the archive: age1…, with commas")
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			recipients, err := truthRecipients(*archive, *to)
			if err != nil {
				return err
			}
			return exportTruth(ctx, t, p, args[0], *people, *archive, recipients)
		}
	})
}

// truthRecipients reads the keys of who may open an archive.
func truthRecipients(archive string, keys []string) (to []age.Recipient, err error) {
	if (archive == "") != (len(keys) == 0) {
		return nil, &command.UsageError{Msg: "--archive and --recipient belong together"}
	}
	for _, key := range keys {
		r, err := age.ParseX25519Recipient(strings.TrimSpace(key))
		if err != nil {
			return nil, &command.UsageError{Msg: "--recipient " + key + " is no age key: it begins with age1"}
		}
		to = append(to, r)
	}
	return to, nil
}

func exportTruth(
	ctx context.Context, t *command.Terminal, p command.Place, dir string, people int, archive string, to []age.Recipient,
) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	zone, err := egypt.Cairo()
	if err != nil {
		return err
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	if err := truth.Remember(cfg.Data, whole); err != nil { // before anything of a person is written there
		return err
	}
	var r truth.Report
	run := func(from truth.Source, note func(context.Context, int) error) (err error) {
		r, err = truth.Export(ctx, from, whole, people, zone, note)
		return err
	}
	err = reach.Administer(ctx, t, p,
		func(c *control.Client) error { return run(c, c.NoteExport) },
		func(s noted.Store) error { return run(s, s.NoteExport) })
	if err != nil {
		return err
	}
	truth.PrintReport(t.Out, r)
	if archive == "" {
		return nil
	}
	if archive, err = filepath.Abs(archive); err != nil {
		return fmt.Errorf("find the archive: %w", err)
	}
	if err := truth.PackFile(cfg.Data, archive, whole, to...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "archive: %s\n", archive)
	return err
}

func truthImportCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "import DIR ARCHIVE", Short: "add an archive to a truth set",
		Long: `Opens an archive of ` + "`bawab truth export`" + ` with the key of one of its recipients and adds
what it holds to the set in DIR. An archive that was changed or cut adds nothing. Who is in one
half of DIR stays there; what of him belongs to the other is left out.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		identity := fs.String("identity", "", "`FILE` with the secret age key")
		return func(_ context.Context, t *command.Terminal, args []string) error {
			if *identity == "" {
				return &command.UsageError{Msg: "--identity is missing: name the file with the secret key of a recipient"}
			}
			return importTruth(t, p, args[0], args[1], *identity)
		}
	})
}

func importTruth(t *command.Terminal, p command.Place, dir, archive, identity string) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	keys, err := os.Open(identity)
	if err != nil {
		return &appliance.Error{Op: "read identity", Msg: err.Error(), Hint: "name the file that age-keygen wrote"}
	}
	defer keys.Close()
	with, err := age.ParseIdentities(keys)
	if err != nil {
		return &appliance.Error{
			Op:   "read identity",
			Msg:  "the file holds no age identity",
			Hint: "name the file that age-keygen wrote",
			Err:  err,
		}
	}
	f, err := os.Open(archive)
	if err != nil {
		return &appliance.Error{Op: "read archive", Msg: err.Error(), Hint: "check its name"}
	}
	defer f.Close()
	whole, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	if _, err := os.Stat(cfg.Data); err == nil { // a machine that measures may have no appliance
		if err := truth.Remember(cfg.Data, whole); err != nil {
			return err
		}
	}
	r, err := truth.Import(f, whole, with...)
	if err != nil {
		return err
	}
	truth.PrintReport(t.Out, r)
	return nil
}

func truthStatsCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "stats DIR", Short: "count what a truth set holds",
		Long: `Counts documents, persons and days of both halves, how each field was read when it was, with 95 % Wilson intervals, and how much
each person who reviewed has decided.`,
	}, func(fs *flag.FlagSet) command.Action {
		asJSON := fs.Bool("json", false, "print JSON")
		return func(_ context.Context, t *command.Terminal, args []string) error {
			if _, err := os.Stat(args[0]); err != nil {
				return &appliance.Error{Op: "read truth set", Msg: err.Error(), Hint: "name the folder of a set"}
			}
			s, err := truth.Open(args[0])
			if err != nil {
				return err
			}
			stats := s.Stats()
			if *asJSON {
				return json.NewEncoder(t.Out).Encode(stats)
			}
			truth.PrintStats(t.Out, stats)
			return nil
		}
	})
}

// eraseTruth removes lines from the truth sets that were written on this machine, says how many, and names what is out of reach.
func eraseTruth(t *command.Terminal, p command.Place, wanted func(*truth.Line) bool) (removed int, err error) {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return 0, err
	}
	removed, absent, err := truth.EraseEverywhere(cfg.Data, wanted, func(name string, documents int) {
		fmt.Fprintf(t.Out, "removed: %s from the truth set %s\n", words.Count(documents, "document", "documents"), name)
	})
	if err == nil && len(absent) > 0 {
		fmt.Fprintf(t.Out, "archives, and sets that are not there any more, may still hold it: %s\n", strings.Join(absent, ", "))
	}
	return removed, err
}
