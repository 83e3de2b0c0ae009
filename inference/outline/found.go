package outline

import (
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
)

// class is what is known of the documents of a class; shapes are their widths by their heights.
type class struct {
	kind   appliance.Kind
	shapes []float64
}

var classes = sync.OnceValue(func() []class {
	all := make([]class, kindClasses)
	for i := range all {
		all[i].kind = appliance.Unknown
	}
	for i, k := range appliance.Contract() {
		all[i].kind = k.Kind
		for _, s := range k.Sizes {
			all[i].shapes = append(all[i].shapes, s.Shape())
		}
	}
	return all
})

// shapesOf returns the shapes that documents of a class may have; nil where they are not known.
func shapesOf(class int) []float64 { return classes()[class].shapes }

func classKind(class int) appliance.Kind { return classes()[class].kind }

// Found is one document in a picture.
type Found struct {
	// Kind is the likeliest kind; Unknown for any other document-like sheet.
	Kind appliance.Kind
	// Mirrored tells that the picture shows the document as a mirror would; its Kind is Unknown.
	Mirrored bool
	// Quad outlines the document in pixels of the picture, oriented by its content. Corners of a document that
	// reaches beyond the picture lie outside.
	Quad appliance.Quad
	// Score is the network's belief, 0 to 1, that a document of this kind lies there.
	Score float64
	// Edges is the evidence in the picture, 0 to 1, for each side (top, right, bottom, left); where it is low the side
	// is the network's guess. sheet.OutOfPicture and, as FindHidden tells, sheet.UnderOthers mark sides of which the picture shows nothing.
	Edges [4]float64
	// CutOut tells that the picture was cut out along the sides of the document: it holds all of it and nothing else.
	CutOut bool

	odds [kindClasses]float64
}

// Probability returns the network's belief, 0 to 1, that the document is of kind k.
func (f *Found) Probability(k appliance.Kind) float64 { return probability(f.odds, k) }

func probability(odds [kindClasses]float64, k appliance.Kind) (sum float64) {
	for class, p := range odds {
		if classKind(class) == k {
			sum += p
		}
	}
	return sum
}

// Unmirrored is the document where print shows that it lies in no mirror: of the likeliest kind of all others.
func (f *Found) Unmirrored() Found {
	out := *f
	out.Mirrored, out.odds[classMirrored] = false, 0
	best := classUnknown
	for class, p := range out.odds {
		if p > out.odds[best] {
			best = class
		}
	}
	out.Kind = classKind(best)
	return out
}

// Outlined reports whether the picture shows at least two sides of the document.
func (f *Found) Outlined() bool {
	sides := 0
	for _, e := range f.Edges {
		if e >= sheet.Weakest {
			sides++
		}
	}
	return sides >= 2
}

// Visible is the evidence for all four sides together, 0 to 4.
func (f *Found) Visible() (sum float64) {
	for _, e := range f.Edges {
		sum += max(0, e)
	}
	return sum
}

// CutOff reports whether any side of the document lies beyond the picture.
func (f *Found) CutOff() bool { return slices.Contains(f.Edges[:], sheet.OutOfPicture) }

// Covered reports whether any side of the document lies under other documents.
func (f *Found) Covered() bool { return slices.Contains(f.Edges[:], sheet.UnderOthers) }

// supported reports whether the picture shows enough sides of what the network holds for a document. A known kind is
// believed without, since a card on cloth of its own colour has no visible sides.
func (f *Found) supported() bool {
	sides := 0
	for _, e := range f.Edges {
		if e < 0 || e >= sheet.Weakest {
			sides++
		}
	}
	return sides >= 3 || f.Kind != appliance.Unknown && (sides == 2 || f.Score >= 0.5)
}
