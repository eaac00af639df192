package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// How many routes and left-over orders a page holds.
const (
	usualPage = 50
	maxPage   = 200
)

// GetPlan reads the plans of a day, a page at a time.
func (h *Handlers) GetPlan(
	ctx context.Context, request contract.GetPlanRequestObject,
) (contract.GetPlanResponseObject, error) {
	p := request.Params
	geometry, err := loadsGeometry(p.Loads)
	if err != nil {
		return nil, err
	}
	day, err := h.page(ctx, p.Token, p.PageSize, store.PlanQuery{
		Day: request.Date.Time, Department: p.DepartmentID, Geometry: geometry,
	})
	if err != nil {
		return nil, err
	}
	out := contract.GetPlan200JSONResponse{
		Date: request.Date, Plans: make([]contract.Plan, len(day.Plans)), Routes: make([]contract.PlanRoute, len(day.Routes)),
		HasMore: day.More, NextToken: tokenOf(day),
	}
	held, err := h.store.HeldRoutes(ctx, edge.PrincipalOf(ctx).OrgID, request.Date.Time, driversOf(day.Routes))
	if err != nil {
		return nil, err
	}
	of := map[int64]*int64{}
	for i := range day.Plans {
		of[day.Plans[i].ID] = day.Plans[i].DepartmentID
		out.Plans[i] = newPlan(request.Date.Time, &day.Plans[i])
	}
	for i := range day.Routes {
		if out.Routes[i], err = newRoute(&day.Routes[i], of[day.Routes[i].PlanID]); err != nil {
			return nil, err
		}
		out.Routes[i].Hold = holdOf(held, &day.Routes[i])
	}
	out.Unplanned, err = h.leftOver(ctx, day.LeftOver, of)
	return out, err
}

// ListUnplannedOrders reads the orders of a day that no route has.
func (h *Handlers) ListUnplannedOrders(
	ctx context.Context, request contract.ListUnplannedOrdersRequestObject,
) (contract.ListUnplannedOrdersResponseObject, error) {
	p := request.Params
	day, err := h.page(ctx, p.Token, p.PageSize, store.PlanQuery{
		Day: p.Date.Time, Department: p.DepartmentID, From: store.PlanPlace{LeftOver: true},
	})
	if err != nil {
		return nil, err
	}
	of := map[int64]*int64{}
	for i := range day.Plans {
		of[day.Plans[i].ID] = day.Plans[i].DepartmentID
	}
	items, err := h.leftOver(ctx, day.LeftOver, of)
	return contract.ListUnplannedOrders200JSONResponse{
		Items: items, HasMore: day.More, NextToken: tokenOf(day),
	}, err
}

func driversOf(routes []store.PlannedRoute) []int64 {
	drivers := make([]int64, len(routes))
	for i := range routes {
		drivers[i] = routes[i].DriverID
	}
	return drivers
}

// loadsGeometry reports whether a request asks for the legs along streets.
func loadsGeometry(asked *contract.PlanLoads) (bool, error) {
	if asked == nil {
		return false, nil
	}
	found := false
	for _, name := range *asked {
		switch {
		case name.Valid():
			found = true
		case name != "":
			return false, fault.Field("loads", fault.Say("loads.unknown", "name", string(name)))
		}
	}
	return found, nil
}

// page returns a page of a day after a token, or from the beginning.
func (h *Handlers) page(
	ctx context.Context, token *string, size *int32, query store.PlanQuery,
) (store.DayPage, error) {
	if _, _, err := edge.CheckDays("date", query.Day, "date", query.Day); err != nil {
		return store.DayPage{}, err
	}
	if token != nil && *token != "" {
		place, ok := placeOf(*token)
		if !ok || query.From.LeftOver && !place.LeftOver {
			return store.DayPage{}, fault.Field("token", fault.Say("plan.bad_token"))
		}
		query.From = place
	}
	var err error
	if query.Size, err = sizeOf(size); err != nil {
		return store.DayPage{}, err
	}
	return h.store.PlanDay(ctx, edge.PrincipalOf(ctx).OrgID, query)
}

// sizeOf is how much a page holds.
func sizeOf(asked *int32) (int32, error) {
	if asked == nil {
		return usualPage, nil
	}
	if *asked < 1 || *asked > maxPage {
		return 0, edge.OutOfRange("pageSize", 1, maxPage)
	}
	return *asked, nil
}

// Prefixes of tokens: after a route, or after an unplanned order.
const (
	behindRoute = "r"
	behindOrder = "u"
)

func tokenOf(day store.DayPage) string {
	switch {
	case !day.More:
		return ""
	case day.Next.LeftOver:
		return fmt.Sprintf("%s.%d", behindOrder, day.Next.Order)
	}
	return fmt.Sprintf("%s.%d.%d", behindRoute, day.Next.Plan, day.Next.Driver)
}

func placeOf(token string) (place store.PlanPlace, ok bool) {
	kind, rest, _ := strings.Cut(token, ".")
	switch kind {
	case behindRoute:
		_, err := fmt.Sscanf(rest, "%d.%d", &place.Plan, &place.Driver)
		return place, err == nil
	case behindOrder:
		place.LeftOver = true
		_, err := fmt.Sscanf(rest, "%d", &place.Order)
		return place, err == nil
	}
	return place, false
}

