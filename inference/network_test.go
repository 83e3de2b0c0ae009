package inference

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/models"
)

// tiny is the plumbing network of testdata, written by models/training.
func tiny(t testing.TB) models.Model {
	t.Helper()
	var m models.Model
	text, err := os.ReadFile(filepath.Join("testdata", "tiny.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if m.Bytes, err = os.ReadFile(filepath.Join("testdata", m.File)); err != nil {
		t.Fatal(err)
	}
	return m
}

// open opens a network in a Runtime of its own that is closed with the test.
func open(t testing.TB, m models.Model, places int) *Network {
	t.Helper()
	r, err := Open(t.Context(), []models.Model{m}, places)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.Network(m.Name)
}

// noise is an input that no network knows: the high bytes of a linear
// congruential generator.
func noise(n int) []int8 {
	values, state := make([]int8, n), uint32(1)
	for i := range values {
		state = state*1664525 + 1013904223
		values[i] = int8(int(state>>24) - 128)
	}
	return values
}

// drawn is the fixed input of the golden files: a bright sheet with dark broken
// rows on a dark ground, so that every network sees something of its kind, and a
// little noise.
func drawn(shape []int) []int8 {
	height, width, channels := shape[1], shape[2], shape[3]
	values, state := make([]int8, 0, height*width*channels), uint32(1)
	for y := range height {
		for x := range width {
			level := -100
			if y >= height/4 && y < height-height/4 && x >= width/8 && x < width-width/8 {
				level = 90
				if y/max(1, height/32)%3 == 1 && x/3%3 != 0 {
					level = -60
				}
			}
			for range channels {
				state = state*1664525 + 1013904223
				values = append(values, int8(level+int(state>>28)))
			}
		}
	}
	return values
}

// TestGolden: the runtime computes what the training side's runtime computed
// from the same file, for every network of the product; and the comparison
// notices when the picture is another one.
func TestGolden(t *testing.T) {
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(set.List(), tiny(t)) {
		t.Run(m.Name, func(t *testing.T) {
			n := open(t, m, 1)
			if !n.Accelerated() {
				t.Error("XNNPACK does not run the whole network")
			}
			in, out := drawn(n.Input().Shape), make([]int8, n.Output().Len())
			if err := n.Run(t.Context(), in, out); err != nil {
				t.Fatal(err)
			}
			if off := distance(t, m.Name, out); off > 0.5 {
				t.Errorf("the values are %.2f steps off the pinned ones", off)
			}
			if err := n.Run(t.Context(), noise(len(in)), out); err != nil {
				t.Fatal(err)
			}
			if off := distance(t, m.Name, out); off < 2 {
				t.Errorf("another picture gives the pinned values as well, %.2f steps off", off)
			}
		})
	}
}

// TestSharedMemory: networks that run at one place, which lends them all the same memory and their weights, each in all
// its widths, answer as they do alone, whatever ran there before.
func TestSharedMemory(t *testing.T) {
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), set.List(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	type call struct {
		name     string
		in, want []int8
	}
	var calls []call
	for _, m := range set.List() {
		alone := open(t, m, 1)
		for _, s := range alone.shapes {
			c := call{m.Name, noise(s.input.Len()), make([]int8, s.output.Len())}
			if err := alone.Run(t.Context(), c.in, c.want); err != nil {
				t.Fatal(err)
			}
			calls = append(calls, c)
		}
	}
	backwards := slices.Clone(calls)
	slices.Reverse(backwards)
	for i, c := range slices.Concat(calls, backwards) {
		out := make([]int8, len(c.want))
		if err := r.Network(c.name).Run(t.Context(), c.in, out); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out, c.want) {
			t.Errorf("call %d: %s answers otherwise than alone", i, c.name)
		}
	}
	if r.Network("nobody") != nil {
		t.Error("a network that was not opened is there")
	}
}

// A place keeps no list of where the inputs of a network's convolutions lie when it sees pictures: eight places of the network that
// finds the lines of a page would keep 76 MB of them. What they share out for their layers takes 30 to 47 MB, by what the process
// has free already.
func TestPicturesKeepNoLists(t *testing.T) {
	const places, share = 8, 8 << 20
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(set.List(), func(m models.Model) bool { return m.Name == "lines" })
	m := set.List()[at]
	before := resident(t)
	n := open(t, m, places)
	in, out := noise(m.Input.Len()), make([]int8, m.Output.Len())
	for range places {
		if err := n.Run(t.Context(), in, out); err != nil {
			t.Fatal(err)
		}
	}
	if grown := resident(t) - before; grown > places*share {
		t.Errorf("%d places grew the process by %d kB", places, grown>>10)
	}
}

