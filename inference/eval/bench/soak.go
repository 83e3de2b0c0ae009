package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/store/database"
)

// benchSoak is a long run over HTTP against a daemon of its own.
type benchSoak struct {
	Requests  int            `json:"requests"`
	PerSecond float64        `json:"per_second"`
	Answers   map[string]int `json:"answers"` // by HTTP status
	Points    []soakPoint    `json:"points"`
	// Growth is the mean resident memory of the last three points over that of the first three, less one: at one point up to a twentieth
	// of it is what Go has not collected yet.
	Growth float64 `json:"growth"`
}

// soakPoint is the daemon at one moment of the soak, while no request runs.
type soakPoint struct {
	Requests   int   `json:"requests"`
	RSSBytes   int64 `json:"rss_bytes"`
	AnonBytes  int64 `json:"anon_bytes"` // of RSSBytes, memory of its own
	FileBytes  int64 `json:"file_bytes"` // of RSSBytes, files that are mapped
	Files      int   `json:"files"`      // open file descriptors
	HeapBytes  int64 `json:"heap_bytes"` // of AnonBytes, objects of Go and the room between them
	Goroutines int   `json:"goroutines"`
	StoreBytes int64 `json:"store_bytes"`
}

func (s *benchSoak) last() soakPoint { return s.Points[len(s.Points)-1] }

