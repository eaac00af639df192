package notification

import (
	"regexp"
	"time"
)

var arrivals = regexp.MustCompile(`\b(stop\s*\.\s*(eta|arrival)|eta\s*\.\s*(from|to))\b`)

// AwaitsRelease reports whether a message of the rule waits until the plan of its order is released: one that
// says before the day of the order when the driver comes. The built-in texts of such events don't.
func (r Rule) AwaitsRelease() bool {
	if r.Event != OrderCreated && r.Event != OrderReminder {
		return false
	}
	return arrivals.MatchString(r.Subject + " " + r.Body + " " + r.HTML)
}

// TellsTime reports whether a message of the rule tells when the driver is expected. The built-in texts are alike in
// each language.
func (r Rule) TellsTime() bool {
	standard := builtIn("en", r.Event)
	if r.Channel == SMS {
		return arrivals.MatchString(or(r.Body, standard.sms))
	}
	return arrivals.MatchString(or(r.Subject, standard.subject) + " " + or(r.Body, standard.body) + " " + r.HTML)
}

const (
	// ReleaseLook is how often a message looks at least whether a person has released the plan before its time.
	ReleaseLook = 15 * time.Minute
	// lateReleaseLook is how often it looks when the plan should have been released.
	lateReleaseLook = time.Minute
)

// ReleasePause is for how long a message waits for a plan until it looks again, whose release is due at a time.
func ReleasePause(due, now time.Time) time.Duration {
	if wait := due.Sub(now); wait > 0 {
		return min(wait, ReleaseLook)
	}
	return lateReleaseLook
}
