package bench

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/face"
)

// comparedSample is an engine with the product's networks, and the sample picture of a face.
func comparedSample(t testing.TB) (*engine.Engine, []byte) {
	t.Helper()
	e, err := engine.Open(t.Context(), configs.Picture{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	picture, err := os.ReadFile(filepath.Join("..", "..", "..", sampleFace))
	if err != nil {
		t.Fatal(err)
	}
	return e, picture
}

// measuredOnce measures one request of an endpoint that compares faces.
func measuredOnce(t *testing.T, e *engine.Engine, endpoint appliance.Endpoint, picture []byte) (got sample, macs int64, stages string) {
	t.Helper()
	s := appliancetest.NewTransactions(time.Hour, time.Now)
	c, err := newComparison(e, s, queue.New(1, 1), endpoint, picture)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = c.once(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, stage := range got.stages {
		macs, stages = macs+stage.MACs, stages+stage.Name+" "
	}
	return got, macs, stages
}

// A measured face match has its stages with the work of the networks in each, within their budget, and its figures are
// those of a request that was answered.
func TestBenchFaceMatch(t *testing.T) {
	e, picture := comparedSample(t)
	got, macs, stages := measuredOnce(t, e, appliance.EndpointFaceMatch, picture)
	if stages != "decode find_face count embed store " || macs == 0 || macs > 750_000_000 || got.total <= 0 {
		t.Errorf("stages %s, %d MAC, %v", stages, macs, got.total)
	}
}

// The networks of a judged burst do at most 2.5 GMAC: 1.55 of them embed its faces by two networks, and 0.24 look for attacks.
func TestBenchLiveness(t *testing.T) {
	e, picture := comparedSample(t)
	if !e.Built(appliance.EndpointLiveness) {
		t.Skip("this binary carries no network that tells attacks")
	}
	if _, macs, _ := measuredOnce(t, e, appliance.EndpointLiveness, picture); macs == 0 || macs > 2_500_000_000 {
		t.Errorf("%d MAC", macs)
	}
}

// cpuTime is what this process has computed so far: other programs do not count, as they do in the time that passes.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkBurst measures the decoding and judgement of three frames of 640 x 480, and what is left of it when the third frame comes.
func BenchmarkBurst(b *testing.B) {
	e, picture := comparedSample(b)
	raw, err := exposures(picture)
	if err != nil {
		b.Fatal(err)
	}
	judge, err := e.Judge()
	if err != nil {
		b.Fatal(err)
	}
	if judge == nil {
		judge = face.NewRules(e.Faces.Finder, e.Faces.Matcher)
	}
	see := func(j appliance.Judgement, i int) {
		p, err := e.Decoder.Decode(b.Context(), raw[i])
		if err != nil {
			b.Fatal(err)
		}
		if err := j.See(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
	for name, early := range map[string]int{"whole": 0, "after the third": 2} {
		b.Run(name, func(b *testing.B) {
			var spent time.Duration
			for b.Loop() {
				j := judge.Begin()
				b.StopTimer()
				for i := range early {
					see(j, i)
				}
				began := cpuTime(b)
				b.StartTimer()
				for i := early; i < appliance.BurstFrames; i++ {
					see(j, i)
				}
				if _, err := j.Conclude(b.Context()); err != nil {
					b.Fatal(err)
				}
				spent += cpuTime(b) - began
			}
			b.ReportMetric(score.Milliseconds(spent)/float64(b.N), "cpu-ms/op")
		})
	}
}
