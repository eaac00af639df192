package planning

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
)

// The limits of a ranking for several orders: how many drivers are compared, and how many
// of the orders decide which.
const (
	mostCompared   = 8
	mostCompareFor = 3
)

// DriverForOrders is a driver who could take some of several orders together.
type DriverForOrders struct {
	MovedOrders

	DriverID int64
	// Takes are the orders that the driver can take, and Left the others.
	Takes, Left []int64
	// LateOrders are how many of those are late, and MostLate by how many seconds at most.
	LateOrders int
	MostLate   int64
}

// RankDriversForOrders returns drivers who could take several orders together, the best
// first, and the version of the plan. Only the drivers who can have the first, the middle
// and the last of the orders at the lowest cost are compared. Nothing is changed. The
// costs are those that moving the orders to the driver has, as far as they can be moved.
func (o *Operations) RankDriversForOrders(
	ctx context.Context, c caller.Caller, area planning.Area, ids []int64,
) (version int64, all []DriverForOrders, err error) {
	day, err := o.plannedDay(ctx, c.OrgID, area, concern{orders: ids, more: districtsAsked})
	if err != nil {
		return 0, nil, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(day.Orders, func(o planning.Order) bool { return o.ID == id }) {
			return 0, nil, fault.Missing("order", strconv.FormatInt(id, 10))
		}
	}
	w := &planner{operations: o, caller: c, area: area}
	if err := w.draft(ctx, day); err != nil {
		return 0, nil, err
	}
	drivers, err := w.likeliest(ctx, ids)
	if err != nil {
		return 0, nil, err
	}
	ended := lookingEnds(ctx)
	for _, driver := range drivers {
		found, err := w.taking(ctx, driver, ids, ended)
		if err != nil {
			return 0, nil, err
		}
		if ended() {
			break
		}
		if len(found.Takes) > 0 {
			all = append(all, found)
		}
	}
	slices.SortStableFunc(all, func(a, b DriverForOrders) int {
		return cmp.Or(cmp.Compare(len(b.Takes), len(a.Takes)), cmp.Compare(len(a.Breaks), len(b.Breaks)),
			cmp.Compare(a.MostLate, b.MostLate), cmp.Compare(a.Driving+a.Waiting, b.Driving+b.Waiting))
	})
	return day.Version, all, ctx.Err()
}

// likeliest returns the drivers who are worth comparing, the likeliest first.
func (w *planner) likeliest(ctx context.Context, ids []int64) ([]int64, error) {
	points := map[int64]int{}
	for _, id := range someOf(ids) {
		freed := w.another()
		if err := freed.draft(ctx, w.day.Freed(id)); err != nil {
			return nil, err
		}
		ranked, _, _ := freed.drawn.Rank(id, &w.day) // no driver can have an order that is begun
		for place, c := range ranked {
			if c.Refused != nil {
				place += len(ranked)
			}
			points[c.DriverID] += place
		}
	}
	var drivers []int64
	for driver := range points {
		drivers = append(drivers, driver)
	}
	slices.SortFunc(drivers, func(a, b int64) int { return cmp.Or(cmp.Compare(points[a], points[b]), cmp.Compare(a, b)) })
	return drivers[:min(len(drivers), mostCompared)], nil
}

// someOf returns the first, the middle and the last of some orders.
func someOf(ids []int64) []int64 {
	if len(ids) <= mostCompareFor {
		return ids
	}
	return []int64{ids[0], ids[len(ids)/2], ids[len(ids)-1]}
}

// taking returns what it costs and breaks if a driver takes as many of the orders as possible.
func (w *planner) taking(ctx context.Context, driver int64, ids []int64, ended func() bool) (DriverForOrders, error) {
	moves := make([]planning.Move, len(ids))
	for i, id := range ids {
		moves[i] = planning.Move{OrderID: id, DriverID: driver}
	}
	found := DriverForOrders{DriverID: driver}
	var made madeMoves
	_, err := w.onRealTimes(ctx, func() (_ *planner, err error) {
		made, _, err = w.possible(ctx, moves, ended)
		return made.after, err
	})
	if err != nil || made.after == nil {
		return found, err
	}
	found.MovedOrders, found.Breaks = made.after.comparedTo(w), made.Breaks
	for _, move := range made.moves {
		found.Takes = append(found.Takes, move.OrderID)
	}
	for _, id := range ids {
		if !slices.Contains(found.Takes, id) {
			found.Left = append(found.Left, id)
		}
	}
	for _, b := range found.Breaks {
		if b.Code == planning.Late && slices.Contains(found.Takes, b.OrderID) {
			found.LateOrders++
			found.MostLate = max(found.MostLate, int64(b.By))
		}
	}
	return found, nil
}
