package vision

// NormalizeStrip stretches the grey levels of a text strip in place, so that its 5th percentile becomes 0 and its 95th
// 255, with what lies beyond clipped. A percentile is the smallest level that at least this share of the samples does
// not exceed. The two are held at least 16 levels apart, lest an empty strip turn its noise into text.
//
// It is, sample for sample, what the line recognisers saw in training (normalise in bawab_training.photograph.mrz_lines); the
// caller subtracts 128 to get their int8 input.
func NormalizeStrip(pix []byte) {
	if len(pix) == 0 {
		return
	}
	var counts [256]int
	for _, v := range pix {
		counts[v]++
	}
	low := percentile(&counts, 0.05*float64(len(pix)))
	high := max(percentile(&counts, 0.95*float64(len(pix))), low+16)
	var table [256]byte
	span := high - low
	for i := range table {
		level := max(0, min(span, i-low))
		table[i] = byte((level*255 + span/2) / span)
	}
	for i, v := range pix {
		pix[i] = table[v]
	}
}

// percentile returns the smallest level up to which at least n samples lie.
func percentile(counts *[256]int, n float64) int {
	sum := 0
	for level, c := range counts {
		sum += c
		if float64(sum) >= n {
			return level
		}
	}
	return 255
}
