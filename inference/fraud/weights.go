package fraud

// weights are those of a cue's logistic: the bias, then one for each of its measures.
//
// Those of a second photograph were fitted on 25 November 2026 to 60 screens and 55 prints of an independent simulator, whose
// pictures no training saw, against 1,290 genuine documents of three generators (models/fraud.md): what the patches say in the
// mean, what the most suspicious third of them says, and the surroundings. The others were fitted on 20 November 2026 by
// bawab_training.report.fraud_calibrate to 45 pictures of each tampering of fraud_tamper's "pasted" against 297 drawn photographs
// of national IDs, half of them hard; they part these with an AUC of 0.87 (portrait) and 0.73 (text).
func weights(name string) []float64 {
	switch name {
	case ScreenReplay:
		return []float64{2.2, 0.5, 1.0, 1.6}
	case PrintedCopy:
		return []float64{2.4, 0.8, 0.2, 0.65}
	case PortraitReplaced:
		return []float64{-2.25, 0.0361, -0.581, 0.999, 4.66, -0.183, -5.64}
	default: // TextAltered
		return []float64{-1.8, 0.926, -0.633, 0.823, -0.123, 0.287, -1.48, 0.619, 1.55}
	}
}
