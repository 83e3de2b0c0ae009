package audit

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// errDied stands for the end of the process in the middle of a write.
var errDied = errors.New("died")

// unsynced spares a test the disk: the process dies, and not the machine.
func unsynced(*os.File) error { return nil }

// A process that dies after any number of bytes of any write loses no entry that was answered, and the next start cuts what
// was torn and says so.
func TestTornWrite(t *testing.T) {
	const step = 31
	for torn := 0; ; torn++ {
		b := newBench(t)
		b.size = 1200 // a seal and a new segment are among the writes
		left, dead := torn*step, false
		var last func() // writes what the dying process left once more
		b.write = func(f *os.File, text []byte, at int64) (int, error) {
			if dead {
				return 0, errDied
			}
			n := min(left, len(text))
			left -= n
			dead = n < len(text)
			last = func() {
				rest, err := os.OpenFile(f.Name(), os.O_WRONLY, 0)
				b.must(err)
				_, err = rest.WriteAt(text[:n], at)
				b.must(errors.Join(err, rest.Close()))
			}
			if _, err := f.WriteAt(text[:n], at); err != nil || dead {
				return n, errDied
			}
			return n, nil
		}
		j := New(Config{Dir: b.dir, Identity: b.id, SegmentBytes: b.size, Now: func() time.Time { return b.now }, write: b.write, sync: unsynced})
		b.must(j.Open(t.Context()))
		var answered []string
		for i := range 6 {
			if j.Note(t.Context(), decision(i)) == nil {
				answered = append(answered, fmt.Sprintf("request-%d", i))
			}
			if dead {
				break
			}
		}
		if !dead {
			if torn < 50 {
				t.Fatalf("all entries were written after %d bytes", torn*step)
			}
			return
		}
		last() // the failed write was taken back, which a dead process would not have done
		b.write, b.sync = nil, unsynced
		again := b.open()
		b.must(again.Note(t.Context(), appliance.Entry{Kind: appliance.EntryStart}))
		b.must(again.Close())
		b.sound()
		all := ""
		for _, r := range b.records() {
			all += " " + r.Detail["request"]
		}
		for _, request := range answered {
			if !strings.Contains(all, request) {
				t.Fatalf("after %d bytes: %s was answered and is not in %q", torn*step, request, all)
			}
		}
	}
}

// The torn end that a crash leaves is cut at the next start, whatever it holds, and the cut is an entry.
func TestTornEnd(t *testing.T) {
	b := newBench(t)
	b.note(b.open(), 3)
	whole := b.read(b.path(1))
	lines := split(whole)
	last := whole[lines[2].offset:lines[2].end]
	for name, end := range map[string]string{
		"half an entry": string(last[:len(last)/2]), "zeros": strings.Repeat("\x00", 300), "zeros and an entry": strings.Repeat("\x00", 30) + "\n" + string(last),
		"all but the line break": string(last[:len(last)-1]),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.note(b.open(), 3)
			f, err := os.OpenFile(b.path(1), os.O_APPEND|os.O_WRONLY, 0)
			b.must(err)
			_, err = f.WriteString(end)
			b.must(errors.Join(err, f.Close()))
			if b.problems() == nil {
				t.Error("the torn end is not named before the start")
			}
			j := b.open()
			b.note(j, 1)
			b.must(j.Close())
			b.sound()
			if kinds := strings.Join(b.kinds(), " "); !strings.HasSuffix(kinds, "journal.recovered decision") || j.Damage() != "" {
				t.Errorf("entries %q, damage %q", kinds, j.Damage())
			}
		})
	}
}

// TestCrashChild is not a test of its own: it is the process that TestKill kills.
func TestCrashChild(t *testing.T) {
	dir := os.Getenv("AUDIT_CRASH_DIR")
	if dir == "" {
		t.Skip("runs only as the child of TestKill")
	}
	j := New(Config{Dir: dir, Identity: identity(t, 1), SegmentBytes: 4000})
	if err := j.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	answers := make(chan string)
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				e := decision(i)
				e.Detail["request"] = fmt.Sprintf("%d-%d-%d", os.Getpid(), w, i)
				if err := j.Note(t.Context(), e); err != nil {
					panic(err)
				}
				answers <- e.Detail["request"]
			}
		}()
	}
	for a := range answers {
		fmt.Println("answered", a)
	}
}

// kill -9 at any moment loses no entry that was answered, and the journal verifies after the next start.
func TestKill(t *testing.T) {
	b := newBench(t)
	b.now = time.Now()
	var answered []string
	for round := range 6 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
		cmd.Env = append(os.Environ(), "AUDIT_CRASH_DIR="+b.dir)
		out, err := cmd.StdoutPipe()
		b.must(err)
		b.must(cmd.Start())
		s := bufio.NewScanner(out)
		n := 0
		for s.Scan() {
			if request, ok := strings.CutPrefix(s.Text(), "answered "); ok {
				answered = append(answered, request)
				if n++; n == 20+17*round {
					b.must(cmd.Process.Signal(syscall.SIGKILL))
				}
			}
		}
		cmd.Wait()
		if n < 20 {
			t.Fatalf("the child answered %d requests only", n)
		}
	}
	b.note(b.open(), 1)
	b.sound()
	found := map[string]bool{}
	for _, r := range b.records() {
		found[r.Detail["request"]] = true
	}
	for _, request := range answered {
		if !found[request] {
			t.Errorf("%s was answered and is not in the journal", request)
		}
	}
}
