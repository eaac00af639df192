package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/driving"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/recipient"
	"waybill/domain/road"
	"waybill/domain/simulation"
	"waybill/domain/traffic"
	"waybill/store/columns"
	"waybill/store/queries"
)

// StopAhead is a stop on the driver's current route, with the facts that
// determine its ETA.
type StopAhead struct {
	driving.Ahead

	Number string
	Kind   order.StopKind
	// ETA is the last ETA saved and Told the last one announced; both may be
	// zero.
	ETA, Told time.Time
	Before    int // how many stops were before it then
	// Promise is what the recipient was told.
	Promise recipient.Promise
}

// RoadAhead is the route that a driver is on, by the clock of its day.
type RoadAhead struct {
	Stops []StopAhead
	// Was is the driver's last position, or nil if unknown.
	Was *driving.Where
	// Now is the time, or that of the simulated clock.
	Now time.Time
	// Clock is that of a day that is simulated.
	Clock simulation.Clock
	// Threshold is by how much the time of a stop must move for its recipient to hear of it.
	Threshold time.Duration
}

// RouteAhead returns the rest of the driver's current route, and their
// positions since a moment.
func (s *Store) RouteAhead(ctx context.Context, org, driverID int64, now, since time.Time) (RoadAhead, error) {
	road, err := routeAhead(ctx, s.lookups(org), org, driverID, now, since)
	return road, translate(err)
}

// LoadRouteAhead is RouteAhead in the transaction.
func (t *Tx) LoadRouteAhead(ctx context.Context, driverID int64, now, since time.Time) (RoadAhead, error) {
	return routeAhead(ctx, t.q, t.org, driverID, now, since)
}

func routeAhead(
	ctx context.Context, q *queries.Queries, org, driverID int64, now, since time.Time,
) (RoadAhead, error) {
	road := RoadAhead{Now: now}
	rows, err := q.RouteAhead(ctx, queries.RouteAheadParams{OrgID: org, DriverID: driverID, Now: now, Since: since})
	if err != nil || len(rows) == 0 {
		return road, err
	}
	road.Clock = newClock(rows[0].ClockFrom, rows[0].ClockSince, rows[0].Pace)
	road.Now = road.Clock.At(now)
	var page recipient.Page
	if err := json.Unmarshal(rows[0].RecipientPage, &page); err != nil {
		return road, fmt.Errorf("page for recipients: %w", err)
	}
	road.Threshold = page.Threshold()
	jams, err := jamsOf(&rows[0])
	if err != nil {
		return road, err
	}
	left := time.Time{}
	for i := range rows {
		r := &rows[i]
		s := newStopAhead(r)
		s.Standing.Arrived, s.Standing.Ended = road.Clock.At(s.Standing.Arrived), road.Clock.At(s.Standing.Ended)
		if starts := orZero(r.BreakStartsAt); !starts.IsZero() && !starts.Before(left) && starts.Before(s.Arrives) {
			s.BreakStarts, s.Break = starts, orZero(r.BreakEndsAt).Sub(starts)
		}
		placeBreak(&s.Ahead, breaksOf(r.Breaks), left)
		s.Traffic = jams.between(rows, i)
		left = s.Leaves
		road.Stops = append(road.Stops, s)
	}
	if road.Was = whereOf(rows[0].WasLatitude, rows[0].WasLongitude, rows[0].WasAt); road.Was != nil {
		road.Was.At = road.Clock.At(road.Was.At)
	}
	return road, nil
}

func newStopAhead(r *queries.RouteAheadRow) StopAhead {
	s := StopAhead{
		Number: r.Number, Kind: order.StopKind(r.Kind), ETA: r.Eta, Told: r.Told, Before: int(r.Ahead),
	}
	s.Promise = recipient.Promise{Told: recipient.Range{From: r.ToldFrom, To: r.ToldTo}, Moves: int(r.Moves)}
	s.Ahead = driving.Ahead{
		OrderID: r.OrderID, Latitude: r.Latitude, Longitude: r.Longitude,
		Arrives: r.ArrivesAt, Starts: r.StartsAt, Leaves: r.LeavesAt,
		Driving: seconds(r.DrivingSeconds), Setup: seconds(r.SetupSeconds), Meters: int64(r.Meters),
		Way: wayOf(r.Polyline), Earliest: r.Earliest,
		Standing: driving.StopStanding{
			Status: driving.StopStatus(r.Status), Arrived: orZero(r.DeliveryArrivedAt), Ended: orZero(r.DeliveryEndedAt),
		},
	}
	if s.Kind == order.Pickup {
		s.Standing.Arrived, s.Standing.Ended = orZero(r.PickupArrivedAt), orZero(r.PickupEndedAt)
	}
	return s
}

