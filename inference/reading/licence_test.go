package reading

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/vision"
)

// Property: what the product reads must not get worse. Of the committed photographs of licences at least so many fields of
// each kind come out exact, each is told as what it is, and few values mislead: wrong ones that nothing flags.
func TestGoldenLicences(t *testing.T) {
	floors := map[appliance.Kind]int{appliance.DrivingLicense: 39, appliance.CarLicenseFront: 30, appliance.CarLicenseBack: 44}
	const mostMisleading = 2
	tools, exact, misleading := cardTools(t), map[appliance.Kind]int{}, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil)
		if err != nil || got.Documents[0].Kind != want.Kind {
			t.Errorf("%s: %v, %v", truth.File, got.Documents, err)
			continue
		}
		d := got.Documents[0]
		for _, spec := range want.Kind.Model() {
			f, shown := d.Field(spec.Name), ""
			if v := want.Fields[spec.Name]; v != nil {
				shown = *v
			}
			switch {
			case f.Value == shown:
				exact[want.Kind]++
			case f.Value != "" && !flagged(d, spec.Name):
				misleading++
				t.Logf("%s, %s: %q, not %q, and nothing says so", truth.File, spec.Name, f.Value, shown)
			default:
				t.Logf("%s, %s: %q, not %q", truth.File, spec.Name, f.Value, shown)
			}
			if slices.ContainsFunc(d.Fields, func(o appliance.Field) bool { return o.Name == spec.Name }) == false {
				t.Errorf("%s: %s is missing", truth.File, spec.Name)
			}
		}
	}
	t.Log(exact)
	for kind, floor := range floors {
		if exact[kind] < floor {
			t.Errorf("%s: %d exact, the floor is %d", kind, exact[kind], floor)
		}
	}
	if misleading > mostMisleading {
		t.Errorf("%d values mislead", misleading)
	}
}

