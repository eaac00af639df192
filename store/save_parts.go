package store

import (
	"context"

	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// changedIn returns the orders in which a part changed, and the ids of those
// whose old part must be replaced.
func changedIn(orders []*order.Order, part func(order.Changes) bool) (changed []*order.Order, replaced []int64) {
	for _, o := range orders {
		if !part(o.Changes) {
			continue
		}
		changed = append(changed, o)
		if !o.Changes.New {
			replaced = append(replaced, o.ID)
		}
	}
	return changed, replaced
}

func (s *saver) groups(ctx context.Context, orders []*order.Order) {
	changed, replaced := changedIn(orders, func(c order.Changes) bool { return c.Groups })
	if len(replaced) > 0 {
		s.queue(s.q.DeleteGroupMembers(ctx, queries.DeleteGroupMembersParams{OrgID: s.org, OrderIds: replaced}))
	}
	p := queries.InsertGroupMembersParams{OrgID: s.org}
	for _, o := range changed {
		for _, id := range o.Groups {
			columns.Add(&p.OrderIds, o.ID)
			columns.Add(&p.GroupIds, id)
		}
	}
	if len(p.OrderIds) > 0 {
		s.queue(s.q.InsertGroupMembers(ctx, p))
	}
}

func (s *saver) prices(ctx context.Context, orders []*order.Order) {
	changed, replaced := changedIn(orders, func(c order.Changes) bool { return c.Prices })
	if len(replaced) > 0 {
		s.queue(s.q.DeletePrices(ctx, queries.DeletePricesParams{OrgID: s.org, OrderIds: replaced}))
	}
	p := queries.InsertPricesParams{OrgID: s.org}
	for _, o := range changed {
		for i, price := range o.Prices {
			columns.Add(&p.OrderIds, o.ID)
			columns.Add(&p.Seqs, int32(i))
			columns.Add(&p.Names, price.Name)
			columns.Add(&p.Prices, price.Amount)
			columns.Add(&p.Currencies, price.Currency)
			columns.Add(&p.Quantities, price.Quantity)
			columns.Add(&p.Computed, price.Computed)
		}
	}
	if len(p.OrderIds) > 0 {
		s.queue(s.q.InsertPrices(ctx, p))
	}
}

func (s *saver) customFields(ctx context.Context, orders []*order.Order) {
	changed, replaced := changedIn(orders, func(c order.Changes) bool { return c.Fields })
	if len(replaced) > 0 {
		s.queue(s.q.DeleteCustomFieldValues(ctx, queries.DeleteCustomFieldValuesParams{OrgID: s.org, OrderIds: replaced}))
	}
	p := queries.InsertCustomFieldValuesParams{OrgID: s.org}
	for _, o := range changed {
		for id, value := range o.CustomFields {
			columns.Add(&p.OrderIds, o.ID)
			columns.Add(&p.DefinitionIds, id)
			columns.Add(&p.Values, value.JSON)
			columns.Add(&p.Stops, string(value.Stop))
		}
	}
	if len(p.OrderIds) > 0 {
		s.queue(s.q.InsertCustomFieldValues(ctx, p))
	}
}
