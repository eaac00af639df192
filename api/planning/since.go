package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// mostDaysSince is how far back changes of a day are listed.
const mostDaysSince = 31

// ListPlanChanges lists what others than the caller did to a day since a time.
func (h *Handlers) ListPlanChanges(
	ctx context.Context, request contract.ListPlanChangesRequestObject,
) (contract.ListPlanChangesResponseObject, error) {
	day, since, now := request.Date.Time, request.Params.Since, h.now()
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	if now.Sub(since) > mostDaysSince*24*time.Hour {
		return nil, fault.Field("since", fault.Say("plan.since_too_old", "max", strconv.Itoa(mostDaysSince)))
	}
	changes, isWhole, err := h.store.PlanChanges(ctx, edge.PrincipalOf(ctx).OrgID, day, since, edge.Caller(ctx).Actor())
	if err != nil {
		return nil, err
	}
	out := contract.ListPlanChanges200JSONResponse{
		Until: now.UTC(), IsWhole: isWhole, Changes: make([]contract.PlanChange, len(changes)),
	}
	for i := range changes {
		out.Changes[i] = planChange(&changes[i])
	}
	return out, h.addDifferences(ctx, changes, out.Changes)
}

// addDifferences adds what changed orders were and are, with the names of vehicle types.
func (h *Handlers) addDifferences(ctx context.Context, changes []store.PlanChange, out []contract.PlanChange) error {
	all := make([][]order.Difference, len(changes))
	var ids store.PlanIDs
	for i := range changes {
		var told [][]order.Difference
		if err := json.Unmarshal(changes[i].Differences, &told); err != nil {
			return fmt.Errorf("differences of an order: %w", err)
		}
		all[i] = order.Altogether(told)
		for _, d := range all[i] {
			ids.VehicleTypes = append(ids.VehicleTypes, d.VehicleTypes()...)
		}
	}
	names, err := h.store.NamesInPlans(ctx, edge.PrincipalOf(ctx).OrgID, ids)
	if err != nil {
		return err
	}
	for i := range all {
		for _, d := range all[i] {
			d = d.Named(names.VehicleTypes)
			out[i].Differences = append(out[i].Differences, contract.OrderDifference{
				What: contract.OrderDifferenceWhat(d.What), From: unlessZero(d.From), To: unlessZero(d.To),
			})
		}
	}
	return nil
}

func planChange(c *store.PlanChange) contract.PlanChange {
	return contract.PlanChange{
		At: c.At.UTC(), Kind: contract.PlanChangeKind(c.Kind), Actor: c.Actor, ActorName: unlessZero(c.ActorName),
		OrderID: unlessZero(c.OrderID), ExternalID: unlessZero(c.Number),
		FromDriverID: unlessZero(c.FromDriverID), FromDriverName: unlessZero(c.FromDriverName),
		DriverID: unlessZero(c.ToDriverID), DriverName: unlessZero(c.ToDriverName),
		FromTime: unlessZero(utc(c.FromTime)), Time: unlessZero(utc(c.ToTime)), Exception: unlessZero(c.Exception),
		Differences: []contract.OrderDifference{},
	}
}

// unlessZero is null for what is not known.
func unlessZero[T comparable](value T) nullable.Nullable[T] {
	var zero T
	if value == zero {
		return nullable.NewNullNullable[T]()
	}
	return nullable.NewNullableWithValue(value)
}

// utc is a time of the contract, and zero for the year 1.
func utc(at time.Time) time.Time {
	if at.Year() <= 1 {
		return time.Time{}
	}
	return at.UTC()
}
