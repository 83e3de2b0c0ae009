package passport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/mrz"
)

// zoneTop is where the machine readable zone of a data page begins, as a share of its height.
const zoneTop = 0.74

// doubtName puts a name in doubt of which the page shows a word with one letter for another: no digit checks it, and the zone or the print
// was misread.
func doubtName(d *appliance.Document, z mrz.Reading, read []pageLine) {
	if slices.ContainsFunc(strings.Fields(z.Name()), func(w string) bool { return misprinted(w, read) }) {
		d.Flag("name", z.Name(), appliance.CodeLowConfidence)
	}
}

// misprinted reports whether a word is printed nowhere, but one as long that was surely read and has one other letter.
func misprinted(word string, lines []pageLine) bool {
	like := false
	for _, l := range lines {
		for _, p := range latinWords(l) {
			if p == word {
				return false
			}
			differ, ok := signsApart(p, word)
			like = like || ok && differ == 1 && len(word) > 3 && l.sure(p) >= surePrint
		}
	}
	return like
}

// completeName looks for the printed name of a passport whose zone had no room for all of it. What it finds stays in doubt, as the cut
// name is.
func completeName(d *appliance.Document, z mrz.Reading, read []pageLine) {
	if !z.NameTruncated {
		return
	}
	given, surname := strings.Fields(z.GivenNames.Value), strings.Fields(z.Surname.Value)
	for _, l := range read {
		name, ok := completedName(strings.Fields(l.upper), given, surname)
		if !ok {
			continue
		}
		i := slices.IndexFunc(d.Fields, func(f appliance.Field) bool { return f.Name == "name" })
		f := &d.Fields[i]
		f.Repairs = append(f.Repairs, fmt.Sprintf("%s is cut off in the zone, completed by what is printed above it", f.Value))
		f.Value, f.Confidence = name, min(f.Confidence, l.confidence)
		for k, v := range d.Validations {
			if v.Field == f.Name {
				d.Validations[k].Value = name
			}
		}
		return
	}
}

// fewestSigns is how many letters of given names tell that a printed line is the same name.
const fewestSigns = 5

// completedName is the name, given names first, that a printed line shows in full of which the zone shortens words or leaves out the last.
// The zone's letters stand, what it lacks is taken from the line. ok is false where the line holds no more than the zone.
func completedName(printed, given, surname []string) (name string, ok bool) {
	if len(strings.Join(given, "")) < fewestSigns {
		return "", false
	}
	for i := range printed {
		full, found := prolonged(printed[i:], given)
		if !found {
			continue
		}
		rest := printed[i+len(given):]
		if end := slices.IndexFunc(rest, func(w string) bool { return !latinName(w) }); end >= 0 {
			rest = rest[:end]
		}
		last := surname
		if k := len(rest) - len(surname); k >= 0 {
			if longer, found := prolonged(rest[k:], surname); found {
				rest, last = rest[:k], longer
			}
		}
		whole := slices.Concat(full, rest, last)
		return strings.Join(whole, " "), !slices.Equal(whole, slices.Concat(given, surname))
	}
	return "", false
}

// prolonged is a list of words, each with what follows it in the printed word in its place; ok is false where one of them begins otherwise.
func prolonged(printed, words []string) (out []string, ok bool) {
	const like = 0.8 // a letter of five may be misread
	if len(printed) < len(words) {
		return nil, false
	}
	for k, w := range words {
		n := min(len(w), len(printed[k]))
		if !latinName(printed[k][n:]) {
			n = len(printed[k])
		}
		if arabic.Likeness(printed[k][:n], w) < like {
			return nil, false
		}
		out = append(out, w+printed[k][n:])
	}
	return out, true
}

// latinName reports whether a word, or the end of one, is made of what names are printed with.
func latinName(word string) bool { return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ'-") == "" }
