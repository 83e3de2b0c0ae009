package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// release is one point of the history of the figures: shares in percent.
type release struct {
	Date          string
	Commit        string
	Fronts, Backs int
	Kind, Number  float64
	FirstName     float64 `json:"first_name"`
	WholeName     float64 `json:"whole_name"`
}

// The plot of the history shows the data beside it.
func TestHistory(t *testing.T) {
	text, err := os.ReadFile("history.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []release
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 {
		t.Fatal("the history has less than two points")
	}
	last := time.Time{}
	for _, r := range all {
		at, err := time.Parse(time.DateOnly, r.Date)
		if err != nil || at.Before(last) {
			t.Errorf("%s at %s: dates go forward: %v", r.Commit, r.Date, err)
		}
		last = at
		for _, share := range []float64{r.Kind, r.Number, r.FirstName, r.WholeName} {
			if share <= 0 || share > 100 {
				t.Errorf("%s at %s: %v is no share", r.Commit, r.Date, share)
			}
		}
	}
	checkGenerated(t, "docs/history.svg", plot(all))
}

// The plot's extent in pixels, and the least share that it shows.
const (
	plotWidth, plotHeight = 720, 300
	left, right, top      = 46, 130, 20
	leastShare            = 55.0
)

// plot draws the points, one step each, as SVG.
func plot(all []release) string {
	lines := []struct {
		name, colour string
		share        func(r *release) float64
	}{
		{"national number", "#1f6feb", func(r *release) float64 { return r.Number }},
		{"first name", "#2da44e", func(r *release) float64 { return r.FirstName }},
		{"whole name", "#bf3989", func(r *release) float64 { return r.WholeName }},
	}
	bottom := plotHeight - 40
	x := func(i int) float64 { return left + float64(i)*float64(plotWidth-left-right)/float64(len(all)-1) }
	y := func(share float64) float64 {
		return top + (100-share)*float64(bottom-top)/(100-leastShare)
	}
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		plotWidth,
		plotHeight,
	)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, plotHeight)
	for share := 60; share <= 100; share += 10 {
		fmt.Fprintf(
			&b,
			`<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#d0d7de"/>`,
			left,
			plotWidth-right,
			y(float64(share)),
			y(float64(share)),
		)
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%d %%</text>`+"\n", left-6, y(float64(share))+4, share)
	}
	for i, r := range all {
		if i == 0 || r.Date != all[i-1].Date {
			fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`+"\n", x(i), bottom+20, r.Date[5:])
		}
	}
	for at, l := range lines {
		var points []string
		for i := range all {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), y(l.share(&all[i]))))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), l.colour)
		end := l.share(&all[len(all)-1])
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s %.1f %%</text>`+"\n", plotWidth-right+4, top+6+at*18, l.colour, l.name, end)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
