package verify

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon/journal"
	"github.com/bawab/bawab/store/audit"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

// Audit is the group of commands that verify and export the journal.
func Audit() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "audit", Short: "verify and export the journal",
		Long: `The journal in the folder audit of the data folder holds every decision and every administrative act, without personal
data, in a chain that cannot be changed unnoticed. It may be verified while the daemon runs.`,
	},
		command.Leaf(&cobra.Command{
			Use: "verify", Short: "find out whether anything was changed or is missing",
			Long: `Examines the whole journal and names what is wrong by segment and entry: changed bits, missing or exchanged entries and
segments, a cut end, a replaced head. Exit code 1 when something is.

At the end it prints the last entry as NUMBER:HASH. Keep that line outside of the appliance and give it to a later
verification with --known: then even somebody who had the keys of the appliance cannot have changed what came before.
A copy of the folder audit is verified on another machine with --public, the key that ` + "`bawab keys identity`" + ` printed on the
appliance, and --data, the folder in which audit lies.`,
		}, setupVerifyAudit),
		command.Leaf(&cobra.Command{
			Use: "export", Short: "print the entries",
			Long: `Prints the entries of the journal in their order, and verifies it on the way: when something is wrong the problems are
told at the end and the exit code is 1.

--since and --until take a day, as 2027-03-31 (in Cairo time, both included), or a time, as 2027-03-31T14:00:00Z.
--transaction prints the entries of one transaction: the journal holds only a keyed hash of its id.`,
		}, setupExportAudit),
	)
}

// auditFlags say which journal is meant and how it is verified.
type auditFlags struct {
	command.Place
	public string
	known  string
}

func (f *auditFlags) flags(fs *flag.FlagSet) {
	f.Place.Flags(fs)
	fs.StringVar(&f.public, "public", "", "`KEY` of the appliance: "+keyForms+", several with commas; by default the one of the data folder")
	fs.StringVar(&f.known, "known", "", "`NUMBER:HASH` that an earlier verification printed")
}

// check gathers what the journal is verified with.
func (f *auditFlags) check(ctx context.Context, t *command.Terminal) (c audit.Check, cfg *configs.Config, err error) {
	if cfg, err = f.Load(t, nil); err != nil {
		return c, nil, err
	}
	c.Dir = cfg.Data
	if f.known != "" {
		if c.Known, err = audit.ParseMark(f.known); err != nil {
			return c, nil, &command.UsageError{Msg: err.Error()}
		}
	}
	if err := f.findJournal(cfg); err != nil {
		return c, nil, err
	}
	if f.public == "" {
		keys, live, err := reach.JournalKeys(ctx, t, cfg)
		if err != nil {
			return c, nil, err
		}
		public, err := journal.PublicKey(keys.Public)
		c.Public, c.Kept, c.Live = []ed25519.PublicKey{public}, keys.Head, live
		return c, cfg, err
	}
	for _, text := range strings.Split(f.public, ",") {
		public, err := namedKey("verify journal", strings.TrimSpace(text))
		if err != nil {
			return c, nil, err
		}
		c.Public = append(c.Public, public)
	}
	return c, cfg, nil
}

// findJournal says what is missing to verify a journal. Where there is a database a missing journal is a finding.
func (f *auditFlags) findJournal(cfg *configs.Config) error {
	missing := func(msg, hint string) error { return &appliance.Error{Op: "verify journal", Msg: msg, Hint: hint} }
	if _, err := os.Stat(cfg.Data); err != nil {
		return missing("there is no data folder "+cfg.Data, "name the folder of the daemon with --data")
	}
	if reach.HasStore(cfg) {
		return nil
	}
	if _, err := os.Stat(audit.Folder(cfg.Data)); errors.Is(err, fs.ErrNotExist) {
		return missing("there is no journal in "+cfg.Data, "name the folder in which the folder audit lies with --data")
	}
	if f.public == "" {
		return missing("no database in "+cfg.Data+" says who signed the journal", "name the key of the appliance with --public: "+keyPrinted)
	}
	return nil
}

