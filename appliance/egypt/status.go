package egypt

import (
	"math"
	"slices"
	"strings"
)

// Candidate is a printed line, or a part of one, as it was read. One word or several may stand in it.
type Candidate struct {
	// Text is the best reading.
	Text string
	// LogProb is the natural logarithm of the probability of Text by its ink.
	LogProb float64
	// Score gives that of any other text in its place. nil: a distance from Text stands for it.
	Score func(text string) float64
}

// Choice is the value of a vocabulary field.
type Choice struct {
	// Value is the dictionary spelling, "" where the word is not printed or no word of the vocabulary.
	Value string
	// Printed is the spelling that the ink shows.
	Printed string
	// Confidence is the probability in 0..1 that Value is right, "" included.
	Confidence float64
	// Line is the candidate in which it was found, from 0; -1 where it was not.
	Line int
}

// Status is what the back's status row says.
type Status struct {
	Sex, Religion, Marital Choice
	// Gender is Sex as the service spells it, "" where it was not read.
	Gender Sex
	// Codes holds CodeGender where something is printed that should say the sex and is none.
	Codes []Code
}

// What is expected of a status row before its ink is seen, as natural logarithms of probabilities. Set by judgement on 20
// November 2026; on 220 backs photographed by the project's generator, with the places of the words given and an early
// recogniser, one of 660 words was lost, with a confidence of 0.68.
const (
	logNoSex      = -4.6 // 1 in 100: the word is always printed
	logNoReligion = -2.3 // newer cards are said to leave it out
	logNoMarital  = -3.5
	logDash       = -3.5
	logDisagree   = -5.3  // a word in the form of the other sex, 1 in 200
	logForeign    = -11.5 // a candidate that holds no word of the row: 1 in 100,000, so that ink decides
	// nearby is how far, in the nats of likely, a row may be from the best one and still be scored by its ink.
	nearby = 15.0
	// nats is what one unit of Distance costs where there is no ink to ask.
	nats = 5.0
)

// DecodeStatus reads the status row as a whole: sex, religion and marital state from right to left, in this order unless clear words stand in another, each at
// most once, in forms that agree in gender unless the ink says otherwise. Candidates are given from right to left, top to
// bottom; each may hold one word, several, or something else. Clear ink that is none of the words stays out of the row.
func DecodeStatus(candidates []Candidate) Status {
	s := &statusDecoder{candidates: candidates, words: StatusWords(), scores: map[lineText]inkScore{}}
	s.order = s.printedOrder()
	s.survey()
	return s.settle()
}

// lineText is a text in the place of a candidate.
type lineText struct {
	line int
	text string
}

type inkScore struct {
	log     float64
	printed string
}

// statusRow is one account of the row: the words printed, -1 none, and how many of them stand in each candidate.
type statusRow struct {
	word   [vocabularies]int
	counts [maxLines]int
	prior  float64
	likely float64 // by distance alone
}

// maxLines is how many candidates are looked at.
const maxLines = 6

type statusDecoder struct {
	candidates []Candidate
	folded     []string // what the candidates read
	words      []Word
	order      []Vocabulary // all, as they stand from right to left
	rows       []statusRow
	top        float64
	scores     map[lineText]inkScore
}

// ClearStatus is the likeness from which a reading is surely one of StatusWords.
const ClearStatus = 0.85

// printedOrder is the order in which the clear words stand; vocabularies of which none does follow.
func (s *statusDecoder) printedOrder() (order []Vocabulary) {
	usual := []Vocabulary{VocabularySex, VocabularyReligion, VocabularyMarital}
	for _, c := range s.candidates {
		for _, word := range strings.Fields(c.Text) {
			if m, _ := MatchWord(word, s.words); m.Score >= ClearStatus && !slices.Contains(order, m.Word.Vocabulary) {
				order = append(order, m.Word.Vocabulary)
			}
		}
	}
	if slices.IsSorted(order) {
		return usual
	}
	for _, v := range usual {
		if !slices.Contains(order, v) {
			order = append(order, v)
		}
	}
	return order
}

