package driving

import "time"

// mostSkew is by how much a driver's clock may be wrong without being corrected.
const mostSkew = 2 * time.Minute

// Skew returns by how much a device's clock lags behind the server's, given the
// previous estimate and one request from the device. Network latency can only make
// the lag look larger, so the smallest value counts; a value far from the previous
// estimate is taken as a clock change.
func Skew(before time.Duration, sent, received time.Time) time.Duration {
	now := received.Sub(sent)
	if now < before || now-before > mostSkew {
		return now
	}
	return before
}

// Happened returns when something happened, given the device's own time for it.
// A clock that is right or nearly right is trusted, unless it is ahead: network
// latency cannot make a clock look ahead. The result is never after the time of
// receipt, nor before since.
func Happened(clock time.Time, skew time.Duration, received, since time.Time) time.Time {
	at := clock
	switch {
	case skew > mostSkew:
		at = clock.Add(skew)
	case skew < 0: // whole seconds, so that a repeated request gives the same result
		at = clock.Add(skew.Truncate(time.Second))
	}
	switch {
	case at.After(received):
		return received
	case at.Before(since):
		return since
	}
	return at
}