// distance is the mean distance from the pinned values in quantization steps.
// It is 0 on the kind of processor that pinned them; on arm64 kernels that round
// otherwise make it 0.2 in the deepest network.
func distance(t *testing.T, name string, out []int8) float64 {
	t.Helper()
	var golden struct {
		Step   int    `json:"step"`
		Values []int8 `json:"values"`
	}
	text, err := os.ReadFile(filepath.Join("testdata", name+".golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if want := (len(out) + golden.Step - 1) / golden.Step; len(golden.Values) != want {
		t.Fatalf("%d pinned values for %d outputs, want %d", len(golden.Values), len(out), want)
	}
	var sum float64
	for i, want := range golden.Values {
		sum += math.Abs(float64(out[i*golden.Step]) - float64(want))
	}
	return sum / float64(len(golden.Values))
}

// TestOpenRefuses: a file that is cut, damaged or another network than the
// manifest describes is an error that names the model and what is wrong.
func TestOpenRefuses(t *testing.T) {
	seal := func(m *models.Model) { // as a manifest that lies would
		sum := sha256.Sum256(m.Bytes)
		m.SHA256 = hex.EncodeToString(sum[:])
	}
	tests := map[string]struct {
		spoil func(m *models.Model)
		want  string
	}{
		"cut":         {func(m *models.Model) { m.Bytes = m.Bytes[:len(m.Bytes)/2] }, "tiny.tflite (1864 bytes) is not the one"},
		"flipped bit": {func(m *models.Model) { m.Bytes[2000] ^= 1 }, "is not the one"},
		"empty":       {func(m *models.Model) { m.Bytes = nil }, "is not the one"},
		"cut, sealed": {func(m *models.Model) { m.Bytes = m.Bytes[:len(m.Bytes)/2]; seal(m) }, "no network that the runtime can read"},
		"text, sealed": {
			func(m *models.Model) { m.Bytes = []byte(strings.Repeat("text", 100)); seal(m) },
			"no network that the runtime can read",
		},
		"empty, sealed": {func(m *models.Model) { m.Bytes = nil; seal(m) }, "no network that the runtime can read"},
		"input shape": {
			func(m *models.Model) { m.Input.Shape = []int{1, 16, 3, 16} },
			"input has shape [1 16 16 3], the manifest says [1 16 3 16]",
		},
		"output shape":     {func(m *models.Model) { m.Output.Shape = []int{1, 256} }, "output has shape [1 8 8 4]"},
		"input type":       {func(m *models.Model) { m.Input.Type = "uint8" }, `the manifest says "uint8"`},
		"input scale":      {func(m *models.Model) { m.Input.Scale *= 1.000001 }, "input has scale"},
		"output scale":     {func(m *models.Model) { m.Output.Scale = 1 }, "output has scale"},
		"zero point":       {func(m *models.Model) { m.Output.ZeroPoint++ }, "zero point 29, the manifest says"},
		"input name":       {func(m *models.Model) { m.Input.Name = "grey" }, `the manifest says "grey"`},
		"no place":         {func(m *models.Model) {}, "0 places"},
		"context is done ": {func(m *models.Model) {}, context.Canceled.Error()},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := tiny(t)
			tt.spoil(&m)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			count := 2
			if tt.want == "0 places" {
				count = 0
			}
			if tt.want == context.Canceled.Error() {
				cancel()
			}
			r, err := Open(ctx, []models.Model{m}, count)
			if err == nil {
				r.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "model tiny") {
				t.Errorf("error %q does not name model tiny and %q", err, tt.want)
			}
		})
	}
}

// TestRunLengths: slices of another length than the contract's are refused and
// nothing is written.
func TestRunLengths(t *testing.T) {
	n := open(t, tiny(t), 1)
	for _, size := range [][2]int{{0, 256}, {767, 256}, {769, 256}, {768, 255}, {768, 257}, {256, 768}} {
		in, out := make([]int8, size[0]), make([]int8, size[1])
		if err := n.Run(t.Context(), in, out); err == nil || !strings.Contains(err.Error(), "need 768 and 256") {
			t.Errorf("%v: error %v", size, err)
		}
		if !cmp.Equal(out, make([]int8, size[1])) {
			t.Errorf("%v: output was written", size)
		}
	}
}

