// Package learning learns how long driving and visits take from how long drivers took, night by night.
package learning

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/learning"
	"waybill/domain/version"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	settings Settings
}

// Settings change the settings of organizations.
type Settings interface {
	ChangeOrganizationWithin(
		ctx context.Context, t *store.Tx, c caller.Caller, expected version.Expected, change func(*store.OrganizationSettings),
	) (store.Document, error)
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	return &Operations{store: s, now: now, settings: settings}
}

// Night is what one night has brought.
type Night struct {
	// Mode is how the organization learns. With Off, nothing else is set.
	Mode learning.Mode
	// Travel is what was learned of driving, Visits of visits, and Drivers of how drivers differ in both.
	Travel, Visits, Drivers Lesson
	// Next is when the next night is.
	Next time.Time
}

// Lesson is what one night has brought of one kind.
type Lesson struct {
	// Facts counts the legs and visits that it was learned from, Days their days.
	Facts, Days int
	Trial       learning.Trial
	// Proposal is the id of a new proposal, 0 without one, and Accepted is set if it was taken over at once.
	Proposal int64
	Accepted bool
	// Waits is set if a proposal of the kind is open.
	Waits bool
}

// From how many days is learned: roads are believed for so long, and traffic changes over the year. The night begins
// at this hour, when all days are over that do not go on past midnight.
const (
	learnedDays = 28
	nightHour   = 2
)

// Learn learns from the last weeks, and proposes rush hours, times of visits and factors of drivers if they would have
// predicted other days better than what the organization has. Done again, it changes nothing: what was proposed last is
// not proposed again.
func (o *Operations) Learn(ctx context.Context, c caller.Caller) (Night, error) {
	night, err := o.learn(ctx, c)
	if err != nil {
		return Night{}, fmt.Errorf("learn travel times: %w", err)
	}
	return night, nil
}

func (o *Operations) learn(ctx context.Context, c caller.Caller) (n Night, err error) {
	has, err := o.store.TravelLearning(ctx, c.OrgID)
	if n.Mode = has.Mode; err != nil || n.Mode == learning.Off {
		return n, err
	}
	local := o.now().In(has.Zone)
	n.Next = nextNight(local)
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	first, last := today.AddDate(0, 0, -learnedDays), today.AddDate(0, 0, -1)
	paces, err := o.store.Paces(ctx, c.OrgID)
	if err != nil {
		return n, err
	}
	legs, err := o.store.DrivenTravel(ctx, c.OrgID, first, last)
	if err != nil {
		return n, err
	}
	visits, err := o.store.DrivenVisits(ctx, c.OrgID, first, last)
	if err != nil {
		return n, err
	}
	usualLegs, usualVisits := learning.AtTheirPace(legs, visits, paces)
	hours := learnedHours(usualLegs, &has)
	if n.Travel, err = o.propose(ctx, c, has.Mode, &hours); err != nil {
		return n, err
	}
	times, err := o.learnedVisits(ctx, c.OrgID, usualVisits)
	if err != nil {
		return n, err
	}
	if n.Visits, err = o.propose(ctx, c, has.Mode, &times); err != nil {
		return n, err
	}
	drivers, err := o.learnedDrivers(ctx, c.OrgID, &n, legs, visits, paces)
	if err != nil {
		return n, err
	}
	n.Drivers, err = o.propose(ctx, c, has.Mode, &drivers)
	return n, err
}

// learnedHours are the rush hours that were learned from legs.
func learnedHours(legs []learning.Leg, has *store.TravelLearning) store.TravelProposal {
	return store.TravelProposal{
		Kind: learning.OfHours, Facts: len(legs), Days: learning.Days(legs, legDay),
		Hours: learning.Hours(legs, has.Zone), Trial: learning.Try(legs, has.Zone, has.Hours),
	}
}

// learnedVisits are the times of visits that were learned from those that were made.
func (o *Operations) learnedVisits(
	ctx context.Context, org int64, visits []learning.Visit,
) (p store.TravelProposal, err error) {
	known, err := o.store.TimesOfVisits(ctx, org, visits)
	if err != nil {
		return p, err
	}
	p = store.TravelProposal{Kind: learning.OfVisits, Facts: len(visits), Days: learning.Days(visits, visitDay)}
	p.Visits, p.Trial = learning.TryVisits(visits, known)
	if len(p.Visits) == 0 {
		p.Trial = learning.Trial{}
	}
	return p, nil
}

