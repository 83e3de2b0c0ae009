package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bawab/bawab/appliance/words"
)

func (r *benchReport) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "machine\t%s, load %.1f when this began\n", words.Count(r.Machine.Cores, "core", "cores"), r.Machine.Load)
	for _, m := range r.Models {
		fmt.Fprintf(w, "model %s\t%.1f MMAC\n", m.Name, float64(m.MACs)/1e6)
	}
	for _, g := range r.Readings {
		g.print(w)
	}
	fmt.Fprintf(w, "\nstart to ready\t%.0f ms\n", r.Daemon.ReadyMilliseconds)
	fmt.Fprintf(w, "memory at start\t%.1f MiB\n", words.Mebibytes(r.Daemon.RSSBytes))
	if s := r.Soak; s != nil {
		fmt.Fprintf(w, "\nsoak of %d\t%.1f requests/s, answers by status: %s\n", s.Requests, s.PerSecond, s.answers())
		for _, p := range s.Points {
			fmt.Fprintf(
				w,
				"  after %d\tmemory %.1f MiB (own %.1f with a heap of %.1f, files %.1f)\t%d goroutines\t%d files\tstore %.1f MiB\n",
				p.Requests,
				words.Mebibytes(p.RSSBytes),
				words.Mebibytes(p.AnonBytes),
				words.Mebibytes(p.HeapBytes),
				words.Mebibytes(p.FileBytes),
				p.Goroutines,
				p.Files,
				words.Mebibytes(p.StoreBytes),
			)
		}
		fmt.Fprintf(w, "  growth\t%+.1f %%\n", 100*s.Growth)
	}
	w.Flush()
}

func (g *benchReading) name() string { return strings.TrimPrefix(g.Endpoint, "ocr/") }

func (g *benchReading) print(w io.Writer) {
	fmt.Fprintf(
		w,
		"\n%s\t%s, %d x %d, %s, %.1f MMAC\n",
		g.name(),
		g.Picture.Name,
		g.Picture.Width,
		g.Picture.Height,
		words.Size(int64(g.Picture.Bytes)),
		float64(g.MACs)/1e6,
	)
	for _, run := range g.Runs {
		fmt.Fprintf(
			w,
			"  %s\t%.1f requests/s\tp50 ms\tp95 ms\tinferences\tMMAC\n",
			words.Count(run.Cores, "core", "cores"),
			run.PerSecond,
		)
		for _, s := range run.Stages {
			fmt.Fprintf(w, "    %s\t\t%.2f\t%.2f\t%d\t%.1f\n", s.Name, s.P50, s.P95, s.Inferences, float64(s.MACs)/1e6)
		}
		fmt.Fprintf(w, "    total\t\t%.2f\t%.2f\t\t%.1f\n", run.P50, run.P95, float64(g.MACs)/1e6)
	}
	if g.Speedup > 0 {
		fmt.Fprintf(w, "  speed-up\t%.2f\n", g.Speedup)
	}
}

// ratios prints figures as new divided by old.
type ratios struct{ io.Writer }

func (w ratios) line(name string, was, is float64) {
	if was > 0 {
		fmt.Fprintf(w, "%s\t%.2f\t(%.2f / %.2f)\n", name, is/was, is, was)
	}
}

// compare prints how the figures changed: new divided by old.
func compare(out io.Writer, old, now *benchReport) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	w := ratios{table}
	fmt.Fprintf(w, "\nnew / old\t(old: version %s of %s)\n", old.Version, old.Date)
	for _, g := range now.Readings {
		if i := slices.IndexFunc(old.Readings, func(o benchReading) bool { return o.Endpoint == g.Endpoint }); i >= 0 {
			g.compare(w, &old.Readings[i])
		}
	}
	w.line("start to ready ms", old.Daemon.ReadyMilliseconds, now.Daemon.ReadyMilliseconds)
	w.line("memory at start", words.Mebibytes(old.Daemon.RSSBytes), words.Mebibytes(now.Daemon.RSSBytes))
	if old.Soak != nil && now.Soak != nil {
		w.line("memory after the soak", words.Mebibytes(old.Soak.last().RSSBytes), words.Mebibytes(now.Soak.last().RSSBytes))
	}
	table.Flush()
}

// compare pairs the runs by their number of cores and the stages by their names.
func (g *benchReading) compare(w ratios, old *benchReading) {
	w.line(g.name()+" MMAC", float64(old.MACs)/1e6, float64(g.MACs)/1e6)
	for _, run := range g.Runs {
		i := slices.IndexFunc(old.Runs, func(r benchRun) bool { return r.Cores == run.Cores })
		if i < 0 {
			continue
		}
		was := old.Runs[i]
		prefix := g.name() + ", " + words.Count(run.Cores, "core", "cores") + " "
		w.line(prefix+"requests/s", was.PerSecond, run.PerSecond)
		w.line(prefix+"p50 ms", was.P50, run.P50)
		w.line(prefix+"p95 ms", was.P95, run.P95)
		for _, s := range run.Stages {
			if j := slices.IndexFunc(was.Stages, func(o benchStage) bool { return o.Name == s.Name }); j >= 0 {
				w.line(prefix+s.Name+" p50 ms", was.Stages[j].P50, s.P50)
			}
		}
	}
	w.line(g.name()+" speed-up", old.Speedup, g.Speedup)
}
