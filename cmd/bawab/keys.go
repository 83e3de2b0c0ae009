package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/cmd/bawab/verify"
	"github.com/bawab/bawab/store"
)

func keysCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "keys", Short: "make, list and revoke API keys, show the appliance's own",
		Long: "Every request carries an API key in its ApiKey header. Changes hold at once, also while the daemon runs.",
	},
		command.Leaf(&cobra.Command{
			Use: "add NAME", Short: "make a key and print it",
			Long: `Makes an API key and prints it, and nothing else, on standard output. It is shown this once: only its SHA-256 is kept.

Scopes: ocr (read documents), face (face match and liveness), camera (the appliance's own camera), review (look at pictures that
are kept and confirm them), admin.
--expires takes a last day, as 2027-03-31 (in Cairo time), or a duration from now, as 90d or 24h.`,
		}, setupAddKey),
		command.Leaf(&cobra.Command{
			Use: "list", Short: "list the keys",
			Long: "Lists the keys with scopes, rate limit, expiry and last use. The keys themselves are kept nowhere.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return listKeys(ctx, t, p) }
		}),
		command.Leaf(&cobra.Command{
			Use: "revoke NAME", Short: "end a key at once",
			Long: "Ends a key at once: the next request with it is answered 401.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, args []string) error {
				return revokeKey(ctx, t, p, args[0])
			}
		}),
		keysScreenCommand(),
		verify.Identity(),
		rotateCommand(),
		branchKeyCommand(),
	)
}

func setupAddKey(fs *flag.FlagSet) command.Action {
	var p command.Place
	p.Flags(fs)
	scopes := fs.String("scopes", "", "`LIST` of scopes with commas: "+scopeList(",")+"; required")
	expires := fs.String("expires", "", "`WHEN` the key ends: 2027-03-31, 90d or 24h; never, if left out")
	origins := fs.StringArray("origin", nil, "web `ORIGIN` whose pages alone may use the key, as https://teller.bank.example; may be repeated")
	rate := fs.String("rate", "", "`N` requests a minute at most; no limit, if left out")
	return func(ctx context.Context, t *command.Terminal, args []string) error {
		zone, err := egypt.Cairo()
		if err != nil {
			return err
		}
		if err := appliance.CheckKeyName(args[0]); err != nil {
			return addUsage("%v", err)
		}
		k := appliance.Key{Name: args[0]}
		if k.Scopes, err = parseScopes(*scopes); err != nil {
			return err
		}
		if k.Expires, err = parseExpiry(*expires, time.Now().In(zone)); err != nil {
			return err
		}
		for _, o := range *origins {
			if err := appliance.CheckOrigin(o); err != nil {
				return addUsage("--origin: %v", err)
			}
		}
		k.Origins = *origins
		if k.RatePerMinute, err = parseRate(*rate); err != nil {
			return err
		}
		var secret string
		err = reach.Visit{
			Through: func(c *control.Client) (err error) { secret, err = c.AddKey(ctx, k); return err },
			Direct: func(s *store.Store) (err error) {
				return reach.JournaledKeys(ctx, t, p, s, func(keys appliance.KeyStore) error {
					secret, err = appliance.NewKeyring(keys, time.Now).Add(ctx, k)
					return err
				})
			},
			Creates: true,
		}.Do(ctx, t, p)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(t.Out, secret)
		return err
	}
}

func revokeKey(ctx context.Context, t *command.Terminal, p command.Place, name string) error {
	err := reach.Visit{
		Through: func(c *control.Client) error { return c.RevokeKey(ctx, name) },
		Direct: func(s *store.Store) error {
			return reach.JournaledKeys(ctx, t, p, s, func(keys appliance.KeyStore) error { return keys.RevokeKey(ctx, name) })
		},
	}.Do(ctx, t, p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "revoked %s: the next request with this key is answered 401\n", name)
	return err
}

func addUsage(format string, args ...any) error {
	return &command.UsageError{Msg: fmt.Sprintf(format, args...)}
}

// scopeList names all scopes, with a sign between them.
func scopeList(between string) string {
	var names []string
	for _, s := range appliance.Scopes() {
		names = append(names, string(s))
	}
	return strings.Join(names, between)
}

func parseScopes(list string) ([]appliance.Scope, error) {
	if strings.TrimSpace(list) == "" {
		return nil, addUsage("--scopes is missing: name at least one of %s", scopeList(", "))
	}
	asked := map[appliance.Scope]bool{}
	for _, s := range strings.Split(list, ",") {
		asked[appliance.Scope(strings.TrimSpace(s))] = true
	}
	var scopes []appliance.Scope
	for _, s := range appliance.Scopes() {
		if asked[s] {
			scopes = append(scopes, s)
			delete(asked, s)
		}
	}
	for s := range asked {
		return nil, addUsage("there is no scope %q: choose from %s", s, scopeList(", "))
	}
	return scopes, nil
}

// parseExpiry reads a last day, which is valid to its end in now's zone, or a duration from now with d for days.
func parseExpiry(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		if end := day.AddDate(0, 0, 1); end.After(now) {
			return end, nil
		}
		return time.Time{}, addUsage("--expires %s lies in the past", s)
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n <= 36500 {
			return now.AddDate(0, 0, n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(d), nil
	}
	return time.Time{}, addUsage("--expires %q is neither a date such as 2027-03-31 nor a duration such as 90d or 24h", s)
}

func parseRate(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, addUsage("--rate %q is no number of requests a minute from 1 to 1000000", s)
	}
	return n, nil
}

func listKeys(ctx context.Context, t *command.Terminal, p command.Place) error {
	var keys []appliance.Key
	err := reach.Visit{
		Through: func(c *control.Client) (err error) { keys, err = c.Keys(ctx); return err },
		Direct:  func(s *store.Store) (err error) { keys, err = s.Keys(ctx); return err },
	}.Do(ctx, t, p)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		_, err := fmt.Fprintln(t.Errs, "there is no key yet: make one with `bawab keys add NAME --scopes ocr,face`")
		return err
	}
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSCOPES\tRATE\tCREATED\tEXPIRES\tLAST USED\tORIGINS")
	for _, k := range keys {
		var scopes []string
		for _, s := range k.Scopes {
			scopes = append(scopes, string(s))
		}
		rate := "no limit"
		if k.RatePerMinute > 0 {
			rate = fmt.Sprintf("%d/min", k.RatePerMinute)
		}
		origins := cmp.Or(strings.Join(k.Origins, ","), "any")
		if k.Screen != "" {
			origins = "kiosk screen at " + k.Screen
		}
		fmt.Fprintf(
			w,
			"%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			k.Name,
			strings.Join(scopes, ","),
			rate,
			words.When(k.Created),
			expiry(k.Expires),
			words.When(k.LastUsed),
			origins,
		)
	}
	return w.Flush()
}

func expiry(t time.Time) string {
	if !t.IsZero() && !time.Now().Before(t) {
		return words.When(t) + " (ended)"
	}
	return words.When(t)
}
