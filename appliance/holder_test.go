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

// testRules compare names by their letters: a name in Latin letters is the Arabic one in capitals.
func testRules() appliance.HolderRules {
	return appliance.HolderRules{
		SameName: func(a, b string, doubtful bool) bool { return a == b || doubtful && a[0] == b[0] },
		InLatin: func(arabic, latin string) (same, other bool) {
			return strings.ToUpper(arabic) == latin, strings.ToUpper(arabic)[0] != latin[0]
		},
		OfNumber: func(number string) (born, sex string) {
			return "19" + number[1:3] + "-" + number[3:5] + "-" + number[5:7], map[bool]string{true: "Male", false: "Female"}[number[12]%2 == 1]
		},
	}
}

// identityDocument is one of a kind with fields, given as name=value, and a portrait.
func identityDocument(kind appliance.Kind, fields ...string) appliance.Document {
	d := appliance.Document{Kind: kind, Portrait: portrait(0)}
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

const (
	mona  = "29001021234565" // a woman, 1990-01-02
	karim = "28503041234575" // a man, 1985-03-04
)

func cardOf(number string, more ...string) appliance.Document {
	return identityDocument(appliance.NationalIDFront, append(more, "idNumber="+number)...)
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
		want appliance.Holders
	}{
		"equal numbers":                    {cardOf(mona), cardOf(mona), appliance.OneHolder},
		"equal numbers, other names":       {cardOf(mona, "first_name=mona", "name=mona"), cardOf(mona, "first_name=x", "name=x"), appliance.OneHolder},
		"other numbers":                    {cardOf(mona), cardOf(karim), appliance.TwoHolders},
		"number in the zone":               {cardOf(mona), identityDocument(passport, "zone="+mona), appliance.OneHolder},
		"another number in the zone":       {cardOf(mona), identityDocument(passport, "zone="+karim), appliance.TwoHolders},
		"licence":                          {cardOf(mona), identityDocument(licence, "nationalID="+mona), appliance.OneHolder},
		"another's licence":                {cardOf(mona), identityDocument(licence, "nationalID="+karim), appliance.TwoHolders},
		"unreadable number":                {cardOf(mona), flagged(cardOf(karim), "idNumber", appliance.CodeUnreadable), appliance.Unproven},
		"number of thirteen digits":        {cardOf(mona), cardOf(karim[1:]), appliance.Unproven},
		"birth and name":                   {identityDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), identityDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), appliance.OneHolder},
		"birth of the number and name":     {cardOf(mona, "first_name=mona", "name=mona"), identityDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), appliance.OneHolder},
		"birth of a licence's number":      {identityDocument(licence, "nationalID="+mona, "nameArabic=mona"), identityDocument(passport, "Date_of_Birth=1990-01-02", "name=MONA"), appliance.OneHolder},
		"another birth":                    {cardOf(mona, "first_name=mona", "name=mona"), identityDocument(passport, "Date_of_Birth=1990-01-03", "name=MONA"), appliance.TwoHolders},
		"another sex":                      {cardOf(mona), identityDocument(passport, "Date_of_Birth=1990-01-02", "gender=Male"), appliance.TwoHolders},
		"no sex stated":                    {cardOf(mona), identityDocument(passport, "gender=X"), appliance.Unproven},
		"birth alone":                      {cardOf(mona), identityDocument(passport, "Date_of_Birth=1990-01-02"), appliance.Unproven},
		"name alone":                       {identityDocument(licence, "nameArabic=mona"), identityDocument(passport, "name=MONA"), appliance.Unproven},
		"another name in Arabic":           {identityDocument(licence, "nameArabic=mona"), identityDocument(front, "first_name=hoda", "name=hoda"), appliance.TwoHolders},
		"another name in Latin":            {identityDocument(licence, "nameArabic=mona"), identityDocument(passport, "name=HODA"), appliance.TwoHolders},
		"another, but doubtful":            {flagged(identityDocument(licence, "nameArabic=mona"), "nameArabic", appliance.CodeLowConfidence), identityDocument(passport, "name=HODA"), appliance.Unproven},
		"a like name in Latin":             {identityDocument(licence, "nameArabic=mona"), identityDocument(passport, "name=MARIAM"), appliance.Unproven},
		"twins":                            {identityDocument(licence, "nationalID="+mona, "nameArabic=mona"), identityDocument(passport, "Date_of_Birth=1990-01-02", "name=MARIAM"), appliance.Unproven},
		"nothing was read":                 {appliance.Document{Kind: licence}, appliance.Document{Kind: passport}, appliance.Unproven},
		"flags of the document as a whole": {flagged(cardOf(mona), "", appliance.CodeOtherDocument), cardOf(mona), appliance.OneHolder},
	} {
		if got := testRules().Compare(&c.a, &c.b); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if got := testRules().Compare(&c.b, &c.a); got != c.want {
			t.Errorf("%s, the other way: %d, want %d", name, got, c.want)
		}
	}
	if got := (appliance.HolderRules{}).Compare(&appliance.Document{Kind: licence, Fields: []appliance.Field{{Name: "nameArabic", Value: "mona"}}},
		&appliance.Document{Kind: licence, Fields: []appliance.Field{{Name: "nameArabic", Value: "hoda"}}}); got != appliance.Unproven {
		t.Errorf("without rules names are compared: %d", got)
	}
}