// TestRunConcurrent: many goroutines on few places each get the answer to
// their own picture.
func TestRunConcurrent(t *testing.T) {
	n := open(t, tiny(t), 3)
	const pictures, callers, rounds = 8, 16, 200
	in, want := make([][]int8, pictures), make([][]int8, pictures)
	for i := range in {
		in[i], want[i] = noise(n.Input().Len()), make([]int8, n.Output().Len())
		for j := range in[i] {
			in[i][j] += int8(i * 29)
		}
		if err := n.Run(t.Context(), in[i], want[i]); err != nil {
			t.Fatal(err)
		}
		if i > 0 && cmp.Equal(want[i], want[i-1]) {
			t.Fatal("two pictures have the same answer: the test proves nothing")
		}
	}
	var done atomic.Int64
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			out := make([]int8, n.Output().Len())
			for round := range rounds {
				i := (caller + round) % pictures
				if err := n.Run(t.Context(), in[i], out); err != nil {
					t.Error(err)
				} else if !slices.Equal(out, want[i]) {
					t.Errorf("caller %d got another picture's answer", caller)
				} else {
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	if got := done.Load(); got != callers*rounds {
		t.Errorf("%d of %d runs were right", got, callers*rounds)
	}
}

// TestRunResized: a narrower input gives what the wide one that begins with it
// gives, as far as the network sees no edge, a wider one as well, and both count
// their share of the work; a width that the contract does not name is refused.
func TestRunResized(t *testing.T) {
	m := tiny(t)
	m.Widths = []int{8, 32}
	n := open(t, m, 1)
	if got := n.Widths(); !slices.Equal(got, []int{8, 16, 32}) {
		t.Fatalf("widths %v, want 8, 16 and 32", got)
	}
	const side, channels, columns, maps = 16, 3, 8, 4
	wide, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
	if err := n.Run(t.Context(), wide, out); err != nil {
		t.Fatal(err)
	}
	var narrow []int8
	for y := range side {
		narrow = append(narrow, wide[y*side*channels:][:side/2*channels]...)
	}
	var work Work
	half := make([]int8, len(out)/2)
	if err := n.Run(WithWork(t.Context(), &work), narrow, half); err != nil {
		t.Fatal(err)
	}
	for y := range columns {
		seen := columns/2 - 2 // the last two columns see the edge
		if a, b := out[y*columns*maps:][:seen*maps], half[y*columns/2*maps:][:seen*maps]; !slices.Equal(a, b) {
			t.Errorf("row %d: wide %v, narrow %v", y, a, b)
		}
	}
	if _, macs := work.Total(); macs != m.MACs/2 {
		t.Errorf("%d multiply-accumulates, want half of %d", macs, m.MACs)
	}
	var twice []int8
	for y := range side {
		row := wide[y*side*channels:][:side*channels]
		twice = append(append(twice, row...), row...)
	}
	long := make([]int8, len(out)*2)
	if err := n.Run(WithWork(t.Context(), &work), twice, long); err != nil {
		t.Fatal(err)
	}
	for y := range columns {
		seen := columns - 2
		if a, b := out[y*columns*maps:][:seen*maps], long[y*columns*2*maps:][:seen*maps]; !slices.Equal(a, b) {
			t.Errorf("row %d: as in the file %v, wider %v", y, a, b)
		}
	}
	if _, macs := work.Total(); macs != m.MACs/2+2*m.MACs {
		t.Errorf("%d multiply-accumulates, want half and twice %d", macs, m.MACs)
	}
	if err := n.Run(t.Context(), narrow[:len(narrow)/2], half[:len(half)/2]); err == nil {
		t.Error("a width that nobody asked for runs")
	}
	for _, widths := range [][]int{{0}, {16}, {3}, {8, 8}} {
		m.Widths = widths
		if r, err := Open(t.Context(), []models.Model{m}, 1); err == nil {
			r.Close()
			t.Errorf("widths %v are taken", widths)
		}
	}
}

// TestRunWaits: with every place in use, Run waits, and gives up when its
// context is done; one that is done before is refused at once.
func TestRunWaits(t *testing.T) {
	n := open(t, tiny(t), 1)
	in, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
	busy, err := n.runtime.borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() { result <- n.Run(ctx, in, out) }()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("waiting call: %v", err)
	}
	n.runtime.free <- busy
	if err := n.Run(ctx, in, out); !errors.Is(err, context.Canceled) {
		t.Errorf("call with a done context and a free place: %v", err)
	}
	if err := n.Run(t.Context(), in, out); err != nil {
		t.Errorf("the place is lost: %v", err)
	}
}

// TestClose: Close waits for a running call, refuses waiting and later ones,
// and may be called again and from several goroutines.
func TestClose(t *testing.T) {
	n := open(t, tiny(t), 2)
	in, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
	first, err := n.runtime.borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := n.runtime.borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error)
	go func() { waiting <- n.Run(t.Context(), in, out) }()
	closed := make(chan error, 2)
	for range cap(closed) {
		go func() { closed <- n.runtime.Close() }()
	}
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Errorf("waiting call: %v", err)
	}
	n.runtime.free <- first
	select {
	case <-closed:
		t.Error("closed while a place was in use")
	default:
	}
	if err := n.shapes[0].at[second.index].run(in, out); err != nil { // would crash, were it freed
		t.Error(err)
	}
	n.runtime.free <- second
	for range cap(closed) {
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
	if err := n.Run(t.Context(), in, out); !errors.Is(err, ErrClosed) {
		t.Errorf("call after Close: %v", err)
	}
	if err := n.runtime.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseUnderLoad: Close in the middle of many calls neither crashes nor
// hangs, and every call either has its answer or says that it is closed.
func TestCloseUnderLoad(t *testing.T) {
	m := tiny(t)
	var answered, refused atomic.Int64
	for range 50 {
		n := open(t, m, 2)
		var group sync.WaitGroup
		started := make(chan struct{}, 8)
		for range cap(started) {
			group.Go(func() {
				in, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
				for i := 0; ; i++ {
					err := n.Run(t.Context(), in, out)
					if i == 0 {
						started <- struct{}{}
					}
					if errors.Is(err, ErrClosed) {
						refused.Add(1)
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					answered.Add(1)
				}
			})
		}
		for range 1 + rand.IntN(cap(started)) {
			<-started
		}
		n.runtime.Close()
		group.Wait()
	}
	if answered.Load() == 0 || refused.Load() != 50*8 {
		t.Errorf("%d answered, %d refused", answered.Load(), refused.Load())
	}
}

// TestNoLeak: opening and closing a network again and again, also one that is
// refused, does not make the process grow.
func TestNoLeak(t *testing.T) {
	m, bad := tiny(t), tiny(t)
	bad.Output.ZeroPoint++
	in, out := noise(m.Input.Len()), make([]int8, m.Output.Len())
	cycle := func(times int) {
		for range times {
			r, err := Open(t.Context(), []models.Model{m}, 2)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Network(m.Name).Run(t.Context(), in, out); err != nil {
				t.Fatal(err)
			}
			r.Close()
			if _, err := Open(t.Context(), []models.Model{bad}, 1); err == nil {
				t.Fatal("a wrong contract was accepted")
			}
		}
	}
	cycle(1500) // the allocator's own reserves settle
	before, files := resident(t), openFiles(t)
	cycle(1500)
	// A leaked copy of the file alone would be 11 MB.
	if grown := resident(t) - before; grown > 4<<20 {
		t.Errorf("1500 cycles grew the process by %d kB", grown>>10)
	}
	if now := openFiles(t); now > files {
		t.Errorf("%d files are open, before it were %d", now, files)
	}
}

// resident is the memory of this process in bytes.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory() // Go's own garbage is not what is looked for
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// openFiles counts this process's descriptors.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	return len(entries)
}

// BenchmarkRun times one inference of each network at one place.
func BenchmarkRun(b *testing.B) {
	set, err := models.Open()
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range append(set.List(), tiny(b)) {
		b.Run(m.Name, func(b *testing.B) {
			n := open(b, m, 1)
			in, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
			for b.Loop() {
				if err := n.Run(b.Context(), in, out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(m.MACs)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}

// BenchmarkOpen times what a network adds to the start of the program.
func BenchmarkOpen(b *testing.B) {
	set, err := models.Open()
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range append(set.List(), tiny(b)) {
		b.Run(m.Name, func(b *testing.B) {
			for b.Loop() {
				r, err := Open(b.Context(), []models.Model{m}, 2)
				if err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}
