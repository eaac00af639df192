package recipient

import "time"

// Promise is what the recipient of a stop was told about its time.
type Promise struct {
	// Told is what they were told last; zero if nothing.
	Told Range
	// Moves is how often they were told that it moved.
	Moves int
}

// MostMoves is how often a recipient is told that the time of a stop has moved.
const MostMoves = 3

// UsualThreshold is by how much a time must move for a message, where the organization does not say it.
const UsualThreshold = 15 * time.Minute

// Moved reports whether the recipient is to hear of a range: it is not within what they were told last, its middle
// is more than the threshold away, and they have not heard of too many.
func (p Promise) Moved(now Range, threshold time.Duration) bool {
	if p.Told.IsZero() || p.Moves >= MostMoves {
		return false
	}
	if !now.From.Before(p.Told.From) && !now.To.After(p.Told.To) {
		return false // it has only become narrower
	}
	return now.middle().Sub(p.Told.middle()).Abs() > threshold
}

func (r Range) middle() time.Time { return r.From.Add(r.To.Sub(r.From) / 2) }
