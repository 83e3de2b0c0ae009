package card

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/egypt"
)

// cutAtLabels cuts a cell at the labels in it, and reads each part anew.
func (s *sheet) cutAtLabels(ctx context.Context, c cell, labels []egypt.Phrase) (cells, error) {
	if spans, found := withoutLeaders(c.script); found {
		return s.cutAtLeaders(ctx, c, spans, labels)
	}
	words := wordsOf(c.script)
	if len(words) > 1 && isSigns(words[0].text) { // what is left of a label that stands apart, or an ornament
		if to := words[1].end - c.seam(); (1-to)*c.whole().Length() > leastCut*c.height() {
			return s.cutFurther(ctx, c, 0, to, labels)
		}
		words = words[1:]
	}
	texts := textsOf(words)
	at, ok := s.labelAfterValue(texts, labels)
	if !ok {
		if at, ok = s.labelAmong(c, words, texts, labels); ok {
			at = upToColon(lengthened(begun(at, texts, labels), texts, labels, hardlyLike, s.known[egypt.LabelUse]), texts, labels)
			ok = announces(at, texts)
		}
	}
	if !ok {
		if i := s.unitAfter(texts); i > 0 {
			return s.cutBefore(ctx, c, words, i, labels)
		}
		if at, ok = s.misread(texts, labels); !ok {
			at, ok = beforeSerial(texts, labels)
		}
		if !ok {
			if n := len(words) - 1; n > 0 && isSigns(words[n].text) { // what parts it from the next label
				part, err := s.part(ctx, c, words[n-1].start-c.seam(), 1)
				return cells{part}, err
			}
			return s.cutAtNumber(ctx, c, words, labels)
		}
	}
	if at.Phrase.Label == egypt.LabelInspection && at.From == 0 && ofVerdict(c.text) {
		return cells{c}, nil
	}
	for at.To < len(words) && (isSigns(words[at.To].text) || bracketed(texts[at.To]) && at.Phrase.Label != egypt.LabelAddress || at.Phrase.Label == egypt.LabelVolume && cubed(texts[at.To:])) {
		at.To++
	}
	out := cells{}
	if at.From > 0 { // what stands right of the label
		parts, err := s.cutFurther(ctx, c, words[at.From-1].start+c.seam(), 1, labels)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	from, to := reach(words, at.From, at.To)
	label := c
	label.row, label.label, label.likeness = row{{cut(c.row[0].Line, from, to)}}, at.Phrase.Label, at.Score
	label.script = script{text: strings.Join(texts[at.From:at.To], " "), confidence: c.confidence, symbols: c.symbols}
	out = append(out, label)
	if at.To == len(words) {
		return out, nil
	}
	parts, err := s.cutFurther(ctx, c, 0, words[at.To].end-c.seam(), labels)
	return append(out, parts...), err
}

// cubed reports whether words begin with what is left of the unit سم٣ that a number follows.
func cubed(words []string) bool {
	if len(words) < 2 || !anyDigit(words[len(words)-1]) {
		return false
	}
	return slices.Contains([]string{"3", "م3", "سم3"}, strings.Trim(egypt.FoldDigits(words[0]), signs))
}

// reach is from where to where, as shares of their line, words first to next-1 reach: to the middle of the gaps beside them, or to the ends of the line.
func reach(words []word, first, next int) (from, to float64) {
	to = 1
	if first > 0 {
		to = (words[first].end + words[first-1].start) / 2
	}
	if next < len(words) {
		from = (words[next-1].start + words[next].end) / 2
	}
	return from, to
}

// labelAmong finds the label among the words of a cell. Amid them it is one where it stands apart, where a colon follows it, or where the card is laid out from left
// to right.
func (s *sheet) labelAmong(c cell, words []word, texts []string, labels []egypt.Phrase) (at egypt.Located, ok bool) {
	at, ok = egypt.LocateLabel(texts, labels)
	if at.From > 1 && at.Phrase.Label == egypt.LabelEnglish { // it may be the second half of a label in two languages
		if own, found := egypt.LocateLabel(texts[:at.From], labels); found && own.From > 0 && own.To == at.From {
			at = own
		}
	}
	switch {
	case at.From == 0 || at.Phrase.Label == egypt.LabelEnglish:
	case ofAddress(texts[at.From-1]), egypt.Fold(texts[at.From-1]) == "حتي": // streets are called by such words, too, and remarks speak of terms
		return leading(texts, labels)
	case at.Score >= exactly && (colonAfter(texts, at.To) || strings.HasSuffix(texts[at.To-1], "/") || signAfter(at, texts) || neverInValues(at.Phrase) || ofProse(at.Phrase)):
	case !anyArabic(texts[:at.From]) && anyArabic(texts[at.From:at.To]): // right of it a label in English
	case beforeEnglish(texts[at.To:]):
		s.fromLeft++
	case s.fromLeft < fewestFromLeft && !standsApart(words, at.From, c):
		return leading(texts, labels)
	}
	return at, ok
}

// labelAfterValue finds the label of the next column behind a value that a list holds: the detector saw both as one line. Seats and loads, which remarks speak
// of, announce no field there.
func (s *sheet) labelAfterValue(texts []string, labels []egypt.Phrase) (at egypt.Located, ok bool) {
	if len(texts) < 2 {
		return at, false
	}
	at, ok = egypt.LocateLabel(texts, slices.Concat(labels, seats()))
	if !ok || at.From == 0 || at.To < len(texts) || at.Score < exactly || ofChange(texts[at.From-1]) || !s.known.holds(strings.Join(texts[:at.From], " ")) {
		return at, false
	}
	return ofSeats(at), true
}

// anyArabic reports whether words hold Arabic letters.
func anyArabic(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return arabicLetters(w) > 0 })
}

