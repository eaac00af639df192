package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"waybill/domain/driving"
	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/domain/simulation"
	"waybill/store/columns"
	"waybill/store/queries"
)

// DrivenLeg is a leg that a driver drove: from the end of a stop to the end of the next one.
type DrivenLeg struct {
	From, Until time.Time
	// Failures counts how often the server of road data failed in a row.
	Failures int
	// Fixes is where the driver was, by our clock.
	Fixes road.Track
}

// LegsToMatch are legs of a driver's day whose positions are to be matched to streets.
type LegsToMatch struct {
	Legs []DrivenLeg
	// Left counts those behind them.
	Left int
	// Profile is what the driver drives, and Clock that of a simulated day.
	Profile planning.Profile
	Clock   simulation.Clock
}

// How many legs are loaded at a time, and how many positions of each.
const (
	legsAtOnce      = 20
	mostFixesOfALeg = 5000
)

// latestLook is after what time a day under way is looked at again at the latest.
const latestLook = 5 * time.Minute

// LegsToMatch returns the first legs of a driver's day whose positions are to be matched by a
// moment, with their positions.
func (s *Store) LegsToMatch(ctx context.Context, org int64, of DriveDay, now time.Time) (due LegsToMatch, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		legs, err := t.drivenLegsDue(ctx, of, now)
		if err != nil || len(legs) == 0 {
			return err
		}
		day, err := t.q.DrivenDay(ctx, queries.DrivenDayParams{OrgID: org, DriverID: of.DriverID, Day: of.Day})
		if err != nil {
			return err
		}
		some := legs[:min(len(legs), legsAtOnce)]
		due = LegsToMatch{
			Legs: some, Left: len(legs) - len(some), Profile: planning.Profile(day.Profile),
			Clock: newClock(day.ClockFrom, day.ClockSince, day.Pace),
		}
		return t.loadFixes(ctx, of, some)
	})
	if err != nil {
		return due, fmt.Errorf("load driven legs: %w", err)
	}
	return due, nil
}

// CountLegsToMatch returns how many legs of a driver's day are to be matched by a moment.
func (t *Tx) CountLegsToMatch(ctx context.Context, of DriveDay, now time.Time) (int, error) {
	legs, err := t.drivenLegsDue(ctx, of, now)
	return len(legs), err
}

func (t *Tx) drivenLegsDue(ctx context.Context, of DriveDay, now time.Time) ([]DrivenLeg, error) {
	rows, err := t.q.DrivenLegsDue(ctx, queries.DrivenLegsDueParams{
		OrgID: t.org, DriverID: of.DriverID, Day: of.Day, Now: now,
	})
	return each(rows, func(r queries.DrivenLegsDueRow) DrivenLeg {
		return DrivenLeg{From: r.FromAt, Until: r.UntilAt, Failures: int(r.Failures)}
	}), err
}

// loadFixes reads the positions of legs, which are in the order of time.
func (t *Tx) loadFixes(ctx context.Context, of DriveDay, legs []DrivenLeg) error {
	p := queries.FixesOfLegsParams{OrgID: t.org, DriverID: of.DriverID, AtMost: mostFixesOfALeg}
	for i := range legs {
		columns.Add(&p.Froms, legs[i].From)
		columns.Add(&p.Untils, legs[i].Until)
	}
	rows, err := t.q.FixesOfLegs(ctx, p)
	for i := range rows {
		r := &rows[i]
		leg := &legs[r.Leg]
		leg.Fixes = append(leg.Fixes, road.Fix{
			Point: road.Point{Latitude: r.Latitude, Longitude: r.Longitude}, At: r.At.UTC(), Accuracy: r.Accuracy,
		})
	}
	return err
}

// MatchedLeg is a driven leg with its way.
type MatchedLeg struct {
	DrivenLeg

	Ways []driving.DrivenWay
	// Again is when it is matched again; zero is never.
	Again time.Time
}

