package store

import (
	"context"

	"waybill/domain/order"
	"waybill/store/queries"
)

// freshNumbers are the numbers that a plan makes.
type freshNumbers struct {
	numbers map[string]bool
	rows    queries.InsertNumbersParams
	queued  bool
}

// prepare collects the numbers that did not exist when the plan was made, with
// their records and times of receipt.
func (s *saver) prepare(plan *order.Plan, fresh map[string]bool) {
	s.fresh.numbers = fresh
	rows := &s.fresh.rows
	rows.OrgID, rows.Receipt, rows.Cancelled = s.org, receiptOf(plan), []string{}
	leads, spoken := map[string]*order.Order{}, map[string]bool{}
	for _, n := range plan.Numbers {
		leads[n.Number], spoken[n.Number] = n.Order, true
		if n.Cancelled {
			rows.Cancelled = append(rows.Cancelled, n.Number)
		}
	}
	for _, number := range plan.Spoken() {
		spoken[number] = true
	}
	for number := range fresh {
		id := int64(0)
		if o := leads[number]; o != nil {
			id = o.ID
		}
		rows.Numbers = append(rows.Numbers, number)
		rows.OrderIds = append(rows.OrderIds, id)
		rows.Spoken = append(rows.Spoken, spoken[number])
	}
}

// newNumbers inserts them: after their orders, and before the records that
// refer to them.
func (s *saver) newNumbers(ctx context.Context) {
	if s.fresh.queued || len(s.fresh.rows.Numbers) == 0 {
		return
	}
	s.fresh.queued = true
	s.queue(s.q.InsertNumbers(ctx, s.fresh.rows))
}
