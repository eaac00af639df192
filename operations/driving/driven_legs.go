package driving

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	roads "waybill/domain/road"
	"waybill/store"
)

// MatchedDrive is how far the driven legs of a day are matched to streets.
type MatchedDrive struct {
	// Matched counts the legs that were matched now, and Left those that still are to be.
	Matched, Left int
	// Again is when a leg is matched again at which the server of road data failed; zero if there
	// is none.
	Again time.Time
	// Failure says why the server matched no more, or is empty.
	Failure string
}

// matchingLength is for how long one stretch of work matches legs.
const matchingLength = 5 * time.Second

// MatchDrive matches the positions of a driver between the stops of a day to streets, and saves
// the ways leg by leg. It matches what is new: legs that end, and those of which positions came
// late. Where the server of road data fails, it saves a straight line through the positions, and
// asks again some minutes later, a few times. Done again, it changes nothing.
func (o *Operations) MatchDrive(ctx context.Context, c caller.Caller, of store.DriveDay) (MatchedDrive, error) {
	done, err := o.matchDrive(ctx, c, of)
	if err != nil {
		return MatchedDrive{}, fmt.Errorf("match the ways of driver %d: %w", of.DriverID, err)
	}
	return done, nil
}

func (o *Operations) matchDrive(ctx context.Context, c caller.Caller, of store.DriveDay) (done MatchedDrive, err error) {
	now, end := o.now(), time.Now().Add(matchingLength)
	due, err := o.store.LegsToMatch(ctx, c.OrgID, of, now)
	if err != nil {
		return done, err
	}
	var matched []store.MatchedLeg
	for i := range due.Legs {
		if i > 0 && !time.Now().Before(end) {
			break
		}
		leg, err := o.match(ctx, &due, due.Legs[i], now)
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		if err != nil {
			done.Failure = err.Error()
		} else {
			done.Matched++
		}
		matched = append(matched, leg)
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		done.Left, done.Again, err = t.SaveMatchedLegs(ctx, of, matched, now)
		return err
	})
	return done, err
}

// match matches one leg. The result of a fault is a straight line.
func (o *Operations) match(
	ctx context.Context, due *store.LegsToMatch, leg store.DrivenLeg, now time.Time,
) (store.MatchedLeg, error) {
	track := make(roads.Track, len(leg.Fixes))
	for i, fix := range leg.Fixes {
		fix.At = due.Clock.At(fix.At)
		track[i] = fix
	}
	track = track.Tidy()
	stretches, _, err := o.streets.Match(ctx, due.Profile, track)
	m := store.MatchedLeg{DrivenLeg: leg, Ways: driving.DrivenWays(track, stretches)}
	if m.Failures = 0; err != nil {
		m.Failures = leg.Failures + 1
		m.Again = driving.MatchAgain(m.Failures, now)
	}
	return m, err
}
