package number

import (
	"fmt"
	"math"
	"strings"
)

// sureLength is the probability of fourteen digits above which the cells are enough. They are made for fourteen digits:
// where one of these was hardly seen, each cell mixes the digits that may stand there, without telling which go together.
const sureLength = 0.5

// decideByScore chooses among whole strings by the ink of each: what was decided by the cells, the reading of whatever
// length, and the numbers of the grammar that need one digit more than the reading has, one less, or two zeros more, which
// are dots and lost first. What is not listed counts as if it kept the grammar, so that the confidence errs to the low side.
func (d *decoder) decideByScore(n *Reading, e *Evidence) {
	value, weight, valid := "", 0.0, false
	total, listed := 0.0, 0.0
	for _, s := range d.candidates(n.Value, e.Text) {
		p := math.Exp(min(e.Score(s), 0))
		if !(p > 0) {
			continue
		}
		listed += p
		w, ok := p*d.broken, false
		if number, fits := digits14(s); fits {
			if w, ok = d.weigh(&number); w > 0 {
				w *= p / d.own.weigh(&number)
			}
		}
		if total += w; w > weight {
			value, weight, valid = s, w, ok
		}
	}
	if weight == 0 {
		return
	}
	total += d.broken / strange * max(0, 1-listed)
	same := value == n.Value && valid
	n.Value, n.Confidence = value, min(1, weight/total)
	if same {
		return // the parts are as sure as the cells found them, and no surer than the length
	}
	n.Digits = [Length]float64{}
	if len(value) == Length {
		for i := range n.Digits {
			n.Digits[i] = n.Confidence
		}
	}
	n.Birth, n.Place, n.Sex = n.Confidence, n.Confidence, n.Confidence
}

// candidates lists each string once: two readings, and numbers of the grammar near the second.
func (d *decoder) candidates(value, text string) []string {
	list := []string{value}
	seen := map[string]struct{}{value: {}}
	add := func(s string, any bool) {
		if _, ok := seen[s]; ok {
			return
		}
		seen[s] = struct{}{}
		if number, ok := digits14(s); !any && (!ok || !d.calendar.grammar(&number)) {
			return
		}
		list = append(list, s)
	}
	if text != "" && strings.Trim(text, "0123456789") == "" {
		add(text, true)
	}
	switch len(text) {
	case Length - 2:
		for i := range len(text) + 1 {
			for k := i; k <= len(text); k++ {
				add(text[:i]+"0"+text[i:k]+"0"+text[k:], false)
			}
		}
	case Length - 1:
		for i := range len(text) + 1 {
			for digit := range 10 {
				add(text[:i]+string('0'+rune(digit))+text[i:], false)
			}
		}
	case Length + 1:
		for i := range len(text) {
			add(text[:i]+text[i+1:], false)
		}
	}
	return list
}

// digits14 takes fourteen Western digits.
func digits14(text string) (n number14, ok bool) {
	if len(text) != Length {
		return n, false
	}
	for i := range n {
		if n[i] = text[i] - '0'; n[i] > 9 {
			return n, false
		}
	}
	return n, true
}

// explainLength says in words which digits were put into a reading, or left out of it, to make a value.
func explainLength(read, value string) string {
	if len(read) > len(value) {
		return fmt.Sprintf("%d digits read, one left out", len(read))
	}
	var put []string
	k := 0
	for i := range value {
		if k < len(read) && read[k] == value[i] && len(read)-k <= len(value)-i {
			k++
			continue
		}
		put = append(put, fmt.Sprintf("%c as digit %d", value[i], i+1))
	}
	return fmt.Sprintf("%d digits read, %s put in", len(read), strings.Join(put, " and "))
}
