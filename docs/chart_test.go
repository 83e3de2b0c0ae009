package docs_test

import (
	"fmt"
	"strings"
)

// chart is a plot of lines over equal steps.
type chart struct {
	least, most, first, step float64 // extent of the values, and where the grid begins and goes on
	unit                     string
	decimals                 int      // of the last values, which stand beside the lines
	labels                   []string // below the steps; an empty one is left out
	lines                    []series
}

type series struct {
	name, colour string
	values       []float64
}

// The plot's extent in pixels.
const (
	plotWidth, plotHeight = 720, 300
	left, right, top      = 46, 130, 20
	bottom                = plotHeight - 40
)

func (c *chart) x(i int) float64 {
	return left + float64(i)*float64(plotWidth-left-right)/float64(len(c.labels)-1)
}

func (c *chart) y(value float64) float64 {
	return top + (c.most-value)*float64(bottom-top)/(c.most-c.least)
}

// draw gives the chart as SVG.
func (c *chart) draw() string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" `)
	fmt.Fprintf(&b, `viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, plotHeight)
	for v := c.first; v <= c.most; v += c.step {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#d0d7de"/>`, left, plotWidth-right, c.y(v), c.y(v))
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%.0f%s</text>`+"\n", left-6, c.y(v)+4, v, c.unit)
	}
	for i, label := range c.labels {
		if label != "" {
			fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`+"\n", c.x(i), bottom+20, label)
		}
	}
	for at, l := range c.lines {
		var points []string
		for i, v := range l.values {
			points = append(points, fmt.Sprintf("%.1f,%.1f", c.x(i), c.y(v)))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), l.colour)
		end := l.values[len(l.values)-1]
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">`, plotWidth-right+4, top+6+at*18, l.colour)
		fmt.Fprintf(&b, `%s %.*f%s</text>`+"\n", l.name, c.decimals, end, c.unit)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
