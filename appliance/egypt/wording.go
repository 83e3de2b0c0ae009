package egypt

import (
	"math"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/arabic"
)

// Wording says how likely a line of one kind of text is before its ink is seen. A word is one of a list, whatever its
// typist's habits, or any other that is built like the listed ones: a name that no list holds is less expected, and never
// impossible. It is read only and may be shared.
type Wording struct {
	nodes    []wordNode
	children map[edge]int32
	listed   map[string][]rune // folded words, as dictionaries have them
	words    float64
	contexts map[gram]context
	grams    map[gram]float64
	signs    signOdds
}

// wordNode is a beginning of listed words, as dictionaries have it.
type wordNode struct {
	under, ends float64 // listed words that begin so, and that end here
}

// The nodes before all words: none, and the empty beginning.
const (
	noNode = iota
	rootNode
)

type edge struct {
	from   int32
	letter rune
}

// gram is up to four letters and their count: the places of the letters in Unicode's Arabic block, the last one in the low
// byte, 0 for the edge of a word.
type gram uint64

// context is what followed some letters in the lists.
type context struct {
	seen      float64 // letters, and ends of words
	different float64
}

// gramReach is how many letters before it tell what letter comes next in an unlisted word.
const gramReach = 3

// alphabetSize is how many letters there are where nothing is known.
const alphabetSize = 42

// signOdds are the natural logarithms of the shares of what a line holds beside words.
type signOdds struct {
	number, sign, glued float64 // a number or a sign after a blank; either without one
}

// offList is the share of words that no list holds, by judgement: the lists are short, and names are many.
const offList = 0.15

// Natural logarithms of shares, by judgement.
const (
	logNext   = -0.3 // something follows a word or number
	logLast   = -1.4 // nothing does
	logLatin  = -9   // a Latin letter
	logDouble = -6   // a second blank
	logDigit  = -2.3 // each digit alike
	logMore   = -0.5 // a number goes on
	logWhole  = -0.9 // a number ends
	logStray  = -6   // a blank on one side of a sign alone

	logNumbers = -10 // a number behind a number: the first or the second is ع or م, which look like ٤ and ٥
)

// perSign is how much likelier than any sign the ink alone expects the usual sign to be: without it a line would be the
// likelier the shorter it is. Chosen with text.WordingWeight on the same lines.
const perSign = 2.2

// oftenAs is how many times as frequent as other listed words the frequent ones are.
const oftenAs = 60

// Listed is a word that a wording is to expect beside those of its list, or more often than it does.
type Listed struct {
	Text string
	// Often is how many times as frequent as a rare word of such lines it is.
	Often float64
}

// lineWordings are those of one kind of lines. The one of the program's list alone takes megabytes: it is made once and shared.
type lineWordings struct {
	list  func() *lexicon
	signs signOdds
	alone func() *Wording
}

func newLineWordings(list func() *lexicon, signs signOdds) lineWordings {
	return lineWordings{list, signs, sync.OnceValue(func() *Wording { return newWording(list(), nil, signs) })}
}

// with is the wording that expects more words as well.
func (w lineWordings) with(more []Listed) *Wording {
	if len(more) == 0 {
		return w.alone()
	}
	return newWording(w.list(), more, w.signs)
}

var (
	nameWordings    = newLineWordings(nameLexicon, signOdds{number: -8, sign: -7, glued: -9})
	addressWordings = newLineWordings(addressLexicon, signOdds{number: -1.9, sign: -2.2, glued: -4.5})
	jobWordings     = newLineWordings(jobLexicon, signOdds{number: -5, sign: -4, glued: -6})
)

// NewNameWording is the wording of lines of names. It is shared where nothing is added.
func NewNameWording(more ...Listed) *Wording {
	return nameWordings.with(more)
}

// NewAddressWording is the wording of lines of addresses, shared as that of names.
func NewAddressWording(more ...Listed) *Wording {
	return addressWordings.with(more)
}

// NewJobWording is the wording of lines of occupations and workplaces, shared as that of names.
func NewJobWording(more ...Listed) *Wording {
	return jobWordings.with(more)
}

