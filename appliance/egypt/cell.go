package egypt

// Cell is what one printed digit may be: the natural-log probability of each digit 0 to 9 at its position.
type Cell [10]float64
