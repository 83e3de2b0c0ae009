package vision

// lightBlock is the side, in pixels, of the squares whose light Brighten measures: larger than letters, smaller than shadows.
const lightBlock = 32

// wellLit is how light the lightest twentieth of a square is, 0 to 255, from which on Brighten leaves it as it is, and mostGain by how
// much it multiplies darker ones at the most.
const (
	wellLit  = 140
	mostGain = 8
)

// Brighten lights up, in place, what lies in the dark or in a shadow in a picture of w x h samples, so that text stands out from its
// ground there as it does in good light. Print and ground are multiplied alike, by what their surroundings lack of good light.
func Brighten(pix []byte, w, h int) {
	across, down := (w+lightBlock-1)/lightBlock, (h+lightBlock-1)/lightBlock
	gains, dark := gainsOf(pix, w, h, across, down)
	if !dark {
		return
	}
	row := make([]float32, across)
	for y := range h {
		j, toNext := blockAt(y, down)
		upper, lower := gains[j*across:], gains[min(j+1, down-1)*across:]
		for i := range row {
			row[i] = upper[i] + toNext*(lower[i]-upper[i])
		}
		for x, v := range pix[y*w : (y+1)*w] {
			i, toNext := blockAt(x, across)
			gain := row[i] + toNext*(row[min(i+1, across-1)]-row[i])
			pix[y*w+x] = byte(min(float32(v)*gain, 255))
		}
	}
}

// blockAt returns the last of n blocks whose middle is not beyond a place, and how far the place lies on the way to the next.
func blockAt(place, n int) (block int, toNext float32) {
	at := min(max((float32(place)+0.5)/lightBlock-0.5, 0), float32(n-1))
	return int(at), at - float32(int(at))
}

// gainsOf returns the gain of each block, and whether one is more than 1. A block is as light as the lightest around it: hair and
// ink are dark in good light, too.
func gainsOf(pix []byte, w, h, across, down int) (gains []float32, dark bool) {
	lights := make([]int, across*down)
	for i := range lights {
		lights[i] = lightOf(pix, w, h, i%across*lightBlock, i/across*lightBlock)
	}
	gains = make([]float32, len(lights))
	for i := range gains {
		most := 1
		for y := max(i/across-1, 0); y <= min(i/across+1, down-1); y++ {
			for x := max(i%across-1, 0); x <= min(i%across+1, across-1); x++ {
				most = max(most, lights[y*across+x])
			}
		}
		gains[i] = min(max(float32(wellLit)/float32(most), 1), mostGain)
		dark = dark || gains[i] > 1
	}
	return gains, dark
}

// lightOf returns the level that a twentieth of a block's samples exceed.
func lightOf(pix []byte, w, h, left, top int) int {
	var counts [256]int
	n := 0
	for y := top; y < min(top+lightBlock, h); y++ {
		for _, v := range pix[y*w+left : y*w+min(left+lightBlock, w)] {
			counts[v]++
			n++
		}
	}
	level := 255
	for above := n / 20; level > 0 && above >= counts[level]; level-- {
		above -= counts[level]
	}
	return level
}
