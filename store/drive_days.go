package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// DriveDay names a driver's day on the road.
type DriveDay struct {
	DriverID int64
	Day      time.Time
}

// DriveDays returns the days on the road that events are news of, each once, by
// organization.
func (s *Store) DriveDays(ctx context.Context, events []Event) (map[int64][]DriveDay, error) {
	var p queries.DriveDaysOfEventsParams
	for i := range events {
		columns.Add(&p.Orgs, events[i].OrgID)
		columns.Add(&p.Events, events[i].ID)
		columns.Add(&p.Times, events[i].RecordedAt)
	}
	rows, err := s.anyone().DriveDaysOfEvents(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("find days on the road: %w", translate(err))
	}
	days := map[int64][]DriveDay{}
	for _, r := range rows {
		days[r.OrgID] = append(days[r.OrgID], DriveDay{DriverID: r.DriverID, Day: r.Day})
	}
	return days, nil
}

// WatchedDay is a driver's day on the road, with data that the rules do not
// need.
type WatchedDay struct {
	driving.Watch

	DriveDay
	stops []watchedStop
	// silent is the exception for a silent driver, or 0. gone are the
	// exceptions of stops that are no longer on the route.
	silent int64
	gone   []int64
}

// watchedStop is a stop's data that the rules do not need. Late is the exception for
// a late stop, 0 for none.
type watchedStop struct {
	number string
	late   int64
}

// Number returns the number of a stop's order.
func (d *WatchedDay) Number(stop int) string { return d.stops[stop].number }

// LoadWatchedDay reads a driver's day at a time. It returns an Absent for an unknown
// driver.
func (t *Tx) LoadWatchedDay(ctx context.Context, of DriveDay, now time.Time) (*WatchedDay, error) {
	row, err := t.q.DriveDay(ctx, queries.DriveDayParams{OrgID: t.org, DriverID: of.DriverID, Day: of.Day})
	if err != nil {
		return nil, missing("driver", of.DriverID, err)
	}
	d := &WatchedDay{DriveDay: of, Watch: driving.Watch{
		Now: now, Ended: row.EndedAt, Until: row.Until, Heard: row.HeardAt,
		BreakStarts: row.BreakStartsAt, BreakEnds: row.BreakEndsAt,
		Notice: time.Duration(row.ApproachingMinutes) * time.Minute, Simulated: row.Simulated, Troubled: row.Troubled,
	}}
	stops, err := t.q.StopsOfDriveDay(ctx, queries.StopsOfDriveDayParams{OrgID: t.org, DriverID: of.DriverID, Day: of.Day})
	if err != nil {
		return nil, err
	}
	for i := range stops {
		d.add(&stops[i])
	}
	return d, t.loadFound(ctx, d)
}

func (d *WatchedDay) add(r *queries.StopsOfDriveDayRow) {
	d.stops = append(d.stops, watchedStop{number: r.Number})
	d.Stops = append(d.Stops, driving.Watched{
		OrderID: r.OrderID, Stop: order.StopKind(r.Kind), ETA: r.Eta, Service: r.LeavesAt.Sub(r.StartsAt), Latest: r.Latest,
		Standing: driving.StopStanding{Status: driving.StopStatus(r.Status), Arrived: r.ArrivedAt}, Told: r.Told,
	})
}

// loadFound reads the existing exceptions of a day.
func (t *Tx) loadFound(ctx context.Context, d *WatchedDay) error {
	rows, err := t.q.ExceptionsOfDriveDay(ctx, queries.ExceptionsOfDriveDayParams{
		OrgID: t.org, DriverID: d.DriverID, Day: d.Day,
	})
	for _, r := range rows {
		silent := r.Kind == string(driving.SilentDriver)
		switch at := d.find(r.OrderID, order.StopKind(r.Stop)); {
		case silent && r.Open:
			d.Silent, d.silent = true, r.ID
		case silent:
			d.Excused = r.At
		case at < 0 && r.Open:
			d.gone = append(d.gone, r.ID)
		case r.Open:
			d.Stops[at].Late, d.stops[at].late = true, r.ID
		case at >= 0:
			d.Stops[at].Excused = true
		}
	}
	return err
}

func (d *WatchedDay) find(orderID int64, stop order.StopKind) int {
	for i := range d.Stops {
		if d.Stops[i].OrderID == orderID && d.Stops[i].Stop == stop {
			return i
		}
	}
	return -1
}

// SaveSeen saves the results of a check of a day, with the events. It is
// idempotent.
func (t *Tx) SaveSeen(ctx context.Context, d *WatchedDay, seen *driving.Seen) error {
	if err := t.tellApproaching(ctx, d, seen.Near); err != nil {
		return fmt.Errorf("record approaching stops: %w", err)
	}
	p := queries.OpenExceptionsParams{OrgID: t.org, Day: d.Day, DriverID: d.DriverID}
	for _, i := range seen.Late {
		s := &d.Stops[i]
		columns.Add(&p.Kinds, string(driving.LateStop))
		columns.Add(&p.OrderIds, s.OrderID)
		columns.Add(&p.Stops, string(s.Stop))
		columns.Add(&p.Ats, d.Begins(i))
	}
	if seen.Silent {
		columns.Add(&p.Kinds, string(driving.SilentDriver))
		columns.Add(&p.OrderIds, 0)
		columns.Add(&p.Stops, "")
		columns.Add(&p.Ats, d.Heard)
	}
	if len(p.Kinds) > 0 {
		if err := t.q.OpenExceptions(ctx, p); err != nil {
			return fmt.Errorf("open exceptions: %w", err)
		}
	}
	right := d.gone
	for _, i := range seen.InTime {
		right = append(right, d.stops[i].late)
	}
	if seen.Heard && d.silent != 0 {
		right = append(right, d.silent)
	}
	if len(right) == 0 {
		return nil
	}
	return t.q.CloseExceptions(ctx, queries.CloseExceptionsParams{
		OrgID: t.org, Ids: right, Resolution: string(driving.CameRight),
	})
}

func (t *Tx) tellApproaching(ctx context.Context, d *WatchedDay, near []int) error {
	if len(near) == 0 {
		return nil
	}
	p := queries.TellApproachingParams{OrgID: t.org, Day: d.Day, DriverID: d.DriverID}
	for _, i := range near {
		columns.Add(&p.OrderIds, d.Stops[i].OrderID)
		columns.Add(&p.Kinds, string(d.Stops[i].Stop))
		columns.Add(&p.Etas, d.Begins(i))
	}
	return t.q.TellApproaching(ctx, p)
}
