package followers

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newDriving returns the follower that signals the workflows of days on the road, and
// starts them with the driver's first report.
func newDriving(d Deps) relay.Follower {
	return relay.Follower{Name: "driving", Hand: driving{d}.hand, Kinds: []event.Kind{
		event.DriverRouteStarted, event.DriverRouteEnded, event.OrderActed, event.StopArrived, event.OrderPickedUp,
		event.OrderDelivered, event.OrderFailed, event.OrderCorrected, event.OrderETAChanged, event.OrderPlanned,
		event.OrderUnplanned, event.OrderCancelled, event.OrderReactivated, event.DriverPositionsLate,
	}}
}

type driving struct{ Deps }

// driveStarts is how many days get a signal at a time.
const driveStarts = 4

// hand signals each day once, however many events it has: one check covers them
// all.
func (d driving) hand(ctx context.Context, events []store.Event) error {
	days, err := d.Store.DriveDays(ctx, events)
	if err != nil {
		return err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(driveStarts)
	for org, of := range days {
		for _, day := range of {
			group.Go(func() error {
				return workflows.DriveNews(within, d.Temporal, workflows.DriveInput{
					OrgID: org, DriverID: day.DriverID, Day: day.Day.Format(time.DateOnly),
				})
			})
		}
	}
	return errors.Join(group.Wait(), ctx.Err())
}
