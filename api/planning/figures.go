package planning

import (
	"context"

	"waybill/api/contract"
	"waybill/api/edge"
)

// GetFiguresOfDay returns how a day goes, against its plans.
func (h *Handlers) GetFiguresOfDay(
	ctx context.Context, request contract.GetFiguresOfDayRequestObject,
) (contract.GetFiguresOfDayResponseObject, error) {
	day := request.Date.Time
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	now := h.now()
	f, err := h.store.FiguresOfDay(ctx, edge.PrincipalOf(ctx).OrgID, day, request.Params.DepartmentID, now)
	if err != nil {
		return nil, err
	}
	out := contract.GetFiguresOfDay200JSONResponse{At: now.UTC()}
	out.Orders.Total, out.Orders.Done, out.Orders.Failed = f.Total, f.Done, f.Failed
	out.Orders.DueByPlan, out.Orders.Unplanned = f.Due, f.Unplanned
	out.Stops.Served, out.Stops.OnTime, out.Stops.Late, out.Stops.LateByPlan = f.Served, f.OnTime, f.Late, f.LateByPlan
	out.Meters.Driven, out.Meters.DueByPlan, out.Meters.Planned = f.MetersDriven, f.MetersDue, f.MetersPlanned
	out.Seconds.Worked, out.Seconds.DueByPlan, out.Seconds.Planned = f.SecondsWorked, f.SecondsDue, f.SecondsPlanned
	needing, err := h.attentionOf(ctx, edge.PrincipalOf(ctx).OrgID, day)
	if err != nil {
		return nil, err
	}
	out.Attention.FailedOrders, out.Attention.Addresses = needing.failed, needing.addresses
	out.Attention.Emails, out.Attention.Texts = needing.emails, needing.texts
	return out, nil
}
