package replay

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
)

// every is the time between frames that have no times of their own.
const every = time.Second / 30

// timesFile holds the times of the pictures of a folder.
const timesFile = "times.txt"

// source is an open player.
type source struct {
	player *Player
	ctx    context.Context
	opened time.Time
	video  *os.File // nil for a folder
	frames []frame
	period time.Duration // from the first frame to its repetition
	count  int
	kept   []byte // the frame that is frozen
}

// frame is one frame to play.
type frame struct {
	name string // of a folder's picture
	span span   // of a video's frame
	at   time.Duration
}

// load finds the frames of a path.
func (s *source) load(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("play %s: %w", path, err)
	}
	if info.IsDir() {
		err = s.folder(path)
	} else {
		err = s.film(path, info.Size())
	}
	if err != nil {
		return fmt.Errorf("play %s: %w", path, err)
	}
	return nil
}

// film opens a video.
func (s *source) film(path string, size int64) (err error) {
	if s.video, err = os.Open(path); err != nil {
		return err
	}
	spans, step, err := parseAVI(s.video, size)
	for i, sp := range spans {
		s.frames = append(s.frames, frame{span: sp, at: time.Duration(i) * step})
	}
	s.period = time.Duration(len(spans)) * step
	return err
}

// folder lists the pictures of a folder.
func (s *source) folder(path string) error {
	times, err := readTimes(filepath.Join(path, timesFile))
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		ext := strings.ToLower(filepath.Ext(e.Name()))
		if e.IsDir() || ext != ".jpg" && ext != ".jpeg" {
			continue
		}
		f := frame{name: filepath.Join(path, e.Name()), at: time.Duration(len(s.frames)) * every}
		if times != nil {
			at, ok := times[e.Name()]
			if !ok {
				return fmt.Errorf("%s has no time for %s", timesFile, e.Name())
			}
			f.at = at
		}
		s.frames = append(s.frames, f)
	}
	if len(s.frames) == 0 {
		return errors.New("it holds no JPEG picture")
	}
	for i := 1; i < len(s.frames); i++ {
		if s.frames[i].at <= s.frames[i-1].at {
			return fmt.Errorf("%s: the times do not grow with the names", timesFile)
		}
	}
	s.period = s.frames[len(s.frames)-1].at - s.frames[0].at + every
	return nil
}

// readTimes reads the file of times; without one it is nil.
func readTimes(name string) (map[string]time.Duration, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	times := map[string]time.Duration{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(strings.TrimSpace(line), ' ')
		if at < 0 {
			return nil, fmt.Errorf("%s: %q is not a name and milliseconds", timesFile, line)
		}
		ms, err := strconv.ParseFloat(strings.TrimSpace(line)[at+1:], 64)
		if err != nil || ms < 0 || ms > 1e9 {
			return nil, fmt.Errorf("%s: %q is not a name and milliseconds", timesFile, line)
		}
		times[line[:at]] = time.Duration(ms * float64(time.Millisecond))
	}
	return times, nil
}

// Read implements appliance.CameraSource.
func (s *source) Read() (f appliance.RawFrame, err error) {
	number, pulled := s.player.next()
	if pulled {
		return f, &appliance.CameraFault{Code: appliance.WarnCameraLost}
	}
	frame := s.frames[s.count%len(s.frames)]
	due := s.opened.Add(frame.at - s.frames[0].at + s.period*time.Duration(s.count/len(s.frames)))
	s.count++
	clock := s.player.cfg.Clock
	for _, silent := range s.player.hits(Silence, number) {
		if silent.By == 0 {
			<-s.ctx.Done()
			return f, s.ctx.Err()
		}
		s.opened, due = s.opened.Add(silent.By), due.Add(silent.By)
	}
	if err := clock.Sleep(s.ctx, due.Sub(clock.Now())); err != nil {
		return f, err
	}
	f.Kernel = due.Sub(s.player.began)
	for _, late := range s.player.hits(Late, number) {
		f.Kernel -= late.By
	}
	for _, jump := range s.player.hits(Jump, number) {
		f.Kernel += jump.By
	}
	f.Kernel = f.Kernel.Truncate(time.Microsecond)
	f.Wall = clock.Now()
	f.Now = f.Wall.Sub(s.player.began)
	f.JPEG, err = s.picture(frame, number)
	return f, err
}

// picture returns the bytes of a frame. No real camera delivers the same bytes twice, so each frame carries its number in a
// comment, unless it is to be frozen.
func (s *source) picture(f frame, number int) ([]byte, error) {
	if len(s.player.hits(Damage, number)) > 0 {
		return []byte("no picture"), nil
	}
	if len(s.player.hits(Freeze, number)) > 0 && s.kept != nil {
		return bytes.Clone(s.kept), nil
	}
	raw, err := s.raw(f)
	if err != nil {
		return nil, fmt.Errorf("play frame: %w", err)
	}
	s.kept = comment(raw, number)
	return bytes.Clone(s.kept), nil
}

func (s *source) raw(f frame) ([]byte, error) {
	if s.video == nil {
		return os.ReadFile(f.name)
	}
	raw := make([]byte, f.span.size)
	_, err := io.ReadFull(io.NewSectionReader(s.video, f.span.at, f.span.size), raw)
	return raw, err
}

// comment puts a JPEG comment with the number behind the first marker.
func comment(jpeg []byte, number int) []byte {
	if len(jpeg) < 2 {
		return jpeg
	}
	text := binary.BigEndian.AppendUint64([]byte("frame "), uint64(number))
	out := append([]byte{}, jpeg[:2]...)
	out = append(out, 0xff, 0xfe, 0, byte(2+len(text)))
	return append(append(out, text...), jpeg[2:]...)
}

// Close implements appliance.CameraSource.
func (s *source) Close() error {
	if s.video == nil {
		return nil
	}
	return s.video.Close()
}