// neverInValues reports whether no value holds the words of a label, several of which introduce a date or the kind of a driving licence: a rule alone may part it from the one
// beside it.
func neverInValues(p egypt.Phrase) bool {
	first, _, several := strings.Cut(p.Text, " ")
	return several && (p.Label == egypt.LabelLicenceType || slices.Contains([]string{"تاريخ", "نهاية", "انتهاء", "موعد"}, first))
}

// ofProse reports whether a label stands in running text, where it goes on with the sentence and no value holds it.
func ofProse(p egypt.Phrase) bool {
	return slices.Contains([]string{
		"ومحل الإقامة", "والمقيم في", "والمقيمة في", "يرخص بتسيير المركبة رقم", "هيكلها", "وموتور رقم", "ولونها", "وتعمل بوقود", "وعدد سلندراتها", "والسعة اللترية",
		"بتاريخ الفحص",
	}, p.Text)
}

// upToColon is a label that a colon ends within the words that it was found in: المهنة: موظفة holds the first word of the value.
func upToColon(at egypt.Located, words []string, labels []egypt.Phrase) egypt.Located {
	for to := at.From + 1; to < at.To; to++ {
		if shorter, ok := egypt.LocateLabel(words[at.From:to], labels); ok && colonAfter(words, to) && shorter.From == 0 {
			return egypt.Located{Phrase: shorter.Phrase, Score: shorter.Score, From: at.From, To: to}
		}
	}
	return at
}

// colons are what a small colon is read as.
const colons = ":؛"

// colonAfter reports whether a colon stands before the word n.
func colonAfter(texts []string, n int) bool {
	return strings.TrimRight(texts[n-1], colons) != texts[n-1] || n < len(texts) && strings.TrimLeft(texts[n], colons) != texts[n]
}

// signAfter reports whether a sign stands behind a label of several words, which no value holds so.
func signAfter(at egypt.Located, texts []string) bool {
	return strings.Contains(at.Phrase.Text, " ") && at.To < len(texts) && isSigns(texts[at.To])
}

// cutFurther reads the part of a cell between two shares of its length and cuts it at the labels in it, unless it is hardly shorter
// than the cell: there the same cut would be found again for ever.
func (s *sheet) cutFurther(ctx context.Context, c cell, from, to float64, labels []egypt.Phrase) (cells, error) {
	part, err := s.part(ctx, c, from, to)
	if err != nil {
		return nil, err
	}
	if part.whole().Length() > c.whole().Length()-leastCut*c.height() {
		return cells{part}, nil
	}
	return s.cutAtLabels(ctx, part, labels)
}

// ofVerdict reports whether a line says how an inspection ended, as الفحص الفني سليم and اجتازت الفحص do, and not when it was.
func ofVerdict(text string) bool {
	words := strings.Fields(egypt.Fold(text))
	if len(words) > 1 && slices.Contains([]string{"اجتازت", "اجتاز", "مطابق", "مطابقه"}, words[0]) {
		return true
	}
	return len(words) > 1 && slices.Contains([]string{"سليم", "صالح", "لائق", "مقبول", "ناجح"}, words[len(words)-1]) && likeBeginning(text, egypt.LabelInspection) >= leadingLike
}

// leastCut is how much, in heights, is cut off at least.
const leastCut = 0.3

// leading finds a label that the first words make up: the one that they are most like, and of two alike the longer one.
func leading(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	const perWord = 0.05 // what a word more may cost
	most, least := 0.0, leadingLike
	if len(words) > 0 && (ofAddress(words[0]) || egypt.NoLabel(words)) {
		least = exactly
	}
	for n := 1; n <= min(3, len(words)); n++ {
		text := strings.Trim(strings.Join(words[:n], " "), signs)
		for _, p := range labels {
			like := egypt.Likeness(text, p.Text)
			if merit := like + perWord*float64(n); like >= least && merit > most {
				best, most, ok = egypt.Located{Phrase: p, Score: like, To: n}, merit, true
			}
		}
	}
	return best, ok
}

