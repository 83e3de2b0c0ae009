package metrics

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// figure is one value of Go's runtime: the sum of some of its own metrics.
type figure struct {
	name, kind, help string
	of               []string
}

// figures are those that Prometheus' library shows for every Go program, under the same names.
func figures() []figure {
	const (
		objects  = "/memory/classes/heap/objects:bytes"
		unused   = "/memory/classes/heap/unused:bytes"
		free     = "/memory/classes/heap/free:bytes"
		released = "/memory/classes/heap/released:bytes"
		stacks   = "/memory/classes/heap/stacks:bytes"
		mcache   = "/memory/classes/metadata/mcache/inuse:bytes"
		mspan    = "/memory/classes/metadata/mspan/inuse:bytes"
		tiny     = "/gc/heap/tiny/allocs:objects"
		gauge    = "gauge"
		counter  = "counter"
	)
	return []figure{
		{"go_gc_gogc_percent", gauge, "How much the heap may grow between collections.", []string{"/gc/gogc:percent"}},
		{"go_gc_gomemlimit_bytes", gauge, "Memory limit of the Go runtime.", []string{"/gc/gomemlimit:bytes"}},
		{"go_memstats_alloc_bytes", gauge, "Heap in use by objects.", []string{objects}},
		{"go_memstats_alloc_bytes_total", counter, "Heap allocated until now.", []string{"/gc/heap/allocs:bytes"}},
		{"go_memstats_buck_hash_sys_bytes", gauge, "Memory of profiles.", []string{"/memory/classes/profiling/buckets:bytes"}},
		{"go_memstats_frees_total", counter, "Heap objects freed until now.", []string{"/gc/heap/frees:objects", tiny}},
		{"go_memstats_gc_sys_bytes", gauge, "Memory of the garbage collection.", []string{"/memory/classes/metadata/other:bytes"}},
		{"go_memstats_heap_alloc_bytes", gauge, "Heap in use by objects.", []string{objects}},
		{"go_memstats_heap_idle_bytes", gauge, "Heap that waits to be used.", []string{released, free}},
		{"go_memstats_heap_inuse_bytes", gauge, "Heap in use.", []string{objects, unused}},
		{"go_memstats_heap_objects", gauge, "Heap objects.", []string{"/gc/heap/objects:objects"}},
		{"go_memstats_heap_released_bytes", gauge, "Heap given back to the system.", []string{released}},
		{"go_memstats_heap_sys_bytes", gauge, "Heap taken from the system.", []string{objects, unused, released, free}},
		{"go_memstats_mallocs_total", counter, "Heap objects allocated until now.", []string{"/gc/heap/allocs:objects", tiny}},
		{"go_memstats_mcache_inuse_bytes", gauge, "Memory of mcache structures in use.", []string{mcache}},
		{"go_memstats_mcache_sys_bytes", gauge, "Memory of mcache structures.", []string{mcache, "/memory/classes/metadata/mcache/free:bytes"}},
		{"go_memstats_mspan_inuse_bytes", gauge, "Memory of mspan structures in use.", []string{mspan}},
		{"go_memstats_mspan_sys_bytes", gauge, "Memory of mspan structures.", []string{mspan, "/memory/classes/metadata/mspan/free:bytes"}},
		{"go_memstats_next_gc_bytes", gauge, "Heap at which the next collection begins.", []string{"/gc/heap/goal:bytes"}},
		{"go_memstats_other_sys_bytes", gauge, "Memory for all else.", []string{"/memory/classes/other:bytes"}},
		{"go_memstats_stack_inuse_bytes", gauge, "Memory of stacks.", []string{stacks}},
		{"go_memstats_stack_sys_bytes", gauge, "Memory of stacks, those of the system too.", []string{stacks, "/memory/classes/os-stacks:bytes"}},
		{"go_memstats_sys_bytes", gauge, "Memory taken from the system.", []string{"/memory/classes/total:bytes"}},
		{"go_sched_gomaxprocs_threads", gauge, "Threads that may run Go code at once.", []string{"/sched/gomaxprocs:threads"}},
	}
}

// goFamilies shows Go's runtime.
func goFamilies() []family {
	var out families
	values := runtimeValues()
	for _, f := range figures() {
		sum := 0.0
		for _, name := range f.of {
			sum += values[name]
		}
		out.one(f.kind, f.name, f.help, sum)
	}
	threads, _ := runtime.ThreadCreateProfile(nil)
	out.one("gauge", "go_goroutines", "Goroutines that exist.", float64(runtime.NumGoroutine()))
	out.one("gauge", "go_threads", "Threads of the system that were created.", float64(threads))
	out.add("gauge", "go_info", "Always 1; the label is the version of Go.", func(t *text) {
		t.sample("go_info", labelled([]string{"version"}, []string{runtime.Version()}), 1)
	})
	out.collections()
	return out
}

// runtimeValues reads what the figures are made of.
func runtimeValues() map[string]float64 {
	var samples []metrics.Sample
	for _, f := range figures() {
		for _, name := range f.of {
			samples = append(samples, metrics.Sample{Name: name})
		}
	}
	metrics.Read(samples)
	values := map[string]float64{}
	for _, s := range samples {
		values[s.Name] = float64(s.Value.Uint64())
	}
	return values
}

// collections shows how long garbage collections stopped the program, and when the last one was.
func (out *families) collections() {
	const name, quarters = "go_gc_duration_seconds", 4
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, quarters+1)}
	debug.ReadGCStats(&stats)
	out.one("gauge", "go_memstats_last_gc_time_seconds", "When the last collection was, in seconds since 1970.", float64(stats.LastGC.UnixNano())/1e9)
	out.add("summary", name, "How long collections stopped the program.", func(t *text) {
		for i, q := range stats.PauseQuantiles {
			t.sample(name, `quantile="`+number(float64(i)/quarters)+`"`, q.Seconds())
		}
		t.sample(name+"_sum", "", stats.PauseTotal.Seconds())
		t.sample(name+"_count", "", float64(stats.NumGC))
	})
}
