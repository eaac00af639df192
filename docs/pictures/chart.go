package main

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// chart is a picture of bars, one for each day or so. Its source has these lines, in this order:
//
//	title What the chart shows
//	unit min                                  what the bars are in
//	bar LABEL VALUE                           with - for spaces in the label
//	mark what happens before the next bar
type chart struct {
	title, unit string
	bars        []bar
	// marked is before which bar the mark is, and mark what it says; empty for none.
	marked int
	mark   string
}

type bar struct {
	label string
	value float64
}

// isChart reports whether a source is that of a chart.
func isChart(text string) bool { return strings.Contains(text, "\nbar ") }

func parseChart(text string) (*chart, error) {
	c := &chart{}
	return c, eachLine(text, c.read)
}

func (c *chart) read(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "title":
		c.title = rest
	case "unit":
		c.unit = rest
	case "mark":
		c.marked, c.mark = len(c.bars), rest
	case "bar":
		label, number, _ := strings.Cut(rest, " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil || !(value >= 0) || math.IsInf(value, 0) {
			return fmt.Errorf("%q is no value of a bar", number)
		}
		c.bars = append(c.bars, bar{strings.ReplaceAll(label, "-", " "), value})
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

// The measures of a chart, in pixels.
const (
	chartLeft, chartTop  = 56, 64
	chartHeight          = 240
	barWidth, barsApart  = 22, 28
	chartRight, chartLow = 24, 84
)

// svg draws the chart.
func (c *chart) svg() []byte {
	most := 1.0
	for _, b := range c.bars {
		most = max(most, b.value)
	}
	grid := gridStep(most)
	most = math.Ceil(most/grid) * grid
	width, height := chartLeft+len(c.bars)*barsApart+chartRight, chartTop+chartHeight+chartLow
	y := func(value float64) float64 { return chartTop + chartHeight*(1-value/most) }
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12">
<title>%[3]s</title>
<rect width="%[1]d" height="%[2]d" fill="#ffffff"/>
<text x="%[4]d" y="26" font-size="15" font-weight="600" fill="#0f172a">%[3]s</text>
`, width, height, html.EscapeString(c.title), chartLeft)
	for value := 0.0; value <= most; value += grid {
		fmt.Fprintf(&s, `<path d="M%d %.1f L%d %.1f" stroke="#e2e8f0"/>`+"\n", chartLeft, y(value), width-chartRight, y(value))
		fmt.Fprintf(&s, `<text x="%d" y="%.1f" text-anchor="end" fill="#475569">%g %s</text>`+"\n",
			chartLeft-6, y(value)+4, value, html.EscapeString(c.unit))
	}
	c.writeBars(&s, y)
	c.writeMark(&s)
	s.WriteString("</svg>\n")
	return []byte(s.String())
}

// writeBars draws the bars, each with its label below; those after the mark have a color of their own.
func (c *chart) writeBars(s *strings.Builder, y func(value float64) float64) {
	for n, b := range c.bars {
		x, fill := chartLeft+n*barsApart+(barsApart-barWidth)/2, "#94a3b8"
		if c.mark != "" && n >= c.marked {
			fill = "#2563eb"
		}
		label, unit := html.EscapeString(b.label), html.EscapeString(c.unit)
		fmt.Fprintf(s, `<rect x="%d" y="%.1f" width="%d" height="%.1f" fill="%s"><title>%s: %.1f %s</title></rect>`+"\n",
			x, y(b.value), barWidth, y(0)-y(b.value), fill, label, b.value, unit)
		fmt.Fprintf(s, `<text transform="translate(%d %d) rotate(-60)" text-anchor="end" fill="#475569">%s</text>`+"\n",
			x+barWidth/2+4, chartTop+chartHeight+14, label)
	}
}

// writeMark draws the line before the marked bar.
func (c *chart) writeMark(s *strings.Builder) {
	if c.mark == "" {
		return
	}
	x := chartLeft + c.marked*barsApart
	fmt.Fprintf(s, `<path d="M%d %d L%d %d" stroke="#b91c1c" stroke-width="1.5" stroke-dasharray="5 4"/>`+"\n",
		x, chartTop-16, x, chartTop+chartHeight)
	fmt.Fprintf(s, `<text x="%d" y="%d" text-anchor="end" fill="#b91c1c">%s</text>`+"\n", x-6, chartTop-6, html.EscapeString(c.mark))
}

// gridStep is how far apart lines are so that there are few of them.
func gridStep(most float64) float64 {
	step := 1.0
	for _, next := range []float64{2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if most/step <= 8 {
			break
		}
		step = next
	}
	return step
}
