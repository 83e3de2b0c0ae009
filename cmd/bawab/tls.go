package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/configs"
)

func tlsCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "tls", Short: "show, export and renew the certificate of the API",
		Long: `On any address but loopback the API speaks TLS 1.3 alone. It shows the certificate that the configuration names
(tls.certificate, tls.key), or else one of its own, made at the first start and signed by an authority of its own, which
can sign for this appliance alone.`,
	},
		command.Leaf(&cobra.Command{
			Use: "show", Short: "print the fingerprint, the names and the end of the certificate",
			Long: "Prints the certificate: compare its fingerprint with what a client shows before you trust it. Exit code 1 when\nsomething is wrong with it.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(_ context.Context, t *command.Terminal, _ []string) error { return showCertificate(t, p) }
		}),
		command.Leaf(&cobra.Command{
			Use: "export", Short: "print the certificate, or the authority for clients to trust",
			Long: `Prints the certificate in PEM form, or with --ca the appliance's own authority. A client that trusts the authority
notices no renewal. It can sign for the names and addresses of this appliance alone.`,
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			ca := fs.Bool("ca", false, "the authority that signed the certificate")
			return func(_ context.Context, t *command.Terminal, _ []string) error { return exportCertificate(t, p, *ca) }
		}),
		command.Leaf(&cobra.Command{
			Use: "renew", Short: "make the appliance's own certificate again now",
			Long: "Makes the appliance's own certificate again, for the names and addresses that the machine has now. Its key stays, so\nthat clients which have pinned the key notice nothing. A running daemon takes it over within seconds. The journal notes it.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			newKey := fs.Bool("new-key", false, "make a new key too: after the old one was lost to somebody")
			return func(ctx context.Context, t *command.Terminal, _ []string) error {
				return renewCertificate(ctx, t, p, *newKey)
			}
		}),
	)
}

// readCertificate returns the certificate of a configuration.
func readCertificate(t *command.Terminal, p command.Place) (*configs.Config, certificate.Info, error) {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return nil, certificate.Info{}, err
	}
	info, err := certificate.Read(daemon.CertificateConfig(cfg), time.Now())
	if cfg.TLS.Certificate == "" && errors.Is(err, fs.ErrNotExist) {
		err = &appliance.Error{
			Op: "read certificate", Msg: "there is no certificate yet in the data folder " + cfg.Data,
			Hint: "the daemon makes one when it first listens on a network address, as with listen: 0.0.0.0:8443",
		}
	}
	return cfg, info, err
}

func exportCertificate(t *command.Terminal, p command.Place, ca bool) error {
	cfg, info, err := readCertificate(t, p)
	if err != nil {
		return err
	}
	var text []byte
	if ca {
		text, err = certificate.Authority(daemon.CertificateConfig(cfg))
	} else {
		text, err = os.ReadFile(info.File)
	}
	switch {
	case ca && errors.Is(err, fs.ErrNotExist):
		hint := "clients trust its issuer already, or must be given that one: " + info.Issuer
		if info.Own {
			hint = "it was made by an older release: `bawab tls renew` makes one that an authority signs; clients that trust the old one must be told"
		}
		return &appliance.Error{Op: "export certificate", Msg: "no authority of the appliance's own signed the certificate", Hint: hint}
	case err != nil:
		return fmt.Errorf("export certificate: %w", err)
	}
	_, err = t.Out.Write(text)
	return err
}

func showCertificate(t *command.Terminal, p command.Place) error {
	_, info, err := readCertificate(t, p)
	if err != nil {
		return err
	}
	if err := printCertificate(t, info); err != nil {
		return err
	}
	for _, w := range certificate.Warnings(info, time.Now()) {
		return &appliance.Error{Op: "show certificate", Msg: w.Msg, Hint: w.Hint}
	}
	return nil
}

func printCertificate(t *command.Terminal, i certificate.Info) error {
	kind := "brought, issued by " + i.Issuer
	if i.Own {
		kind = "the appliance's own"
	}
	_, err := fmt.Fprintf(t.Out, "file         %s (%s)\nSHA-256      %s\nkey          %s\npin          curl -k --pinnedpubkey '%s'\nnames        %s\nvalid        %s to %s\n", i.File, kind,
		i.Fingerprint, i.Key, i.Pin, strings.Join(i.Names, ", "), i.NotBefore.UTC().Format(time.DateOnly), i.NotAfter.UTC().Format(time.DateOnly))
	return err
}

func renewCertificate(ctx context.Context, t *command.Terminal, p command.Place, newKey bool) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	info, err := certificate.Renew(daemon.CertificateConfig(cfg), time.Now(), newKey)
	if err != nil {
		return err
	}
	if err := printCertificate(t, info); err != nil {
		return err
	}
	return noteRenewal(ctx, t, cfg, info, newKey)
}

// noteRenewal puts a renewal into the journal. Before the first start there is none, and that start notes which certificate
// it shows.
func noteRenewal(ctx context.Context, t *command.Terminal, cfg *configs.Config, info certificate.Info, newKey bool) error {
	if !reach.HasStore(cfg) {
		return nil
	}
	key := "kept"
	if newKey {
		key = "new"
	}
	err := reach.Note(ctx, t, cfg, appliance.Entry{Kind: appliance.EntryTLSRenewed, Subject: info.Fingerprint, Detail: map[string]string{"key": key}})
	if err != nil {
		return fmt.Errorf("the certificate is renewed, but the journal could not note it: %w", err)
	}
	return nil
}
