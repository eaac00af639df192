package relay

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/store"
)

// Follower is handed events of the log, those of each organization in order and from
// the place where it was added by a migration.
type Follower struct {
	// Name is its name in the table event_followers.
	Name string
	// Kinds are the kinds of event that it is handed; it never sees another.
	Kinds []event.Kind
	// Hand processes all the events, which belong to one organization, or
	// returns an error; then it gets the same events again, as it does if the
	// relay stops in the meantime. Processing must therefore be idempotent. It
	// skips events that it can never process. When it returns, nothing that it
	// started is still running.
	//
	// It is called concurrently for several organizations, in several
	// processes, but never concurrently for the same one.
	Hand func(ctx context.Context, events []store.Event) error
	// Most is the largest number of events per call; 0 means followBatch. Followers
	// that take long per event get few, so that the time suffices.
	Most int
	// Later reports whether the events of an organization should wait a little
	// longer, given how long they have waited. All events present when the
	// first begins to wait count as waiting equally long, in any number of
	// batches. It does not delay other organizations, as Hand would. It may be
	// nil.
	Later func(ctx context.Context, org int64, waited time.Duration) (bool, error)
	// Pause and Longest batch the events of an organization: they are delivered
	// when none has arrived for Pause, or when the first has waited for
	// Longest. Zero disables batching.
	Pause, Longest time.Duration
}

// gathers reports whether to wait for more events, given how long the first and
// the last have waited.
func (f *Follower) gathers(first, last time.Duration) bool {
	return last < f.Pause && first < f.Longest
}

// most is how many events the follower is handed at a time at most.
func (f *Follower) most() int {
	if f.Most == 0 {
		return followBatch
	}
	return f.Most
}

// How followers are served.
const (
	followBatch   = 1000                   // events that are handed over at a time at most
	followAtOnce  = 16                     // organizations that a follower is handed events of at a time, per process
	laterEvery    = 100 * time.Millisecond // between questions whether it is later by now
	firstRetry    = 500 * time.Millisecond // the pause after a failure; doubled each time
	longestRetry  = 10 * time.Second       // the longest such pause
	followTimeout = time.Minute            // longest that one batch may take
)
