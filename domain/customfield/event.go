package customfield

// EventKind names a change of a definition in the log.
type EventKind string

// The kinds of event that definitions write. They are kept and must not be
// renamed.
const (
	EventCreated     EventKind = "custom_field.created"
	EventUpdated     EventKind = "custom_field.updated"
	EventDeleted     EventKind = "custom_field.deleted"
	EventInactivated EventKind = "custom_field.inactivated"
)