// misread finds a label that could hardly be read among the first words: what follows it is a value of its list or made of names, or a colon parts it from that.
// Seats and loads are looked for as well, since they are like others: they announce no field.
func (s *sheet) misread(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	const mostWords, beforeColon = 3, 0.6
	if len(words) < 2 || ofAddress(words[0]) || egypt.NoLabel(words) || egypt.Fold(words[0]) == "تعديل" { // تعديل وقود غاز طبيعي
		return best, false
	}
	labels = slices.Concat(labels, seats())
	most, whole := 0.0, strings.Trim(strings.Join(words, " "), signs)
	for n := 1; n <= min(mostWords, len(words)-1); n++ {
		text, value := strings.Trim(strings.Join(words[:n], " "), signs), strings.Trim(strings.Join(words[n:], " "), signs)
		for _, p := range labels {
			least := beforeColon
			switch terms := s.known[p.Label]; {
			case p.Label == egypt.LabelEnglish:
				continue
			case terms != nil && terms.Holds(value) && !terms.Holds(whole): // أتوبيس رحلات is no label and a value
				least = hardlyLike
			case p.Label == egypt.LabelName && articled(p) && n == 1 && beforeName(words):
			case !colonAfter(words, n):
				continue
			}
			if like := egypt.Likeness(text, p.Text); like >= least && like > most {
				best, most, ok = egypt.Located{Phrase: p, Score: like, To: n}, like, true
			}
		}
	}
	return ofSeats(best), ok
}

// ofSeats makes the labels of seats and loads ones of no field.
func ofSeats(at egypt.Located) egypt.Located {
	if at.Phrase.Label == egypt.LabelPassengers || at.Phrase.Label == egypt.LabelLoad {
		at.Phrase.Label = egypt.LabelOther
	}
	return at
}

// beforeName reports whether a name follows the first of some words, which is none itself unless a sign parts the two.
func beforeName(words []string) bool {
	rest := words[1:]
	parted := len(rest) > 1 && isSigns(rest[0])
	if parted {
		rest = rest[1:]
	}
	return egypt.IsName(rest[0]) && (parted || !egypt.IsName(words[0]))
}

// beforeSerial finds the label, misread, that stands before a number of a chassis or an engine: the script tells where it ends.
func beforeSerial(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	n := slices.IndexFunc(words, func(w string) bool {
		digits := digitsIn(w)
		return digits >= 4 && len([]rune(w)) >= 6 && !slices.ContainsFunc([]rune(w), arabicLetter) && !dateLike(w)
	})
	if n < 1 || n > 2 {
		return best, false
	}
	most, text := hardlyLike, strings.Trim(strings.Join(words[:n], " "), signs)
	initials := map[string]egypt.Label{"ش": egypt.LabelChassis, "م": egypt.LabelMotor}
	for _, p := range labels {
		if text != "" && initials[text] == p.Label {
			return egypt.Located{Phrase: p, Score: 1, To: n}, true
		}
		if l := egypt.Likeness(text, p.Text); (p.Label == egypt.LabelChassis || p.Label == egypt.LabelMotor) && l > most {
			best, most, ok = egypt.Located{Phrase: p, Score: l, To: n}, l, true
		}
	}
	return best, ok
}

// leadingLike is the least likeness of the first words to a label.
const leadingLike = 0.75

// lengthened is a label with the words after it that belong to it, misread: at least so like those of a longer wording of the same label, or of
// the year of the model, whose label begins like that of the model. A name is none of them, as in الاسم كامل محمود and الاسم رانيا, nor is a use: رخصة تسيير سياحة. uses
// may be nil where labels holds no title of vehicle licences.
func lengthened(at egypt.Located, words []string, labels []egypt.Phrase, least float64, uses *egypt.Terms) egypt.Located {
	for _, p := range labels {
		to := at.From + len(strings.Fields(p.Text))
		fits := p.Label == at.Phrase.Label || p.Label == egypt.LabelModelYear && at.Phrase.Label == egypt.LabelModel
		if !fits || to <= at.To || to > len(words) || !strings.HasPrefix(p.Text, at.Phrase.Text+" ") {
			continue
		}
		rest, want := strings.Trim(strings.Join(words[at.To:to], " "), signs), p.Text[len(at.Phrase.Text)+1:]
		like := least
		if p.Label == egypt.LabelName {
			like = max(least, furtherLike)
		}
		if egypt.Likeness(rest, want) >= like && !egypt.IsName(strings.Trim(words[at.To], signs)) && (p.Label != egypt.LabelVehicle || !uses.Holds(rest)) {
			at.Phrase, at.To = p, to
		}
	}
	return at
}