// survey lists all rows with a likelihood by distance.
func (s *statusDecoder) survey() {
	if len(s.candidates) > maxLines {
		s.candidates = s.candidates[:maxLines]
	}
	for _, c := range s.candidates {
		s.folded = append(s.folded, Fold(c.Text))
	}
	rough := map[lineText]float64{}
	s.top = math.Inf(-1)
	s.combine(func(row statusRow) {
		s.spread(row, 0, 0, func(r statusRow) {
			r.likely = r.prior
			for i, text := range s.texts(&r) {
				at := lineText{i, text}
				d, ok := rough[at]
				if !ok {
					d = s.rough(i, text)
					rough[at] = d
				}
				r.likely += d
			}
			s.top = max(s.top, r.likely)
			s.rows = append(s.rows, r)
		})
	})
}

// combine goes through all choices of words with their priors.
func (s *statusDecoder) combine(yield func(row statusRow)) {
	absent := [vocabularies]float64{logNoSex, logNoReligion, logNoMarital}
	var fill func(row statusRow, v Vocabulary)
	fill = func(row statusRow, v Vocabulary) {
		if v == vocabularies {
			yield(row)
			return
		}
		none := row
		none.word[v] = -1
		none.prior += absent[v]
		fill(none, v+1)
		for i, w := range s.words {
			if w.Vocabulary != v {
				continue
			}
			some := row
			some.word[v] = i
			if w.Text == Dash {
				some.prior += logDash
			}
			if s.disagrees(&row, v, w.Sex) {
				some.prior += logDisagree
			}
			fill(some, v+1)
		}
	}
	fill(statusRow{}, VocabularySex)
}

// disagrees reports whether a sex is another one than that of the words before a vocabulary.
func (s *statusDecoder) disagrees(row *statusRow, v Vocabulary, sex Sex) bool {
	for u := range v {
		if i := row.word[u]; i >= 0 && s.words[i].Sex != "" && sex != "" {
			return s.words[i].Sex != sex
		}
	}
	return false
}

// spread goes through all ways to put the words of a row into the candidates, in order.
func (s *statusDecoder) spread(row statusRow, line, used int, yield func(statusRow)) {
	total := 0
	for _, i := range row.word {
		if i >= 0 {
			total++
		}
	}
	if line == len(s.candidates) {
		if used == total {
			yield(row)
		}
		return
	}
	for n := 0; used+n <= total; n++ {
		row.counts[line] = n
		s.spread(row, line+1, used+n, yield)
	}
}

// texts is what a row puts into each candidate, in dictionary spelling.
func (s *statusDecoder) texts(row *statusRow) []string {
	out := make([]string, len(s.candidates))
	var printed []string
	for _, v := range s.order {
		if i := row.word[v]; i >= 0 {
			printed = append(printed, s.words[i].Text)
		}
	}
	at := 0
	for i := range out {
		out[i] = strings.Join(printed[at:at+row.counts[i]], " ")
		at += row.counts[i]
	}
	return out
}

// rough is the likelihood of a text in a candidate by its distance; "" is something foreign.
func (s *statusDecoder) rough(line int, text string) float64 {
	if text == "" {
		return logForeign
	}
	return -nats * Distance(s.folded[line], Fold(text))
}

// ink is the likelihood of a text in a candidate by its ink, in the spelling that fits best.
func (s *statusDecoder) ink(line int, text string) inkScore {
	c := &s.candidates[line]
	at := lineText{line, text}
	if known, ok := s.scores[at]; ok {
		return known
	}
	if text == "" {
		s.scores[at] = inkScore{c.foreign(), ""}
		return s.scores[at]
	}
	spelled := s.spell(c.Text, text)
	score := inkScore{-nats * Distance(c.Text, spelled), spelled}
	if c.Score != nil {
		score.log = c.Score(spelled) - c.LogProb
		if other := c.Score(text) - c.LogProb; spelled != text && !(score.log >= other) {
			score = inkScore{other, text}
		}
	}
	if math.IsNaN(score.log) {
		score.log = math.Inf(-1)
	}
	s.scores[at] = score
	return score
}

