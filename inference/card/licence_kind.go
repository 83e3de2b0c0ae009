package card

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/stopwatch"
)

// licence reports whether a kind is a licence: their looks are not known well enough to tell them apart without reading.
func licence(k appliance.Kind) bool { return slices.Contains(licences(), k) }

// readOther reads the other documents of a picture that may be the licence that is sought, where the largest is none; without
// one it returns what was read.
func (r *Reader) readOther(
	ctx context.Context, s *scene, target int, read appliance.Document, earlier []appliance.Document, watch *stopwatch.Watch,
) (appliance.Document, int, error) {
	const most = 2 // more of them are a heap of papers
	tried := 0
	for i, f := range s.found {
		if i == target || f.Mirrored || tried == most || f.Kind != appliance.Unknown && !licence(f.Kind) {
			continue
		}
		tried++
		d, _, err := r.readFound(ctx, s, i, earlier, watch)
		if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument || err == nil && d.Kind == r.kind {
			return d, i, err
		}
	}
	return read, target, nil
}

// readAsLicence reads once more what looks like a passport and has no zone that can be read, or like an ID that neither says so nor shows
// a number, and returns that where its text is a licence's: how those look is not confirmed. named tells that its text says what it is.
func (r *Reader) readAsLicence(ctx context.Context, s *scene, f outline.Found, read appliance.Document, covers []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (d appliance.Document, named bool, err error) {
	f.Kind = appliance.Unknown
	d, named, err = r.readCard(ctx, s, f, covers, earlier, watch)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && !licence(d.Kind) {
		return read, err == nil && named && d.Kind == read.Kind, nil // in the mirror, or no licence
	}
	return d, named, err
}

// anyValue reports whether any field of a document was read.
func anyValue(d appliance.Document) bool { return valued(d) > 0 }

// valued is how many fields of a document were read.
func valued(d appliance.Document) (n int) {
	for _, f := range d.Fields {
		if f.Value != "" {
			n++
		}
	}
	return n
}

// How much text must speak for a kind to count, and how much more than for what the card looks like.
const (
	tellingPrint = 3
	clearlyMore  = 2
)

// kindWeights are what a label, as descriptions name it, says for each kind of licence: driving licence, front and back of a vehicle
// licence. Set by judgement from what the reference says that they print.
func kindWeights(label string) (driving, front, back float64) {
	switch label {
	case "driving":
		return 3, 0, 0
	case "licence_type":
		return 0.7, 0.4, 0
	case "number":
		return 1.5, 0, 0
	case "department", "job":
		return 1, 0, 0
	case "vehicle":
		return 0, 3, 0
	case "plate":
		return 0, 2, 0
	case "use":
		return 0, 1, 0
	case "name", "address", "nationality", "unit", "issued", "expires", "valid_until":
		return 0.6, 0.6, 0 // of a holder, not of a vehicle
	case "data":
		return 0, 0, 3
	case "chassis", "motor", "cylinders":
		return 0, 0, 1.5
	case "colour", "fuel", "volume", "year", "inspection", "make", "model", "body":
		return 0, 0, 1
	}
	return 0, 0, 0
}

// told tells the kind of a card by what the descriptions of all licences make of it, looks being what it looks like: where its print does
// not tell, it is that. named tells that the print says it alone.
func told(all map[appliance.Kind]form.Survey, looks appliance.Kind) (kind appliance.Kind, named bool) {
	said := saidBy(all)
	if ofPassport(all, said) {
		return appliance.Passport, true
	}
	kind = kindOf(said, looks)
	return kind, kind == kindOf(said, appliance.Unknown) && ofTrafficOffice(said) && (ofVehicle(said) || !ofID(all))
}

// saidBy are the labels that any description finds; a national number counts as its label, and so do the words with which the name of a
// traffic unit begins.
func saidBy(all map[appliance.Kind]form.Survey) map[string]bool {
	out := map[string]bool{}
	for _, of := range all {
		for _, label := range of.Said {
			out[label] = true
		}
		for _, line := range of.Print {
			switch {
			case longNumber(strings.ReplaceAll(line, " ", "")):
				out["number"] = true
			case likeBeginning(line, egypt.LabelUnit) >= sureLabel:
				out["unit"] = true
			}
		}
	}
	return out
}

// ofPassport reports whether print says that it is a passport's data page, whose zone may be covered; on licences a passport's number may
// stand as well.
func ofPassport(all map[appliance.Kind]form.Survey, said map[string]bool) bool {
	return !said["driving"] && !said["vehicle"] && shows(all, func(line string) bool {
		return slices.ContainsFunc(strings.Fields(line), func(w string) bool { return strings.EqualFold(w, "passport") })
	})
}

// ofID reports whether print has a label of the back of a national ID that no licence has.
func ofID(all map[appliance.Kind]form.Survey) bool {
	own := egypt.BackPhrases()
	return shows(all, func(line string) bool {
		f, ok := egypt.FindLabel(line, own)
		return ok && f.Score >= sureLabel
	})
}

// shows reports whether some print beside the labels of a description is of a kind.
func shows(all map[appliance.Kind]form.Survey, is func(line string) bool) bool {
	for _, of := range all {
		if slices.ContainsFunc(of.Print, is) {
			return true
		}
	}
	return false
}

// kindOf tells the kind of licence by the labels that it says; looks where they do not tell.
func kindOf(said map[string]bool, looks appliance.Kind) appliance.Kind {
	votes := map[appliance.Kind]float64{}
	for _, label := range slices.Sorted(maps.Keys(said)) {
		driving, front, back := kindWeights(label)
		votes[appliance.DrivingLicense] += driving
		votes[appliance.CarLicenseFront] += front
		votes[appliance.CarLicenseBack] += back
	}
	best, most := looks, max(tellingPrint, votes[looks]+clearlyMore)
	for _, k := range licences() {
		if votes[k] >= most {
			best, most = k, votes[k]
		}
	}
	return best
}

// ofVehicle reports whether text says a label of a vehicle's, which no ID has; words of its values may be like labels of one, as الدبابة
// is like الديانة.
func ofVehicle(said map[string]bool) bool {
	return said["chassis"] || said["motor"] || said["cylinders"] || said["fuel"]
}

// ofTrafficOffice reports whether text says a label that cards of other offices do not have: all of them name their holder, and number and
// date themselves.
func ofTrafficOffice(said map[string]bool) bool {
	own := []string{
		"driving", "vehicle", "data", "department", "unit", "licence_type", "use", "plate", "chassis", "motor", "cylinders", "fuel", "year", "volume",
	}
	return slices.ContainsFunc(own, func(label string) bool { return said[label] })
}

// longNumber reports whether a word is a number longer than any but the national number.
func longNumber(text string) bool {
	share, digits := digitShare(text)
	return share > 0.9 && digits >= 12
}

// digitShare is the share of digits and separators among the signs of a text, and how many digits there are.
func digitShare(s string) (share float64, digits int) {
	signs, good := 0, 0
	for _, r := range egypt.FoldDigits(s) {
		if r == ' ' {
			continue
		}
		signs++
		switch {
		case r >= '0' && r <= '9':
			digits++
			good++
		case strings.ContainsRune("/-.", r):
			good++
		}
	}
	return float64(good) / float64(max(signs, 1)), digits
}

// sureLabel is the likeness from which on a label is told from another one that begins alike.
const sureLabel = 0.85

// likeBeginning is how much the first words of a text are like those of a label.
func likeBeginning(line string, label egypt.Label) float64 {
	words, most := strings.Fields(line), 0.0
	for _, p := range egypt.PhrasesOf(label) {
		n := len(strings.Fields(p.Text))
		if len(words) > n {
			most = max(most, egypt.Likeness(strings.Join(words[:n], " "), p.Text))
		}
	}
	return most
}
