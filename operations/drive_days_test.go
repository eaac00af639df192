package operations_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	drivingops "waybill/operations/driving"
	"waybill/store"
)

// road is the day of the tests as Nora drives it, with three orders from the
// terminal.
type road struct {
	*dispatch

	nora  int64
	stops []roadStop
}

// roadStop is a stop of Nora's route.
type roadStop struct {
	ID, OrderID int64
	Kind        string
	Eta, Latest time.Time
}

func newRoad(t *testing.T) *road {
	t.Helper()
	r := &road{dispatch: newDispatch(t)}
	for i, place := range []string{"D-1", "D-2", "D-3"} {
		r.load(numbered(i), place)
	}
	r.do("update drivers set is_active = false where org_id = $1 and external_id <> 'nora'", r.org)
	r.do("update orders set created_at = $2 where org_id = $1", r.org, plannedOn)
	r.plan()
	r.nora = one[int64](r.office, "select id from drivers where org_id = $1 and external_id = 'nora'", r.org)
	r.read()
	require.Len(t, r.stops, 6)
	r.now = r.stops[0].Eta.Add(-time.Hour)
	return r
}

// read reads the route as it is.
func (r *road) read() {
	r.t.Helper()
	rows, err := r.owner.Query(r.t.Context(), `
		select s.id, p.order_id, p.kind, coalesce(e.eta, p.eta), s.latest from plan_stops p
		join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
		left join live_etas e on e.org_id = p.org_id and e.order_id = p.order_id and e.kind = p.kind
		where p.org_id = $1 order by p.seq`, r.org)
	require.NoError(r.t, err)
	defer rows.Close()
	r.stops = nil
	for rows.Next() {
		var s roadStop
		require.NoError(r.t, rows.Scan(&s.ID, &s.OrderID, &s.Kind, &s.Eta, &s.Latest))
		r.stops = append(r.stops, s)
	}
	require.NoError(r.t, rows.Err())
}

// says has Nora say something now.
func (r *road) says(deed driving.Deed, stop int64) {
	r.t.Helper()
	r.saysAt(r.now, deed, stop)
}

// saysAt has Nora say something of a moment.
func (r *road) saysAt(at time.Time, deed driving.Deed, stop int64) {
	r.t.Helper()
	c := caller.Caller{OrgID: r.org, Kind: caller.Device, ID: 1, Roles: []caller.Role{caller.Driver}, Cause: "test"}
	_, err := r.Driving.Act(r.t.Context(), c, []store.DriverAction{{
		ID:       fmt.Sprintf("00000000-0000-4000-8000-%012x", rand.Uint64()>>16),
		DriverID: r.nora, Deed: deed, StopID: stop, Clock: at, Sent: r.now,
	}})
	require.NoError(r.t, err)
}

// look looks at the day.
func (r *road) look() drivingops.LookedAtDrive {
	r.t.Helper()
	looked, err := r.Driving.LookAtDrive(r.t.Context(), caller.Service(r.org, "drive/test"), store.DriveDay{DriverID: r.nora, Day: plannedOn})
	require.NoError(r.t, err)
	return looked
}

// approaching are the stops of which the world was told, such as "7 delivery".
func (r *road) approaching() []string {
	r.t.Helper()
	return one[[]string](r.office, `select coalesce(array_agg(concat_ws(' ', subject_id, stop) order by id), '{}')
		from events where org_id = $1 and kind = 'stop.approaching' and order_status_id is not null and cause = 'drive/test'`, r.org)
}

// exceptions are those of the day, such as "LATE_STOP OVER system".
func (r *road) exceptions() []string {
	r.t.Helper()
	return one[[]string](r.office, `
		select coalesce(array_agg(concat_ws(' ', x.kind, x.resolution, x.resolved_by) order by x.id), '{}')
		from exceptions x where x.org_id = $1 and x.day = $2`, r.org, plannedOn)
}

func (s *roadStop) String() string { return fmt.Sprint(s.OrderID, " ", s.Kind) }

