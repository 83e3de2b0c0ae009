package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
)

// The form of a bbolt file, version 2, little endian as bbolt writes it on every machine that bawab runs on. It is
// read here with bounds checks and without a memory map, because bbolt itself trusts what it reads.
const (
	bboltMagic   = 0xED0CDAED
	bboltVersion = 2

	pageHeader  = 16 // id 8, flags 2, count 2, overflow 4
	elementSize = 16 // leaf: flags, position, key and value size; branch: position, key size, page
	headSize    = 64 // magic, version, page size, flags, root page and sequence, free list, pages, commit, checksum
	bucketSize  = 16 // root page, sequence; root 0 is followed by the bucket's only page, inline

	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagMeta     = 0x04
	flagFreelist = 0x10

	leafBucket = 0x01 // flag of a leaf element that is a bucket
)

// head is the content of a head page. bbolt has two and writes them in turn, so that one is whole at any time.
type head struct {
	pageSize       int64
	root, freelist uint64 // page ids
	pages          uint64 // how many pages the file has; what lies behind is unused
	commit         uint64
}

// File is a bbolt file that is read page by page.
type File struct {
	r    io.ReaderAt
	head head
	seen []pageUse // by page id
}

// pageUse says what the pages met so far are used for.
type pageUse uint8

const (
	pageUnseen pageUse = iota
	pageFree
	pageUsed
)

// element is one entry of a page. Its slices belong to the element.
type element struct {
	bucket     bool
	key, value []byte
	child      uint64 // of a branch page
}

// Source is what pages are read from: an open file.
type Source interface {
	io.ReaderAt
	io.Seeker
}

// Load reads the head pages. Both must be whole: a head is far smaller than what a disk writes in one piece, so
// a bad one is damage and no interrupted write, and the other one lacks the last commit, which may have been
// acknowledged.
func Load(from Source) (*File, error) {
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("measure the file: %w", err)
	}
	heads, errs := readHeads(from, size)
	if errs[0] != nil || errs[1] != nil {
		return nil, errors.Join(errs[0], errs[1])
	}
	a, b := heads[0], heads[1]
	if a.commit < b.commit {
		a, b = b, a
	}
	if a.pageSize != b.pageSize || a.commit != b.commit+1 {
		return nil, errors.New("the head pages disagree")
	}
	if a.pages > uint64(size)/uint64(a.pageSize) {
		return nil, fmt.Errorf("the file is cut: %d bytes of %d pages of %d bytes", size, a.pages, a.pageSize)
	}
	f := &File{r: from, head: a, seen: make([]pageUse, a.pages)}
	f.seen[0], f.seen[1] = pageUsed, pageUsed
	return f, nil
}

// readHeads reads both head pages of a file of any page size.
func readHeads(r io.ReaderAt, size int64) (heads [2]head, errs [2]error) {
	heads[0], errs[0] = readHead(r, 0, 0)
	errs[1] = errors.New("head page 1 is not found")
	for pageSize := int64(1 << 10); pageSize <= 1<<16 && pageSize < size; pageSize <<= 1 {
		if errs[0] == nil && heads[0].pageSize != pageSize {
			continue
		}
		h, err := readHead(r, pageSize, 1)
		if err == nil && h.pageSize != pageSize {
			err = errors.New("head page 1 lies in the wrong place")
		}
		if heads[1], errs[1] = h, err; err == nil {
			return heads, errs
		}
	}
	return heads, errs
}

