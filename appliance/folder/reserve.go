package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Full reports whether an error says that a disk, or what somebody may use of it, is full.
func Full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// Reserve is room on a disk that is set aside while there is some: a file that holds nothing. What must work on a full disk,
// such as erasing, spends it. Its methods are safe for concurrent use.
type Reserve struct {
	path string
	size int64
	mu   sync.Mutex
}

// NewReserve makes a reserve of size bytes in the file path; Fill sets it aside.
func NewReserve(path string, size int64) *Reserve { return &Reserve{path: path, size: size} }

// Fill sets aside what is missing of the reserve, or as much of it as the disk has. An error says that it is not complete.
func (r *Reserve) Fill() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fill()
}

func (r *Reserve) fill() (err error) {
	if r.held() >= r.size {
		return nil
	}
	f, err := os.OpenFile(r.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("set room aside: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := Give(r.path, filepath.Dir(r.path)); err != nil {
		return fmt.Errorf("set room aside: %w", err)
	}
	const step = 16 << 10
	for at := int64(0); at < r.size && err == nil; at += step { // in steps, so that a disk with less room gives what it has
		err = allocate(f, at, min(step, r.size-at))
	}
	if err != nil {
		return fmt.Errorf("set room aside: %w", err)
	}
	return nil
}

// allocate makes a part of a file occupy its room on the disk, where the file system cannot do that by writing it.
func allocate(f *os.File, at, n int64) error {
	err := syscall.Fallocate(int(f.Fd()), 0, at, n)
	if errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		_, err = f.WriteAt(make([]byte, n), at)
	}
	return err
}

// held returns how much is set aside now.
func (r *Reserve) held() int64 {
	var st syscall.Stat_t
	if syscall.Stat(r.path, &st) != nil {
		return 0
	}
	return min(st.Blocks*512, st.Size)
}

// Missing returns how much of the reserve is not set aside: room that is free on the disk but spoken for.
func (r *Reserve) Missing() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.size-r.held(), 0)
}

// Spend gives the reserve back to the disk, calls do, and sets aside again what is left.
func (r *Reserve) Spend(do func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := os.Truncate(r.path, 0); err != nil {
		return fmt.Errorf("spend what was set aside: %w", err)
	}
	err := do()
	_ = r.fill() // on a full disk it cannot be complete; Fill is called again and again
	return err
}
