package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestADayIsPlannedAndRead imports orders and reads their drivers, the reasons
// of an unplanned one, and the state of each.
func TestADayIsPlannedAndRead(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	heavy := object{"products": []object{{"name": "Machine", "externalId": "M", "weight": 30_000}}}
	results := o.importOrders(t, orders(toPlan(0), toPlan(1), toPlan(2), toPlan(3, heavy)))
	require.Equal(t, map[string]int{"orderCreated": 4}, kinds(results))
	path := "/v2/plans/" + tomorrow()
	var day contract.PlanPage
	eventually(t, "the day is planned", func() bool {
		day = read[contract.PlanPage](t, o.get(t, path))
		return len(day.Plans) == 1 && day.Plans[0].Orders == 3 && day.Plans[0].Unplanned == 1
	})
	require.False(t, day.HasMore)
	stops := map[string]int{}
	for _, r := range day.Routes {
		for i, s := range r.Stops {
			require.EqualValues(t, i+1, s.Sequence)
			require.False(t, s.StartsAt.Before(s.Earliest) || s.StartsAt.After(s.Latest), "the window is kept")
			stops[s.ExternalID]++
		}
		require.NotEmpty(t, r.DriverName)
		require.Positive(t, r.Meters)
	}
	require.Equal(t, map[string]int{"PLAN-0": 2, "PLAN-1": 2, "PLAN-2": 2}, stops)
	require.Equal(t, "PLAN-3", day.Unplanned[0].ExternalID)
	require.NotEmpty(t, *day.Unplanned[0].Planning.Reasons[0].Text)
	left := read[contract.UnplannedPage](t, o.get(t, "/v1/planning/unplanned?date="+tomorrow()))
	require.Len(t, left.Items, 1)

	planned := fmt.Sprintf("/v2/orders/%d/planning", orderID(t, results[0]))
	p := read[contract.OrderPlanning](t, o.get(t, planned))
	require.Equal(t, contract.PlanningStatePLANNED, p.State)
	eventually(t, "the feed tells status and driver", func() bool {
		feed := read[contract.OrderStatusFeed](t, o.get(t, "/v2/orders/summary/orderstatusfeed?token=&pageSize=100"))
		return slices.ContainsFunc(feed.Items, func(change contract.OrderStatusChange) bool {
			return change.OrderStatusID == 2 && change.ExternalID == "PLAN-0" && *change.DriverID == p.Driver.ID
		})
	})
}

// TestKeysMoveNothing shows that moves are for people.
func TestKeysMoveNothing(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	for _, what := range []string{"moves", "handovers", "spreads", "swaps", "undo", "holds", "previews", "fresh-start"} {
		o.expect(t, http.StatusForbidden, http.MethodPost, "/v2/plans/"+tomorrow()+"/"+what, object{"version": 1})
	}
}
