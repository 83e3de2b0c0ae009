package card

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/egypt"
)

// mostLabelWords is how many words a label of a national ID has at most.
const mostLabelWords = 2

// withoutLabel cuts off the words right of a line that introduce it, if there are any; of a line that is a label nothing is left. Labels are mostly printed so small
// that they cannot be read with the line: up to closely words at its right end are also read by themselves. found tells that there was a label.
func (s *sheet) withoutLabel(ctx context.Context, e *entry, labels []egypt.Phrase, closely int) (found bool, err error) {
	last := len(e.row) - 1
	if last < 0 {
		return false, nil
	}
	words := wordsOf(e.parts[last])
	n := labelWords(words, labels)
	for k := 1; n == 0 && k <= min(closely, len(words)); k++ {
		own := row{piece{cut(e.row[last].Line, (words[k-1].start+endOf(words, k))/2, 1)}}
		w, err := s.readWords(ctx, own)
		if err != nil {
			return false, err
		}
		if labelAlone(wordsOf(w), labels) {
			n = k
		}
	}
	for n > 0 && n < len(words) && isSigns(words[n].text) {
		n++
	}
	switch {
	case n == 0:
		return false, nil
	case n == len(words) && last == 0: // it stands by itself, above what it introduces
		*e = entry{}
		return true, nil
	}
	e.row = slices.Clone(e.row)
	if n == len(words) {
		e.row = e.row[:last]
	} else {
		e.row[last] = piece{cut(e.row[last].Line, 0, words[n].end+min(seamRoom*e.row[last].Height/e.row[last].Length(), (words[n-1].start-words[n].end)/2))}
	}
	if e.script, err = s.readWords(ctx, e.row); err == nil && len(e.parts) == 1 && labelAlone(wordsOf(e.parts[0]), labels) { // its other word
		*e = entry{}
	}
	return true, err
}

// labelAlone tells whether words are a label, with a letter or two of the word beside it at most: where a label cannot be read, the blank beside it is not found
// exactly.
func labelAlone(words []word, labels []egypt.Phrase) bool {
	const scrapLetters = 2
	n := labelWords(words, labels)
	return n > 0 && (n == len(words) || n == len(words)-1 && utf8.RuneCountInString(words[n].text) <= scrapLetters)
}

// withArticle are the labels that names do not come near to: a hardly legible ادم is read as اسم.
func withArticle(labels []egypt.Phrase) []egypt.Phrase {
	return slices.DeleteFunc(slices.Clone(labels), func(p egypt.Phrase) bool { return !articled(p) })
}

// articled tells whether a label holds the article.
func articled(p egypt.Phrase) bool { return strings.Contains(p.Text, "ال") }

// endOf is the right end of a word, as a share of the line; 0 beyond the last.
func endOf(words []word, k int) float64 {
	if k == len(words) {
		return 0
	}
	return words[k].end
}

// labelWords is how many of the words at the right end of a line are its label, with the signs that follow it.
func labelWords(words []word, labels []egypt.Phrase) int {
	texts := make([]string, min(len(words), mostLabelWords+1))
	for i := range texts {
		texts[i] = words[i].text
	}
	if whole := strings.Join(texts, " "); len(words) <= mostLabelWords && slices.ContainsFunc(labels, func(p egypt.Phrase) bool { return articled(p) && egypt.Likeness(whole, p.Text) >= joinedLike }) {
		return len(words)
	}
	at, ok := egypt.LocateLabel(texts, labels)
	if !ok || at.From > 0 || at.Score < 1 && !articled(at.Phrase) { // names come near to labels without the article
		return 0
	}
	for at.To < len(words) && isSigns(words[at.To].text) {
		at.To++
	}
	return at.To
}
