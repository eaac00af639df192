package operationstest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/road"
	drivingops "waybill/operations/driving"
	"waybill/store"
)

// Road is the day of the tests as Nora drives it, with three orders from the
// terminal.
type Road struct {
	*Dispatch

	Nora  int64
	Stops []roadStop
}

// roadStop is a stop of Nora's route.
type roadStop struct {
	ID, OrderID int64
	Kind        string
	Eta, Latest time.Time
	Place       road.Point
}

// NewRoad returns the day in a database of its own, an hour before the first stop. change are
// texts of the organization's document, each followed by what replaces it.
func NewRoad(t *testing.T, change ...string) *Road {
	t.Helper()
	r := &Road{Dispatch: NewDispatch(t, change...)}
	for i, place := range []string{"D-1", "D-2", "D-3"} {
		r.Load(Numbered(i), place)
	}
	r.Do("update drivers set is_active = false where org_id = $1 and external_id <> 'nora'", r.Org)
	r.Do("update orders set created_at = $2 where org_id = $1", r.Org, PlannedOn)
	r.Plan()
	r.Nora = One[int64](r.Office, "select id from drivers where org_id = $1 and external_id = 'nora'", r.Org)
	r.read()
	require.Len(t, r.Stops, 6)
	r.Now = r.Stops[0].Eta.Add(-time.Hour)
	return r
}

// read reads the route as it is.
func (r *Road) read() {
	r.T.Helper()
	rows, err := r.Owner.Query(r.T.Context(), `
		select s.id, p.order_id, p.kind, coalesce(e.eta, p.eta), s.latest, p.latitude, p.longitude from plan_stops p
		join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
		left join live_etas e on e.org_id = p.org_id and e.order_id = p.order_id and e.kind = p.kind
		where p.org_id = $1 order by p.seq`, r.Org)
	require.NoError(r.T, err)
	defer rows.Close()
	r.Stops = nil
	for rows.Next() {
		var s roadStop
		require.NoError(r.T, rows.Scan(&s.ID, &s.OrderID, &s.Kind, &s.Eta, &s.Latest, &s.Place.Latitude, &s.Place.Longitude))
		r.Stops = append(r.Stops, s)
	}
	require.NoError(r.T, rows.Err())
}

// Says has Nora say something now.
func (r *Road) Says(deed driving.Deed, stop int64) {
	r.T.Helper()
	r.saysAt(r.Now, deed, stop)
}

// saysAt has Nora say something of a moment.
func (r *Road) saysAt(at time.Time, deed driving.Deed, stop int64) {
	r.T.Helper()
	c := caller.Caller{OrgID: r.Org, Kind: caller.Device, ID: 1, Roles: []caller.Role{caller.Driver}, Cause: "test"}
	_, err := r.Driving.Act(r.T.Context(), c, []driving.DriverAction{{
		ID:       fmt.Sprintf("00000000-0000-4000-8000-%012x", rand.Uint64()>>16),
		DriverID: r.Nora, Deed: deed, StopID: stop, Clock: at, Sent: r.Now,
	}})
	require.NoError(r.T, err)
}

// Look looks at the day.
func (r *Road) Look() drivingops.LookedAtDrive {
	r.T.Helper()
	looked, err := r.Driving.LookAtDrive(r.T.Context(), caller.Service(r.Org, "drive/test"), store.DriveDay{DriverID: r.Nora, Day: PlannedOn})
	require.NoError(r.T, err)
	return looked
}

// Match matches the ways that Nora drove.
func (r *Road) Match() drivingops.MatchedDrive {
	r.T.Helper()
	done, err := r.Driving.MatchDrive(r.T.Context(), caller.Service(r.Org, "drive/test"), store.DriveDay{DriverID: r.Nora, Day: PlannedOn})
	require.NoError(r.T, err)
	return done
}

// Was has Nora's phone say now where she was, and returns how many positions were new.
func (r *Road) Was(positions ...driving.Position) int {
	r.T.Helper()
	kept, err := r.Driving.RecordPositions(r.T.Context(), caller.Caller{
		OrgID: r.Org, Kind: caller.Device, ID: 1, Roles: []caller.Role{caller.Driver}, Cause: "test",
	}, r.Nora, positions)
	require.NoError(r.T, err)
	return kept
}

// Approaching are the stops of which the world was told, such as "7 delivery".
func (r *Road) Approaching() []string {
	r.T.Helper()
	return One[[]string](r.Office, `select coalesce(array_agg(concat_ws(' ', subject_id, stop) order by id), '{}')
		from events where org_id = $1 and kind = 'stop.approaching' and order_status_id is not null and cause = 'drive/test'`, r.Org)
}

// Exceptions are those of the day, such as "LATE_STOP OVER system".
func (r *Road) Exceptions() []string {
	r.T.Helper()
	return One[[]string](r.Office, `
		select coalesce(array_agg(concat_ws(' ', x.kind, x.resolution, x.resolved_by) order by x.id), '{}')
		from exceptions x where x.org_id = $1 and x.day = $2`, r.Org, PlannedOn)
}

func (s *roadStop) String() string { return fmt.Sprint(s.OrderID, " ", s.Kind) }