// begun is a label with the words before it that belong to it, misread: so like those of a longer wording of the same label that ends in its own, as عحل السكن is محل السكن.
func begun(at egypt.Located, words []string, labels []egypt.Phrase) egypt.Located {
	const like = 0.6
	for _, p := range labels {
		first, ok := strings.CutSuffix(p.Text, " "+at.Phrase.Text)
		from := at.From - len(strings.Fields(first))
		if !ok || p.Label != at.Phrase.Label || from < 0 {
			continue
		}
		if egypt.Likeness(strings.Join(words[from:at.From], " "), first) >= like {
			at.Phrase, at.From = p, from
		}
	}
	return at
}

// signs stand between a label and its value.
const signs = ":.;،؛-–|!'/"

// ornaments are what frames and ornaments beside text are read as.
const ornaments = "~*«»[]{}"

// isSigns reports whether a word is made of these alone.
func isSigns(word string) bool { return strings.Trim(word, signs+ornaments) == "" }

// standsApart reports whether a wider gap than between words parts a word from the one right of it, or one of the two is a number:
// then another column begins there.
func standsApart(words []word, i int, c cell) bool {
	gap := (words[i-1].start - words[i].end) * c.whole().Length()
	digits := digitsIn(words[i-1].text)
	return gap > columnGap*c.height() || digits > 0
}

// withoutEnglish cuts the lines that reach into a column of English labels at the left: the detector saw a label as the end of a value, as which it is read as digits. What stands
// in the column and is much like such a label is one.
func (s *sheet) withoutEnglish(ctx context.Context, all cells) (cells, error) {
	const muchLike = 0.75
	left, right, ok := all.englishColumn()
	if !ok {
		return all, nil
	}
	english := egypt.PhrasesOf(egypt.LabelEnglish)
	out := slices.Clone(all)
	for i := range out {
		c := &out[i]
		if c.label == "" && math.Abs(c.left()-left) < columnNear && latinShare(c.text) > latinLine && slices.ContainsFunc(english, func(p egypt.Phrase) bool { return egypt.Likeness(c.text, p.Text) > muchLike }) {
			c.label = egypt.LabelEnglish
		}
		if c.label != "" || len(c.row) != 1 || c.left() > left+columnNear || c.right() < right+columnNear || latinShare(c.text) > latinLine {
			continue
		}
		words, w := wordsOf(c.script), c.whole()
		share := (right*viewWidth - w.Start.X) / max(w.End.X-w.Start.X, 1)
		n := len(words)
		for n > 0 && (words[n-1].start+words[n-1].end)/2 < share && arabicLetters(words[n-1].text) == 0 {
			n--
		}
		if n == 0 || n == len(words) {
			continue
		}
		value, err := s.part(ctx, *c, words[n-1].start-c.seam(), 1)
		if err != nil {
			return nil, err
		}
		*c = value
	}
	return out, nil
}

// latinLine is the share of Latin letters from which on a line is in that script, and begins where its labels do.
const latinLine = 0.9

// columnNear is how far apart, as a share of the card's width, the labels of a column begin.
const columnNear = 0.03

// englishColumn is from where to where a column of English labels stands with nothing left of it; ok is false where there is none.
func (a cells) englishColumn() (left, right float64, ok bool) {
	const fewest = 4
	var lefts []float64
	for i := range a {
		if a[i].label == egypt.LabelEnglish && len(a.leftOf(i)) == 0 && a[i].right() < 0.5 {
			lefts = append(lefts, a[i].left())
		}
	}
	if len(lefts) < fewest {
		return 0, 0, false
	}
	left = middle(lefts)
	n := 0
	for i := range a {
		if c := &a[i]; c.label == egypt.LabelEnglish && math.Abs(c.left()-left) < columnNear {
			right = max(right, c.right())
			n++
		}
	}
	return left, right, n >= fewest
}

// columnGap is the least gap between columns, in heights.
const columnGap = 0.9

// cutAtColumns cuts the values that reach below two labels beside each other where the left one ends: the detector saw the
// values of two columns as one line.
func (s *sheet) cutAtColumns(ctx context.Context, all cells) (cells, error) {
	var out cells
	for i := range all {
		c := all[i]
		at, ok := all.columnEnd(i)
		if !ok || len(c.row) != 1 {
			out = append(out, c)
			continue
		}
		w := c.whole()
		share := (at*viewWidth - w.Start.X) / max(w.End.X-w.Start.X, 1)
		words := wordsOf(c.script)
		n := slices.IndexFunc(words, func(w word) bool { return w.end < share+0.8*c.height()/c.whole().Length() })
		if n <= 0 || words[n-1].start < share-0.3*c.height()/c.whole().Length() {
			out = append(out, c)
			continue
		}
		room := c.seam()
		right, err := s.part(ctx, c, words[n-1].start-room, 1)
		if err != nil {
			return nil, err
		}
		left, err := s.part(ctx, c, 0, words[n].end+room)
		if err != nil {
			return nil, err
		}
		out = append(out, right, left)
	}
	return out, nil
}

