package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	"golang.org/x/image/tiff"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/configs"
)

// tailBound is how much longer the slowest hundredth of the answers may take than the middle one.
const tailBound = 8

// manyAndSlow lets 64 clients work while others hold connections with requests that never end.
func manyAndSlow(c *tortureCase) {
	v := c.victim(c.TempDir())
	v.start()
	before := v.warm()
	v.load(64)()
	before.rss = v.vitals().rss
	slow, over := c.slowloris(v.listen)
	var refused atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	began := time.Now()
	for range 64 {
		all.Go(func() {
			for n := 0; n < 2 || c.long && time.Now().Before(c.until); n++ {
				began := time.Now()
				r, err := v.record()
				switch {
				case err != nil:
					mu.Lock()
					c.row.lost++
					mu.Unlock()
					c.Errorf("lost: %v", err)
					return
				case r.Status == http.StatusServiceUnavailable:
					refused.Add(1)
					c.pause(50 * time.Millisecond)
				case r.Status == http.StatusOK:
					mu.Lock()
					took = append(took, time.Since(began))
					mu.Unlock()
				default:
					c.Errorf("got %+v", r)
					return
				}
			}
		})
	}
	all.Wait()
	seconds := time.Since(began).Seconds()
	slow()
	c.row.runs = len(took) + int(refused.Load())
	slices.Sort(took)
	if len(took) < 20 {
		c.Fatalf("only %d were answered", len(took))
	}
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	if c.long && p99 > tailBound*p50 {
		c.Errorf("p50 is %v, p99 %v", p50, p99)
	}
	v.check(v.acked.all())
	v.leaks(before)
	v.stop()
	c.row.note = fmt.Sprintf("%.0f answers/s, p50 %d ms, p99 %d ms (%.1f times), %d x 503, %d slow connections", float64(len(took))/seconds, p50.Milliseconds(), p99.Milliseconds(),
		float64(p99)/float64(p50), refused.Load(), over())
}

// slowloris opens connections that send their requests by the byte, or nothing at all, and opens them again when they are closed.
// stop ends that, opened says how many there were.
func (c *tortureCase) slowloris(address string) (stop func(), opened func() int64) {
	begin := "POST /v1/ocr/passport HTTP/1.1\r\nHost: kiosk\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{\"image\": \""
	var over atomic.Bool
	var count atomic.Int64
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			for !over.Load() {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					c.pause(50 * time.Millisecond)
					continue
				}
				count.Add(1)
				sent := [...]int{0, 5, len(begin)}[i%3]
				_, err = conn.Write([]byte(begin[:sent]))
				for err == nil && !over.Load() {
					c.pause(100 * time.Millisecond)
					if i%3 > 0 {
						_, err = conn.Write([]byte("A"))
					}
					if i%3 == 0 {
						conn.SetReadDeadline(time.Now().Add(time.Millisecond))
						if _, e := conn.Read(make([]byte, 1)); e != nil && !os.IsTimeout(e) {
							err = e
						}
					}
				}
				conn.Close()
			}
		})
	}
	return func() { over.Store(true); all.Wait() }, count.Load
}

// manyKeys is how many wrong keys the long form tries at most.
const manyKeys = 1_000_000

