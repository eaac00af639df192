package planning

import (
	"context"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
)

// Candidates are the drivers who could take an order, and the version of the plan in which
// they could.
type Candidates struct {
	Version int64
	Drivers []planning.Candidate
}

// RankDrivers returns all drivers of a plan for an order, those first who could have it at
// the lowest cost. Nothing is changed. The costs are those that a move of this
// order to the driver has.
func (o *Operations) RankDrivers(
	ctx context.Context, c caller.Caller, area planning.Area, orderID int64,
) (Candidates, error) {
	day, err := o.plannedDay(ctx, c.OrgID, area, concern{orders: []int64{orderID}, more: districtsAsked})
	if err != nil {
		return Candidates{}, err
	}
	w := &planner{operations: o, caller: c, area: area}
	if err := w.draft(ctx, day.Freed(orderID)); err != nil {
		return Candidates{}, err
	}
	all, reason, why := w.drawn.Rank(orderID, &day)
	switch {
	case reason == planning.NotHere:
		return Candidates{}, fault.Missing("order", strconv.FormatInt(orderID, 10))
	case reason != "" || why != "":
		_, numbers, err := w.names(ctx, 0, []int64{orderID})
		if err != nil {
			return Candidates{}, err
		}
		if reason == "" {
			reason = planning.Impossible
		}
		return Candidates{}, &fault.Error{
			Kind: fault.IllegalState, Text: refusal(reason, numbers[0], ""), Resource: "order", Name: numbers[0],
		}
	}
	return Candidates{Version: day.Version, Drivers: all}, nil
}
