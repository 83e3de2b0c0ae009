package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

// warmUp is how many requests run before the clock starts: the first ones fill caches and pools.
const warmUp = 10

// measure reads the picture over and over in this process, as the daemon would: with one client for each core for the
// latency, and then with two for the throughput.
func measure(ctx context.Context, picture []byte, cores, requests int) (run benchRun, err error) {
	dir, err := os.MkdirTemp("", "bawab-bench-")
	if err != nil {
		return run, fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	cfg, err := configs.Load(configs.Sources{Flags: map[string]string{"data": dir}})
	if err != nil {
		return run, err
	}
	s := store.New(storeConfig(cfg, nil, nil))
	if err := s.Open(ctx); err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	e, err := openEngine(ctx, cfg.Picture, cores)
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	a := appliance.New(appliance.Deps{Decoder: e.decoder, Readers: e.readers(), Transactions: s,
		Queue: appliance.NewQueue(cores, 2*cores), Now: time.Now})
	if _, _, err := loop(ctx, a, picture, cores, warmUp); err != nil {
		return run, err
	}
	samples, _, err := loop(ctx, a, picture, cores, requests)
	if err != nil {
		return run, err
	}
	// With more clients than cores the processor has work while others wait for the disk.
	_, elapsed, err := loop(ctx, a, picture, 2*cores, requests)
	if err != nil {
		return run, err
	}
	return summary(samples, cores, elapsed), nil
}

// sample is one timed request.
type sample struct {
	total  time.Duration
	stages []appliance.Stage
}

// loop keeps the clients busy until all requests are done.
func loop(ctx context.Context, a *appliance.Appliance, picture []byte, clients, requests int) ([]sample, time.Duration, error) {
	samples := make([]sample, requests)
	errs := make([]error, clients)
	var next atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for c := range clients {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= requests {
					return
				}
				if samples[i], errs[c] = once(ctx, a, picture); errs[c] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return samples, time.Since(began), errors.Join(errs...)
}

// once reads the picture and writes the answer.
func once(ctx context.Context, a *appliance.Appliance, picture []byte) (sample, error) {
	id := appliance.NewGUID()
	began := time.Now()
	answer, err := a.Read(ctx, appliance.ReadRequest{Endpoint: appliance.EndpointPassport, RequestID: id, Image: picture})
	if err != nil {
		return sample{}, fmt.Errorf("read the picture: %w", err)
	}
	read := time.Now()
	httpapi.Envelope(httpapi.Answer{Endpoint: appliance.EndpointPassport, RequestID: id, TransactionID: answer.TransactionID, Reading: answer.Reading})
	done := time.Now()
	return sample{done.Sub(began), append(answer.Stages, appliance.Stage{Name: "answer", Elapsed: done.Sub(read)})}, nil
}

// summary makes the report of latencies, and of the time that as many requests took for the throughput.
func summary(samples []sample, cores int, elapsed time.Duration) benchRun {
	r := benchRun{Cores: cores, Requests: len(samples), PerSecond: rounded(float64(len(samples)) / elapsed.Seconds())}
	var totals []time.Duration
	var order []string
	stages := map[string][]time.Duration{}
	for _, s := range samples {
		totals = append(totals, s.total)
		for _, stage := range s.stages {
			if stages[stage.Name] == nil {
				order = append(order, stage.Name)
			}
			stages[stage.Name] = append(stages[stage.Name], stage.Elapsed)
		}
	}
	slices.Sort(totals)
	r.P50, r.P95 = milliseconds(percentile(totals, 50)), milliseconds(percentile(totals, 95))
	for _, name := range order {
		times := stages[name]
		slices.Sort(times)
		r.Stages = append(r.Stages, benchStage{name, milliseconds(percentile(times, 50)), milliseconds(percentile(times, 95))})
	}
	return r
}

func rounded(x float64) float64 { return math.Round(x*100) / 100 }

// The forms of the figures that bench and eval print as JSON.
const (
	formBench         = "bawab-bench/1"
	formEvalMRZ       = "bawab-eval-mrz/1"
	formEvalDocuments = "bawab-eval-documents/1"
)

// readFigures reads figures that an earlier call printed with --json into figures, and refuses those of another form.
func readFigures(name, form string, figures any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read earlier figures: %w", err)
	}
	var head struct{ Form string }
	if err := errors.Join(json.Unmarshal(text, &head), json.Unmarshal(text, figures)); err != nil {
		return fmt.Errorf("read earlier figures: %w", err)
	}
	if head.Form != form {
		return fmt.Errorf("read earlier figures: %s has form %q, not %s", name, head.Form, form)
	}
	return nil
}

func (r *benchReport) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "picture\t%s, %d x %d, %d KiB\n", r.Picture.Name, r.Picture.Width, r.Picture.Height, r.Picture.Bytes>>10)
	fmt.Fprintf(w, "machine\t%d cores, load %.1f when this began\n", r.Machine.Cores, r.Machine.Load)
	for _, m := range r.Models {
		fmt.Fprintf(w, "model %s\t%.1f MMAC\n", m.Name, float64(m.MACs)/1e6)
	}
	for _, run := range r.Runs {
		fmt.Fprintf(w, "\n%d core(s)\t%.1f requests/s\tp50 ms\tp95 ms\n", run.Cores, run.PerSecond)
		for _, s := range run.Stages {
			fmt.Fprintf(w, "  %s\t\t%.2f\t%.2f\n", s.Name, s.P50, s.P95)
		}
		fmt.Fprintf(w, "  total\t\t%.2f\t%.2f\n", run.P50, run.P95)
	}
	if r.Speedup > 0 {
		fmt.Fprintf(w, "\nspeed-up\t%.2f\n", r.Speedup)
	}
	fmt.Fprintf(w, "start to ready\t%.0f ms\n", r.Daemon.ReadyMilliseconds)
	fmt.Fprintf(w, "memory at start\t%.1f MiB\n", mebibytes(r.Daemon.RSSBytes))
	if s := r.Soak; s != nil {
		fmt.Fprintf(w, "\nsoak of %d\t%.1f requests/s, answers by status: %s\n", s.Requests, s.PerSecond, s.answers())
		for _, p := range s.Points {
			fmt.Fprintf(w, "  after %d\tmemory %.1f MiB (own %.1f with a heap of %.1f, files %.1f)\t%d goroutines\t%d files\tstore %.1f MiB\n",
				p.Requests, mebibytes(p.RSSBytes), mebibytes(p.AnonBytes), mebibytes(p.HeapBytes), mebibytes(p.FileBytes), p.Goroutines, p.Files, mebibytes(p.StoreBytes))
		}
		fmt.Fprintf(w, "  growth\t%+.1f %%\n", 100*s.Growth)
	}
	w.Flush()
}