// wrongKeys tries wrong keys as fast as it can: each is refused, and the right one works all the time.
func wrongKeys(c *tortureCase) {
	v := c.victim(c.TempDir())
	v.start()
	before := v.warm()
	body := map[string]any{}
	tried := func() bool {
		r, err := v.send("/v1/ocr/passport", strconv.FormatUint(rand.Uint64(), 36)+strings.Repeat("k", 30), body)
		if err != nil || r.Status != http.StatusUnauthorized && r.Status != http.StatusTooManyRequests {
			c.Errorf("a wrong key got %+v, %v", r, err)
			return false
		}
		return true
	}
	var count atomic.Int64
	var all sync.WaitGroup
	most := int64(1000)
	if c.long {
		most = manyKeys
	}
	for range 8 {
		all.Go(func() {
			for count.Add(1) <= most && (!c.long || time.Now().Before(c.until)) && tried() {
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for busy := true; busy; {
		if r, err := v.record(); err != nil || r.Status != http.StatusOK {
			c.Errorf("the right key got %+v, %v", r, err)
		}
		select {
		case <-done:
			busy = false
		case <-time.After(20 * time.Millisecond):
		}
	}
	c.row.runs = int(min(count.Load(), most))
	v.check(v.acked.all())
	v.leaks(before)
	v.stop()
	c.row.note = fmt.Sprintf("%d answers to the right key meanwhile", len(v.acked.all()))
}

// mutations is how many mutated pictures the long form sends at most.
const mutations = 10_000

// mutatedPictures sends damaged pictures to every route: each gets an answer of the contract, and none of them 500.
func mutatedPictures(c *tortureCase) {
	v := c.victim(c.TempDir())
	v.start()
	originals := smallPictures(c)
	var known string
	if r, err := v.post(appliance.EndpointPassport, map[string]any{"image": samplePassport(c.T)}); err == nil {
		known, _ = r.Data["transaction_id"].(string)
	}
	routes := append(appliance.DocumentEndpoints(), appliance.EndpointFaceMatch, appliance.EndpointLiveness)
	send := func(rng *rand.Rand, n int) {
		e := routes[n%len(routes)]
		p := func() string { return base64.StdEncoding.EncodeToString(mutated(rng, originals)) }
		members := map[string]any{"image": p()}
		if e == appliance.EndpointFaceMatch || e == appliance.EndpointLiveness {
			members["transaction_id"] = known
		}
		if e == appliance.EndpointLiveness {
			members = map[string]any{"transaction_id": known, "face_1": p(), "face_2": p(), "face_3": p()}
		}
		r, err := v.post(e, members)
		if err != nil || r.Status != http.StatusOK && r.Status != http.StatusBadRequest && r.Status != http.StatusServiceUnavailable &&
			r.Code != int(appliance.CodeTooManyAttempts) {
			c.Errorf("%s got %+v, %v", e, r, err)
		}
		if r.Status == http.StatusOK && e != appliance.EndpointFaceMatch && e != appliance.EndpointLiveness {
			id, _ := r.Data["transaction_id"].(string)
			v.acked.add(id)
		}
	}
	before := v.warm()
	least, most := len(routes), len(routes)
	if c.long {
		least, most = 10*len(routes), mutations
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range 3 {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 11))
			for {
				n := int(next.Add(1)) - 1
				if n >= most || n >= least && !time.Now().Before(c.until) || c.Failed() {
					return
				}
				send(rng, n)
			}
		})
	}
	all.Wait()
	c.row.runs = min(int(next.Load()), most)
	v.check(v.acked.all())
	v.leaks(before)
	v.stop()
	c.row.note = fmt.Sprintf("%d routes, %d were answered with 200", len(routes), len(v.acked.all()))
}

// smallPictures are small forms of the samples in every format that can be made here.
func smallPictures(c *tortureCase) (all [][]byte) {
	for _, name := range []string{"passport.jpg", "id_front.jpg", "id_back.jpg", "plate.jpg", "face.jpg"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", name))
		if err != nil {
			c.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(raw))
		if err != nil {
			c.Fatal(err)
		}
		small := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx()*240/m.Bounds().Dy(), 240))
		draw.ApproxBiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
		for _, encode := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return jpeg.Encode(b, small, nil) },
			func(b *bytes.Buffer) error { return png.Encode(b, small) },
			func(b *bytes.Buffer) error { return bmp.Encode(b, small) },
			func(b *bytes.Buffer) error { return tiff.Encode(b, small, nil) },
		} {
			var b bytes.Buffer
			if err := encode(&b); err != nil {
				c.Fatal(err)
			}
			all = append(all, b.Bytes())
		}
	}
	return all
}

// mutated damages one of the pictures in one to four ways.
func mutated(rng *rand.Rand, originals [][]byte) []byte {
	p := slices.Clone(originals[rng.IntN(len(originals))])
	for range 1 + rng.IntN(4) {
		if len(p) < 2 {
			break
		}
		at := rng.IntN(len(p))
		if rng.IntN(2) == 0 {
			at = rng.IntN(min(len(p), 200)) // the header
		}
		end := min(len(p), at+1+rng.IntN(64))
		switch rng.IntN(7) {
		case 0:
			p[at] ^= 1 << rng.IntN(8)
		case 1:
			p[at] = [...]byte{0, 0xff, 0x7f, 0x80}[rng.IntN(4)]
		case 2:
			for i := at; i < end; i++ {
				p[i] = byte(rng.Uint32())
			}
		case 3:
			p = slices.Delete(p, at, end)
		case 4:
			p = slices.Insert(p, at, p[at:end]...)
		case 5:
			p = p[:at]
		case 6:
			other := originals[rng.IntN(len(originals))]
			p = append(p[:at], other[rng.IntN(len(other)):]...)
		}
	}
	return p
}