func readHead(r io.ReaderAt, offset int64, id uint64) (head, error) {
	b := make([]byte, pageHeader+headSize)
	if _, err := r.ReadAt(b, offset); err != nil {
		return head{}, fmt.Errorf("head page %d: %w", id, err)
	}
	m := b[pageHeader:]
	le := binary.LittleEndian
	h := head{
		pageSize: int64(le.Uint32(m[8:])), root: le.Uint64(m[16:]), freelist: le.Uint64(m[32:]),
		pages: le.Uint64(m[40:]), commit: le.Uint64(m[48:]),
	}
	sum := fnv.New64a()
	sum.Write(m[:56])
	switch {
	case le.Uint32(m) != bboltMagic || le.Uint32(m[4:]) != bboltVersion:
		return head{}, fmt.Errorf("head page %d is not that of a bbolt file", id)
	case sum.Sum64() != le.Uint64(m[56:]):
		return head{}, fmt.Errorf("head page %d has a wrong checksum", id)
	case le.Uint64(b) != id || le.Uint16(b[8:]) != flagMeta || h.commit%2 != id:
		return head{}, fmt.Errorf("head page %d has a wrong header", id)
	case h.pageSize < 1<<10 || h.pageSize > 1<<16 || h.pageSize&(h.pageSize-1) != 0:
		return head{}, fmt.Errorf("head page %d: page size %d", id, h.pageSize)
	case h.pages < 4 || h.pages > math.MaxInt64/uint64(h.pageSize) || !h.has(h.root) || !h.has(h.freelist):
		return head{}, fmt.Errorf("head page %d points outside the file", id)
	}
	return h, nil
}

// has reports whether a page of the file can be what a head points to: the heads are the first two.
func (h head) has(page uint64) bool { return page >= 2 && page < h.pages }

// page reads a page with its overflow and takes note that it is used; a page may be used once.
func (f *File) page(id uint64, want uint16) ([]byte, error) {
	if id < 2 || id >= f.head.pages {
		return nil, fmt.Errorf("page %d lies outside the file", id)
	}
	h := make([]byte, pageHeader)
	if _, err := f.r.ReadAt(h, int64(id)*f.head.pageSize); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	flags, overflow := binary.LittleEndian.Uint16(h[8:]), uint64(binary.LittleEndian.Uint32(h[12:]))
	switch {
	case binary.LittleEndian.Uint64(h) != id:
		return nil, fmt.Errorf("page %d calls itself %d", id, binary.LittleEndian.Uint64(h))
	case flags&want != flags || flags&(flags-1) != 0 || flags == 0:
		return nil, fmt.Errorf("page %d has flags %#x", id, flags)
	case overflow >= f.head.pages-id:
		return nil, fmt.Errorf("page %d reaches outside the file", id)
	}
	for i := id; i <= id+overflow; i++ {
		if f.seen[i] != pageUnseen {
			return nil, fmt.Errorf("page %d is used twice, or free and used", i)
		}
		f.seen[i] = pageUsed
	}
	b := make([]byte, int64(overflow+1)*f.head.pageSize)
	if _, err := f.r.ReadAt(b, int64(id)*f.head.pageSize); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	return b, nil
}

// elements reads the entries of a leaf or branch page. It wants them packed as bbolt packs them, without a gap, so
// that a damaged position or size does not pass for a shorter key.
func elements(page []byte) ([]element, error) {
	if len(page) < pageHeader {
		return nil, errors.New("a page shorter than its header")
	}
	flags, count := binary.LittleEndian.Uint16(page[8:]), int(binary.LittleEndian.Uint16(page[10:]))
	next := uint64(pageHeader + count*elementSize)
	if next > uint64(len(page)) {
		return nil, fmt.Errorf("%d entries do not fit", count)
	}
	out := make([]element, 0, count)
	for i := range count {
		e, at, end, err := parseElement(page, pageHeader+i*elementSize, flags)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		if at != next {
			return nil, fmt.Errorf("entry %d lies at %d, want %d", i, at, next)
		}
		if i > 0 && bytes.Compare(out[i-1].key, e.key) >= 0 {
			return nil, fmt.Errorf("entry %d is out of order", i)
		}
		next = end
		out = append(out, e)
	}
	return out, nil
}

