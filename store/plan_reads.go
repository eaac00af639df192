package store

import (
	"context"
	"errors"
	"time"

	"waybill/store/queries"
)

// PlanOfDay is the plan of a department's day in numbers.
type PlanOfDay = queries.PlansOfDayRow

// PlannedRoute is a driver's route on a day. Its stops are a document in the
// format of the v2 API. A limit of NaN means none.
type PlannedRoute struct {
	queries.PageRoutesRow

	// Legs are the legs in sequence, and Driven the ways that were driven in the order of time, as
	// documents of the v2 wire, if they were asked for.
	Legs   []PlannedLeg
	Driven []Document
}

// PlannedLeg is the way to a stop, or to where the route ends.
type PlannedLeg struct {
	// Sequence is that of the stop, or the next number.
	Sequence int32
	// Polyline is the encoded way along streets, or empty.
	Polyline string
}

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

// PlanQuery asks for a page of a day.
type PlanQuery struct {
	Day time.Time
	// Department limits it to one plan; 0 is the plan of orders without a department.
	Department *int64
	// From is after which place the page begins, and Size how much it holds.
	From PlanPlace
	Size int32
	// Geometry reads the legs of the routes, and the ways that were driven.
	Geometry bool
}

// PlanDay reads the plans of a day after a place.
func (s *Store) PlanDay(ctx context.Context, org int64, query PlanQuery) (DayPage, error) {
	page := DayPage{Next: query.From}
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		page.Plans, err = t.q.PlansOfDay(ctx, queries.PlansOfDayParams{
			OrgID: org, Day: query.Day, DepartmentID: query.Department,
		})
		if err != nil || len(page.Plans) == 0 {
			return err
		}
		if !query.From.LeftOver {
			if err = page.readRoutes(ctx, t, query.Size); err == nil && query.Geometry {
				err = errors.Join(page.readLegs(ctx, t), page.readDriven(ctx, t))
			}
			if err != nil || page.More {
				return err
			}
		}
		return page.readLeftOver(ctx, t, query.Size)
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
	p.Routes = each(rows, func(r queries.PageRoutesRow) PlannedRoute { return PlannedRoute{PageRoutesRow: r} })
	return nil
}

// readLegs reads the legs of the page's routes.
func (p *DayPage) readLegs(ctx context.Context, t *Tx) error {
	rows, err := t.q.WaysOfRoutes(ctx, queries.WaysOfRoutesParams{
		OrgID: t.org, PlanIds: each(p.Routes, func(r PlannedRoute) int64 { return r.PlanID }),
		DriverIds: each(p.Routes, func(r PlannedRoute) int64 { return r.DriverID }),
	})
	of := map[[2]int64][]PlannedLeg{}
	for i := range rows {
		r := &rows[i]
		route := [2]int64{r.PlanID, r.DriverID}
		of[route] = append(of[route], PlannedLeg{Sequence: r.Seq, Polyline: r.Polyline})
	}
	for i := range p.Routes {
		p.Routes[i].Legs = of[[2]int64{p.Routes[i].PlanID, p.Routes[i].DriverID}]
	}
	return err
}

// readDriven reads the ways that were driven on the page's routes.
func (p *DayPage) readDriven(ctx context.Context, t *Tx) error {
	rows, err := t.q.DrivenWaysOfRoutes(ctx, queries.DrivenWaysOfRoutesParams{
		OrgID: t.org, PlanIds: each(p.Routes, func(r PlannedRoute) int64 { return r.PlanID }),
		DriverIds: each(p.Routes, func(r PlannedRoute) int64 { return r.DriverID }),
	})
	of := map[[2]int64][]Document{}
	for i := range rows {
		route := [2]int64{rows[i].PlanID, rows[i].DriverID}
		of[route] = append(of[route], rows[i].Ways)
	}
	for i := range p.Routes {
		p.Routes[i].Driven = of[[2]int64{p.Routes[i].PlanID, p.Routes[i].DriverID}]
	}
	return err
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

// PositionOfDriver is where a driver was last.
type PositionOfDriver = queries.PositionsOfDayRow

// mostPositions is how many positions of a day are returned.
const mostPositions = 1000

// PositionsOfDay returns where the drivers of a day's routes were last, since a moment.
func (s *Store) PositionsOfDay(
	ctx context.Context, org int64, day, now, since time.Time,
) ([]PositionOfDriver, error) {
	rows, err := s.of(org).PositionsOfDay(ctx, queries.PositionsOfDayParams{
		OrgID: org, Day: day, Now: now, Since: since, AtMost: mostPositions,
	})
	return rows, translate(err)
}

// FiguresOfDay is how a day goes, against its plans.
type FiguresOfDay = queries.FiguresOfDayRow

// FiguresOfDay returns how a day goes at a time. Without a department, the figures are of all; 0
// is the plan without one.
func (s *Store) FiguresOfDay(
	ctx context.Context, org int64, day time.Time, department *int64, now time.Time,
) (FiguresOfDay, error) {
	row, err := s.of(org).FiguresOfDay(ctx, queries.FiguresOfDayParams{
		OrgID: org, Day: day, DepartmentID: department, Now: now,
	})
	return row, translate(err)
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
