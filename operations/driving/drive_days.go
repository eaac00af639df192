package driving

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/store"
)

// LookedAtDrive is where a driver's day on the road stands.
type LookedAtDrive struct {
	State driving.DayState
	// Done and Stops count the stops, and Late those that will be late.
	Done, Stops, Late int
	// Next is the order of the stop that comes next, empty when there is none, and
	// NextAt when service begins there.
	Next   string
	NextAt time.Time
	// Heard is when anything was heard of the driver last.
	Heard time.Time
	// Told counts the stops of which the world was told just now that the driver is
	// near.
	Told int
	// Wake is when to look again if nothing happens, zero when the day is over.
	Wake time.Time
	// ToMatch counts the legs driven whose positions are to be matched to streets.
	ToMatch int
	// Simulated says that the day is driven by nobody, and much faster than a real one.
	Simulated bool
}

// shortestTroubledWait is how long nobody looks at a driver of a troubled day who says
// nothing, however fast its clock runs.
const shortestTroubledWait = 3 * time.Second

// LookAtDrive looks at a driver's day on the road: it works out when he gets to the
// stops ahead of him, tells the world once of each that he is near, and opens and
// resolves the exceptions of stops that will be late and of a driver of whom nothing
// is heard, and the alerts by rules of late stops and silent drivers. Done again, it changes nothing.
func (o *Operations) LookAtDrive(ctx context.Context, c caller.Caller, of store.DriveDay) (LookedAtDrive, error) {
	var looked LookedAtDrive
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		road, err := o.renewWithin(ctx, t, of.DriverID)
		if err != nil {
			return fmt.Errorf("renew ETAs: %w", err)
		}
		now := o.now()
		day, err := t.LoadWatchedDay(ctx, of, now)
		if err != nil {
			return err
		}
		if day.Simulated {
			day.Now = road.Now
		}
		seen := day.Look()
		wait := seen.Wake.Sub(day.Now)
		if day.Troubled { // whoever waits at a door says nothing meanwhile
			wait = max(road.Clock.Scaled(wait), shortestTroubledWait)
		}
		seen.Wake = now.Add(wait) // which is by our clock
		alarm, err := t.SaveAlarms(ctx, day)
		if err != nil {
			return err
		}
		if !alarm.IsZero() && !day.Simulated && alarm.Before(seen.Wake) {
			seen.Wake = alarm
		}
		looked = summed(day, &seen)
		if err := t.SaveSeen(ctx, day, &seen); err != nil {
			return err
		}
		looked.ToMatch, err = t.CountLegsToMatch(ctx, of, now)
		return err
	})
	if err != nil {
		return LookedAtDrive{}, fmt.Errorf("check the day of driver %d: %w", of.DriverID, err)
	}
	return looked, nil
}

// summed is where a day stands after what there is to do was done.
func summed(d *store.WatchedDay, seen *driving.Seen) LookedAtDrive {
	looked := LookedAtDrive{
		State: driving.DayUnderWay, Done: seen.Done, Stops: len(d.Stops), Late: len(seen.Late) - len(seen.InTime), Heard: d.Heard,
		Told: len(seen.Near), Wake: seen.Wake, Simulated: d.Simulated,
	}
	for i := range d.Stops {
		if d.Stops[i].Late {
			looked.Late++
		}
	}
	if seen.Next >= 0 {
		looked.Next, looked.NextAt = d.Number(seen.Next), d.Begins(seen.Next)
	}
	switch {
	case seen.Over:
		looked.State, looked.Wake = driving.DayOver, time.Time{}
	case seen.Silent, d.Silent && !seen.Heard:
		looked.State = driving.DaySilent
	case looked.Late > 0:
		looked.State = driving.DayLate
	}
	return looked
}
