package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

// numbers walks the list of ERP orders in pages of one, and returns its
// contents.
func (d desk) numbers(query string) string {
	d.T.Helper()
	var got []string
	token := ""
	for more := true; more; {
		w := d.ask(http.MethodGet, "/v2/erp-orders?pageSize=1&token="+url.QueryEscape(token)+query, nil)
		require.Equal(d.T, http.StatusOK, w.Code, w.Body)
		var page contract.ErpOrderPage
		require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &page))
		for _, e := range page.Items {
			got = append(got, fmt.Sprint(e.ExternalID, " ", e.State))
		}
		token, more = page.NextToken, page.HasMore
	}
	return strings.Join(got, ", ")
}

func TestERPOrdersAreListed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.Import("A-1")
	gone := d.Import("A-2")
	d.ID("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and id = $2 returning id", gone)
	d.ID("insert into order_numbers (org_id, number, order_id) values ($1, 'A-10.5', $2) returning order_id", first)
	d.ID(`insert into order_numbers (org_id, number, order_id, cancelled_at)
		values ($1, 'A-11', $2, now()) returning order_id`, first)
	d.ID(`insert into drafts (org_id, external_id, request) values ($1, 'Z-1', '{"date": "2026-03-03"}') returning id`)
	d.ID("insert into drafts (org_id, external_id, request) values ($1, 'Z-2', '{}') returning id")
	d.ID("insert into drafts (org_id, external_id, request) values ($1, 'A-1', '{}') returning id")
	d.ID("insert into drafts (org_id, request) values ($1, '{}') returning id")

	const actives = "A-1 ACTIVE, A-10.5 ACTIVE"
	all := "Z-1 DRAFT, Z-2 DRAFT, A-1 ACTIVE, A-10.5 ACTIVE, A-11 CANCELLED, A-2 CANCELLED"
	require.Equal(t, all, d.numbers(""), "a number that leads to an order is no draft")
	require.Equal(t, actives, d.numbers("&state=ACTIVE"))
	require.Equal(t, "A-11 CANCELLED, A-2 CANCELLED", d.numbers("&state=CANCELLED"))
	require.Equal(t, "Z-1 DRAFT, Z-2 DRAFT", d.numbers("&state=DRAFT"))
	require.Equal(t, "Z-1 DRAFT", d.numbers("&date=2026-03-03"))
	require.Equal(t, actives, d.numbers("&date=2026-03-02&state=ACTIVE"))
	customer := d.ID("select customer_id from orders where org_id = $1 and id = $2", first)
	require.Equal(t, actives, d.numbers(fmt.Sprintf("&state=ACTIVE&customerId=%d", customer)))
	require.Empty(t, d.numbers(fmt.Sprintf("&customerId=%d", customer+999)))
	require.Empty(t, d.numbers(fmt.Sprintf("&state=DRAFT&customerId=%d", customer)), "drafts are for nobody yet")

	d.ID("update orders set updated_at = now() - interval '3 days' where org_id = $1 and id = $2 returning id", first)
	d.ID("update drafts set updated_at = now() - interval '3 days' where org_id = $1 and external_id = 'Z-1' returning id")
	since := "&updatedSince=" + url.QueryEscape(time.Now().Add(-time.Hour).Format(time.RFC3339))
	require.Equal(t, "Z-2 DRAFT, A-2 CANCELLED", d.numbers(since))
	require.Equal(t, "A-2 CANCELLED", d.numbers(since+"&state=CANCELLED"))

	outsider := d.Send(http.MethodGet, "/v2/erp-orders", "", "Authorization", d.AsRole(d.Other, caller.Dispatcher))
	require.JSONEq(t, `{"items": [], "nextToken": "", "hasMore": false}`, outsider.Body.String())
}

func TestListsOfERPOrdersAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, bad := range []string{
		"token=x", "token=d.", "token=d.-1", "token=o.1", "token=o.x.A", "token=o.0.A", "token=o.1.%00", "pageSize=0",
		"pageSize=201", "state=GONE", "date=2026-13-01", "customerId=0", "updatedSince=yesterday",
		"updatedSince=0001-01-01T00:00:00Z",
	} {
		w := d.ask(http.MethodGet, "/v2/erp-orders?"+bad, nil)
		require.Equal(t, http.StatusBadRequest, w.Code, "%s: %s", bad, w.Body)
	}
	driver := d.Send(http.MethodGet, "/v2/erp-orders", "", "Authorization", d.AsRole(d.Org, caller.Driver))
	require.Equal(t, http.StatusForbidden, driver.Code)
}
