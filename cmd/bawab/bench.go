package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/models"
)

func benchCommand() *cobra.Command {
	c := leaf(&cobra.Command{
		Use: "bench", Short: "measure speed and memory on this machine",
		Long: `Measures how long a picture takes from its encoded form to the durable answer, stage by stage, on one core and on
two, and what its networks compute: inferences and millions of multiply-accumulates (MMAC). It reads a sample of each kind
below models/samples, or one picture that you name. Then it measures how long the daemon takes to start, and its memory.
--soak sends thousands of requests to a daemon of its own and shows whether memory stays flat.

--json prints a form that stays the same from version to version ("form" names it); --compare FILE reads such a file and prints
new divided by old, so that 1.10 is ten per cent more.`,
	}, func(fs *flag.FlagSet) action {
		var b bench
		b.place.flags(fs)
		fs.StringVar(&b.endpoint, "endpoint", "", "measure `WHAT` alone instead of all samples: what scan reads, face/match or liveness/multi")
		fs.StringVar(&b.picture, "picture", "", "picture `FILE` to read with --endpoint instead of its sample")
		fs.StringVar(&b.cores, "cores", "1,2", "`LIST` of numbers of cores to measure on")
		fs.IntVar(&b.requests, "requests", 200, "`N` requests for each number of cores")
		fs.BoolVar(&b.soak, "soak", false, "also send 10,000 requests over HTTP and watch the memory")
		fs.IntVar(&b.soakRequests, "soak-requests", 10_000, "`N` requests of the soak")
		fs.BoolVar(&b.json, "json", false, "print the figures as JSON")
		fs.StringVar(&b.compare, "compare", "", "`FILE` of an earlier --json to compare with")
		fs.IntVar(&b.pinned, "pinned", 0, "measure on the `N` cores that this process has, and print only that run; bench calls itself so")
		return func(ctx context.Context, t *terminal, _ []string) error { return b.run(ctx, t) }
	})
	completeEndpoint(c, benchEndpoints())
	return c
}

// bench is one call of the command.
type bench struct {
	place        place
	endpoint     string
	picture      string
	cores        string
	requests     int
	soak         bool
	soakRequests int
	json         bool
	compare      string
	pinned       int
}

// benchReport is what `bawab bench --json` prints. Members are added, never renamed or given another unit, as long
// as Form stays the same.
type benchReport struct {
	Form     string         `json:"form"`
	Version  string         `json:"version"`
	Date     string         `json:"date"`
	Machine  benchMachine   `json:"machine"`
	Models   []benchModel   `json:"models"`
	Readings []benchReading `json:"readings"`
	Daemon   benchDaemon    `json:"daemon"`
	Soak     *benchSoak     `json:"soak,omitempty"`
}

// benchReading is one picture read for one endpoint, on one or more numbers of cores.
type benchReading struct {
	Endpoint string       `json:"endpoint"`
	Picture  benchPicture `json:"picture"`
	// MACs is what all networks compute for one answer.
	MACs int64      `json:"macs"`
	Runs []benchRun `json:"runs"`
	// Speedup is requests a second of the last run divided by those of the first; 0 for a single run.
	Speedup float64 `json:"speedup"`
}

type benchMachine struct {
	Arch     string   `json:"arch"`
	Cores    int      `json:"cores"`
	Features []string `json:"features"`
	Go       string   `json:"go"`
	// Load is the machine's one-minute load average at the start: well above 0, the figures are those of a busy machine.
	Load float64 `json:"load"`
}

type benchPicture struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

type benchModel struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	MACs   int64  `json:"macs"`
}

// benchRun is one number of cores: latencies in milliseconds with one client for each core, requests a second with two.
type benchRun struct {
	Cores     int          `json:"cores"`
	Requests  int          `json:"requests"`
	PerSecond float64      `json:"per_second"`
	P50       float64      `json:"total_ms_p50"`
	P95       float64      `json:"total_ms_p95"`
	Stages    []benchStage `json:"stages"`
}

// benchStage is the cost of one stage: its latency, and the inferences of its networks with their multiply-accumulates.
type benchStage struct {
	Name       string  `json:"name"`
	P50        float64 `json:"ms_p50"`
	P95        float64 `json:"ms_p95"`
	Inferences int64   `json:"inferences"`
	MACs       int64   `json:"macs"`
}

