package store

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/store/queries"
)

// PlanChange is something that has happened to a day.
type PlanChange = queries.ChangesSinceRow

// The limits of what has happened to a day.
const (
	// MostPlanChanges is how many changes are returned at most.
	MostPlanChanges = 1000
	// looksPerOrder is how many events of an order are looked at.
	looksPerOrder = 50
	// leastMoved is by how many seconds a delivery moves at least to be worth telling.
	leastMoved = 15 * 60
)

// changesOfOrders are the kinds of events that change an order of a day.
var changesOfOrders = []string{
	string(event.OrderPlanned), string(event.OrderUnplanned), string(event.OrderCreated), string(event.OrderUpdated),
	string(event.OrderCancelled), string(event.OrderReactivated), string(event.OrderFailed),
}

// PlanChanges returns what others than an actor did to a day since a moment, the newest first, and
// whether that is all of it.
func (s *Store) PlanChanges(
	ctx context.Context, org int64, day, since time.Time, except string,
) (changes []PlanChange, isWhole bool, err error) {
	rows, err := s.lists(org).ChangesSince(ctx, queries.ChangesSinceParams{
		OrgID: org, Day: day, Since: since, Kinds: changesOfOrders, Looks: looksPerOrder, LeastSeconds: leastMoved,
		ExceptActor: except, Most: MostPlanChanges + 1,
	})
	isWhole = len(rows) <= MostPlanChanges
	return rows[:min(len(rows), MostPlanChanges)], isWhole, translate(err)
}
