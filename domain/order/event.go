package order

// EventKind names a change of state in the log.
type EventKind string

// The kinds of event that orders and drafts write. They are kept and must not
// be renamed.
const (
	EventCreated      EventKind = "order.created"
	EventUpdated      EventKind = "order.updated"
	EventMerged       EventKind = "order.merged"
	EventCancelled    EventKind = "order.cancelled"
	EventReactivated  EventKind = "order.reactivated"
	EventDraftCreated EventKind = "draft.created"
	EventDraftUpdated EventKind = "draft.updated"

	EventTrackingReserved EventKind = "order.tracking_link_reserved"
	EventTrackingRevoked  EventKind = "order.tracking_link_revoked"
)

// Event is one change of state. Status is 0 unless the change is one of the
// order's status.
type Event struct {
	Kind   EventKind
	Number string
	Order  *Order
	Draft  *Draft
	Status Status
}
