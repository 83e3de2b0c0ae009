package card

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// saysCard reports whether a line begins with the word for a card, as titles of whatever card do and no name does.
func saysCard(line string) bool {
	first, _, several := strings.Cut(egypt.Fold(line), " ")
	return several && egypt.Likeness(first, "بطاقه") >= exactly
}

// titles returns how many of the upper lines of a front are titles: they say so, or stand where titles stand and are too
// small or faint to be read.
func titles(lines []entry, most int) int {
	title, _ := egypt.At(egypt.Front(), egypt.RoleTitle2)
	name, _ := egypt.At(egypt.Front(), egypt.RoleName1)
	best, at, sum := 0.0, 0, 0.0
	for i, e := range lines[:min(len(lines), most)] {
		odds := max(-2.5, min(2.5, 30*((title.Y+name.Y)/2-e.y())))
		switch {
		case isTitle(e.text) && e.y() < 0.4:
			odds += 6
		case e.confidence > 0.1:
			odds -= 4
		case e.confidence < 1e-3:
			odds++
		}
		if sum += odds; sum > best {
			best, at = sum, i+1
		}
	}
	// On a card whose edges were missed, titles stand lower and have other lines above them, but still say what they are.
	return max(at, titled(lines))
}

// titled returns how many of the upper lines end with the last one that reads like a title.
func titled(lines []entry) (at int) {
	for i, e := range lines[:min(len(lines), 4)] {
		if isTitle(e.text) && e.y() < 0.5 {
			at = i + 1
		}
	}
	return at
}

// ofIdentity reports whether a title says that it is a card of identity: other papers of the state name the republic or the authority of civil status, too, and say that they are cards.
func ofIdentity(title string) bool {
	words := strings.Fields(egypt.Fold(title))
	holds := func(own string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return egypt.Likeness(w, own) >= identityLike })
	}
	if slices.ContainsFunc(identityWords(), holds) || holds("بطاقه") && (holds(nationalWord) || slices.ContainsFunc(words, beginsTitle)) {
		return true
	}
	return slices.ContainsFunc(ofNation(), holds) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(cardNames(), w) })
}

// beginsTitle reports whether a folded word begins as تحقيق does, the rest of which glare may hide.
func beginsTitle(word string) bool { return strings.HasPrefix(word, "تحق") }

// identityLike is the least likeness of a word to one of identity.
const identityLike = 0.7

// titleWords are the folded words of the two titles that names do not hold.
func titleWords() []string {
	return slices.Concat([]string{"جمهوريه", "بطاقه", "البطاقه", nationalWord}, cardNames(), identityWords())
}

// nationalWord is that of بطاقة الرقم القومي, another title of the card; labels of the number have it on other cards, too.
const nationalWord = "القومي"

// identityWords are those of them that other cards of the state do not have.
func identityWords() []string { return []string{"تحقيق", "الشخصيه", "شخصيه"} }

// cardNames and ofNation are those of هوية وطنية, البطاقة القومية, هوية المواطن and الهوية المصرية, as the card is called elsewhere.
func cardNames() []string { return []string{"الهويه", "هويه"} }

func ofNation() []string {
	return []string{"الوطنيه", "وطنيه", "القوميه", "قوميه", "المواطن", "المصريه"}
}

// titleNames are those that are like names.
func titleNames() []string { return append(ofNation(), "العربيه") }

// officeWords are those of the offices that old cards name: وزارة الداخلية and مصلحة الأحوال المدنية. Names come near to some.
func officeWords() []string {
	return []string{"وزاره", "الداخليه", "مصلحه", "الاحوال", "للاحوال", "المدنيه"}
}

// isTitle reports whether a line is one of the titles, some letters misread: two of their words, of which no name has one, or such a
// one alone or beside a scrap of another.
func isTitle(line string) bool {
	words := strings.Fields(egypt.Fold(line))
	whole := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return arabicLetters(w) < shortWord })
	hits, likeNames := 0, 0
	for _, w := range words {
		like := func(t string) bool {
			least := 0.75
			if t == nationalWord { // streets are القومية
				least = clearTitle
			}
			return egypt.Likeness(w, t) >= least
		}
		switch {
		case slices.ContainsFunc(titleWords(), like), beginsTitle(w):
			hits++
		case slices.ContainsFunc(titleNames(), like):
			likeNames++
		}
	}
	card := slices.Contains(words, "بطاقه") && slices.Contains(words, "الرقم") // القومي may be misread
	return hits > 0 && (hits+likeNames >= 2 || len(whole) == 1) || namesOffice(line) || card
}

// namesOffice reports whether a line names the office that issued a card, or its head.
func namesOffice(line string) bool {
	offices := 0
	for w := range strings.FieldsSeq(egypt.Fold(line)) {
		if slices.ContainsFunc(officeWords(), func(t string) bool { return egypt.Likeness(w, t) >= clearTitle }) {
			offices++
		}
	}
	return offices >= 2
}

// clearTitle is the least likeness to a word of titles of one that streets and names are like.
const clearTitle = 0.87
