package docs_test

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

// The plot of the memory shows the soaks beside it. The packaged program kept what the documentation promises: 10,000 requests, below
// 200 MiB, flat.
func TestMemory(t *testing.T) {
	text, err := os.ReadFile("memory.json")
	if err != nil {
		t.Fatal(err)
	}
	var builds []struct {
		Name     string
		Requests int
		Growth   float64
		Points   []struct {
			Requests int
			Bytes    float64 `json:"rss_bytes"`
		}
	}
	if err := json.Unmarshal(text, &builds); err != nil {
		t.Fatal(err)
	}
	const promised = 200 << 20
	colours := []string{"#1f6feb", "#2da44e"}
	c := chart{least: 0, most: 250, step: 50, unit: " MiB"}
	for i, b := range builds {
		line := series{name: b.Name, colour: colours[i]}
		if b.Requests < 10_000 || b.Growth > .05 {
			t.Errorf("%s: %d requests grew it by %.1f %%", b.Name, b.Requests, 100*b.Growth)
		}
		for _, p := range b.Points {
			if i == 0 {
				c.labels = append(c.labels, strconv.Itoa(p.Requests))
			}
			line.values = append(line.values, p.Bytes/(1<<20))
			if i == 0 && p.Bytes > promised {
				t.Errorf("%s: %.0f MiB after %d requests", b.Name, p.Bytes/(1<<20), p.Requests)
			}
		}
		c.lines = append(c.lines, line)
	}
	checkGenerated(t, "docs/memory.svg", c.draw())
}
