package seal

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/bawab/bawab/appliance"
)

// Private returns an error for a file of the data folder that somebody else could read or put there. Loose are the mode
// bits that it must not have.
func Private(what, path string, info fs.FileInfo, loose fs.FileMode, owners []uint32) error {
	if mode := info.Mode().Perm(); mode&loose != 0 {
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "open store",
			Msg:  fmt.Sprintf("other users may reach the %s (mode %04o)", what, mode),
			Hint: fmt.Sprintf("chmod %o %s; if it may have been read or changed, start anew with another data folder", tight(info), path),
		}
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && !slices.Contains(owners, st.Uid) {
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "open store",
			Msg:  fmt.Sprintf("the %s belongs to another user (uid %d)", what, st.Uid),
			Hint: fmt.Sprintf("if you trust what is in it, give it to the user of bawab: chown %d %s", owners[0], path),
		}
	}
	return nil
}

// tight is the mode that a file or folder should have.
func tight(info fs.FileInfo) fs.FileMode {
	if info.IsDir() {
		return 0o700
	}
	return 0o600
}

// OwnersOf lists who may own the files of a data folder, the rightful one first: the user of this process and root, who
// reaches everything anyway. Where root works on the folder of the service's user, that user may too.
func OwnersOf(folder fs.FileInfo) []uint32 {
	self := uint32(os.Geteuid())
	st, ok := folder.Sys().(*syscall.Stat_t)
	if ok && self == 0 && st.Uid != 0 {
		return []uint32{st.Uid, 0}
	}
	return []uint32{self, 0}
}
