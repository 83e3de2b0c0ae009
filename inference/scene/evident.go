package scene

import "github.com/bawab/bawab/inference/outline"

// evidentSides is how much of its sides a picture must show, and evidentScore how sure the finder must be of its kind, for a document to be
// one whatever can be read of it.
const evidentSides, evidentScore = 2.2, 0.5

// EvidentSides reports whether a picture plainly shows the sides of what was found.
func EvidentSides(f outline.Found) bool { return f.Visible() >= evidentSides }

// Evident reports whether what lies in a picture is a document though nothing on it can be read: the finder is rather sure of its kind,
// and the picture shows its sides. Of what was found so and could not be read in 280 pictures of three generators (23 November 2026) 4 of
// 32 were.
func Evident(f outline.Found) bool { return EvidentSides(f) && f.Score >= evidentScore }
