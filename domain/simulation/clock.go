package simulation

import "time"

// Clock is the clock of a simulated day. At Since it shows From, and from then on it runs
// Pace times as fast as ours. The zero value is a clock that is not simulated: it shows
// the time.
type Clock struct {
	From, Since time.Time
	Pace        int
}

// longestRun is how long a simulated clock runs: a longer time does not fit at every pace.
const longestRun = 7 * 24 * time.Hour

// Runs reports whether the clock is a simulated one.
func (c Clock) Runs() bool { return !c.From.IsZero() && c.Pace > 0 }

// At returns the clock's time at a moment; before it runs, its beginning. The zero time
// stays zero.
func (c Clock) At(moment time.Time) time.Time {
	if !c.Runs() || moment.IsZero() {
		return moment
	}
	return c.From.Add(min(max(moment.Sub(c.Since), 0), longestRun) * time.Duration(c.Pace))
}

// Scaled returns how long it takes until the clock has gone so far.
func (c Clock) Scaled(by time.Duration) time.Duration { return by / time.Duration(max(c.Pace, 1)) }

// When returns the moment at which the clock shows a time, no earlier than its
// start.
func (c Clock) When(shown time.Time) time.Time {
	if !c.Runs() || shown.IsZero() {
		return shown
	}
	return c.Since.Add(max(shown.Sub(c.From), 0) / time.Duration(c.Pace))
}
