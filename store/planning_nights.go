package store

import (
	"context"
	"fmt"

	"waybill/domain/planning"
	"waybill/store/queries"
)

// loadNights reads the work of the day before that ends on the day, of the drivers of all areas: the
// vehicle of one may be that of another on the day.
func (t *Tx) loadNights(ctx context.Context, of *scope, day *planning.Day) error {
	before := planning.Clock{Date: day.Date.AddDate(0, 0, -1), Zone: day.Zone}
	rows, err := t.q.NightsBefore(ctx, queries.NightsBeforeParams{OrgID: t.org, DayBefore: before.Date})
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		hours, works, err := workdayRow{
			closings: of.closings, calendar: r.CalendarID,
			isSaid: r.IsSaid, works: r.Works, rules: r.Rules, hours: newHours(r.Starts, r.Ends, 0, 0, 0, nil),
		}.on(before.Date, day.Zone)
		if err != nil {
			return fmt.Errorf("driver %d: %w", r.ID, err)
		}
		if !works || !hours.OverMidnight() {
			continue
		}
		_, ends := before.Work(hours)
		if r.RouteEndsAt.After(ends) {
			ends = r.RouteEndsAt
		}
		day.Nights = append(day.Nights, planning.Night{DriverID: r.ID, VehicleID: r.VehicleID, Ends: ends.UTC()})
		day.Nights = append(day.Nights, coDriverNight(r.CoDriverID, ends)...)
	}
	return nil
}
