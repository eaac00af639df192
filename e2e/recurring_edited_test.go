package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestOrderMovedByPlanningIsNotEdited, so the template still updates it;
// changes by an import or a call are kept.
func TestOrderMovedByPlanningIsNotEdited(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := o.createTemplate(t).RecurringOrderID
	o.awaitGenerated(t, id, days(0, 6, registered))
	number := func(n int) string {
		return fmt.Sprintf("recurring-%d-%sT0900", id, today().AddDate(0, 0, n).Format("20060102"))
	}
	planned := func(n int) {
		_, err := o.admin.Exec(t.Context(), `
			with d as (insert into drivers (org_id, name) values ($1, 'Ingrid Berg') returning id)
			update orders set status_id = 2, driver_id = (select id from d), updated_at = now() + interval '1 minute',
				vehicle_type_id = (select max(id) from vehicle_types where org_id = $1 and is_active)
			where org_id = $1 and number = $2`, o.id, number(n))
		require.NoError(t, err)
	}
	planned(1)
	planned(2)
	require.NotNil(t, o.importOrders(t, orders(newOrder(number(2), object{"date": day(2), "reference": "by hand"})))[0].OrderUpdated)
	o.expect(t, http.StatusOK, http.MethodPut, "/v2/orders/vehicle-type", object{"externalId": number(3), "vehicleType": object{"name": "Box truck"}})

	order := newTemplate()["orderTemplate"].(object)
	order["reference"] = "new"
	preview := read[contract.RecurringOrderUpdatePreview](t, o.expect(t, http.StatusOK, http.MethodPost, templatePath(id)+"/preview-update",
		object{"orderTemplate": order, "updateExistingOrders": true}))
	require.Equal(t, []string{number(0), number(1), number(4), number(5), number(6)}, numbersOf(preview.Change))
	require.Len(t, preview.Protect, 2)
	for i, protected := range preview.Protect {
		require.Equal(t, "EDITED", string(protected.Reason))
		require.Equal(t, number(i+2), protected.ExternalID)
	}
}
