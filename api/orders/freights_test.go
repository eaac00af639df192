package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/order"
)

// inFreight puts an order into a freight.
func inFreight(number string) func(*order.Request) {
	return func(r *order.Request) {
		r.InternalFreightNumber = order.Loose(number)
		r.Consignee, r.Consignor = &order.Ref{ExternalID: "C-100"}, &order.Ref{ExternalID: "C-101"}
	}
}

func TestFreightsAreRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.Import("A-1", inFreight("F-1"))
	gone := d.Import("A-2", inFreight("F-1"))
	d.Import("A-3", inFreight("F-2"))
	d.Import("A-4")
	d.ID("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and id = $2 returning id", gone)
	read := func(path string, into any) {
		w := d.ask(http.MethodGet, path, nil)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), into))
	}
	var got []string
	token := ""
	for more := true; more; {
		var page contract.FreightPage
		read("/v2/freights?pageSize=1&token="+token, &page)
		got, token, more = append(got, page.Items[0].InternalFreightNumber), page.NextToken, page.HasMore
	}
	require.Equal(t, []string{"F-2", "F-1"}, got)

	var page contract.FreightPage
	read("/v2/freights?internalFreightNumber=F-1", &page)
	require.Len(t, page.Items, 1)
	require.Equal(t, int64(2), page.Items[0].OrderCount)
	require.NotEqual(t, page.Items[0].Consignee, page.Items[0].Consignor)
	for party, want := range map[int64]int{page.Items[0].Consignee.ID: 2, page.Items[0].Consignor.ID: 2, 999_999: 0} {
		var theirs contract.FreightPage
		read(fmt.Sprintf("/v2/freights?customerId=%d", party), &theirs)
		require.Len(t, theirs.Items, want, "customer %d", party)
	}
	var freight contract.FreightWithOrders
	path := fmt.Sprintf("/v2/freights/%d", page.Items[0].FreightID)
	read(path, &freight)
	require.Equal(t, []int64{first, gone}, []int64{freight.Orders[0].OrderID, freight.Orders[1].OrderID})
	require.InDelta(t, 150.0, freight.WeightKg, 0.001, "the cancelled one carries nothing")

	other := d.AsRole(d.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodGet, path, "", "Authorization", other).Code)
	require.JSONEq(t, `{"items": [], "nextToken": "", "hasMore": false}`,
		d.Send(http.MethodGet, "/v2/freights", "", "Authorization", other).Body.String())
	for _, bad := range []string{"token=x", "token=-1", "pageSize=0", "pageSize=201", "internalFreightNumber=%00"} {
		require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, "/v2/freights?"+bad, nil).Code, bad)
	}
}
