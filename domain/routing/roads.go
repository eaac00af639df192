package routing

import (
	"math/bits"
	"unsafe"
)

// Roads is a matrix that grows by places and keeps their numbers. It is laid out for
// the search, so the problems of a day share it instead of copying it. Its zero value
// has no places. Grow and Travel must not run at the same time; a Travel that was taken
// before Grow stays as it is.
type Roads struct {
	places, side int
	out, back    []Leg
}

// Places returns the number of places.
func (r *Roads) Places() int { return r.places }

// Bytes returns about how much memory the matrix takes.
func (r *Roads) Bytes() int64 {
	return int64(len(r.out)+len(r.back)) * int64(unsafe.Sizeof(Leg{}))
}

// Travel returns the matrix of all places. Its legs must not be changed.
func (r *Roads) Travel() Travel {
	return Travel{Places: r.places, Legs: r.out, side: r.side, back: r.back}
}

// Grow adds places up to a number. It only reads legs from and to new places,
// none of which may be negative.
func (r *Roads) Grow(places int, leg func(from, to int) Leg) {
	known := r.places
	if places <= known {
		return
	}
	r.makeRoom(places)
	for a := range places {
		first := known
		if a >= known {
			first = 0
		}
		for b := first; b < places; b++ {
			way := leg(a, b)
			r.out[a*r.side+b], r.back[b*r.side+a] = way, way
		}
	}
	r.places = places
}

// makeRoom sees to it that a row has a column for each place, and one more for Anywhere.
// Matrices with as many places have rows of the same length.
func (r *Roads) makeRoom(places int) {
	if places < r.side {
		return
	}
	step := 1 << max(4, bits.Len(uint(places))-4)
	side := (places + step) / step * step
	out, back := make([]Leg, side*side), make([]Leg, side*side)
	for a := range r.places {
		copy(out[a*side:], r.out[a*r.side:a*r.side+r.places])
		copy(back[a*side:], r.back[a*r.side:a*r.side+r.places])
	}
	r.side, r.out, r.back = side, out, back
}

// Shared reports whether the matrix belongs to Roads, whose legs must not be
// changed.
func (t *Travel) Shared() bool { return t.side > 0 }

// Own returns a copy of the matrix whose legs may be changed.
func (t *Travel) Own() Travel {
	own := Travel{Places: t.Places, Traffic: t.Traffic, Areas: t.Areas, Legs: make([]Leg, 0, t.Places*t.Places)}
	for from := range t.Places {
		own.Legs = append(own.Legs, t.Legs[from*t.row():][:t.Places]...)
	}
	return own
}

// row returns the length of a row of legs.
func (t *Travel) row() int {
	if t.side > 0 {
		return t.side
	}
	return t.Places
}

// laidOut returns the length of a row, if the matrices of the problem are all Roads with
// rows of the same length; otherwise 0.
func (p *Problem) laidOut() int {
	side := 0
	for i := range p.Travel {
		if p.Travel[i].side == 0 || i > 0 && p.Travel[i].side != side {
			return 0
		}
		side = p.Travel[i].side
	}
	return side
}

// stride returns the length of a row of the model. The last column represents Anywhere.
func (p *Problem) stride() int {
	if side := p.laidOut(); side > 0 {
		return side
	}
	return p.places() + 1
}