// parseElement reads the entry whose descriptor lies at an offset of a page, and returns where its content begins and
// ends.
func parseElement(page []byte, offset int, flags uint16) (e element, at, end uint64, err error) {
	le, d := binary.LittleEndian, page[offset:offset+elementSize]
	var position, keySize, valueSize, elementFlags uint32
	if flags == flagLeaf {
		elementFlags, position, keySize, valueSize = le.Uint32(d), le.Uint32(d[4:]), le.Uint32(d[8:]), le.Uint32(d[12:])
	} else {
		position, keySize, e.child = le.Uint32(d), le.Uint32(d[4:]), le.Uint64(d[8:])
	}
	at = uint64(offset) + uint64(position)
	middle := at + uint64(keySize)
	end = middle + uint64(valueSize)
	if keySize == 0 || end > uint64(len(page)) || elementFlags > leafBucket {
		return element{}, 0, 0, errors.New("an entry that cannot be")
	}
	e.bucket, e.key, e.value = elementFlags == leafBucket, page[at:middle], page[middle:end]
	return e, at, end, nil
}

// tree walks the pages below a page in key order. Keys must lie from low up to but not including high; nil is no bound.
func (f *File) tree(id uint64, low, high []byte, visit func(element) error) error {
	page, err := f.page(id, flagBranch|flagLeaf)
	if err != nil {
		return err
	}
	all, err := elements(page)
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	branch := binary.LittleEndian.Uint16(page[8:]) == flagBranch
	if branch && len(all) == 0 {
		return fmt.Errorf("page %d: an empty branch", id)
	}
	for i, e := range all {
		if bytes.Compare(e.key, low) < 0 || high != nil && bytes.Compare(e.key, high) >= 0 {
			return fmt.Errorf("page %d: entry %d belongs to another page", id, i)
		}
		if !branch {
			if err := visit(e); err != nil {
				return err
			}
			continue
		}
		below := high
		if i+1 < len(all) {
			below = all[i+1].key
		}
		if err := f.tree(e.child, e.key, below, visit); err != nil {
			return err
		}
	}
	return nil
}

// Walk goes through the whole file, once: the free list, and every entry of every bucket. The first error in the structure
// ends it. What visit gets belongs to it.
func (f *File) Walk(visit func(bucket string, key, value []byte) error) error {
	if err := f.freelist(); err != nil {
		return err
	}
	return f.tree(f.head.root, nil, nil, func(e element) error {
		if !e.bucket {
			return errors.New("an entry outside all buckets")
		}
		name := string(e.key)
		err := f.bucket(e.value, func(e element) error {
			if e.bucket {
				return errors.New("a bucket in a bucket")
			}
			return visit(name, e.key, e.value)
		})
		if err != nil {
			return fmt.Errorf("bucket %q: %w", name, err)
		}
		return nil
	})
}

func (f *File) bucket(value []byte, visit func(element) error) error {
	if len(value) < bucketSize {
		return errors.New("a bucket without a root")
	}
	root := binary.LittleEndian.Uint64(value)
	if root != 0 {
		return f.tree(root, nil, nil, visit)
	}
	page := value[bucketSize:]
	if len(page) < pageHeader || binary.LittleEndian.Uint64(page) != 0 || binary.LittleEndian.Uint16(page[8:]) != flagLeaf {
		return errors.New("a damaged inline page")
	}
	all, err := elements(page)
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// freelist reads the list of free pages.
func (f *File) freelist() error {
	page, err := f.page(f.head.freelist, flagFreelist)
	if err != nil {
		return fmt.Errorf("free list: %w", err)
	}
	ids := page[pageHeader:]
	n := uint64(binary.LittleEndian.Uint16(page[10:]))
	if n == math.MaxUint16 {
		n, ids = binary.LittleEndian.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids)/8) {
		return fmt.Errorf("free list: %d entries do not fit", n)
	}
	for i := range n {
		id := binary.LittleEndian.Uint64(ids[8*i:])
		if id < 2 || id >= f.head.pages || f.seen[id] != pageUnseen {
			return fmt.Errorf("free list: page %d cannot be free", id)
		}
		f.seen[id] = pageFree
	}
	return nil
}

// Leaked counts, after a walk, the pages that are neither used nor free. They do no harm but are never overwritten.
func (f *File) Leaked() int {
	n := 0
	for _, use := range f.seen {
		if use == pageUnseen {
			n++
		}
	}
	return n
}