func (s *benchSoak) answers() string {
	var parts []string
	for status, n := range s.Answers {
		parts = append(parts, fmt.Sprintf("%s x %d", status, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// child is a daemon of the bench's own, on a free port and a folder that goes with it.
type child struct {
	dir    string
	cmd    *exec.Cmd
	client *control.Client
	status state.Status
	ready  time.Duration // from the start of the process to its first answer
}

// startChild starts this program as a daemon and waits until it is ready.
func (b *Call) startChild(ctx context.Context) (c *child, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	c = &child{}
	if c.dir, err = os.MkdirTemp("", "bawab-bench-"); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	c.cmd = exec.Command(self, "serve", "--listen", "127.0.0.1:0", "--data", c.dir)
	// Transactions end soon, so that the store stops growing early and its share of the memory with it.
	c.cmd.Env = append(slices.Clone(b.Environ), "BAWAB_LOG_LEVEL=error", "BAWAB_STORE_TTL=1m", "BAWAB_STORE_SWEEP=5s")
	c.cmd.Stderr = b.Errs
	began := time.Now()
	if err := c.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start the daemon: %w", err), os.RemoveAll(c.dir))
	}
	if err := c.await(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.ready = time.Since(began)
	return c, nil
}

// await asks for the daemon until it answers.
func (c *child) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for {
		client, err := control.Dial(c.dir)
		if err == nil {
			c.client = client
			c.status, err = client.Status(ctx)
			return err
		}
		if !errors.Is(err, control.ErrNoDaemon) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the daemon: %w", ctx.Err())
		case <-poll.C:
		}
	}
}

// Close stops the daemon and removes its folder.
func (c *child) Close() error {
	if c.client != nil {
		c.client.Close()
	}
	err := c.cmd.Process.Signal(syscall.SIGTERM)
	return errors.Join(err, c.cmd.Wait(), os.RemoveAll(c.dir))
}

// startDaemon measures a start.
func (b *Call) startDaemon(ctx context.Context) (d benchDaemon, err error) {
	c, err := b.startChild(ctx)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	p, err := c.look(ctx, 0)
	return benchDaemon{ReadyMilliseconds: score.Milliseconds(c.ready), RSSBytes: p.RSSBytes}, err
}

// runSoak sends the requests with one client for each core and looks at the daemon after each tenth of them.
func (b *Call) runSoak(ctx context.Context, picture []byte, requests int) (s *benchSoak, err error) {
	list, err := soakRequests(picture)
	if err != nil {
		return nil, err
	}
	c, err := b.startChild(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	secret, err := c.client.AddKey(ctx, appliance.Key{Name: "soak", Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeFace}})
	if err != nil {
		return nil, err
	}
	s = &benchSoak{Requests: requests, Answers: map[string]int{}}
	began := time.Now()
	done := 0
	for tenth := range 10 {
		until := requests * (tenth + 1) / 10
		if err := c.send(ctx, secret, list, done, until, s.Answers); err != nil {
			return nil, err
		}
		done = until
		p, err := c.look(ctx, done)
		if err != nil {
			return nil, err
		}
		s.Points = append(s.Points, p)
	}
	s.PerSecond = score.Rounded(float64(requests) / time.Since(began).Seconds())
	s.Growth = growth(s.Points)
	return s, nil
}

// growth is what benchSoak says of the points, of which there are three at least.
func growth(points []soakPoint) float64 {
	const several = 3
	sum := func(points []soakPoint) (bytes float64) {
		for _, p := range points {
			bytes += float64(p.RSSBytes)
		}
		return bytes
	}
	return sum(points[len(points)-several:])/sum(points[:several]) - 1
}

// send makes the requests from number from to number until and counts the answers by status.
func (c *child) send(ctx context.Context, secret string, list []soakRequest, from, until int, answers map[string]int) error {
	var next atomic.Int64
	next.Store(int64(from))
	var mu sync.Mutex
	var failure error
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= until {
					return
				}
				status, err := c.ask(ctx, secret, list[i%len(list)])
				mu.Lock()
				answers[status]++
				failure = errors.Join(failure, err)
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return failure
}

func (c *child) ask(ctx context.Context, secret string, r soakRequest) (status string, err error) {
	req, err := http.NewRequestWithContext(ctx, r.method, "http://"+c.status.Listen+r.path, bytes.NewReader(r.body))
	if err != nil {
		return "failed", fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if !r.keyless {
		req.Header.Set("ApiKey", secret)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "failed", fmt.Errorf("send request: %w", err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return "failed", fmt.Errorf("read answer: %w", err)
	}
	return strconv.Itoa(res.StatusCode), nil
}

// look measures the daemon from outside.
func (c *child) look(ctx context.Context, requests int) (p soakPoint, err error) {
	p.Requests = requests
	proc := filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid))
	text, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		return p, fmt.Errorf("measure the daemon: %w", err)
	}
	p.RSSBytes, p.AnonBytes, p.FileBytes = Kibibytes(text, "VmRSS:"), Kibibytes(text, "RssAnon:"), Kibibytes(text, "RssFile:")
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		return p, fmt.Errorf("measure the daemon: %w", err)
	}
	p.Files = len(files)
	if info, err := os.Stat(filepath.Join(c.dir, database.FileName)); err == nil {
		p.StoreBytes = info.Size()
	}
	metrics, err := c.metrics(ctx)
	p.Goroutines, p.HeapBytes = int(metrics["go_goroutines"]), int64(metrics["go_memstats_heap_inuse_bytes"])
	return p, err
}

// Kibibytes reads a line such as "VmRSS:   1234 kB" of a status file, in bytes.
func Kibibytes(status []byte, name string) int64 {
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n << 10
		}
	}
	return 0
}

// metrics asks the daemon for its metrics without labels.
func (c *child) metrics(ctx context.Context) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.status.Listen+"/metrics", nil)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask for metrics: %w", err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("ask for metrics: %w", err)
	}
	values := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			values[name] = v
		}
	}
	return values, nil
}

// soakRequest is one request of the soak.
type soakRequest struct {
	method, path string
	body         []byte
	keyless      bool
}

// soakSizes are the pixels along the longer side of what the soak sends: VGA, cameras of kiosks, phones up to 12 million pixels.
func soakSizes() []int { return []int{640, 1280, 1600, 2592, 4000} }

