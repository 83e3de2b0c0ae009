package jpeg

// Cosines of the inverse DCT in 13-bit fixed point: cN is cos(N pi / 16) times the square root of 2, and the sums of
// them that Loeffler, Ligtenberg and Moschytz's factorisation with 11 multiplications needs.
const (
	dctBits = 13

	dctC6       = 4433  // 0.541196100
	dctC2mC6    = 6270  // 0.765366865
	dctC2pC6    = 15137 // 1.847759065
	dctC3       = 9633  // 1.175875602
	dctC7a      = 2446  // 0.298631336
	dctC5a      = 16819 // 2.053119869
	dctC3a      = 25172 // 3.072711026
	dctC1a      = 12299 // 1.501321110
	dctC7mC3    = 7373  // 0.899976223
	dctC1pC3    = 20995 // 2.562915447
	dctC3pC5    = 16069 // 1.961570560
	dctC3mC5    = 3196  // 0.390180644
	dctPassBits = 2     // fraction bits kept between the two passes
)

// idct transforms the dequantised coefficients of one block, in rows, and writes 8 x 8 samples to dst, clipped to
// 0..255. b is used up.
func idct(b *[64]int32, dst []byte, stride int) {
	for i := range 8 {
		idctColumn(b, i)
	}
	// Half of the last bit for rounding, and the shift of the levels, ride on the constant term.
	const last = dctBits + dctPassBits + 3
	const offset = 128<<(dctPassBits+3) + 1<<(dctPassBits+2)
	for y := range 8 {
		r := (*[8]int32)(b[8*y : 8*y+8])
		out := (*[8]byte)(dst[y*stride:])
		even0, even1, even2, even3 := idctEven(r[0]+offset, r[2], r[4], r[6])
		odd0, odd1, odd2, odd3 := idctOdd(r[1], r[3], r[5], r[7])
		out[0], out[7] = clip((even0+odd3)>>last), clip((even0-odd3)>>last)
		out[1], out[6] = clip((even1+odd2)>>last), clip((even1-odd2)>>last)
		out[2], out[5] = clip((even2+odd1)>>last), clip((even2-odd1)>>last)
		out[3], out[4] = clip((even3+odd0)>>last), clip((even3-odd0)>>last)
	}
}

// idctColumn is the first pass over column i. Most columns of a photograph have nothing but their first term.
func idctColumn(b *[64]int32, i int) {
	c := (*[57]int32)(b[i : i+57])
	if c[8]|c[16]|c[24]|c[32]|c[40]|c[48]|c[56] == 0 {
		v := c[0] << dctPassBits
		c[0], c[8], c[16], c[24], c[32], c[40], c[48], c[56] = v, v, v, v, v, v, v, v
		return
	}
	const shift, half = dctBits - dctPassBits, 1 << (dctBits - dctPassBits - 1)
	even0, even1, even2, even3 := idctEven(c[0], c[16], c[32], c[48])
	odd0, odd1, odd2, odd3 := idctOdd(c[8], c[24], c[40], c[56])
	c[0], c[56] = (even0+odd3+half)>>shift, (even0-odd3+half)>>shift
	c[8], c[48] = (even1+odd2+half)>>shift, (even1-odd2+half)>>shift
	c[16], c[40] = (even2+odd1+half)>>shift, (even2-odd1+half)>>shift
	c[24], c[32] = (even3+odd0+half)>>shift, (even3-odd0+half)>>shift
}

// idctEven is the part of the transform over the even terms.
func idctEven(v0, v2, v4, v6 int32) (e0, e1, e2, e3 int32) {
	z := (v2 + v6) * dctC6
	t2, t3 := z-v6*dctC2pC6, z+v2*dctC2mC6
	t0, t1 := (v0+v4)<<dctBits, (v0-v4)<<dctBits
	return t0 + t3, t1 + t2, t1 - t2, t0 - t3
}

// idctOdd is the part over the odd terms.
func idctOdd(v1, v3, v5, v7 int32) (o0, o1, o2, o3 int32) {
	z5 := (v7 + v3 + v5 + v1) * dctC3
	z1, z2 := -(v7+v1)*dctC7mC3, -(v5+v3)*dctC1pC3
	z3, z4 := z5-(v7+v3)*dctC3pC5, z5-(v5+v1)*dctC3mC5
	return v7*dctC7a + z1 + z3, v5*dctC5a + z2 + z4, v3*dctC3a + z2 + z3, v1*dctC1a + z1 + z4
}

// clip holds a sample to 0..255.
func clip(v int32) byte {
	if uint32(v) > 255 {
		v = ^(v >> 31)
	}
	return byte(v)
}

// fillBlock writes the block whose only coefficient is the dequantised constant term dc.
func fillBlock(dc int32, dst []byte, stride int) {
	v := clip((dc + 4 + 128<<3) >> 3)
	for y := range 8 {
		out := (*[8]byte)(dst[y*stride:])
		*out = [8]byte{v, v, v, v, v, v, v, v}
	}
}
