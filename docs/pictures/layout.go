package main

import "unicode/utf8"

// Measures in pixels. Text is estimated, because fonts differ.
const (
	margin     = 24
	lineHeight = 18
	padding    = 14
	leastWidth = 84
	frameRoom  = 14
	frameTitle = 22
)

// estimate is about how wide a text is.
func estimate(text string, bold bool) int {
	perTen := 70
	if bold {
		perTen = 78
	}
	return utf8.RuneCountInString(text) * perTen / 10
}

func (b *box) naturalWidth() int {
	w := leastWidth
	for i, line := range b.lines {
		w = max(w, estimate(line, i == 0 || b.kind == "ask")+2*padding)
	}
	return w
}

func (b *box) naturalHeight() int { return len(b.lines)*lineHeight + 2*padding - 6 }

// layout places boxes and frames, and returns the size of the picture. The
// boxes of a column are as wide as the widest that is only in it; those of a
// row as high as the highest.
func (p *picture) layout() (width, height int) {
	var widths, heights []int
	for _, b := range p.boxes {
		widths, heights = grown(widths, b.cols.last), grown(heights, b.rows.last)
		if b.cols.first == b.cols.last {
			widths[b.cols.last-1] = max(widths[b.cols.last-1], b.naturalWidth())
		}
		if b.rows.first == b.rows.last {
			heights[b.rows.last-1] = max(heights[b.rows.last-1], b.naturalHeight())
		}
	}
	room := margin
	if len(p.frames) > 0 {
		room += frameRoom
	}
	lefts, right := places(widths, room, p.gapX)
	tops, bottom := places(heights, room+p.titleRoom(), p.gapY)
	for _, b := range append(p.boxes, p.frames...) {
		b.x, b.y = lefts[b.cols.first-1], tops[b.rows.first-1]
		b.w = lefts[b.cols.last-1] + widths[b.cols.last-1] - b.x
		b.h = tops[b.rows.last-1] + heights[b.rows.last-1] - b.y
	}
	for _, f := range p.frames {
		f.x, f.w = f.x-frameRoom, f.w+2*frameRoom
		f.y, f.h = f.y-frameRoom-frameTitle, f.h+2*frameRoom+frameTitle
	}
	return right + room, bottom + room
}

// titleRoom is the space for the titles of frames in the first row, and arrows
// above it.
func (p *picture) titleRoom() int {
	for _, f := range p.frames {
		if f.rows.first == 1 {
			return p.top + frameTitle
		}
	}
	return p.top
}

func grown(sizes []int, n int) []int {
	for len(sizes) < n {
		sizes = append(sizes, 0)
	}
	return sizes
}

func places(sizes []int, start, gap int) (starts []int, last int) {
	for _, size := range sizes {
		starts = append(starts, start)
		last = start + size
		start = last + gap
	}
	return starts, last
}
