package fraud

// weights are those of a cue's logistic: the bias, then one for each of its measures.
func weights(name string) []float64 {
	switch name {
	case ScreenReplay, PrintedCopy:
		return []float64{0, 0.5, 0.5}
	case PortraitReplaced:
		return []float64{-6, 1, 0, 1, 1, 1, 0}
	default: // TextAltered
		return []float64{-6, 1, 1, 1, 1, 1, 1, 1, 1}
	}
}
