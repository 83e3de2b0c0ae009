package measure

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/inference/learn"
	"github.com/bawab/bawab/models/pack"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
)

// Learn is the command that fits what is data to a truth set.
func Learn() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "learn TRUTH", Short: "fit flags, words and thresholds to a truth set",
		Long: `Fits what is data to a set of ` + "`bawab truth export`" + `: how sure each field is and when it is flagged, which
fields the site's documents do not print, which words they hold (those that five persons have), and, where TRUTH holds folders
liveness, fraud or faces as for ` + "`bawab eval report`" + `, the thresholds of these. It is fitted on the half fit and told
on the half test; what is not better there is not written, and what more it needs is said.

The pack holds the networks in use and what was learned, signed with --key. Install it with ` + "`bawab models install`" + `: it is on trial
for a minute, and ` + "`bawab models rollback`" + ` takes it back. Nothing in it tells of a person.

It can be stopped; what was read is kept beside the set and not read again.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		out := fs.String("out", "", "`PACK` to write, .tar; required")
		key := fs.String("key", "", "`FILE` with the private key that signs, PEM; required")
		silent := fs.String("wrong-silent", "0.05%", "`SHARE` of values that may be wrong without a flag")
		bpcer := fs.String("bpcer", "2%", "`SHARE` of genuine documents and persons that may be refused")
		return func(ctx context.Context, t *command.Terminal, args []string) (err error) {
			if *out == "" || *key == "" {
				return &command.UsageError{Msg: "--out and --key are missing: name the pack to write and the key that signs it"}
			}
			l := learn.Learning{Dir: args[0], Program: t.Version, Errs: t.Errs}
			for _, b := range []struct {
				name, text string
				into       *float64
			}{{"wrong-silent", *silent, &l.WrongSilent}, {"bpcer", *bpcer, &l.BPCER}} {
				if *b.into, err = shareOf(b.text); err != nil {
					return &command.UsageError{Msg: "--" + b.name + " " + err.Error()}
				}
			}
			return learnPack(ctx, t, p, &l, *out, *key)
		}
	})
}

// shareOf reads a share in per cent.
func shareOf(text string) (float64, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !ok || !(v > 0 && v <= 50) {
		return 0, errors.New("needs a share such as 0.05%")
	}
	return v / 100, nil
}

// learnPack learns and writes the pack.
func learnPack(ctx context.Context, t *command.Terminal, p command.Place, l *learn.Learning, out, keyFile string) error {
	key, err := pack.ReadKey(keyFile) // before minutes of work
	if err != nil {
		return err
	}
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	if _, err := os.Stat(l.Dir); err != nil {
		return &appliance.Error{Op: "read truth set", Msg: err.Error(), Hint: "name the folder of a set"}
	}
	if l.Set, err = daemon.SetToMeasure(cfg, ""); err != nil {
		return err
	}
	l.Open = func(ctx context.Context, set *models.Set) (*engine.Engine, error) {
		return engine.OpenSet(ctx, set, cfg.Picture, cfg.Queue.Workers)
	}
	r, err := l.Run(ctx)
	if err != nil {
		return err
	}
	learn.Print(t.Out, l, &r)
	if !r.Better {
		return &appliance.Error{Op: "learn", Msg: "nothing is written: " + r.Why, Hint: "review more documents and export again"}
	}
	packed, info, err := l.Pack(&r, key)
	if err != nil {
		return err
	}
	if err := folder.Replace(out, packed, (*os.File).Sync); err != nil {
		return &appliance.Error{Op: "write pack", Msg: err.Error(), Hint: "name a file in a folder that you may write to, on a disk with room"}
	}
	public := proof.PublicText(key.Public().(ed25519.PublicKey))
	_, err = fmt.Fprintf(t.Out, "%s: version %d, %s\nmodels.site_key: %s\n", out, info.Version, words.Size(int64(len(packed))), public)
	return err
}
