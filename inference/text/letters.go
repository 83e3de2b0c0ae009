package text

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/inference/bidi"
)

// lettersFile says which letters follow which in Arabic words; bawab_training.train.letters makes it and describes its form.
//
//go:embed letters.bin.gz
var lettersFile []byte

// Letters says how likely a letter is behind up to four others of an Arabic word, by how often people write the words. It is read only
// and may be shared.
type Letters struct {
	keys  []uint32 // ascending: up to five letters, the last one lowest
	logs  []byte   // of each, -letterStep times the natural logarithm of the last letter's probability behind the others
	opens []byte   // of each, openZero and letterStep times the logarithm of what counts for one letter less where the next is not listed
}

// How the file writes letters and logarithms.
const (
	letterBits = 6
	letterLast = 1<<letterBits - 1
	wordEnd    = 62
	wordBegin  = 63
	letterMost = 4 // letters that tell what comes next
	letterStep = 16.0
	openZero   = 128
	unlisted   = -3.7 // natural logarithm for a letter of which nothing is known
)

// NewLetters reads the program's own table.
func NewLetters() (*Letters, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(lettersFile))
	if err != nil {
		return nil, fmt.Errorf("read letters: %w", err)
	}
	content, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("read letters: %w", err)
	}
	l, ok := lettersOf(content)
	if !ok {
		return nil, errors.New("read letters: the table is cut short")
	}
	return l, nil
}

func lettersOf(content []byte) (*Letters, bool) {
	if len(content) < 4 {
		return nil, false
	}
	count, rest := int(binary.LittleEndian.Uint32(content)), content[4:]
	if count > len(rest)/3 {
		return nil, false
	}
	l, key := &Letters{keys: make([]uint32, count)}, uint64(0)
	for i := range l.keys {
		step, n := binary.Uvarint(rest)
		if n <= 0 {
			return nil, false
		}
		key, rest = key+step, rest[n:]
		l.keys[i] = uint32(key)
	}
	if len(rest) != 2*count {
		return nil, false
	}
	l.logs, l.opens = rest[:count], rest[count:]
	return l, true
}

// log is the natural logarithm of the probability of a letter behind others.
func (l *Letters) log(past, letter uint32) float64 {
	less := 0.0
	for {
		if i, ok := slices.BinarySearch(l.keys, past<<letterBits|letter); ok {
			return less - float64(l.logs[i])/letterStep
		}
		if past == 0 {
			return less + unlisted
		}
		if i, ok := slices.BinarySearch(l.keys, past); ok {
			less += (float64(l.opens[i]) - openZero) / letterStep
		}
		past = shorter(past)
	}
}

// shorter is a run of letters without the first one.
func shorter(past uint32) uint32 {
	at := uint32(0)
	for past>>at > letterLast {
		at += letterBits
	}
	return past & (1<<at - 1)
}

// letterOf is a letter as the table has it; 0 for any other sign.
func letterOf(sign rune) uint32 {
	if sign >= 'ء' && sign <= 'غ' || sign >= 'ف' && sign <= 'ي' {
		return uint32(sign-'ء') + 1
	}
	return 0
}

// lettersBegun is the beginning of a line as Letters weighs it: its last letters, 0 outside words, and its weight.
type lettersBegun struct {
	past uint32
	log  float64
}

// What Letters weigh beside the ink. Chosen on 28 November 2026 on 2,800 drawn lines of names, invented words, addresses, prose and rare
// words in held-out fonts and 600 scanned lines of the two books that trained: the card of text_general has the figures.
const (
	lettersWeight = 0.22
	leastLetter   = -7.0 // of a letter: what no word has, such as that of a foreign name, costs no more
	usualLetter   = 3.0  // how much likelier than by the ink alone the usual letter is, and the usual end of a word: without it words
	usualEnd      = 1.2  // would be the likelier the shorter they are
	leastFamiliar = -2.6 // of a word that takes another's place: nine in ten of those that are written have more
	strangeWeight = 0.6  // of Letters where a word is less familiar: in pages with words that are misprinted 39 are won by it and 30 lost
)

// Next is the beginning one sign longer.
func (l *Letters) Next(p lettersBegun, sign rune) lettersBegun {
	letter := letterOf(sign)
	if letter == 0 {
		return lettersBegun{log: l.closed(p)}
	}
	if p.past == 0 {
		p.past = wordBegin
	}
	p.log += max(leastLetter, l.log(p.past, letter)) + usualLetter
	p.past = after(p.past, letter)
	return p
}

// closed is the weight of a beginning with its last word complete.
func (l *Letters) closed(p lettersBegun) float64 {
	if p.past == 0 {
		return p.log
	}
	return p.log + max(leastLetter, l.log(p.past, wordEnd)) + usualEnd
}

// lettersWeighed are Letters that count so much beside the ink.
type lettersWeighed struct {
	*Letters
	weight float64
}

// LogProb is the weight of a beginning, in nats of a wording.
func (l lettersWeighed) LogProb(p lettersBegun) float64 { return l.weight / WordingWeight * p.log }

// Whole is that of a line that ends there.
func (l lettersWeighed) Whole(p lettersBegun) float64 { return l.weight / WordingWeight * l.closed(p) }

