package orders

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/operations/core"
	"waybill/store"
)

// Created is what became of an order by hand: an order, or a draft where it is
// not one yet.
type Created struct{ OrderID, DraftID int64 }

// byHand never merges what somebody writes into what others said.
func byHand() order.Defaults {
	never := false
	return order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: &never}}
}

// CreateOrder makes one order of what somebody wants. Without a number it gets
// one. What cannot be an order is refused with every reason, or kept as a draft
// when that is wanted.
func (o *Operations) CreateOrder(
	ctx context.Context, c caller.Caller, req order.Request, asDraft bool,
) (Created, error) {
	created, err := core.Once(ctx, o.store, c, func(t *store.Tx) (Created, error) {
		wanted := req // each try draws a number of its own
		snapshot, err := snapshotOfNew(ctx, t, &wanted)
		if err != nil {
			return Created{}, err
		}
		plan, err := order.CreateByHand(snapshot, wanted, asDraft)
		if err != nil {
			return Created{}, err
		}
		if err := t.Save(ctx, plan, byHand()); err != nil {
			return Created{}, err
		}
		if draft := plan.Results[0].Draft; draft != nil {
			return Created{DraftID: draft.ID}, nil
		}
		if req.ExternalID != "" {
			if err := t.KeepNumberByHand(ctx, req.ExternalID); err != nil {
				return Created{}, err
			}
		}
		return Created{OrderID: plan.Results[0].Order.ID}, nil
	})
	if err != nil {
		return Created{}, fmt.Errorf("create an order: %w", err)
	}
	return created, nil
}

// mostDraws is how many numbers are drawn before one is free: somebody may have
// used such numbers before.
const mostDraws = 100

// snapshotOfNew loads what a new order refers to, which gets a number that is
// free when it has none.
func snapshotOfNew(ctx context.Context, t *store.Tx, req *order.Request) (*order.Snapshot, error) {
	drawn := req.ExternalID == ""
	for range mostDraws {
		if drawn {
			serial, err := t.DrawSerial(ctx)
			if err != nil {
				return nil, err
			}
			req.ExternalID = "M-" + strconv.FormatInt(serial, 10)
		}
		snapshot, err := t.Snapshot(ctx, store.Scope{Entries: []order.Request{*req}, Defaults: byHand(), Lock: true})
		if err != nil || !drawn || snapshot.Numbers[req.ExternalID].OrderID == 0 {
			return snapshot, err
		}
	}
	return nil, &fault.Error{Kind: fault.Conflict, Resource: "order", Name: req.ExternalID}
}

// EditOrder lets edit say what an order shall be, and writes what differs.
func (o *Operations) EditOrder(
	ctx context.Context, c caller.Caller, id int64, expected version.Expected,
	edit func(order.Request) (order.Edit, error),
) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		locked, err := t.LockOrderOfID(ctx, id)
		if err != nil {
			return err
		}
		if err := expected.Check(locked.Version, "order", locked.Order.Number); err != nil {
			return err
		}
		e, err := edit(order.Editable(locked.Order))
		if err != nil {
			return err
		}
		if err := e.Check(locked.Order); err != nil {
			return err
		}
		return applyEdit(ctx, t, id, &e)
	})
	if err != nil {
		return fmt.Errorf("edit an order: %w", err)
	}
	return nil
}

func applyEdit(ctx context.Context, t *store.Tx, id int64, e *order.Edit) error {
	snapshot, err := t.Snapshot(ctx, store.Scope{Entries: []order.Request{e.Request}, Defaults: byHand(), Lock: true})
	if err != nil {
		return err
	}
	edited := orderOf(snapshot, id)
	was := edited.VehicleTypeID
	rechosen, err := snapshot.ChooseVehicleType(edited, e)
	if err != nil {
		return err
	}
	plan, err := order.ApplyEdit(snapshot, edited, *e)
	if err != nil {
		return err
	}
	if rechosen {
		if err := t.SaveReassigned(ctx, edited, was, true); err != nil {
			return err
		}
	}
	return t.Save(ctx, plan, byHand())
}

// orderOf finds an order that a snapshot must hold.
func orderOf(s *order.Snapshot, id int64) *order.Order {
	i := slices.IndexFunc(s.Orders, func(o *order.Order) bool { return o.ID == id })
	return s.Orders[i]
}

// SplitOrder gives parts of an order's goods orders of their own, and returns
// the ids of all, the order's own first.
func (o *Operations) SplitOrder(ctx context.Context, c caller.Caller, id int64, parts []order.Part) ([]int64, error) {
	ids, err := core.Once(ctx, o.store, c, func(t *store.Tx) ([]int64, error) {
		return splitOrder(ctx, t, id, slices.Clone(parts)) // each try draws numbers of its own
	})
	if err != nil {
		return nil, fmt.Errorf("split an order: %w", err)
	}
	return ids, nil
}

func splitOrder(ctx context.Context, t *store.Tx, id int64, parts []order.Part) ([]int64, error) {
	locked, err := t.LockOrderOfID(ctx, id)
	if err != nil {
		return nil, err
	}
	if parts, err = numbered(ctx, t, locked.Order.Number, parts); err != nil {
		return nil, err
	}
	computed := locked.Order.HasComputedPrices()
	snapshot, err := t.SnapshotOfParts(ctx, locked.Order, computed)
	if err != nil {
		return nil, err
	}
	plan, err := order.Split(snapshot, locked.Order, parts, computed)
	if err != nil {
		return nil, err
	}
	if err := t.Save(ctx, plan, byHand()); err != nil {
		return nil, err
	}
	ids := []int64{id}
	for _, r := range plan.Results {
		ids = append(ids, r.Order.ID)
	}
	return ids, nil
}

// numbered gives the parts of an order numbers, and refuses those that are
// taken. The parts of A-1 are A-1-2, A-1-3 and so on.
func numbered(ctx context.Context, t *store.Tx, number string, parts []order.Part) ([]order.Part, error) {
	var problems []fault.Violation
	next := 2
	for i := range parts {
		field := fmt.Sprintf("parts[%d].internal_order_number", i)
		named := parts[i].Number != ""
		for tries := 0; ; tries++ {
			if !named {
				parts[i].Number = fmt.Sprintf("%s-%d", number, next)
				next++
			}
			if !order.UsableNumber(parts[i].Number) {
				problems = append(problems, fault.Violation{Field: field, Text: fault.Say("field.too_long", "max", "255")})
				break
			}
			free, err := t.ClaimFreeNumber(ctx, parts[i].Number)
			if err != nil {
				return nil, err
			}
			taken := !free || slices.ContainsFunc(parts[:i], func(p order.Part) bool { return p.Number == parts[i].Number })
			if taken && named {
				return nil, order.NumberTaken(parts[i].Number)
			}
			if !taken || tries == mostDraws {
				break
			}
		}
	}
	return parts, fault.Violated(problems)
}
