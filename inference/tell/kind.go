package tell

import (
	"slices"

	"github.com/bawab/bawab/appliance"
)

// Kind is a kind with its marks.
type Kind struct {
	Name appliance.Kind
	*Marks
}

// Print is what descriptions find on a card: the labels that it shows, and what stands beside them.
type Print struct{ Labels, Beside []string }

// How much print must speak for a kind to count, and how much more than for what the card looks like.
const (
	tellingPrint = 3
	clearlyMore  = 2
)

// sureLabel is how much print must be like a value to count as a label.
const sureLabel = 0.85

// Among tells which of some kinds a card is of; looks is what it looks like, and that it is where its print does not tell. named tells that
// the print says it alone.
func Among(kinds []Kind, seen Print, looks appliance.Kind) (kind appliance.Kind, named bool) {
	said := seen.said(kinds)
	kind = likeliest(kinds, said, looks)
	says := func(of func(Kind) []string) bool {
		return slices.ContainsFunc(kinds, func(k Kind) bool {
			return slices.ContainsFunc(of(k), func(label string) bool { return slices.Contains(said, label) })
		})
	}
	own, plain := says(func(k Kind) []string { return k.Own }), says(func(k Kind) []string { return k.Plain })
	other := says(func(k Kind) []string { return k.Against })
	return kind, kind == likeliest(kinds, said, appliance.Unknown) && own && (plain || !other)
}

// said are the labels that a card shows and those as which other print counts, in order.
func (p Print) said(kinds []Kind) []string {
	out := slices.Clone(p.Labels)
	for _, k := range kinds {
		for _, s := range k.Shows {
			if slices.ContainsFunc(p.Beside, func(what string) bool { return s.Match(what) >= sureLabel }) {
				out = append(out, s.Label)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// likeliest is the kind for which labels say most, looks where they do not tell.
func likeliest(kinds []Kind, said []string, looks appliance.Kind) appliance.Kind {
	votes := map[appliance.Kind]float64{}
	for _, k := range kinds {
		for _, label := range said {
			votes[k.Name] += k.Weights[label]
		}
	}
	best, most := looks, max(tellingPrint, votes[looks]+clearlyMore)
	for _, k := range kinds {
		if votes[k.Name] >= most {
			best, most = k.Name, votes[k.Name]
		}
	}
	return best
}
