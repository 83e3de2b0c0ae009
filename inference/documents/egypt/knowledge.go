package egypt

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/names"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
)

// Words are words that lines hold beside those of the lists in the program, or more often.
type Words struct{ Names, Addresses, Jobs, Remarks []egypt.Listed }

// Knowledge returns the decoders, agreements and checks that descriptions of Egyptian documents may name. It takes megabytes, and its parts
// are shared: nothing in it may be changed.
func Knowledge() field.Knowledge { return plain() }

var plain = sync.OnceValue(func() field.Knowledge { return KnowledgeWith(Words{}) })

// Lines are the kinds of lines whose words a site may list, with the decoders that read each.
func Lines() map[string][]string { return lines() }

var lines = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for kind, decoders := range lineDecoders(nameWording(Words{}), Words{}) {
		out[kind] = slices.Sorted(maps.Keys(decoders))
	}
	return out
})

func nameWording(more Words) wording { return wording{egypt.NewNameWording(more.Names...)} }

// lineDecoders are the decoders of lines of words by the members of Words.
func lineDecoders(names wording, more Words) map[string]map[string]field.Decoder {
	addresses := addressLines{wording{egypt.NewAddressWording(more.Addresses...)}}
	jobs, remarks := wording{egypt.NewJobWording(more.Jobs...)}, wording{egypt.NewRemarkWording(more.Remarks...)}
	return map[string]map[string]field.Decoder{
		"names": {
			"name":         field.Words{Language: nameLines{names}},
			"husband":      field.Words{Language: nameLines{names}},
			"given_name":   field.Words{Language: nameLines{names}},
			"family_names": field.Words{Language: fathersLines{nameLines{names}}},
		},
		"addresses": {
			"address":       field.Words{Language: addresses},
			"owner_address": field.Words{Language: addresses},
			"street":        field.Words{Language: streetLines{addresses}},
			"district":      field.Words{Language: districtLines{addresses}},
		},
		"jobs": {
			"job":        field.Words{Language: jobLines{jobs}},
			"occupation": field.Words{Language: jobLines{jobs}},
			"workplace":  field.Words{Language: jobs},
		},
		"remarks": {
			"remark": field.Words{Language: remarkLines{remarks}},
			"note":   field.Words{Language: noteLines{remarks}},
		},
	}
}

// ownerDecoders read whose a vehicle is. Nobody lists their words: they may be of a company's name.
func ownerDecoders(names wording) map[string]field.Decoder {
	person := field.Words{Language: nameLines{names}}
	return map[string]field.Decoder{"first_name": holder{person, egypt.NamesCompany}, "rest_name": holder{person, egypt.NamesBusiness}}
}

// termDecoders read one of the phrases of a list, or a line that has none.
func termDecoders() map[string]field.Decoder {
	of := func(t *egypt.Terms) field.Term { return field.Term{Vocabulary: terms{t}} }
	return map[string]field.Decoder{
		"use":                 of(egypt.Uses()),
		"traffic_department":  of(egypt.Departments()),
		"licence_kind":        of(egypt.LicenceKinds()),
		"nationality":         of(egypt.Nationalities()),
		"nationality_english": of(egypt.NationalitiesEnglish()),
		"condition":           of(egypt.Conditions()),
		"make":                of(egypt.Makes()),
		"model":               of(egypt.Models()),
		"body":                of(egypt.Bodies()),
		"colour":              of(egypt.Colours()),
		"fuel":                of(egypt.Fuels()),
		"sex":                 sex{statusOf(egypt.VocabularySex)},
		"religion":            statusOf(egypt.VocabularyReligion),
		"marital_status":      statusOf(egypt.VocabularyMarital),
		"latin_name":          field.Plain{Spelling: capitals{}},
		"line":                field.Plain{Spelling: line{}},
	}
}