func newPlan(day time.Time, p *store.PlanOfDay) contract.Plan {
	return contract.Plan{
		DepartmentID: edge.OrNull(p.DepartmentID), DepartmentName: edge.OrNull(p.DepartmentName), Version: p.Version,
		PlannedAt: p.PlannedAt.UTC(), UpdatedAt: p.UpdatedAt.UTC(), SearchedMs: p.SearchedMs,
		Travel: contract.PlanTravel(strings.ToUpper(p.Travel)), TravelFailure: edge.OrNull(p.TravelFailure),
		TravelFailureCode: edge.OrNull((*contract.PlanTravelFailureCode)(p.TravelFailureCode)),
		GuessedLegs:       p.GuessedLegs, LeftOut: leftOut(p.LeftOut), Release: releaseOf(day, p),
		Drivers: int32(p.Drivers), Orders: int32(p.Orders), Unplanned: int32(p.Unplanned),
		DrivingSeconds: p.DrivingSeconds, WaitingSeconds: p.WaitingSeconds, Meters: p.Meters,
	}
}

// leftOut are the drivers left out of a plan, by id.
func leftOut(document []byte) []contract.PlanLeftOut {
	var out map[int64]int64
	if json.Unmarshal(document, &out) != nil {
		return []contract.PlanLeftOut{}
	}
	drivers := make([]contract.PlanLeftOut, 0, len(out))
	for _, driver := range slices.Sorted(maps.Keys(out)) {
		drivers = append(drivers, contract.PlanLeftOut{DriverID: driver, VehicleWithDriverID: out[driver]})
	}
	return drivers
}

func newRoute(r *store.PlannedRoute, department *int64) (contract.PlanRoute, error) {
	route := contract.PlanRoute{
		DepartmentID: edge.OrNull(department), DriverID: r.DriverID, DriverName: r.DriverName,
		VehicleID: edge.OrNull(r.VehicleID), Registration: edge.OrNull(r.Registration),
		VehicleTypeID: edge.OrNull(r.VehicleTypeID), VehicleTypeName: edge.OrNull(r.VehicleTypeName),
		StartsAt: r.StartsAt.UTC(), EndsAt: r.EndsAt.UTC(), DrivingSeconds: r.DrivingSeconds,
		WaitingSeconds: r.WaitingSeconds, Meters: r.Meters, WeightKg: r.WeightKg, VolumeM3: r.VolumeM3,
		MaxWeightKg:   edge.OrNull(store.LimitOrNone(r.MaxWeightKg)),
		MaxVolumeM3:   edge.OrNull(store.LimitOrNone(r.MaxVolumeM3)),
		BreakStartsAt: edge.OrNull(edge.InUTC(r.BreakStartsAt)), BreakEndsAt: edge.OrNull(edge.InUTC(r.BreakEndsAt)),
	}
	coDriverOf(r, &route)
	if err := breaksOf(r, &route); err != nil {
		return route, err
	}
	if err := costsOf(r, &route); err != nil {
		return route, err
	}
	if err := json.Unmarshal(r.LoadAmounts, &route.LoadAmounts); err != nil {
		return route, fmt.Errorf("loads of driver %d: %w", r.DriverID, err)
	}
	if err := json.Unmarshal(r.Stops, &route.Stops); err != nil {
		return route, fmt.Errorf("stops of driver %d: %w", r.DriverID, err)
	}
	if r.Legs != nil {
		legs := make([]contract.PlanLeg, len(r.Legs))
		for i, leg := range r.Legs {
			legs[i] = contract.PlanLeg{Sequence: leg.Sequence, Polyline: edge.TextOrNull(leg.Polyline)}
		}
		route.Legs = &legs
		driven, err := drivenWays(r.Driven)
		if err != nil {
			return route, fmt.Errorf("driven ways of driver %d: %w", r.DriverID, err)
		}
		route.Driven = &driven
	}
	return route, nil
}

// coDriverOf sets who rides along, if anybody does.
func coDriverOf(r *store.PlannedRoute, route *contract.PlanRoute) {
	if route.CoDriver.SetNull(); r.CoDriverID != nil {
		route.CoDriver.Set(contract.CoDriver{
			ID: *r.CoDriverID, Name: edge.OrEmpty(r.CoDriverName), SharesDriving: r.SharesDriving,
		})
	}
}

// costsOf sets what a route costs; a route that an earlier release planned has no costs.
func costsOf(r *store.PlannedRoute, route *contract.PlanRoute) error {
	if route.Costs.SetNull(); len(r.Costs) == 0 {
		return nil
	}
	var costs contract.RouteCosts
	if err := json.Unmarshal(r.Costs, &costs); err != nil {
		return fmt.Errorf("costs of the route of driver %d: %w", r.DriverID, err)
	}
	route.Costs.Set(costs)
	return nil
}

// breaksOf adds all breaks of a route, and how long its driver may still drive.
func breaksOf(r *store.PlannedRoute, route *contract.PlanRoute) error {
	breaks := []contract.RouteBreak{}
	if err := json.Unmarshal(r.Breaks, &breaks); err != nil {
		return fmt.Errorf("breaks of driver %d: %w", r.DriverID, err)
	}
	if len(breaks) == 0 && r.BreakStartsAt != nil {
		breaks = append(breaks, contract.RouteBreak{StartsAt: *r.BreakStartsAt, EndsAt: *r.BreakEndsAt})
	}
	for i := range breaks {
		breaks[i].StartsAt, breaks[i].EndsAt = breaks[i].StartsAt.UTC(), breaks[i].EndsAt.UTC()
	}
	route.Breaks, route.DrivingLeftSeconds = breaks, edge.OrNull(r.DrivingLeftSeconds)
	return nil
}

// drivenWays are the ways of the legs of a route.
func drivenWays(legs []store.Document) ([]contract.DrivenWay, error) {
	all := []contract.DrivenWay{}
	for _, leg := range legs {
		var ways []contract.DrivenWay
		if err := json.Unmarshal(leg, &ways); err != nil {
			return nil, err
		}
		all = append(all, ways...)
	}
	return all, nil
}
