package paper

import (
	"bytes"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/boombuler/barcode/code128"
)

// Labels are drawn one per page, of the size of a label.
type Labels struct {
	Language string // of their texts, as a tag such as nb
	Title    string
	Made     time.Time
	Size     Size
	Labels   []Label
}

// Size is that of a label, in millimetres.
type Size struct{ Width, Height float64 }

// The sizes of labels.
var (
	A6        = Size{Width: 105, Height: 148}
	FourBySix = Size{Width: 101.6, Height: 152.4}
)

// Label has the origin, the destination, notes, and the barcode of a parcel.
type Label struct {
	From, Whereto Address
	Facts         []Fact
	// Code is the barcode's content, as Code 128; with GS1 it is an element string,
	// which begins with an application identifier. Readable is printed below it.
	Code     string
	GS1      bool
	Readable string
}

// Address is a place in three parts, the last of which is used for sorting.
type Address struct{ Name, Street, Place string }

// The layout of a label in millimeters, from the left, and from the top or,
// where noted, from the bottom.
const (
	labelMargin   = 5
	fromTop       = 5
	wheretoTop    = 24
	factsTop      = 76
	factLead      = 6.2
	barsBottom    = 14 // how far the bars end above the bottom
	barsHeight    = 32
	widestModule  = 0.5 // a bar of one module, as wide as GS1 wants it
	quietModules  = 10  // white on either side of the bars
	readableDepth = 5.5 // below the bars
)

var (
	fromStyle     = style{points: 8, lead: 3.8, grey: 40}
	receiverStyle = style{bold: true, points: 15, lead: 6.6}
	streetStyle   = style{points: 13, lead: 5.8}
	placeStyle    = style{bold: true, points: 21, lead: 9}
	factNameStyle = style{points: 7.5, lead: 3.6, grey: 80}
	factStyle     = style{bold: true, points: 9.5, lead: 4.2}
	readableStyle = style{points: 12, lead: 5}
)

// PDF draws the labels.
func (l *Labels) PDF() ([]byte, error) {
	faces, err := loadFaces()
	if err != nil {
		return nil, err
	}
	p := &page{pdf: fpdf.NewCustom(&fpdf.InitType{
		OrientationStr: "P", UnitStr: "mm", Size: fpdf.SizeType{Wd: l.Size.Width, Ht: l.Size.Height},
	})}
	p.pen = pen{pdf: p.pdf, faces: faces}
	p.pdf.SetAutoPageBreak(false, 0)
	p.pdf.SetCatalogSort(true)
	p.pdf.SetCreationDate(l.Made)
	p.pdf.SetModificationDate(l.Made)
	p.pdf.SetTitle(l.Title, true)
	p.pdf.SetLang(l.Language)
	for i := range l.Labels {
		p.pdf.AddPage()
		if err := p.label(l.Size, &l.Labels[i]); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	if err := p.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("draw labels: %w", err)
	}
	return out.Bytes(), nil
}

// label draws a label on its own page.
func (p *page) label(size Size, l *Label) error {
	width := size.Width - 2*labelMargin
	from := fmt.Sprintf("%s\n%s\n%s", l.From.Name, l.From.Street, l.From.Place)
	p.column(labelMargin, fromTop, width, 4, fromStyle, from)
	p.rule(size, wheretoTop-2)
	p.y = wheretoTop
	p.some(width, 2, receiverStyle, l.Whereto.Name)
	p.some(width, 2, streetStyle, l.Whereto.Street)
	p.y++
	p.some(width, 2, placeStyle, l.Whereto.Place)
	p.rule(size, factsTop-2)
	p.labelFacts(width, l.Facts)
	return p.bars(size, l)
}

// rule draws a line across a label.
func (p *page) rule(size Size, y float64) {
	p.pdf.SetDrawColor(0, 0, 0)
	p.pdf.SetLineWidth(0.4)
	p.pdf.Line(labelMargin, y, size.Width-labelMargin, y)
}

// some writes the first lines of a text, and moves on below them.
func (p *page) some(width float64, most int, as style, text string) {
	p.column(labelMargin, p.y, width, most, as, text)
	p.y += float64(min(len(p.pen.wrap(as, width, text)), most)) * as.lead
}

// labelFacts writes facts in two columns.
func (p *page) labelFacts(width float64, facts []Fact) {
	const most = 6
	column := width / 2
	for i, f := range facts[:min(len(facts), most)] {
		x, y := labelMargin+float64(i%2)*column, factsTop+float64(i/2)*(factLead+1.6)
		p.column(x, y, column-2, 1, factNameStyle, f.Name)
		p.column(x, y+factNameStyle.lead-0.4, column-2, 1, factStyle, f.Value)
	}
}

// bars draws the barcode, with its text below.
func (p *page) bars(size Size, l *Label) error {
	modules, err := modulesOf(l)
	if err != nil {
		return err
	}
	module := min(widestModule, (size.Width-2*labelMargin)/float64(len(modules)+2*quietModules))
	left, top := (size.Width-module*float64(len(modules)))/2, size.Height-barsBottom-barsHeight
	p.pdf.SetFillColor(0, 0, 0)
	for i := 0; i < len(modules); {
		wide := 1
		for i+wide < len(modules) && modules[i+wide] == modules[i] {
			wide++
		}
		if modules[i] {
			p.pdf.Rect(left+float64(i)*module, top, float64(wide)*module, barsHeight, "F")
		}
		i += wide
	}
	at := (size.Width - p.pen.width(readableStyle, l.Readable)) / 2
	p.pen.write(readableStyle, at, top+barsHeight+readableDepth, l.Readable)
	return nil
}

// modulesOf are the modules of a barcode from the left to the right, true for bars.
func modulesOf(l *Label) ([]bool, error) {
	content := l.Code
	if l.GS1 {
		content = string(code128.FNC1) + content
	}
	code, err := code128.Encode(content)
	if err != nil {
		return nil, fmt.Errorf("encode a barcode: %w", err)
	}
	modules := make([]bool, code.Bounds().Dx())
	for x := range modules {
		darkness, _, _, _ := code.At(x, 0).RGBA()
		modules[x] = darkness == 0
	}
	return modules, nil
}