// numberDecoders read numbers, dates and what is made of letters and digits.
func numberDecoders() map[string]field.Decoder {
	dates := field.Number{Grammar: date{number.LicenceExpiryRules}, Words: surelyDated}
	counts := func(c count) field.Decoder {
		return counted{field.Number{Grammar: c, Short: true, Words: surelySpelled}}
	}
	return map[string]field.Decoder{
		"national_number": field.Number{Grammar: nationalNumber{}},
		"identity_number": cardNumber{field.Number{Grammar: frontNumber{}, Words: surelySpelled}},
		"card_number":     cardNumber{field.Number{Grammar: nationalNumber{}}},
		"card_serial":     cardSerial{},
		"digits":          field.Number{Grammar: anyNumber{}},
		"plate":           apart{plateLine{plateShapes()}},
		"chassis":         chassis(),
		"motor":           motor(),
		"model_year":      counts(count{low: firstModel, high: lastModel, likely: 1, year: true}),
		"cylinders":       counts(count{low: 1, high: mostCylinders, likely: 0.95}),
		"engine_size":     counts(count{low: leastVolume, high: mostVolume, likely: 0.95, size: true}),
		"date":            dates,
		"inspection":      dates,
		"release":         field.Number{Grammar: release(), Words: surelySpelled},
		"card_expiry":     field.Number{Grammar: expiry(), Words: surelySpelled},
		"birth_date":      field.Number{Grammar: birthDate(), Words: surelySpelled},
	}
}

// KnowledgeWith is Knowledge where lines hold further words.
func KnowledgeWith(more Words) field.Knowledge {
	names := nameWording(more)
	decoders := map[string]field.Decoder{"traffic_unit": unitOf(egypt.NewAddressWording(append(unitWords(), more.Addresses...)...))}
	for _, some := range lineDecoders(names, more) {
		maps.Copy(decoders, some)
	}
	for _, some := range []map[string]field.Decoder{ownerDecoders(names), termDecoders(), numberDecoders()} {
		maps.Copy(decoders, some)
	}
	return field.Knowledge{
		Decoders: decoders,
		Lists: map[string]func([]string) field.Decoder{
			"phrase": func(values []string) field.Decoder { return field.Term{Vocabulary: all{terms{egypt.NewTerms(values)}}} },
		},
		Open: map[string]func([]string) field.Decoder{
			"line": func(values []string) field.Decoder { return field.Plain{Spelling: often{values: values}} },
			"name": func(words []string) field.Decoder {
				return field.Words{Language: nameLines{wording{egypt.NewNameWording(listed(words)...)}}}
			},
			"address": func(words []string) field.Decoder {
				return field.Words{Language: addressLines{wording{egypt.NewAddressWording(listed(words)...)}}}
			},
			"job": func(words []string) field.Decoder {
				return field.Words{Language: jobLines{wording{egypt.NewJobWording(listed(words)...)}}}
			},
		},
		Types: map[string]appliance.FieldType{
			"date": appliance.Date, "inspection": appliance.Date, "release": appliance.Date, "card_expiry": appliance.Date,
			"birth_date": appliance.Date,
		},
		Follows:    follows(),
		Holders:    []string{"national_number", "card_number", "identity_number", "digits"},
		Variants:   variants,
		Agreements: map[string]field.Comparison{"transcription": {Of: [2]string{"name", "latin_name"}, Compare: transcription}},
		Checks: map[string]field.Check{
			"expired": {Of: "date", Malformed: appliance.CodeExpiryFormat, Fails: expired},
			"past":    {Of: "date", Malformed: appliance.CodeReleaseFormat, Fails: past},
		},
	}
}

// variants are the signs that typists print for a sign.
func variants(sign rune) []rune {
	for _, group := range []string{"اأإآ", "يىئ", "هة", "وؤ", "كک"} {
		if strings.ContainsRune(group, sign) {
			return []rune(group)
		}
	}
	if upper, lower := unicode.ToUpper(sign), unicode.ToLower(sign); upper != lower {
		return []rune{upper, lower}
	}
	return []rune{sign}
}

// transcription compares a name in Arabic letters with one in Latin ones: the same where no consonant of any of its names is amiss.
func transcription(arabic, latin string) (same, other bool) {
	worst, alike := names.NameByName(arabic, latin)
	_, spelled := names.LogTranscription(arabic, latin)
	return alike && worst < names.Amiss, !spelled
}

// expired flags a document that is no longer valid.
func expired(value string, known field.Known) appliance.Code {
	if number.Expired(value, known.Now) {
		return appliance.CodeExpired
	}
	return 0
}

// past flags an issue date that lies ahead.
func past(value string, known field.Known) appliance.Code {
	if value > known.Now.Format(time.DateOnly) {
		return appliance.CodeReleaseDate
	}
	return 0
}