// cutBeforeNext cuts the values that end with the label of the value left of them, which has no other: the detector saw a column and the label of the next as one line.
func (s *sheet) cutBeforeNext(ctx context.Context, all cells, labels []egypt.Phrase) (out cells, err error) {
	for i, c := range all {
		words := wordsOf(c.script)
		at, ok := egypt.Located{}, false
		if c.label == "" && len(c.row) == 1 && len(words) > 1 {
			if next := all.leftOf(i); len(next) > 0 && all[next[0]].label == "" {
				at, ok = labelAtEnd(textsOf(words), labels, all.labelledFromRight(i))
			}
		}
		if !ok {
			out = append(out, c)
			continue
		}
		before, err := s.cutFurther(ctx, c, words[at.From-1].start+c.seam(), 1, labels)
		if err != nil {
			return nil, err
		}
		_, to := reach(words, at.From, at.To)
		c.row, c.label, c.likeness = row{{cut(c.row[0].Line, 0, to)}}, at.Phrase.Label, at.Score
		out = append(append(out, before...), c)
	}
	return out, nil
}

// labelledFromRight reports whether the next cell right of one on its height is a label.
func (a cells) labelledFromRight(i int) bool {
	nearest := -1
	for k := range a {
		if k != i && a[k].level(&a[i]) && a[k].centre() > a[i].right() && (nearest < 0 || a[k].left() < a[nearest].left()) {
			nearest = k
		}
	}
	return nearest >= 0 && a[nearest].label != ""
}

// labelAtEnd finds the label that words end with. Addresses end with words that are labels elsewhere; offices, which are called after places as well, do not. Behind other
// words an office is theirs: رئيس الوحدة. labelled tells that the words have a label of their own: else they may be one, مكتب الترخيص.
func labelAtEnd(words []string, labels []egypt.Phrase, labelled bool) (at egypt.Located, ok bool) {
	text := strings.Join(words, " ")
	office := max(likeBeginning(text, egypt.LabelDepartment), likeBeginning(text, egypt.LabelUnit)) >= leadingLike
	for from := 1; from < len(words); from++ {
		first := strings.TrimLeft(words[from], signs) // a rule before it
		if !office && (anyDigit(words[from-1]) && !dateLike(words[from-1]) || ofAddress(words[from-1]) || ofChange(words[from-1])) {
			return at, false
		}
		if !office && !labelled && !dateLike(words[from-1]) {
			continue
		}
		at, ok = egypt.LocateLabel(append([]string{first}, words[from+1:]...), labels)
		if ok && at.From == 0 && at.To == len(words)-from && at.Score >= exactly && (strings.HasPrefix(first, "ال") || at.To > 1 || at.Phrase.Text == "ملاحظات") && (office || at.Phrase.Label != egypt.LabelOffice) {
			at.From, at.To = from, len(words)
			return at, true
		}
	}
	return at, false
}

// cutAtNations cuts the cells in which a nationality in English stands beside Arabic text that is none: the detector saw the values, or the label,
// of two columns as one line. On cards without a label for it, it may stand before the occupation.
func (s *sheet) cutAtNations(ctx context.Context, all cells, labels []egypt.Phrase) (out cells, err error) {
	const like, alike = 0.85, 0.75
	english, arabic := egypt.NationalitiesEnglish(), s.known[egypt.LabelNationality]
	stated := slices.ContainsFunc(all, func(c cell) bool { return c.label == egypt.LabelNationality || arabic.Holds(c.text) })
	for _, c := range all {
		words := wordsOf(c.script) // from right to left
		n := slices.IndexFunc(words, func(w word) bool { return english.Likeness(w.text) > like })
		next := 0 // where the next column begins
		if c.label == "" && len(c.row) == 1 {
			if all.find(egypt.LabelNationality) < 0 {
				next = nationFirst(words, english, arabic)
			}
			if next == 0 && n > 0 && n+1 < len(words) && arabic.Likeness(words[n-1].text) > alike { // behind the nation in two scripts
				next = n + 1
			}
			if next == 0 && !stated {
				next = nationLast(words, arabic)
			}
		}
		if next > 0 {
			parts, err := s.cutBefore(ctx, c, words, next, labels)
			if err != nil {
				return nil, err
			}
			out = append(out, parts...)
			continue
		}
		if c.label != "" || len(c.row) != 1 || len(words) < 2 || n != 0 && n != len(words)-1 {
			out = append(out, c)
			continue
		}
		rest := words[1:]
		if n > 0 {
			rest = words[:n]
		}
		var beside string
		for _, w := range rest {
			beside += w.text + " "
		}
		if arabicLetters(beside) < shortWord || arabic.Likeness(beside) > alike {
			out = append(out, c)
			continue
		}
		parts, err := s.cutBefore(ctx, c, words, max(n, 1), labels)
		if err != nil {
			return nil, err
		}
		right, err := s.cutAtLabels(ctx, parts[0], labels)
		if err != nil {
			return nil, err
		}
		out = append(append(out, right...), parts[1:]...)
	}
	return out, nil
}

