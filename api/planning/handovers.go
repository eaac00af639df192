package planning

import (
	"context"
	"strconv"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/calendar"
	"waybill/domain/fault"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
)

// maxHandedOver is how many orders of a route can be named.
const maxHandedOver = 500

// HandOverRoute moves the orders of a driver's route to another driver, or
// lists them for a dry run.
func (h *Handlers) HandOverRoute(
	ctx context.Context, request contract.HandOverRouteRequestObject,
) (contract.HandOverRouteResponseObject, error) {
	asked, err := handoverOf(request)
	if err != nil {
		return nil, err
	}
	handed, err := h.operations.Planning.HandOverRoute(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.HandOverRoute200JSONResponse{
		Applied: handed.Applied, Version: handed.Version, Cost: costOf(&handed.MovedOrders),
		OrderIds: append([]int64{}, handed.Orders...), Left: make([]contract.HandoverLeft, len(handed.Stay)),
	}
	if err := h.sayStays(ctx, asked.To, handed.Stay, out.Left); err != nil {
		return nil, err
	}
	out.Routes, err = h.changedRoutes(ctx, handed.Changed)
	return out, err
}

// handoverOf reads what is asked for.
func handoverOf(request contract.HandOverRouteRequestObject) (asked planningops.PlanHandover, err error) {
	body := request.Body
	asked = planningops.PlanHandover{
		Handover: planning.Handover{From: body.FromDriverID, To: body.ToDriverID},
		Seen:     body.Version, Reason: strings.TrimSpace(edge.OrEmpty(body.Reason)),
		DryRun: isTrue(body.DryRun), NotStarted: isTrue(body.NotStarted), Overrule: isTrue(body.Overrule),
	}
	if body.StartingAt != nil {
		asked.StartingAt = *body.StartingAt
	}
	if asked.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil {
		return asked, err
	}
	if err := edge.CheckTexts(edge.AtMost(maxReason, "reason", asked.Reason)); err != nil {
		return asked, err
	}
	if asked.From == asked.To {
		return asked, fault.Field("toDriverId", fault.Say("plan.same_driver"))
	}
	asked.Orders, err = namedOrders(body.OrderIds)
	return asked, err
}

// namedOrders are the orders of a route that a body names, or none for all of it.
func namedOrders(ids *[]int64) ([]int64, error) {
	switch {
	case ids == nil:
		return nil, nil
	case len(*ids) == 0:
		return nil, fault.Field("orderIds", fault.Say("plan.no_moves"))
	case len(*ids) > maxHandedOver:
		return nil, fault.Field("orderIds", fault.Say("plan.too_many_moves", "max", strconv.Itoa(maxHandedOver)))
	}
	return *ids, nil
}

// costOf is how much more a plan costs.
func costOf(moved *planningops.MovedOrders) contract.MoveCost {
	return contract.MoveCost{
		DrivingSeconds: int64(moved.Driving / time.Second), WaitingSeconds: int64(moved.Waiting / time.Second),
		Meters: moved.Meters, Drivers: int32(moved.Drivers), Unplanned: int32(moved.Unplanned),
	}
}

// sayStays converts the reasons why orders stay to the contract's form, with
// texts. to is the driver to whom they do not go, or 0 if they go to nobody.
func (h *Handlers) sayStays(ctx context.Context, to int64, stays []planning.Stays, out []contract.HandoverLeft) error {
	var w words
	if to != 0 {
		w.drivers = []int64{to}
	}
	for i := range stays {
		w.orders, w.drivers = append(w.orders, stays[i].OrderID), append(w.drivers, stays[i].Why.Drivers...)
		if skill := stays[i].Why.SkillID; skill != 0 {
			w.skills = append(w.skills, skill)
		}
	}
	if err := w.lookUp(ctx, h.store); err != nil {
		return err
	}
	for i := range stays {
		stay := &stays[i]
		out[i] = contract.HandoverLeft{
			OrderID: stay.OrderID, ExternalID: w.names.Orders[stay.OrderID], Code: string(stay.Why.Code),
			Text: w.texts.Say(w.stays(&stay.Why, to)),
		}
	}
	return nil
}

// stays is why an order does not go over to a driver, or to nobody for 0.
func (w *words) stays(why *planning.Why, to int64) fault.Text {
	reason := contract.PlanningReason{Code: contract.PlanningReasonCode(why.Code), Drivers: why.Drivers, Count: 1}
	switch {
	case to == 0:
		reason.Count = int32(why.Count)
	case len(reason.Drivers) == 0:
		reason.Drivers = []int64{to}
	}
	if skill := w.names.Skills[why.SkillID]; skill != "" {
		reason.Skill = &skill
	}
	if why.Lacks != "" {
		lacks := contract.PlanningReasonLacks(why.Lacks)
		reason.Lacks = &lacks
	}
	if why.Load != nil {
		reason.Load = &contract.PlanningLoad{
			Dimension: why.Load.Dimension, Unit: why.Load.Unit, Needs: why.Load.Needs, Holds: why.Load.Holds,
		}
	}
	reason.Closed = closingOf(why.Closed)
	switch why.Code {
	case planning.TooMuchOfDimension, planning.TooHeavy, planning.TooLarge, planning.RouteTooFar, planning.TooManyStops:
		reason.OverBy = &why.By
	default:
		late := int64(why.By)
		reason.LateBySeconds = &late
	}
	return w.reason(&reason)
}

// closingOf is who has closed, in the contract's form.
func closingOf(c *calendar.Closing) *contract.PlanningClosing {
	if c == nil {
		return nil
	}
	closed := contract.PlanningClosing{
		Calendar: c.Calendar, Label: c.Label, Party: contract.PlanningClosingParty(c.Party),
	}
	if next, err := time.Parse(time.DateOnly, c.NextOpen); err == nil {
		closed.NextOpenDay = &openapi_types.Date{Time: next}
	}
	return &closed
}
