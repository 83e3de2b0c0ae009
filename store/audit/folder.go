package audit

import (
	"cmp"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

const (
	folderName = "audit"
	headName   = "head"
	prunedName = "pruned"
	suffix     = ".log"

	slotSize = 512 // of the head; one slot fits into a sector

	// maxSegment bounds what is read of one segment. The journal itself keeps far below it.
	maxSegment = 256 << 20
)

// Folder is where the journal of a data folder lies.
func Folder(dir string) string { return filepath.Join(dir, folderName) }

func segmentName(n uint64) string { return fmt.Sprintf("%08d%s", n, suffix) }

// segments lists the numbers of the segments in a folder, in their order.
func segments(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []uint64
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), suffix)
		n, err := strconv.ParseUint(digits, 10, 63)
		if ok && err == nil && n > 0 && e.Name() == segmentName(n) {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}

// readSegment reads a segment. One that is beyond all measure is an error.
func readSegment(dir string, n uint64) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, segmentName(n)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSegment+1))
	if err == nil && len(content) > maxSegment {
		err = errors.New("it is too long for a segment")
	}
	return content, err
}

// heads reads the slots of the head that are soundly signed, the newest first. bad counts those that hold something else.
func heads(dir string, keys []ed25519.PublicKey) (found []head, bad int, err error) {
	b, err := os.ReadFile(filepath.Join(dir, headName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for at := 0; at < 2*slotSize; at += slotSize {
		slot := []byte(nil)
		if at < len(b) {
			slot = b[at:min(at+slotSize, len(b))]
		}
		var h head
		if openNote(keys, aboutHead, slot, &h) != nil {
			bad++
			continue
		}
		found = append(found, h)
	}
	slices.SortFunc(found, func(a, b head) int { return cmp.Compare(b.Seq, a.Seq) })
	return found, bad, nil
}

// readPruned reads the record of deleted segments; the zero one where there is none.
func readPruned(dir string, keys []ed25519.PublicKey) (p pruned, err error) {
	b, err := os.ReadFile(filepath.Join(dir, prunedName))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = openNote(keys, aboutPruned, b, &p)
	}
	return p, err
}

// unavailable says in plain words why the journal cannot be written.
func unavailable(step string, err error) error {
	var known *appliance.Error
	if errors.As(err, &known) {
		return err
	}
	e := &appliance.Error{
		Code: appliance.CodeUnavailable, Op: step, Msg: "the journal cannot be written at the moment: try again later",
		Hint: "`bawab doctor` says what is wrong", Err: err,
	}
	switch {
	case folder.Full(err):
		e.Msg, e.Hint = "the disk of the appliance is full: try again later", "free some room on the disk of the data folder"
	case errors.Is(err, syscall.EROFS):
		e.Hint = "the disk of the data folder is read-only: mount it writable"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "give the user of bawab the folder audit in the data folder"
	}
	return e
}
