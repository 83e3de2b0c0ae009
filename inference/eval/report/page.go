package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/eval/score"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed texts.json
var pageTexts []byte

// Languages are those of a page: one of both, or both in one file with a switch, Arabic first.
func Languages() []string { return []string{"both", "ar", "en"} }

// Dress is what a page takes from elsewhere: the fonts, by the file names under which the console serves them, and the words for kinds
// and fields, by language and key, as "field.name".
type Dress struct {
	Fonts map[string][]byte
	Words map[string]map[string]string
}

// text is a phrase by language.
type text map[string]string

// page is what the template is given.
type page struct {
	Figures
	Language, Direction string
	Both                bool
	Date                string
	All                 Field
	Plots               struct{ Reliability, Latency template.HTML }
	Trials              []trialView
	Style, Fonts        template.CSS
	JSON                template.JS

	langs []string
	texts map[string]text
	dress Dress
}

// trialView is a trial with its plot.
type trialView struct {
	Name  string
	Trial *Trial
	Plot  template.HTML
	Kinds []kindView
}

// kindView is a kind of attack.
type kindView struct {
	Kind   string
	Colour template.CSS
	Passed score.Share
	Worst  bool
}

// Write writes the page of figures in a language.
func Write(w io.Writer, f Figures, language string, dress Dress) error {
	p := &page{Figures: f, dress: dress, Both: language == "both", langs: []string{language}}
	if p.Both {
		p.langs = []string{"ar", "en"}
	}
	if p.Language, p.Direction = p.langs[0], "ltr"; p.Language == "ar" {
		p.Direction = "rtl"
	}
	if err := json.Unmarshal(pageTexts, &p.texts); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	p.Date, p.Style, p.Fonts = f.Made.Format("2006-01-02 15:04 MST"), template.CSS(pageCSS), fontFaces(dress.Fonts) //nolint:gosec // our own
	for _, k := range f.Kinds {
		for _, field := range k.Fields {
			p.All.N += field.N
			for _, of := range [][2]*score.Share{
				{&p.All.Exact, &field.Exact},
				{&p.All.Flagged, &field.Flagged},
				{&p.All.Wrong, &field.Wrong},
				{&p.All.Silent, &field.Silent},
			} {
				of[0].Count(of[1].OK, of[1].Of)
			}
		}
	}
	if err := p.draw(); err != nil {
		return err
	}
	figures, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	p.JSON = template.JS(strings.ReplaceAll(string(figures), "<", `\u003c`)) //nolint:gosec // JSON without a way out of its element
	t, err := template.New("page").Funcs(p.functions()).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// draw makes the plots.
func (p *page) draw() (err error) {
	if p.Plots.Reliability, err = reliabilityPlot(p.Reliability); err != nil {
		return err
	}
	if p.Plots.Latency, err = latencyPlot(p.Speed.Times); err != nil {
		return err
	}
	for _, v := range []trialView{{Name: "match", Trial: p.Match}, {Name: "liveness", Trial: p.Liveness}, {Name: "fraud", Trial: p.Fraud}} {
		if v.Trial != nil {
			names := slices.Sorted(maps.Keys(v.Trial.Curves))
			if len(names) > 0 {
				if v.Plot, err = detPlot(v.Trial); err != nil {
					return err
				}
			}
			for _, kind := range slices.Sorted(maps.Keys(v.Trial.Passed)) {
				colour := curveColour(max(0, slices.Index(names, kind)))
				v.Kinds = append(
					v.Kinds,
					kindView{kind, template.CSS(colour), v.Trial.Passed[kind], kind == v.Trial.Worst && len(v.Trial.Passed) > 1},
				) //nolint:gosec // a colour
			}
		}
		p.Trials = append(p.Trials, v)
	}
	return nil
}

// Plain is a phrase where no markup may stand, in the page's first language.
func (p *page) Plain(key string) string { return p.texts[key][p.Language] }

// each writes something in every language of the page.
func (p *page) each(say func(language string) string) template.HTML {
	var b strings.Builder
	for _, l := range p.langs {
		fmt.Fprintf(&b, `<span class="%s" lang="%s">%s</span>`, l, l, template.HTMLEscapeString(say(l)))
	}
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// phrase is a phrase of the page.
func (p *page) phrase(key string) (template.HTML, error) {
	if p.texts[key] == nil {
		return "", fmt.Errorf("write report: no text %s", key)
	}
	return p.each(func(l string) string { return p.texts[key][l] }), nil
}

// word is what a kind or field is called.
func (p *page) word(group string, name any) template.HTML {
	return p.each(func(l string) string {
		if w := p.dress.Words[l][group+"."+fmt.Sprint(name)]; w != "" {
			return w
		}
		return fmt.Sprint(name)
	})
}

// functions are those that the template calls.
func (p *page) functions() template.FuncMap {
	return template.FuncMap{
		"t": p.phrase, "word": p.word,
		"tf": func(key string, n int) template.HTML {
			return p.each(func(l string) string { return fmt.Sprintf(p.texts[key][l], n) })
		},
		"percent": percent, "interval": interval, "part": part, "cell": cell, "memory": words.Size,
		"bound": func(s score.Share) template.HTML {
			most := perCent(score.UpperBound(s.OK, s.Of, 0.05))
			return p.each(func(l string) string { return fmt.Sprintf(p.texts["at_most"][l], "\u2066"+most+"\u2069") })
		},
		"round":      func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) },
		"points":     perCent,
		"difference": func(a, b score.Share) string { return fmt.Sprintf("%+.1f", 100*(a.Share-b.Share)) },
	}
}

