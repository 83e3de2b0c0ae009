// Package text finds lines of print in a picture and reads them.
//
// Detector marks text lines of any script and machine readable zones; Recogniser turns one line into a Lattice of
// symbol probabilities over its columns, from which Lattice.Marginals derives what each printed position may hold.
// Knowledge about documents stays out of here: it belongs to the callers.
package text
