package camera

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// without cuts the segments of a marker out of a JPEG.
func without(jpeg []byte, marker byte) []byte {
	out := append([]byte{}, jpeg[:2]...)
	for at := 2; ; {
		n := 2 + int(jpeg[at+2])<<8 + int(jpeg[at+3])
		if jpeg[at+1] == 0xda {
			return append(out, jpeg[at:]...)
		}
		if jpeg[at+1] != marker {
			out = append(out, jpeg[at:at+n]...)
		}
		at += n
	}
}

// A frame without Huffman tables, with padding behind it, becomes the picture that it was; a whole one stays as it is, in memory
// of its own.
func TestComplete(t *testing.T) {
	whole := picture(t, 90)
	bare := without(whole, 0xc4)
	if bytes.Contains(bare, []byte{0xff, 0xc4}) {
		t.Fatal("the tables are still there")
	}
	want, err := jpeg.Decode(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	got, err := jpeg.Decode(bytes.NewReader(complete(append(bare, make([]byte, 999)...))))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want.(*image.Gray).Pix, got.(*image.Gray).Pix) {
		t.Error("the picture changed")
	}
	kept := complete(whole)
	if !bytes.Equal(kept, whole) {
		t.Error("a whole frame changed")
	}
	kept[5] ^= 1
	if bytes.Equal(kept, whole) {
		t.Error("the frame shares memory with the buffer")
	}
	for _, bad := range [][]byte{nil, {0xff}, []byte("no picture"), whole[:40], {0xff, 0xd8, 0xff, 0xd9}} {
		if complete(bad) != nil {
			t.Errorf("% x is a frame", bad)
		}
	}
}

// Whatever a cable makes of a frame, completing it ends, and gives a JPEG or nothing.
func FuzzComplete(f *testing.F) {
	f.Add(picture(f, 9))
	f.Add(without(picture(f, 9), 0xc4))
	f.Add([]byte{0xff, 0xd8, 0xff, 0xff, 0xff, 0xd9})
	f.Fuzz(func(t *testing.T, frame []byte) {
		if out := complete(frame); out != nil && (!bytes.HasPrefix(out, []byte{0xff, 0xd8}) || !bytes.HasSuffix(out, []byte{0xff, 0xd9})) {
			t.Errorf("% x", out)
		}
	})
}

// An uncompressed frame becomes a JPEG of the same colours; one that is too short is an error.
func TestEncodeYUYV(t *testing.T) {
	raw := bytes.Repeat([]byte{200, 90, 200, 160}, 16*16/2)
	out, err := encodeYUYV(raw, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*image.YCbCr)
	if y, cb, cr := int(c.Y[17]), int(c.Cb[3]), int(c.Cr[3]); max(y-200, 200-y, cb-90, 90-cb, cr-160, 160-cr) > 2 {
		t.Errorf("%d %d %d", y, cb, cr)
	}
	if _, err := encodeYUYV(raw[1:], 16, 16); err == nil {
		t.Error("a short frame was encoded")
	}
}

// The time of a buffer keeps its microseconds through OpenCV's floating point, also after years of uptime.
func TestKernelTime(t *testing.T) {
	for _, want := range []time.Duration{0, time.Microsecond, 3*365*24*time.Hour + 123456789*time.Microsecond} {
		ms := 1000*float64(want/time.Second) + float64(want%time.Second/time.Microsecond)/1000
		if got := kernelTime(ms); got != want {
			t.Errorf("%v became %v", want, got)
		}
	}
}

// The kernel's monotonic clock goes on.
func TestMonotonic(t *testing.T) {
	a, err := monotonic()
	b, err2 := monotonic()
	if err != nil || err2 != nil || a <= 0 || b < a {
		t.Errorf("%v, %v, %v, %v", a, b, err, err2)
	}
}

// Single frames are dropped for what is wrong with them, and only what lasts is a condition.
func TestChecker(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	type step struct {
		kernel, now int
		same        bool
		use         bool
		fault       appliance.WarningCode
	}
	for _, tt := range []struct {
		name  string
		steps []step
		runs  uint64
	}{
		{"sound", []step{{1000, 1010, false, true, ""}, {1033, 1040, false, true, ""}, {1066, 1300, false, true, ""}}, 2},
		{"from the future", []step{{2000, 1000, false, false, ""}}, 1},
		{"the same time", []step{{1000, 1010, false, true, ""}, {1000, 1040, false, false, ""}, {1033, 1060, false, true, ""}}, 2},
		{"three times the same picture", []step{{1000, 1010, false, true, ""}, {1033, 1040, true, true, ""}, {1066, 1070, true, true, ""}, {1100, 1110, true, false, appliance.WarnCameraFrozen}, {1133, 1140, false, true, ""}}, 1},
		{"five old ones", []step{{1000, 2100, false, false, ""}, {1033, 2133, false, false, ""}, {1066, 2166, false, false, ""}, {1100, 2200, false, false, ""}, {1133, 2233, false, false, appliance.WarnCameraStale}}, 1},
	} {
		var c checker
		c.opened()
		for i, s := range tt.steps {
			f := appliance.RawFrame{JPEG: []byte{byte(i + 1)}, Kernel: ms(s.kernel), Now: ms(s.now)}
			if s.same {
				f.JPEG = c.last.JPEG
			}
			if use, fault := c.take(f); use != s.use || fault != s.fault {
				t.Errorf("%s, frame %d: %v %q", tt.name, i, use, fault)
			}
		}
		if c.run != tt.runs {
			t.Errorf("%s: %d runs", tt.name, c.run)
		}
	}
}
