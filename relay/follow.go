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
	// Hand takes all the events, which are of one organization, or returns an error;
	// then the same come again, as they do when the relay dies meanwhile. What it does
	// with an event must therefore do no harm when it is done twice. What it can never
	// take is left out. When it returns, nothing that it started is still at work.
	//
	// It is called for several organizations at a time, in several processes, and for
	// each of them once at a time.
	Hand func(ctx context.Context, events []store.Event) error
	// Most is how many events it is handed at a time at most; 0 stands for followBatch.
	// Who takes long for each of them gets few, so that the time does not run out.
	Most int
	// Later reports whether events of an organization are to wait a little before they
	// are handed over, given for how long they have waited so. Events that are there
	// when the first of them begins to wait have waited as long, however many batches
	// they are. It keeps nobody else waiting, as Hand would. It may be nil.
	Later func(ctx context.Context, org int64, waited time.Duration) (bool, error)
	// Pause and Longest gather the events of an organization, so that many of them are one:
	// they are handed over when none has come for Pause, or when the first has waited for
	// Longest. Zero does not gather.
	Pause, Longest time.Duration
}

// gathers reports whether more events may come soon that are to be handed over with those
// that are there. The first of them has waited for so long, and the last one has.
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
