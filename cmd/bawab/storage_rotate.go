package main

import (
	"context"
	"fmt"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/store/noted"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/store/seal"
)

func rotateCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "rotate-appliance", Short: "change the key that seals the database",
		Long: `Seals everything in the database with a new appliance key, puts it in the place of the old one and overwrites that one. It
works while the daemon runs, and no request is lost; whenever the power fails, the next start goes on with it. Backups
that were made before can only be opened with the old key from then on, and that is gone, unless somebody kept it: so this
also ends what copies still hold of erased transactions. Make a backup afterwards.

Where the daemon cannot write its key file (systemd credentials, a read-only disk), give --new-key: the key is read from
that file, or made in it, the database is sealed with it, and you put the file where the old one came from and restart the
daemon. Until then a start with the old key still works, and a warning says so.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		file := fs.String("new-key", "", "`FILE` of the new key, 32 bytes, mode 0600; made when it is missing")
		return func(ctx context.Context, t *command.Terminal, _ []string) error { return rotateKey(ctx, t, p, *file) }
	})
}

func rotateKey(ctx context.Context, t *command.Terminal, p command.Place, file string) error {
	var key []byte
	if file != "" {
		err := inFolder("make appliance key", file)
		if err != nil {
			return err
		}
		if key, err = seal.NewKeyFile("appliance key", file); err != nil {
			return err
		}
	}
	var r appliance.Rotation
	err := reach.Administer(ctx, t, p,
		func(c *control.Client) (err error) { r, err = c.RotateKey(ctx, key); return err },
		func(s noted.Store) (err error) { r, err = s.RotateKey(ctx, key); return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(
		t.Out,
		"sealed anew: %s, %s, the identity of the appliance\n",
		words.Count(r.Transactions, "transaction", "transactions"),
		words.Count(r.Keys, "API key", "API keys"),
	)
	if r.Unopened > 0 {
		fmt.Fprintf(t.Out, "damaged, and did not open before either: %s\n", words.Count(r.Unopened, "transaction", "transactions"))
	}
	if r.Installed {
		_, err = fmt.Fprintf(
			t.Out,
			"the new key lies in %s; the old one is overwritten\nbackups from before cannot be opened with it: make a new one with `bawab store backup FILE`\n",
			r.KeyFile,
		)
		return err
	}
	_, err = fmt.Fprintf(t.Out, `the new key is the one in %s; %s still holds the old one
now put the new key in its place, or where that comes from (LoadCredential=bawab.key:FILE, or encrypted by systemd-creds
for LoadCredentialEncrypted=), and restart the daemon; until then the old key opens the database
`, file, r.KeyFile)
	return err
}