// jams are the rush hours of an organization.
type jams struct {
	hours []traffic.RushHours
	zone  *time.Location
}

func jamsOf(r *queries.RouteAheadRow) (j jams, err error) {
	if err := json.Unmarshal(r.RushHours, &j.hours); err != nil {
		return j, fmt.Errorf("read the rush hours: %w", err)
	}
	if len(j.hours) > 0 {
		j.zone, err = time.LoadLocation(r.Timezone)
	}
	return j, err
}

// between returns the way to a stop of a route through the rush hours. The first stop has only its own place.
func (j *jams) between(rows []queries.RouteAheadRow, i int) *traffic.Road {
	if len(j.hours) == 0 {
		return nil
	}
	from, to := &rows[max(i-1, 0)], &rows[i]
	return traffic.NewRoad(j.hours, j.zone,
		freight.Place{Country: from.Country, PostalCode: from.PostalCode},
		freight.Place{Country: to.Country, PostalCode: to.PostalCode})
}

// placeBreak notes the break at a place on the way to a stop, if there is one.
func placeBreak(s *driving.Ahead, breaks []planning.Rest, left time.Time) {
	for _, rest := range breaks {
		if rest.Place.LocationID == 0 || rest.Starts.Before(left) || !rest.Starts.Before(s.Arrives) {
			continue
		}
		s.BreakStarts, s.Break = rest.Starts, rest.Ends.Sub(rest.Starts)
		s.BreakPlace = &driving.BreakPlace{
			Latitude: rest.Place.Latitude, Longitude: rest.Place.Longitude, Driving: rest.Place.Driving(),
		}
		return
	}
}

// wayOf returns a stored way along streets; one that nobody can read is none.
func wayOf(polyline string) road.Line {
	line, err := road.Decode(polyline)
	if err != nil {
		return road.Line{}
	}
	return line
}

// whereOf is the position of a driver, or nil if unknown.
func whereOf(latitude, longitude *float64, at *time.Time) *driving.Where {
	if latitude == nil || longitude == nil || at == nil {
		return nil
	}
	return &driving.Where{Latitude: *latitude, Longitude: *longitude, At: at.UTC()}
}

// LockETAs keeps others from writing the ETAs of drivers until the end of the
// transaction. Lock a plan before them, and orders after them.
func (t *Tx) LockETAs(ctx context.Context, driverIDs ...int64) error {
	return t.q.LockETAs(ctx, queries.LockETAsParams{OrgID: t.org, DriverIds: driverIDs})
}

// SaveETAs saves the ETAs of a driver's stops, and announces those of orders
// whose ETA differs from the one announced before.
func (t *Tx) SaveETAs(ctx context.Context, driverID int64, stops []StopAhead, told map[int64]bool) error {
	p := queries.PutLiveETAsParams{OrgID: t.org, DriverID: driverID}
	log := queries.LogETAsParams{OrgID: t.org, DriverID: driverID}
	etas := map[int64]map[order.StopKind]time.Time{}
	for i := range stops {
		s := &stops[i]
		columns.Add(&p.OrderIds, s.OrderID)
		columns.Add(&p.Kinds, string(s.Kind))
		columns.Add(&p.Etas, s.ETA)
		columns.Add(&p.Tolds, s.Told)
		columns.Add(&p.Aheads, int32(s.Before))
		if etas[s.OrderID] == nil {
			etas[s.OrderID] = map[order.StopKind]time.Time{}
			if told[s.OrderID] {
				columns.Add(&log.OrderIds, s.OrderID)
				columns.Add(&log.Numbers, s.Number)
			}
		}
		etas[s.OrderID][s.Kind] = s.ETA.UTC()
	}
	for _, id := range log.OrderIds {
		data, err := json.Marshal(etas[id])
		if err != nil {
			return err
		}
		columns.Add(&log.Datas, string(data))
	}
	err := t.q.PutLiveETAs(ctx, p)
	if err == nil && len(log.OrderIds) > 0 {
		err = t.q.LogETAs(ctx, log)
	}
	return err
}
