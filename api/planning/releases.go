package planning

import (
	"context"
	"fmt"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/store"
)

// ReleasePlan releases the plan of a day to its drivers.
func (h *Handlers) ReleasePlan(
	ctx context.Context, request contract.ReleasePlanRequestObject,
) (contract.ReleasePlanResponseObject, error) {
	area, err := areaOf(request.Date.Time, request.Body.DepartmentID)
	if err != nil {
		return nil, err
	}
	version, err := h.operations.Planning.ReleasePlan(ctx, edge.Caller(ctx), area)
	return contract.ReleasePlan200JSONResponse{Version: version}, err
}

// GetReleasedPlan compares the plan that was released with the present one.
func (h *Handlers) GetReleasedPlan(
	ctx context.Context, request contract.GetReleasedPlanRequestObject,
) (contract.GetReleasedPlanResponseObject, error) {
	p := request.Params
	area := planning.Area{Date: request.Date.Time, DepartmentID: departmentOf(p.DepartmentID)}
	if _, _, err := edge.CheckDays("date", area.Date, "date", area.Date); err != nil {
		return nil, err
	}
	place := store.PlanPlace{}
	if p.Token != nil && *p.Token != "" {
		var ok bool
		if place, ok = placeOf(*p.Token); !ok || !place.LeftOver {
			return nil, fault.Field("token", fault.Say("plan.bad_token"))
		}
	}
	size, err := sizeOf(p.PageSize)
	if err != nil {
		return nil, err
	}
	release, orders, more, err := h.store.ReleasedPlan(ctx, edge.PrincipalOf(ctx).OrgID, area, place.Order, size)
	if err != nil {
		return nil, err
	}
	out := contract.GetReleasedPlan200JSONResponse{
		ReleasedAt: momentOrNull(release.At), ReleasedBy: edge.TextOrNull(release.By), HasMore: more,
		Items: make([]contract.ReleasedOrder, len(orders)),
	}
	for i := range orders {
		out.Items[i] = releasedOrder(&orders[i])
	}
	if more {
		out.NextToken = fmt.Sprintf("%s.%d", behindOrder, orders[len(orders)-1].OrderID)
	}
	return out, nil
}

func releasedOrder(o *store.ReleasedOrder) contract.ReleasedOrder {
	return contract.ReleasedOrder{
		OrderID: o.OrderID, ExternalID: o.Number, Change: contract.ReleasedOrderChange(changeOf(o)),
		Released: releasedPlace(o.WasDriverID, o.WasSeq, o.WasPickupAt, o.WasDeliveryAt),
		Now:      releasedPlace(o.DriverID, o.Seq, o.PickupAt, o.DeliveryAt),
	}
}

// changeOf is what became of an order since the release.
func changeOf(o *store.ReleasedOrder) planning.ReleasedChange {
	return planning.ChangeSinceRelease(
		planning.ReleasedPlace{DriverID: o.WasDriverID, Pickup: o.WasPickupAt, Delivery: o.WasDeliveryAt},
		planning.ReleasedPlace{DriverID: o.DriverID, Pickup: o.PickupAt, Delivery: o.DeliveryAt},
	)
}

func releasedPlace(driver int64, sequence int32, pickup, delivery time.Time) nullable.Nullable[contract.ReleasedPlace] {
	if driver == 0 {
		return nullable.NewNullNullable[contract.ReleasedPlace]()
	}
	return nullable.NewNullableWithValue(contract.ReleasedPlace{
		DriverID: driver, Sequence: sequence, PickupAt: momentOrNull(pickup), DeliveryAt: momentOrNull(delivery),
	})
}

// releaseOf is when a plan of a day is released.
func releaseOf(day time.Time, p *store.PlanOfDay) contract.PlanRelease {
	release := contract.PlanRelease{
		ReleasedAt: edge.OrNull(edge.InUTC(p.ReleasedAt)), ReleasedBy: edge.OrNull(p.ReleasedBy),
		DueAt: nullable.NewNullNullable[time.Time](), Changes: p.ReleasedChanges,
		ThresholdMinutes: int32(p.ReleaseThresholdMinutes),
	}
	zone, err := time.LoadLocation(p.Timezone)
	if err == nil && p.ReleaseMinute >= 0 && p.ReleasedAt == nil {
		release.DueAt.Set(planning.ReleaseMoment(day, zone, int(p.ReleaseMinute), int(p.ReleaseDaysBefore)))
	}
	return release
}
