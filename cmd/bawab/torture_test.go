package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/eval/bench"
)

// How a run of the torture is chosen, from outside: TORTURE is its whole time, and then it judges times too; TORTURE_BINARY is the
// program that is tortured, by default this one.
const (
	tortureTime   = "TORTURE"
	tortureBinary = "TORTURE_BINARY"
)

// Bounds of a run.
const (
	shortTorture = 10 * time.Second
	// recoveryBound is how long the daemon may take to its first answer, after it was killed or when a fault has ended.
	recoveryBound = 2 * time.Second
	// spareGoroutines and spareFiles are what may come and go between two looks at an idle daemon.
	spareGoroutines, spareFiles = 4, 4
	// spareMemory is by how much the resident memory may grow within one case, after it was warmed up.
	spareMemory = 1.15
)

// tortureCase is one way to hurt the daemon, and what came of it.
type tortureCase struct {
	*testing.T
	name  string
	share int // of the whole time
	hurt  func(*tortureCase)

	long  bool
	until time.Time
	rng   *rand.Rand
	blank []byte // a small picture in base64
	row   tortureRow
}

// tortureRow is a line of the report.
type tortureRow struct {
	runs    int
	worst   time.Duration // of the recoveries; 0 where there was none
	lost    int
	leaks   string
	note    string
	verdict string
}

func tortures() []tortureCase {
	return []tortureCase{
		{name: "kill -9 at random", share: 12, hurt: killedAtRandom},
		{name: "kill -9 at the named points", share: 12, hurt: killedAtPoints},
		{name: "power cut", share: 12, hurt: powerCut},
		{name: "disk full, read-only, EIO", share: 10, hurt: badDisk},
		{name: "erase with no byte free", share: 4, hurt: eraseOnFullDisk},
		{name: "start on a bad disk", share: 4, hurt: badDiskAtStart},
		{name: "clock jumps", share: 4, hurt: clockJumps},
		{name: "64 clients and slowloris", share: 10, hurt: manyAndSlow},
		{name: "wrong keys", share: 8, hurt: wrongKeys},
		{name: "mutated pictures on every route", share: 30, hurt: mutatedPictures},
		{name: "JSON of many names", share: 5, hurt: manyNames},
		{name: "256 stalled bodies", share: 5, hurt: stalledBodies},
		{name: "refused key", share: 5, hurt: refusedKey},
		{name: "dear pictures", share: 5, hurt: dearPictures},
		{name: "one transaction without end", share: 5, hurt: oneTransaction},
		{name: "memory limit", share: 6, hurt: memoryLimit},
		{name: "camera unplugged", share: 6, hurt: cameraUnplugged},
	}
}

// Whatever happens to the daemon, it loses no transaction that it answered, does not crash, leaks nothing, and answers again
// within two seconds. The short form tries everything a little and judges no times.
func TestTorture(t *testing.T) {
	whole, err := time.ParseDuration(os.Getenv(tortureTime))
	long := err == nil
	if !long {
		whole = shortTorture
	}
	raw, err := whitePNG(96, 96)
	if err != nil {
		t.Fatal(err)
	}
	cases, shares := tortures(), 0
	for _, c := range cases {
		shares += c.share
	}
	for i := range cases {
		c := &cases[i]
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			c.T, c.long, c.rng, c.blank = t, long, rand.New(rand.NewPCG(uint64(i), 7)), []byte(base64.StdEncoding.EncodeToString(raw))
			c.until = time.Now().Add(whole * time.Duration(c.share) / time.Duration(shares))
			defer c.conclude()
			c.hurt(c)
		})
	}
	if long {
		printTorture(os.Stdout, cases)
	}
}

// conclude draws the verdict.
func (c *tortureCase) conclude() {
	switch {
	case c.Skipped():
		c.row.verdict = "skipped: " + c.row.note
	case c.Failed():
		c.row.verdict = "FAILED"
	default:
		c.row.verdict = "ok"
		if c.row.note != "" {
			c.row.verdict += ", " + c.row.note
		}
	}
	if c.row.leaks == "" {
		c.row.leaks = "-"
	}
}

