package driving

import "time"

// mostSkew is by how much a driver's clock may be wrong without being corrected.
const mostSkew = 2 * time.Minute

// Skew returns by how much a device's clock is behind ours, given what it was
// taken for before and one request that it sent. The way of a request makes it
// seem slower, never faster, so the least counts; a clock that was set is believed
// when it is far from what it was.
func Skew(before time.Duration, sent, received time.Time) time.Duration {
	now := received.Sub(sent)
	if now < before || now-before > mostSkew {
		return now
	}
	return before
}

// Happened returns when something happened that a device says happened at a
// moment of its own clock. A clock that is right or nearly right is believed, but for
// one that is ahead: what was sent before it was heard of cannot look slower. Nothing
// happened after it was heard of, or before there was anything to do.
func Happened(clock time.Time, skew time.Duration, received, since time.Time) time.Time {
	at := clock
	switch {
	case skew > mostSkew:
		at = clock.Add(skew)
	case skew < 0: // in whole seconds, so that what is sent again is the same
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
