package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/freight"
	"waybill/domain/learning"
	"waybill/domain/traffic"
	"waybill/store/queries"
)

// TravelLearning is how an organization learns travel times.
type TravelLearning struct {
	Mode learning.Mode
	Zone *time.Location
	// Hours are the rush hours that it has.
	Hours []traffic.RushHours
}

// TravelLearning returns how the organization learns travel times. A closed one learns nothing.
func (s *Store) TravelLearning(ctx context.Context, org int64) (l TravelLearning, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		row, err := t.q.TravelLearning(ctx, org)
		if err != nil {
			return translate(err)
		}
		if l.Mode = learning.Mode(row.LearnTravel); row.IsClosed {
			l.Mode = learning.Off
		}
		if l.Hours, err = readHours(row.RushHours); err != nil {
			return err
		}
		l.Zone, err = time.LoadLocation(row.Timezone)
		return err
	})
	return l, err
}

func readHours(text json.RawMessage) (hours []traffic.RushHours, err error) {
	if err = json.Unmarshal(text, &hours); err != nil {
		err = fmt.Errorf("read rush hours: %w", err)
	}
	return hours, err
}

// mostLegs is from how many legs is learned at most.
const mostLegs = 300_000

// DrivenTravel returns the legs that drivers of an organization drove on some days, both included. It reads day by day,
// the last one first, until it has enough: the days of a large organization are many legs.
func (s *Store) DrivenTravel(ctx context.Context, org int64, first, last time.Time) (legs []learning.Leg, err error) {
	for day := last; !day.Before(first) && len(legs) < mostLegs; day = day.AddDate(0, 0, -1) {
		earlier := len(legs)
		err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
			legs = legs[:earlier]
			rows, err := t.q.DrivenTravel(ctx, queries.DrivenTravelParams{OrgID: org, FirstDay: day, LastDay: day})
			for i := range rows {
				legs = append(legs, drivenLeg(&rows[i]))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return legs, nil
}

func drivenLeg(r *queries.DrivenTravelRow) learning.Leg {
	return learning.Leg{
		Day: r.Day.UTC(), DriverID: r.DriverID, Left: r.LeftAt, Took: r.ArrivedAt.Sub(r.LeftAt), Base: seconds(r.Seconds),
		From: freight.Place{Country: r.FromCountry, PostalCode: r.FromCode},
		To:   freight.Place{Country: r.ToCountry, PostalCode: r.ToCode},
	}
}

// TravelProposal is what was learned of travel times, of times of visits, or of drivers.
type TravelProposal struct {
	ID    int64
	Kind  learning.Kind
	State learning.State
	// Hours are those of the kind OfHours, Visits those of OfVisits, and Drivers those of OfDrivers.
	Hours   []traffic.RushHours
	Visits  []learning.VisitTime
	Drivers []learning.DriverPace
	// Facts counts the legs and visits that it was learned from, Days their days.
	Facts, Days int
	Trial       learning.Trial
	ProposedAt  time.Time
	// DecidedAt and DecidedBy are who decided, and when; nil and empty for an open one.
	DecidedAt *time.Time
	DecidedBy string
}

// mostProposals is how many proposals are listed.
const mostProposals = 20

// TravelProposals returns the last proposals, the newest first.
func (s *Store) TravelProposals(ctx context.Context, org int64) ([]TravelProposal, error) {
	rows, err := s.reads(org).TravelProposals(ctx, queries.TravelProposalsParams{OrgID: org, AtMost: mostProposals})
	if err != nil {
		return nil, translate(err)
	}
	all := make([]TravelProposal, len(rows))
	for i := range rows {
		r := &rows[i]
		all[i] = TravelProposal{
			ID: r.ID, Kind: learning.Kind(r.Kind), State: learning.State(r.State), Facts: int(r.Legs), Days: int(r.Days),
			ProposedAt: r.ProposedAt, DecidedAt: r.DecidedAt, DecidedBy: r.DecidedBy, Trial: learning.Trial{
				Predicted: int(r.TrialLegs), Days: int(r.TrialDays), Before: time.Duration(r.BeforeSeconds) * time.Second,
				After: time.Duration(r.AfterSeconds) * time.Second,
			},
		}
		if err := all[i].read(r.Hours, r.Visits, r.Drivers); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// read reads what a proposal says.
func (p *TravelProposal) read(hours, visits, drivers json.RawMessage) (err error) {
	if p.Hours, err = readHours(hours); err != nil {
		return err
	}
	if err := json.Unmarshal(visits, &p.Visits); err != nil {
		return fmt.Errorf("read times of visits: %w", err)
	}
	if err := json.Unmarshal(drivers, &p.Drivers); err != nil {
		return fmt.Errorf("read paces of drivers: %w", err)
	}
	return nil
}

// LastTravelProposal returns the last proposal of a kind that was not replaced; its state is empty if there is none.
func (t *Tx) LastTravelProposal(ctx context.Context, kind learning.Kind) (p TravelProposal, err error) {
	rows, err := t.q.LastTravelProposal(ctx, queries.LastTravelProposalParams{OrgID: t.org, Kind: string(kind)})
	if err != nil || len(rows) == 0 {
		return TravelProposal{}, err
	}
	p.Kind, p.State = kind, learning.State(rows[0].State)
	return p, p.read(rows[0].Hours, rows[0].Visits, rows[0].Drivers)
}

// ProposeTravel adds a proposal, which replaces an open one of its kind, and returns its id.
func (t *Tx) ProposeTravel(ctx context.Context, p *TravelProposal) (int64, error) {
	if err := t.WithdrawTravel(ctx, p.Kind); err != nil {
		return 0, err
	}
	hours := append([]traffic.RushHours{}, p.Hours...) // none are a list, too
	visits, drivers := append([]learning.VisitTime{}, p.Visits...), append([]learning.DriverPace{}, p.Drivers...)
	return t.q.AddTravelProposal(ctx, queries.AddTravelProposalParams{
		OrgID: t.org, Kind: string(p.Kind), Hours: json.RawMessage(documentText(hours)),
		Visits: json.RawMessage(documentText(visits)), Drivers: json.RawMessage(documentText(drivers)),
		Legs: int64(p.Facts), Days: int64(p.Days),
		TrialLegs: int64(p.Trial.Predicted), TrialDays: int64(p.Trial.Days),
		BeforeSeconds: int64(p.Trial.Before / time.Second), AfterSeconds: int64(p.Trial.After / time.Second),
	})
}

// WithdrawTravel takes back the open proposal of a kind.
func (t *Tx) WithdrawTravel(ctx context.Context, kind learning.Kind) error {
	return t.q.ReplaceTravelProposal(ctx, queries.ReplaceTravelProposalParams{OrgID: t.org, Kind: string(kind)})
}

// DecideTravelProposal accepts or dismisses an open proposal, and returns what it says.
func (t *Tx) DecideTravelProposal(
	ctx context.Context, id int64, state learning.State, by string,
) (p TravelProposal, err error) {
	row, err := t.q.DecideTravelProposal(ctx, queries.DecideTravelProposalParams{
		OrgID: t.org, ID: id, State: string(state), DecidedBy: by,
	})
	if err != nil {
		return p, absent("travel_proposal", id, err)
	}
	p.ID, p.Kind, p.State = id, learning.Kind(row.Kind), state
	return p, p.read(row.Hours, row.Visits, row.Drivers)
}
