// Package faultdisk is a disk for tests that loses what was not synced and fails on demand.
//
// It is a FUSE file system over a folder. It notes what each fsync of a file and of a folder made durable, in the strict
// sense of POSIX: the content of a file by its own fsync, its name by the fsync of the folder. At any moment Survivors
// writes to another folder what a power cut could leave: of every file the synced content, with any of the sectors that
// were written since, and of every folder the synced names, or those after any number of the changes since, in their order.
//
// The program under test must be another process than the one that serves the disk: a process that waits for a page of a
// file which it would have to serve itself waits for ever.
package faultdisk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	fuse "github.com/hanwen/go-fuse/v2/fs"
	raw "github.com/hanwen/go-fuse/v2/fuse"
)

// sector is what a disk writes whole or not at all, in bytes.
const sector = 512

// Disk is a mounted disk. Its methods are safe for concurrent use.
type Disk struct {
	// Dir is where the disk is mounted.
	Dir string

	backing string
	server  *raw.Server

	// mu is held for reading by everything that changes the disk, and for writing by what looks at all of it.
	mu    sync.RWMutex
	notes sync.Mutex // guards the fields below
	files map[uint64]*file
	dirs  map[string][]listing // by path: the synced names, then those after each change since
	fail  map[Operation]syscall.Errno
	syncs int
}

// Operation is what can be made to fail.
type Operation int

// The operations.
const (
	Read Operation = iota
	Write
	Sync
)

// file is what is known of a file: a handle that outlives its names, and what it holds durably.
type file struct {
	handle *os.File
	synced []byte
}

// listing is what a folder holds: the inode of each file, 0 for a folder.
type listing map[string]uint64

// Mount serves an empty disk at a folder, over another folder of the caller; both must be there, empty. The error says
// where this machine has no FUSE or no right to use it.
func Mount(dir, backing string) (*Disk, error) {
	d := &Disk{Dir: dir, backing: backing, files: map[uint64]*file{}, dirs: map[string][]listing{".": {{}}}, fail: map[Operation]syscall.Errno{}}
	var st syscall.Stat_t
	if err := syscall.Stat(backing, &st); err != nil {
		return nil, fmt.Errorf("mount test disk: %w", err)
	}
	root := &fuse.LoopbackRoot{Path: backing, Dev: uint64(st.Dev)}
	root.NewNode = func(r *fuse.LoopbackRoot, _ *fuse.Inode, _ string, _ *syscall.Stat_t) fuse.InodeEmbedder {
		return &node{LoopbackNode: fuse.LoopbackNode{RootData: r}, disk: d}
	}
	top := root.NewNode(root, nil, "", &st)
	root.RootNode = top
	server, err := fuse.Mount(dir, top, &fuse.Options{MountOptions: raw.MountOptions{DirectMount: true, FsName: "faultdisk", Name: "faultdisk"}})
	if err != nil {
		return nil, fmt.Errorf("mount test disk: %w", err)
	}
	d.server = server
	return d, nil
}

// Fail makes an operation fail on all files from now on; 0 ends that. Write with syscall.ENOSPC also makes the disk appear
// full to who asks first.
func (d *Disk) Fail(o Operation, err syscall.Errno) {
	d.notes.Lock()
	defer d.notes.Unlock()
	d.fail[o] = err
}

func (d *Disk) failure(o Operation) syscall.Errno {
	d.notes.Lock()
	defer d.notes.Unlock()
	return d.fail[o]
}

// Syncs returns how many times a file or folder was synced.
func (d *Disk) Syncs() int {
	d.notes.Lock()
	defer d.notes.Unlock()
	return d.syncs
}

// Close unmounts the disk. It fails while a program uses it.
func (d *Disk) Close() error {
	err := d.server.Unmount()
	d.notes.Lock()
	defer d.notes.Unlock()
	for _, f := range d.files {
		err = errors.Join(err, f.handle.Close())
	}
	d.files = nil
	return err
}

// Survivors writes to a folder, which must be empty, what a power cut at this moment could leave of the disk. Before is
// called when nothing changes any more.
func (d *Disk) Survivors(rng *rand.Rand, to string, before func()) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes.Lock()
	defer d.notes.Unlock()
	before()
	return d.survivors(rng, ".", to)
}

