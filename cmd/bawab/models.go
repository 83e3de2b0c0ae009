package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/daemon/doctor"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

func modelsCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "models", Short: "list, verify and exchange the networks",
		Long: `The networks are part of the binary: int8 TFLite files, each with its SHA-256 and a contract of its input and output. A signed
pack brings newer ones.`,
	}, append([]*cobra.Command{
		command.Leaf(&cobra.Command{
			Use: "list", Short: "list the networks with their sizes and origin",
			Long: `Lists the sets of networks (the one in use, the one before, the one in the program) and the networks of the set in use: name,
input and output, million multiply-accumulates of one run, size, whether it was made from clean data or from research data, which
a licence keeps from commercial use, and SHA-256; which calibration documents are read by, that of the program or of the set; and the
kinds of documents that the set brings.`,
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return listModels(t, p) }
		}),
		command.Leaf(&cobra.Command{
			Use: "verify", Short: "check files, contracts and kernels of the networks",
			Long: `Compares every network of the set in use with its SHA-256, loads it, holds its input and output against the manifest,
runs it once and reports whether the fast kernels took it. The calibration is held against that of the program. When a daemon serves
the data folder, what it reads with is compared too.`,
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return verifyModels(ctx, t, p) }
		}),
	}, packCommands()...)...)
}

// setInUse returns the model set that a daemon of the data folder would start with now, and writes down which sets there are.
// An installed set that cannot be looked at is told on standard error.
func setInUse(t *command.Terminal, p command.Place) (set *models.Set, about []string, err error) {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return nil, nil, err
	}
	shelf, embedded, err := daemon.Shelf(cfg)
	if err != nil {
		return nil, nil, err
	}
	st, err := shelf.State()
	if err != nil {
		msg, _ := doctor.Explain(err)
		fmt.Fprintf(t.Errs, "the installed models cannot be seen: %s\n", words.OneLine(msg))
	}
	if set, err = daemon.InUse(shelf, embedded, st); err != nil {
		return nil, nil, err
	}
	more := ""
	if set.Version() == st.Current && shelf.By(st.Current) == pack.BySite {
		more = ", signed by the site"
	}
	if st.Trial {
		more += ", on trial"
	}
	about = append(about, fmt.Sprintf("in use: version %d%s", set.Version(), more), fmt.Sprintf("in the program: version %d", embedded.Version()))
	if st.Previous > 0 {
		about = append(about, fmt.Sprintf("before: version %d", st.Previous))
	}
	if st.Failed > 0 {
		about = append(about, fmt.Sprintf("given up: version %d (%s)", st.Failed, st.Why))
	}
	return set, about, nil
}

func listModels(t *command.Terminal, p command.Place) error {
	set, about, err := setInUse(t, p)
	if err != nil {
		return err
	}
	kinds, err := engine.KindsOf(set)
	if err != nil {
		return err
	}
	numbers, err := engine.Numbers(set)
	if err != nil {
		return err
	}
	about = append(about, "calibration: "+numbers.Origin().String())
	for _, k := range kinds {
		about = append(about, fmt.Sprintf("kind of documents: %s, %s", k.Kind, words.Count(len(k.Fields), "field", "fields")))
	}
	fmt.Fprintln(t.Out, strings.Join(about, "\n"))
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tINPUT\tOUTPUT\tMMAC\tKIB\tMADE FROM\tSHA-256")
	for _, m := range set.List() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.0f\t%d\t%s\t%s\n", m.Name, shape(m.Input), shape(m.Output), float64(m.MACs)/1e6, len(m.Bytes)>>10,
			cmp.Or(m.Provenance, "not stated"), m.SHA256)
	}
	return w.Flush()
}

func shape(t models.Tensor) string {
	s := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Shape), " ", "x"), "[]")
	if t.Channels != "" {
		s += " " + t.Channels
	}
	return s
}

func verifyModels(ctx context.Context, t *command.Terminal, p command.Place) error {
	set, _, err := setInUse(t, p)
	if err != nil {
		return err
	}
	running, err := runningModels(ctx, t, p)
	if err != nil {
		return err
	}
	failed := !verifyCalibration(t, set, running)
	for _, m := range set.List() {
		fast, err := doctor.Try(ctx, m)
		switch {
		case err != nil:
			failed = true
			fmt.Fprintf(t.Out, "%s: FAILED: %v\n", m.Name, err)
		case running != nil && !slices.Contains(running.Models, state.Model{Name: m.Name, SHA256: m.SHA256}):
			failed = true
			fmt.Fprintf(t.Out, "%s: FAILED: the running daemon has another network of this name: restart it\n", m.Name)
		default:
			fmt.Fprintf(t.Out, "%s: ok, SHA-256 %s, %s\n", m.Name, m.SHA256, doctor.Kernels(fast))
		}
	}
	if failed {
		return errors.New("a network is not what it must be: install bawab again")
	}
	return nil
}

// verifyCalibration holds the calibration of a set against the program's and that of a running daemon, nil for none, and reports whether it
// is as it must be.
func verifyCalibration(t *command.Terminal, set *models.Set, running *state.Status) bool {
	c, err := engine.Numbers(set)
	switch {
	case err != nil:
		fmt.Fprintf(t.Out, "calibration: FAILED: %v\n", err)
	case running != nil && running.Calibration != c.Origin().SHA256:
		fmt.Fprintln(t.Out, "calibration: FAILED: the running daemon has another one: restart it")
	default:
		fmt.Fprintf(t.Out, "calibration: ok, %s\n", c.Origin())
		return true
	}
	return false
}

// runningModels asks the daemon of the data folder what it reads with; nil when there is no daemon.
func runningModels(ctx context.Context, t *command.Terminal, p command.Place) (*state.Status, error) {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return nil, err
	}
	return reach.Status(ctx, cfg)
}
