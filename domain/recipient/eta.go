package recipient

import "time"

// Range is when service at a stop is expected to begin.
type Range struct{ From, To time.Time }

// IsZero reports whether nothing is known.
func (r Range) IsZero() bool { return r.From.IsZero() }

// How sure an ETA is. What is left of the way is off by a share of its time, and
// a plan that nobody drives yet is no more exact than a minimum.
const (
	leastSpread   = 5 * time.Minute
	plannedSpread = 30 * time.Minute
	mostSpread    = time.Hour
	spreadShare   = 0.2
	// A range within fineSpread has whole steps of fineStep, others of coarseStep.
	fineSpread = 15 * time.Minute
	fineStep   = 5 * time.Minute
	coarseStep = 15 * time.Minute
)

// Expected returns the range in which service will begin, whose middle is about
// eta. It narrows as the time comes closer, is in steps that people say, and does
// not begin in the past or before the stop may be served. underWay tells an ETA of
// a driver who is driving from one of a plan.
func Expected(eta, earliest, now time.Time, underWay bool) Range {
	if eta.Before(now) {
		eta = now
	}
	spread := max(leastSpread, time.Duration(spreadShare*float64(eta.Sub(now))))
	if !underWay {
		spread = max(spread, plannedSpread)
	}
	spread = min(spread, mostSpread)
	step := coarseStep
	if spread <= fineSpread {
		step = fineStep
	}
	from, to := eta.Add(-spread).Truncate(step), eta.Add(spread)
	if up := to.Truncate(step); up.Before(to) {
		to = up.Add(step)
	}
	for _, least := range []time.Time{now.Truncate(fineStep), earliest} {
		if from.Before(least) {
			from = least
		}
	}
	if !from.Before(to) { // the stop may be served from just now on
		to = from.Add(fineStep)
	}
	return Range{From: from, To: to}
}
