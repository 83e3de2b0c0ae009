package appliance_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// holder is a document that names its holder.
func holder(kind appliance.Kind, names ...string) appliance.Document {
	fields := map[appliance.Kind][]string{
		appliance.NationalIDFront: {"name", "first_name"},
		appliance.DrivingLicense:  {"nameArabic"},
		appliance.CarLicenseFront: {"name", "name_2"},
	}[kind]
	d := appliance.Document{Kind: kind}
	for i, f := range fields {
		value := names[0]
		if kind == appliance.CarLicenseFront {
			value = names[i]
		}
		d.Fields = append(d.Fields, appliance.Field{Name: f, Value: value})
	}
	return d
}

// Of an ID and a licence of one transaction with different names the later answer carries 3102 on its name, whichever comes
// first; documents without a name, of other kinds, or with the same name say nothing.
func TestNameDiffers(t *testing.T) {
	const id, driving, car = appliance.NationalIDFront, appliance.DrivingLicense, appliance.CarLicenseFront
	doubtful := holder(driving, "two")
	doubtful.Flag("nameArabic", "two", appliance.CodeLowConfidence)
	unread := holder(driving, "")
	unread.Flag("nameArabic", "", appliance.CodeUnreadable)
	half := holder(car, "one", "")
	half.Flag("name_2", "", appliance.CodeUnreadable)
	for name, test := range map[string]struct {
		documents []appliance.Document
		field     string // of the last answer that carries 3102, "" for none
	}{
		"driving licence after the ID":  {[]appliance.Document{holder(id, "one"), holder(driving, "two")}, "nameArabic"},
		"ID after the driving licence":  {[]appliance.Document{holder(driving, "two"), holder(id, "one")}, "name"},
		"car licence after the ID":      {[]appliance.Document{holder(id, "one"), holder(car, "one", "three")}, "name"},
		"the same in two fields":        {[]appliance.Document{holder(id, "one three"), holder(car, "one", "three")}, ""},
		"the same":                      {[]appliance.Document{holder(id, "one"), holder(driving, "one")}, ""},
		"the newest counts":             {[]appliance.Document{holder(id, "two"), holder(id, "one"), holder(driving, "one")}, ""},
		"one of two licences differs":   {[]appliance.Document{holder(driving, "one"), holder(car, "two", ""), holder(id, "one")}, "name"},
		"two licences":                  {[]appliance.Document{holder(driving, "one"), holder(car, "two", "")}, ""},
		"doubtful":                      {[]appliance.Document{holder(id, "one"), doubtful}, ""},
		"no name":                       {[]appliance.Document{holder(id, "one"), unread}, ""},
		"half a name":                   {[]appliance.Document{holder(id, "one three"), half}, ""},
		"ID of which the first is lost": {[]appliance.Document{{Kind: id, Fields: []appliance.Field{{Name: "name", Value: "three"}}}, holder(driving, "one")}, ""},
		"nothing before":                {[]appliance.Document{holder(driving, "one")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var shown appliance.Document
			reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
				return appliance.Reading{Documents: []appliance.Document{shown}}, nil
			}}
			a := appliance.New(appliance.Deps{
				Decoder: appliancetest.PictureDecoder{}, Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader},
				Transactions: appliancetest.NewTransactions(time.Hour, time.Now), Queue: appliance.NewQueue(1, 1), Now: time.Now,
				Holders: appliance.HolderRules{SameName: func(a, b string, doubtful bool) bool { return doubtful || strings.EqualFold(a, b) }},
			})
			transaction := ""
			for i, d := range test.documents {
				shown = d
				answer, err := a.Read(t.Context(), appliance.ReadRequest{Endpoint: appliance.EndpointMulti, RequestID: appliance.NewGUID(), TransactionID: transaction, Image: []byte{1}})
				if err != nil {
					t.Fatal(err)
				}
				transaction = answer.TransactionID
				var flagged []string
				for _, v := range answer.Documents[0].Validations {
					if slices.Contains(v.Errors, appliance.CodeNameDiffers) {
						flagged = append(flagged, v.Field)
					}
				}
				if got := strings.Join(flagged, ","); i == len(test.documents)-1 && got != test.field {
					t.Errorf("3102 on %q, want %q", got, test.field)
				}
			}
		})
	}
}
