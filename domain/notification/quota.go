package notification

// Quota is how many messages of a channel an organization may send on a day, and
// how many of them to one receiver; 0 means unlimited.
type Quota struct{ Together, Received int }

// Tally is how many messages a day has, including the next one.
type Tally struct{ Together, Received int }

// Bound is the limit that a message exceeds.
type Bound string

// The bounds.
const (
	BoundOfOrganization Bound = "organization"
	BoundOfReceiver     Bound = "receiver"
	BoundOfSeries       Bound = "series"
)

// Bounds are all of them.
var Bounds = []Bound{BoundOfOrganization, BoundOfReceiver, BoundOfSeries}

// SeriesShare returns how many of a receiver's daily messages may come from recurring
// orders, so that some are left for others; 0 means unlimited.
func (q Quota) SeriesShare() int {
	if q.Received == 0 {
		return 0
	}
	return max(q.Received/2, 1)
}

// Exceeded returns the limit that the latest message of a tally exceeds, or "",
// and reports whether it is the first to do so. Receivers whom the organization
// itself has named, such as its customers, have no limit.
func (q Quota) Exceeded(t Tally, named bool) (over Bound, first bool) {
	switch {
	case q.Together > 0 && t.Together > q.Together:
		return BoundOfOrganization, t.Together == q.Together+1
	case q.Received > 0 && t.Received > q.Received && !named:
		return BoundOfReceiver, t.Received == q.Received+1
	}
	return "", false
}
