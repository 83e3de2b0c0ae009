package arabic

// Edits lists the strings that differ from one in a sign.
func Edits(signs, alphabet []rune) (out [][]rune) {
	edit := func(i, drop int, put ...rune) {
		v := append(append(append([]rune{}, signs[:i]...), put...), signs[i+drop:]...)
		out = append(out, v)
	}
	for i := range signs {
		edit(i, 1)
		for _, a := range alphabet {
			if a != signs[i] {
				edit(i, 1, a)
			}
		}
	}
	for i := 0; i <= len(signs); i++ {
		for _, a := range alphabet {
			edit(i, 0, a)
		}
	}
	return out
}
