// Package webhook decides what is sent to integrators' endpoints: which events,
// their names, and when a delivery that was not accepted is repeated.
package webhook

import (
	"strconv"
	"strings"
	"time"

	"waybill/domain/event"
)

// Kinds are the kinds of event that are sent: those of the order status feed.
func Kinds() (kinds []event.Kind) {
	for _, e := range event.Catalogue() {
		if e.Public {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}

// Place is an entry's place in the feed: an event has one per number that counts in its
// order.
type Place struct{ Position, Number int64 }

// Span is all entries of some positions of the feed, the last included.
type Span struct{ First, Last int64 }

// Behind reports whether a place comes after another one.
func (p Place) Behind(other Place) bool {
	return p.Position > other.Position || p.Position == other.Position && p.Number > other.Number
}

// eventPrefix and testPrefix are what identifiers begin with: of an entry of the feed, and
// of an example. An identifier holds no full stop, because signatures are over texts with
// full stops between their parts.
const (
	eventPrefix = "evt_"
	testPrefix  = "test_"
)

// ID returns the public id of the entry; it is the same in every delivery to every
// endpoint.
func (p Place) ID() string {
	return eventPrefix + strconv.FormatInt(p.Position, 10) + "_" + strconv.FormatInt(p.Number, 10)
}

// TestID returns the public id of a test event.
func TestID(name string) string { return testPrefix + name }

// ParseID finds the entry, or the example, that an identifier names.
func ParseID(id string) (p Place, test string, ok bool) {
	if name, is := strings.CutPrefix(id, testPrefix); is {
		return Place{}, name, name != ""
	}
	rest, is := strings.CutPrefix(id, eventPrefix)
	position, number, both := strings.Cut(rest, "_")
	if !is || !both {
		return Place{}, "", false
	}
	var errs [2]error
	p.Position, errs[0] = strconv.ParseInt(position, 10, 64)
	p.Number, errs[1] = strconv.ParseInt(number, 10, 64)
	return p, "", errs[0] == nil && errs[1] == nil && p.Position > 0 && p.Number > 0
}

// Fault is why an event was not accepted; empty when it was.
type Fault string

// The faults.
const (
	// FaultStatus is an answer that is none of success.
	FaultStatus Fault = "STATUS"
	// FaultTimeout is a missing answer.
	FaultTimeout    Fault = "TIMEOUT"
	FaultConnection Fault = "CONNECTION"
	FaultDNS        Fault = "DNS"
	FaultTLS        Fault = "TLS"
	// FaultAddress is an address outside the public internet.
	FaultAddress Fault = "ADDRESS"
)

// OffReason is why an endpoint is switched off.
type OffReason string

// The reasons.
const (
	OffByCaller OffReason = "BY_CALLER"
	OffFailing  OffReason = "FAILING"
	// OffGone is an endpoint that answers that it is gone for good.
	OffGone OffReason = "GONE"
)

// For how long an event is tried, and an endpoint that accepts nothing.
const (
	Patience         = 3 * 24 * time.Hour
	EndpointPatience = 5 * 24 * time.Hour
)

// pauses are those after each attempt, the first of them after the first; the last is that
// after all further ones.
var pauses = []time.Duration{
	2 * time.Second, 10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

// Again returns when an event that was tried first at one time, and so often, is tried
// again; false when it is given up. The last attempt is at the end of its patience.
func Again(first time.Time, attempts int, now time.Time) (next time.Time, ok bool) {
	end := first.Add(Patience)
	if !now.Before(end) {
		return time.Time{}, false
	}
	next = now.Add(pauses[min(max(attempts, 1), len(pauses))-1])
	if next.After(end) {
		next = end
	}
	return next, true
}

// tolerated is how many attempts in a row may fail until an endpoint is left alone for a
// while.
const tolerated = 10

// The pauses of an endpoint: the first, which doubles each time, and the
// longest.
const (
	firstRest   = 5 * time.Second
	longestRest = 15 * time.Minute
)

// Health is an endpoint's recent record.
type Health struct {
	// FailingSince is when the first of the attempts was made that all failed since; zero
	// while they do not.
	FailingSince time.Time
	// Failures is how many those were, and Rests how often the endpoint was left alone since.
	Failures, Rests int
	// RestingUntil is until when it is left alone.
	RestingUntil time.Time
	// AskedUntil is until when the endpoint has asked for a pause; it lasts at least that
	// long, even if the endpoint accepts something meanwhile.
	AskedUntil time.Time
	// DeliveredAt is when it accepted something last.
	DeliveredAt time.Time
}

// Accepted is the health after an event was accepted.
func (h Health) Accepted(at time.Time) Health {
	return Health{DeliveredAt: at, RestingUntil: h.AskedUntil, AskedUntil: h.AskedUntil}
}

// Asked is the health after the endpoint has asked for a pause. It gets one,
// but no longer than the pause of an endpoint that accepts nothing.
func (h Health) Asked(at time.Time, wait time.Duration) Health {
	if wait <= 0 {
		return h
	}
	until := at.Add(min(wait, longestRest))
	if until.After(h.AskedUntil) {
		h.AskedUntil = until
	}
	if until.After(h.RestingUntil) {
		h.RestingUntil = until
	}
	return h
}

// Refused is the health after one was not.
func (h Health) Refused(at time.Time) Health {
	h.Failures++
	if h.FailingSince.IsZero() {
		h.FailingSince = at
	}
	if h.Failures >= tolerated && !h.RestingUntil.After(at) {
		h.RestingUntil = at.Add(min(firstRest<<min(h.Rests, 10), longestRest))
		h.Rests++
	}
	return h
}

// Doubtful reports whether the endpoint accepts nothing, so that it gets single events
// instead of batches.
func (h Health) Doubtful() bool { return h.Failures >= tolerated }

// Hopeless reports whether an endpoint that has just refused an event is switched off.
func (h Health) Hopeless(at time.Time) bool {
	return !h.FailingSince.IsZero() && at.Sub(h.FailingSince) >= EndpointPatience
}
