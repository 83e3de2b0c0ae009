package main

import (
	"context"
	"fmt"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store/etcd"
	"github.com/bawab/bawab/store/seal"
)

// Under the etcd driver transactions, and nothing else, lie in the cluster of the branch. API keys, the identity and the
// journal stay in the kiosk's own database: a kiosk must know its callers and note what it did also while the branch is
// dark, a key that is revoked must end at once, and what a kiosk signs is its own.

// checkBranch shows how the cluster of the branch is; nothing where there is none.
func checkBranch(ctx context.Context, t *command.Terminal, cfg *configs.Config) []appliance.Check {
	c := daemon.BranchConfig(cfg, t.Environ, nil)
	if c == nil {
		return nil
	}
	return etcd.Checks(ctx, *c)
}

// branchKeyCommand is the command that makes the key that the kiosks of a branch share.
func branchKeyCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "branch FILE", Short: "make the key that the kiosks of a branch share",
		Long: `Makes a branch key, 32 random bytes, in a new file of mode 0600. Make it once for a branch, carry a copy to every kiosk
(branch.key in the data folder, the file that store.etcd.key_file names, or the systemd credential bawab-branch.key) and
keep one apart. No member of the cluster needs it: with it transactions are sealed before they leave the kiosk.

To change it, make another one, and give it to every kiosk together with another store.etcd.prefix. What was sealed with
the old key ends with the lives of its transactions, and cannot be opened by anybody once the old key is gone.`,
	}, func(*flag.FlagSet) command.Action {
		return func(_ context.Context, t *command.Terminal, args []string) error { return makeBranchKey(t, args[0]) }
	})
}

func makeBranchKey(t *command.Terminal, file string) error {
	if err := newFile("make branch key", file); err != nil {
		return err
	}
	if _, err := seal.MakeKey(file); err != nil {
		return fmt.Errorf("make branch key: %w", err)
	}
	_, err := fmt.Fprintf(t.Out, "the branch key lies in %s: give every kiosk of the branch a copy that only bawab can read\n", file)
	return err
}