// drivenWay is a part of a way as it is kept.
type drivenWay struct {
	Polyline   string    `json:"polyline"`
	From       time.Time `json:"from"`
	Until      time.Time `json:"until"`
	Meters     int64     `json:"meters"`
	Matched    bool      `json:"matched"`
	Confidence float64   `json:"confidence"`
}

// SaveMatchedLegs writes legs of a driver's day, and deletes those that are none any more. Written
// again, they are the same. It returns how many legs have got positions meanwhile, and when the
// next one is matched again; zero is never.
func (t *Tx) SaveMatchedLegs(
	ctx context.Context, of DriveDay, legs []MatchedLeg, now time.Time,
) (left int, again time.Time, err error) {
	if err := t.lockWhereabouts(ctx, of.DriverID); err != nil {
		return 0, again, err
	}
	p := queries.SaveDrivenLegsParams{OrgID: t.org, DriverID: of.DriverID, Day: of.Day}
	for i := range legs {
		if err := addLeg(&p, &legs[i]); err != nil {
			return 0, again, err
		}
	}
	if err := t.q.SaveDrivenLegs(ctx, p); err != nil {
		return 0, again, fmt.Errorf("save driven legs: %w", err)
	}
	err = t.q.DropDrivenLegs(ctx, queries.DropDrivenLegsParams{OrgID: t.org, DriverID: of.DriverID, Day: of.Day})
	if err != nil {
		return 0, again, fmt.Errorf("delete driven legs: %w", err)
	}
	if left, err = t.CountLegsToMatch(ctx, of, now); err != nil {
		return 0, again, err
	}
	again, err = t.q.DrivenAgain(ctx, queries.DrivenAgainParams{OrgID: t.org, DriverID: of.DriverID, Day: of.Day})
	if again.Year() == 1 {
		again = time.Time{}
	}
	return left, again, err
}

func addLeg(p *queries.SaveDrivenLegsParams, leg *MatchedLeg) error {
	ways, meters, matched, confidence := make([]drivenWay, len(leg.Ways)), int64(0), true, math.NaN()
	for i, w := range leg.Ways {
		ways[i] = drivenWay(w)
		meters += w.Meters
		matched = matched && w.Matched
		if w.Matched && !(confidence <= w.Confidence) {
			confidence = w.Confidence
		}
	}
	document, err := json.Marshal(ways)
	if err != nil {
		return fmt.Errorf("write driven ways: %w", err)
	}
	columns.Add(&p.Froms, leg.From)
	columns.Add(&p.Untils, leg.Until)
	columns.Add(&p.Positions, int32(len(leg.Fixes)))
	columns.Add(&p.Ways, string(document))
	columns.Add(&p.Meters, meters)
	columns.Add(&p.Matched, matched && leg.Failures == 0)
	columns.Add(&p.Confidences, confidence)
	columns.Add(&p.Failures, int32(leg.Failures))
	columns.Add(&p.NextMatches, leg.Again)
	return nil
}

// lockWhereabouts keeps others from adding positions of a driver, or legs that are made of them,
// until the end of the transaction.
func (t *Tx) lockWhereabouts(ctx context.Context, driverID int64) error {
	return t.q.LockWhereabouts(ctx, queries.LockWhereaboutsParams{OrgID: t.org, DriverID: driverID})
}

// tellLatePositions has the days looked at of whose legs positions came late.
func (t *Tx) tellLatePositions(ctx context.Context, driverID int64, positions []driving.Position, now time.Time) error {
	first, last := positions[0].At, positions[0].At
	for _, p := range positions {
		if p.At.Before(first) {
			first = p.At
		}
		if p.At.After(last) {
			last = p.At
		}
	}
	err := t.q.LogLatePositions(ctx, queries.LogLatePositionsParams{
		OrgID: t.org, DriverID: driverID, First: first, Last: last, Late: now.Add(-latestLook),
	})
	if err != nil {
		return fmt.Errorf("tell of late positions: %w", err)
	}
	return nil
}