// nationFirst is how many words of a line, from the right, are a nationality, in Arabic and maybe in English, before others; 0 where there are none.
func nationFirst(words []word, english, arabic *egypt.Terms) (n int) {
	const exactly = 0.95
	if len(words) < 2 || arabic.Likeness(words[0].text) < exactly || egypt.Fold(words[0].text) == "مصر" { // مصر الجديدة is a place
		return 0
	}
	n = 1
	if english.Likeness(words[n].text) > exactly {
		n++
	}
	if n == len(words) || arabicLetters(words[n].text) < shortWord {
		return 0
	}
	return n
}

// nationLast is how many words of a line, from the right, stand before a nationality that ends it and that a wider gap parts from them; 0 where there is none.
func nationLast(words []word, arabic *egypt.Terms) int {
	const wider = 1.25
	last := len(words) - 1
	if last < 1 || arabic.Likeness(words[last].text) < exactly || egypt.Fold(words[last].text) == "مصر" {
		return 0
	}
	gap, widest := words[last-1].start-words[last].end, 0.0
	for i := 1; i < last; i++ {
		widest = max(widest, words[i-1].start-words[i].end)
	}
	if last == 1 || gap < wider*widest {
		return 0
	}
	return last
}

// columnEnd is the right end of a label above the left part of a value whose right part stands below another label.
func (a cells) columnEnd(i int) (right float64, ok bool) {
	c := &a[i]
	if c.label != "" {
		return 0, false
	}
	above := func(l *cell) bool {
		drop := (c.y() - l.y()) * viewHeight / max(l.height(), 1)
		return l.label != "" && l.label != egypt.LabelEnglish && drop > 0.8 && drop < labelDrop
	}
	ends := false // another label ends where the value does
	for k := range a {
		if l := &a[k]; above(l) && math.Abs(l.right()-c.right()) < 0.04 {
			ends = true
		} else if above(l) && l.right() > c.left()+0.04 && l.right() < c.right()-0.08 {
			right, ok = l.right(), true
		}
	}
	return right, ok && ends
}

// fewestFromLeft is how many lines that begin at the left with a label show that a card is laid out so.
const fewestFromLeft = 3

// laidFromLeft reports whether labels stand in a column left of their values: some were cut off there, and other lines end with one.
func (a cells) laidFromLeft(labels []egypt.Phrase) bool {
	const fewestCut, fewest, near = 2, 4, 0.02
	var ends []float64
	for i := range a {
		c := &a[i]
		value := func(o cell) bool {
			gap := (o.left() - c.right()) * viewWidth
			return o.label == "" && o.level(c) && gap > -c.height() && gap < 2*c.height()
		}
		if c.introduces() && len(a.leftOf(i)) == 0 && slices.ContainsFunc(a, value) {
			ends = append(ends, c.right())
		}
	}
	if len(ends) < fewestCut {
		return false
	}
	usual := middle(slices.Clone(ends))
	if slices.ContainsFunc(ends, func(x float64) bool { return math.Abs(x-usual) > near }) {
		return false
	}
	trailing := 0
	for i := range a {
		if a[i].label != "" {
			continue
		}
		texts := textsOf(wordsOf(a[i].script))
		if at, ok := egypt.LocateLabel(texts, labels); ok && at.From > 0 && at.To == len(texts) && at.Score >= exactly {
			trailing++
		}
	}
	return trailing > 0 && len(ends)+trailing >= fewest
}

// cutFromLeft cuts the cells of a card that is laid out from left to right at the labels that seemed to be words of a value, and leaves out
// the numbers before the labels.
func (s *sheet) cutFromLeft(ctx context.Context, all cells, labels []egypt.Phrase) (cells, error) {
	var out cells
	for _, c := range all {
		parts := cells{c}
		if c.label == "" && len(c.row) == 1 {
			var err error
			if parts, err = s.cutAtLabels(ctx, c, labels); err != nil {
				return nil, err
			}
		}
		out = append(out, parts...)
	}
	return slices.DeleteFunc(slices.Clone(out), func(c cell) bool {
		const longest = 3 // signs
		labelled := func(o cell) bool { return o.label != "" && o.level(&c) && o.left() > c.centre() }
		valued := func(o cell) bool { return o.label != "" && o.level(&c) && o.right() < c.centre() }
		return c.label == "" && len([]rune(c.text)) <= longest && anyDigit(c.text) && slices.ContainsFunc(out, labelled) && !slices.ContainsFunc(out, valued)
	}), nil
}

// bracketed reports whether a word is what brackets add to a label: the unit of its value, or that it is in English.
func bracketed(word string) bool {
	const longest = 7 // signs
	return len([]rune(word)) <= longest && strings.ContainsAny(word, "()")
}

