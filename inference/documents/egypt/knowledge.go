package egypt

import (
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

// KnowledgeWith is Knowledge where lines hold further words.
func KnowledgeWith(more Words) field.Knowledge {
	names, addresses := egypt.NewNameWording(more.Names...), egypt.NewAddressWording(more.Addresses...)
	jobs := egypt.NewJobWording(more.Jobs...)
	units := egypt.NewAddressWording(append(unitWords(), more.Addresses...)...)
	of := func(t *egypt.Terms) field.Term { return field.Term{Vocabulary: terms{t}} }
	dates := field.Number{Grammar: date{number.LicenceExpiryRules}, Words: surelyDated}
	counts := func(c count) field.Number { return field.Number{Grammar: c, Short: true, Words: surelySpelled} }
	return field.Knowledge{
		Decoders: map[string]field.Decoder{
			"national_number":     field.Number{Grammar: nationalNumber{}},
			"date":                dates,
			"name":                field.Words{Language: nameLines{wording{names}}},
			"address":             field.Words{Language: addressLines{wording{addresses}}},
			"owner_address":       field.Words{Language: addressLines{wording{addresses}}},
			"job":                 field.Words{Language: jobLines{wording{jobs}}},
			"first_name":          holder{field.Words{Language: nameLines{wording{names}}}, egypt.NamesCompany},
			"rest_name":           holder{field.Words{Language: nameLines{wording{names}}}, egypt.NamesBusiness},
			"remark":              field.Words{Language: remarkLines{wording{egypt.NewRemarkWording(more.Remarks...)}}},
			"plate":               apart{plateLine{plateShapes()}},
			"use":                 of(egypt.Uses()),
			"latin_name":          field.Plain{Spelling: capitals{}},
			"traffic_unit":        unitOf(units),
			"traffic_department":  of(egypt.Departments()),
			"licence_kind":        of(egypt.LicenceKinds()),
			"nationality":         of(egypt.Nationalities()),
			"nationality_english": of(egypt.NationalitiesEnglish()),
			"condition":           of(egypt.Conditions()),
			"line":                field.Plain{Spelling: line{}},
			"digits":              field.Number{Grammar: anyNumber{}},
			"make":                of(egypt.Makes()),
			"model":               of(egypt.Models()),
			"body":                of(egypt.Bodies()),
			"colour":              of(egypt.Colours()),
			"fuel":                of(egypt.Fuels()),
			"model_year":          counts(count{low: firstModel, high: lastModel, likely: 1, year: true}),
			"cylinders":           counts(count{low: 1, high: mostCylinders, likely: 0.95}),
			"engine_size":         counts(count{low: leastVolume, high: mostVolume, likely: 0.95, size: true}),
			"chassis":             chassis(),
			"motor":               motor(),
			"inspection":          dates,
			"note":                field.Words{Language: noteLines{wording{egypt.NewRemarkWording(more.Remarks...)}}},
			"card_number":         cardNumber{field.Number{Grammar: nationalNumber{}}},
			"release":             field.Number{Grammar: release(), Words: surelySpelled},
			"card_expiry":         field.Number{Grammar: expiry(), Words: surelySpelled},
			"sex":                 sex{statusOf(egypt.VocabularySex)},
			"religion":            statusOf(egypt.VocabularyReligion),
			"marital_status":      statusOf(egypt.VocabularyMarital),
			"occupation":          field.Words{Language: jobLines{wording{jobs}}},
			"workplace":           field.Words{Language: wording{jobs}},
			"husband":             field.Words{Language: nameLines{wording{names}}},
			"birth_date":          field.Number{Grammar: birthDate(), Words: surelySpelled},
			"identity_number":     cardNumber{field.Number{Grammar: frontNumber{}, Words: surelySpelled}},
			"given_name":          field.Words{Language: nameLines{wording{names}}},
			"family_names":        field.Words{Language: fathersLines{nameLines{wording{names}}}},
			"street":              field.Words{Language: streetLines{addressLines{wording{addresses}}}},
			"district":            field.Words{Language: districtLines{addressLines{wording{addresses}}}},
			"card_serial":         cardSerial{},
		},
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
