package metrics

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// own is the text of a set's own metrics, without those of the process and of Go.
func own(t *testing.T, s *Set) string {
	t.Helper()
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(line, "# HELP"), "# TYPE"), " "); !strings.HasPrefix(name, "go_") &&
			!strings.HasPrefix(name, "process_") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// What was counted is shown as the text format of Prometheus has it, byte for byte, and a metric without samples is not.
func TestText(t *testing.T) {
	s := New()
	requests := s.Counter("requests_total", "Requests.", "code", "route")
	seconds := s.Histogram("seconds", "Time\nof a \\ request.", "route", []float64{.0025, .5, 10})
	s.Histogram("unused", "Nothing.", "route", []float64{1})
	s.Counter("wrong_total", "Wrong.")
	s.Gauge("bytes", "Size.", func() float64 { return 1 << 40 })
	s.Flags("warning", "What holds.", "code", func() []string { return []string{"b", "a", "b"} })
	s.Flags("never", "Nothing.", "code", func() []string { return nil })
	s.Gauges("free", "Free.", "disk", func() map[string]float64 { return map[string]float64{"b": 2, "a": 1} })
	requests.Inc("404", "other")
	requests.Inc("0", `/v1/"x"\`+"\n")
	requests.Inc("404", "other")
	for _, v := range []float64{.0025, .0026, 3, 11} {
		seconds.Observe("/", v)
	}
	want := `# HELP bytes Size.
# TYPE bytes gauge
bytes 1.099511627776e+12
# HELP free Free.
# TYPE free gauge
free{disk="a"} 1
free{disk="b"} 2
# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{code="0",route="/v1/\"x\"\\\n"} 1
requests_total{code="404",route="other"} 2
# HELP seconds Time\nof a \\ request.
# TYPE seconds histogram
seconds_bucket{route="/",le="0.0025"} 1
seconds_bucket{route="/",le="0.5"} 2
seconds_bucket{route="/",le="10"} 3
seconds_bucket{route="/",le="+Inf"} 4
seconds_sum{route="/"} 14.0051
seconds_count{route="/"} 4
# HELP warning What holds.
# TYPE warning gauge
warning{code="a"} 1
warning{code="b"} 1
# HELP wrong_total Wrong.
# TYPE wrong_total counter
wrong_total 0
`
	if diff := cmp.Diff(want, own(t, s)); diff != "" {
		t.Error(diff)
	}
}

// Nothing is lost when many count at once while others look.
func TestConcurrent(t *testing.T) {
	const callers, each = 8, 500
	s := New()
	c, h := s.Counter("c", "C.", "l"), s.Histogram("h", "H.", "l", []float64{1})
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for range each {
				c.Inc(strconv.Itoa(i % 2))
				h.Observe("x", float64(i))
			}
		})
		all.Go(func() {
			if _, err := s.Text(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := own(t, s)
	for _, want := range []string{`c{l="0"} 2000`, `c{l="1"} 2000`, `h_bucket{l="x",le="1"} 1000`, `h_count{l="x"} 4000`, `h_sum{l="x"} 14000`} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// samples are the values of a text by name and labels.
func samples(t *testing.T, text []byte) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		v, err := strconv.ParseFloat(value, 64)
		if _, twice := out[name]; err != nil || twice {
			t.Errorf("%q: %v, there before: %v", line, err, twice)
		}
		out[name] = v
	}
	return out
}

// The process and Go's runtime are shown under the names that dashboards know, with values that are those of this process.
func TestProcess(t *testing.T) {
	runtime.GC()
	text, err := New().Text()
	if err != nil {
		t.Fatal(err)
	}
	got := samples(t, text)
	for name, bounds := range map[string][2]float64{
		"process_cpu_seconds_total": {0, 3600}, "process_open_fds": {3, 1e5}, "process_max_fds": {64, 1e10},
		"process_resident_memory_bytes": {1 << 20, 1 << 34}, "process_virtual_memory_bytes": {1 << 24, 1 << 44},
		"process_virtual_memory_max_bytes":     {1 << 24, 1 << 65},
		"process_start_time_seconds":           {float64(time.Now().Unix() - 600), float64(time.Now().Unix() + 1)},
		"process_network_transmit_bytes_total": {0, 1e18}, "process_network_receive_bytes_total": {0, 1e18},
		"go_goroutines": {1, 1000}, "go_threads": {1, 1000}, `go_info{version="` + runtime.Version() + `"}`: {1, 1},
		`go_gc_duration_seconds{quantile="0.25"}`: {0, 1}, `go_gc_duration_seconds{quantile="1"}`: {1e-9, 1},
		"go_gc_duration_seconds_sum": {1e-9, 1}, "go_gc_duration_seconds_count": {1, 1e6},
		"go_memstats_last_gc_time_seconds": {float64(time.Now().Unix() - 600), float64(time.Now().Unix() + 1)},
		"go_sched_gomaxprocs_threads":      {1, 4096}, "go_gc_gogc_percent": {100, 100}, "go_gc_gomemlimit_bytes": {1 << 62, 1 << 63},
		"go_memstats_alloc_bytes": {1 << 16, 1 << 30}, "go_memstats_alloc_bytes_total": {1 << 16, 1 << 40}, "go_memstats_heap_alloc_bytes": {1 << 16, 1 << 30},
		"go_memstats_heap_inuse_bytes": {1 << 16, 1 << 30}, "go_memstats_heap_sys_bytes": {1 << 16, 1 << 32}, "go_memstats_heap_objects": {100, 1e9},
		"go_memstats_heap_idle_bytes": {0, 1 << 32}, "go_memstats_heap_released_bytes": {0, 1 << 32}, "go_memstats_next_gc_bytes": {1 << 20, 1 << 32},
		"go_memstats_mallocs_total": {100, 1e12}, "go_memstats_frees_total": {1, 1e12}, "go_memstats_sys_bytes": {1 << 20, 1 << 34},
		"go_memstats_stack_inuse_bytes": {1 << 10, 1 << 30}, "go_memstats_stack_sys_bytes": {1 << 10, 1 << 30},
		"go_memstats_mspan_inuse_bytes": {1, 1 << 30}, "go_memstats_mspan_sys_bytes": {1, 1 << 30},
		"go_memstats_mcache_inuse_bytes": {1, 1 << 30}, "go_memstats_mcache_sys_bytes": {1, 1 << 30},
		"go_memstats_gc_sys_bytes": {1, 1 << 30}, "go_memstats_other_sys_bytes": {1, 1 << 30}, "go_memstats_buck_hash_sys_bytes": {1, 1 << 30},
	} {
		if v, there := got[name]; !there || v < bounds[0] || v > bounds[1] {
			t.Errorf("%s is %g, there: %v, want %g to %g", name, v, there, bounds[0], bounds[1])
		}
	}
	if used, inUse := got["go_memstats_alloc_bytes"], got["go_memstats_heap_inuse_bytes"]; used > inUse {
		t.Errorf("objects take %g bytes of %g in use", used, inUse)
	}
}

// A value that no label may have spoils its own family alone, and is told.
func TestWrongLabel(t *testing.T) {
	s := New()
	s.Counter("good", "Good.").Inc()
	s.Flags("bad", "Bad.", "code", func() []string { return []string{"\xff"} })
	text, err := s.Text()
	if err == nil || !strings.Contains(string(text), "\ngood 1\n") || strings.Contains(string(text), "bad{") {
		t.Errorf("error %v and text\n%s", err, text)
	}
}