// beforeEnglish reports whether the words left of a label are the same in English, and perhaps the number of the entry: so begins a line of a card that is laid
// out from left to right, whose value stands right of both.
func beforeEnglish(words []string) bool {
	at, ok := egypt.LocateLabel(words, egypt.PhrasesOf(egypt.LabelEnglish))
	return ok && at.From == 0 && at.Score >= exactly && !slices.ContainsFunc(words[at.To:], func(w string) bool { return len([]rune(w)) > 3 || !anyDigit(w) })
}

// longNumber reports whether a word is a number longer than any but the national number.
func longNumber(text string) bool {
	share, digits := digitShare(text)
	return share > 0.9 && digits >= 12
}

// unitAfter returns with which of the words of a line that begins with a traffic department or a kind of licence, or shows a plate before, a
// unit begins; 0 where none does.
func (s *sheet) unitAfter(words []string) int {
	const shortest = 3 // words of a department
	department := likeBeginning(strings.Join(words, " "), egypt.LabelDepartment) >= leadingLike
	for i := 1; i+1 < len(words); i++ {
		like := func(p egypt.Phrase) bool { return egypt.Likeness(words[i]+" "+words[i+1], p.Text) >= leadingLike }
		if slices.ContainsFunc(egypt.PhrasesOf(egypt.LabelUnit), like) &&
			(department && i >= shortest || anyDigit(words[i-1]) || s.kindOfLicence(strings.Join(words[:i], " "))) {
			return i
		}
	}
	return 0
}

// kindsOfLicence are the kinds that the program knows.
var kindsOfLicence = sync.OnceValue(egypt.LicenceKinds)

// kindOfLicence reports whether a text is a kind of driving licence, and nothing else.
func (s *sheet) kindOfLicence(text string) bool {
	return kindsOfLicence().Holds(text)
}

// cutBefore cuts a cell of one piece between two of its words.
func (s *sheet) cutBefore(ctx context.Context, c cell, words []word, i int, labels []egypt.Phrase) (cells, error) {
	room, last := c.seam(), i-1
	for last > 0 && isSigns(words[last].text) { // a dash between the two
		last--
	}
	right, err := s.part(ctx, c, words[last].start+room, 1)
	if err != nil {
		return nil, err
	}
	parts, err := s.cutFurther(ctx, c, 0, words[i].end-room, labels)
	return append(cells{right}, parts...), err
}

// cutAtNumber cuts a cell at a date, a national number or a plate in it, for which no label could be read.
func (s *sheet) cutAtNumber(ctx context.Context, c cell, words []word, labels []egypt.Phrase) (cells, error) {
	from, to := plateAmong(words)
	if to == 0 {
		from = slices.IndexFunc(words, func(w word) bool { return dateLike(w.text) || longNumber(w.text) })
		to = from + 1
	}
	if from < 0 || to-from == len(words) || from > 0 && dateLike(words[from].text) && remarkable(strings.Fields(egypt.Fold(c.text))) { // الضريبة مسددة حتى and a date
		return cells{c}, nil
	}
	room := c.seam()
	var out cells
	if from > 0 {
		right, err := s.part(ctx, c, words[from-1].start+room, 1)
		if err != nil {
			return nil, err
		}
		out = append(out, right)
	}
	number, err := s.part(ctx, c, words[to-1].start-room, words[from].end+room)
	if err != nil {
		return nil, err
	}
	out = append(out, number)
	if to == len(words) {
		return out, nil
	}
	parts, err := s.cutFurther(ctx, c, 0, words[to].end-room, labels)
	return append(out, parts...), err
}

// plateAmong returns which of the words of a line are a plate: two or three letters that stand alone and a number, to which the last of them may be glued; 0, 0 where none are.
func plateAmong(words []word) (from, to int) {
	const fewest, mostDigits = 2, 4
	letters := 0
	for i, w := range words {
		signs := []rune(w.text)
		switch number := digitsIn(w.text); {
		case len(signs) == 1 && arabicLetter(signs[0]):
			letters++
		case letters >= fewest && letters <= mostLetters && number == len(signs) && number <= mostDigits,
			letters >= fewest-1 && letters < mostLetters && arabicLetter(signs[0]) && number == len(signs)-1 && number > 1 && number <= mostDigits:
			return i - letters, i + 1
		default:
			letters = 0
		}
	}
	return 0, 0
}

// dateLike reports whether a word looks like a date: digits enough, in three groups or as many as a date in full has. House
// numbers are shorter.
func dateLike(text string) bool {
	share, digits := digitShare(text)
	separators := 0
	for _, r := range text {
		if strings.ContainsRune("/-.", r) {
			separators++
		}
	}
	return share > 0.7 && digits <= 10 && (digits >= 5 && separators == 2 || digits >= dayDigits && separators > 0)
}

// seamRoom is by how much, in heights, a stretch that was cut off ends before the word that it holds does: the recogniser
// looks as far beyond its end and more.
const seamRoom = 0.15

// seam is that as a share of a cell's length.
func (c *cell) seam() float64 { return seamRoom * c.height() / c.whole().Length() }

