package main

import (
	"fmt"
	"strconv"
	"strings"
)

// picture is a parsed source.
type picture struct {
	title      string
	gapX, gapY int
	top        int
	frames     []*box
	boxes      []*box
	arrows     []*arrow
}

// span is the columns or rows that a box takes, from 1.
type span struct{ first, last int }

func (s span) meets(other span) bool { return s.first <= other.last && other.first <= s.last }

// box is a box or a frame, and where the layout puts it.
type box struct {
	id         string
	cols, rows span
	kind       string
	lines      []string
	x, y, w, h int
}

// end is where an arrow touches a box.
type end struct {
	box    *box
	side   byte // l, r, t or b; 0 where the layout chooses
	offset int
}

type arrow struct {
	from, to      end
	dashed, other bool
	via           int
	label         []string
}

func parse(text string) (*picture, error) {
	p := &picture{gapX: 90, gapY: 60}
	return p, eachLine(text, p.read)
}

// eachLine reads the lines of a text but for empty ones and comments.
func eachLine(text string, read func(line string) error) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := read(line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

func (p *picture) read(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	head, lines := labelled(rest)
	fields := strings.Fields(head)
	switch word {
	case "title":
		p.title = rest
	case "gap":
		_, err := fmt.Sscanf(rest, "%d %d", &p.gapX, &p.gapY)
		return err
	case "top":
		_, err := fmt.Sscanf(rest, "%d", &p.top)
		return err
	case "frame":
		return p.readFrame(fields, lines)
	case "box":
		return p.readBox(fields, lines)
	case "arrow":
		return p.readArrow(fields, lines)
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

// labelled splits the text after the bars of a line into lines.
func labelled(rest string) (head string, lines []string) {
	parts := strings.Split(rest, "|")
	for _, part := range parts[1:] {
		lines = append(lines, strings.TrimSpace(part))
	}
	return parts[0], lines
}

func (p *picture) readFrame(fields, lines []string) error {
	if len(fields) != 2 || len(lines) != 1 {
		return fmt.Errorf("a frame is: COLUMNS,ROWS KIND | title")
	}
	f := &box{kind: fields[1], lines: lines}
	p.frames = append(p.frames, f)
	return f.place(fields[0])
}

func (p *picture) readBox(fields, lines []string) error {
	if len(fields) != 3 || len(lines) == 0 {
		return fmt.Errorf("a box is: ID COLUMN,ROW KIND | text")
	}
	b := &box{id: fields[0], kind: fields[2], lines: lines}
	p.boxes = append(p.boxes, b)
	return b.place(fields[1])
}

func (b *box) place(at string) (err error) {
	if _, known := colors[b.kind]; !known {
		return fmt.Errorf("unknown kind %q", b.kind)
	}
	cols, rows, _ := strings.Cut(at, ",")
	if b.cols, err = parseSpan(cols); err == nil {
		b.rows, err = parseSpan(rows)
	}
	return err
}

func parseSpan(text string) (s span, err error) {
	first, last, wide := strings.Cut(text, "..")
	if s.first, err = strconv.Atoi(first); err != nil || !wide {
		s.last = s.first
		return s, err
	}
	s.last, err = strconv.Atoi(last)
	return s, err
}

func (p *picture) readArrow(fields, lines []string) (err error) {
	if len(fields) < 3 || fields[1] != "->" {
		return fmt.Errorf("an arrow is: A -> B")
	}
	a := &arrow{label: lines}
	p.arrows = append(p.arrows, a)
	if a.from, err = p.parseEnd(fields[0]); err != nil {
		return err
	}
	if a.to, err = p.parseEnd(fields[2]); err != nil {
		return err
	}
	for i := 3; i < len(fields); i++ {
		switch fields[i] {
		case "dashed":
			a.dashed = true
		case "other":
			a.other = true
		case "via":
			i++
			if a.via, err = strconv.Atoi(strings.Join(fields[i:min(i+1, len(fields))], "")); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown option %q", fields[i])
		}
	}
	return nil
}

func (p *picture) parseEnd(text string) (e end, err error) {
	id, where, fixed := strings.Cut(text, ".")
	for _, b := range p.boxes {
		if b.id == id {
			e.box = b
		}
	}
	switch {
	case e.box == nil:
		return e, fmt.Errorf("no box %q above this line", id)
	case !fixed:
		return e, nil
	case where == "" || !strings.ContainsRune("lrtb", rune(where[0])):
		return e, fmt.Errorf("no side %q", where)
	}
	if e.side = where[0]; len(where) > 1 {
		e.offset, err = strconv.Atoi(where[1:])
	}
	return e, err
}
