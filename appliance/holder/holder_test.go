package holder_test

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/holder"
)

const (
	mona  = "29001021234565" // a woman, 1990-01-02
	karim = "28503041234575" // a man, 1985-03-04
)

func cardOf(number string, more ...string) appliance.Document {
	return appliancetest.HolderDocument(appliance.NationalIDFront, append(more, "idNumber="+number)...)
}

// Two documents are one holder's by equal numbers, or by equal days of birth and names that can be the same; they are two holders'
// where number, day of birth, sex or name disagree; and nothing is said where too little is known. It is the same both ways.
func TestCompareHolders(t *testing.T) {
	const front, passport, licence = appliance.NationalIDFront, appliance.Passport, appliance.DrivingLicense
	flagged := func(d appliance.Document, field string, code appliance.Code) appliance.Document {
		d.Flag(field, "", code)
		return d
	}
	for name, c := range map[string]struct {
		a, b appliance.Document
		want holder.Holders
	}{
		"equal numbers":                    {cardOf(mona), cardOf(mona), holder.OneHolder},
		"equal numbers, other names":       {cardOf(mona, "first_name=mona", "name=mona"), cardOf(mona, "first_name=x", "name=x"), holder.OneHolder},
		"other numbers":                    {cardOf(mona), cardOf(karim), holder.TwoHolders},
		"number in the zone":               {cardOf(mona), appliancetest.HolderDocument(passport, "zone="+mona), holder.OneHolder},
		"another number in the zone":       {cardOf(mona), appliancetest.HolderDocument(passport, "zone="+karim), holder.TwoHolders},
		"licence":                          {cardOf(mona), appliancetest.HolderDocument(licence, "nationalID="+mona), holder.OneHolder},
		"another's licence":                {cardOf(mona), appliancetest.HolderDocument(licence, "nationalID="+karim), holder.TwoHolders},
		"unreadable number":                {cardOf(mona), flagged(cardOf(karim), "idNumber", appliance.CodeUnreadable), holder.Unproven},
		"number of thirteen digits":        {cardOf(mona), cardOf(karim[1:]), holder.Unproven},
		"birth and name":                   {appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), holder.OneHolder},
		"birth of the number and name":     {cardOf(mona, "first_name=mona", "name=mona"), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), holder.OneHolder},
		"birth of a licence's number":      {appliancetest.HolderDocument(licence, "nationalID="+mona, "nameArabic=mona"), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), holder.OneHolder},
		"another birth":                    {cardOf(mona, "first_name=mona", "name=mona"), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-03", "name=MONA"), holder.TwoHolders},
		"another sex":                      {cardOf(mona), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02", "gender=Male"), holder.TwoHolders},
		"no sex stated":                    {cardOf(mona), appliancetest.HolderDocument(passport, "gender=X"), holder.Unproven},
		"birth alone":                      {cardOf(mona), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02"), holder.Unproven},
		"name alone":                       {appliancetest.HolderDocument(licence, "nameArabic=mona"), appliancetest.HolderDocument(passport, "name=MONA"), holder.Unproven},
		"another name in Arabic":           {appliancetest.HolderDocument(licence, "nameArabic=mona"), appliancetest.HolderDocument(front, "first_name=hoda", "name=hoda"), holder.TwoHolders},
		"another name in Latin":            {appliancetest.HolderDocument(licence, "nameArabic=mona"), appliancetest.HolderDocument(passport, "name=HODA"), holder.TwoHolders},
		"another, but doubtful":            {flagged(appliancetest.HolderDocument(licence, "nameArabic=mona"), "nameArabic", appliance.CodeLowConfidence), appliancetest.HolderDocument(passport, "name=HODA"), holder.Unproven},
		"a like name in Latin":             {appliancetest.HolderDocument(licence, "nameArabic=mona"), appliancetest.HolderDocument(passport, "name=MARIAM"), holder.Unproven},
		"twins":                            {appliancetest.HolderDocument(licence, "nationalID="+mona, "nameArabic=mona"), appliancetest.HolderDocument(passport, "Date_of_Birth=1990-01-02", "name=MARIAM"), holder.Unproven},
		"nothing was read":                 {appliance.Document{Kind: licence}, appliance.Document{Kind: passport}, holder.Unproven},
		"flags of the document as a whole": {flagged(cardOf(mona), "", appliance.CodeOtherDocument), cardOf(mona), holder.OneHolder},
	} {
		if got := appliancetest.HolderRules().Compare(&c.a, &c.b); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if got := appliancetest.HolderRules().Compare(&c.b, &c.a); got != c.want {
			t.Errorf("%s, the other way: %d, want %d", name, got, c.want)
		}
	}
	if got := (holder.Rules{}).Compare(&appliance.Document{Kind: licence, Fields: []appliance.Field{{Name: "nameArabic", Value: "mona"}}},
		&appliance.Document{Kind: licence, Fields: []appliance.Field{{Name: "nameArabic", Value: "hoda"}}}); got != holder.Unproven {
		t.Errorf("without rules names are compared: %d", got)
	}
}
