package jpeg

import (
	"encoding/binary"
	"errors"
)

var (
	errShort = errors.New("jpeg: coded data ends early")
	errCode  = errors.New("jpeg: no such code")
)

// lookBits is how many bits a Huffman table resolves at one glance; longer codes are rare by their nature.
const lookBits = 10

// huffman decodes one Huffman code.
type huffman struct {
	defined bool
	// look holds code length << 8 | symbol for each beginning, 0 where the code is longer than lookBits.
	look [1 << lookBits]uint16
	// fast holds, where an AC code and the bits of its value fit into lookBits together,
	// value << 16 | run << 8 | number of bits; 0 elsewhere.
	fast [1 << lookBits]uint32
	// limit is the first code of more than n bits, aligned to 16 bits; first + code is its symbol's place.
	limit   [17]uint32
	first   [17]int32
	symbols [256]byte
}

// define builds the tables from the number of codes of each length and the symbols in order of their codes.
func (h *huffman) define(counts, symbols []byte) error {
	*h = huffman{defined: true}
	copy(h.symbols[:], symbols)
	code, at := uint32(0), 0
	for n := 1; n <= 16; n++ {
		h.first[n] = int32(at) - int32(code)
		for range counts[n-1] {
			if code >= 1<<n {
				return errors.New("jpeg: more codes than bits allow")
			}
			if n <= lookBits {
				from := code << (lookBits - n)
				for i := range uint32(1) << (lookBits - n) {
					h.look[from+i] = uint16(n)<<8 | uint16(symbols[at])
				}
			}
			code++
			at++
		}
		h.limit[n] = code << (16 - n)
		code <<= 1
	}
	h.fuse()
	return nil
}

// fuse fills in fast.
func (h *huffman) fuse() {
	for i, e := range h.look {
		n, size := int(e>>8), int(e&15)
		if e == 0 || size == 0 || n+size > lookBits {
			continue
		}
		v := extend(uint64(i)>>(lookBits-n-size)&(1<<size-1), size)
		h.fast[i] = uint32(v)<<16 | uint32(e>>4&15)<<8 | uint32(n+size)
	}
}

// extend turns the size bits v behind a code into the signed value that they stand for.
func extend(v uint64, size int) int32 {
	if v < 1<<(size-1) {
		return int32(v) - 1<<size + 1
	}
	return int32(v)
}

// bitReader reads entropy-coded data. It never reads past a marker: from there on zeros come, and are counted.
type bitReader struct {
	b  []byte
	at int
	// acc holds n bits, the next one at the top. Below them may lie the beginning of the byte at b[at].
	acc uint64
	n   int
	// made counts the bits of n, at its end, that were not in the data.
	made int
}

// fill brings n to at least 48.
func (r *bitReader) fill() {
	if r.at+8 <= len(r.b) {
		v := binary.BigEndian.Uint64(r.b[r.at:])
		// Without a byte 0xff among the eight there is neither stuffing nor a marker.
		if (^v-0x0101010101010101)&v&0x8080808080808080 == 0 {
			r.acc |= v >> r.n
			whole := (64 - r.n) >> 3
			r.at += whole
			r.n += 8 * whole
			return
		}
	}
	for r.n <= 56 {
		var v byte
		switch {
		case r.at >= len(r.b):
			r.made += 8
		case r.b[r.at] != 0xff:
			v = r.b[r.at]
			r.at++
		case r.at+1 < len(r.b) && r.b[r.at+1] == 0:
			v = 0xff
			r.at += 2
		default:
			r.made += 8
		}
		r.acc |= uint64(v) << (56 - r.n)
		r.n += 8
	}
}

// short reports whether bits were used that are not in the data.
func (r *bitReader) short() bool { return r.made > r.n }

// bits reads size bits, at most 16.
func (r *bitReader) bits(size int) uint64 {
	if r.n < 16 {
		r.fill()
	}
	v := r.acc >> (64 - size)
	r.drop(size)
	return v
}

func (r *bitReader) drop(size int) {
	r.acc <<= size
	r.n -= size
}

// symbol reads one code and returns its symbol.
func (r *bitReader) symbol(h *huffman) (byte, error) {
	if r.n < 16 {
		r.fill()
	}
	if e := h.look[r.acc>>(64-lookBits)]; e != 0 {
		r.drop(int(e >> 8))
		return byte(e), nil
	}
	return r.longSymbol(h)
}

// longSymbol reads a code of more than lookBits.
func (r *bitReader) longSymbol(h *huffman) (byte, error) {
	code := uint32(r.acc >> 48)
	for n := lookBits + 1; n <= 16; n++ {
		if code < h.limit[n] {
			r.drop(n)
			return h.symbols[uint8(h.first[n]+int32(code>>(16-n)))], nil
		}
	}
	return 0, errCode
}

// restart drops what is left of the bits and goes behind the restart marker number n, which must come next.
func (r *bitReader) restart(n int) error {
	for r.at+1 < len(r.b) && (r.b[r.at] != 0xff || r.b[r.at+1] == 0 || r.b[r.at+1] == 0xff) {
		r.at++
	}
	if r.at+1 >= len(r.b) || r.b[r.at+1] != byte(markRST0+n%8) {
		return errors.New("jpeg: no restart marker in its place")
	}
	*r = bitReader{b: r.b, at: r.at + 2}
	return nil
}

// zigzag says where the k-th coefficient of the zigzag order stands in the rows of a block.
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// block reads one sequential block, dequantised, into b, which must be zero. It returns the place of the last
// coefficient in zigzag order.
func (r *bitReader) block(b *[64]int32, dc, ac *huffman, q *[64]int32, pred *int32) (last int, err error) {
	size, err := r.symbol(dc)
	if err != nil {
		return 0, err
	}
	if size > 15 {
		return 0, errCode
	}
	if size > 0 {
		*pred += extend(r.bits(int(size)), int(size))
	}
	b[0] = *pred * q[0]
	for k := 1; k < 64; {
		if r.n < 32 {
			r.fill()
		}
		if e := ac.fast[r.acc>>(64-lookBits)]; e != 0 {
			k += int(e >> 8 & 15)
			if k > 63 {
				return 0, errCode
			}
			r.drop(int(e & 0xff))
			b[zigzag[k]&63] = int32(int16(e>>16)) * q[k]
			last = k
			k++
			continue
		}
		s, err := r.symbol(ac)
		if err != nil {
			return 0, err
		}
		run, size := int(s>>4), int(s&15)
		if size == 0 {
			if run < 15 {
				break
			}
			k += 16
			continue
		}
		if k += run; k > 63 {
			return 0, errCode
		}
		b[zigzag[k]&63] = extend(r.bits(size), size) * q[k]
		last = k
		k++
	}
	return last, nil
}