// The first identity document with a portrait stays what faces are compared with, whatever is read later; another of the same
// holder takes its place, one of another holder is answered 3103 and changes nothing, and nobody can end one person's check with
// another's portrait in several steps.
func TestReference(t *testing.T) {
	const passport, licence = appliance.Passport, appliance.DrivingLicense
	bare := func(d appliance.Document) appliance.Document {
		d.Portrait = nil
		return d
	}
	type picture struct {
		shows   []appliance.Document
		change  appliance.ReferenceChange
		flagged string // which of the documents carry 3103, as indices
	}
	one := func(d appliance.Document, change appliance.ReferenceChange, flagged string) picture {
		return picture{[]appliance.Document{d}, change, flagged}
	}
	for name, c := range map[string]struct {
		pictures []picture
		want     int // of the pictures, the request of the reference; -1: none
		kind     appliance.Kind
	}{
		"one":                                {[]picture{one(cardOf(mona), "taken", "")}, 0, appliance.NationalIDFront},
		"same holder":                        {[]picture{one(cardOf(mona), "taken", ""), one(identityDocument(passport, "zone="+mona), "replaced", "")}, 1, passport},
		"another holder":                     {[]picture{one(cardOf(mona), "taken", ""), one(cardOf(karim), "kept", "0")}, 0, appliance.NationalIDFront},
		"nothing to compare":                 {[]picture{one(cardOf(mona), "taken", ""), one(identityDocument(licence), "kept", "")}, 0, appliance.NationalIDFront},
		"in two steps":                       {[]picture{one(cardOf(mona), "taken", ""), one(identityDocument(licence), "kept", ""), one(cardOf(karim), "kept", "0")}, 0, appliance.NationalIDFront},
		"back to the first":                  {[]picture{one(cardOf(mona), "taken", ""), one(cardOf(karim), "kept", "0"), one(cardOf(mona), "replaced", "")}, 2, appliance.NationalIDFront},
		"without a portrait":                 {[]picture{one(bare(cardOf(mona)), "", ""), one(identityDocument(passport, "zone="+mona), "taken", "")}, 1, passport},
		"none has a portrait":                {[]picture{one(bare(cardOf(mona)), "", ""), one(bare(cardOf(karim)), "", "0")}, -1, ""},
		"without a portrait, another holder": {[]picture{one(bare(cardOf(mona)), "", ""), one(cardOf(karim), "taken", "0")}, 1, appliance.NationalIDFront},
		"no identity document":               {[]picture{one(appliance.Document{Kind: appliance.LicensePlate}, "", ""), one(cardOf(mona), "taken", "")}, 1, appliance.NationalIDFront},
		"several in one picture":             {[]picture{{[]appliance.Document{cardOf(mona), identityDocument(passport, "zone="+mona), cardOf(karim)}, "taken", "2"}}, 0, appliance.NationalIDFront},
		"several later":                      {[]picture{one(cardOf(mona), "taken", ""), {[]appliance.Document{cardOf(karim), identityDocument(passport, "zone="+mona)}, "replaced", "0"}}, 1, passport},
	} {
		t.Run(name, func(t *testing.T) {
			var shown []appliance.Document
			reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
				return appliance.Reading{Documents: shown}, nil
			}}
			a := appliance.New(appliance.Deps{
				Decoder: appliancetest.PictureDecoder{}, Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader},
				Transactions: appliancetest.NewTransactions(time.Hour, time.Now), Queue: appliance.NewQueue(1, 1), Now: time.Now, Holders: testRules(),
				Faces: appliance.Faces{Finder: found(1), Matcher: dotMatcher{}},
			})
			transaction, requests := appliance.NewGUID(), []string{}
			for i, p := range c.pictures {
				shown, requests = p.shows, append(requests, appliance.NewGUID())
				answer, err := a.Read(t.Context(), appliance.ReadRequest{Endpoint: appliance.EndpointMulti, RequestID: requests[i], TransactionID: transaction, Image: []byte{1}})
				if err != nil {
					t.Fatal(err)
				}
				flagged := ""
				for j := range answer.Documents {
					if answer.Documents[j].Flagged("", appliance.CodeOtherHolder) {
						flagged += string(rune('0' + j))
					}
				}
				if answer.Reference != p.change || flagged != p.flagged {
					t.Errorf("picture %d: reference %q, want %q; 3103 on %q, want %q", i, answer.Reference, p.change, flagged, p.flagged)
				}
			}
			m, err := a.MatchFace(t.Context(), appliance.Comparison{RequestID: "r", TransactionID: transaction}, []byte{1})
			switch {
			case c.want < 0:
				if codeOf(err) != appliance.CodeNoPortrait {
					t.Errorf("compared with %+v: %v", m.Reference, err)
				}
			case err != nil:
				t.Error(err)
			case m.Reference != appliance.Reference{Kind: c.kind, RequestID: requests[c.want]}:
				t.Errorf("compared with %+v, want the %s of picture %d: %v", m.Reference, c.kind, c.want, requests)
			}
		})
	}
}

