package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// TestAnOrderGetsTheDayThatHasADriver imports an order for tomorrow or the day after. Tomorrow nobody works.
func TestAnOrderGetsTheDayThatHasADriver(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	for _, id := range list(t, o.installation, "select id::text from drivers where org_id = $1", o.id) {
		o.expect(t, http.StatusOK, http.MethodPut, "/v1/drivers/"+id+"/workdays",
			object{"start_date": tomorrow(), "end_date": tomorrow(), "workdays": []object{}})
	}
	entry := orders(toPlan(1, object{"latestDate": daysAhead(2)}))
	require.Equal(t, map[string]int{"orderCreated": 1}, kinds(o.importOrders(t, entry)))
	o.becomesPlanned(t, "PLAN-1", "o.date = '"+daysAhead(2)+"' and r.org_id = $1")
	id := one[int64](t, o.installation, "select id from orders where org_id = $1 and number = 'PLAN-1'", o.id)
	got := read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d", id)))
	require.Equal(t, daysAhead(2), got.Date.Format("2006-01-02"))
	require.Equal(t, tomorrow(), *got.FirstDate)
	require.Equal(t, daysAhead(2), *got.LatestDate)

	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, entry)))
	require.Equal(t, daysAhead(2), one[string](t, o.installation, "select date::text from orders where org_id = $1 and number = 'PLAN-1'", o.id),
		"a repeated import keeps the day")
	o.requirePlan(t)
}
