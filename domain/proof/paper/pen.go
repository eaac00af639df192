package paper

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The fonts: one for alphabets, and one for Chinese, Japanese and Korean. Their
// licenses are in the same folder.
//
//go:embed fonts/*.ttf
var fontFiles embed.FS

// face is a font with the set of letters that it contains.
type face struct {
	name string
	file []byte
	font *sfnt.Font
}

// faces are the fonts; the first one with a letter draws it.
type faces struct{ regular, bold, ideographs *face }

var loadFaces = sync.OnceValues(func() (*faces, error) {
	all := &faces{}
	for file, to := range map[string]**face{
		"DejaVuSans": &all.regular, "DejaVuSans-Bold": &all.bold, "DroidSansFallback": &all.ideographs,
	} {
		text, err := fontFiles.ReadFile("fonts/" + file + ".ttf")
		if err != nil {
			return nil, fmt.Errorf("read a font: %w", err)
		}
		parsed, err := sfnt.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("read font %s: %w", file, err)
		}
		*to = &face{name: strings.ToLower(file), file: text, font: parsed}
	}
	return all, nil
})

// unknown replaces a letter that no font has.
const unknown = '□'

// pen writes with the fonts, which are loaded on demand.
type pen struct {
	pdf   *fpdf.Fpdf
	faces *faces
	glyph sfnt.Buffer
	taken map[*face]bool
	lacks bool // a letter that was to be written
}

// has reports whether a font has a letter.
func (p *pen) has(f *face, letter rune) bool {
	index, err := f.font.GlyphIndex(&p.glyph, letter)
	return err == nil && index != 0
}

// faceOf returns the font for a letter, and the letter to draw.
func (p *pen) faceOf(as style, letter rune) (*face, rune) {
	main := p.faces.regular
	if as.bold {
		main = p.faces.bold
	}
	if letter >= 0xffff { // the PDF's fonts end there
		p.lacks = true
		return main, unknown
	}
	for _, f := range []*face{main, p.faces.regular, p.faces.ideographs} {
		if p.has(f, letter) {
			return f, letter
		}
	}
	p.lacks = true
	return main, unknown
}

// stroke is the longest run of text in one font.
type stroke struct {
	face *face
	text string
}

// strokes splits a text, which is in visual sequence.
func (p *pen) strokes(as style, text string) (all []stroke) {
	for _, letter := range text {
		f, drawn := p.faceOf(as, letter)
		if len(all) == 0 || all[len(all)-1].face != f {
			all = append(all, stroke{face: f})
		}
		all[len(all)-1].text += string(drawn)
	}
	return all
}

func (p *pen) take(f *face, points float64) {
	if !p.taken[f] {
		if p.taken == nil {
			p.taken = map[*face]bool{}
		}
		p.pdf.AddUTF8FontFromBytes(f.name, "", f.file)
		p.taken[f] = true
	}
	p.pdf.SetFont(f.name, "", points)
}

// write writes one line from a place on, with that on its base line.
func (p *pen) write(as style, x, y float64, line string) {
	p.pdf.SetTextColor(as.grey, as.grey, as.grey)
	for _, s := range p.strokes(as, seen(line)) {
		p.take(s.face, as.points)
		p.pdf.Text(x, y, s.text)
		x += p.advance(as, s)
	}
}

// width is how much of a line a text takes, in millimetres.
func (p *pen) width(as style, text string) (width float64) {
	for _, s := range p.strokes(as, joined(text)) {
		width += p.advance(as, s)
	}
	return width
}

// advance is how far the pen gets with a stroke.
func (p *pen) advance(as style, s stroke) (width float64) {
	const em, inch, pointsOfInch = 1000, 25.4, 72
	for _, letter := range s.text {
		index, err := s.face.font.GlyphIndex(&p.glyph, letter)
		if err != nil {
			continue
		}
		units, err := s.face.font.GlyphAdvance(&p.glyph, index, fixed.I(em), font.HintingNone)
		if err == nil {
			width += float64(units) / 64 / em * as.points / pointsOfInch * inch
		}
	}
	return width
}

// wrap breaks a text into lines that fit: between words if possible, or else
// within them.
func (p *pen) wrap(as style, width float64, text string) (lines []string) {
	for _, paragraph := range strings.Split(plain(text), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			whole := strings.TrimSpace(line + " " + word)
			if p.width(as, whole) <= width {
				line = whole
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			line = word
			for head := p.head(as, width, line); head != line; head = p.head(as, width, line) {
				lines, line = append(lines, head), line[len(head):]
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// head is how much of a word fits, at least one letter.
func (p *pen) head(as style, width float64, word string) string {
	var taken float64
	for i, letter := range word {
		taken += p.width(as, string(letter))
		if i > 0 && taken > width {
			return word[:i]
		}
	}
	return word
}

// plain returns a text without invisible characters, such as control
// characters.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, string(unknown)))
}
