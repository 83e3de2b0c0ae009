package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// scannedPDF is a PDF with a page for each of the sample pictures, which are JPEG files, every page turned by a quarter.
func scannedPDF(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	var kids strings.Builder
	b.WriteString("%PDF-1.4\n")
	for i, file := range files {
		raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", file))
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := image.DecodeConfig(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		n := 10 * (i + 1)
		fmt.Fprintf(&kids, "%d 0 R ", n)
		content := fmt.Sprintf("q 0 -%d %d 0 0 %d cm /P Do Q", p.Width, p.Height, p.Width)
		fmt.Fprintf(
			&b,
			"%d 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Rotate 270/Contents %d 0 R/Resources<</XObject<</P %d 0 R>>>>>> endobj\n",
			n,
			p.Height,
			p.Width,
			n+1,
			n+2,
		)
		fmt.Fprintf(&b, "%d 0 obj <</Length %d>> stream\n%s\nendstream endobj\n", n+1, len(content), content)
		fmt.Fprintf(
			&b,
			"%d 0 obj <</Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceRGB"+
				"/Filter/DCTDecode/Length %d>> stream\n%s\nendstream endobj\n",
			n+2,
			p.Width,
			p.Height,
			len(raw),
			raw,
		)
	}
	fmt.Fprintf(
		&b,
		"1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[%s]>> endobj\ntrailer <</Root 1 0 R>>\n%%%%EOF",
		kids.String(),
	)
	return b.Bytes()
}

// TestScannedPDF: a page of a PDF is read through the daemon like the picture on it, the first one by default and another by page; a page
// that is not there is 400, and one that was set by a program is 5001 with what to send.
func TestScannedPDF(t *testing.T) {
	p := startProgram(t, t.TempDir())
	file := base64.StdEncoding.EncodeToString(scannedPDF(t, "id_front.jpg", "id_back.jpg"))
	for page, test := range map[int]struct {
		endpoint appliance.Endpoint
		shown    map[string]any
	}{0: {appliance.EndpointIDFront, shownFront()}, 1: {appliance.EndpointIDFront, shownFront()}, 2: {appliance.EndpointIDBack, shownBack()}} {
		members := map[string]any{"image": file}
		if page > 0 {
			members["page"] = page
		}
		got := p.mustPost(test.endpoint, members)
		if got.Status != http.StatusOK {
			t.Fatalf("page %d: %+v", page, got)
		}
		for name, want := range test.shown {
			if got.Data[name] != want {
				t.Errorf("page %d: %s is %v, shown %v", page, name, got.Data[name], want)
			}
		}
	}
	if got := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": file, "page": 3}); got.Status != http.StatusBadRequest ||
		got.Code != int(appliance.CodeBadRequest) {
		t.Errorf("page 3: %+v", got)
	}
	set := base64.StdEncoding.EncodeToString(
		[]byte(
			"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj 2 0 obj <</Kids[3 0 R]>> endobj 3 0 obj <</Type/Page>> endobj trailer <</Root 1 0 R>>",
		),
	)
	if got := p.mustPost(appliance.EndpointGeneral, map[string]any{"image": set}); got.Code != int(appliance.CodePictureKind) ||
		!strings.Contains(got.Message, "send a JPEG") {
		t.Errorf("a page without a picture: %+v", got)
	}
}
