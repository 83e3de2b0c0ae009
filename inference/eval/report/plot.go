package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours of the page; its style sheet has the same. Curves take them in turn.
var (
	ink    = color.NRGBA{0x1a, 0x21, 0x20, 0xff}
	faint  = color.NRGBA{0x8b, 0x95, 0x92, 0xff}
	grid   = color.NRGBA{0xe4, 0xe7, 0xe4, 0xff}
	accent = color.NRGBA{0x0f, 0x76, 0x6e, 0xff}
	curves = []color.NRGBA{
		accent,
		{0xb4, 0x53, 0x09, 0xff},
		{0x1d, 0x4e, 0x89, 0xff},
		{0x9d, 0x17, 0x4d, 0xff},
		{0x4d, 0x7c, 0x0f, 0xff},
		{0x5b, 0x21, 0xb6, 0xff},
		{0x57, 0x53, 0x4e, 0xff},
	}
)

// curveColour is the colour of the i-th curve, as style sheets write it.
func curveColour(i int) string {
	c := curves[i%len(curves)]
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// axes makes an empty plot. Words stand beside it on the page, where a browser sets them in either language.
func axes() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Color, a.LineStyle.Width = faint, 0.75
		a.Tick.LineStyle.Color, a.Tick.LineStyle.Width, a.Tick.Length = faint, 0.75, 4
		a.Tick.Label.Color, a.Tick.Label.Font.Size, a.Tick.Label.Font.Variant = ink, 10, "Sans"
		a.Padding = 0
	}
	return p
}

// svg draws a plot. Its width is that of the place on the page.
func svg(p *plot.Plot, width, height vg.Length) (template.HTML, error) {
	c := vgsvg.New(width, height)
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", fmt.Errorf("draw a plot: %w", err)
	}
	text := b.String()
	at := strings.Index(text, "<svg")
	if at < 0 {
		return "", fmt.Errorf("draw a plot: the library wrote no svg")
	}
	size := fmt.Sprintf(`width="%.*gpt" height="%.*gpt"`, 5, float64(width), 5, float64(height))
	return template.HTML(strings.Replace(text[at:], size, `role="img" aria-hidden="true"`, 1)), nil //nolint:gosec // numbers alone
}

// stretched is a scale between two values by a function that rises.
type stretched struct{ f func(float64) float64 }

// Normalize implements plot.Normalizer.
func (s stretched) Normalize(low, high, x float64) float64 {
	x = min(max(x, low), high)
	return (s.f(x) - s.f(low)) / (s.f(high) - s.f(low))
}

// probit is the quantile of the normal distribution: the scale of DET curves.
func probit(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*min(max(p, 1e-9), 1-1e-9)-1) }

// nines spreads what lies near one.
func nines(p float64) float64 { return -math.Log10(1 - min(p, 1) + 0.002) }

// ticks marks shares in per cent.
func ticks(at ...float64) plot.ConstantTicks {
	var out plot.ConstantTicks
	for _, v := range at {
		out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(100*v, 'g', 4, 64) + "%"})
	}
	return out
}

// lines draws a thin line at each tick of both axes, and none of the axes.
func lines() *plotter.Grid {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Horizontal.Width, g.Horizontal.Dashes = grid, 0.75, nil
	g.Vertical.Color, g.Vertical.Width, g.Vertical.Dashes = grid, 0.75, nil
	return g
}

// reliabilityPlot draws how often values of some confidence are right, with intervals, over the diagonal of a perfect calibration.
func reliabilityPlot(bins []Bin) (template.HTML, error) {
	p := axes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Scale, p.Y.Scale = stretched{nines}, stretched{nines}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1), ticks(0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1)
	ideal := plotter.NewFunction(func(x float64) float64 { return x })
	ideal.Color, ideal.Dashes, ideal.Width = faint, []vg.Length{3, 3}, 1
	p.Add(lines(), ideal)
	var points plotter.XYs
	for _, b := range bins {
		if b.Right.Of == 0 {
			continue
		}
		points = append(points, plotter.XY{X: b.Confidence, Y: b.Right.Share})
		whisker, err := plotter.NewLine(plotter.XYs{{X: b.Confidence, Y: b.Right.Low}, {X: b.Confidence, Y: b.Right.High}})
		if err != nil {
			return "", fmt.Errorf("draw reliability: %w", err)
		}
		whisker.Color, whisker.Width = accent, 1.5
		p.Add(whisker)
	}
	if len(points) > 0 {
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return "", fmt.Errorf("draw reliability: %w", err)
		}
		line.Color, line.Width = accent, 1
		dots.Shape, dots.Radius, dots.Color = draw.CircleGlyph{}, 3.5, accent
		p.Add(line, dots)
	}
	return svg(p, 380, 340)
}

// latencyPlot draws how long documents took.
func latencyPlot(times []float64) (template.HTML, error) {
	if len(times) == 0 {
		return "", nil
	}
	p := axes()
	h, err := plotter.NewHist(plotter.Values(times), min(40, 1+len(times)/4))
	if err != nil {
		return "", fmt.Errorf("draw times: %w", err)
	}
	h.FillColor, h.LineStyle.Color, h.LineStyle.Width = color.NRGBA{0x0f, 0x76, 0x6e, 0xb0}, color.White, 0.75
	p.X.Min = 0
	g := lines()
	g.Vertical.Width = 0
	p.Add(g, h)
	p.X.Min, p.Y.Min = 0, 0
	return svg(p, 380, 250)
}

// detPlot draws curves of both errors, with the point at which the appliance works.
func detPlot(t *Trial) (template.HTML, error) {
	p := axes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.0005, 0.6, 0.0005, 0.6
	p.X.Scale, p.Y.Scale = stretched{probit}, stretched{probit}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(0.001, 0.01, 0.05, 0.1, 0.2, 0.4), ticks(0.001, 0.01, 0.05, 0.1, 0.2, 0.4)
	same := plotter.NewFunction(func(x float64) float64 { return x })
	same.Color, same.Dashes, same.Width, same.XMin, same.XMax = faint, []vg.Length{3, 3}, 0.75, 0.0005, 0.6
	p.Add(lines(), same)
	for i, name := range slices.Sorted(maps.Keys(t.Curves)) {
		var at plotter.XYs
		for _, c := range t.Curves[name] {
			at = append(at, plotter.XY{X: min(max(c.Passed, p.X.Min), p.X.Max), Y: min(max(c.Refused, p.Y.Min), p.Y.Max)})
		}
		line, err := plotter.NewLine(at)
		if err != nil {
			return "", fmt.Errorf("draw a curve: %w", err)
		}
		line.StepStyle, line.Color, line.Width = plotter.NoStep, curves[i%len(curves)], 1.75
		p.Add(line)
		dot, err := plotter.NewScatter(plotter.XYs{{
			X: min(max(t.Passed[name].Share, p.X.Min), p.X.Max), Y: min(max(t.Refused.Share, p.Y.Min), p.Y.Max),
		}})
		if err != nil {
			return "", fmt.Errorf("draw a curve: %w", err)
		}
		dot.Shape, dot.Radius, dot.Color = draw.CircleGlyph{}, 4.5, curves[i%len(curves)]
		p.Add(dot)
	}
	return svg(p, 380, 340)
}
