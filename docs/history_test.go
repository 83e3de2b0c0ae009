package docs_test

import (
	"encoding/json"
	"os"
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

// plot draws what the releases reached.
func plot(all []release) string {
	c := chart{least: 55, most: 100, first: 60, step: 10, unit: " %", decimals: 1}
	for i, r := range all {
		label := ""
		if i == 0 || r.Date != all[i-1].Date {
			label = r.Date[5:]
		}
		c.labels = append(c.labels, label)
	}
	share := func(name, colour string, of func(r *release) float64) {
		line := series{name: name, colour: colour}
		for i := range all {
			line.values = append(line.values, of(&all[i]))
		}
		c.lines = append(c.lines, line)
	}
	share("national number", "#1f6feb", func(r *release) float64 { return r.Number })
	share("first name", "#2da44e", func(r *release) float64 { return r.FirstName })
	share("whole name", "#bf3989", func(r *release) float64 { return r.WholeName })
	return c.draw()
}