// NewRemarkWording is the wording of remarks on licences: who must agree to a sale, who insures, what was changed.
func NewRemarkWording(more ...Listed) *Wording {
	return newWording(remarkLexicon(), more, signOdds{number: -3, sign: -4, glued: -6})
}

func newWording(l *lexicon, more []Listed, signs signOdds) *Wording {
	w := &Wording{
		nodes: make([]wordNode, rootNode+1), children: map[edge]int32{}, listed: map[string][]rune{}, contexts: map[gram]context{}, grams: map[gram]float64{}, signs: signs,
	}
	for _, e := range l.entries {
		w.list(e, e.often)
		w.learn(e.folded)
	}
	for _, word := range strings.Fields(wordList(frequentWords)) {
		folded := arabic.Fold(word)
		if spelled, ok := w.listed[folded]; ok {
			w.list(entry{folded: []rune(folded), spelled: spelled}, oftenAs)
		}
	}
	for _, m := range more {
		w.expect(m)
	}
	return w
}

// expect takes in a word that the list may lack, letter by letter as it is spelled.
func (w *Wording) expect(m Listed) {
	e := entry{folded: []rune(arabic.Fold(m.Text)), spelled: []rune(m.Text)}
	if len(e.folded) != len(e.spelled) {
		e.spelled = e.folded
	}
	if spelled, ok := w.listed[string(e.folded)]; ok {
		e.spelled = spelled
	} else {
		w.learn(e.folded)
	}
	w.list(e, m.Often)
}

// list puts a word into the tree, or makes it more frequent.
func (w *Wording) list(e entry, often float64) {
	w.words += often
	w.listed[string(e.folded)] = e.spelled
	at := int32(rootNode)
	for _, r := range e.spelled {
		next, ok := w.children[edge{at, r}]
		if !ok {
			next = int32(len(w.nodes))
			w.children[edge{at, r}] = next
			w.nodes = append(w.nodes, wordNode{})
		}
		at = next
		w.nodes[at].under += often
	}
	w.nodes[at].ends += often
}

// Knows reports whether a word is listed, in whatever spelling.
func (w *Wording) Knows(word string) bool {
	_, ok := w.listed[arabic.Fold(word)]
	return ok
}

// learn counts which letters follow which in a word.
func (w *Wording) learn(word []rune) {
	past := gram(0)
	for _, r := range append(word, 0) {
		for n := range gramReach + 1 {
			c, key := w.contexts[past.last(n)], past.last(n).with(r)
			c.seen++
			if w.grams[key]++; w.grams[key] == 1 {
				c.different++
			}
			w.contexts[past.last(n)] = c
		}
		past = past.shifted(r)
	}
}

// last is the end of a gram, n letters, with their count.
func (g gram) last(n int) gram { return g&(1<<(8*n)-1) | gram(n)<<40 }

// with is a gram of a counted context and the letter after it.
func (g gram) with(r rune) gram { return g>>40<<40 | g&(1<<40-1)<<8 | letterPlace(r) }

// shifted is the gram one letter on.
func (g gram) shifted(r rune) gram { return g<<8&(1<<(8*gramReach)-1) | letterPlace(r) }

func letterPlace(r rune) gram { return gram(r) & 0xff }

// logLetter is the likelihood of a letter, 0 for the end of the word, after others in an unlisted word: what followed
// the last three, and as far as that is open, what followed the last two, and so on (Witten and Bell).
func (w *Wording) logLetter(past gram, r rune) float64 {
	p := 1.0 / alphabetSize
	for n := range gramReach + 1 {
		if c := w.contexts[past.last(n)]; c.seen > 0 {
			p = (w.grams[past.last(n).with(r)] + c.different*p) / (c.seen + c.different)
		}
	}
	return math.Log(p)
}

// Prefix is the beginning of a line as a Wording weighs it. The zero Prefix is the empty beginning.
type Prefix struct {
	done         float64 // of all but the word at hand
	stand        standing
	behindNumber bool // at a blank
	// Of the word at hand:
	listed [mostListed]listedAs // the listed words that it may be, where any begins so
	past   gram
	free   float64 // as an unlisted word
}