// printTorture prints the report.
func printTorture(out io.Writer, cases []tortureCase) {
	w := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "\n| case\t| runs\t| worst recovery\t| lost\t| leaks\t| verdict\t|\n|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, c := range cases {
		worst := "-"
		if c.row.worst > 0 {
			worst = fmt.Sprintf("%.2f s", c.row.worst.Seconds())
		}
		fmt.Fprintf(w, "| %s\t| %d\t| %s\t| %d\t| %s\t| %s\t|\n", c.name, c.row.runs, worst, c.row.lost, c.row.leaks, c.row.verdict)
	}
	w.Flush()
}

// more reports whether a case goes on: it makes at least a few runs, and the long form then uses its time.
func (c *tortureCase) more(least int) bool {
	return !c.Failed() && (c.row.runs < least || c.long && time.Now().Before(c.until))
}

// skip leaves a case out where the machine does not allow it.
func (c *tortureCase) skip(format string, args ...any) {
	c.Helper()
	c.row.note = fmt.Sprintf(format, args...)
	c.Skip(c.row.note)
}

// recovered notes how long it took until the daemon answered again.
func (c *tortureCase) recovered(took time.Duration) {
	c.Helper()
	c.row.worst = max(c.row.worst, took)
	if c.long && took > recoveryBound {
		c.Errorf("it took %v to answer again", took)
	}
}

// victim is the daemon under torture, on a port and a folder that outlive its processes.
type victim struct {
	c           *tortureCase
	dir, listen string
	secret      string
	environ     []string
	program     []string
	cmd         *exec.Cmd
	log         *bytes.Buffer // to be read after the end
	ended       chan struct{}
	client      *http.Client
	acked       *ledger
}

// ledger holds the transactions that were answered.
type ledger struct {
	mu  sync.Mutex
	ids []string
}

func (l *ledger) add(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = append(l.ids, id)
}

func (l *ledger) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.ids)
}

// victim makes a daemon with a key, on a folder that is there; it does not run yet.
func (c *tortureCase) victim(dir string, environ ...string) *victim {
	c.Helper()
	program := os.Getenv(tortureBinary)
	if program == "" {
		program = "bawab"
	}
	v := &victim{
		c: c, dir: dir, listen: c.freePort(), program: []string{program}, acked: new(ledger), environ: append(os.Environ(), append([]string{"BAWAB_LOG_LEVEL=error"}, environ...)...),
		client: &http.Client{Timeout: 2 * patience, Transport: &http.Transport{MaxIdleConnsPerHost: 128}},
	}
	v.secret = v.tool("keys", "add", "torture", "--scopes", "ocr,face,camera", "--data", dir)
	c.Cleanup(func() { v.kill(); v.client.CloseIdleConnections() })
	return v
}

// tool runs another command of the program and returns what it prints.
func (v *victim) tool(args ...string) string {
	v.c.Helper()
	out, err := exec.Command(v.program[0], args...).Output()
	if err != nil {
		v.c.Fatalf("%v: %v", args[:2], err)
	}
	return strings.TrimSpace(string(out))
}

