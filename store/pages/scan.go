package pages

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Scan reads every page of a file by itself, whether the structure above it is whole or not, and shows every entry that it finds, and
// whether it lies on a page that is certainly free. It counts the pages that cannot be read as what they claim to be.
func Scan(ctx context.Context, from Source, visit func(key, value []byte, free bool)) (damaged int, err error) {
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, fmt.Errorf("measure the file: %w", err)
	}
	pageSize, free := layout(from, size)
	for id := int64(0); id*pageSize < size; id++ {
		if err := ctx.Err(); err != nil {
			return damaged, err
		}
		page, err := lonePage(from, id*pageSize, pageSize, size)
		if err != nil {
			damaged++ // the disk does not give it
			continue
		}
		numbered := int64(binary.LittleEndian.Uint64(page)) == id
		_, err = elements(page)
		if binary.LittleEndian.Uint16(page[8:]) != flagLeaf {
			continue
		}
		if err != nil && numbered && !free[id] {
			damaged++
		}
		// The middle of a longer page is sealed, looks random, and neither bears its number nor parses.
		if numbered || err == nil {
			leaf(page, free[id], visit)
		}
	}
	return damaged, nil
}

// layout returns the page size of a damaged file, and which pages are certainly free: none unless both heads and the
// free list are whole, because the older head knows nothing of what the last commit wrote.
func layout(from Source, size int64) (pageSize int64, free map[int64]bool) {
	heads, errs := readHeads(from, size)
	free = map[int64]bool{}
	f, err := Load(from)
	switch {
	case err == nil:
		if f.freelist() == nil {
			for id, use := range f.seen {
				free[int64(id)] = use == pageFree
			}
		}
		return f.head.pageSize, free
	case errs[0] == nil:
		return heads[0].pageSize, free
	case errs[1] == nil:
		return heads[1].pageSize, free
	}
	return int64(os.Getpagesize()), free
}

// lonePage reads a page without knowing what refers to it. A damaged length neither hides what follows, since every
// page is looked at, nor asks for more memory than the file has bytes.
func lonePage(r io.ReaderAt, offset, pageSize, size int64) ([]byte, error) {
	page := make([]byte, pageSize)
	if n, err := r.ReadAt(page, offset); err != nil && (n < pageHeader || !errors.Is(err, io.EOF)) {
		return nil, err
	}
	overflow := int64(binary.LittleEndian.Uint32(page[12:]))
	if overflow == 0 || binary.LittleEndian.Uint16(page[8:]) != flagLeaf {
		return page, nil
	}
	page = make([]byte, min((overflow+1)*pageSize, size-offset))
	if _, err := r.ReadAt(page, offset); err != nil {
		return nil, err
	}
	return page, nil
}

// leaf shows every entry of a leaf page, or of a bucket's inline page, that lies within the page.
func leaf(page []byte, free bool, visit func(key, value []byte, free bool)) {
	count := int(binary.LittleEndian.Uint16(page[10:]))
	for i := range min(count, (len(page)-pageHeader)/elementSize) {
		e, _, _, err := parseElement(page, pageHeader+i*elementSize, flagLeaf)
		switch {
		case err != nil:
		case e.bucket && len(e.value) >= bucketSize+pageHeader:
			leaf(e.value[bucketSize:], free, visit)
		default:
			visit(e.key, e.value, free)
		}
	}
}