// foreign is the likelihood that a candidate is no word of the row: other text or, where the ink says so, none, as where a dash or the card's pattern was taken for a letter.
func (c *Candidate) foreign() float64 {
	if c.Score == nil {
		return logForeign
	}
	if blank := c.Score("") - c.LogProb; blank > logForeign {
		return blank
	}
	return logForeign
}

// spell chooses for each word of a text in dictionary spelling the variant that is nearest to what was read.
func (s *statusDecoder) spell(read, text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		for _, w := range s.words {
			if w.Text != word {
				continue
			}
			for _, v := range w.Variants {
				old := words[i]
				before := Distance(read, strings.Join(words, " "))
				if words[i] = v; Distance(read, strings.Join(words, " ")) >= before {
					words[i] = old
				}
			}
		}
	}
	return strings.Join(words, " ")
}

// settle weighs the rows that are near the best by their ink and reads off each field.
func (s *statusDecoder) settle() Status {
	out := Status{Sex: Choice{Line: -1}, Religion: Choice{Line: -1}, Marital: Choice{Line: -1}}
	if len(s.candidates) == 0 {
		return out
	}
	weights := make([]float64, len(s.rows))
	best, top := 0, math.Inf(-1)
	for i := range s.rows {
		r := &s.rows[i]
		if weights[i] = math.Inf(-1); r.likely < s.top-nearby {
			continue
		}
		weights[i] = r.prior
		for line, text := range s.texts(r) {
			weights[i] += s.ink(line, text).log
		}
		if weights[i] > top {
			best, top = i, weights[i]
		}
	}
	if math.IsInf(top, -1) {
		return out
	}
	var same [vocabularies]float64
	total := 0.0
	for i, w := range weights {
		p := math.Exp(w - top)
		total += p
		for v := range same {
			if s.rows[i].word[v] == s.rows[best].word[v] {
				same[v] += p
			}
		}
	}
	s.report(&s.rows[best], &out)
	out.Sex.Confidence, out.Religion.Confidence, out.Marital.Confidence = same[0]/total, same[1]/total, same[2]/total
	s.doubtOdd(&s.rows[best], &out)
	return out
}

// oddForm is the confidence that is left to a word in the form of another sex than the words beside it: such cards are printed, but as often a
// letter of a short word is overlooked.
const oddForm = 0.5

// doubtOdd lowers the confidence of what no more words of a row agree with in sex than differ from it.
func (s *statusDecoder) doubtOdd(row *statusRow, out *Status) {
	for v, c := range [vocabularies]*Choice{&out.Sex, &out.Religion, &out.Marital} {
		others := 0
		for u, i := range row.word {
			switch {
			case u == v || row.word[v] < 0 || i < 0 || s.words[i].Sex == "" || s.words[row.word[v]].Sex == "":
			case s.words[i].Sex == s.words[row.word[v]].Sex:
				others++
			default:
				others--
			}
		}
		if others < 0 {
			c.Confidence = min(c.Confidence, oddForm)
		}
	}
}

// report writes the words of a row into the fields.
func (s *statusDecoder) report(row *statusRow, out *Status) {
	fields := [vocabularies]*Choice{&out.Sex, &out.Religion, &out.Marital}
	texts := s.texts(row)
	line, used := 0, 0
	for _, v := range s.order {
		i := row.word[v]
		if i < 0 {
			continue
		}
		for used == row.counts[line] {
			line, used = line+1, 0
		}
		fields[v].Value, fields[v].Line = s.words[i].Text, line
		fields[v].Printed = strings.Fields(s.ink(line, texts[line]).printed)[used]
		used++
	}
	if i := row.word[VocabularySex]; i >= 0 {
		out.Gender = s.words[i].Sex
	} else if row.counts[0] == 0 && s.candidates[0].Text != "" {
		out.Codes = []Code{CodeGender}
	}
	if out.Religion.Value == Dash {
		out.Religion.Value = ""
	}
}
