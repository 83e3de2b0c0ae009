package text

import "github.com/bawab/bawab/appliance/arabic"

// Misreadings count which Arabic letters were read on print that is known, and which ones are printed there. The zero value has seen none.
type Misreadings struct {
	read  map[rune]int
	pairs map[[2]rune]int // a letter that was read, and another one that is printed
}

// Look takes up what was read of print that is known. What is spelled so by habit, such as an alef without its hamza, is not misread.
func (m *Misreadings) Look(read, printed string) {
	if m.read == nil {
		m.read, m.pairs = map[rune]int{}, map[[2]rune]int{}
	}
	for _, pair := range Aligned([]rune(read), []rune(printed)) {
		if !arabic.Letter(pair[0]) || !arabic.Letter(pair[1]) {
			continue
		}
		m.read[pair[0]]++
		if arabic.FoldLetter(pair[0]) != arabic.FoldLetter(pair[1]) {
			m.pairs[pair]++
		}
	}
}

// Misread are the letters that were read where others are printed, at least so often: less may be chance. One reading more than were seen
// counts as right.
func (m *Misreadings) Misread(least int) Misread {
	wrong, out := map[rune]int{}, Misread{}
	for pair, n := range m.pairs {
		wrong[pair[0]] += n
	}
	for pair, n := range m.pairs {
		if wrong[pair[0]] < least {
			continue
		}
		if out[pair[0]] == nil {
			out[pair[0]] = map[rune]float64{}
		}
		out[pair[0]][pair[1]] = float64(n) / float64(m.read[pair[0]]+1)
	}
	return out
}

// Aligned are the signs of two texts that stand for each other where the fewest are changed; those that one of them lacks are left out.
func Aligned(read, printed []rune) (pairs [][2]rune) {
	costs := make([][]int, len(read)+1)
	for i := range costs {
		costs[i] = make([]int, len(printed)+1)
		for k := range costs[i] {
			switch {
			case i == 0 || k == 0:
				costs[i][k] = i + k
			default:
				changed := costs[i-1][k-1]
				if read[i-1] != printed[k-1] {
					changed++
				}
				costs[i][k] = min(changed, costs[i-1][k]+1, costs[i][k-1]+1)
			}
		}
	}
	for i, k := len(read), len(printed); i > 0 && k > 0; {
		switch same := read[i-1] == printed[k-1]; {
		case same && costs[i][k] == costs[i-1][k-1], !same && costs[i][k] == costs[i-1][k-1]+1:
			pairs = append(pairs, [2]rune{read[i-1], printed[k-1]})
			i, k = i-1, k-1
		case costs[i][k] == costs[i-1][k]+1:
			i--
		default:
			k--
		}
	}
	return pairs
}
