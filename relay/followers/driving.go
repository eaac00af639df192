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

// newDriving makes the follower that tells days on the road what happens on them, and
// begins them with the first thing that their driver says.
func newDriving(d Deps) relay.Follower {
	return relay.Follower{Name: "driving", Hand: driving{d}.hand, Kinds: []event.Kind{
		event.DriverRouteStarted, event.DriverRouteEnded, event.OrderActed, event.StopArrived, event.OrderPickedUp,
		event.OrderDelivered, event.OrderFailed, event.OrderCorrected, event.OrderETAChanged, event.OrderPlanned,
		event.OrderUnplanned, event.OrderCancelled, event.OrderReactivated,
	}}
}

type driving struct{ Deps }

// driveStarts is how many days are told at a time.
const driveStarts = 4

// hand tells each day once, however much of the news is of it: one look sees it all.
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
