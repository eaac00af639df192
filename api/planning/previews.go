package planning

import (
	"context"
	"fmt"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
)

// How long a preview searches usually and at most, in seconds, and how many drivers a scenario
// adds at most who are like one.
const (
	usualPreview = 5
	mostPreview  = 10
	mostExtra    = 10
)

// PreviewPlan searches for a better plan beside the present one.
func (h *Handlers) PreviewPlan(
	ctx context.Context, request contract.PreviewPlanRequestObject,
) (contract.PreviewPlanResponseObject, error) {
	body := request.Body
	asked := planningops.PlanPreview{Length: usualPreview * time.Second, FromScratch: isTrue(body.FromScratch)}
	var err error
	if asked.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil {
		return nil, err
	}
	if s := body.Seconds; s != nil {
		if *s < 1 || *s > mostPreview {
			return nil, edge.OutOfRange("seconds", 1, mostPreview)
		}
		asked.Length = time.Duration(*s) * time.Second
	}
	if body.Scenario != nil {
		if asked.Scenario, err = scenarioOf(body.Scenario); err != nil {
			return nil, err
		}
	}
	found, err := h.operations.Planning.PreviewPlan(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.PreviewPlan200JSONResponse{
		Version: found.Version, Before: planFigures(&found.Before), After: planFigures(&found.After),
		PreviewID: nullable.NewNullNullable[int64](),
	}
	if found.ID != 0 {
		out.PreviewID.Set(found.ID)
	}
	out.Routes, err = h.changedRoutes(ctx, found.Changed)
	return out, err
}

func planFigures(f *planning.PlanFigures) contract.PlanFigures {
	return contract.PlanFigures{
		Drivers: int32(f.Drivers), Orders: int32(f.Orders), Unplanned: int32(f.Unplanned), LateStops: int32(f.LateStops),
		DrivingSeconds: int64(f.Driving / time.Second), WaitingSeconds: int64(f.Waiting / time.Second), Meters: f.Meters,
	}
}

// scenarioOf reads what is different in a scenario.
func scenarioOf(asked *contract.PlanScenario) (planning.Scenario, error) {
	s := planning.Scenario{
		Hours: map[int64]driver.Hours{}, More: map[planning.Like]int{}, Vehicles: map[int64]int64{},
		Windows: map[planning.StopRef]order.Window{},
	}
	if asked.Off != nil {
		s.Off = *asked.Off
	}
	for i, extra := range listed(asked.Extra) {
		count, err := countOf(&extra, fmt.Sprintf("scenario.extra[%d]", i))
		if err != nil {
			return s, err
		}
		like := planning.Like{DriverID: extra.LikeDriverID}
		if extra.VehicleTypeID != nil {
			like.VehicleTypeID = *extra.VehicleTypeID
		}
		s.More[like] += count
	}
	for _, vehicle := range listed(asked.Vehicles) {
		s.Vehicles[vehicle.DriverID] = vehicle.VehicleTypeID
	}
	for i, hours := range listed(asked.Hours) {
		of, err := hoursOf(&hours, fmt.Sprintf("scenario.hours[%d]", i))
		if err != nil {
			return s, err
		}
		s.Hours[hours.DriverID] = of
	}
	for i, window := range listed(asked.Windows) {
		kind := order.StopKind(window.Type)
		if kind != order.Pickup && kind != order.Delivery {
			return s, fault.Field(fmt.Sprintf("scenario.windows[%d].type", i), fault.Say("plan.bad_stop"))
		}
		s.Windows[planning.StopRef{OrderID: window.OrderID, Kind: kind}] = windowOf(&window)
	}
	return s, nil
}

// countOf is how many drivers a scenario adds who are like one; field is where it says that.
func countOf(extra *contract.ScenarioExtra, field string) (int, error) {
	count := int32(1)
	if extra.Count != nil {
		count = *extra.Count
	}
	if count < 1 || count > mostExtra {
		return 0, edge.OutOfRange(field+".count", 1, mostExtra)
	}
	return int(count), nil
}

// hoursOf reads the hours of a driver in a scenario; field is where they are.
func hoursOf(hours *contract.ScenarioHours, field string) (driver.Hours, error) {
	var of driver.Hours
	for name, clock := range map[string]struct {
		text string
		into *order.Clock
	}{"starts": {hours.Starts, &of.Starts}, "ends": {hours.Ends, &of.Ends}} {
		at, ok := order.ParseClock(clock.text)
		if !ok {
			return of, fault.Field(field+"."+name, fault.Say("plan.bad_clock"))
		}
		*clock.into = at
	}
	if name, text := of.Problem(); name != "" {
		return of, fault.Field(field+"."+name, text)
	}
	return of, nil
}

func windowOf(window *contract.ScenarioWindow) order.Window {
	var of order.Window
	if window.Earliest != nil {
		of.Earliest = *window.Earliest
	}
	if window.Latest != nil {
		of.Latest = *window.Latest
	}
	return of
}

func listed[T any](all *[]T) []T {
	if all == nil {
		return nil
	}
	return *all
}

// AcceptPlanPreview carries out a previewed plan.
func (h *Handlers) AcceptPlanPreview(
	ctx context.Context, request contract.AcceptPlanPreviewRequestObject,
) (contract.AcceptPlanPreviewResponseObject, error) {
	area := planning.Area{Date: request.Date.Time, DepartmentID: departmentOf(request.Params.DepartmentID)}
	if _, _, err := edge.CheckDays("date", area.Date, "date", area.Date); err != nil {
		return nil, err
	}
	accepted, err := h.operations.Planning.AcceptPreview(ctx, edge.Caller(ctx), area, request.PreviewID)
	if err != nil {
		return nil, err
	}
	out := contract.AcceptPlanPreview200JSONResponse{Version: accepted.Version, Cost: costOf(&accepted)}
	out.Routes, err = h.changedRoutes(ctx, accepted.Changed)
	return out, err
}
