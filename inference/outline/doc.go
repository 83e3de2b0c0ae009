// Package outline finds documents in a picture: of which kind they are, how they lie, and where their sides are to a fraction
// of a pixel.
package outline
