// Package learning learns how long driving takes from how long drivers took, night by night.
package learning

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"waybill/domain/caller"
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
	ChangeForDriversWithin(
		ctx context.Context, t *store.Tx, c caller.Caller, expected version.Expected, change func(*store.ForDrivers),
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
	// Legs and Days were learned from.
	Legs, Days int
	Trial      learning.Trial
	// Proposal is the id of a new proposal, 0 without one, and Accepted is set if it was taken over at once.
	Proposal int64
	Accepted bool
	// Next is when the next night is.
	Next time.Time
}

// From how many days is learned: roads are believed for so long, and traffic changes over the year. The night begins
// at this hour, when all days are over that do not go on past midnight.
const (
	learnedDays = 28
	nightHour   = 2
)

// Learn learns from the last weeks, and proposes rush hours if they would have predicted other days better than those
// that the organization has. Done again, it changes nothing: what was proposed last is not proposed again.
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
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	n.Next = nextNight(local)
	legs, err := o.store.DrivenTravel(ctx, c.OrgID, today.AddDate(0, 0, -learnedDays), today.AddDate(0, 0, -1))
	if err != nil {
		return n, err
	}
	n.Legs, n.Days = len(legs), len(learning.Days(legs))
	n.Trial = learning.Try(legs, has.Zone, has.Hours)
	proposal := store.TravelProposal{
		Hours: learning.Hours(legs, has.Zone), Legs: n.Legs, Days: n.Days, Trial: n.Trial,
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		n.Proposal, n.Accepted, err = o.propose(ctx, t, c, &has, &proposal)
		return err
	})
	return n, err
}

// propose makes a proposal of what was learned, unless it brings nothing or is known.
func (o *Operations) propose(
	ctx context.Context, t *store.Tx, c caller.Caller, has *store.TravelLearning, p *store.TravelProposal,
) (id int64, accepted bool, err error) {
	state, last, err := t.LastTravelProposal(ctx)
	if err != nil {
		return 0, false, err
	}
	same := state != "" && (reflect.DeepEqual(last, p.Hours) || len(last)+len(p.Hours) == 0)
	switch {
	case !p.Trial.Improves(): // any more
		return 0, false, t.WithdrawTravel(ctx)
	case same && (state != learning.Open || has.Mode != learning.Accept):
		return 0, false, nil
	}
	if id, err = t.ProposeTravel(ctx, p); err != nil || has.Mode != learning.Accept {
		return id, false, err
	}
	return id, true, o.accept(ctx, t, c, id)
}

// Accept makes what a proposal says the rush hours of the organization. Its plans follow.
func (o *Operations) Accept(ctx context.Context, c caller.Caller, proposal int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error { return o.accept(ctx, t, c, proposal) })
}

func (o *Operations) accept(ctx context.Context, t *store.Tx, c caller.Caller, proposal int64) error {
	hours, err := t.DecideTravelProposal(ctx, proposal, learning.Accepted, c.Actor())
	if err != nil {
		return err
	}
	_, err = o.settings.ChangeForDriversWithin(ctx, t, c, version.Expected{}, func(now *store.ForDrivers) {
		now.RushHours = hours
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
