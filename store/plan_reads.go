package store

import (
	"context"
	"time"

	"waybill/store/queries"
)

// PlanOfDay is the plan of a department's day in numbers.
type PlanOfDay = queries.PlansOfDayRow

// PlannedRoute is a driver's route on a day. Its stops are a document in the
// format of the v2 API. A limit of NaN means none.
type PlannedRoute = queries.PageRoutesRow

// LeftOver is an unplanned order. Its reasons and counterfactuals are documents
// in the format of the v2 API.
type LeftOver = queries.PageUnplannedRow

// PlanPlace is a position in a day: after a route, or after an unplanned order,
// once all routes are read. The zero place is the beginning.
type PlanPlace struct {
	Plan, Driver int64
	// LeftOver is true once all routes are read, and Order is the last order.
	LeftOver bool
	Order    int64
}

// DayPage is a page of the plans of a day: routes first, then unplanned orders.
type DayPage struct {
	Plans    []PlanOfDay
	Routes   []PlannedRoute
	LeftOver []LeftOver
	// More reports whether anything follows behind Next.
	More bool
	Next PlanPlace
}

// PlanDay reads the plans of a day after a place. A department limits it to one
// plan; 0 is the plan of orders without a department.
func (s *Store) PlanDay(
	ctx context.Context, org int64, day time.Time, department *int64, from PlanPlace, size int32,
) (DayPage, error) {
	page := DayPage{Next: from}
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		page.Plans, err = t.q.PlansOfDay(ctx, queries.PlansOfDayParams{OrgID: org, Day: day, DepartmentID: department})
		if err != nil || len(page.Plans) == 0 {
			return err
		}
		if !from.LeftOver {
			if err = page.readRoutes(ctx, t, size); err != nil || page.More {
				return err
			}
		}
		return page.readLeftOver(ctx, t, size)
	})
	return page, err
}

func (p *DayPage) ids() []int64 {
	return each(p.Plans, func(plan PlanOfDay) int64 { return plan.ID })
}

// readRoutes reads one more route than requested, to know whether there are
// more.
func (p *DayPage) readRoutes(ctx context.Context, t *Tx, size int32) error {
	rows, err := t.q.PageRoutes(ctx, queries.PageRoutesParams{
		OrgID: t.org, PlanIds: p.ids(), AfterPlan: p.Next.Plan, AfterDriver: p.Next.Driver, PageSize: size + 1,
	})
	if err != nil {
		return err
	}
	if p.More = len(rows) > int(size); p.More {
		rows = rows[:size]
		last := rows[size-1]
		p.Next = PlanPlace{Plan: last.PlanID, Driver: last.DriverID}
	}
	p.Routes = rows
	return nil
}

// readLeftOver fills the rest of the page with unplanned orders.
func (p *DayPage) readLeftOver(ctx context.Context, t *Tx, size int32) error {
	p.Next = PlanPlace{LeftOver: true, Order: p.Next.Order}
	room := size - int32(len(p.Routes))
	rows, err := t.q.PageUnplanned(ctx, queries.PageUnplannedParams{
		OrgID: t.org, PlanIds: p.ids(), AfterOrder: p.Next.Order, PageSize: room + 1,
	})
	if err != nil {
		return err
	}
	if p.More = len(rows) > int(room); p.More {
		rows = rows[:room]
	}
	if len(rows) > 0 {
		p.Next.Order = rows[len(rows)-1].OrderID
	}
	p.LeftOver = rows
	return nil
}

// LimitOrNone returns the limit of a vehicle, or nil.
func LimitOrNone(limit float64) *float64 { return orNone(limit) }

// OrderPlanning reads how an order is planned, as a document of the v2 wire.
func (s *Store) OrderPlanning(ctx context.Context, org, orderID int64) (Document, error) {
	doc, err := s.of(org).OrderPlanning(ctx, queries.OrderPlanningParams{OrgID: org, ID: orderID})
	return doc, absent("order", orderID, err)
}

// PlanIDs are the ids that reasons refer to.
type PlanIDs struct{ Drivers, VehicleTypes, Orders, Skills []int64 }

// PlanNames are the names of records that reasons refer to, by id, and numbers
// of orders.
type PlanNames struct{ Drivers, VehicleTypes, Orders, Skills map[int64]string }

// NamesInPlans reads names. It leaves out unknown ids.
func (s *Store) NamesInPlans(ctx context.Context, org int64, ids PlanIDs) (PlanNames, error) {
	names := PlanNames{
		Drivers: map[int64]string{}, VehicleTypes: map[int64]string{}, Orders: map[int64]string{}, Skills: map[int64]string{},
	}
	rows, err := s.of(org).NamesInPlans(ctx, queries.NamesInPlansParams{
		OrgID: org, Drivers: ids.Drivers, VehicleTypes: ids.VehicleTypes, Orders: ids.Orders, Skills: ids.Skills,
	})
	of := map[string]map[int64]string{
		"driver": names.Drivers, "vehicle_type": names.VehicleTypes, "order": names.Orders, "skill": names.Skills,
	}
	for _, r := range rows {
		of[r.Kind][r.ID] = r.Name
	}
	return names, translate(err)
}
