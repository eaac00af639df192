// Package paper draws printed documents: facts, texts and pictures on PDF pages. It
// handles layout and fonts, independent of the content.
package paper

import (
	"bytes"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Sheet is drawn from top to bottom, on as many pages as needed.
type Sheet struct {
	Language        string // of its texts, as a tag such as nb
	Title, Subtitle string
	Made            time.Time
	Parts           []Part
	// Foot is printed at the bottom of every page, before its number.
	Foot string
	// Lacking is printed at the end when a letter could not be drawn.
	Lacking  string
	Attached []File
}

// Part is the content under one heading.
type Part struct {
	Heading  string
	Facts    []Fact
	Pictures []Picture
	Texts    []string
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// Picture is drawn in a frame above its caption; without an image, its
// replacement text is drawn instead.
type Picture struct {
	Image            *Image
	Caption, Instead string
}

// File is attached to the sheet.
type File struct {
	Name, Description string
	Content           []byte
}

// Sizes in millimetres.
const (
	pageWidth, pageHeight = 210, 297
	margin                = 18
	textWidth             = pageWidth - 2*margin
	bottom                = pageHeight - margin - 4
	nameWidth             = 48
	columns, gutter       = 2, 6
	pictureWidth          = (textWidth - (columns-1)*gutter) / columns
	pictureHeight         = 62
	captionHeight         = 12.5
)

// Styles of lines: points, millimetres from one line to the next, and darkness.
type style struct {
	bold   bool
	points float64
	lead   float64
	grey   int
}

var (
	titleStyle    = style{bold: true, points: 18, lead: 8}
	subtitleStyle = style{points: 10, lead: 5, grey: 90}
	headingStyle  = style{bold: true, points: 11.5, lead: 6}
	nameStyle     = style{points: 9, lead: 4.6, grey: 90}
	valueStyle    = style{points: 9, lead: 4.6}
	textStyle     = style{points: 8.5, lead: 4.3, grey: 60}
	captionStyle  = style{points: 6.5, lead: 3.2, grey: 90}
)

// page is where the pen is.
type page struct {
	pdf    *fpdf.Fpdf
	pen    pen
	y      float64
	images int
}

// PDF draws the sheet.
func (s *Sheet) PDF() ([]byte, error) {
	faces, err := loadFaces()
	if err != nil {
		return nil, err
	}
	p := &page{pdf: fpdf.New("P", "mm", "A4", "")}
	p.pen = pen{pdf: p.pdf, faces: faces}
	p.pdf.SetAutoPageBreak(false, 0)
	p.pdf.SetCatalogSort(true)
	p.pdf.SetCreationDate(s.Made)
	p.pdf.SetModificationDate(s.Made)
	p.pdf.SetTitle(s.Title, true)
	p.pdf.SetLang(s.Language)
	p.attach(s.Attached)
	p.turn()
	p.lines(margin, textWidth, titleStyle, s.Title)
	p.lines(margin, textWidth, subtitleStyle, s.Subtitle)
	for i := range s.Parts {
		p.part(&s.Parts[i])
	}
	if p.pen.lacks {
		p.y += 4
		p.lines(margin, textWidth, textStyle, s.Lacking)
	}
	p.feet(s.Foot)
	var out bytes.Buffer
	if err := p.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("draw a sheet: %w", err)
	}
	return out.Bytes(), nil
}

func (p *page) attach(files []File) {
	attached := make([]fpdf.Attachment, len(files))
	for i, f := range files {
		attached[i] = fpdf.Attachment{Content: f.Content, Filename: f.Name, Description: f.Description}
	}
	if len(attached) > 0 {
		p.pdf.SetAttachments(attached)
	}
}

// turn continues at the top of a new page.
func (p *page) turn() {
	p.pdf.AddPage()
	p.y = margin
}

// need turns the page unless so much of it is left.
func (p *page) need(height float64) {
	if p.y+height > bottom {
		p.turn()
	}
}

// lines writes a text into a column, and moves on below it.
func (p *page) lines(x, width float64, as style, text string) {
	for _, line := range p.pen.wrap(as, width, text) {
		p.need(as.lead)
		p.pen.write(as, x, p.y+as.lead*0.75, line)
		p.y += as.lead
	}
}

func (p *page) part(part *Part) {
	p.y += 5
	follows := 2 * textStyle.lead
	if len(part.Facts) == 0 && len(part.Pictures) > 0 {
		follows = pictureHeight + captionHeight
	}
	p.need(headingStyle.lead + 2.2 + follows) // keep headings with the text that follows
	if part.Heading != "" {
		p.lines(margin, textWidth, headingStyle, part.Heading)
		p.pdf.SetDrawColor(200, 200, 200)
		p.pdf.SetLineWidth(0.2)
		p.pdf.Line(margin, p.y+0.3, pageWidth-margin, p.y+0.3)
		p.y += 2.2
	}
	for _, fact := range part.Facts {
		p.fact(fact)
	}
	p.pictures(part.Pictures)
	p.y += 0.8
	for _, text := range part.Texts {
		p.lines(margin, textWidth, textStyle, text)
		p.y += 1.2
	}
}

// fact draws a name with its value to the right.
func (p *page) fact(f Fact) {
	p.need(valueStyle.lead)
	number, top := p.pdf.PageNo(), p.y
	p.pen.write(nameStyle, margin, top+nameStyle.lead*0.75, first(p.pen.wrap(nameStyle, nameWidth-2, f.Name)))
	p.lines(margin+nameWidth, textWidth-nameWidth, valueStyle, f.Value)
	if p.pdf.PageNo() == number {
		p.y = max(p.y, top+nameStyle.lead)
	}
}

func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// pictures draws pictures side by side.
func (p *page) pictures(all []Picture) {
	for i := range all {
		if i%columns == 0 {
			p.need(pictureHeight + captionHeight)
		}
		p.picture(margin+float64(i%columns)*(pictureWidth+gutter), &all[i])
		if i%columns == columns-1 || i == len(all)-1 {
			p.y += pictureHeight + captionHeight
		}
	}
}

// picture draws one picture into its frame, as large as it fits.
func (p *page) picture(x float64, picture *Picture) {
	top := p.y
	p.pdf.SetDrawColor(200, 200, 200)
	p.pdf.Rect(x, top, pictureWidth, pictureHeight, "D")
	if image := picture.Image; image != nil {
		p.images++
		name, kind := fmt.Sprint("picture ", p.images), fpdf.ImageOptions{ImageType: "JPEG"}
		p.pdf.RegisterImageOptionsReader(name, kind, bytes.NewReader(image.JPEG))
		scale := min((pictureWidth-2)/float64(image.Width), (pictureHeight-2)/float64(image.Height))
		width, height := float64(image.Width)*scale, float64(image.Height)*scale
		p.pdf.ImageOptions(name, x+(pictureWidth-width)/2, top+(pictureHeight-height)/2, width, height, false, kind, 0, "")
	} else {
		p.column(x+4, top+pictureHeight/2-textStyle.lead, pictureWidth-8, 3, textStyle, picture.Instead)
	}
	p.column(x, top+pictureHeight+0.8, pictureWidth, 3, captionStyle, picture.Caption)
}

// column draws a few lines of a text, and returns where the page continues.
func (p *page) column(x, y, width float64, most int, as style, text string) {
	lines := p.pen.wrap(as, width, text)
	for _, line := range lines[:min(len(lines), most)] {
		p.pen.write(as, x, y+as.lead*0.75, line)
		y += as.lead
	}
}

// feet writes the foot of every page.
func (p *page) feet(foot string) {
	last := p.pdf.PageNo()
	for number := 1; number <= last; number++ {
		p.pdf.SetPage(number)
		text := fmt.Sprintf("%s · %d/%d", foot, number, last)
		p.pen.write(captionStyle, margin, pageHeight-margin+4, first(p.pen.wrap(captionStyle, textWidth, text)))
	}
}