// learnedDrivers are the factors of drivers that were learned from their legs and visits. What concerns everybody comes
// first: as long as rush hours or times of visits wait for the office, drivers are not compared with the old ones.
func (o *Operations) learnedDrivers(
	ctx context.Context, org int64, n *Night, legs []learning.Leg, visits []learning.Visit, paces map[int64]driver.Pace,
) (p store.TravelProposal, err error) {
	p = store.TravelProposal{
		Kind: learning.OfDrivers, Facts: len(legs) + len(visits), Days: max(n.Travel.Days, n.Visits.Days),
	}
	now, err := o.store.TravelLearning(ctx, org) // this night may have changed it
	if err != nil {
		return p, err
	}
	known, err := o.store.TimesOfVisits(ctx, org, visits)
	if err != nil {
		return p, err
	}
	if n.Travel.Waits {
		legs = nil
	}
	if n.Visits.Waits {
		visits = nil
	}
	by := learning.Predictions{Hours: now.Hours, Zone: now.Zone, Known: known, Paces: paces}
	p.Drivers, p.Trial = by.Drivers(legs, visits)
	return p, nil
}

func legDay(l *learning.Leg) time.Time     { return l.Day }
func visitDay(v *learning.Visit) time.Time { return v.Day }

// propose makes a proposal of what was learned, unless it brings nothing or is known.
func (o *Operations) propose(
	ctx context.Context, c caller.Caller, mode learning.Mode, p *store.TravelProposal,
) (l Lesson, err error) {
	l = Lesson{Facts: p.Facts, Days: p.Days, Trial: p.Trial}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		l.Proposal, l.Accepted, l.Waits = 0, false, false
		last, err := t.LastTravelProposal(ctx, p.Kind)
		if err != nil {
			return err
		}
		switch {
		case !p.Trial.Improves(): // any more
			return t.WithdrawTravel(ctx, p.Kind)
		case same(&last, p) && (last.State != learning.Open || mode != learning.Accept):
			l.Waits = last.State == learning.Open
			return nil
		}
		if l.Proposal, err = t.ProposeTravel(ctx, p); err != nil || mode != learning.Accept {
			l.Waits = true
			return err
		}
		l.Accepted = true
		return o.accept(ctx, t, c, l.Proposal)
	})
	return l, err
}

// same reports whether two proposals of a kind say the same, or nearly so of visits and drivers.
func same(last, p *store.TravelProposal) bool {
	switch {
	case last.State == "":
		return false
	case p.Kind == learning.OfVisits:
		return learning.SameVisits(last.Visits, p.Visits)
	case p.Kind == learning.OfDrivers:
		return learning.SameDrivers(last.Drivers, p.Drivers)
	}
	return reflect.DeepEqual(last.Hours, p.Hours) || len(last.Hours)+len(p.Hours) == 0
}

// Accept makes what a proposal says the rush hours of the organization, the times of its locations and order types, or
// the factors of its drivers. Its plans follow.
func (o *Operations) Accept(ctx context.Context, c caller.Caller, proposal int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error { return o.accept(ctx, t, c, proposal) })
}

func (o *Operations) accept(ctx context.Context, t *store.Tx, c caller.Caller, proposal int64) error {
	p, err := t.DecideTravelProposal(ctx, proposal, learning.Accepted, c.Actor())
	if err != nil {
		return err
	}
	switch p.Kind {
	case learning.OfVisits:
		if err := t.LockMasterData(ctx); err != nil {
			return err
		}
		return t.SetTimesOfVisits(ctx, p.Visits)
	case learning.OfDrivers:
		if err := t.LockMasterData(ctx); err != nil {
			return err
		}
		return t.SetPaces(ctx, p.Drivers)
	}
	_, err = o.settings.ChangeOrganizationWithin(ctx, t, c, version.Expected{}, func(now *store.OrganizationSettings) {
		now.RushHours = p.Hours
	})
	return err
}

// Dismiss removes a proposal. The same is not proposed again.
func (o *Operations) Dismiss(ctx context.Context, c caller.Caller, proposal int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		_, err := t.DecideTravelProposal(ctx, proposal, learning.Dismissed, c.Actor())
		return err
	})
}

// nextNight returns when the next night begins, by the clock of the organization.
func nextNight(local time.Time) time.Time {
	year, month, day := local.Date()
	next := time.Date(year, month, day, nightHour, 0, 0, 0, local.Location())
	if !next.After(local) {
		next = time.Date(year, month, day+1, nightHour, 0, 0, 0, local.Location())
	}
	return next.UTC()
}
