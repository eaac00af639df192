package activities

import (
	"context"
	"time"

	"waybill/domain/caller"
	"waybill/operations/places"
)

// PlaceOperations are the operations that addresses need.
type PlaceOperations interface {
	Place(ctx context.Context, c caller.Caller, patience time.Duration) (places.Turn, error)
}

// Places are the activities of the workflow PlaceAddresses.
type Places struct {
	operations PlaceOperations
	// note is called with the result of each turn.
	note func(places.Turn)
}

// NewPlaces returns the activities of addresses. note is called with the result of each turn; it
// may be nil.
func NewPlaces(o PlaceOperations, note func(places.Turn)) *Places {
	if note == nil {
		note = func(places.Turn) {}
	}
	return &Places{operations: o, note: note}
}

// PlaceTurnInput names an organization.
type PlaceTurnInput struct {
	OrgID int64 `json:"orgId"`
}

// PlaceOutcome is the state of an organization's addresses after a turn.
type PlaceOutcome struct {
	// Found and Unknown count the provider's answers, and Failed the requests without one.
	Found   int `json:"found,omitempty"`
	Unknown int `json:"unknown,omitempty"`
	Failed  int `json:"failed,omitempty"`
	// Waiting is how many addresses there are to ask for.
	Waiting int `json:"waiting,omitempty"`
	// Fault is why there was no answer last, or empty.
	Fault string `json:"fault,omitempty"`
	// OptedOut is true if the organization does not have its addresses sent.
	OptedOut bool `json:"optedOut,omitempty"`
	// Next is when there is something to do again; nil when only news can make it so.
	Next *time.Time `json:"next,omitempty"`
}

// placeTurn is for how long addresses are placed at a time.
const placeTurn = 30 * time.Second

// PlaceTurn places addresses for a while.
func (a *Places) PlaceTurn(ctx context.Context, in PlaceTurnInput) (PlaceOutcome, error) {
	defer heartbeat(ctx)()
	turn, err := a.operations.Place(ctx, workflowOf(ctx, in.OrgID), placeTurn)
	a.note(turn)
	if err != nil {
		return PlaceOutcome{}, permanent(ctx, err)
	}
	return PlaceOutcome{
		Found: turn.Found, Unknown: turn.Unknown, Failed: turn.Failed, Waiting: turn.Waiting, Fault: turn.Fault,
		OptedOut: turn.OptedOut, Next: timeOrNil(turn.Next),
	}, nil
}