// Property: on drawn licences the letters of a plate that stand apart from each other and from its number are all read, and a condition
// without a label is the remark and no line of the address above it.
func TestWidePlatesAndConditions(t *testing.T) {
	tools := cardTools(t)
	for file, want := range map[string][2]string{
		"plate_wide.jpg":   {"م س 8698", "شرط الاحتفاظ بالملكية للشركة"},
		"remark_alone.jpg": {"ن م ى 1446", "شرط الموافقة للبيع"},
		// The letters of this face stand elsewhere than those of the faces that the table of shapes was made from.
		"plate_strange.jpg": {"ط ف ف 868", ""},
	} {
		reading, err := NewReader(appliance.CarLicenseFront, tools).Read(t.Context(), inferencetest.Picture(t, "testdata", file), nil)
		if err != nil || len(reading.Documents) == 0 {
			t.Fatalf("%s: %v", file, err)
		}
		d := reading.Documents[0]
		if got := [2]string{d.Field("license_number").Value, d.Field("front_special").Value}; got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// Property: a heading among the rows of a licence's back is no remark, and a remark in whose middle stand words with which others begin is
// one remark.
func TestHeadingIsNoRemark(t *testing.T) {
	p := inferencetest.Picture(t, "testdata", "heading_no_remark.jpg")
	reading, err := NewReader(appliance.CarLicenseBack, cardTools(t)).Read(t.Context(), p, nil)
	if err != nil || len(reading.Documents) == 0 {
		t.Fatal(err)
	}
	d := reading.Documents[0]
	for field, want := range map[string]string{
		"motor": "HR16734925", "special_1": "الزجاج الخلفي مستبدل", "special_2": "إعادة نقل ملكية", "special_3": "", "special_4": "",
	} {
		if got := d.Field(field).Value; got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}

// Property: in a face whose ح and ج are taken for م the labels tell so, and words are read as what they may be.
func TestLabelsTellWhatIsMisread(t *testing.T) {
	p := inferencetest.Picture(t, "testdata", "misread_face.jpg")
	reading, err := NewReader(appliance.CarLicenseFront, cardTools(t)).Read(t.Context(), p, nil)
	if err != nil || len(reading.Documents) == 0 {
		t.Fatal(err)
	}
	d := reading.Documents[0]
	for field, want := range map[string]string{
		"name": "رجب سالم حجازي", "address": "١٧ حارة المحطة طنطا الغربية", "front_special": "شرط حظر البيع لصالح البنك",
		"nationality": "مصري", "license_type": "ملاكي",
	} {
		if got := d.Field(field).Value; got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}

// inMirror turns a picture's brightness into its mirror image and returns where an outline comes to lie.
func inMirror(p *appliance.Picture, q appliance.Quad) appliance.Quad {
	for row := range slices.Chunk(p.Y, p.Width) {
		slices.Reverse(row)
	}
	for i := range q {
		q[i].X = float64(p.Width) - q[i].X
	}
	return appliance.Quad{q[1], q[0], q[3], q[2]}
}

// Property: the back of an ID that the finder takes for its mirror image is read all the same, also the wrong way up, as one with its bar
// code on top, or crosswise, and a part of it that the finder takes for another mirror image is none; a true mirror image is refused.
func TestBackInNoMirror(t *testing.T) {
	tools := cardTools(t)
	cards := goldenTruth(t, "documents")
	card := cards[slices.IndexFunc(cards, func(c inferencetest.Card) bool { return c.Documents[0].Kind == appliance.NationalIDBack })]
	number := *card.Documents[0].Fields["idNumber"]
	for _, mirrored := range []bool{false, true} {
		p := picture(t, "documents/"+card.File)
		q := inferencetest.Quad(card.Documents[0].Quad)
		if mirrored {
			q = inMirror(p, q)
		}
		in := func(q appliance.Quad) outline.Found {
			return outline.Found{Mirrored: true, Kind: appliance.Unknown, Quad: q}
		}
		strip := appliance.Quad{q[0], q[1], vision.Between(q[1], q[2], 0.05), vision.Between(q[0], q[3], 0.05)}
		for name, found := range map[string]outlinetest.Found{
			"upside down":   {in(appliance.Quad{q[2], q[3], q[0], q[1]})},
			"crosswise":     {in(appliance.Quad{q[1], q[2], q[3], q[0]})},
			"a part beside": {in(q), in(strip)},
		} {
			tools.Finder = found
			got, err := NewReader(appliance.NationalIDBack, tools).Read(t.Context(), p, nil)
			refused := appliance.CodeOf(err) == appliance.CodeNoDocument
			if refused != mirrored || !mirrored && (err != nil || got.Documents[0].Field("idNumber").Value != number) {
				t.Errorf("%s, mirrored %v: %+v, %v", name, mirrored, got.Documents, err)
			}
		}
	}
}

// A licence that the finder takes for its mirror image, because it does not know the arrangement, is read all the same; a
// true mirror image is refused.
func TestMirrorImageIsProved(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "licences")[0]
	p := picture(t, "licences/"+card.File)
	d := card.Documents[0]
	for _, mirrored := range []bool{false, true} {
		quad := inferencetest.Quad(d.Quad)
		if mirrored {
			quad = inMirror(p, quad)
		}
		tools.Finder = outlinetest.Found{{Kind: appliance.Unknown, Mirrored: true, Quad: quad}}
		got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		refused := appliance.CodeOf(err) == appliance.CodeNoDocument
		if refused != mirrored || !mirrored && (err != nil || got.Documents[0].Kind != d.Kind) {
			t.Errorf("mirrored %v: %+v, %v", mirrored, got.Documents, err)
		}
	}
}

// BenchmarkLicence reads a driving licence: finding labels is a good part of the work beside the networks.
func BenchmarkLicence(b *testing.B) {
	p, reader := picture(b, filepath.Join("licences", "00.jpg")), NewReader(appliance.DrivingLicense, cardTools(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}
