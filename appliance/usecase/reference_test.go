package usecase_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// identityDocument is one of a kind with fields, given as name=value, and a portrait.
func identityDocument(kind appliance.Kind, fields ...string) appliance.Document {
	d := appliancetest.HolderDocument(kind, fields...)
	d.Portrait = portrait(0)
	return d
}

const (
	mona  = "29001021234565" // a woman, 1990-01-02
	karim = "28503041234575" // a man, 1985-03-04
)

func cardOf(number string, more ...string) appliance.Document {
	return identityDocument(appliance.NationalIDFront, append(more, "idNumber="+number)...)
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
			a := usecase.New(usecase.Deps{
				Decoder:      appliancetest.PictureDecoder{},
				Transactions: appliancetest.NewTransactions(time.Hour, time.Now), Queue: queue.New(1, 1), Now: time.Now, Holders: appliancetest.HolderRules(),
				Networks: usecase.Networks{
					Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader},
					Faces:   usecase.Faces{Finder: found(1), Matcher: dotMatcher{}},
				},
			})
			transaction, requests := appliance.NewGUID(), []string{}
			for i, p := range c.pictures {
				shown, requests = p.shows, append(requests, appliance.NewGUID())
				answer, err := a.Read(t.Context(), usecase.ReadRequest{Endpoint: appliance.EndpointMulti, RequestID: requests[i], TransactionID: transaction, Image: []byte{1}})
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
			m, err := a.MatchFace(t.Context(), usecase.Comparison{RequestID: "r", TransactionID: transaction}, []byte{1})
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
		w := newFaceWorld(t, usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}, c.documents...)
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
		w := newFaceWorld(t, usecase.Faces{Finder: found(1), Matcher: dotMatcher{}, Judge: judge, PortraitCeiling: c.ceiling}, passportWith(portrait(0)))
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
