package faultdisk

import (
	"context"
	"path/filepath"
	"syscall"

	fuse "github.com/hanwen/go-fuse/v2/fs"
	raw "github.com/hanwen/go-fuse/v2/fuse"
)

// node is a file or folder of the disk.
type node struct {
	fuse.LoopbackNode
	disk *Disk
}

// dir is the path of the node below the top of the disk.
func (n *node) dir() string { return filepath.Clean(n.Path(n.Root())) }

// change runs what changes names, and takes note of the names afterwards.
func (n *node) change(f func() syscall.Errno, others ...string) syscall.Errno {
	n.disk.mu.RLock()
	defer n.disk.mu.RUnlock()
	if errno := n.disk.failure(Write); errno != 0 {
		return errno
	}
	if errno := f(); errno != 0 {
		return errno
	}
	return n.disk.changed(append(others, n.dir())...)
}

// Create implements fs.NodeCreater.
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *raw.EntryOut) (inode *fuse.Inode, fh fuse.FileHandle, fuseFlags uint32, errno syscall.Errno) {
	errno = n.change(func() (errno syscall.Errno) {
		inode, fh, fuseFlags, errno = n.LoopbackNode.Create(ctx, name, flags, mode, out)
		if errno == 0 {
			fh, errno = n.disk.wrap(fh, filepath.Join(n.disk.backing, n.dir(), name))
		}
		return errno
	})
	return inode, fh, fuseFlags, errno
}

// Open implements fs.NodeOpener.
func (n *node) Open(ctx context.Context, flags uint32) (fuse.FileHandle, uint32, syscall.Errno) {
	fh, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	if errno == 0 {
		fh, errno = n.disk.wrap(fh, filepath.Join(n.disk.backing, n.dir()))
	}
	return fh, fuseFlags, errno
}

// Mkdir implements fs.NodeMkdirer.
func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *raw.EntryOut) (inode *fuse.Inode, errno syscall.Errno) {
	errno = n.change(func() (errno syscall.Errno) {
		inode, errno = n.LoopbackNode.Mkdir(ctx, name, mode, out)
		return errno
	})
	return inode, errno
}

// Unlink implements fs.NodeUnlinker.
func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	return n.change(func() syscall.Errno { return n.LoopbackNode.Unlink(ctx, name) })
}

// Rename implements fs.NodeRenamer.
func (n *node) Rename(ctx context.Context, name string, newParent fuse.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	to := filepath.Clean(newParent.EmbeddedInode().Path(n.Root()))
	return n.change(func() syscall.Errno { return n.LoopbackNode.Rename(ctx, name, newParent, newName, flags) }, to)
}

// Link implements fs.NodeLinker.
func (n *node) Link(ctx context.Context, target fuse.InodeEmbedder, name string, out *raw.EntryOut) (inode *fuse.Inode, errno syscall.Errno) {
	errno = n.change(func() (errno syscall.Errno) {
		inode, errno = n.LoopbackNode.Link(ctx, target, name, out)
		return errno
	})
	return inode, errno
}

// folder is an open folder.
type folder struct {
	fuse.FileReaddirenter
	fuse.FileReleasedirer
	fuse.FileSeekdirer
	node *node
}

// OpendirHandle implements fs.NodeOpendirHandler.
func (n *node) OpendirHandle(ctx context.Context, flags uint32) (fuse.FileHandle, uint32, syscall.Errno) {
	fh, fuseFlags, errno := n.LoopbackNode.OpendirHandle(ctx, flags)
	if errno != 0 {
		return nil, 0, errno
	}
	entries, ok := fh.(interface {
		fuse.FileReaddirenter
		fuse.FileReleasedirer
		fuse.FileSeekdirer
	})
	if !ok {
		return nil, 0, syscall.EIO
	}
	return &folder{entries, entries, entries, n}, fuseFlags, 0
}

// Fsyncdir implements fs.FileFsyncdirer.
func (f *folder) Fsyncdir(context.Context, uint32) syscall.Errno {
	d := f.node.disk
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.syncedFolder(f.node.dir())
}

// Fsync implements fs.NodeFsyncer.
func (n *node) Fsync(_ context.Context, fh fuse.FileHandle, _ uint32) syscall.Errno {
	n.disk.mu.RLock()
	defer n.disk.mu.RUnlock()
	h, ok := fh.(*handle)
	if !ok {
		return syscall.EBADF
	}
	return n.disk.syncedFile(h.ino)
}

// Statfs implements fs.NodeStatfser.
func (n *node) Statfs(ctx context.Context, out *raw.StatfsOut) syscall.Errno {
	errno := n.LoopbackNode.Statfs(ctx, out)
	if n.disk.failure(Write) == syscall.ENOSPC {
		out.Bfree, out.Bavail = 0, 0
	}
	return errno
}

// handle is an open file.
type handle struct {
	*fuse.LoopbackFile
	disk *Disk
	ino  uint64
}

// wrap puts an open file of the folder below under the disk's eyes.
func (d *Disk) wrap(fh fuse.FileHandle, path string) (fuse.FileHandle, syscall.Errno) {
	f, ok := fh.(*fuse.LoopbackFile)
	if !ok {
		return nil, syscall.EIO
	}
	ino, err := d.meet(path)
	if err != nil {
		return nil, syscall.EIO
	}
	return &handle{f, d, ino}, 0
}

// PassthroughFd keeps the kernel from going past the disk.
func (h *handle) PassthroughFd() (int, bool) { return 0, false }

// Read implements fs.FileReader.
func (h *handle) Read(ctx context.Context, buf []byte, off int64) (raw.ReadResult, syscall.Errno) {
	if errno := h.disk.failure(Read); errno != 0 {
		return nil, errno
	}
	return h.LoopbackFile.Read(ctx, buf, off)
}

// Write implements fs.FileWriter.
func (h *handle) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	if errno := h.disk.failure(Write); errno != 0 {
		return 0, errno
	}
	h.disk.mu.RLock()
	defer h.disk.mu.RUnlock()
	return h.LoopbackFile.Write(ctx, data, off)
}
