package camera

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/camera/replay"
)

// picture is a small JPEG of one grey level.
func picture(t testing.TB, level byte) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range m.Pix {
		m.Pix[i] = level
	}
	m.SetGray(3, 3, color.Gray{Y: 255})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// folder holds a few pictures.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jpg", i)), picture(t, byte(40*i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// openFiles counts the file handles of this process.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc here")
	}
	return len(entries)
}

// play runs a test in a bubble with a camera over a player with these faults, and checks that nothing is left open; the bubble
// panics over a goroutine that is left.
func play(t *testing.T, faults []replay.Fault, do func(t *testing.T, c *Camera)) {
	t.Helper()
	dir := folder(t)
	files := openFiles(t)
	synctest.Test(t, func(t *testing.T) {
		c := New(replay.New(replay.Config{Path: dir, Faults: faults}).Open, quiet())
		if err := c.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		do(t, c)
		for range 2 {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := c.Next(t.Context(), 0); appliance.CodeOf(err) != appliance.CodeUnavailable {
			t.Errorf("after the end: %v", err)
		}
	})
	if n := openFiles(t); n > files {
		t.Errorf("%d files are open, %d before", n, files)
	}
}

// Frames come one by one, whole, with the kernel's times and the wall clock of the same moments; a reader that is late gets the
// newest one.
func TestCamera(t *testing.T) {
	play(t, nil, func(t *testing.T, c *Camera) {
		var last *appliance.Frame
		for i := range 60 {
			f, err := c.Next(t.Context(), uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := jpeg.Decode(bytes.NewReader(f.JPEG)); err != nil {
				t.Fatal(err)
			}
			if last != nil && (f.Sequence != last.Sequence+1 || (f.Kernel-last.Kernel).Round(time.Millisecond) != 33*time.Millisecond || f.Run != last.Run ||
				(f.Wall.Sub(last.Wall)-(f.Kernel-last.Kernel)).Abs() > time.Millisecond) {
				t.Errorf("%+v after %+v", f, last)
			}
			last = f
		}
		time.Sleep(time.Second)
		if f, err := c.Next(t.Context(), last.Sequence); err != nil || f.Sequence < last.Sequence+29 || time.Since(f.Wall) > 40*time.Millisecond {
			t.Errorf("%+v, %v", f, err)
		}
		if w := c.Warnings(); len(w) != 0 {
			t.Errorf("%v", w)
		}
	})
}

// Whatever goes wrong with a camera has its name at once, wakes who waits, and is over when the camera is well again.
func TestCameraFaults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		faults []replay.Fault
		want   appliance.WarningCode
		begins time.Duration // of the fault, at most
		over   time.Duration // when frames come again, at most; 0: never
		run    bool          // frames before and after must not be compared
	}{
		{"unplugged and back", []replay.Fault{{Kind: replay.Unplug, At: 10, Times: 3}}, appliance.WarnCameraMissing, 2 * time.Second, 5 * time.Second, true},
		{"hiccup", []replay.Fault{{Kind: replay.Unplug, At: 10}}, appliance.WarnCameraLost, time.Second, 2 * time.Second, true},
		{"busy at first", []replay.Fault{{Kind: replay.Busy, Times: 2}}, appliance.WarnCameraBusy, time.Second, 4 * time.Second, false},
		{"frozen", []replay.Fault{{Kind: replay.Freeze, At: 10, Times: 30}}, appliance.WarnCameraFrozen, time.Second, 2 * time.Second, false},
		{"old frames", []replay.Fault{{Kind: replay.Late, At: 10, Times: 90, By: 3 * time.Second}}, appliance.WarnCameraStale, time.Second, 10 * time.Second, true},
		{"a clock of its own", []replay.Fault{{Kind: replay.Jump, At: 10, By: time.Hour}}, appliance.WarnCameraClock, time.Second, 0, true},
		{"a clock far behind", []replay.Fault{{Kind: replay.Jump, At: 10, By: -30 * time.Minute}}, appliance.WarnCameraClock, time.Second, 0, true},
		{"silence", []replay.Fault{{Kind: replay.Silence, At: 10, By: 10 * time.Second}}, appliance.WarnCameraStale, 3 * time.Second, 11 * time.Second, false},
		{"damaged frames", []replay.Fault{{Kind: replay.Damage, At: 10, Times: 60}}, appliance.WarnCameraStale, time.Second, 3 * time.Second, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, tt.faults, func(t *testing.T, c *Camera) {
				began, after, run := time.Now(), uint64(0), uint64(0)
				seen := map[appliance.WarningCode]bool{}
				for !seen[tt.want] {
					f, err := c.Next(t.Context(), after)
					if time.Since(began) > tt.begins {
						t.Fatalf("after %v: %v, %v", time.Since(began), err, seen)
					}
					if err == nil {
						after, run = f.Sequence, f.Run
						continue
					}
					if appliance.CodeOf(err) != appliance.CodeUnavailable {
						t.Fatal(err)
					}
					if w := c.Warnings(); len(w) == 1 && strings.Contains(err.Error(), string(w[0].Code)) {
						seen[w[0].Code] = true
					}
					time.Sleep(10 * time.Millisecond)
				}
				began = time.Now()
				for {
					f, err := c.Next(t.Context(), after)
					if err == nil {
						if tt.over == 0 || time.Since(began) > tt.over {
							t.Errorf("frames again after %v", time.Since(began))
						}
						if (f.Run != run) != tt.run && after > 0 {
							t.Errorf("run %d after %d", f.Run, run)
						}
						break
					}
					if time.Since(began) > time.Minute {
						if tt.over != 0 {
							t.Error("no frames any more")
						}
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
				if w := c.Warnings(); tt.over != 0 && len(w) != 0 {
					t.Errorf("afterwards: %v", w)
				}
			})
		})
	}
}

