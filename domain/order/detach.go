package order

// Detaching is the result of detaching a number.
type Detaching int

// The outcomes of detaching a number.
const (
	Detached Detaching = iota
	DetachNotFound
	// DetachAlone is a number that has its order to itself.
	DetachAlone
	// DetachUnderWay is a number of an order whose goods are on their way.
	DetachUnderWay
	// DetachCancelled is a number that does not count.
	DetachCancelled
)

// Detach removes a number from its shared order and gives it its own, even if
// that could be merged with another.
func Detach(s *Snapshot, number string) (Detaching, *Order, Plan) {
	d := newDecider(s, Defaults{})
	entry, known := s.Numbers[number]
	o := s.index.ordersByID[entry.OrderID]
	switch {
	case !known || o == nil:
		return DetachNotFound, nil, Plan{}
	case entry.Cancelled || o.Status == Cancelled:
		return DetachCancelled, o, Plan{}
	case len(o.others(number)) == 0:
		return DetachAlone, o, Plan{}
	case o.Status.Loaded():
		return DetachUnderWay, o, Plan{}
	}
	share := o.Shares[o.share(number)]
	alone := share.asOrder(o)
	d.leave(o, number)
	fresh := o.released(alone)
	d.create(fresh, nil)
	return Detached, fresh, d.plan
}
