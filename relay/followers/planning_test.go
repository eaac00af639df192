package followers_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/relay/followers"
	"waybill/store"
	"waybill/workflows"
)

func TestEachPlanIsSignaledOncePerBatch(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	s := &shop{plans: func(org int64, orderIDs ...int64) []planning.Area {
		switch {
		case org == 3: // without drivers
			return nil
		case len(orderIDs) == 0:
			return []planning.Area{{Date: day}, {Date: day.AddDate(0, 0, 1)}}
		}
		return []planning.Area{{DepartmentID: 7, Date: day}, {Date: day}}
	}}
	told := map[string]int{}
	temporal := toldOfChanges(t, told, func(string) bool { return false })
	plans := follower(t, "planning", followers.Deps{Store: s, Temporal: temporal})
	var events []store.Event
	for id := range int64(500) {
		events = append(events, store.Event{OrgID: 1, OrderID: id + 1, Kind: event.OrderCreated},
			store.Event{OrgID: 3, OrderID: id + 1, Kind: event.OrderCreated})
	}
	events = append(events, store.Event{OrgID: 1, Kind: event.DriverDeactivated}, store.Event{OrgID: 2, Kind: event.DriverScheduled})
	require.NoError(t, plans.Hand(t.Context(), events))
	require.Equal(t, map[string]int{
		workflows.PlanID("1", 7, "2026-03-02"): 1, workflows.PlanID("1", 0, "2026-03-02"): 1, workflows.PlanID("1", 0, "2026-03-03"): 1,
		workflows.PlanID("2", 0, "2026-03-02"): 1, workflows.PlanID("2", 0, "2026-03-03"): 1,
	}, told)
	require.Equal(t, 2, s.calls, "one look for all orders of an organization")
}

// TestRulesWakePlans plans again when a skill takes two people from now on, orders of a type take longer, or other days
// are closed.
func TestRulesWakePlans(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, kind := range []event.Kind{event.SkillUpdated, event.OrderTypeUpdated, event.CalendarUpdated, event.CalendarDeactivated} {
		s := &shop{plans: func(int64, ...int64) []planning.Area { return []planning.Area{{DepartmentID: 7, Date: day}} }}
		told := map[string]int{}
		plans := follower(t, "fleet", followers.Deps{Store: s, Temporal: toldOfChanges(t, told, func(string) bool { return false })})
		require.Contains(t, plans.Kinds, kind)
		require.NoError(t, plans.Hand(t.Context(), []store.Event{{OrgID: 1, Kind: kind}}))
		require.Equal(t, map[string]int{workflows.PlanID("1", 7, "2026-03-02"): 1}, told, "%s", kind)
	}
}

func TestASingleChangeWakesOnlyThePlansThatItConcerns(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for kind, by := range map[event.Kind]string{
		event.DriverUpdated: "fleet", event.LocationUpdated: "fleet", event.CustomerUpdated: "fleet", event.ExceptionOpened: "planning",
	} {
		s := &shop{plans: func(int64, ...int64) []planning.Area {
			return []planning.Area{{DepartmentID: 7, Date: day}, {Date: day}, {Date: day.AddDate(0, 0, 1)}}
		}}
		told := map[string]int{}
		plans := follower(t, by, followers.Deps{Store: s, Temporal: toldOfChanges(t, told, func(string) bool { return false })})
		require.Contains(t, plans.Kinds, kind)
		require.NoError(t, plans.Hand(t.Context(), []store.Event{{OrgID: 1, ID: 5, Kind: kind, ExternalID: "2100-01-01", OrderID: 3}}))
		require.Equal(t, map[string]int{workflows.PlanID("1", 7, "2026-03-02"): 1}, told, "%s", kind)
		require.Len(t, s.changes, 1)
	}
}

// TestBurstOfDriverChangesSignalsEachPlanOnce checks that 200 collected edits send one signal per
// plan, and that urgent events are not delayed.
func TestBurstOfDriverChangesSignalsEachPlanOnce(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	s := &shop{plans: func(int64, ...int64) []planning.Area {
		return []planning.Area{{DepartmentID: 7, Date: day}, {Date: day}}
	}}
	told := map[string]int{}
	fleet := follower(t, "fleet", followers.Deps{Store: s, Temporal: toldOfChanges(t, told, func(string) bool { return false })})
	urgent := follower(t, "planning", followers.Deps{})
	require.Positive(t, fleet.Pause)
	require.Greater(t, fleet.Longest, fleet.Pause)
	require.Zero(t, urgent.Pause)
	var burst []store.Event
	for id := range int64(200) {
		burst = append(burst, store.Event{OrgID: 1, ID: id, Kind: event.DriverUpdated}, store.Event{OrgID: 1, ID: id, Kind: event.DriverScheduled})
	}
	require.NoError(t, fleet.Hand(t.Context(), burst))
	require.Equal(t, map[string]int{workflows.PlanID("1", 7, "2026-03-02"): 1, workflows.PlanID("1", 0, "2026-03-02"): 1}, told)
	for _, kind := range fleet.Kinds {
		require.NotContains(t, urgent.Kinds, kind)
	}
	for _, kind := range []event.Kind{event.OrderCreated, event.OrderPickedUp, event.StopArrived, event.OrderDelivered, event.PlanFreshStart} {
		require.Contains(t, urgent.Kinds, kind)
	}
}
