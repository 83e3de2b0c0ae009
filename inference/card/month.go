package card

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// yearAlone is a year, and besideMonth what stands beside the name of a month: a year or a day.
var (
	yearAlone   = regexp.MustCompile(`^(19|20)[0-9]{2}$`)
	besideMonth = regexp.MustCompile(`^((19|20)[0-9]{2}|0?[1-9]|[12][0-9]|3[01])$`)
)

// withMonth writes the month that a reading of one piece names as its number, so that it is read as other dates are: ٩ ديسمبر ٢٠٢٤ is 2024/12/09 from left to right. A name
// is a month beside a year alone: streets are called after days.
func withMonth(w script) script {
	const ofYear = 4
	if digitsIn(w.text) < ofYear { // as of most lines
		return w
	}
	words := spansOf(w.symbols)
	says := make([]string, len(words)+2) // nothing stands before the first and behind the last
	for i, word := range words {
		says[i+1] = egypt.FoldDigits(wordOf(word.of(w.symbols)).text)
	}
	for i := range words {
		before, after := says[i], says[i+2]
		if !yearAlone.MatchString(before) && !yearAlone.MatchString(after) {
			continue
		}
		month := egypt.MonthNamed(says[i+1])
		if month == 0 {
			continue
		}
		first, last := i, i
		if besideMonth.MatchString(before) {
			first--
		}
		if besideMonth.MatchString(after) {
			last++
		}
		return w.dated(words[first:last+1], i-first, month)
	}
	return w
}

// dated is a reading in which words that are a date, the k-th the name of its month, are written in digits.
func (w script) dated(words []span, k, month int) script {
	var date []text.Symbol
	var named []string // in logical order
	for i, word := range words {
		signs := word.of(w.symbols)
		named = append(named, wordOf(signs).text)
		if i > 0 {
			date = append(date, text.Symbol{Rune: '/', Prob: 1, Start: date[len(date)-1].End, End: signs[0].Start})
		}
		switch {
		case i == k:
			date = append(date, twoDigits(month, signs)...)
		case len(signs) == 1: // a day without its zero
			zero := signs[0]
			zero.Rune = '0'
			zero.End = zero.Start
			date = append(date, zero, signs[0])
		default:
			date = append(date, signs...)
		}
	}
	if arabicLetters(named[k]) > 0 {
		slices.Reverse(named)
	}
	before, after, ok := strings.Cut(w.text, strings.Join(named, " "))
	if !ok {
		return w
	}
	w.text = before + wordOf(date).text + after
	w.month = true
	w.symbols = slices.Concat(w.symbols[:words[0].from], date, w.symbols[words[len(words)-1].to:])
	return w
}

// twoDigits are the digits of a month in the place of its name.
func twoDigits(month int, name []text.Symbol) []text.Symbol {
	digits := []rune(fmt.Sprintf("%02d", month))
	out := make([]text.Symbol, len(digits))
	start, end, prob := name[0].Start, name[len(name)-1].End, 1.0
	for _, s := range name {
		prob = min(prob, s.Prob)
	}
	for i, d := range digits {
		share := (end - start) / float64(len(digits))
		out[i] = text.Symbol{Rune: d, Prob: prob, Start: start + float64(i)*share, End: start + float64(i+1)*share}
	}
	return out
}

// span is a stretch of signs without blanks, from and up to but without to.
type span struct{ from, to int }

func (s span) of(symbols []text.Symbol) []text.Symbol { return symbols[s.from:s.to] }

// spansOf are the words of a reading as they stand, from left to right.
func spansOf(symbols []text.Symbol) (words []span) {
	from := 0
	for i := range len(symbols) + 1 {
		if i < len(symbols) && symbols[i].Rune != ' ' {
			continue
		}
		if i > from {
			words = append(words, span{from, i})
		}
		from = i + 1
	}
	return words
}
