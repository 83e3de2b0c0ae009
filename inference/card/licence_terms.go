package card

import (
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// vehicleTerms are the labels whose values a line without labels may hold beside one another, as far as their words tell them apart.
func vehicleTerms() []egypt.Label {
	return []egypt.Label{egypt.LabelMake, egypt.LabelBody, egypt.LabelColour, egypt.LabelFuel}
}

// cutAtTerms cuts the lines that hold several values of a vehicle without labels, such as its body, colour and fuel, or its make and model.
func (s *sheet) cutAtTerms(ctx context.Context, all cells) (out cells, err error) {
	for _, c := range all {
		words := wordsOf(c.script) // from right to left
		var at []int
		if c.label == "" && len(c.row) == 1 && len(words) > 1 {
			at = s.known.seams(words, all.find(egypt.LabelMake) < 0)
		}
		if at == nil {
			out = append(out, c)
			continue
		}
		room := c.seam()
		end := 1.0
		for _, i := range append(at, len(words)) {
			start := 0.0
			if i < len(words) {
				start = (words[i-1].start + words[i].end) / 2
			}
			part, err := s.part(ctx, c, start+room, end-room)
			if err != nil {
				return nil, err
			}
			out, end = append(out, part), start
		}
	}
	return out, nil
}

// seams are the words, by index, before which a line parts into phrases of several lists, or after the make that it begins with where headed;
// nil where it is no such line.
func (v vocabulary) seams(words []word, headed bool) (at []int) {
	texts := textsOf(words)
	seen := map[egypt.Label]bool{}
	for from := 0; from < len(texts); {
		to := len(texts)
		var label egypt.Label
		for ; to > from; to-- {
			if label = v.phrase(texts[from:to]); label != "" && !seen[label] {
				break
			}
		}
		switch {
		case to > from:
		case headed && seen[egypt.LabelMake] && len(seen) == 1:
			return at // what follows a make is its model
		default:
			return nil
		}
		if seen[label] = true; to < len(texts) {
			at = append(at, to)
		}
		from = to
	}
	return at
}

// phrase tells which list of a vehicle's terms some words are a phrase of; "" where of none.
func (v vocabulary) phrase(words []string) (label egypt.Label) {
	least := 0.85
	text := strings.Join(words, " ")
	for _, l := range vehicleTerms() {
		if like := v[l].Likeness(text); like >= least && (label == "" || like > least) {
			label, least = l, like
		}
	}
	return label
}

// besideMake is the cell that stands left of a make that has no label: its model; -1 where there is none.
func (a cells) besideMake(brand entry) int {
	at := &cell{entry: brand}
	return slices.IndexFunc(a, func(c cell) bool {
		return !c.used && c.label == "" && c.text != "" && c.level(at) && c.right() < at.centre() && !dateLike(c.text) && !yearLike(c.text)
	})
}

// cutAtUnits parts numbers from the units behind them, which say what they are: ٤ سلندر, ١٦٠٠ سم٣.
func (s *sheet) cutAtUnits(ctx context.Context, all cells) (cells, error) {
	units := map[string]egypt.Label{"سلندر": egypt.LabelCylinders, "سم3": egypt.LabelVolume, "سي سي": egypt.LabelVolume, "cc": egypt.LabelVolume}
	out := slices.Clone(all)
	for i, c := range all {
		if c.label != "" || len(c.row) != 1 {
			continue
		}
		words := wordsOf(c.script)
		if len(words) < 2 {
			continue
		}
		share, digits := digitShare(words[0].text)
		unit, ok := units[strings.ToLower(egypt.Fold(strings.Join(textsOf(words[1:]), " ")))]
		if !ok || share < 1 || digits == 0 {
			continue
		}
		part, err := s.part(ctx, c, words[0].start-c.seam(), 1)
		if err != nil {
			return nil, err
		}
		part.unit = unit
		out[i] = part
	}
	return out, nil
}