// The wall clock of a frame is that of the moment in which it was taken, not in which it came.
func TestCameraWall(t *testing.T) {
	play(t, []replay.Fault{{Kind: replay.Late, At: 1, Times: 500, By: 300 * time.Millisecond}}, func(t *testing.T, c *Camera) {
		f, err := c.Next(t.Context(), 5)
		if err != nil || time.Since(f.Wall).Round(time.Millisecond) != 300*time.Millisecond {
			t.Errorf("taken %v ago, %v", time.Since(f.Wall), err)
		}
	})
}

// One frame that jumps or is damaged costs itself and no more; a jump still parts what must not be compared.
func TestCameraHiccup(t *testing.T) {
	play(t, []replay.Fault{{Kind: replay.Damage, At: 10}, {Kind: replay.Jump, At: 20, By: -300 * time.Millisecond}}, func(t *testing.T, c *Camera) {
		runs := map[uint64]int{}
		for after := uint64(0); after < 50; {
			f, err := c.Next(t.Context(), after)
			if err != nil {
				t.Fatal(err)
			}
			after = f.Sequence
			runs[f.Run]++
		}
		if len(runs) != 2 {
			t.Errorf("runs %v", runs)
		}
	})
}

// A camera that is away is looked for every second, however long.
func TestLookedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		began := time.Now()
		c := New(func(context.Context) (appliance.CameraSource, error) {
			at = append(at, time.Since(began))
			return nil, &appliance.CameraFault{Code: appliance.WarnCameraMissing}
		}, quiet())
		if err := c.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2*time.Minute + time.Second/2)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if last := at[len(at)-1]; len(at) != 121 || last != 2*time.Minute {
			t.Errorf("%d looks, the last after %v", len(at), last)
		}
	})
}

// stuck is a source whose Read does not return.
type stuck struct {
	hold   chan struct{}
	closed bool
}

func (s *stuck) Read() (appliance.RawFrame, error) {
	<-s.hold
	return appliance.RawFrame{}, errors.New("it came back")
}

func (s *stuck) Close() error {
	s.closed = true
	return nil
}

// A native call that does not return is noticed, is not waited for for ever, and nothing is freed under its feet.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stuck{hold: make(chan struct{})}
		c := New(func(context.Context) (appliance.CameraSource, error) { return s, nil }, quiet())
		if err := c.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got := c.Stuck(time.Now()); got != time.Minute {
			t.Errorf("stuck for %v", got)
		}
		if _, err := c.Next(t.Context(), 0); !strings.Contains(fmt.Sprint(err), "camera_stale") {
			t.Errorf("%v", err)
		}
		if w := c.Warnings(); len(w) != 1 || w[0].Code != appliance.WarnCameraStale || w[0].Hint == "" {
			t.Errorf("%v", w)
		}
		began := time.Now()
		if err := c.Close(); err == nil || s.closed || time.Since(began) != closeGrace {
			t.Errorf("%v, closed %v after %v", err, s.closed, time.Since(began))
		}
		close(s.hold)
		synctest.Wait()
		if !s.closed {
			t.Error("it was never closed")
		}
	})
}

// Who waits for a frame is let go when the context ends and when the camera is closed.
func TestNextEnds(t *testing.T) {
	play(t, []replay.Fault{{Kind: replay.Silence, At: 1}}, func(t *testing.T, c *Camera) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Next(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		waits := make(chan error)
		go func() {
			_, err := c.Next(context.Background(), 0)
			waits <- err
		}()
		synctest.Wait()
		began := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := <-waits; time.Since(began) != 0 || appliance.CodeOf(err) != appliance.CodeUnavailable || !strings.Contains(err.Error(), "stopping") {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// A camera is named by its path, or is the only one; what hinders has its name.
func TestChoose(t *testing.T) {
	there := filepath.Join(t.TempDir(), "camera")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	one := []Device{{Path: there}}
	for _, tt := range []struct {
		device  string
		devices []Device
		want    appliance.WarningCode
	}{
		{Auto, one, ""},
		{there, nil, ""},
		{Auto, nil, appliance.WarnCameraMissing},
		{Auto, append(one, Device{}), appliance.WarnCameraMissing},
		{there + "2", one, appliance.WarnCameraMissing},
	} {
		path, err := choose(tt.device, tt.devices)
		var fault *appliance.CameraFault
		if tt.want == "" && (err != nil || path != there) || tt.want != "" && (!errors.As(err, &fault) || fault.Code != tt.want) {
			t.Errorf("%s of %d: %q, %v, want %q", tt.device, len(tt.devices), path, err, tt.want)
		}
	}
}

// A file that is no camera is refused by the real driver, and nothing of it stays open.
func TestOpenV4L(t *testing.T) {
	there := filepath.Join(t.TempDir(), "camera")
	if err := os.WriteFile(there, []byte("no camera"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := openFiles(t)
	_, err := Opener(Settings{Device: there, Format: MJPEG, Width: 640, Height: 480, Rate: 30})(t.Context())
	var fault *appliance.CameraFault
	if !errors.As(err, &fault) || fault.Code != appliance.WarnCameraBusy {
		t.Errorf("%v", err)
	}
	if n := openFiles(t); n > files {
		t.Errorf("%d files are open, %d before", n, files)
	}
}
