// Package fraud looks at a document that was found and read for signs of fraud: a picture of a screen or of a print
// instead of the card, a copy without colour, a portrait or a field that was put in later, and print that contradicts
// itself.
//
// Each sign is a cue with a name, a score from 0 to 1 and the threshold from which it counts. All thresholds are those
// of the network "fraud" in the manifest of package models, with data set, date and error budget; the weights of the
// measured cues are in one table beside the code that measures. Every calibration so far is on drawn documents and
// modelled attacks: the model card says what a site must do with pictures of its own.
package fraud
