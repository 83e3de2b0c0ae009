package verify

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon/journal"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
)

// Identity is the command that shows the appliance's public key.
func Identity() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "identity", Short: "print the public key of this appliance",
		Long: `Prints the public key with which anybody can check what this appliance signs: the proofs of liveness checks with its own camera
and its journal. It is made at the first start and is no secret. On standard output comes the key as a PEM block; on
standard error its fingerprint, to compare by eye or by telephone, and the key in one line of base64.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		return func(ctx context.Context, t *command.Terminal, _ []string) error { return printIdentity(ctx, t, p) }
	})
}

func printIdentity(ctx context.Context, t *command.Terminal, p command.Place) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	if !reach.HasStore(cfg) {
		return &appliance.Error{
			Op: "open store", Msg: "there is no database in the data folder " + cfg.Data,
			Hint: "name the folder of the daemon with --data; its first start makes the key",
		}
	}
	keys, _, err := reach.JournalKeys(ctx, t, cfg)
	if err != nil {
		return err
	}
	public, err := journal.PublicKey(keys.Public)
	if err != nil {
		return err
	}
	text, err := proof.PublicPEM(public)
	if err != nil {
		return err
	}
	if _, err := t.Out.Write(text); err != nil {
		return fmt.Errorf("print public key: %w", err)
	}
	_, err = fmt.Fprintf(t.Errs, "fingerprint %s\nbase64 %s\n", proof.Fingerprint(public), proof.PublicText(public))
	return err
}

// How a public key is given, and where it comes from.
const (
	keyForms   = "a file with its PEM block, or base64"
	keyPrinted = "the file with what `bawab keys identity` printed on the appliance, or its base64"
)

// namedKey reads a public key that is given as a file with its PEM block or as base64.
func namedKey(op, name string) (ed25519.PublicKey, error) {
	if raw, err := base64.StdEncoding.Strict().DecodeString(name); err == nil && len(raw) == ed25519.PublicKeySize {
		return raw, nil
	}
	text, err := os.ReadFile(name)
	if err == nil {
		var key ed25519.PublicKey
		if key, err = proof.ParsePublic(text); err == nil {
			return key, nil
		}
	}
	return nil, &appliance.Error{Op: op, Msg: "the public key cannot be read", Hint: "give " + keyPrinted, Err: err}
}