// freePort returns an address of this machine that nobody listens on.
func (c *tortureCase) freePort() string {
	c.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// execute starts the program.
func (v *victim) execute(args ...string) {
	v.c.Helper()
	args = append(slices.Clone(v.program[1:]), args...)
	v.cmd, v.log, v.ended = daemonCommand(v.program[0], args...), new(bytes.Buffer), make(chan struct{})
	v.cmd.Env, v.cmd.Stderr = v.environ, v.log
	if err := v.cmd.Start(); err != nil {
		v.c.Fatal(err)
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		_ = cmd.Wait() // the state of the process says how it ended
		close(ended)
	}(v.cmd, v.ended)
}

// start starts the daemon and returns how long it took to its first answer.
func (v *victim) start() time.Duration {
	v.c.Helper()
	took := v.try()
	if took == 0 {
		v.c.Fatalf("the daemon does not start: %s", v.log)
	}
	return took
}

// try is start for a daemon that may die on the way; then it returns 0.
func (v *victim) try() time.Duration {
	v.c.Helper()
	began := time.Now()
	v.execute("serve", "--listen", v.listen, "--data", v.dir)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		r, err := v.post(appliance.EndpointPassport, map[string]any{"image": "bm8gcGljdHVyZQ=="})
		if err == nil && r.Code == int(appliance.CodePictureKind) {
			return time.Since(began)
		}
		select {
		case <-v.ended:
			return 0
		case <-tick.C:
		}
		if time.Since(began) > 2*patience {
			v.c.Fatalf("no answer: %+v, %v", r, err)
		}
	}
}

// kill ends the process without a word, and looks for the traces of a crash.
func (v *victim) kill() {
	v.c.Helper()
	if v.cmd == nil {
		return
	}
	_ = v.cmd.Process.Kill()
	<-v.ended
	v.sane()
}

// sane looks for the traces of a crash in the log of a process that has ended.
func (v *victim) sane() {
	v.c.Helper()
	if s := v.log.String(); strings.Contains(s, "panic") || strings.Contains(s, "fatal error") || strings.Contains(s, "goroutine ") {
		v.c.Errorf("it crashed:\n%s", s[:min(len(s), 4000)])
	}
	v.log.Reset()
}

// died reports whether the process ended by itself.
func (v *victim) died() bool {
	select {
	case <-v.ended:
		return true
	default:
		return false
	}
}

// post sends a request; the error is that of a connection.
func (v *victim) post(e appliance.Endpoint, members map[string]any) (reply, error) {
	return v.send("/v1/"+string(e), v.secret, members)
}

func (v *victim) send(path, secret string, members map[string]any) (r reply, err error) {
	body, err := json.Marshal(members)
	if err != nil {
		return r, err
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+v.listen+path, bytes.NewReader(body))
	if err != nil {
		return r, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("ApiKey", secret)
	res, err := v.client.Do(req)
	if err != nil {
		return r, err
	}
	defer res.Body.Close()
	r.Status = res.StatusCode
	if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
		return r, fmt.Errorf("read answer: %w", err)
	}
	return r, nil
}

// record makes the smallest request that is recorded.
func (v *victim) record() (reply, error) {
	r, err := v.post(appliance.EndpointGeneral, map[string]any{"image": string(v.c.blank)})
	if err == nil && r.Status == http.StatusOK {
		id, _ := r.Data["transaction_id"].(string)
		v.acked.add(id)
	}
	return r, err
}

// load lets clients record, once at least, until stop is called or the daemon is gone. Every answer must be 200 or 503.
func (v *victim) load(clients int) (stop func()) {
	var over atomic.Bool
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for first := true; first || !over.Load(); first = false {
				r, err := v.record()
				if err != nil {
					return
				}
				if r.Status != http.StatusOK && r.Status != http.StatusServiceUnavailable {
					v.c.Errorf("got %+v", r)
					return
				}
			}
		})
	}
	return func() { over.Store(true); all.Wait() }
}

// warm lets the memory grow to what work needs, before it is watched. The time of the case begins after it.
func (v *victim) warm() vitals {
	v.c.Helper()
	v.load(4)()
	if !v.c.long {
		return v.vitals()
	}
	defer func(began time.Time) { v.c.until = v.c.until.Add(time.Since(began)) }(time.Now())
	picture := samplePassport(v.c.T)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range 12 {
				if _, err := v.record(); err != nil {
					v.c.Errorf("lost: %v", err)
				}
				if n%6 == 0 {
					_, _ = v.post(appliance.EndpointPassport, map[string]any{"image": picture})
				}
			}
		})
	}
	all.Wait()
	return v.vitals()
}

