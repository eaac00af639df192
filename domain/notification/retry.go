package notification

import "time"

// Retry is a message to send again.
type Retry struct {
	Of      int64 // the message that it retries
	Key     Key
	Event   Event
	Channel Channel
	OrderID int64 // 0 when the message is of no order
	// Number is the order's number, or empty.
	Number string
	Try    int // counts the tries of the same message, from 1
}

// MostUnanswered is how many attempts may end without an answer: each may
// have delivered the message, so only one is repeated.
const MostUnanswered = 2

// doubtWaits are how long a message rests after the first and after each further
// attempt without an answer.
var doubtWaits = []time.Duration{5 * time.Minute, 30 * time.Minute}

// DoubtWait is how long a message with too many unanswered attempts rests, so
// that a receipt can settle whether it has arrived.
func DoubtWait(unanswered int) time.Duration {
	if unanswered < 1 {
		return 0
	}
	return doubtWaits[min(unanswered, len(doubtWaits))-1]
}

// The bounds of the time between two attempts.
const (
	firstRetry     = time.Second
	mostRetry      = 5 * time.Minute
	mostRetryAfter = time.Hour // the longest pause that a provider may request
)

// RetryDelay returns the delay from an attempt, starting with 1, to the next
// one. It doubles each time, and is at least what the provider requires. drawn,
// from 0 to below 1, adds up to a half, so that messages that fail together are
// not retried together.
func RetryDelay(attempt int32, asked time.Duration, drawn float64) time.Duration {
	delay := mostRetry
	if doubled := firstRetry << min(max(attempt-1, 0), 20); doubled < mostRetry {
		delay = doubled
	}
	delay = max(delay, min(asked, mostRetryAfter))
	return delay + time.Duration(drawn*float64(delay)/2)
}