// announces reports whether a phrase among words is a label: alike enough for its length, and at the right end of the words
// or made of several words itself. Names and streets hold some of the words that are labels elsewhere.
func announces(at egypt.Located, words []string) bool {
	letters := len([]rune(at.Phrase.Text))
	switch {
	case at.Phrase.Label == egypt.LabelEnglish:
		return at.Score >= exactly
	case at.Score < exactly && (slices.Contains(likeValues(), at.Phrase.Label) || ofProse(at.Phrase)): // تعديل وقود is a remark and no وتعمل بوقود
		return false
	case at.From > 0 && ofChange(words[at.From-1]):
		return false
	case at.Phrase.Label == egypt.LabelInterior && at.To < len(words):
		return standsAlone(at, words)
	case at.Phrase.Label == egypt.LabelOther && (at.From > 0 || !strings.Contains(at.Phrase.Text, " ")): // remarks speak of taxes, too
		return announced(words, at.To)
	case at.Phrase.Text == "أول ترخيص": // without a date a remark
		return at.From == 0 && (announced(words, at.To) || at.To < len(words) && dateLike(words[at.To]))
	case slices.Contains(bareMotors(), at.Phrase.Text) && at.To < len(words) && !anyDigit(words[at.To]): // likewise: محرك مستبدل
		return announced(words, at.To)
	case (at.Phrase.Text == "فحص" || at.Phrase.Text == "فحص فني بتاريخ") && at.To < len(words): // likewise
		return announced(words, at.To) || dateLike(words[at.To])
	case at.Phrase.Text == "اسم" && at.From == 0 && at.Score == 1 && at.To < len(words) && !strings.HasPrefix(words[at.To], "ال"): // no other label begins so
		return true
	case at.Phrase.Text == "اسم" || at.Phrase.Label == egypt.LabelGovernorate && at.From > 0, // and words of other labels and of remarks
		at.Phrase.Label == egypt.LabelOffice && at.From > 0 && !strings.Contains(at.Phrase.Text, " "): // الوحدة is a district, too
		return announced(words, at.To)
	case letters <= 5 && at.Score < 0.85, ofAddress(words[at.From]) && at.Score < exactly:
		return false
	}
	interior := anyArabic(words[:at.From])
	return !interior || strings.Contains(at.Phrase.Text, " ") || at.Score > 0.9 && (strings.HasPrefix(words[at.From], "ال") || ofProse(at.Phrase) || announced(words, at.To))
}

// standsAlone reports whether an office among words is there exactly, and is no beginning of a department's name.
func standsAlone(at egypt.Located, words []string) bool {
	return at.Score >= exactly && !beginsDepartment(at, words)
}

// beginsDepartment reports whether an office among words is the beginning of a department's name, as الإدارة العامة لمرور before a place
// is, and a ministry or any office before the title of a licence is not.
func beginsDepartment(at egypt.Located, words []string) bool {
	if likeBeginning(at.Phrase.Text+" "+words[at.To], egypt.LabelDepartment) < leadingLike {
		return false
	}
	rest := words[at.To:]
	for len(rest) > 0 && isSigns(rest[0]) {
		rest = rest[1:]
	}
	title, ok := egypt.LocateLabel(rest, egypt.PhrasesOf(egypt.LabelDriving, egypt.LabelVehicle))
	return !ok || title.From > 0 || title.Score < exactly
}

// ofChange reports whether remarks say by a word that what follows was changed, whatever label it is like: استبدال لون المركبة.
func ofChange(word string) bool {
	return slices.Contains([]string{"استبدال", "تغيير", "تعديل", "تبديل"}, egypt.Fold(word))
}

// bareMotors are the labels of an engine's number with which remarks begin as well.
func bareMotors() []string {
	return []string{"محرك", "موتور", "الموتور"}
}

// announced reports whether a colon, or a sign that does for one, stands before the word n.
func announced(words []string, n int) bool {
	return colonAfter(words, n) || n < len(words) && isSigns(words[n])
}

// exactly is the least likeness of a label that values come near to: names in Latin letters to an English one, those of likeValues, or
// شارع التحرير to تاريخ التحرير.
const exactly = 0.88

// likeValues are the labels of which values lack only the article, وحدة مرور, محافظة, or a few letters: الأهلية للتأمين and نهاية التأمين.
func likeValues() []egypt.Label {
	return []egypt.Label{egypt.LabelOffice, egypt.LabelGovernorate, egypt.LabelOther}
}

// part reads a stretch of a cell of one piece, from one share of its length to another.
func (s *sheet) part(ctx context.Context, c cell, from, to float64) (cell, error) {
	c.row, c.label = row{{cut(c.row[0].Line, max(0, from), min(1, to))}}, ""
	var err error
	if c.script, err = s.readWords(ctx, c.row); err != nil {
		return c, err
	}
	err = s.readAgain(ctx, &c.entry)
	return c, err
}
