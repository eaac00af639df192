package store

import (
	"context"
	"time"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/store/queries"
)

// OrderOfSeveralDays is an order whose date planning may choose from several days.
type OrderOfSeveralDays struct {
	ID   int64
	Days order.PossibleDays
	// Planned is true when a driver has it.
	Planned bool
}

// OrdersOfSeveralDays returns the orders of an area whose date planning may change, those without a driver
// first: nobody has promised or fixed their date.
func (s *Store) OrdersOfSeveralDays(
	ctx context.Context, org int64, area planning.Area,
) (several []OrderOfSeveralDays, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		several, err = t.ordersOfSeveralDays(ctx, area, nil)
		return err
	})
	return several, err
}

// MayChangeDay reports whether planning may give an order of an area another date. The order is to be locked.
func (t *Tx) MayChangeDay(ctx context.Context, area planning.Area, orderID int64) (bool, error) {
	several, err := t.ordersOfSeveralDays(ctx, area, []int64{orderID})
	return len(several) > 0, err
}

func (t *Tx) ordersOfSeveralDays(ctx context.Context, area planning.Area, ids []int64) ([]OrderOfSeveralDays, error) {
	if ids == nil {
		ids = []int64{}
	}
	rows, err := t.q.OrdersOfSeveralDays(ctx, queries.OrdersOfSeveralDaysParams{
		OrgID: t.org, Day: area.Date, DepartmentID: area.DepartmentID, OrderIds: ids,
	})
	return each(rows, func(r queries.OrdersOfSeveralDaysRow) OrderOfSeveralDays {
		return OrderOfSeveralDays{
			ID: r.ID, Days: order.PossibleDays{First: r.FirstDate, Latest: r.LatestDate}, Planned: r.Planned,
		}
	}), err
}

// OrdersToTry reads orders of other days as they would be on the day of an area: with the times and the closed
// days of that day, and without a driver. zone is that of the organization.
func (s *Store) OrdersToTry(
	ctx context.Context, org int64, area planning.Area, ids []int64, zone *time.Location,
) (orders []planning.Order, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		plan, err := t.q.FindPlan(ctx, queries.FindPlanParams{OrgID: org, Day: area.Date, DepartmentID: area.DepartmentID})
		if err != nil {
			return err
		}
		of := scope{area: area, calendar: plan.CalendarID}
		if of.closings, err = readClosings(plan.Calendars, zone); err != nil {
			return err
		}
		rows, err := t.q.OrdersToTry(ctx, queries.OrdersToTryParams{OrgID: org, OrderIds: ids})
		if err != nil {
			return err
		}
		orders, err = t.ordersOf(ctx, &of, each(rows, asIfOfTheDay))
		for i := range orders {
			orders[i].Postpone(order.DaysBetween(rows[i].Date, area.Date), zone)
		}
		return err
	})
	return orders, err
}

func asIfOfTheDay(r queries.OrdersToTryRow) queries.OrdersToPlanRow {
	return queries.OrdersToPlanRow{
		ID: r.ID, Number: r.Number, StatusID: r.StatusID, DriverID: r.DriverID, VehicleTypeID: r.VehicleTypeID,
		CustomerID: r.CustomerID, PlannedSeconds: r.PlannedSeconds, TypePriority: r.TypePriority, TypeTimes: r.TypeTimes,
		Asks: r.Asks, Away: r.Away,
	}
}
