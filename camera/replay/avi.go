package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// span is where a frame lies in a file.
type span struct{ at, size int64 }

// maxFrames bounds the frames of a video: ten hours at 30 frames a second.
const maxFrames = 1 << 20

// parseAVI finds the frames of a Motion JPEG video in the AVI container and the time from one to the next. The frames stay as
// the camera coded them, which a decoder that gives pixels could not do. Files of the OpenDML kind, beyond 1 GiB, end where
// their first part does.
func parseAVI(r io.ReaderAt, size int64) (frames []span, every time.Duration, err error) {
	a := avi{r: r}
	head, err := a.bytes(0, 12)
	if err != nil || string(head[:4]) != "RIFF" || string(head[8:]) != "AVI " {
		return nil, 0, errors.New("read video: it is not an AVI file")
	}
	if err := a.chunks(12, min(size, 8+int64(binary.LittleEndian.Uint32(head[4:])))); err != nil {
		return nil, 0, fmt.Errorf("read video: %w", err)
	}
	if len(a.frames) == 0 || a.every <= 0 {
		return nil, 0, errors.New("read video: it holds no frames of Motion JPEG")
	}
	return a.frames, a.every, nil
}

// avi collects what is read of a video.
type avi struct {
	r      io.ReaderAt
	frames []span
	every  time.Duration
}

func (a *avi) bytes(at int64, n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := a.r.ReadAt(b, at)
	return b, err
}

// chunks goes through the chunks from at to end. A list is entered simply by going on behind its head.
func (a *avi) chunks(at, end int64) error {
	for at+8 <= end {
		head, err := a.bytes(at, 8)
		if err != nil {
			return err
		}
		size := int64(binary.LittleEndian.Uint32(head[4:]))
		switch name := string(head[:4]); {
		case name == "LIST":
			at += 12
			continue
		case name == "avih" && size >= 4:
			us, err := a.bytes(at+8, 4)
			if err != nil {
				return err
			}
			a.every = time.Duration(binary.LittleEndian.Uint32(us)) * time.Microsecond
		case (name[2:] == "dc" || name[2:] == "db") && size >= 4 && at+8+size <= end:
			begin, err := a.bytes(at+8, 2)
			if err != nil {
				return err
			}
			if begin[0] == 0xff && begin[1] == 0xd8 && len(a.frames) < maxFrames {
				a.frames = append(a.frames, span{at: at + 8, size: size})
			}
		}
		at += 8 + size + size%2
	}
	return nil
}
