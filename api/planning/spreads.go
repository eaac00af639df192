package planning

import (
	"context"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
	"waybill/store"
)

// SpreadRoute gives the orders of a driver's route to the other drivers, or says
// who would get which for a dry run.
func (h *Handlers) SpreadRoute(
	ctx context.Context, request contract.SpreadRouteRequestObject,
) (contract.SpreadRouteResponseObject, error) {
	asked, err := spreadOf(request)
	if err != nil {
		return nil, err
	}
	spread, err := h.operations.Planning.SpreadRoute(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.SpreadRoute200JSONResponse{
		Applied: spread.Applied, Version: spread.Version, Cost: costOf(&spread.MovedOrders),
		Left: make([]contract.HandoverLeft, len(spread.Stay)),
	}
	if out.Shares, err = h.sharesOf(ctx, spread.Moves); err != nil {
		return nil, err
	}
	if err := h.sayStays(ctx, 0, spread.Stay, out.Left); err != nil {
		return nil, err
	}
	out.Routes, err = h.changedRoutes(ctx, spread.Changed)
	return out, err
}

// spreadOf reads what is asked for.
func spreadOf(request contract.SpreadRouteRequestObject) (asked planningops.PlanSpread, err error) {
	body := request.Body
	asked = planningops.PlanSpread{
		Seen: body.Version, From: body.FromDriverID, Reason: strings.TrimSpace(edge.OrEmpty(body.Reason)),
		DryRun: isTrue(body.DryRun), NotStarted: isTrue(body.NotStarted), Overrule: isTrue(body.Overrule),
	}
	if asked.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil {
		return asked, err
	}
	if err := edge.CheckTexts(edge.AtMost(maxReason, "reason", asked.Reason)); err != nil {
		return asked, err
	}
	asked.Orders, err = namedOrders(body.OrderIds)
	return asked, err
}

// sharesOf gathers moves by driver, in the sequence in which the drivers get their first order.
func (h *Handlers) sharesOf(ctx context.Context, moves []planning.Move) ([]contract.RouteShare, error) {
	shares, at := []contract.RouteShare{}, map[int64]int{}
	ids := store.PlanIDs{}
	for _, m := range moves {
		n, known := at[m.DriverID]
		if !known {
			n = len(shares)
			at[m.DriverID], ids.Drivers = n, append(ids.Drivers, m.DriverID)
			shares = append(shares, contract.RouteShare{DriverID: m.DriverID})
		}
		shares[n].OrderIds = append(shares[n].OrderIds, m.OrderID)
	}
	names, err := h.store.NamesInPlans(ctx, edge.PrincipalOf(ctx).OrgID, ids)
	if err != nil {
		return nil, err
	}
	for n := range shares {
		shares[n].DriverName = names.Drivers[shares[n].DriverID]
	}
	return shares, nil
}
