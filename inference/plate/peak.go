package plate

import (
	"cmp"
	"slices"
)

// peaks returns the cells whose logit of a sign's middle is none of its neighbours' less, the highest first; of equal
// neighbours the first stands for all.
func peaks(out []int8) []int {
	heat := func(x, y int) int {
		if x < 0 || x >= columns || y < 0 || y >= rows {
			return -129
		}
		return int(out[(y*columns+x)*channels])
	}
	var all []int
	for y := range rows {
		for x := range columns {
			here, top := heat(x, y), true
			for dy := -1; dy <= 1 && top; dy++ {
				for dx := -1; dx <= 1 && top; dx++ {
					other := heat(x+dx, y+dy)
					before := dy < 0 || dy == 0 && dx < 0
					top = other < here || other == here && !before
				}
			}
			if top {
				all = append(all, y*columns+x)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(out[b*channels], out[a*channels]) })
	return all
}

// middle places a peak between cells by the heights of its neighbours.
func middle(out []int8, at int) (x, y float64) {
	column, row := at%columns, at/columns
	x, y = float64(column), float64(row)
	here := float64(out[at*channels])
	offset := func(before, after int) float64 {
		a, b := float64(out[before*channels]), float64(out[after*channels])
		if bend := 2*here - a - b; bend > 0 {
			return max(-0.5, min((b-a)/(2*bend), 0.5))
		}
		return 0
	}
	if column > 0 && column < columns-1 {
		x += offset(at-1, at+1)
	}
	if row > 0 && row < rows-1 {
		y += offset(at-columns, at+columns)
	}
	return x, y
}
