package inference

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// anonymousFile returns a sealed file without a name that holds content. The
// runtime frees what it maps from a file, but leaks the copy it makes of bytes;
// and no path has to be writable. The caller closes it once the runtime has
// opened fdPath.
func anonymousFile(name string, content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("create memory file: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if _, err := f.Write(content); err != nil {
		f.Close()
		return nil, fmt.Errorf("fill memory file: %w", err)
	}
	seals := unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		f.Close()
		return nil, fmt.Errorf("seal memory file: %w", err)
	}
	return f, nil
}

// fdPath is the path by which this process can open an open file again.
func fdPath(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