// benchDaemon is the daemon as it starts, before the first request.
type benchDaemon struct {
	ReadyMilliseconds float64 `json:"start_to_ready_ms"`
	RSSBytes          int64   `json:"rss_bytes"`
}

func (b *bench) run(ctx context.Context, t *terminal) error {
	if b.requests < 1 || b.soakRequests < 1 {
		return &usageError{msg: "at least one request is needed"}
	}
	if b.picture != "" && b.endpoint == "" {
		return &usageError{msg: "--picture needs --endpoint, which says what the picture shows"}
	}
	if b.pinned > 0 {
		return b.measurePinned(ctx, t)
	}
	var old *benchReport
	if b.compare != "" {
		old = new(benchReport)
		if err := readFigures(b.compare, formBench, old); err != nil {
			return err
		}
	}
	r, err := b.report(ctx, t)
	if err != nil {
		return err
	}
	if b.json {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("print figures: %w", err)
		}
		if err := printJSON(t.out, text, false); err != nil {
			return err
		}
	} else {
		r.print(t.out)
	}
	if old != nil {
		out := t.out
		if b.json {
			out = t.errs // standard output stays one JSON value
		}
		compare(out, old, r)
	}
	return nil
}

// measurePinned is what the process does that bench starts for one number of cores.
func (b *bench) measurePinned(ctx context.Context, t *terminal) error {
	endpoint, err := benchEndpoint(b.endpoint)
	if err != nil {
		return err
	}
	picture, err := os.ReadFile(b.picture)
	if err != nil {
		return fmt.Errorf("read picture: %w", err)
	}
	collectEarly(t.environ)
	run, err := measure(ctx, endpoint, picture, b.pinned, b.requests)
	if err != nil {
		return err
	}
	return json.NewEncoder(t.out).Encode(run)
}