func mebibytes(n int64) float64 { return float64(n) / (1 << 20) }

// compare prints how the figures changed: new divided by old.
func compare(out io.Writer, old, now *benchReport) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew / old\t(old: version %s of %s)\n", old.Version, old.Date)
	line := func(name string, was, is float64) {
		if was > 0 {
			fmt.Fprintf(w, "%s\t%.2f\t(%.2f / %.2f)\n", name, is/was, is, was)
		}
	}
	for _, run := range now.Runs {
		i := slices.IndexFunc(old.Runs, func(r benchRun) bool { return r.Cores == run.Cores })
		if i < 0 {
			continue
		}
		was := old.Runs[i]
		prefix := fmt.Sprintf("%d core(s) ", run.Cores)
		line(prefix+"requests/s", was.PerSecond, run.PerSecond)
		line(prefix+"p50 ms", was.P50, run.P50)
		line(prefix+"p95 ms", was.P95, run.P95)
		for _, s := range run.Stages {
			if j := slices.IndexFunc(was.Stages, func(o benchStage) bool { return o.Name == s.Name }); j >= 0 {
				line(prefix+s.Name+" p50 ms", was.Stages[j].P50, s.P50)
			}
		}
	}
	line("speed-up", old.Speedup, now.Speedup)
	line("start to ready ms", old.Daemon.ReadyMilliseconds, now.Daemon.ReadyMilliseconds)
	line("memory at start", mebibytes(old.Daemon.RSSBytes), mebibytes(now.Daemon.RSSBytes))
	if old.Soak != nil && now.Soak != nil {
		line("memory after the soak", mebibytes(old.Soak.last().RSSBytes), mebibytes(now.Soak.last().RSSBytes))
	}
	w.Flush()
}
