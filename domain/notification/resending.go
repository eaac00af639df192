package notification

import (
	"slices"
	"time"
)

// Selection chooses failed messages that were not sent again. Empty fields match any.
type Selection struct {
	// Since and Until bound when they were made; Until is not in it.
	Since, Until time.Time
	Event        Event
	Channel      Channel
	Failure      Failure
	Provider     string
	// DeadAddresses chooses those as well that fail again for sure.
	DeadAddresses bool
}

// LeaveOut returns the failures to skip: those that are certain to fail again, unless they are
// selected explicitly.
func (s Selection) LeaveOut() []Failure {
	if s.DeadAddresses || s.Failure != "" {
		return nil
	}
	return DeadEnds
}

// LeavesOut reports whether messages that failed so are left out.
func (s Selection) LeavesOut(f Failure) bool { return slices.Contains(s.LeaveOut(), f) }

// FailureCount is how many messages failed for one reason.
type FailureCount struct {
	Failure   Failure
	Messages  int
	IsLeftOut bool
}

// ResendingState is the state of a resending, as the contract names it.
type ResendingState string

// The states. The last two are final.
const (
	ResendingRunning   ResendingState = "RUNNING"
	ResendingStopped   ResendingState = "STOPPED"
	ResendingCompleted ResendingState = "COMPLETED"
)

// Resending is a selection of messages that are sent again together.
type Resending struct {
	Selection

	ID    int64
	State ResendingState
	// Total counts the selected messages. Of those processed, Sent were sent
	// again and Refused were not.
	Total, Sent, Refused int
	// Done is the last message processed, and Begun the last one of the current batch.
	Done, Begun int64
	// Actor started it for a cause, and StoppedBy stopped it, or is empty.
	Actor, Cause, StoppedBy  string
	ActorName, StoppedByName string
	StartedAt, EndedAt       time.Time // EndedAt is zero while it is under way
}
