package driving_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
	"waybill/store"
)

func TestApproachIsPublishedOnce(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	looked := r.Look()
	require.Equal(t, driving.DayUnderWay, looked.State)
	require.Equal(t, []int{0, 6, 0}, []int{looked.Done, looked.Stops, looked.Told})
	require.Empty(t, r.Approaching(), "an hour is too early")

	near := 0
	for r.Now.Before(r.Stops[0].Eta.Add(-29 * time.Minute)) {
		r.Now = looked.Wake
		looked = r.Look()
		near += looked.Told
	}
	require.Positive(t, near)
	require.WithinDuration(t, r.Stops[0].Eta.Add(-30*time.Minute), r.Now, 2*time.Minute, "a look comes in time")
	told := r.Approaching()
	require.Contains(t, told, r.Stops[0].String())

	var looking sync.WaitGroup
	for range 8 { // workers that died and came back, all at once
		looking.Go(func() {
			_, err := r.Driving.LookAtDrive(t.Context(), caller.Service(r.Org, "drive/test"), store.DriveDay{DriverID: r.Nora, Day: operationstest.PlannedOn})
			require.NoError(t, err)
		})
	}
	looking.Wait()
	require.Equal(t, told, r.Approaching())
	r.Do("update live_etas set eta = eta + interval '3 hours' where org_id = $1", r.Org)
	r.Do("update plan_stops set eta = eta + interval '3 hours' where org_id = $1", r.Org)
	r.Look()
	r.Do("update plan_stops set eta = eta - interval '3 hours' where org_id = $1", r.Org)
	r.Look()
	require.Equal(t, told, r.Approaching(), "another ETA makes no other news")
}

func TestExceptionOfLateStopIsResolvedWhenOnTime(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	r.Look()
	require.Empty(t, r.Exceptions())

	closes := r.Stops[0].Latest
	r.Do("update order_stops set earliest = $3, latest = $4 where org_id = $1 and id = $2",
		r.Org, r.Stops[0].ID, r.Now.Add(-time.Hour), r.Stops[0].Eta.Add(-6*time.Minute))
	looked := r.Look()
	require.Equal(t, driving.DayLate, looked.State)
	require.Equal(t, 1, looked.Late)
	require.Equal(t, []string{"LATE_STOP"}, r.Exceptions())
	r.Look()
	require.Equal(t, []string{"LATE_STOP"}, r.Exceptions(), "one is enough")

	r.Do("update order_stops set latest = $3 where org_id = $1 and id = $2", r.Org, r.Stops[0].ID, closes)
	require.Equal(t, driving.DayUnderWay, r.Look().State)
	require.Equal(t, []string{"LATE_STOP OVER system"}, r.Exceptions())
	require.Equal(t, 2, operationstest.One[int](r.Office, `select count(*) from events where org_id = $1 and kind like 'exception.%'
		and subject_type = 'order' and external_id = '2026-03-02'`, r.Org))
}

func TestADismissedLatenessIsNotOpenedAgain(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	r.Do("update order_stops set earliest = $3, latest = $4 where org_id = $1 and id = $2",
		r.Org, r.Stops[0].ID, r.Now.Add(-time.Hour), r.Stops[0].Eta.Add(-6*time.Minute))
	r.Look()
	anna := caller.Caller{OrgID: r.Org, Kind: caller.Person, ID: 12, Cause: "test"}
	id := operationstest.One[int64](r.Office, "select id from exceptions where org_id = $1", r.Org)
	require.NoError(t, r.Driving.ResolveException(t.Context(), anna, id, driving.Dismissed, "They know."))
	require.NoError(t, r.Driving.ResolveException(t.Context(), anna, id, driving.Dismissed, "They know."), "again is no harm")
	require.Error(t, r.Driving.ResolveException(t.Context(), anna, id, driving.Accepted, ""))
	r.Look()
	require.Equal(t, []string{"LATE_STOP DISMISSED user:12"}, r.Exceptions())
}

func TestSilentDriverRaisesAnException(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	r.Now = r.Now.Add(19 * time.Minute)
	looked := r.Look()
	require.Empty(t, r.Exceptions())
	require.WithinDuration(t, r.Now.Add(time.Minute), looked.Wake, 0, "somebody looks when it is time")
	r.Now = looked.Wake
	require.Equal(t, driving.DaySilent, r.Look().State)
	require.Equal(t, []string{"SILENT_DRIVER"}, r.Exceptions())
	r.Says(driving.Arrive, r.Stops[0].ID)
	require.Equal(t, driving.DayUnderWay, r.Look().State)
	require.Equal(t, []string{"SILENT_DRIVER OVER system"}, r.Exceptions())
}

func TestADayOnTheRoadEndsWithItsRoute(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	r.Now = r.Now.Add(25 * time.Minute)
	r.Look()
	r.Says(driving.EndRoute, 0)
	looked := r.Look()
	require.Equal(t, driving.DayOver, looked.State)
	require.True(t, looked.Wake.IsZero())
	require.Equal(t, []string{"SILENT_DRIVER OVER system"}, r.Exceptions())
	r.Now = r.Now.Add(time.Minute)
	r.Says(driving.Arrive, r.Stops[0].ID)
	require.Equal(t, driving.DayUnderWay, r.Look().State, "who goes on is on the road again")
	r.Now = operationstest.PlannedOn.Add(30 * time.Hour)
	require.Equal(t, driving.DayOver, r.Look().State, "and at midnight the day is over even so")
}
