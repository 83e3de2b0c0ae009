package plate

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
)

// Under the confidence Hardly the signs of a plate may be those of a wall or a grille; under Clear another outline may show it whole. Set
// by judgement on 24 November 2026 with the search of small plates, which was measured on 190 streets of another generator and 300 drawn
// ones (models/documents.md). They have no budget of errors, since what falls below is looked for further and not refused.
const (
	Hardly = 0.5
	Clear  = 0.8
)

// Number is what was read of a plate.
func Number(d appliance.Document) appliance.Field { return d.Field(field) }

// Bare reports whether what was taken for a plate shows none of its signs, or hardly any: windows, walls and grilles look like plates.
func Bare(d appliance.Document) bool {
	const fewest = 3
	if d.Kind != appliance.LicensePlate || len(d.Fields) == 0 || Number(d).Value != "" { // without a reader of plates nothing was looked for
		return false
	}
	named, unnamed := signsIn(d)
	return named < fewest || unnamed > (named+unnamed)/2
}

// Blank reports whether a plate shows fewer signs than a foreign one does, and hardly one that has a name, or none that has, in more than
// one row: the panes of windows stand in rows.
func Blank(d appliance.Document) bool {
	const fewest = 4
	named, unnamed := signsIn(d)
	rows := strings.Contains(strings.TrimSpace(Number(d).Raw), " ")
	return Bare(d) && (named < 2 && named+unnamed < fewest || named == 0 && rows)
}

// OneUnnamed reports whether a document is a plate that shows the signs of one, all but one of which can be named: dirt or a sticker hides
// that. Walls and grilles show several.
func OneUnnamed(d appliance.Document) bool {
	const fewest = 4
	named, unnamed := signsIn(d)
	return d.Kind == appliance.LicensePlate && unnamed == 1 && named >= fewest
}

// showsSigns is the check of a plate that cannot be read whether enough of its signs can be named surely.
const showsSigns = "signs_of_plate"

// ShowsSigns reports whether what cannot be read surely is a plate: several of its signs can be named without a doubt, which those of
// windows, walls and grilles cannot.
func ShowsSigns(d appliance.Document) bool {
	return slices.Contains(Number(d).Checks, appliance.FieldCheck{Name: showsSigns, Passed: true})
}

// unread is the check of a plate that is not read, where its signs surely are a plate's.
func (g *read) unread(f appliance.Field) []appliance.FieldCheck {
	if f.Value != "" && f.Confidence >= Hardly || !g.showsSigns() {
		return nil
	}
	return []appliance.FieldCheck{{Name: showsSigns, Passed: true}}
}

// showsSigns reports whether signs that stand in one row are those of a plate, though not all of them can be named.
func (g *read) showsSigns() bool {
	const fewest = 3
	sure, all := g.sureSigns()
	return g.Rows == 1 && sure >= fewest && all > fewest && all <= mostSigns
}

// mostSigns is how many signs a plate carries at the most.
const mostSigns = 7

// sureSigns counts the signs that are named surely, and all that are there.
func (g *read) sureSigns() (sure, all int) {
	const surely = 0.9
	for i := range g.signs {
		s := &g.signs[i]
		if s.There < sharedSign {
			continue
		}
		all++
		if named(s) && s.There*math.Exp(s.Cell[likeliest(s)]) >= surely {
			sure++
		}
	}
	return sure, all
}

// signsIn counts the signs that a plate shows: those that have a name and others.
func signsIn(d appliance.Document) (named, unnamed int) {
	raw := strings.ReplaceAll(Number(d).Raw, " ", "")
	unnamed = strings.Count(raw, "?")
	return utf8.RuneCountInString(raw) - unnamed, unnamed
}
