package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"io"
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

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
)

// Bounds of what one key may do to the daemon and to the caller of another key beside it.
const (
	// attackTail is how many times its usual p95 a caller may wait beside an attack.
	attackTail = 3
	// attackMemory is the resident memory that no attack may exceed.
	attackMemory = 350 << 20
	// attackJournal is by how much the journal may grow in a minute through one refused key.
	attackJournal = 2 << 20
)

// attacked runs an attack of one key with as many clients, and measures what the caller of another key feels. strike makes one request of
// the attack; the error is that of a connection, which attacks may lose.
func (c *tortureCase) attacked(clients int, strike func(v *victim, secret string) error) {
	v := c.victim(c.TempDir())
	v.start()
	c.assault(v, clients, strike)
	v.check(v.acked.all())
	v.stop()
}

func (c *tortureCase) assault(v *victim, clients int, strike func(v *victim, secret string) error) {
	secret := c.attacker(v, "ocr", 0)
	v.warm()
	usual := c.beside(v, nil)
	journal := folderSize(c, filepath.Join(v.dir, "audit"))
	began := time.Now()
	var over atomic.Bool
	var strikes atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for !over.Load() {
				if strike(v, secret) != nil {
					c.pause(20 * time.Millisecond)
				}
				strikes.Add(1)
			}
		})
	}
	peak := v.vitals().rss
	felt := c.beside(v, func() { peak = max(peak, v.vitals().rss) })
	minutes := time.Since(began).Minutes()
	over.Store(true)
	all.Wait()
	grown := float64(folderSize(c, filepath.Join(v.dir, "audit"))-journal) / minutes
	c.row.runs = int(strikes.Load())
	c.row.note = fmt.Sprintf("p95 beside it %d ms, usually %d ms (%.1f times), at most %.0f MiB, journal %.0f KB/min", felt.Milliseconds(), usual.Milliseconds(),
		float64(felt)/float64(usual), words.Mebibytes(peak), grown/1000)
	if c.long && felt > attackTail*usual {
		c.Errorf("the other caller's p95 went from %v to %v", usual, felt)
	}
	if peak > attackMemory {
		c.Errorf("it took %.0f MiB", words.Mebibytes(peak))
	}
	if grown > attackJournal {
		c.Errorf("the journal grew by %.0f KB a minute", grown/1000)
	}
}

// attacker makes a key for an attack.
func (c *tortureCase) attacker(v *victim, scopes string, rate int) string {
	c.Helper()
	args := []string{"keys", "add", "attacker", "--scopes", scopes, "--data", v.dir}
	if rate > 0 {
		args = append(args, "--rate", strconv.Itoa(rate))
	}
	return v.tool(args...)
}

// beside lets a well-behaved caller read documents one after the other, as a kiosk does, and returns the 95th percentile of its waits.
// Every answer must be 200.
func (c *tortureCase) beside(v *victim, each func()) time.Duration {
	c.Helper()
	picture, n := samplePassport(c.T), 10
	if c.long {
		n = 60
	}
	var took []time.Duration
	for range n {
		began := time.Now()
		r, err := v.post(appliance.EndpointPassport, map[string]any{"image": picture})
		took = append(took, time.Since(began))
		if err != nil || r.Status != http.StatusOK {
			c.row.lost++
			c.Errorf("the other caller got %+v, %v", r, err)
			continue
		}
		id, _ := r.Data["transaction_id"].(string)
		v.acked.add(id)
		if each != nil {
			each()
		}
		c.pause(50 * time.Millisecond)
	}
	slices.Sort(took)
	return took[len(took)*95/100]
}

func folderSize(c *tortureCase, dir string) (sum int64) {
	c.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		c.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// manyNames sends bodies of as many member names as 16 MiB hold.
func manyNames(c *tortureCase) {
	var b strings.Builder
	b.WriteString(`{"a":0`)
	for i := 0; b.Len() < 15<<20; i++ {
		fmt.Fprintf(&b, `,"%06x":0`, i)
	}
	b.WriteString("}")
	body := b.String()
	c.attacked(4, func(v *victim, secret string) error { return v.raw(secret, strings.NewReader(body)) })
}

// raw sends a body as it is.
func (v *victim) raw(secret string, body io.Reader) error {
	req, err := http.NewRequest(http.MethodPost, "http://"+v.listen+"/v1/ocr/passport", body)
	if err != nil {
		return err
	}
	req.Header.Set("ApiKey", secret)
	res, err := v.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

// stalledBodies holds hundreds of connections whose bodies do not come.
func stalledBodies(c *tortureCase) {
	c.attacked(256, func(v *victim, secret string) error {
		conn, err := net.Dial("tcp", v.listen)
		if err != nil {
			return err
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(2 * time.Second)); err != nil {
			return err
		}
		fmt.Fprintf(conn, "POST /v1/ocr/passport HTTP/1.1\r\nHost: kiosk\r\nApiKey: %s\r\nContent-Length: 16000000\r\n\r\n{", secret)
		_, err = io.Copy(io.Discard, conn)
		return err
	})
}

// refusedKey floods the daemon with requests of a key that lacks the scope and has used up its rate.
func refusedKey(c *tortureCase) {
	c.attacked(8, func(v *victim, secret string) error {
		_, err := v.send("/v1/ocr/face/match", secret, map[string]any{})
		return err
	})
}

// dearPictures sends what costs most: a small picture of several cards, and large ones in many passes.
func dearPictures(c *tortureCase) {
	small := base64.StdEncoding.EncodeToString(smallMulti(c))
	huge := hugePicture(c)
	var n atomic.Int64
	c.attacked(24, func(v *victim, secret string) error {
		picture := small
		if n.Add(1)%3 == 0 {
			picture = huge
		}
		_, err := v.send("/v1/ocr/multi", secret, map[string]any{"image": picture})
		return err
	})
}

// smallMulti is the sample of several cards at 360 rows.
func smallMulti(c *tortureCase) []byte {
	c.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "multi.jpg"))
	if err != nil {
		c.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		c.Fatal(err)
	}
	small := image.NewRGBA(image.Rect(0, 0, 480, 360))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, small, nil); err != nil {
		c.Fatal(err)
	}
	return b.Bytes()
}

// oneTransaction sends everything with one transaction id: it fills up, and what comes then is refused.
func oneTransaction(c *tortureCase) {
	id := appliance.NewGUID()
	c.attacked(2, func(v *victim, secret string) error {
		_, err := v.send("/v1/ocr/general", secret, map[string]any{"image": string(c.blank), "transaction_id": id})
		return err
	})
}
