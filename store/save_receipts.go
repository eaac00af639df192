package store

import (
	"context"
	"encoding/json"

	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Places in the order of receipt that the database works out.
const (
	receivedNow int64 = 0  // the next place is drawn
	notReceived int64 = -1 // not requested by anybody
)

// receiptOf is the place of a plan in the order of receipt.
func receiptOf(plan *order.Plan) int64 {
	if plan.Silent {
		return notReceived
	}
	return plan.Receipt
}

// lead makes numbers lead to their orders, and notes of every number that the plan speaks
// of when it was received.
func (s *saver) lead(ctx context.Context, plan *order.Plan) {
	receipt := receiptOf(plan)
	p := queries.LeadNumbersParams{OrgID: s.org, Receipt: receipt, Cancelled: []string{}}
	led := make(map[string]int64, len(plan.Numbers))
	for _, n := range plan.Numbers {
		led[n.Number] = n.Order.ID
		s.written = append(s.written, n.Order.ID)
		if s.fresh.numbers[n.Number] {
			continue
		}
		columns.Add(&p.Numbers, n.Number)
		if n.Cancelled {
			columns.Add(&p.Cancelled, n.Number)
		}
	}
	if len(p.Numbers) > 0 {
		var err error
		p.Orders, err = json.Marshal(led)
		s.queue(err)
		s.queue(s.q.LeadNumbers(ctx, p))
	}
	var others []string
	for _, number := range plan.Spoken() {
		if _, known := led[number]; !known && !s.fresh.numbers[number] {
			led[number] = 0
			others = append(others, number)
		}
	}
	s.heard(ctx, receipt, others)
}

// heard records the time at which something was last received about numbers.
func (s *saver) heard(ctx context.Context, receipt int64, numbers []string) {
	if receipt != notReceived && len(numbers) > 0 {
		s.queue(s.q.NoteReceipt(ctx, queries.NoteReceiptParams{OrgID: s.org, Receipt: receipt, Numbers: numbers}))
	}
}
