// Package recurring holds the rules of recurring order templates: what a
// template may say, which orders it asks for on which days, and what becomes of
// orders that were generated already when it changes. It is pure: which day
// is today is an argument.
package recurring

import (
	"fmt"
	"time"

	"waybill/domain/order"
	"waybill/domain/recurrence"
)

// The bounds of daysToGenerateAhead, and what it is when a caller does not say.
const (
	MinDaysAhead     = 0
	MaxDaysAhead     = 365
	DefaultDaysAhead = 14
)

// Template is a recurring order template. An id of 0 among those that it refers
// to means that the order says it, and that it is still to be looked up.
type Template struct {
	ID   int64
	Name string

	CustomerID    int64
	OrderTypeID   int64
	VehicleTypeID int64
	Pickup        Place
	Delivery      Place

	Order   order.Request
	RuleSet string
	Start   time.Time
	End     *time.Time // its whole day counts; nil is no end
	// DaysAhead is how many days after today orders are kept generated.
	DaysAhead int

	Active bool
	Paused bool

	// Version counts the changes. What an older version than AppliedFrom has
	// generated is to be brought up to date. AppliedTo is the AppliedFrom for
	// which that is done.
	Version     int64
	AppliedFrom int64
	AppliedTo   int64

	// Announced is the version that was announced to receivers last; 0 for none.
	Announced int64

	// GeneratedThrough is the last day for which everything is generated; nil
	// when nothing is.
	GeneratedThrough *time.Time
}

// Place is a known location, with what it is called. A zero LocationID is a
// place that the order names.
type Place struct {
	LocationID int64
	ExternalID string
	Name       string
	Address    *order.Address
}

// Generates reports whether the template asks for orders at present.
func (t *Template) Generates() bool { return t.Active && !t.Paused }

// Promised reports whether a change promised to bring generated orders up to
// date and that is not done yet. The promise outlives a deactivation.
func (t *Template) Promised() bool { return t.AppliedFrom > t.AppliedTo }

// Works reports whether there may be something to do for the template: it
// generates, or a change made a promise before it was deactivated.
func (t *Template) Works() bool { return t.Generates() || !t.Active && t.Promised() }

// isOpen reports whether orders may be added to a day. A day that was generated
// stays as it is, unless a change promised to bring it up to date.
func (t *Template) isOpen(day time.Time) bool {
	return t.Promised() || t.GeneratedThrough == nil || day.After(*t.GeneratedThrough)
}

// Number is the externalId under which an occurrence is imported.
func (t *Template) Number(o Occurrence) string { return fmt.Sprintf("recurring-%d-%s", t.ID, o.Key) }

// Subject names the template in the log.
func (t *Template) Subject() string { return fmt.Sprintf("recurring-%d", t.ID) }

// rule reads the recurrence rule, which was accepted when it was saved.
func (t *Template) rule(zone *time.Location) (recurrence.Rule, error) {
	rule, err := recurrence.Parse(t.RuleSet, t.Start, zone)
	if err != nil {
		return rule, fmt.Errorf("recurrence rule: %w", err)
	}
	return rule, nil
}
