package place

// The arrivals from which the position of an address is learned.
const (
	// LeastArrivals is how many arrivals have to agree.
	LeastArrivals = 3
	// together is how far from each other they may be, and away how far from the known position
	// they have to be, in meters.
	together, away = 30, 100
	// ExactArrival is how exact the position of an arrival has to be, in meters.
	ExactArrival = 50
	// LatestArrivals is how many arrivals count.
	LatestArrivals = 20
)

// Arrivals are where drivers arrived at an address.
type Arrivals struct {
	// At has the latest first.
	At []Position
	// Known is where the address is taken to be, nil if it was not found.
	Known *Position
	// Learned is what was learned of it before, nil if nothing was.
	Learned *Position
}

// Learn returns where the address is by its arrivals, and how many of them agree: the middle of
// most arrivals that are near each other and far from the known position. Without a known
// position it teaches, too. What was learned before is not learned again.
func (a *Arrivals) Learn() (at Position, agree int, ok bool) {
	group := a.largestGroup()
	if len(group) < LeastArrivals {
		return at, 0, false
	}
	at = middle(group)
	for _, p := range group {
		if a.Known != nil && p.Meters(*a.Known) <= away {
			return at, 0, false
		}
	}
	if a.Learned != nil && at.Meters(*a.Learned) <= together {
		return at, 0, false
	}
	return at, len(group), true
}

// largestGroup returns the most arrivals of which all are near each other, around one of them.
// Of groups of the same size, that of the latest arrival counts.
func (a *Arrivals) largestGroup() (largest []Position) {
	for _, first := range a.At {
		group := make([]Position, 0, len(a.At))
		for _, p := range a.At {
			if first.Meters(p) <= together && isNear(p, group) {
				group = append(group, p)
			}
		}
		if len(group) > len(largest) {
			largest = group
		}
	}
	return largest
}

func isNear(p Position, all []Position) bool {
	for _, q := range all {
		if p.Meters(q) > together {
			return false
		}
	}
	return true
}

func middle(all []Position) (m Position) {
	for _, p := range all {
		m.Latitude += p.Latitude / float64(len(all))
		m.Longitude += p.Longitude / float64(len(all))
	}
	return m
}
