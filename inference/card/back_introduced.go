package card

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// introducedBack reports whether lines of a back hold labels of what most backs print without: at least two of the employer, the sex, the religion and the
// marital status.
func introducedBack(lines []entry) bool {
	labels, found := egypt.BackPhrases(), map[egypt.Label]bool{}
	for _, e := range lines {
		for _, l := range labelsIn(strings.Fields(e.text), labels) {
			found[l] = true
		}
	}
	n := 0
	for _, l := range []egypt.Label{egypt.LabelEmployer, egypt.LabelSex, egypt.LabelReligion, egypt.LabelMarital} {
		if found[l] {
			n++
		}
	}
	return n >= 2
}

// labelsIn are the labels among words.
func labelsIn(words []string, labels []egypt.Phrase) []egypt.Label {
	at, ok := egypt.LocateLabel(words, labels)
	if !ok {
		return nil
	}
	return append(append(labelsIn(words[:at.From], labels), at.Phrase.Label), labelsIn(words[at.To:], labels)...)
}

// readIntroduced reads what the labels of a back announce, as on a licence.
func (s *sheet) readIntroduced(ctx context.Context, p *backPrint) error {
	above := *s
	above.lines = slices.DeleteFunc(slices.Clone(s.lines), func(l text.Line) bool { return piece{l}.y() > p.foot })
	all, err := above.readCells(ctx, egypt.IntroducedPhrases())
	if err != nil {
		return err
	}
	all.partWork()
	value := func(l egypt.Label) (e entry, ok bool) {
		i := all.find(l)
		if i < 0 {
			return e, false
		}
		v := all.valueOf(i)
		return all.take(v...), len(v) > 0
	}
	job, employed := value(egypt.LabelJob)
	if employed {
		p.jobs = []entry{job}
	}
	if employer, ok := value(egypt.LabelEmployer); ok {
		p.jobs = append(p.jobs, employer)
		p.employerAlone = !employed
	}
	p.labelled, p.announced = true, true
	status := make([]entry, statusFields)
	for i, l := range []egypt.Label{egypt.LabelSex, egypt.LabelReligion, egypt.LabelMarital} {
		status[i], _ = value(l)
	}
	for i := range all {
		if v := all.valueOf(i); all[i].label == egypt.LabelHusband && len(v) > 0 {
			e := all.take(v...)
			if m, _ := egypt.MatchWord(e.text, egypt.StatusWords()); m.Score >= egypt.ClearStatus && len(status[m.Word.Vocabulary].row) == 0 { // behind الحالة الزوجية
				status[m.Word.Vocabulary] = e
			} else {
				p.husband = e
			}
		}
	}
	if err := s.unlabelledStatus(ctx, all, status); err != nil {
		return err
	}
	if !employed {
		job, ok, err := s.behindMisread(ctx, all, egypt.LabelJob)
		if err != nil {
			return err
		}
		if ok {
			p.jobs, p.employerAlone, p.unclear = append([]entry{job}, p.jobs...), false, true
		}
	} else if all.find(egypt.LabelEmployer) < 0 {
		if i := all.belowValue(all[all.find(egypt.LabelJob)].values); i >= 0 {
			p.jobs = append(p.jobs, all.take(all.beside(i)...))
		}
	}
	if err := s.partStatus(ctx, status); err != nil {
		return err
	}
	if err := s.widenStatus(ctx, status); err != nil {
		return err
	}
	p.status = slices.DeleteFunc(status, func(e entry) bool { return len(e.row) == 0 })
	p.stray = p.stray || slices.ContainsFunc(all, func(c cell) bool {
		return !c.used && c.label == "" && c.confidence >= crumb && arabicLetters(c.text) >= shortWord && !isTitle(c.text)
	})
	return nil
}

// unlabelledStatus finds the words of the status that stand without a label beside the others, or with one that was misread.
func (s *sheet) unlabelledStatus(ctx context.Context, all cells, status []entry) (err error) {
	for i := range all {
		c := &all[i]
		if c.label != "" || c.used {
			continue
		}
		words := wordsOf(c.script)
		m, _ := egypt.MatchWord(c.text, egypt.StatusWords())
		if len(words) > 1 && m.Score < egypt.ClearStatus {
			m, _ = egypt.MatchWord(words[len(words)-1].text, egypt.StatusWords())
		}
		if v := int(m.Word.Vocabulary); m.Score >= egypt.ClearStatus && len(status[v].row) == 0 {
			if status[v], err = s.lastWord(ctx, all.take(i), words); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastWord is the last of the words of a line in one piece.
func (s *sheet) lastWord(ctx context.Context, e entry, words []word) (entry, error) {
	if len(words) < 2 || len(e.row) != 1 {
		return e, nil
	}
	_, to := reach(words, len(words)-1, len(words))
	return s.stretch(ctx, e.row[0], 0, to)
}

// behindMisread is what stands behind a label that can hardly be read and begins a line of which nothing else is known.
func (s *sheet) behindMisread(ctx context.Context, all cells, label egypt.Label) (e entry, ok bool, err error) {
	const like = 0.6
	for i := range all {
		c := &all[i]
		words := wordsOf(c.script)
		if c.label != "" || c.used || len(c.row) != 1 || len(words) < 2 || !slices.ContainsFunc(egypt.CardPhrasesOf(label), func(p egypt.Phrase) bool { return egypt.Likeness(words[0].text, p.Text) >= like }) {
			continue
		}
		_, to := reach(words, 1, len(words))
		e, err = s.stretch(ctx, all.take(i).row[0], 0, to)
		return e, err == nil, err
	}
	return e, false, nil
}

// partWork makes the upper of two employers the occupation where nothing else is labelled as that, or the only one: العمل may announce either.
func (a cells) partWork() {
	var employers []int
	for i := range a {
		if a[i].label == egypt.LabelEmployer {
			employers = append(employers, i)
		}
	}
	if len(employers) == 0 || a.find(egypt.LabelJob) >= 0 {
		return
	}
	upper := slices.MinFunc(employers, func(i, k int) int { return cmp.Compare(a[i].y(), a[k].y()) })
	if len(employers) > 1 || strings.Trim(egypt.Fold(a[upper].text), " "+signs) == "العمل" {
		a[upper].label = egypt.LabelJob
	}
}

// belowValue is the cell without a label close below a value, in its column; -1 where there is none.
func (a cells) belowValue(value []int) int {
	if len(value) == 0 {
		return -1
	}
	v := &a[value[0]]
	return slices.IndexFunc(a, func(c cell) bool {
		drop := (c.y() - v.y()) * viewHeight / max(v.height(), c.height())
		return !c.used && c.label == "" && drop > 0.8 && drop < columnDrop && c.under(v) && arabicLetters(c.text) >= shortWord && !anyDigit(c.text)
	})
}
