// Package verify holds the commands by which anybody can check what an appliance signed: its journal and the proofs of liveness checks.
package verify

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/cmd/bawab/command"
)

// Proof is the command that checks the proof of a liveness check.
func Proof() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "verify FILE", Short: "check the proof of a liveness check",
		Long: `Checks the proof that came with the answer of /v1/camera/liveness, on any machine and without the appliance. FILE is the answer as
it came, or its member "proof"; - reads standard input. Of a whole answer also the members beside the proof are held
against it.

Give the public key of the appliance, as ` + "`bawab keys identity`" + ` printed it there, with --public: without it the check only
shows that nothing was changed since somebody signed it. With --frames the pictures of a folder are compared with those that
were judged. It says in plain words what is proven and what is not. Exit code 1 when anything is wrong.`,
	}, func(fs *flag.FlagSet) command.Action {
		public := fs.String("public", "", "`KEY` of the appliance: "+keyForms)
		frames := fs.String("frames", "", "`DIR` with the pictures that were judged")
		return func(_ context.Context, t *command.Terminal, args []string) error {
			return verifyProof(t, args[0], *public, *frames)
		}
	})
}

// proofLimit bounds the file that is read: an answer with three frames fits several times.
const proofLimit = 64 << 20

// verifyProof checks one proof and prints what it proves.
func verifyProof(t *command.Terminal, file, key, folder string) error {
	var public ed25519.PublicKey
	if key != "" {
		var err error
		if public, err = namedKey("verify proof", key); err != nil {
			return err
		}
	}
	text, err := readProof(t, file)
	if err != nil {
		return err
	}
	checked, err := proof.Check(text, public, folder)
	if err != nil {
		return err
	}
	return checked.Print(t.Out)
}

func readProof(t *command.Terminal, file string) (text []byte, err error) {
	in := t.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("read proof: %w", err)
		}
		defer f.Close()
		in = f
	}
	if text, err = io.ReadAll(io.LimitReader(in, proofLimit+1)); err != nil {
		return nil, fmt.Errorf("read proof: %w", err)
	}
	if len(text) > proofLimit {
		return nil, fmt.Errorf("read proof: the file is larger than %d MiB", proofLimit>>20)
	}
	return text, nil
}