// checkedMost is how many transactions are looked for after a run: the newest, where a loss would be.
const checkedMost = 60

// check looks for transactions that were answered.
func (v *victim) check(ids []string) {
	v.c.Helper()
	for _, id := range ids[max(0, len(ids)-checkedMost):] {
		switch code := v.known(id); code {
		case int(appliance.CodeTransactionUnknown), int(appliance.CodeTransactionExpired):
			v.c.row.lost++
			v.c.Errorf("transaction %s was answered and is lost: %d", id, code)
		}
	}
}

// known returns the code that a comparison with a transaction is answered with.
func (v *victim) known(id string) int {
	v.c.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		r, err := v.post(appliance.EndpointFaceMatch, map[string]any{"image": string(v.c.blank), "transaction_id": id})
		if err != nil {
			v.c.Fatal(err)
		}
		if r.Status != http.StatusServiceUnavailable {
			return r.Code
		}
	}
	v.c.Fatal("only 503 for a transaction")
	return 0
}

// vitals is what a daemon holds.
type vitals struct {
	goroutines, files int
	rss               int64
}

func (v *victim) vitals() (s vitals) {
	v.c.Helper()
	proc := filepath.Join("/proc", strconv.Itoa(v.cmd.Process.Pid))
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	text, err2 := os.ReadFile(filepath.Join(proc, "status"))
	if err := errors.Join(err, err2); err != nil {
		v.c.Fatalf("look at the daemon: %v\n%s", err, v.log)
	}
	s.files, s.rss = len(files), bench.Kibibytes(text, "VmRSS:")
	res, err := v.client.Get("http://" + v.listen + "/metrics")
	if err != nil {
		v.c.Fatal(err)
	}
	defer res.Body.Close()
	metrics, err := io.ReadAll(res.Body)
	if err != nil {
		v.c.Fatal(err)
	}
	for line := range strings.Lines(string(metrics)) {
		if rest, ok := strings.CutPrefix(line, "go_goroutines "); ok {
			s.goroutines, _ = strconv.Atoi(strings.TrimSpace(rest))
		}
	}
	return s
}

// leaks waits until an idle daemon holds no more than before, and says what it kept. The server keeps the goroutines of connections
// that have ended for some seconds; the short form does not wait for them.
func (v *victim) leaks(before vitals) {
	v.c.Helper()
	v.client.CloseIdleConnections()
	var now vitals
	for deadline := time.Now().Add(2 * patience); ; v.c.pause(20 * time.Millisecond) {
		now = v.vitals()
		v.client.CloseIdleConnections()
		if (!v.c.long || now.goroutines <= before.goroutines+spareGoroutines) && now.files <= before.files+spareFiles {
			break
		}
		if time.Now().After(deadline) {
			v.c.Errorf("%d goroutines and %d files became %d and %d", before.goroutines, before.files, now.goroutines, now.files)
			break
		}
	}
	v.c.row.leaks = fmt.Sprintf("goroutines %+d, files %+d, memory %+.0f %%", now.goroutines-before.goroutines, now.files-before.files,
		100*(float64(now.rss)/float64(before.rss)-1))
	if v.c.long && float64(now.rss) > spareMemory*float64(before.rss) {
		v.c.Errorf("%.1f MiB became %.1f MiB", words.Mebibytes(before.rss), words.Mebibytes(now.rss))
	}
}

// stop ends the daemon in order.
func (v *victim) stop() {
	v.c.Helper()
	if v.died() {
		v.c.Fatalf("the daemon has ended by itself: %v\n%s", v.cmd.ProcessState, v.log)
	}
	if err := v.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		v.c.Fatal(err)
	}
	select {
	case <-v.ended:
	case <-time.After(2 * patience):
		v.c.Fatal("it does not end")
	}
	if code := v.cmd.ProcessState.ExitCode(); code != 0 {
		v.c.Errorf("it ended with %d: %s", code, v.log)
	}
	v.sane()
}