// memoryCeiling is what the unit file grants the service.
const memoryCeiling = 1 << 30

// memoryLimit sends the largest pictures from many clients to a daemon that may not use more than its unit grants it.
func memoryLimit(c *tortureCase) {
	group := filepath.Join("/sys/fs/cgroup/memory", "bawab-torture-"+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		c.skip("no memory cgroup here (%v)", err)
	}
	c.Cleanup(func() { os.Remove(group) })
	if err := os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), []byte(strconv.Itoa(memoryCeiling)), 0o644); err != nil {
		c.skip("the memory cannot be limited here (%v)", err)
	}
	v := c.victim(c.TempDir())
	honest := v.program
	v.program = []string{"sh", "-c", "echo $$ > " + group + "/cgroup.procs; exec \"$0\" \"$@\"", honest[0]}
	v.start()
	huge := hugePicture(c)
	send := func(n int) {
		e := []appliance.Endpoint{appliance.EndpointGeneral, appliance.EndpointMulti, appliance.EndpointPassport}[n%3]
		r, err := v.post(e, map[string]any{"image": huge, "client_transaction_id": strings.Repeat("x", 100)})
		if err != nil || r.Status != http.StatusOK && r.Status != http.StatusBadRequest && r.Status != http.StatusServiceUnavailable {
			c.Errorf("%s got %+v, %v", e, r, err)
		}
	}
	for n := range 3 {
		send(n)
	}
	before := v.vitals()
	least := 4
	if c.long {
		least = 128
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for n := int(next.Add(1)); (n <= least || c.long && time.Now().Before(c.until)) && !c.Failed(); n = int(next.Add(1)) {
				send(n)
			}
		})
	}
	all.Wait()
	c.row.runs = int(next.Load())
	v.leaks(before)
	most, _ := os.ReadFile(filepath.Join(group, "memory.max_usage_in_bytes"))
	peak, _ := strconv.ParseInt(strings.TrimSpace(string(most)), 10, 64)
	v.stop()
	c.row.note = fmt.Sprintf("at most %d of %d MiB", peak>>20, memoryCeiling>>20)
}

// hugePicture has as many pixels as are accepted.
func hugePicture(c *tortureCase) string {
	m := image.NewGray(image.Rect(0, 0, 5000, 5000))
	if !c.long {
		m = image.NewGray(image.Rect(0, 0, 1000, 1000))
	}
	for i := range m.Pix {
		m.Pix[i] = byte(i/m.Stride/16 + i%m.Stride/16)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 50}); err != nil {
		c.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// cameraUnplugged takes the camera away, here a folder that is played, and gives it back.
func cameraUnplugged(c *tortureCase) {
	folder := played(c.T, "id_front.jpg")
	v := c.victim(c.TempDir(), "BAWAB_CAMERA_DEVICE="+configs.ReplayPrefix+folder, "BAWAB_CAMERA_BUDGET=1s")
	v.start()
	captured := func() int {
		r, err := v.send("/v1/camera/document", v.secret, map[string]any{"endpoint": "id/front"})
		if err != nil {
			c.Fatalf("no answer: %v\n%s", err, v.log)
		}
		if id, ok := r.Data["transaction_id"].(string); ok && r.Status == http.StatusOK {
			v.acked.add(id)
		}
		return r.Status
	}
	appliancetest.Until(c.T, patience, "a document is captured", func() bool { return captured() == http.StatusOK })
	before := v.warm()
	for c.more(1) {
		if err := os.Rename(folder, folder+".away"); err != nil {
			c.Fatal(err)
		}
		appliancetest.Until(c.T, patience, "a capture is refused", func() bool { return captured() == http.StatusServiceUnavailable })
		if err := os.Rename(folder+".away", folder); err != nil {
			c.Fatal(err)
		}
		began := time.Now()
		appliancetest.Until(c.T, patience, "the camera is back", func() bool { return captured() == http.StatusOK })
		c.recovered(time.Since(began))
		c.row.runs++
	}
	v.check(v.acked.all())
	v.leaks(before)
	v.stop()
}
