package planning

import (
	"context"
	"strconv"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
	"waybill/store"
)

// The limits of one request for undoing moves and for a held sequence.
const (
	mostUndone    = 20
	mostHeldStops = 1000
)

// SwapRoutes swaps the routes of two drivers.
func (h *Handlers) SwapRoutes(
	ctx context.Context, request contract.SwapRoutesRequestObject,
) (contract.SwapRoutesResponseObject, error) {
	body := request.Body
	asked := planningops.PlanSwap{
		Seen: body.Version, Reason: strings.TrimSpace(edge.OrEmpty(body.Reason)),
		DryRun: isTrue(body.DryRun), Overrule: isTrue(body.Overrule),
	}
	var err error
	if asked.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil {
		return nil, err
	}
	if err := edge.CheckTexts(edge.AtMost(maxReason, "reason", asked.Reason)); err != nil {
		return nil, err
	}
	switch {
	case len(body.DriverIds) != len(asked.Drivers):
		return nil, fault.Field("driverIds", fault.Say("plan.two_drivers"))
	case body.DriverIds[0] == body.DriverIds[1]:
		return nil, fault.Field("driverIds[1]", fault.Say("plan.same_driver"))
	}
	copy(asked.Drivers[:], body.DriverIds)
	swapped, err := h.operations.Planning.SwapRoutes(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.SwapRoutes200JSONResponse{
		Applied: swapped.Applied, Version: swapped.Version, Cost: costOf(&swapped.MovedOrders),
		Left: make([]contract.HandoverLeft, len(swapped.Stay)),
	}
	if err := h.sayStays(ctx, 0, swapped.Stay, out.Left); err != nil {
		return nil, err
	}
	out.Routes, err = h.changedRoutes(ctx, swapped.Changed)
	return out, err
}

// UndoMoves undoes the caller's last moves.
func (h *Handlers) UndoMoves(
	ctx context.Context, request contract.UndoMovesRequestObject,
) (contract.UndoMovesResponseObject, error) {
	body, asked := request.Body, planningops.PlanUndo{Moves: 1}
	var err error
	if asked.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil {
		return nil, err
	}
	if asked.DryRun = isTrue(body.DryRun); body.Moves != nil {
		asked.Moves = int(*body.Moves)
	}
	if asked.Moves < 1 || asked.Moves > mostUndone {
		return nil, edge.OutOfRange("moves", 1, mostUndone)
	}
	undone, err := h.operations.Planning.UndoMoves(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.UndoMoves200JSONResponse{
		Applied: undone.Applied, Version: undone.Version, MovedAt: undone.At, Cost: costOf(&undone.MovedOrders),
		Orders: make([]contract.UndoneOrder, len(undone.Orders)),
	}
	for i, o := range undone.Orders {
		out.Orders[i] = contract.UndoneOrder{OrderID: o.OrderID, DriverID: nullable.NewNullNullable[int64]()}
		if o.DriverID != 0 {
			out.Orders[i].DriverID.Set(o.DriverID)
		}
	}
	out.Routes, err = h.changedRoutes(ctx, undone.Changed)
	return out, err
}

// HoldRoute holds a sequence of a driver's route.
func (h *Handlers) HoldRoute(
	ctx context.Context, request contract.HoldRouteRequestObject,
) (contract.HoldRouteResponseObject, error) {
	asked, err := holdAsked(request)
	if err != nil {
		return nil, err
	}
	held, err := h.operations.Planning.HoldRoute(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.HoldRoute200JSONResponse{
		Applied: held.Applied, Version: held.Version, Cost: costOf(&held.MovedOrders), Stops: heldStops(held.Hold.Stops),
		Closed: held.Hold.Closed, Left: append([]int64{}, held.Left...), Breaks: make([]contract.MoveBreak, len(held.Breaks)),
	}
	if err := h.sayBreaks(ctx, held.Breaks, out.Breaks); err != nil {
		return nil, err
	}
	out.Routes, err = h.changedRoutes(ctx, held.Changed)
	return out, err
}

// holdAsked reads what is to be held.
func holdAsked(request contract.HoldRouteRequestObject) (asked planningops.PlanHold, err error) {
	body := request.Body
	asked = planningops.PlanHold{
		Seen: body.Version, DriverID: body.DriverID, Reason: strings.TrimSpace(edge.OrEmpty(body.Reason)),
		DryRun: isTrue(body.DryRun), Overrule: isTrue(body.Overrule), Closed: body.Stops == nil,
	}
	if body.Closed != nil {
		asked.Closed = *body.Closed
	}
	if asked.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil || body.Stops == nil {
		return asked, err
	}
	if err := edge.CheckTexts(edge.AtMost(maxReason, "reason", asked.Reason)); err != nil {
		return asked, err
	}
	if n := len(*body.Stops); n < 1 || n > mostHeldStops {
		return asked, fault.Field("stops", fault.Say("plan.bad_stops", "max", strconv.Itoa(mostHeldStops)))
	}
	for i, s := range *body.Stops {
		kind := order.StopKind(s.Type)
		if kind != order.Pickup && kind != order.Delivery {
			return asked, fault.Field("stops["+strconv.Itoa(i)+"].type", fault.Say("plan.bad_stop"))
		}
		asked.Stops = append(asked.Stops, planning.StopRef{OrderID: s.OrderID, Kind: kind})
	}
	return asked, nil
}

// ReleaseRoute releases a route that somebody holds.
func (h *Handlers) ReleaseRoute(
	ctx context.Context, request contract.ReleaseRouteRequestObject,
) (contract.ReleaseRouteResponseObject, error) {
	area := planning.Area{Date: request.Date.Time, DepartmentID: departmentOf(request.Params.DepartmentID)}
	if _, _, err := edge.CheckDays("date", area.Date, "date", area.Date); err != nil {
		return nil, err
	}
	version, err := h.operations.Planning.ReleaseRoute(ctx, edge.Caller(ctx), area, request.DriverID)
	return contract.ReleaseRoute200JSONResponse{Version: version}, err
}

// departmentOf is a department in the query; absent is the plan without one.
func departmentOf(id *int64) int64 {
	if id == nil {
		return 0
	}
	return *id
}

func isTrue(b *bool) bool { return b != nil && *b }

func heldStops(stops []planning.StopRef) []contract.HeldStop {
	out := make([]contract.HeldStop, len(stops))
	for i, s := range stops {
		out[i] = contract.HeldStop{OrderID: s.OrderID, Type: contract.HeldStopType(s.Kind)}
	}
	return out
}

// holdOf is the hold of a route in the contract's form, or null.
func holdOf(held map[store.RouteOf]store.HeldRoute, route *store.PlannedRoute) nullable.Nullable[contract.RouteHold] {
	hold, is := held[store.RouteOf{PlanID: route.PlanID, DriverID: route.DriverID}]
	if !is {
		return nullable.NewNullNullable[contract.RouteHold]()
	}
	return nullable.NewNullableWithValue(contract.RouteHold{
		Stops: heldStops(hold.Stops), Closed: hold.Closed, HeldBy: hold.By, HeldAt: hold.At,
	})
}

// changedRoutes converts routes before and after a change to the contract's form.
func (h *Handlers) changedRoutes(
	ctx context.Context, changed []planning.ChangedRoute,
) ([]contract.ChangedRoute, error) {
	var w words
	for i := range changed {
		w.drivers = append(w.drivers, changed[i].DriverID)
	}
	if err := w.lookUp(ctx, h.store); err != nil {
		return nil, err
	}
	out := make([]contract.ChangedRoute, len(changed))
	for i := range changed {
		c := &changed[i]
		out[i] = contract.ChangedRoute{
			DriverID: c.DriverID, DriverName: w.names.Drivers[c.DriverID],
			Before: figuresOf(c.Before), After: figuresOf(c.After),
		}
	}
	return out, nil
}

func figuresOf(f *planning.RouteFigures) nullable.Nullable[contract.RouteFigures] {
	if f == nil {
		return nullable.NewNullNullable[contract.RouteFigures]()
	}
	return nullable.NewNullableWithValue(contract.RouteFigures{
		Orders: int32(f.Orders), Stops: int32(f.Stops), LateStops: int32(f.LateStops),
		StartsAt: f.Starts.UTC(), EndsAt: f.Ends.UTC(),
		DrivingSeconds: int64(f.Driving.Seconds()), WaitingSeconds: int64(f.Waiting.Seconds()), Meters: f.Meters,
		Sequence: sequenceOf(f.Sequence),
	})
}

func sequenceOf(stops []planning.Placed) *[]contract.RouteFigureStop {
	out := make([]contract.RouteFigureStop, len(stops))
	for i := range stops {
		s := &stops[i]
		out[i] = contract.RouteFigureStop{
			OrderID: s.OrderID, Stop: contract.RouteFigureStopStop(strings.ToUpper(string(s.Kind))),
			Latitude: s.Point.Latitude, Longitude: s.Point.Longitude, StartsAt: s.Starts.UTC(),
		}
	}
	return &out
}

// refusedMoves converts moves that cannot be made to the contract's form.
func refusedMoves(ctx context.Context, refused []planningops.RefusedMove) []contract.RefusedMove {
	say, out := edge.LocalizerOf(ctx), make([]contract.RefusedMove, len(refused))
	for i := range refused {
		r := &refused[i]
		out[i] = contract.RefusedMove{
			OrderID: r.OrderID, ExternalID: r.Number, DriverID: r.DriverID,
			Reason: string(edge.ReasonOf(r.Text)), Text: say.Say(r.Text),
		}
	}
	return out
}
