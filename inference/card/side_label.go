package card

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/egypt"
)

// mostLabelWords is how many words a label of a national ID has at most.
const mostLabelWords = 3

// mostSmallWords is how many words of a line are looked at by themselves at most.
const mostSmallWords = 2

// withoutLabel cuts off the words right of a line that introduce it, if there are any; of a line that is a label nothing is left. Labels are mostly printed so small
// that they cannot be read with the line: up to closely words at its right end are also read by themselves. label is the one that there was, or "".
func (s *sheet) withoutLabel(ctx context.Context, e *entry, labels []egypt.Phrase, closely int) (label egypt.Label, err error) {
	last := len(e.row) - 1
	if last < 0 {
		return "", nil
	}
	words := wordsOf(e.parts[last])
	label, n := labelWords(words, labels)
	for k := 1; n == 0 && k <= min(closely, len(words)); k++ {
		own := row{piece{cut(e.row[last].Line, (words[k-1].start+endOf(words, k))/2, 1)}}
		w, err := s.readWords(ctx, own)
		if err != nil {
			return "", err
		}
		if l, ok := labelAlone(wordsOf(w), labels); ok {
			label, n = l, k
		}
	}
	if label == egypt.LabelName && n > 0 && n+1 < len(words) && isSigns(words[n+1].text) { // no name holds a colon or a dash
		n++
	}
	for n > 0 && n < len(words) && isSigns(words[n].text) {
		n++
	}
	switch {
	case n == 0:
		return "", nil
	case n == len(words) && last == 0: // it stands by itself, above what it introduces
		*e = entry{}
		return label, nil
	}
	e.row = slices.Clone(e.row)
	if n == len(words) {
		e.row = e.row[:last]
	} else {
		p := e.row[last]
		e.row[last] = piece{cut(p.Line, 0, words[n].end+min(seamRoom*p.Height/p.Length(), (words[n-1].start-words[n].end)/2))}
	}
	if e.script, err = s.readWords(ctx, e.row); err == nil && len(e.parts) == 1 {
		rest := wordsOf(e.parts[0])
		if _, other := labelAlone(rest, labels); other { // its other word
			*e = entry{}
		} else if _, n := labelWords(rest, labels); n > 0 {
			_, err = s.withoutLabel(ctx, e, labels, 0)
		}
	}
	return label, err
}

// withoutLatin cuts off what stands in Latin letters beside a line in Arabic ones: a label in English.
func (s *sheet) withoutLatin(ctx context.Context, e *entry) (err error) {
	if arabicLetters(e.text) < shortWord || len(e.parts) != len(e.row) {
		return nil
	}
	latin := func(w word) bool { // digits may be read as letters
		t := strings.Trim(w.text, signs)
		return len(t) >= shortWord && !strings.ContainsFunc(t, func(r rune) bool { return !latinLetter(r) })
	}
	rest := row{}
	for i, part := range e.parts {
		words := wordsOf(part)
		first := slices.IndexFunc(words, func(w word) bool { return !latin(w) && !isSigns(w.text) })
		if first < 0 {
			continue
		}
		next := len(words)
		for next > first && (latin(words[next-1]) || isSigns(words[next-1].text)) {
			next--
		}
		if !slices.ContainsFunc(slices.Concat(words[:first], words[next:]), latin) {
			rest = append(rest, e.row[i])
			continue
		}
		from, to := reach(words, first, next)
		rest = append(rest, piece{cut(e.row[i].Line, from, to)})
	}
	if len(rest) == 0 || slices.Equal(rest, e.row) {
		return nil
	}
	e.row = rest
	e.script, err = s.readWords(ctx, rest)
	return err
}

// labelAlone reports whether words are a label, with a letter or two of the word beside it at most: where a label cannot be read, the blank beside it is not found
// exactly.
func labelAlone(words []word, labels []egypt.Phrase) (label egypt.Label, ok bool) {
	const scrapLetters = 2
	label, n := labelWords(words, labels)
	return label, n > 0 && (n == len(words) || n == len(words)-1 && utf8.RuneCountInString(words[n].text) <= scrapLetters)
}

// withArticle are the labels that names do not come near to: a hardly legible ادم is read as اسم.
func withArticle(labels []egypt.Phrase) []egypt.Phrase {
	return slices.DeleteFunc(slices.Clone(labels), func(p egypt.Phrase) bool { return !articled(p) })
}

// articled reports whether a label holds the article.
func articled(p egypt.Phrase) bool { return strings.Contains(p.Text, "ال") }

// endOf is the right end of a word, as a share of the line; 0 beyond the last.
func endOf(words []word, k int) float64 {
	if k == len(words) {
		return 0
	}
	return words[k].end
}

// labelWords is the label at the right end of a line and how many of the words it takes, with the signs that follow it; 0 where there is none.
func labelWords(words []word, labels []egypt.Phrase) (label egypt.Label, n int) {
	texts := make([]string, min(len(words), mostLabelWords+1))
	for i := range texts {
		texts[i] = words[i].text
	}
	if len(words) <= mostLabelWords {
		whole := strings.Join(texts, " ")
		shorter := strings.Join(texts[:max(0, len(texts)-1)], " ")
		if i := slices.IndexFunc(labels, func(p egypt.Phrase) bool {
			like := egypt.Likeness(whole, p.Text)
			return articled(p) && like >= joinedLike && like >= egypt.Likeness(shorter, p.Text) // else the last word is a short name
		}); i >= 0 {
			return labels[i].Label, len(words)
		}
	}
	at, ok := egypt.LocateLabel(texts, labels)
	scrap := at.From == 1 && (arabicLetters(texts[0]) < shortWord && at.To < len(words) && isSigns(words[at.To].text) || // the end of a word of the label
		strings.Contains(at.Phrase.Text, " ") && at.Score >= exactly) // a piece of the portrait
	if !ok || at.From > 0 && !scrap || at.Score < 1 && !articled(at.Phrase) { // names come near to labels without the article
		if at, ok = labelBeforeColon(texts, labels); !ok {
			return "", 0
		}
	}
	at = lengthened(at, texts, labels, furtherLike, nil)
	for at.To < len(words) && isSigns(words[at.To].text) {
		at.To++
	}
	return at.Phrase.Label, at.To
}

// labelBeforeColon is the label, however badly it was read, that a colon parts from the words after it.
func labelBeforeColon(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	const least = 0.6
	n := 1
	for n < len(words) && !colonAfter(words, n) {
		n++
	}
	if n >= min(len(words), mostLabelWords+1) {
		return best, false
	}
	text := strings.Trim(strings.Join(words[:n], " "), signs)
	for _, p := range labels {
		if like := egypt.Likeness(text, p.Text); like >= max(least, best.Score) {
			best, ok = egypt.Located{Phrase: p, Score: like, To: n}, true
		}
	}
	return best, ok
}

// furtherLike is the least likeness of words to the rest of a label that began before them, as in الاسم باكامل.
const furtherLike = 0.7
