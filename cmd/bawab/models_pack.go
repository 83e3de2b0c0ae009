package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/models/pack"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
)

// packCommands are the sub commands of models that are about packs.
func packCommands() []*cobra.Command {
	return []*cobra.Command{
		command.Leaf(&cobra.Command{
			Use: "install PACK", Short: "install a signed pack of newer networks, or of kinds of documents",
			Long: `Verifies a pack (signature, sums, version), reads the built-in reference pictures with its networks in a process of its own, and
the golden sets of the kinds of documents that it brings, and switches to it. A pack that is unsigned, changed, incomplete or not newer
than the networks in use, or whose kinds are not as they must be, is refused.

A running daemon takes them at once and loses no request: those under way end with the networks that they began with. The new
ones are on trial for the first minute: when a reading or the self-check fails, the daemon goes back by itself, and when it
dies, the next start does.`,
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, args []string) error {
				return installModels(ctx, t, p, args[0])
			}
		}),
		command.Leaf(&cobra.Command{
			Use: "rollback", Short: "go back to the networks before",
			Long: "Goes back to the networks before the last installation, or to those of the program. A running daemon takes them at once and\nloses no request.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return rollbackModels(ctx, t, p) }
		}),
		command.Leaf(&cobra.Command{
			Use: "check [DIR]", Short: "read the reference pictures with the networks",
			Long: `Reads the built-in reference pictures with the networks of an unpacked set in DIR (its manifest.json and the files that this
names), or with those of the program, and compares what comes out with what must; then the golden sets of the kinds of documents that
the set brings. Exit code 1 when it does not.`,
		}, func(*flag.FlagSet) command.Action {
			return func(ctx context.Context, t *command.Terminal, args []string) error {
				set, err := engine.Embedded()
				if len(args) > 0 {
					set, err = models.Load(os.DirFS(args[0]))
				}
				if err != nil {
					return daemon.NotASet(args, err)
				}
				return engine.CheckSet(ctx, set, tellPicture(t))
			}
		}),
		command.Leaf(&cobra.Command{
			Use: "pack [DIR]", Short: "make a signed pack",
			Long: `Makes a pack of the networks in DIR: its manifest.json, whose version must be set, and the files that this names; or, without
DIR, of the networks in use under a newer version, which needs --kinds or --calibration.

--kinds names a folder with kinds of documents, each a folder in it as docs/adding-a-document.md describes. The pack brings these and no
others. Their golden sets are read before anything is written: each picture must prove its kind, and no value may be wrong without a
code.

--calibration names a file with the numbers that decide what documents are answered, as ` + "`bawab eval fit`" + ` writes it: each number of
the program's calibration, and no other. A pack without it brings that of the set, or none: then that of the program holds. The reference
pictures are read by it before anything is written.

--key is a private key, as ` + "`openssl genpkey -algorithm ed25519 -out vendor.pem`" + ` makes it. Prints the public key that the
appliances need as models.vendor_key or, of a pack without DIR, as models.site_key.`,
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			m := daemon.PackMaking{}
			key := fs.String("key", "", "`FILE` of the private key that signs, PEM; required")
			fs.StringVar(&m.Kinds, "kinds", "", "`FOLDER` of the kinds of documents that the pack brings")
			fs.StringVar(&m.Calibration, "calibration", "", "`FILE` of the calibration that the pack brings, as 'bawab eval fit' writes it")
			fs.StringVar(&m.Out, "out", "", "`FILE` to write; by default bawab-models-VERSION.tar")
			return func(ctx context.Context, t *command.Terminal, args []string) (err error) {
				if *key == "" {
					return &command.UsageError{Msg: "--key is missing"}
				}
				if len(args) == 0 && m.Kinds == "" && m.Calibration == "" {
					return &command.UsageError{Msg: "name DIR, the folder of a set, or --kinds or --calibration, what the networks in use shall bring"}
				}
				if m.Key, err = pack.ReadKey(*key); err != nil {
					return err
				}
				if len(args) > 0 {
					m.Dir = args[0]
				}
				m.Picture = tellPicture(t)
				m.Load = func() (*configs.Config, error) { return p.Load(t, nil) }
				return m.Run(ctx, t.Out, t.Errs)
			}
		}),
	}
}

// installModels carries out the command install.
func installModels(ctx context.Context, t *command.Terminal, p command.Place, name string) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	shelf, _, err := daemon.Shelf(cfg)
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("read model pack: %w", err)
	}
	defer f.Close()
	dir, info, err := shelf.Stage(f)
	if err != nil {
		return errors.Join(err, noteFailed(ctx, t, cfg, err))
	}
	defer os.RemoveAll(dir) // nothing is there any more once it was adopted
	if err := daemon.CheckPack(ctx, dir, t.Environ); err != nil {
		return errors.Join(err, noteFailed(ctx, t, cfg, err))
	}
	installed := appliance.Entry{
		Kind: appliance.EntryModelsInstalled, Subject: daemon.SetName(info.Version), Detail: map[string]string{"signed_by": info.By},
	}
	if err := reach.Note(ctx, t, cfg, installed); err != nil {
		return err
	}
	if err := shelf.Adopt(dir, info); err != nil {
		return errors.Join(err, noteFailed(ctx, t, cfg, err))
	}
	return tellSwitched(ctx, t, cfg, info.Version)
}

// noteFailed notes that a pack was refused. What was wrong with it is told anyway.
func noteFailed(ctx context.Context, t *command.Terminal, cfg *configs.Config, why error) error {
	return reach.Note(ctx, t, cfg, appliance.Entry{Kind: appliance.EntryModelsFailed, Detail: map[string]string{"why": pack.Brief(why)}})
}

// rollbackModels carries out the command rollback.
func rollbackModels(ctx context.Context, t *command.Terminal, p command.Place) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	shelf, embedded, err := daemon.Shelf(cfg)
	if err != nil {
		return err
	}
	from, to, err := shelf.Rollback("by the operator")
	if err != nil {
		return err
	}
	if to == 0 {
		to = embedded.Version()
	}
	e := appliance.Entry{Kind: appliance.EntryModelsBack, Subject: daemon.SetName(to), Detail: map[string]string{"from": daemon.SetName(from)}}
	return errors.Join(reach.Note(ctx, t, cfg, e), tellSwitched(ctx, t, cfg, to))
}

// tellSwitched lets a running daemon take the new models, and says since when they are used.
func tellSwitched(ctx context.Context, t *command.Terminal, cfg *configs.Config, version uint64) error {
	client, err := reach.Dial(cfg)
	if err != nil {
		return err
	}
	if client == nil {
		_, err = fmt.Fprintf(t.Out, "models of version %d will be used when the daemon is started\n", version)
		return err
	}
	defer client.Close()
	m, err := client.SwitchModels(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "models of version %d are in use\n", m.Version)
	return err
}

// tellPicture returns what says how a picture that was looked at came out.
func tellPicture(t *command.Terminal) func(picture string, err error) {
	return func(picture string, err error) {
		if err != nil {
			fmt.Fprintf(t.Out, "%s: FAILED: %v\n", picture, err)
			return
		}
		fmt.Fprintf(t.Out, "%s: ok\n", picture)
	}
}