// soakRequests are the requests of the soak in turn, of each kind that a kiosk sees: the documents of the reference pictures in
// each size, a passport on its side and one that is small and without colour, a blank picture for every reading endpoint; and, because
// they cost little, three times as often: faces and bursts for a transaction that there is not, and what clients send by mistake.
func soakRequests(picture []byte) ([]soakRequest, error) {
	side, tiny, empty, err := soakPictures(picture)
	if err != nil {
		return nil, err
	}
	list, err := models.References()
	if err != nil {
		return nil, err
	}
	var all []soakRequest
	var errs []error
	post := func(e appliance.Endpoint, members map[string]any) {
		text, err := json.Marshal(members)
		errs = append(errs, err)
		all = append(all, soakRequest{method: http.MethodPost, path: "/v1/" + string(e), body: text})
	}
	send := func(method, path, body string, keyless bool) {
		all = append(all, soakRequest{method, path, []byte(body), keyless})
	}
	image := func(e appliance.Endpoint, p []byte) { post(e, map[string]any{"image": p}) }
	for _, size := range soakSizes() {
		for _, r := range list {
			scaled, err := resized(r.Picture, size)
			errs = append(errs, err)
			image(appliance.Endpoint(r.Endpoint), scaled)
		}
	}
	image(appliance.EndpointPassport, side)
	image(appliance.EndpointPassport, tiny)
	for _, e := range appliance.DocumentEndpoints() {
		image(e, empty)
	}
	id, passport := appliance.NewGUID(), "/v1/"+string(appliance.EndpointPassport)
	for range 3 {
		image(appliance.EndpointIDBack, picture[:len(picture)/2])
		image(appliance.EndpointMulti, []byte("no picture"))
		post(appliance.EndpointFaceMatch, map[string]any{"image": empty, "transaction_id": id})
		post(appliance.EndpointLiveness, map[string]any{"face_1": empty, "face_2": empty, "face_3": tiny, "transaction_id": id})
		post(appliance.EndpointPassport, map[string]any{"image": 5})
		post(appliance.EndpointIDFront, map[string]any{"image": empty, "transaction_id": "no id"})
		send(http.MethodPost, passport, `{"image": "`, false)
		send(http.MethodPost, passport, "{}", true)
		send(http.MethodGet, passport, "", false)
		send(http.MethodGet, "/v1/nothing", "", false)
		send(http.MethodGet, "/v1/openapi.yaml", "", false)
	}
	return all, errors.Join(errs...)
}

// resized is a JPEG picture whose longer side has that many pixels, as JPEG.
func resized(picture []byte, size int) ([]byte, error) {
	m, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("the soak needs JPEG pictures: %w", err)
	}
	b := m.Bounds()
	scale := float64(size) / float64(max(b.Dx(), b.Dy()))
	into := image.NewRGBA(image.Rect(0, 0, int(float64(b.Dx())*scale), int(float64(b.Dy())*scale)))
	draw.ApproxBiLinear.Scale(into, into.Rect, m, b, draw.Src, nil)
	var text bytes.Buffer
	err = jpeg.Encode(&text, into, &jpeg.Options{Quality: 90})
	return text.Bytes(), err
}

// soakPictures makes of a picture one on its side, a small one without colour, and a blank one.
func soakPictures(picture []byte) (side, tiny, empty []byte, err error) {
	m, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the soak needs a JPEG picture: %w", err)
	}
	b := m.Bounds()
	turned := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
	small := image.NewGray(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := m.At(b.Min.X+x, b.Min.Y+y)
			turned.Set(b.Dy()-1-y, x, c)
			if x%2 == 0 && y%2 == 0 {
				small.Set(x/2, y/2, c)
			}
		}
	}
	blank := image.NewGray(image.Rect(0, 0, 400, 300))
	for i := range blank.Pix {
		blank.Pix[i] = 0xff
	}
	var onSide, gray, white bytes.Buffer
	if err := errors.Join(jpeg.Encode(&onSide, turned, nil), png.Encode(&gray, small), png.Encode(&white, blank)); err != nil {
		return nil, nil, nil, fmt.Errorf("make pictures: %w", err)
	}
	return onSide.Bytes(), gray.Bytes(), white.Bytes(), nil
}
