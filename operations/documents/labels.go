package documents

import (
	"context"
	"fmt"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/label"
	"waybill/domain/order"
	"waybill/store"
)

// Labelled is an order with its parcels, and what their labels say besides.
type Labelled struct {
	store.LabelNames

	Parcels []label.Parcel
}

// LabelOrders returns the parcels of orders, which are named by numbers and by
// ids, in that sequence. Units without a barcode get one first, for good; so
// labels that are asked for again are the same.
func (o *Operations) LabelOrders(
	ctx context.Context, c caller.Caller, numbers []string, ids []int64, level label.Level,
) (labelled []Labelled, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		orders, err := ordersToLabel(ctx, t, numbers, ids)
		if err != nil {
			return err
		}
		if level == label.ByColli {
			if err := markUnits(ctx, t, orders); err != nil {
				return err
			}
		}
		codes, err := t.LoadUnitCodes(ctx, idsOf(orders))
		if err != nil {
			return err
		}
		labelled, err = parcelsOf(ctx, t, orders, level, codes)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("label orders: %w", err)
	}
	return labelled, nil
}

// ordersToLabel loads and locks orders. None of them may be cancelled.
func ordersToLabel(ctx context.Context, t *store.Tx, numbers []string, ids []int64) ([]*order.Order, error) {
	known, err := t.LoadNumbersOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	wanted := append([]string{}, numbers...)
	for _, id := range ids {
		if known[id] == "" {
			return nil, fault.Missing("order", strconv.FormatInt(id, 10))
		}
		wanted = append(wanted, known[id])
	}
	s, err := t.LockOrdersByNumber(ctx, wanted)
	if err != nil {
		return nil, err
	}
	byID, taken := make(map[int64]*order.Order, len(s.Orders)), map[int64]bool{}
	for _, found := range s.Orders {
		byID[found.ID] = found
	}
	var orders []*order.Order
	for _, number := range wanted {
		found := byID[s.Numbers[number].OrderID]
		switch {
		case found == nil:
			return nil, fault.Missing("order", number)
		case found.Status == order.Cancelled:
			return nil, fault.Illegal("order.already_cancelled", "order", number)
		case !taken[found.ID]:
			taken[found.ID] = true
			orders = append(orders, found)
		}
	}
	return orders, nil
}

// markUnits gives the units of orders that have no barcode one, with the events of
// that.
func markUnits(ctx context.Context, t *store.Tx, orders []*order.Order) error {
	had, err := t.LoadUnitCodes(ctx, idsOf(orders))
	if err != nil {
		return err
	}
	missing := 0
	for _, o := range orders {
		if missing += o.Unmarked(had); missing > label.Most {
			return tooManyLabels()
		}
	}
	if missing == 0 {
		return nil
	}
	next, prefix, err := t.DrawSSCCs(ctx, missing)
	if err != nil {
		return err
	}
	if prefix == "" {
		return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("label.no_sscc_prefix")}
	}
	return saveMarks(ctx, t, orders, had, func() string {
		next++
		return label.SSCC(prefix, next-1)
	})
}

// saveMarks marks orders with what is drawn, and saves them with their events.
func saveMarks(
	ctx context.Context, t *store.Tx, orders []*order.Order, had order.UnitCodes, draw func() string,
) error {
	plan := order.Plan{Silent: true} // a label says nothing new of an order
	var drawn []order.UnitCode
	for _, o := range orders {
		units, event, err := order.Mark(o, had, draw)
		if err != nil {
			return err
		}
		if drawn = append(drawn, units...); event.Kind != "" {
			plan.Orders, plan.Events = append(plan.Orders, o), append(plan.Events, event)
		}
	}
	if err := t.SaveUnitCodes(ctx, drawn); err != nil {
		return err
	}
	return t.Save(ctx, plan, order.Defaults{})
}

func idsOf(orders []*order.Order) []int64 {
	ids := make([]int64, len(orders))
	for i, o := range orders {
		ids[i] = o.ID
	}
	return ids
}

func tooManyLabels() error {
	return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("label.too_many", "max", strconv.Itoa(label.Most))}
}

func parcelsOf(
	ctx context.Context, t *store.Tx, orders []*order.Order, level label.Level, codes order.UnitCodes,
) ([]Labelled, error) {
	names, err := t.LoadLabelNames(ctx, idsOf(orders))
	if err != nil {
		return nil, err
	}
	labelled, total := make([]Labelled, len(orders)), 0
	for i, o := range orders {
		labelled[i] = Labelled{LabelNames: names[o.ID], Parcels: label.Parcels(o, names[o.ID].Serial, level, codes)}
		if total += len(labelled[i].Parcels); total > label.Most {
			return nil, tooManyLabels()
		}
		for _, p := range labelled[i].Parcels {
			if !p.Code.Writable() {
				return nil, &fault.Error{
					Kind: fault.Unprocessable, Text: fault.Say("label.bad_code", "code", fault.Clip(p.Code.Text), "order", o.Number),
				}
			}
		}
	}
	return labelled, nil
}