// perCent is a share in per cent, with a second decimal where it is small.
func perCent(v float64) string {
	if v > 0 && v < 0.001 {
		return fmt.Sprintf("%.3f %%", 100*v)
	}
	if v > 0 && v < 0.01 {
		return fmt.Sprintf("%.2f %%", 100*v)
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

func percent(s score.Share) string {
	if s.Of == 0 {
		return score.None
	}
	return perCent(s.Share)
}

func interval(s score.Share) template.HTML {
	if s.Of == 0 {
		return ""
	}
	return template.HTML(fmt.Sprintf("<bdi>%.1f – %.1f %%</bdi>", 100*s.Low, 100*s.High)) //nolint:gosec // numbers alone
}

// part is a part of a bar as wide as its share.
func part(class string, s score.Share) template.HTML {
	if s.OK == 0 {
		return ""
	}
	return template.HTML(
		fmt.Sprintf(`<i class="%s" style="flex:%.4f 0 2px"></i>`, class, s.Share),
	) //nolint:gosec // numbers and a word of ours
}

// cell is a share with its interval as a cell of a table.
func cell(s score.Share, class string) template.HTML {
	if s.OK == 0 {
		class = "none"
	}
	return template.HTML(
		fmt.Sprintf(`<td class="number %s"><b><bdi>%s</bdi></b><small>%s</small></td>`, class, percent(s), interval(s)),
	) //nolint:gosec // numbers alone
}

// fontFaces carries the fonts inside the page.
func fontFaces(fonts map[string][]byte) template.CSS {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fonts)) {
		family, of := "Bawab Sans", ""
		if strings.HasPrefix(name, "arabic") {
			family, of = "Bawab Sans Arabic", "unicode-range:U+0600-06FF,U+200C-200D,U+25CC;"
		}
		weight := "400"
		if strings.Contains(name, "600") {
			weight = "600"
		}
		fmt.Fprintf(&b, `@font-face{font-family:"%s";font-weight:%s;%ssrc:url("data:font/woff2;base64,%s") format("woff2")}`,
			family, weight, of, base64.StdEncoding.EncodeToString(fonts[name]))
	}
	return template.CSS(b.String()) //nolint:gosec // our own fonts
}
