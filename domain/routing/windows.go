package routing

import "fmt"

// Span is a stretch of time inside a window in which no service begins, such as a lunch
// break: not after From and before Until. Service may begin at either end.
type Span struct{ From, Until int64 }

// MostClosed is the most spans that a stop may have.
const MostClosed = 7

// begin returns the first moment from t on at which service may begin.
func (s *Stop) begin(t int64) int64 {
	return firstOutside(s.Closed, max(t, s.Opens))
}

// firstOutside returns the first moment from t on that is within no span.
func firstOutside(spans []Span, t int64) int64 {
	for _, closed := range spans {
		if t > closed.From && t < closed.Until {
			return closed.Until
		}
	}
	return t
}

// lastOutside returns the last moment until t that is within no span.
func lastOutside(spans []Span, t int64) int64 {
	for _, closed := range spans {
		if t > closed.From && t < closed.Until {
			return closed.From
		}
	}
	return t
}

// validateClosed checks that the spans are within the window, in their order, and apart.
func (s *Stop) validateClosed() error {
	if len(s.Closed) > MostClosed {
		return fmt.Errorf("%d spans without service are too many", len(s.Closed))
	}
	from := s.Opens
	for _, closed := range s.Closed {
		if closed.From < from || closed.Until <= closed.From || closed.Until > s.Closes {
			return fmt.Errorf("the span from %d until %d is not within the rest of the window", closed.From, closed.Until)
		}
		from = closed.Until
	}
	return nil
}

// closedSpans returns the spans of all visits, or nil when no stop has any.
func (p *Problem) closedSpans() [][]Span {
	var spans [][]Span
	for r := range p.Requests {
		for n, stop := range []*Stop{&p.Requests[r].Pickup, &p.Requests[r].Delivery} {
			if len(stop.Closed) == 0 {
				continue
			}
			if spans == nil {
				spans = make([][]Span, 2*len(p.Requests))
			}
			spans[2*r+n] = stop.Closed
		}
	}
	return spans
}

// open returns the first moment from t on that is in no span of a visit. Where no stop has
// spans, that is t.
func (b *bounds) open(s *spot, t int64) int64 {
	if b.closed == nil || s.visit == terminal {
		return t
	}
	return firstOutside(b.closed[s.visit], t)
}

// openBy returns the last moment until t that is in no span of a visit.
func (b *bounds) openBy(s *spot, t int64) int64 {
	if b.closed == nil || s.visit == terminal {
		return t
	}
	return lastOutside(b.closed[s.visit], t)
}

// openHours is open for two moments.
func (b *bounds) openHours(s *spot, h hours) hours {
	return hours{b.open(s, h.before), b.open(s, h.after)}
}

// spansMatter reports whether a request in a route may meet a span: then a finder, which
// knows none, has found only what may be a place.
func (f *finder) spansMatter() bool {
	if f.b.closed == nil {
		return false
	}
	if len(f.b.closed[f.a.pickup.visit])+len(f.b.closed[f.a.drop.visit]) > 0 {
		return true
	}
	for i := range f.r.spots {
		if v := f.r.spots[i].visit; v != terminal && len(f.b.closed[v]) > 0 {
			return true
		}
	}
	return false
}
