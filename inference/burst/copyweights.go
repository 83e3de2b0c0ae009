package burst

// The weights of copyOdds, as copyProbability says they were fitted. They are literals and no .tflite file: 24 signs and 8 hidden values
// are a thousandth of the smallest network here, their signs are float64 of this package, and a runtime would cost more than the sum. What
// fitted them is not kept, so nobody can fit them again bit by bit. They are checked by what they must do: TestIdentical holds them
// against copies and frames at small scale, and `bawab eval liveness --rule identical_images` against a thousand copies of a folder of
// real bursts (docs/accuracy.md has the figure). A new fit must pass both.

// copyHidden is how many hidden values the fit of copyOdds has.
const copyHidden = 8

// copySign is one of the values that copyOdds weighs: the range in which it was fitted, beyond which it says no more, and its weights.
type copySign struct {
	value, low, high float64
	weights          [copyHidden]float64
}

// copyWeights are the fit's own: what each hidden value begins with, its weight, and the odds to begin with.
func copyWeights() (first, last [copyHidden]float64, odds float64) {
	return [copyHidden]float64{-7.212, -3.300, 2.243, 2.338, 2.350, -3.283, -9.342, -2.439},
		[copyHidden]float64{1.303, 1.726, -1.791, -1.563, -1.570, 1.200, -1.016, 1.542}, 1.906
}

// copySigns are the signs that one of two pictures is a copy of the other: the lesser and the greater residue of the two ways of
// laying one over the other, and how unlike their coarse detail is.
func copySigns(low, high residue, unlike float64) []copySign {
	return []copySign{
		{low.unexplained[0], -3.184, 8.630, [copyHidden]float64{-0.1340, -0.0234, -0.0021, 0.0832, 0.0636, -0.0108, 0.0771, -0.1492}},
		{low.unexplained[1], -3.541, 7.190, [copyHidden]float64{0.0509, -0.0157, 0.0868, 0.1472, 0.0946, -0.0966, 0.0758, -0.1225}},
		{low.unexplained[2], -4.035, 5.980, [copyHidden]float64{-0.0054, 0.0808, 0.1575, 0.1053, 0.0244, -0.1487, 0.1328, -0.0170}},
		{low.unexplained[4], -4.987, 4.492, [copyHidden]float64{-0.0032, -0.6080, 0.2570, 0.3374, 0.2999, -0.1615, 0.3163, 0.0800}},
		{low.both[0], -3.900, 8.168, [copyHidden]float64{-0.1736, -0.0440, 0.0460, 0.0577, 0.0816, -0.1000, 0.1107, -0.0018}},
		{low.both[1], -4.130, 6.882, [copyHidden]float64{0.0222, -0.0444, 0.1122, 0.0051, 0.1476, -0.1668, 0.0437, -0.0939}},
		{low.beyond[0], -6.908, -0.107, [copyHidden]float64{-0.5112, -0.3419, 0.4333, 0.2423, 0.2930, -0.3761, -0.0430, -0.4329}},
		{low.beyond[1], -6.908, -0.146, [copyHidden]float64{-0.5909, -0.2761, 0.4076, 0.2626, 0.4665, -0.5132, 0.1142, -0.3306}},
		{low.beyond[2], -6.908, -0.180, [copyHidden]float64{-0.7231, -0.4053, 0.3949, 0.1403, 0.2226, -0.3806, 0.1567, -0.3780}},
		{low.beyond[3], -6.908, -0.245, [copyHidden]float64{0.4401, -0.4557, 0.1736, 0.5839, 0.0379, -0.3602, 0.2923, -0.1213}},
		{low.level, -2.666, 4.014, [copyHidden]float64{0.7980, 0.1663, -0.0724, 0.3379, -0.4095, -0.0734, 0.7018, 0.3630}},
		{low.unlike, -5.584, 0.000, [copyHidden]float64{-0.2905, -1.4444, 0.4981, 0.8349, 0.2047, -0.6066, 0.6096, -0.7511}},
		{low.bare, -6.881, 3.869, [copyHidden]float64{-1.6389, -1.0531, 0.4215, 0.7373, 0.6249, -0.2956, 1.0939, -0.2147}},
		{low.flow, -5.455, 0.679, [copyHidden]float64{-0.7433, -0.1015, 0.3441, 0.2534, 0.2245, -0.3400, 0.2005, -0.2384}},
		{low.lively, -4.991, 1.467, [copyHidden]float64{-2.3984, -0.4977, 0.2980, 0.4633, 0.3209, -0.2618, 0.9118, -0.1338}},
		{low.steps, 0.000, 4.500, [copyHidden]float64{-0.4621, -0.8577, 0.8275, 0.5215, 1.0094, -0.7211, -0.0126, -0.4130}},
		{high.unexplained[2], -2.614, 6.170, [copyHidden]float64{0.4019, 0.3483, 0.0049, -0.3128, -0.0905, 0.0404, -0.2924, 0.1560}},
		{high.unexplained[3], -3.181, 5.306, [copyHidden]float64{0.0994, 0.4162, -0.3313, -0.4612, -0.0600, 0.2110, -0.1612, 0.3289}},
		{high.unexplained[4], -3.962, 5.089, [copyHidden]float64{-0.2661, 0.0459, -0.1019, -0.1185, 0.5383, 0.2027, -0.0780, 0.4911}},
		{high.beyond[4], -6.908, 0.000, [copyHidden]float64{-0.4532, -0.1017, -0.1669, -0.4434, 0.0572, 0.1595, -0.8041, 0.7906}},
		{high.middle, -2.807, 4.894, [copyHidden]float64{0.5825, 0.6388, -0.3715, -0.6178, -0.4487, 0.3670, -1.4183, -0.0217}},
		{high.bare, -6.758, 3.898, [copyHidden]float64{-0.3427, 0.6191, -0.6498, -0.3825, -0.9170, 0.8461, 0.2092, 0.7282}},
		{high.steps, 0.000, 5.886, [copyHidden]float64{1.1291, -0.1819, -0.6200, -0.4272, -0.8942, 0.4679, -0.0419, 1.1025}},
		{unlike, -8.994, -2.634, [copyHidden]float64{0.5189, 0.3684, -0.2101, -0.2347, -0.0588, 0.0858, -1.6394, 0.5089}},
	}
}
