// Package bench measures speed and memory: readings stage by stage on a number of cores, the start of a daemon, and a soak of it.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/models"
)

// Call is one measurement. Its exported members are what the caller asks for and lends.
type Call struct {
	Endpoint     appliance.Endpoint // measure this one alone, "" for all that are built
	Picture      string             // file to read instead of the sample of the endpoint
	Cores        []int              // numbers of cores to measure on
	Requests     int                // for each number of cores
	Soak         bool               // send many requests to a daemon as well
	SoakRequests int
	JSON         bool   // print the figures as JSON
	Compare      string // file of earlier figures to compare with, "" for none
	Pinned       int    // above 0, measure on so many cores that the process has, and print that run alone

	Version string // of this program
	Environ []string
	Out     io.Writer
	Errs    io.Writer
	// Load returns the configuration under which pictures are read.
	Load func() (*configs.Config, error)
	// Prepare sets up the process as the daemon does with its own.
	Prepare func()
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

// Run measures and prints the figures.
func (b *Call) Run(ctx context.Context) error {
	if b.Pinned > 0 {
		return b.measurePinned(ctx)
	}
	var old *benchReport
	if b.Compare != "" {
		old = new(benchReport)
		if err := eval.ReadFigures(b.Compare, form, old); err != nil {
			return err
		}
	}
	r, err := b.report(ctx)
	if err != nil {
		return err
	}
	if b.JSON {
		if err := eval.PrintJSON(b.Out, r); err != nil {
			return err
		}
	} else {
		r.print(b.Out)
	}
	if old != nil {
		out := b.Out
		if b.JSON {
			out = b.Errs // standard output stays one JSON value
		}
		compare(out, old, r)
	}
	return nil
}

// measurePinned is what the process does that bench starts for one number of cores.
func (b *Call) measurePinned(ctx context.Context) error {
	picture, err := os.ReadFile(b.Picture)
	if err != nil {
		return fmt.Errorf("read picture: %w", err)
	}
	b.Prepare()
	run, err := measure(ctx, b.Endpoint, picture, b.Pinned, b.Requests)
	if err != nil {
		return err
	}
	return json.NewEncoder(b.Out).Encode(run)
}

// report makes all measurements.
func (b *Call) report(ctx context.Context) (*benchReport, error) {
	r := &benchReport{
		Form: form, Version: b.Version, Date: time.Now().UTC().Format(time.DateOnly),
		Machine: benchMachine{
			Arch:     runtime.GOARCH,
			Cores:    runtime.NumCPU(),
			Features: inference.Features(),
			Go:       runtime.Version(),
			Load:     load(),
		},
	}
	set, err := models.Open()
	if err != nil {
		return nil, err
	}
	for _, m := range set.List() {
		r.Models = append(r.Models, benchModel{m.Name, m.SHA256, m.MACs})
	}
	if r.Readings, err = b.readings(ctx); err != nil {
		return nil, err
	}
	for i := range r.Readings {
		fmt.Fprintf(b.Errs, "measuring %s, %d of %d\n", r.Readings[i].Endpoint, i+1, len(r.Readings)) // all take minutes
		if err := b.runs(ctx, &r.Readings[i]); err != nil {
			return nil, err
		}
	}
	if r.Daemon, err = b.startDaemon(ctx); err != nil {
		return nil, err
	}
	if b.Soak {
		picture, err := os.ReadFile(sampleOf(appliance.EndpointPassport))
		if err != nil {
			return nil, &appliance.Error{
				Op:   "read picture",
				Msg:  err.Error(),
				Hint: "the soak reads the sample passport: run it in the folder of the repository",
			}
		}
		if r.Soak, err = b.runSoak(ctx, picture, b.SoakRequests); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readings lists what is to be read: the picture that the caller names, or every sample of an endpoint that is built.
func (b *Call) readings(ctx context.Context) (_ []benchReading, err error) {
	cfg, err := b.Load()
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, cfg.Picture, 1)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	endpoints := []appliance.Endpoint{
		appliance.EndpointPassport, appliance.EndpointIDFront, appliance.EndpointIDBack, appliance.EndpointDrivingLicense,
		appliance.EndpointCarLicenseFront, appliance.EndpointCarLicenseBack, appliance.EndpointLicensePlate, appliance.EndpointMulti,
		appliance.EndpointGeneral, appliance.EndpointFaceMatch, appliance.EndpointLiveness,
	}
	if b.Endpoint != "" {
		endpoints = []appliance.Endpoint{b.Endpoint}
	}
	var all []benchReading
	for _, endpoint := range endpoints {
		name := strings.TrimPrefix(string(endpoint), "ocr/")
		file := b.Picture
		if file == "" {
			file = sampleOf(endpoint)
		}
		if !e.Built(endpoint) {
			fmt.Fprintf(b.Errs, "%s is left out: no reader for it is built\n", name)
			continue
		}
		picture, err := describePicture(ctx, e, file)
		if b.Endpoint == "" && errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(b.Errs, "%s is left out: there is no %s here\n", name, file)
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
func describePicture(ctx context.Context, e *engine.Engine, file string) (benchPicture, error) {
	picture, err := os.ReadFile(file)
	if err != nil {
		return benchPicture{}, &appliance.Error{
			Op: "read picture", Msg: "the picture cannot be read", Err: err,
			Hint: "run bench in the folder of the repository, or name a picture with --endpoint and --picture",
		}
	}
	p, err := e.Decoder.Decode(ctx, picture)
	if err != nil {
		return benchPicture{}, err
	}
	return benchPicture{Name: file, Bytes: len(picture), Width: p.Width, Height: p.Height}, nil
}

// runs measures one reading on each number of cores.
func (b *Call) runs(ctx context.Context, r *benchReading) error {
	for _, cores := range b.Cores {
		if cores > runtime.NumCPU() {
			fmt.Fprintf(b.Errs, "this machine has %d cores: the run on %d is left out\n", runtime.NumCPU(), cores)
			continue
		}
		run, err := b.pin(ctx, r, cores)
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
		r.Speedup = score.Rounded(r.Runs[n-1].PerSecond / r.Runs[0].PerSecond)
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
func (b *Call) pin(ctx context.Context, r *benchReading, cores int) (run benchRun, err error) {
	self, err := os.Executable()
	if err != nil {
		return run, fmt.Errorf("find this program: %w", err)
	}
	child := exec.CommandContext(ctx, self, "bench", "--pinned", strconv.Itoa(cores), "--endpoint", r.Endpoint,
		"--picture", r.Picture.Name, "--requests", strconv.Itoa(b.Requests))
	child.Stderr = b.Errs
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
