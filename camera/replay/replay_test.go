package replay

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/google/go-cmp/cmp"
)

// stepClock is a clock that stands still but for who sleeps by it.
type stepClock struct{ now time.Time }

func (c *stepClock) Now() time.Time { return c.now }
func (c *stepClock) Sleep(ctx context.Context, d time.Duration) error {
	c.now = c.now.Add(max(0, d))
	return ctx.Err()
}

// tiny stands for a JPEG.
func tiny(name string) []byte {
	return append(append([]byte{0xff, 0xd8}, name...), 0xff, 0xd9)
}

// put writes files into a new folder.
func put(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// video writes an AVI file of Motion JPEG as cameras do, at 25 frames a second.
func video(names ...string) []byte {
	chunk := func(name string, body []byte) []byte {
		out := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
		if out = append(out, body...); len(body)%2 == 1 {
			out = append(out, 0)
		}
		return out
	}
	header := binary.LittleEndian.AppendUint32(nil, 40_000)
	head := chunk("LIST", append([]byte("hdrl"), chunk("avih", append(header, make([]byte, 52)...))...))
	movie := append([]byte("movi"), chunk("01wb", []byte("sound"))...)
	for _, n := range names {
		movie = append(movie, chunk("00dc", tiny(n))...)
	}
	body := append([]byte("AVI "), chunk("JUNK", make([]byte, 7))...)
	body = append(append(body, head...), chunk("LIST", movie)...)
	return chunk("RIFF", append(body, chunk("idx1", make([]byte, 32))...))
}

// shown reads n frames and returns what they show with their kernel times since the first, in milliseconds.
func shown(t *testing.T, p *Player, n int) []string {
	t.Helper()
	s, err := p.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out []string
	var first time.Duration
	for i := range n {
		f, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = f.Kernel
		}
		picture := f.JPEG[:2:2]
		picture = append(picture, f.JPEG[2+4+14:]...) // without the comment
		out = append(out, fmt.Sprintf("%s %d", picture[2:len(picture)-2], (f.Kernel-first).Round(time.Millisecond)/time.Millisecond))
	}
	return out
}

