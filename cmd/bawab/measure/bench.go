package measure

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/eval/bench"
)

// Bench is the command that measures how fast pictures are read.
func Bench() *cobra.Command {
	c := command.Leaf(&cobra.Command{
		Use: "bench", Short: "measure speed and memory on this machine",
		Long: `Measures how long a picture takes from its encoded form to the durable answer, stage by stage, on one core and on
two, and what its networks compute: inferences and millions of multiply-accumulates (MMAC). It reads a sample of each kind
below models/samples, or one picture that you name. Then it measures how long the daemon takes to start, and its memory.
--soak sends thousands of requests to a daemon of its own and shows whether memory stays flat.

--json prints a form that stays the same from version to version ("form" names it); --compare FILE reads such a file and prints
new divided by old, so that 1.10 is ten per cent more.`,
	}, func(fs *flag.FlagSet) command.Action {
		var (
			b               bench.Call
			p               command.Place
			endpoint, cores string
		)
		p.Flags(fs)
		fs.StringVar(
			&endpoint,
			"endpoint",
			"",
			"measure `WHAT` alone instead of all samples: what scan reads, face/match or liveness/multi",
		)
		fs.StringVar(&b.Picture, "picture", "", "picture `FILE` to read with --endpoint instead of its sample")
		fs.StringVar(&cores, "cores", "1,2", "`LIST` of numbers of cores to measure on")
		fs.IntVar(&b.Requests, "requests", 200, "`N` requests for each number of cores")
		fs.BoolVar(&b.Soak, "soak", false, "also send 10,000 requests over HTTP and watch the memory")
		fs.IntVar(&b.SoakRequests, "soak-requests", 10_000, "`N` requests of the soak")
		fs.BoolVar(&b.JSON, "json", false, "print the figures as JSON")
		fs.StringVar(&b.Compare, "compare", "", "`FILE` of an earlier --json to compare with")
		fs.IntVar(
			&b.Pinned,
			"pinned",
			0,
			"measure on the `N` cores that this process has, and print only that run; bench calls itself so",
		)
		return func(ctx context.Context, t *command.Terminal, _ []string) (err error) {
			b.Version, b.Environ, b.Out, b.Errs = t.Version, t.Environ, t.Out, t.Errs
			b.Load = func() (*configs.Config, error) { return p.Load(t, nil) }
			b.Prepare = func() { daemon.CollectEarly(t.Environ) }
			if b.Requests < 1 || b.SoakRequests < 1 {
				return &command.UsageError{Msg: "at least one request is needed"}
			}
			if b.Picture != "" && endpoint == "" {
				return &command.UsageError{Msg: "--picture needs --endpoint, which says what the picture shows"}
			}
			if endpoint != "" {
				if b.Endpoint, err = parseEndpoint(endpoint, bench.Endpoints()); err != nil {
					return err
				}
			}
			if b.Cores, err = coreNumbers(cores); err != nil {
				return err
			}
			return b.Run(ctx)
		}
	})
	completeEndpoint(c, bench.Endpoints())
	return c
}

// coreNumbers reads the value of --cores.
func coreNumbers(list string) (numbers []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, &command.UsageError{Msg: fmt.Sprintf("--cores %q is no list of numbers such as 1,2", list)}
		}
		numbers = append(numbers, n)
	}
	if n := runtime.NumCPU(); slices.Min(numbers) > n {
		return nil, &command.UsageError{Msg: fmt.Sprintf("--cores %q is more than the %d cores of this machine", list, n)}
	}
	return numbers, nil
}