// mostListed is of how many beginnings of listed words a printed one may be a spelling: of the alefs above all.
const mostListed = 5

// listedAs is a beginning of listed words, and the logarithm of the share of their prints that are spelled so.
type listedAs struct {
	node  int32 // noNode for none
	spelt float64
}

// standing is what a beginning ends in.
type standing byte

const (
	atBlank standing = iota // or nothing
	inWord
	inNumber
	afterSign  // that a blank follows
	afterGlued // that none follows
	afterDash  // close behind a word, with or without a blank behind it
)

// LogProb is the natural logarithm of the share of lines that begin so, against that of any signs as many.
func (w *Wording) LogProb(p Prefix) float64 {
	if p.stand != inWord {
		return p.done
	}
	return p.done + w.mix(p, func(n wordNode) float64 { return n.under }, 0)
}

// Whole is the same for lines that say this and nothing more.
func (w *Wording) Whole(p Prefix) float64 { return w.closed(p) + logLast }

// mix weighs the word at hand as a listed and as an unlisted one.
func (w *Wording) mix(p Prefix, count func(wordNode) float64, end float64) float64 {
	listed := 0.0
	for _, as := range p.listed {
		if as.node != noNode {
			listed += (1 - offList) * math.Exp(as.spelt) * count(w.nodes[as.node]) / w.words
		}
	}
	return math.Log(listed + offList*math.Exp(p.free+end))
}

// closed is the likelihood of a beginning with its last word or number complete.
func (w *Wording) closed(p Prefix) float64 {
	switch p.stand {
	case inWord:
		return p.done + w.mix(p, func(n wordNode) float64 { return n.ends }, w.logLetter(p.past, 0))
	case inNumber:
		return p.done + logWhole
	}
	return p.done
}

// Next is the beginning one sign longer.
func (w *Wording) Next(p Prefix, r rune) Prefix {
	digit := arabic.FoldDigits(string(r))[0]
	switch {
	case arabicLetter(r):
		p = w.letter(p, r)
	case r == ' ':
		p = w.blank(p)
	case digit >= '0' && digit <= '9':
		p = w.digit(p)
	case isLatin(r):
		p = Prefix{done: w.closed(p) + logLatin, stand: afterGlued}
	default:
		p = w.sign(p, r)
	}
	p.done += perSign
	return p
}

// sign puts a sign after a blank, or glues it to what stands before.
func (w *Wording) sign(p Prefix, r rune) Prefix {
	next := Prefix{done: w.closed(p) + logSign(r), stand: afterSign}
	switch {
	case p.stand == atBlank:
		next.done += w.signs.sign
	case p.stand == inNumber && r == '/': // houses have such numbers
		next.done += w.signs.sign
	default:
		next.done += w.signs.glued
	}
	switch r {
	case '-':
		switch p.stand {
		case atBlank:
		case inWord:
			next.stand = afterDash
		default:
			next.stand = afterGlued
		}
	case '(':
		next.stand = afterGlued
	case ')', '.', '،', ',', ':':
	default:
		if p.stand != atBlank {
			next.stand = afterGlued
		}
	}
	return next
}

// blank ends a word.
func (w *Wording) blank(p Prefix) Prefix {
	next := Prefix{done: w.closed(p), behindNumber: p.stand == inNumber}
	switch p.stand {
	case inWord, inNumber:
		next.done += logNext
	case afterGlued:
		next.done += logStray
	case atBlank:
		next.done += logDouble
	}
	return next
}

// digit goes on with a number, or begins one.
func (w *Wording) digit(p Prefix) Prefix {
	next := Prefix{done: w.closed(p) + logDigit, stand: inNumber}
	switch p.stand {
	case inNumber:
		next.done = p.done + logMore + logDigit
	case atBlank, afterGlued, afterDash:
		next.done += w.signs.number + p.withoutBlank()
		if p.behindNumber {
			next.done += logNumbers
		}
	case afterSign:
		next.done += w.signs.number + logStray
	case inWord:
		next.done += w.signs.number + w.signs.glued
	}
	return next
}

// withoutBlank is what goes on without the blank behind a dash that stands close to its word: as much as with it, since typists do either,
// and the ink alone tells.
func (p Prefix) withoutBlank() float64 {
	if p.stand == afterDash {
		return perSign
	}
	return 0
}

