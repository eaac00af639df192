package main

type point struct{ x, y int }

// lane is how far an arrow that leaves and enters on the same side swings out.
const lane = 30

// route is the way of an arrow: horizontal and vertical parts only.
func (a *arrow) route() []point {
	from, to := a.from, a.to
	if from.side == 0 {
		from.side, _ = facing(from.box, to.box)
	}
	if to.side == 0 {
		_, to.side = facing(from.box, to.box)
	}
	p, q := straightened(from, to)
	switch {
	case from.horizontal() && to.horizontal():
		if p.y == q.y && from.side != to.side {
			return []point{p, q}
		}
		x := middle(p.x, q.x, from.side == to.side, from.side == 'r') + a.via
		return []point{p, {x, p.y}, {x, q.y}, q}
	case !from.horizontal() && !to.horizontal():
		if p.x == q.x && from.side != to.side {
			return []point{p, q}
		}
		y := middle(p.y, q.y, from.side == to.side, from.side == 'b') + a.via
		return []point{p, {p.x, y}, {q.x, y}, q}
	case from.horizontal():
		return []point{p, {q.x, p.y}, q}
	}
	return []point{p, {p.x, q.y}, q}
}

// straightened are the points of both ends. An arrow between a box and a longer
// one next to it is straight, from the middle of the shorter.
func straightened(from, to end) (p, q point) {
	p, q = from.point(), to.point()
	if from.side == to.side || from.horizontal() != to.horizontal() || from.offset != 0 || to.offset != 0 {
		return p, q
	}
	switch a, b := from.box, to.box; {
	case from.horizontal() && a.rows.meets(b.rows):
		p.y = shorter(p.y, q.y, a.h, b.h)
		q.y = p.y
	case !from.horizontal() && a.cols.meets(b.cols):
		p.x = shorter(p.x, q.x, a.w, b.w)
		q.x = p.x
	}
	return p, q
}

func shorter(a, b, sizeA, sizeB int) int {
	if sizeB < sizeA {
		return b
	}
	return a
}

// middle is where an arrow turns: halfway, or beyond both ends.
func middle(a, b int, beyond, up bool) int {
	switch {
	case !beyond:
		return (a + b) / 2
	case up:
		return max(a, b) + lane
	}
	return min(a, b) - lane
}

// facing are the sides by which two boxes see each other.
func facing(from, to *box) (out, in byte) {
	switch {
	case from.cols.meets(to.cols) && from.rows.first < to.rows.first:
		return 'b', 't'
	case from.cols.meets(to.cols):
		return 't', 'b'
	}
	out, in = 'r', 'l'
	if from.cols.first > to.cols.first {
		out, in = 'l', 'r'
	}
	switch {
	case from.rows.meets(to.rows):
		return out, in
	case from.rows.first < to.rows.first:
		return out, 't'
	}
	return out, 'b'
}

func (e end) horizontal() bool { return e.side == 'l' || e.side == 'r' }

// point is where the arrow touches the box.
func (e end) point() point {
	b := e.box
	switch e.side {
	case 'l':
		return point{b.x, b.y + b.h/2 + e.offset}
	case 'r':
		return point{b.x + b.w, b.y + b.h/2 + e.offset}
	case 't':
		return point{b.x + b.w/2 + e.offset, b.y}
	}
	return point{b.x + b.w/2 + e.offset, b.y + b.h}
}

// longest is the longest part of a way, which has room for a label.
func longest(way []point) (p, q point) {
	best := -1
	for i := range way[1:] {
		if d := abs(way[i].x-way[i+1].x) + abs(way[i].y-way[i+1].y); d > best {
			best, p, q = d, way[i], way[i+1]
		}
	}
	return p, q
}

func abs(n int) int { return max(n, -n) }