// Where networks were exchanged the portraits of the present ones count, as long as they are of the reference's holder: one of
// another holder that only the present networks saw is never compared.
func TestReferenceAcrossNetworks(t *testing.T) {
	old := func(d appliance.Document) appliance.Document {
		d.Portrait = &appliance.Portrait{Embedding: direction(0), Model: "older"}
		return d
	}
	for name, c := range map[string]struct {
		documents []appliance.Document
		code      appliance.Code
		kind      appliance.Kind
	}{
		"old alone":            {[]appliance.Document{old(cardOf(mona))}, 4208, ""},
		"read again":           {[]appliance.Document{old(cardOf(mona)), identityDocument(appliance.Passport, "zone="+mona)}, 0, appliance.Passport},
		"exchanged back":       {[]appliance.Document{cardOf(mona), old(identityDocument(appliance.Passport, "zone="+mona))}, 0, appliance.NationalIDFront},
		"another holder's":     {[]appliance.Document{old(cardOf(mona)), cardOf(karim)}, 4208, ""},
		"nobody knows of whom": {[]appliance.Document{old(cardOf(mona)), identityDocument(appliance.DrivingLicense)}, 4208, ""},
	} {
		w := newFaceWorld(t, appliance.Faces{Finder: found(1), Matcher: dotMatcher{}}, c.documents...)
		m, err := w.MatchFace(t.Context(), w.ids, []byte{1})
		if codeOf(err) != c.code || m.Reference.Kind != c.kind {
			t.Errorf("%s: compared with %q: %v", name, m.Reference.Kind, err)
		}
	}
}

// A picture as like the portrait as no second photograph of a person is is the portrait: face match does not match, liveness names
// the reason and leaves isMatched to the faces. Below the ceiling, and without one, nothing is said.
func TestDocumentPortrait(t *testing.T) {
	const portraitFace, personFace = "\x00", "\x02" // similarities 1 and 0.8
	for name, c := range map[string]struct {
		ceiling float64
		images  [3]string
		caught  bool
	}{
		"the portrait":            {0.95, [3]string{portraitFace, portraitFace + "\x01", portraitFace + "\x02"}, true},
		"the portrait at the end": {0.95, [3]string{personFace, personFace + "\x01", portraitFace}, true},
		"a person":                {0.95, [3]string{personFace, personFace + "\x01", personFace + "\x02"}, false},
		"no ceiling":              {0, [3]string{portraitFace, portraitFace + "\x01", portraitFace + "\x02"}, false},
	} {
		judge := judgeFunc(func(frames []*appliance.Picture) (f appliance.BurstFindings, err error) {
			for i, p := range frames {
				f.Embeddings[i] = direction(p.Width)
			}
			f.Score = 1
			return f, nil
		})
		w := newFaceWorld(t, appliance.Faces{Finder: found(1), Matcher: dotMatcher{}, Judge: judge, PortraitCeiling: c.ceiling}, passportWith(portrait(0)))
		var frames []appliance.LivenessFrame
		for _, image := range c.images {
			frames = append(frames, appliance.LivenessFrame{Image: []byte(image)})
		}
		l, err := w.JudgeLiveness(t.Context(), w.ids, frames)
		if err != nil || l.IsLive == c.caught || slices.Contains(l.Reasons, appliance.DocumentPortrait) != c.caught || !l.IsMatched {
			t.Errorf("%s: liveness %+v, %v", name, l, err)
		}
		cue := slices.ContainsFunc(l.Cues, func(q appliance.Cue) bool { return q.Name == "document_portrait" && q.Raised() })
		if cue != c.caught {
			t.Errorf("%s: cues %+v", name, l.Cues)
		}
		m, err := w.MatchFace(t.Context(), w.ids, []byte(c.images[2]))
		if err != nil || m.IsMatched == c.caught || slices.Contains(m.Reasons, appliance.DocumentPortrait) != c.caught {
			t.Errorf("%s: match %+v, %v", name, m, err)
		}
	}
}