// A folder plays by name at 30 frames a second or by its own times, a video by its header; both begin again at the end.
func TestPlay(t *testing.T) {
	folder := map[string]string{"b.jpg": string(tiny("b")), "a.JPG": string(tiny("a")), "notes.md": "no picture", "c.jpeg": string(tiny("c"))}
	plain := put(t, folder)
	folder["times.txt"] = "a.JPG 100\nb.jpg 300.5\nc.jpeg 700\n"
	timed := put(t, folder)
	film := filepath.Join(t.TempDir(), "film.avi")
	if err := os.WriteFile(film, video("x", "yy", "z"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		plain: {"a 0", "b 33", "c 67", "a 100", "b 133"},
		timed: {"a 0", "b 201", "c 600", "a 633", "b 834"},
		film:  {"x 0", "yy 40", "z 80", "x 120", "yy 160"},
	} {
		clock := &stepClock{now: time.Unix(1e9, 0)}
		got := shown(t, New(Config{Path: path, Clock: clock}), 5)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if clock.now.Sub(time.Unix(1e9, 0)) <= 0 {
			t.Error("the clock stood still")
		}
	}
}

// No two frames have the same bytes, as with a real camera, also when one picture is played for ever.
func TestDistinct(t *testing.T) {
	s, err := New(Config{Path: put(t, map[string]string{"a.jpg": string(tiny("a"))}), Clock: &stepClock{}}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 100 {
		f, err := s.Read()
		if err != nil || seen[string(f.JPEG)] {
			t.Fatalf("%x, %v", f.JPEG, err)
		}
		seen[string(f.JPEG)] = true
	}
}

// Each misbehaviour shows at its frame and for as long as it is asked for.
func TestFaults(t *testing.T) {
	dir := put(t, map[string]string{"a.jpg": string(tiny("a")), "b.jpg": string(tiny("b"))})
	open := func(f Fault) (*Player, appliance.CameraSource) {
		p := New(Config{Path: dir, Clock: &stepClock{}, Faults: []Fault{f}})
		s, err := p.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return p, s
	}
	read := func(s appliance.CameraSource) appliance.RawFrame {
		f, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	isFault := func(err error, want appliance.WarningCode) {
		t.Helper()
		var fault *appliance.CameraFault
		if !errors.As(err, &fault) || fault.Code != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	p, s := open(Fault{Kind: Unplug, At: 3, Times: 1})
	read(s)
	read(s)
	_, err := s.Read()
	isFault(err, appliance.WarnCameraLost)
	_, err = p.Open(t.Context())
	isFault(err, appliance.WarnCameraMissing)
	if _, err := p.Open(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = New(Config{Path: dir, Clock: &stepClock{}, Faults: []Fault{{Kind: Busy, Times: 1}}}).Open(t.Context())
	isFault(err, appliance.WarnCameraBusy)
	_, s = open(Fault{Kind: Freeze, At: 2, Times: 2})
	a, b, c, d := read(s), read(s), read(s), read(s)
	if !bytes.Equal(a.JPEG, b.JPEG) || !bytes.Equal(b.JPEG, c.JPEG) || bytes.Equal(c.JPEG, d.JPEG) || c.Kernel <= b.Kernel {
		t.Error("not frozen for two frames")
	}
	_, s = open(Fault{Kind: Late, At: 2, Times: 1, By: time.Second})
	if a, b, c := read(s), read(s), read(s); a.Now-a.Kernel > time.Millisecond || b.Now-b.Kernel < time.Second || c.Now-c.Kernel > time.Millisecond {
		t.Error("not late once")
	}
	_, s = open(Fault{Kind: Jump, At: 2, By: -time.Second})
	if a, b := read(s), read(s); b.Kernel >= a.Kernel {
		t.Error("the clock did not jump")
	}
	_, s = open(Fault{Kind: Silence, At: 2, By: time.Minute})
	if a, b := read(s), read(s); b.Kernel-a.Kernel < time.Minute {
		t.Error("no silence")
	}
	_, s = open(Fault{Kind: Damage, At: 1})
	if f := read(s); bytes.HasPrefix(f.JPEG, []byte{0xff}) {
		t.Error("not damaged")
	}
}

// What cannot be played is a camera that is missing, and says why.
func TestUnplayable(t *testing.T) {
	film := filepath.Join(t.TempDir(), "film.avi")
	if err := os.WriteFile(film, video(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		film, filepath.Join(film, "none"), put(t, nil),
		put(t, map[string]string{"a.jpg": "a", "times.txt": "b.jpg 1\n"}), put(t, map[string]string{"a.jpg": "a", "times.txt": "a.jpg x\n"}),
		put(t, map[string]string{"a.jpg": "a", "b.jpg": "b", "times.txt": "a.jpg 5\nb.jpg 5\n"}),
	} {
		_, err := New(Config{Path: path}).Open(t.Context())
		var fault *appliance.CameraFault
		if !errors.As(err, &fault) || fault.Code != appliance.WarnCameraMissing || fault.Err == nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A source whose context ends is let go, whatever it waits for.
func TestReadEnds(t *testing.T) {
	dir := put(t, map[string]string{"a.jpg": string(tiny("a"))})
	for _, faults := range [][]Fault{nil, {{Kind: Silence, At: 1}}} {
		ctx, cancel := context.WithCancel(t.Context())
		s, err := New(Config{Path: dir, Faults: faults}).Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := s.Read(); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// Whatever a file holds, looking for its frames ends, and each lies within the file.
func FuzzAVI(f *testing.F) {
	f.Add(video("x", "yy"))
	f.Add(video())
	f.Fuzz(func(t *testing.T, file []byte) {
		frames, every, err := parseAVI(bytes.NewReader(file), int64(len(file)))
		if err == nil && (len(frames) == 0 || every <= 0) {
			t.Error("nothing to play")
		}
		for _, s := range frames {
			if s.at < 0 || s.size < 4 || s.at+s.size > int64(len(file)) {
				t.Errorf("%+v of %d", s, len(file))
			}
		}
	})
}