// InWords is the reading with those letters and blanks that the ink allows and that Arabic words make likeliest; other signs stay as they
// were read. It is r itself where these are the same. Of words that are hardly any the letters tell more.
func (r *Reading) InWords(l *Letters) *Reading {
	out := r.inWords(l, lettersWeight)
	strange := func(word string) bool { return l.familiar(word) < leastFamiliar }
	if !slices.ContainsFunc(strings.Fields(out.text), strange) {
		return out
	}
	likelier := r.inWords(l, strangeWeight).text
	text, ok := exchanged(out.text, likelier, func(own, other string) bool { return strange(own) && !strange(other) })
	if !ok || text == out.text {
		return out
	}
	if again, ok := r.saying(text); ok {
		return again
	}
	return out
}

func (r *Reading) inWords(l *Letters, weight float64) *Reading {
	if r.text == "" || r.lattice == nil {
		return r
	}
	best := decode(r.lettersOpen(), lettersWeighed{l, weight})
	if len(best) == 0 || otherSigns(best[0].Text) != otherSigns(r.text) {
		return r
	}
	text := l.known(r.text, best[0].Text, leastFamiliar)
	if text == r.text {
		return r
	}
	out, ok := r.saying(text)
	if !ok {
		return r
	}
	return out
}

// How clear the ink of a line is, by its least sure letter or blank, so that what its words are tells nothing, and how much Letters weigh
// where they tell whether a line is to be doubted: more than where they choose a text, since a line is only looked at again, and the ink of
// letters that the network takes for others is seldom open. Chosen on 30 November 2026 on 160 drawn pictures of one line, 240 of several
// and 600 lines of books that carried no code: 11 of 22 wrong ones and 8 of 844 right ones are doubted.
const (
	clearInk    = 0.99
	doubtWeight = 1.0
)

// Unlikely reports whether other Arabic words, which the ink does not rule out, are far likelier than those that were read. How hamza is
// written and the room beside signs that are no letters do not count. That all signs are clear says nothing of one that was overlooked: a
// blank behind a letter that joins no other, or a letter above the next one.
func (r *Reading) Unlikely(l *Letters) bool {
	clear := true
	for _, s := range r.symbols {
		clear = clear && (isOther(s.Rune) || s.Prob >= clearInk)
	}
	read, likelier := wordsOf(r.text), wordsOf(r.inWords(l, doubtWeight).text)
	return likelier != read && (!clear || len(likelier) > len(read))
}

// wordsOf is a text, folded, with blanks between letters alone.
func wordsOf(text string) string {
	signs := []rune(arabic.Fold(text))
	out := make([]rune, 0, len(signs))
	for i, sign := range signs {
		if sign != ' ' || i > 0 && i+1 < len(signs) && letterOf(signs[i-1]) > 0 && letterOf(signs[i+1]) > 0 {
			out = append(out, sign)
		}
	}
	return string(out)
}

// lettersOpen is the reading with what is neither a letter nor a blank as it was read.
func (r *Reading) lettersOpen() *Reading {
	fixed := *r
	fixed.lattice = r.lattice.Held(func(class int) bool { return isOther(r.alphabet[class-1]) })
	return &fixed
}

// known is a text with the words of another in the place of its own, one for one, where these are built like words that are written, and
// at least so familiar: a name that is no such word stays as it was read, rather than become another that is none either.
func (l *Letters) known(read, spelled string, least float64) string {
	if text, ok := exchanged(read, spelled, func(_, other string) bool { return l.familiar(other) >= least }); ok {
		return text
	}
	return spelled
}

// exchanged is a text with those words of another in the place of its own, one for one, that may stand there; false where one has more
// words.
func exchanged(text, other string, may func(own, other string) bool) (string, bool) {
	words, others := strings.Fields(text), strings.Fields(other)
	if len(words) != len(others) {
		return "", false
	}
	for i, word := range others {
		if may(words[i], word) {
			words[i] = word
		}
	}
	return strings.Join(words, " "), true
}

// familiar is the mean logarithm of the probability of the letters of a word, and of its end.
func (l *Letters) familiar(word string) float64 {
	sum, count, past := 0.0, 0, uint32(wordBegin)
	for _, sign := range word {
		letter := letterOf(sign)
		if letter == 0 {
			continue
		}
		sum, count = sum+l.log(past, letter), count+1
		past = after(past, letter)
	}
	if count == 0 {
		return 0
	}
	return (sum + l.log(past, wordEnd)) / float64(count+1)
}

// after is what tells which letter comes next, one letter on.
func after(past, letter uint32) uint32 {
	return (past<<letterBits | letter) & (1<<(letterBits*letterMost) - 1)
}

// isOther reports whether a sign is neither an Arabic letter nor a blank.
func isOther(sign rune) bool { return sign != ' ' && letterOf(sign) == 0 }

// otherSigns are those of a text.
func otherSigns(text string) string {
	return strings.Map(func(sign rune) rune {
		if isOther(sign) {
			return sign
		}
		return -1
	}, text)
}

// saying is the same look at the same ink, read as a text in logical order; false where the ink does not allow it.
func (r *Reading) saying(text string) (*Reading, bool) {
	classes, ok := classesFor(bidi.Visual([]rune(text)), r.alphabet)
	if !ok {
		return r, false
	}
	runs, ok := r.lattice.Align(classes)
	if !ok {
		return r, false
	}
	out := *r
	share := func(column float64) float64 { return r.origin + r.step*column }
	out.symbols = symbols(runs, r.alphabet, share, symbolReach)
	out.text, out.logProb = spaced(bidi.Logical(out.visual())), r.lattice.Score(classes)
	return &out, out.text == text
}
