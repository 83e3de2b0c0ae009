package card

import "github.com/bawab/bawab/appliance/egypt"

type vocabulary int

const (
	vocabSex vocabulary = iota
	vocabReligion
	vocabMarital
)

type vocabWord struct {
	kind  vocabulary
	word  string
	sex   egypt.Sex
	score float64
}

func statusWord(w string) vocabWord {
	list := []vocabWord{
		{vocabSex, "ذكر", egypt.Male, 0}, {vocabSex, "أنثى", egypt.Female, 0},
		{vocabReligion, "مسلم", egypt.Male, 0}, {vocabReligion, "مسلمة", egypt.Female, 0},
		{vocabReligion, "مسيحي", egypt.Male, 0}, {vocabReligion, "مسيحية", egypt.Female, 0},
		{vocabReligion, "يهودي", egypt.Male, 0}, {vocabReligion, "يهودية", egypt.Female, 0},
		{vocabMarital, "أعزب", egypt.Male, 0}, {vocabMarital, "آنسة", egypt.Female, 0},
		{vocabMarital, "متزوج", egypt.Male, 0}, {vocabMarital, "متزوجة", egypt.Female, 0},
		{vocabMarital, "مطلق", egypt.Male, 0}, {vocabMarital, "مطلقة", egypt.Female, 0},
		{vocabMarital, "أرمل", egypt.Male, 0}, {vocabMarital, "أرملة", egypt.Female, 0},
	}
	best := vocabWord{}
	f := egypt.Fold(w)
	for _, v := range list {
		g := egypt.Fold(v.word)
		v.score = 1 - float64(distance(f, g))/float64(len([]rune(g)))
		if v.score > best.score {
			best = v
		}
	}
	return best
}

func latin(s string) string { return s }