// logSign is the share of a sign among the signs.
func logSign(r rune) float64 {
	switch r {
	case '-', '–': // the ink tells them apart
		return -0.4
	case '/', '(', ')', '،', '.':
		return -2.5
	case '`', '^', '~', '|', '\\', '{', '}', '<', '>': // on no document
		return -12
	}
	return -6
}

// letter goes on with a word, or begins one.
func (w *Wording) letter(p Prefix, r rune) Prefix {
	if p.stand != inWord {
		switch p.stand {
		case inNumber:
			p.done += logWhole + w.signs.glued
		case afterSign:
			p.done += logStray
		}
		p = Prefix{done: p.done + p.withoutBlank(), stand: inWord}
		p.listed = w.spelledAs([mostListed]listedAs{{node: rootNode}}, r)
	} else {
		p.listed = w.spelledAs(p.listed, r)
	}
	folded := arabic.FoldLetter(r)
	p.free += w.logLetter(p.past, folded) + logVariant(r)
	p.past = p.past.shifted(folded)
	return p
}

// spelledAs are the beginnings of listed words that go on from others with a letter that may be printed so.
func (w *Wording) spelledAs(from [mostListed]listedAs, printed rune) (to [mostListed]listedAs) {
	for _, as := range from {
		if as.node == noNode {
			continue
		}
		for _, dictionary := range spellingsOfLetter(printed) {
			next, ok := w.children[edge{as.node, dictionary}]
			if !ok {
				continue
			}
			as := listedAs{next, as.spelt + logSpelling(dictionary, printed)}
			// The likeliest stay.
			for i := range to {
				if to[i].node == noNode || w.share(as) > w.share(to[i]) {
					as, to[i] = to[i], as
				}
			}
		}
	}
	return to
}

// share is the weight of a beginning of listed words.
func (w *Wording) share(as listedAs) float64 { return math.Exp(as.spelt) * w.nodes[as.node].under }

// spellingsOfLetter are the letters of dictionaries that may be printed as a letter: all that fold into the same.
func spellingsOfLetter(printed rune) string {
	switch folded := arabic.FoldLetter(printed); folded {
	case 'ا':
		return "اأإآ"
	case 'ي':
		return "يىئ"
	case 'ه':
		return "هة"
	case 'و':
		return "وؤ"
	default:
		return string(folded)
	}
}

// logSpelling is the share of prints in which a dictionary's letter is spelled so: many typists leave hamzas out, and
// put ى for a last ي and ه for ة.
func logSpelling(dictionary, printed rune) float64 {
	usual := -0.03
	switch dictionary {
	case 'أ', 'إ', 'آ':
		usual = -0.5
	case 'ي':
		usual = -0.6
	case 'ى', 'ة':
		usual = -0.3
	case 'ؤ':
		usual = -0.2
	}
	switch printed {
	case dictionary:
		return usual
	case otherSpelling(dictionary):
		return math.Log(1 - math.Exp(usual))
	case 'آ': // nobody prints it for another
		return -7
	}
	return -4.5
}

// otherSpelling is how typists who do not print a dictionary's letter print it, ي and ى at the end of a word alone; 0 where all
// print it.
func otherSpelling(dictionary rune) rune {
	switch dictionary {
	case 'أ', 'إ', 'آ':
		return 'ا'
	case 'ي':
		return 'ى'
	case 'ى':
		return 'ي'
	case 'ة':
		return 'ه'
	case 'ؤ':
		return 'و'
	}
	return 0
}

// logVariant is the share of a letter among those that fold into the same.
func logVariant(r rune) float64 {
	switch r {
	case 'ا':
		return -0.3
	case 'أ', 'إ', 'ئ':
		return -2
	case 'آ', 'ؤ':
		return -3
	case 'ي', 'ى', 'ه', 'ة':
		return -0.7
	}
	return 0
}

func arabicLetter(r rune) bool { return r >= 'ء' && r <= 'ي' && r != 'ـ' || r > 'ٮ' && r <= 'ە' }

func isLatin(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }
