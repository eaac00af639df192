package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

type color struct{ fill, stroke string }

// colors are the kinds of boxes and frames.
var colors = map[string]color{
	"plain":   {"#f1f5f9", "#94a3b8"},
	"start":   {"#e0f2fe", "#0284c7"},
	"good":    {"#dcfce7", "#16a34a"},
	"bad":     {"#fee2e2", "#dc2626"},
	"wait":    {"#fef3c7", "#d97706"},
	"ask":     {"#fef9c3", "#ca8a04"},
	"outside": {"#ede9fe", "#7c3aed"},
	"text":    {"none", "none"},
	"group":   {"#f8fafc", "#cbd5e1"},
}

const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" ` +
	`font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13">
<title>%[3]s</title>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">` +
	`<path d="M0 0 L10 5 L0 10 z" fill="#475569"/></marker></defs>
<rect width="%[1]d" height="%[2]d" fill="#ffffff"/>
`

// svg draws the picture.
func (p *picture) svg() ([]byte, error) {
	if p.title == "" || len(p.boxes) == 0 {
		return nil, fmt.Errorf("a picture has a title and boxes")
	}
	width, height := p.layout()
	var out bytes.Buffer
	fmt.Fprintf(&out, head, width, height, html.EscapeString(p.title))
	for _, f := range p.frames {
		f.rect(&out, ` stroke-dasharray="5 4"`)
		line(&out, f.x+frameRoom, f.y+frameTitle-4, "start", "#334155", ` font-weight="600"`, f.lines[0])
	}
	for _, a := range p.arrows {
		a.draw(&out)
	}
	for _, b := range p.boxes {
		b.draw(&out)
	}
	for _, a := range p.arrows {
		a.drawLabel(&out)
	}
	out.WriteString("</svg>\n")
	return out.Bytes(), nil
}

func (b *box) rect(out *bytes.Buffer, more string) {
	c := colors[b.kind]
	fmt.Fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\" stroke=\"%s\"%s/>\n",
		b.x, b.y, b.w, b.h, c.fill, c.stroke, more)
}

func (b *box) draw(out *bytes.Buffer) {
	if b.kind != "text" {
		b.rect(out, "")
	}
	top := b.y + (b.h-len(b.lines)*lineHeight)/2 + 13
	for i, text := range b.lines {
		fill, weight := "#475569", ""
		if i == 0 && b.kind != "text" || b.kind == "ask" {
			fill, weight = "#0f172a", ` font-weight="600"`
		}
		line(out, b.x+b.w/2, top+i*lineHeight, "middle", fill, weight, text)
	}
}

func (a *arrow) draw(out *bytes.Buffer) {
	var d strings.Builder
	for i, p := range a.route() {
		fmt.Fprintf(&d, "%c%d %d ", "ML"[min(i, 1)], p.x, p.y)
	}
	dash := ""
	if a.dashed {
		dash = ` stroke-dasharray="5 4"`
	}
	fmt.Fprintf(out, "<path d=\"%s\" fill=\"none\" stroke=\"#475569\" stroke-width=\"1.5\"%s marker-end=\"url(#tip)\"/>\n",
		strings.TrimSpace(d.String()), dash)
}

func (a *arrow) drawLabel(out *bytes.Buffer) {
	p, q := longest(a.route())
	x, y := (p.x+q.x)/2, (p.y+q.y)/2
	anchor := "middle"
	switch {
	case p.y == q.y && a.other:
		y += 17
	case p.y == q.y:
		y -= 7 + (len(a.label)-1)*16
	default:
		anchor, x, y = "start", x+8, y+4-(len(a.label)-1)*8
		if a.other {
			anchor, x = "end", x-16
		}
	}
	for i, text := range a.label {
		line(out, x, y+i*16, anchor, "#475569",
			` font-size="12" paint-order="stroke" stroke="#ffffff" stroke-width="4" stroke-linejoin="round"`, text)
	}
}

func line(out *bytes.Buffer, x, y int, anchor, fill, more, text string) {
	fmt.Fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\"%s>%s</text>\n",
		x, y, anchor, fill, more, html.EscapeString(text))
}
