package planning

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"waybill/domain/fault"
	"waybill/domain/planning"
)

// movedError says which orders somebody else has moved since a caller looked.
type movedError struct{ orders []int64 }

func (movedError) Error() string { return "orders were moved meanwhile" }

// unmoved refuses moves of orders that have got another driver since the plan was looked
// at, unless they are to be overruled, and moves by a version that the plan does not have yet.
func (m *PlanMoves) unmoved(day *planning.Day) error {
	if m.Seen > day.Version {
		return stale(day.Version)
	}
	if m.Overrule {
		return nil
	}
	if orders := day.MovedSince(m.Seen, m.Moves); len(orders) > 0 {
		return movedError{orders}
	}
	return nil
}

// sayWhoMoved turns the error of orders that were moved meanwhile into a fault that says
// who moved the first of them, to whom, and when. It leaves other errors as they are.
func (o *Operations) sayWhoMoved(ctx context.Context, org int64, err error) error {
	var moved movedError
	if !errors.As(err, &moved) {
		return err
	}
	last, err := o.store.LastMove(ctx, org, moved.orders[0])
	if err != nil {
		return err
	}
	text := fault.Say("plan.order_with", "name", last.Number, "driver", last.DriverName)
	if last.MovedBy != "" {
		ago := lasting(time.Duration(last.Seconds) * time.Second)
		text = fault.Say("plan.order_moved", "name", last.Number, "driver", last.DriverName, "who", last.MovedBy, "ago", ago)
	}
	return &fault.Error{Kind: fault.Conflict, Text: text, Resource: "order", Name: last.Number}
}

// lasting is a duration in units that every language knows.
func lasting(d time.Duration) string {
	switch minutes := int(d.Minutes()); {
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < time.Hour:
		return strconv.Itoa(minutes) + " min"
	default:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
	}
}