// report makes all measurements.
func (b *bench) report(ctx context.Context, t *terminal) (*benchReport, error) {
	r := &benchReport{
		Form: formBench, Version: version, Date: time.Now().UTC().Format(time.DateOnly),
		Machine: benchMachine{Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Features: inference.Features(), Go: runtime.Version(), Load: load()},
	}
	set, err := models.Open()
	if err != nil {
		return nil, err
	}
	for _, m := range set.List() {
		r.Models = append(r.Models, benchModel{m.Name, m.SHA256, m.MACs})
	}
	if r.Readings, err = b.readings(ctx, t); err != nil {
		return nil, err
	}
	for i := range r.Readings {
		fmt.Fprintf(t.errs, "measuring %s, %d of %d\n", r.Readings[i].Endpoint, i+1, len(r.Readings)) // all take minutes
		if err := b.runs(ctx, t, &r.Readings[i]); err != nil {
			return nil, err
		}
	}
	if r.Daemon, err = startDaemon(ctx, t); err != nil {
		return nil, err
	}
	if b.soak {
		picture, err := os.ReadFile(samplePicture)
		if err != nil {
			return nil, &appliance.Error{Op: "read picture", Msg: err.Error(), Hint: "the soak reads the sample passport: run it in the folder of the repository"}
		}
		if r.Soak, err = soak(ctx, t, picture, b.soakRequests); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readings lists what is to be read: the picture that the caller names, or every sample of an endpoint that is built.
func (b *bench) readings(ctx context.Context, t *terminal) (_ []benchReading, err error) {
	cfg, err := b.place.load(t, nil)
	if err != nil {
		return nil, err
	}
	e, err := openEngine(ctx, cfg.Picture, 1)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	endpoints := []string{
		"passport", "id/front", "id/back", "driving_license", "car/license/front", "car/license/back", "license_plate", "multi", "general",
		"face/match", "liveness/multi",
	}
	if b.endpoint != "" {
		endpoints = []string{b.endpoint}
	}
	var all []benchReading
	for _, name := range endpoints {
		endpoint, err := benchEndpoint(name)
		if err != nil {
			return nil, err
		}
		file := b.picture
		if file == "" {
			file = sampleOf(endpoint)
		}
		if !e.built(endpoint) {
			fmt.Fprintf(t.errs, "%s is left out: no reader for it is built\n", name)
			continue
		}
		picture, err := describePicture(ctx, e, file)
		if b.endpoint == "" && errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(t.errs, "%s is left out: there is no %s here\n", name, file)
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, benchReading{Endpoint: string(endpoint), Picture: picture})
	}
	if len(all) == 0 {
		return nil, &appliance.Error{
			Op: "measure", Msg: "nothing is left",
			Hint: "run bench in the folder of the repository, or name a picture with --endpoint and --picture",
		}
	}
	return all, nil
}

// sampleOf is the picture that an endpoint is measured with where none is named.
func sampleOf(endpoint appliance.Endpoint) string {
	const samples = "models/samples/"
	switch endpoint {
	case appliance.EndpointDrivingLicense:
		return samples + "licences/00.jpg"
	case appliance.EndpointCarLicenseFront:
		return samples + "licences/01.jpg"
	case appliance.EndpointCarLicenseBack:
		return samples + "licences/02.jpg"
	case appliance.EndpointLicensePlate:
		return samples + "plate.jpg"
	case appliance.EndpointFaceMatch, appliance.EndpointLiveness:
		return sampleFace
	}
	return samples + strings.ReplaceAll(strings.TrimPrefix(string(endpoint), "ocr/"), "/", "_") + ".jpg"
}

// describePicture decodes a picture for its size.
func describePicture(ctx context.Context, e *engine, file string) (benchPicture, error) {
	picture, err := os.ReadFile(file)
	if err != nil {
		return benchPicture{}, &appliance.Error{
			Op: "read picture", Msg: "the picture cannot be read", Err: err,
			Hint: "run bench in the folder of the repository, or name a picture with --endpoint and --picture",
		}
	}
	p, err := e.decoder.Decode(ctx, picture)
	if err != nil {
		return benchPicture{}, err
	}
	return benchPicture{Name: file, Bytes: len(picture), Width: p.Width, Height: p.Height}, nil
}

// runs measures one reading on each number of cores.
func (b *bench) runs(ctx context.Context, t *terminal, r *benchReading) error {
	for _, word := range strings.Split(b.cores, ",") {
		cores, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || cores < 1 {
			return &usageError{msg: fmt.Sprintf("--cores %q is no list of numbers such as 1,2", b.cores)}
		}
		if cores > runtime.NumCPU() {
			fmt.Fprintf(t.errs, "this machine has %d cores: the run on %d is left out\n", runtime.NumCPU(), cores)
			continue
		}
		run, err := b.pin(ctx, t, r, cores)
		if err != nil {
			return err
		}
		r.Runs = append(r.Runs, run)
	}
	n := len(r.Runs)
	if n == 0 {
		return nil
	}
	if n > 1 {
		r.Speedup = rounded(r.Runs[n-1].PerSecond / r.Runs[0].PerSecond)
	}
	for _, s := range r.Runs[0].Stages {
		r.MACs += s.MACs
	}
	return nil
}

// load is the one-minute load average, 0 where it is not known.
func load() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var minute float64
	if _, err := fmt.Sscan(string(text), &minute); err != nil {
		return 0
	}
	return minute
}

// pin runs the measurement in a process that has only the given number of cores.
func (b *bench) pin(ctx context.Context, t *terminal, r *benchReading, cores int) (run benchRun, err error) {
	self, err := os.Executable()
	if err != nil {
		return run, fmt.Errorf("find this program: %w", err)
	}
	child := exec.CommandContext(ctx, self, "bench", "--pinned", strconv.Itoa(cores), "--endpoint", r.Endpoint,
		"--picture", r.Picture.Name, "--requests", strconv.Itoa(b.requests))
	child.Stderr = t.errs
	restore, err := narrow(cores)
	if err != nil {
		return run, err
	}
	text, err := child.Output()
	restore()
	if err != nil {
		return run, fmt.Errorf("measure on %d cores: %w", cores, err)
	}
	if err := json.Unmarshal(text, &run); err != nil {
		return run, fmt.Errorf("measure on %d cores: %w", cores, err)
	}
	return run, nil
}

// narrow leaves the calling thread, and the processes that it starts, the last cores of those that it has: the first
// one serves more interrupts. restore gives them back.
func narrow(cores int) (restore func(), err error) {
	runtime.LockOSThread()
	var all, few unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("ask for the cores: %w", err)
	}
	for i := 8*len(all)*8 - 1; i >= 0 && few.Count() < cores; i-- {
		if all.IsSet(i) {
			few.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &few); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("take %d cores: %w", cores, err)
	}
	return func() {
		if unix.SchedSetaffinity(0, &all) == nil {
			runtime.UnlockOSThread() // otherwise the thread ends with its goroutine
		}
	}, nil
}
