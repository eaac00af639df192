package order

// EventKind names a change of state in the log.
type EventKind string

// The kinds of event that orders and drafts write. They are kept and must not
// be renamed.
const (
	EventCreated     EventKind = "order.created"
	EventUpdated     EventKind = "order.updated"
	EventMerged      EventKind = "order.merged"
	EventCancelled   EventKind = "order.cancelled"
	EventReactivated EventKind = "order.reactivated"
	// EventNumberCancelled and EventNumberReplanned are of one number of an order
	// that others share, which goes on.
	EventNumberCancelled EventKind = "order.number_cancelled"
	EventNumberReplanned EventKind = "order.number_replanned"
	EventDraftCreated    EventKind = "draft.created"
	EventDraftUpdated    EventKind = "draft.updated"
	EventRuleSkipped     EventKind = "order.rule_skipped"
	// EventDraftPromoted goes before the event of the order that it became.
	EventDraftPromoted  EventKind = "draft.promoted"
	EventDraftDiscarded EventKind = "draft.discarded"

	EventBooked           EventKind = "order.booked"
	EventBookingCancelled EventKind = "order.booking_cancelled"

	EventTrackingReserved EventKind = "order.tracking_link_reserved"
	EventTrackingRevoked  EventKind = "order.tracking_link_revoked"
)

// Event is one change of state. Status is 0 unless the change is one of the
// order's status, which then holds for all its products. Added are the products
// that came to the order otherwise, and Removed those that left it.
type Event struct {
	Kind    EventKind
	Number  string
	Order   *Order
	Draft   *Draft
	Status  Status
	Added   []*Product
	Removed []*Product
	// Rule names the transformation rule that the event is about, if any.
	Rule string
}

// arrivals are the products that are not in the store yet, and departures those
// of before that are not among the present ones.
func arrivals(present []*Product) []*Product {
	var added []*Product
	for _, p := range present {
		if p.ID == 0 {
			added = append(added, p)
		}
	}
	return added
}

func departures(before, present []*Product) []*Product {
	stays := make(map[int64]bool, len(present))
	for _, p := range present {
		stays[p.ID] = true
	}
	var removed []*Product
	for _, p := range before {
		if p.ID != 0 && !stays[p.ID] {
			removed = append(removed, p)
		}
	}
	return removed
}