func TestTheWorldHearsOnceThatADriverIsNear(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.says(driving.StartRoute, 0)
	looked := r.look()
	require.Equal(t, driving.DayUnderWay, looked.State)
	require.Equal(t, []int{0, 6, 0}, []int{looked.Done, looked.Stops, looked.Told})
	require.Empty(t, r.approaching(), "an hour is too early")

	near := 0
	for r.now.Before(r.stops[0].Eta.Add(-29 * time.Minute)) {
		r.now = looked.Wake
		looked = r.look()
		near += looked.Told
	}
	require.Positive(t, near)
	require.WithinDuration(t, r.stops[0].Eta.Add(-30*time.Minute), r.now, 2*time.Minute, "a look comes in time")
	told := r.approaching()
	require.Contains(t, told, r.stops[0].String())

	var looking sync.WaitGroup
	for range 8 { // workers that died and came back, all at once
		looking.Go(func() {
			_, err := r.Driving.LookAtDrive(t.Context(), caller.Service(r.org, "drive/test"), store.DriveDay{DriverID: r.nora, Day: plannedOn})
			require.NoError(t, err)
		})
	}
	looking.Wait()
	require.Equal(t, told, r.approaching())
	r.do("update live_etas set eta = eta + interval '3 hours' where org_id = $1", r.org)
	r.do("update plan_stops set eta = eta + interval '3 hours' where org_id = $1", r.org)
	r.look()
	r.do("update plan_stops set eta = eta - interval '3 hours' where org_id = $1", r.org)
	r.look()
	require.Equal(t, told, r.approaching(), "another ETA makes no other news")
}

func TestALateStopIsAnExceptionUntilItIsInTimeAgain(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.says(driving.StartRoute, 0)
	r.look()
	require.Empty(t, r.exceptions())

	closes := r.stops[0].Latest
	r.do("update order_stops set earliest = $3, latest = $4 where org_id = $1 and id = $2",
		r.org, r.stops[0].ID, r.now.Add(-time.Hour), r.stops[0].Eta.Add(-6*time.Minute))
	looked := r.look()
	require.Equal(t, driving.DayLate, looked.State)
	require.Equal(t, 1, looked.Late)
	require.Equal(t, []string{"LATE_STOP"}, r.exceptions())
	r.look()
	require.Equal(t, []string{"LATE_STOP"}, r.exceptions(), "one is enough")

	r.do("update order_stops set latest = $3 where org_id = $1 and id = $2", r.org, r.stops[0].ID, closes)
	require.Equal(t, driving.DayUnderWay, r.look().State)
	require.Equal(t, []string{"LATE_STOP OVER system"}, r.exceptions())
	require.Equal(t, 2, one[int](r.office, `select count(*) from events where org_id = $1 and kind like 'exception.%'
		and subject_type = 'order' and external_id = '2026-03-02'`, r.org))
}

func TestADismissedLatenessIsNotOpenedAgain(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.says(driving.StartRoute, 0)
	r.do("update order_stops set earliest = $3, latest = $4 where org_id = $1 and id = $2",
		r.org, r.stops[0].ID, r.now.Add(-time.Hour), r.stops[0].Eta.Add(-6*time.Minute))
	r.look()
	anna := caller.Caller{OrgID: r.org, Kind: caller.Person, ID: 12, Cause: "test"}
	id := one[int64](r.office, "select id from exceptions where org_id = $1", r.org)
	require.NoError(t, r.Driving.ResolveException(t.Context(), anna, id, driving.Dismissed, "They know."))
	require.NoError(t, r.Driving.ResolveException(t.Context(), anna, id, driving.Dismissed, "They know."), "again is no harm")
	require.Error(t, r.Driving.ResolveException(t.Context(), anna, id, driving.Accepted, ""))
	r.look()
	require.Equal(t, []string{"LATE_STOP DISMISSED user:12"}, r.exceptions())
}

func TestADriverOfWhomNothingIsHeard(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.says(driving.StartRoute, 0)
	r.now = r.now.Add(19 * time.Minute)
	looked := r.look()
	require.Empty(t, r.exceptions())
	require.WithinDuration(t, r.now.Add(time.Minute), looked.Wake, 0, "somebody looks when it is time")
	r.now = looked.Wake
	require.Equal(t, driving.DaySilent, r.look().State)
	require.Equal(t, []string{"SILENT_DRIVER"}, r.exceptions())
	r.says(driving.Arrive, r.stops[0].ID)
	require.Equal(t, driving.DayUnderWay, r.look().State)
	require.Equal(t, []string{"SILENT_DRIVER OVER system"}, r.exceptions())
}

func TestADayOnTheRoadEndsWithItsRoute(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.says(driving.StartRoute, 0)
	r.now = r.now.Add(25 * time.Minute)
	r.look()
	r.says(driving.EndRoute, 0)
	looked := r.look()
	require.Equal(t, driving.DayOver, looked.State)
	require.True(t, looked.Wake.IsZero())
	require.Equal(t, []string{"SILENT_DRIVER OVER system"}, r.exceptions())
	r.now = r.now.Add(time.Minute)
	r.says(driving.Arrive, r.stops[0].ID)
	require.Equal(t, driving.DayUnderWay, r.look().State, "who goes on is on the road again")
	r.now = plannedOn.Add(30 * time.Hour)
	require.Equal(t, driving.DayOver, r.look().State, "and at midnight the day is over even so")
}