func setupVerifyAudit(fs *flag.FlagSet) command.Action {
	var f auditFlags
	f.flags(fs)
	return func(ctx context.Context, t *command.Terminal, _ []string) error {
		c, _, err := f.check(ctx, t)
		if err != nil {
			return err
		}
		r, err := audit.Verify(ctx, c)
		if err != nil {
			return err
		}
		if r.Entries > 0 {
			fmt.Fprintf(
				t.Out,
				"%s in %s, from %s to %s\n",
				words.Count(r.Entries, "entry", "entries"),
				words.Count(r.Segments, "segment", "segments"),
				words.When(r.Since),
				words.When(r.Until),
			)
		}
		if r.Pruned > 0 {
			fmt.Fprintf(t.Out, "entries up to %d were deleted because of their age\n", r.Pruned)
		}
		for _, k := range c.Public {
			fmt.Fprintf(t.Out, "public key %s\n", proof.PublicText(k))
		}
		if err := auditProblems(t, r); err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.Out, "nothing was changed and nothing is missing; last entry %s\n", r.Last)
		return err
	}
}

// auditProblems prints what is wrong with a journal, as an error.
func auditProblems(t *command.Terminal, r audit.Report) error {
	if r.OK() && r.Entries == 0 && r.Pruned == 0 {
		return errors.New("the journal is empty: no daemon has run on this folder yet")
	}
	if r.OK() {
		return nil
	}
	for _, p := range r.Problems {
		fmt.Fprintf(t.Errs, "journal: %s\n", p)
	}
	return fmt.Errorf("the journal is not as the appliance wrote it (%s)", words.Count(len(r.Problems), "problem", "problems"))
}

func setupExportAudit(fs *flag.FlagSet) command.Action {
	var f auditFlags
	f.flags(fs)
	since := fs.String("since", "", "`WHEN` the first entry was made")
	until := fs.String("until", "", "`WHEN` the last entry was made")
	transaction := fs.String("transaction", "", "`ID` of the transaction to look for")
	asJSON := fs.Bool("json", false, "print one JSON object per line")
	return func(ctx context.Context, t *command.Terminal, _ []string) error {
		from, err := egypt.ParseMoment(*since, false)
		if err != nil {
			return &command.UsageError{Msg: err.Error()}
		}
		to, err := egypt.ParseMoment(*until, true)
		if err != nil {
			return &command.UsageError{Msg: err.Error()}
		}
		id, ok := appliance.ParseGUID(*transaction)
		if *transaction != "" && !ok {
			return &command.UsageError{Msg: "--transaction " + command.NotGUID}
		}
		c, cfg, err := f.check(ctx, t)
		if err != nil {
			return err
		}
		sought := ""
		if id != "" {
			if sought, err = pseudonym(ctx, t, cfg, id); err != nil {
				return err
			}
		}
		r, err := audit.Walk(ctx, c, from, to, func(r audit.Record) error {
			if sought != "" && r.Transaction != sought {
				return nil
			}
			return audit.Print(t.Out, r, *asJSON)
		})
		if err != nil {
			return err
		}
		return auditProblems(t, r)
	}
}

// pseudonym asks the appliance what stands in its journal for the id of a transaction.
func pseudonym(ctx context.Context, t *command.Terminal, cfg *configs.Config, id string) (string, error) {
	if !reach.HasStore(cfg) {
		return "", &appliance.Error{
			Op:   "export journal",
			Msg:  "only the appliance knows what stands in the journal for a transaction",
			Hint: "look for it there, in the folder of the daemon",
		}
	}
	client, err := reach.Dial(cfg)
	if err != nil {
		return "", err
	}
	if client != nil {
		defer client.Close()
		return client.Pseudonym(ctx, id)
	}
	sought := ""
	err = reach.WithStore(ctx, t, cfg, func(s *store.Store) error {
		identity, err := s.Identity(ctx)
		if err == nil {
			sought = audit.Pseudonym(identity, id)
		}
		return err
	})
	return sought, err
}
