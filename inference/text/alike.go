package text

// Alike is how much two texts are alike, 0 to 1, digits and letters by their signs.
func Alike(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for k := range row {
		row[k] = k
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for k, t := range y {
			cost := 1
			if r == t {
				cost = 0
			}
			diagonal, row[k+1] = row[k+1], min(diagonal+cost, row[k]+1, row[k+1]+1)
		}
	}
	return 1 - float64(row[len(y)])/float64(max(len(x), len(y), 1))
}