func (d *Disk) survivors(rng *rand.Rand, dir, to string) error {
	states := d.dirs[dir]
	if len(states) == 0 {
		return nil // the folder itself was never synced, and is taken as empty
	}
	for name, ino := range states[rng.IntN(len(states))] {
		place := filepath.Join(to, name)
		if ino == 0 {
			if err := errors.Join(os.Mkdir(place, 0o700), d.survivors(rng, filepath.Join(dir, name), place)); err != nil {
				return err
			}
			continue
		}
		content, mode, err := d.files[ino].survives(rng)
		if err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(place, content, 0o600), os.Chmod(place, mode)); err != nil {
			return err
		}
	}
	return nil
}

// survives draws what is left of a file.
func (f *file) survives(rng *rand.Rand) ([]byte, fs.FileMode, error) {
	now, mode, err := f.content()
	if err != nil {
		return nil, 0, err
	}
	size := len(f.synced)
	if rng.IntN(2) == 0 {
		size = len(now)
	}
	out := make([]byte, size)
	copy(out, f.synced)
	share := rng.IntN(5) // of the sectors that reached the disk, in quarters
	for at := 0; at < min(size, len(now)); at += sector {
		if end := min(at+sector, size, len(now)); rng.IntN(4) < share {
			copy(out[at:end], now[at:end])
		}
	}
	return out, mode, nil
}

func (f *file) content() ([]byte, fs.FileMode, error) {
	info, err := f.handle.Stat()
	if err != nil {
		return nil, 0, err
	}
	b := make([]byte, info.Size())
	if _, err := f.handle.ReadAt(b, 0); err != nil {
		return nil, 0, fmt.Errorf("read test disk: %w", err)
	}
	return b, info.Mode().Perm(), nil
}

// meet takes note of a file that was made or opened.
func (d *Disk) meet(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, errors.Join(err, f.Close())
	}
	ino := info.Sys().(*syscall.Stat_t).Ino
	d.notes.Lock()
	defer d.notes.Unlock()
	if d.files[ino] != nil {
		return ino, f.Close()
	}
	d.files[ino] = &file{handle: f}
	return ino, nil
}

// changed takes note of the names in a folder after a change.
func (d *Disk) changed(dirs ...string) syscall.Errno {
	for _, dir := range slices.Compact(dirs) {
		l, err := d.list(dir)
		if err != nil {
			return syscall.EIO
		}
		d.notes.Lock()
		if len(d.dirs[dir]) == 0 {
			d.dirs[dir] = []listing{{}}
		}
		d.dirs[dir] = append(d.dirs[dir], l)
		d.notes.Unlock()
	}
	return 0
}

// list reads the names in a folder. Sockets are left out: they do not outlive a power cut.
func (d *Disk) list(dir string) (listing, error) {
	entries, err := os.ReadDir(filepath.Join(d.backing, dir))
	if err != nil {
		return nil, err
	}
	l := listing{}
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil:
			return nil, err
		case e.IsDir():
			l[e.Name()] = 0
		case e.Type().IsRegular():
			l[e.Name()] = info.Sys().(*syscall.Stat_t).Ino
		}
	}
	return l, nil
}

// syncedFolder makes the present names of a folder durable.
func (d *Disk) syncedFolder(dir string) syscall.Errno {
	if errno := d.failure(Sync); errno != 0 {
		return errno
	}
	l, err := d.list(dir)
	if err != nil {
		return syscall.EIO
	}
	d.notes.Lock()
	defer d.notes.Unlock()
	d.dirs[dir] = []listing{l}
	d.syncs++
	return 0
}

// syncedFile makes the present content of a file durable.
func (d *Disk) syncedFile(ino uint64) syscall.Errno {
	if errno := d.failure(Sync); errno != 0 {
		return errno
	}
	d.notes.Lock()
	defer d.notes.Unlock()
	f := d.files[ino]
	b, _, err := f.content()
	if err != nil {
		return syscall.EIO
	}
	f.synced = b
	d.syncs++
	return 0
}
