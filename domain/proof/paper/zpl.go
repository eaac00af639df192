package paper

import (
	"fmt"
	"strings"
)

// dots are a label printer's dots per millimetre: 203 per inch.
const dots = 8

// ZPL writes the labels in the language of label printers, one after the other.
func (l *Labels) ZPL() ([]byte, error) {
	var out strings.Builder
	for i := range l.Labels {
		modules, err := modulesOf(&l.Labels[i])
		if err != nil {
			return nil, err
		}
		l.Size.zpl(&out, &l.Labels[i], len(modules))
	}
	return []byte(out.String()), nil
}

func (s Size) zpl(out *strings.Builder, l *Label, modules int) {
	z := zebra{out}
	wide := s.Width - 2*labelMargin
	fmt.Fprintf(out, "^XA^CI28^PW%d^LL%d\n", inDots(s.Width), inDots(s.Height))
	z.text(labelMargin, fromTop, wide, 3, 1, l.From.Name)
	z.text(labelMargin, fromTop+4, wide, 3, 1, l.From.Street)
	z.text(labelMargin, fromTop+8, wide, 3, 1, l.From.Place)
	z.rule(wide, wheretoTop-2)
	z.text(labelMargin, wheretoTop, wide, 6, 2, l.Whereto.Name)
	z.text(labelMargin, wheretoTop+14, wide, 5, 2, l.Whereto.Street)
	z.text(labelMargin, wheretoTop+27, wide, 9, 2, l.Whereto.Place)
	z.rule(wide, factsTop-2)
	for i, f := range l.Facts[:min(len(l.Facts), 6)] {
		x, y := labelMargin+float64(i%2)*wide/2, factsTop+float64(i/2)*(factLead+1.6)
		z.text(x, y, wide/2-2, 2.6, 1, f.Name)
		z.text(x, y+3.2, wide/2-2, 3.6, 1, f.Value)
	}
	z.bars(s, l, modules)
	z.text(labelMargin, s.Height-barsBottom+2, wide, 4, 1, l.Readable)
	out.WriteString("^XZ\n")
}

// zebra writes commands.
type zebra struct{ out *strings.Builder }

// text writes lines of a height into a block that is so wide.
func (z zebra) text(x, y, width, height float64, most int, text string) {
	if text = strings.Join(strings.Fields(plain(text)), " "); text == "" {
		return
	}
	fmt.Fprintf(z.out, "^FO%d,%d^A0N,%d^FB%d,%d^FH_^FD%s^FS\n",
		inDots(x), inDots(y), inDots(height), inDots(width), most, escaped(text))
}

// rule draws a line.
func (z zebra) rule(width, y float64) {
	fmt.Fprintf(z.out, "^FO%d,%d^GB%d,3,3^FS\n", inDots(labelMargin), inDots(y), inDots(width))
}

// bars draws the barcode, as wide as it fits. A GS1 code begins with its marker in
// the digit subset; others are encoded by the printer, where > is written as >0.
func (z zebra) bars(s Size, l *Label, modules int) {
	data, mode := escaped(strings.ReplaceAll(l.Code, ">", ">0")), "A"
	if l.GS1 {
		data, mode = ">;>8"+data, "N"
	}
	module := min(inDots(widestModule), inDots(s.Width-2*labelMargin)/(modules+2*quietModules))
	fmt.Fprintf(z.out, "^FO%d,%d^BY%d^BCN,%d,N,N,N,%s^FH_^FD%s^FS\n",
		(inDots(s.Width)-module*modules)/2, inDots(s.Height-barsBottom-barsHeight),
		max(module, 1), inDots(barsHeight), mode, data)
}

// escaped escapes the characters that the printer would read as commands.
func escaped(text string) string {
	return strings.NewReplacer("_", "_5F", "^", "_5E", "~", "_7E").Replace(text)
}

func inDots(millimetres float64) int { return int(millimetres*dots + 0.5) }
