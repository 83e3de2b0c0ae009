package metrics

import (
	"os"
	"path/filepath"
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
	text := string(s.Text())
	before, _, found := strings.Cut(text, "# HELP go_")
	if !found {
		t.Fatalf("no figures of Go in\n%s", text)
	}
	return before
}

// What was counted is shown as the text format of Prometheus has it, byte for byte, and a metric without samples is not.
func TestText(t *testing.T) {
	var s Set
	requests := s.Counter("requests_total", "Requests.", "code", "route")
	seconds := s.Histogram("seconds", "Time\nof a \\ request.", "route", []float64{.0025, .5, 10})
	s.Histogram("unused", "Nothing.", "route", []float64{1})
	s.Counter("wrong_total", "Wrong.")
	s.Gauge("bytes", "Size.", func() float64 { return 1 << 40 })
	s.Flags("warning", "What holds.", "code", func() []string { return []string{"b", "a", "b"} })
	s.Flags("never", "Nothing.", "code", func() []string { return nil })
	requests.Inc("404", "other")
	requests.Inc("0", `/v1/"x"\`+"\n")
	requests.Inc("404", "other")
	for _, v := range []float64{.0025, .0026, 3, 11} {
		seconds.Observe("/", v)
	}
	want := `# HELP requests_total Requests.
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
# HELP wrong_total Wrong.
# TYPE wrong_total counter
wrong_total 0
# HELP bytes Size.
# TYPE bytes gauge
bytes 1.099511627776e+12
# HELP warning What holds.
# TYPE warning gauge
warning{code="a"} 1
warning{code="b"} 1
`
	if diff := cmp.Diff(want, own(t, &s)); diff != "" {
		t.Error(diff)
	}
}

// Nothing is lost when many count at once while others look.
func TestConcurrent(t *testing.T) {
	const callers, each = 8, 500
	var s Set
	c, h := s.Counter("c", "C.", "l"), s.Histogram("h", "H.", "l", []float64{1})
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for range each {
				c.Inc(strconv.Itoa(i % 2))
				h.Observe("x", float64(i))
			}
		})
		all.Go(func() { s.Text() })
	}
	all.Wait()
	got := own(t, &s)
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
	got := samples(t, new(Set).Text())
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

// A program may have any name, and files of /proc that are missing or of another form are no figures.
func TestProcFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	for content, want := range map[string]float64{
		"7 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 11 12 13\n": 11, "7 (a) S 1\n": -1, "": -1, "7 (a) S 1 2 3 4 5 6 7 8 9 10 x 12\n": -1,
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if v, known := statOf(file).number(14); known != (want >= 0) || known && v != want {
			t.Errorf("%q: %g, %v, want %g", content, v, known, want)
		}
	}
	for content, want := range map[string]float64{
		"TcpExt: InOctets\nTcpExt: 5\nIpExt: A InOctets\nIpExt: 1 2\n": 2, "IpExt: A\nIpExt: 1\n": -1, "IpExt: A InOctets\nIpExt: 1\n": -1, "IpExt: InOctets\n": -1,
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if v, known := octets(file, "InOctets"); known != (want >= 0) || known && v != want {
			t.Errorf("%q: %g, %v, want %g", content, v, known, want)
		}
	}
	if _, known := bootTime(file); known {
		t.Error("a boot time was found where none is")
	}
	if _, known := octets(file+".missing", "InOctets"); known || statOf(file+".missing") != nil {
		t.Error("figures were found in no file")
	}
}
