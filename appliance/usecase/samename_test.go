package usecase_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/holder"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// named is a document that names its holder.
func named(kind appliance.Kind, names ...string) appliance.Document {
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
	doubtful := named(driving, "two")
	doubtful.Flag("nameArabic", "two", appliance.CodeLowConfidence)
	unread := named(driving, "")
	unread.Flag("nameArabic", "", appliance.CodeUnreadable)
	half := named(car, "one", "")
	half.Flag("name_2", "", appliance.CodeUnreadable)
	for name, test := range map[string]struct {
		documents []appliance.Document
		field     string // of the last answer that carries 3102, "" for none
	}{
		"driving licence after the ID":  {[]appliance.Document{named(id, "one"), named(driving, "two")}, "nameArabic"},
		"ID after the driving licence":  {[]appliance.Document{named(driving, "two"), named(id, "one")}, "name"},
		"car licence after the ID":      {[]appliance.Document{named(id, "one"), named(car, "one", "three")}, "name"},
		"the same in two fields":        {[]appliance.Document{named(id, "one three"), named(car, "one", "three")}, ""},
		"the same":                      {[]appliance.Document{named(id, "one"), named(driving, "one")}, ""},
		"the newest counts":             {[]appliance.Document{named(id, "two"), named(id, "one"), named(driving, "one")}, ""},
		"one of two licences differs":   {[]appliance.Document{named(driving, "one"), named(car, "two", ""), named(id, "one")}, "name"},
		"two licences":                  {[]appliance.Document{named(driving, "one"), named(car, "two", "")}, ""},
		"doubtful":                      {[]appliance.Document{named(id, "one"), doubtful}, ""},
		"no name":                       {[]appliance.Document{named(id, "one"), unread}, ""},
		"half a name":                   {[]appliance.Document{named(id, "one three"), half}, ""},
		"ID of which the first is lost": {[]appliance.Document{{Kind: id, Fields: []appliance.Field{{Name: "name", Value: "three"}}}, named(driving, "one")}, ""},
		"nothing before":                {[]appliance.Document{named(driving, "one")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var shown appliance.Document
			reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
				return appliance.Reading{Documents: []appliance.Document{shown}}, nil
			}}
			a := usecase.New(usecase.Deps{
				Decoder:      appliancetest.PictureDecoder{},
				Networks:     usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader}},
				Transactions: appliancetest.NewTransactions(time.Hour, time.Now), Queue: queue.New(1, 1), Now: time.Now,
				Holders: holder.Rules{SameName: func(a, b string, doubtful bool) bool { return doubtful || strings.EqualFold(a, b) }},
			})
			transaction := ""
			for i, d := range test.documents {
				shown = d
				answer, err := a.Read(t.Context(), usecase.ReadRequest{Endpoint: appliance.EndpointMulti, RequestID: appliance.NewGUID(), TransactionID: transaction, Image: []byte{1}})
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
