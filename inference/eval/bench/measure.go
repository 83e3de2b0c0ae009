package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/store"
)

// form is the form of the figures that are printed as JSON.
const form = "bawab-bench/2"

// warmUp is how many requests run before the clock starts: the first ones fill caches and pools.
const warmUp = 10

// measure reads the picture over and over in this process, as the daemon would: with one client for each core for the
// latency, and then with two for the throughput.
func measure(ctx context.Context, endpoint appliance.Endpoint, picture []byte, cores, requests int) (run benchRun, err error) {
	dir, err := os.MkdirTemp("", "bawab-bench-")
	if err != nil {
		return run, fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	cfg, err := configs.Load(configs.Sources{Flags: map[string]string{"data": dir}})
	if err != nil {
		return run, err
	}
	s := store.New(store.Config{Dir: cfg.Data, KeyFile: cfg.Store.KeyFile, TTL: cfg.Store.TTL, MaxAge: cfg.Store.MaxAge})
	if err := s.Open(ctx); err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	e, err := engine.Open(ctx, cfg.Picture, cores)
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	a := usecase.New(usecase.Deps{
		Decoder: e.Decoder, PrintDecoder: e.PrintDecoder(), Networks: usecase.Networks{Readers: e.Readers()}, Transactions: s,
		Queue: queue.New(cores, 2*cores), Now: time.Now, Patience: cfg.Picture.MaxTime,
	})
	read := func() (sample, error) { return once(ctx, a, endpoint, picture) }
	if compares(endpoint) {
		c, err := newComparison(e, s, queue.New(cores, 2*cores), endpoint, picture)
		if err != nil {
			return run, err
		}
		read = func() (sample, error) { return c.once(ctx) }
	}
	if _, _, err := loop(read, cores, warmUp); err != nil {
		return run, err
	}
	samples, _, err := loop(read, cores, requests)
	if err != nil {
		return run, err
	}
	// With more clients than cores the processor has work while others wait for the disk.
	_, elapsed, err := loop(read, 2*cores, requests)
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
func loop(read func() (sample, error), clients, requests int) ([]sample, time.Duration, error) {
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
				if samples[i], errs[c] = read(); errs[c] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return samples, time.Since(began), errors.Join(errs...)
}

// once reads the picture and writes the answer.
func once(ctx context.Context, a *usecase.Appliance, endpoint appliance.Endpoint, picture []byte) (sample, error) {
	id := appliance.NewGUID()
	began := time.Now()
	answer, err := a.Read(ctx, usecase.ReadRequest{Endpoint: endpoint, RequestID: id, Image: picture})
	if err != nil {
		return sample{}, fmt.Errorf("read the picture: %w", err)
	}
	read := time.Now()
	wire.Envelope(wire.Answer{Endpoint: endpoint, RequestID: id, TransactionID: answer.TransactionID, Reading: answer.Reading})
	done := time.Now()
	return sample{done.Sub(began), append(answer.Stages, appliance.Stage{Name: "answer", Elapsed: done.Sub(read)})}, nil
}

// summary makes the report of latencies, and of the time that as many requests took for the throughput.
func summary(samples []sample, cores int, elapsed time.Duration) benchRun {
	r := benchRun{Cores: cores, Requests: len(samples), PerSecond: score.Rounded(float64(len(samples)) / elapsed.Seconds())}
	var totals []time.Duration
	stages := map[string][]time.Duration{}
	for _, s := range samples {
		totals = append(totals, s.total)
		for _, stage := range s.stages {
			if stages[stage.Name] == nil { // the same picture, so the same work in every sample
				r.Stages = append(r.Stages, benchStage{Name: stage.Name, Inferences: stage.Runs, MACs: stage.MACs})
			}
			stages[stage.Name] = append(stages[stage.Name], stage.Elapsed)
		}
	}
	slices.Sort(totals)
	r.P50, r.P95 = score.Milliseconds(score.Percentile(totals, 50)), score.Milliseconds(score.Percentile(totals, 95))
	for i := range r.Stages {
		s := &r.Stages[i]
		times := stages[s.Name]
		slices.Sort(times)
		s.P50, s.P95 = score.Milliseconds(score.Percentile(times, 50)), score.Milliseconds(score.Percentile(times, 95))
	}
	return r
}
