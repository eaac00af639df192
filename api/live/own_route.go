package live

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/event"
	"waybill/store"
)

// ownRoute decides which hints a driver gets. Users get all; theirs is nil.
type ownRoute struct {
	log             Log
	orgID, driverID int64
	orders          map[int64]struct{}
}

// read finds the orders of the driver's current route.
func (o *ownRoute) read(ctx context.Context) error {
	if o == nil {
		return nil
	}
	now := time.Now()
	road, err := o.log.RouteAhead(ctx, o.orgID, o.driverID, now, now)
	if err != nil {
		return fmt.Errorf("read the route of a driver who listens: %w", err)
	}
	o.orders = make(map[int64]struct{}, len(road.Stops))
	for i := range road.Stops {
		o.orders[road.Stops[i].OrderID] = struct{}{}
	}
	return nil
}

// concerns reports whether a hint is about the driver's work. A change of a plan may bring
// the driver other orders. If they can't be read, those known before stay.
func (o *ownRoute) concerns(ctx context.Context, hint *store.Hint) bool {
	if o == nil {
		return true
	}
	_, known := o.orders[hint.OrderID]
	isOwn := hint.DriverID == o.driverID
	switch {
	case known && (isOwn || hint.DriverID == 0):
		return true
	case known, isOwn, hint.Subject == event.OfPlan:
		_ = o.read(ctx) // the orders may be others; the next hint tries again
		return true
	default:
		return false
	}
}
