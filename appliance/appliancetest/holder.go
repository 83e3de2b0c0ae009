package appliancetest

import (
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/holder"
)

// HolderRules compare names by their letters: a name in Latin letters is the Arabic one in capitals.
func HolderRules() holder.Rules {
	return holder.Rules{
		SameName: func(a, b string, doubtful bool) bool { return a == b || doubtful && a[0] == b[0] },
		InLatin: func(arabic, latin string) (same, other bool) {
			return strings.ToUpper(arabic) == latin, strings.ToUpper(arabic)[0] != latin[0]
		},
		OfNumber: func(number string) (born, sex string) {
			return "19" + number[1:3] + "-" + number[3:5] + "-" + number[5:7], map[bool]string{true: "Male", false: "Female"}[number[12]%2 == 1]
		},
	}
}

// HolderDocument is an identity document of a kind with fields, given as name=value; zone is the number in the zone of a passport.
func HolderDocument(kind appliance.Kind, fields ...string) appliance.Document {
	d := appliance.Document{Kind: kind}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		if name == "zone" {
			d.PersonalNumber = value
			continue
		}
		d.Fields = append(d.Fields, appliance.Field{Name: name, Value: value})
	}
	return d
}
