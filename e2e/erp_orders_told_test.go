package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// told are the statuses in the order feed, by number, and the next token.
func (o *organization) told(t *testing.T, token string, size int) (told []string, next string) {
	t.Helper()
	o.rows(t) // waits for the relay
	changes, next := o.follow(t, token, size)
	for _, c := range changes {
		told = append(told, c.ExternalID+" "+string(c.Status))
	}
	return told, next
}

// productsTold are the numbers and statuses in the product feed.
func (o *organization) productsTold(t *testing.T) (told []string) {
	t.Helper()
	o.rows(t) // waits for the relay
	page := read[contract.ProductStatusFeed](t, o.get(t, "/v2/orders/summary/productstatusfeed?pageSize=1000"))
	require.False(t, page.HasMore)
	for _, c := range page.Items {
		told = append(told, c.ExternalID+" "+string(c.Status))
	}
	return told
}

// reached writes a change of the order's status into the log, as driving does.
func (o *organization) reached(t *testing.T, order int64, status int) {
	t.Helper()
	_, err := o.admin.Exec(t.Context(), `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, external_id, order_status_id)
		select org_id, 'order.delivered', 'order', id, 'system', 'test', id, number, $3 from orders where org_id = $1 and id = $2`, o.id, order, status)
	require.NoError(t, err)
}

// TestBothFeedsContainEveryNumber of a shared order, for any page size.
func TestBothFeedsContainEveryNumber(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, merged(newOrder("FEED-A"), newOrder("FEED-B"), newOrder("FEED-C")))[0])
	o.reached(t, id, 2)
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"FEED-A"}})
	o.reached(t, id, 6)

	want := []string{
		"FEED-A registered", "FEED-B registered", "FEED-C registered",
		"FEED-A planned", "FEED-B planned", "FEED-C planned",
		"FEED-A cancelled",
		"FEED-B delivered", "FEED-C delivered",
	}
	for _, size := range []int{1, 2, 4, 5, 1000} {
		told, next := o.told(t, "", size)
		require.Equal(t, want, told, "pages of %d", size)
		nothing, _ := o.told(t, next, size)
		require.Empty(t, nothing, "nothing comes twice, pages of %d", size)
	}
	require.ElementsMatch(t, want, o.productsTold(t), "a product goes by its own number")

	for _, token := range []string{"x", "1.x", "-1.1", "1.-1", ".", "1.1.1"} {
		o.requireRefused(t, refusal{method: http.MethodGet, path: "/v2/orders/summary/orderstatusfeed?token=" + token, want: 400, field: "token"})
	}
}

// TestLeavingNumberTakesItsProducts and the feed reports under its own number
// the products that it removed and those that it now has.
func TestLeavingNumberTakesItsProducts(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, merged(newOrder("LEAVE-A"), newOrder("LEAVE-B")))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/erp-orders/LEAVE-B/detach", nil)
	require.Equal(t, []string{"LEAVE-A registered", "LEAVE-B registered", "LEAVE-B cancelled", "LEAVE-B registered"}, o.productsTold(t))
}

// TestContactsGetMessagesAboutTheirOwnNumber and of no other, once.
func TestContactsGetMessagesAboutTheirOwnNumber(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	contacts := func(number string, addresses ...string) object {
		entry := newOrder(number)
		var people []object
		for _, address := range addresses {
			people = append(people, object{"firstName": "Kari", "emailAddress": address})
		}
		entry["delivery"].(object)["contacts"] = people
		return entry
	}
	subjects := func(name string) (all []string) {
		for _, m := range o.mailsTo(t, name+"@told.example.com") {
			all = append(all, m.Subject)
		}
		return all
	}
	// The first number is not the order's first one.
	id := orderID(t, o.importOrders(t, merged(
		contacts("TOLD-B", "b@told.example.com", "both@told.example.com"),
		contacts("TOLD-A", "a@told.example.com", "both@told.example.com"),
	))[1])
	eventually(t, "all four are told", func() bool {
		return len(subjects("a")) == 1 && len(subjects("b")) == 1 && len(subjects("both")) == 2
	})
	require.Equal(t, []string{"Ordre TOLD-A er registrert"}, subjects("a"))
	require.Equal(t, []string{"Ordre TOLD-B er registrert"}, subjects("b"))
	require.ElementsMatch(t, []string{"Ordre TOLD-A er registrert", "Ordre TOLD-B er registrert"}, subjects("both"))

	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"TOLD-B"}})
	eventually(t, "those of the cancelled number are told", func() bool { return len(subjects("b")) == 2 && len(subjects("both")) == 3 })
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/replan-cancelled?externalId=TOLD-B", nil)

	// A separate order is no news: its contacts know that it is registered.
	detached := read[contract.ErpOrder](t, o.expect(t, http.StatusOK, http.MethodPost, "/v2/erp-orders/TOLD-B/detach", nil))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"TOLD-B", "TOLD-A"}})
	eventually(t, "each hears that its number is cancelled", func() bool {
		return len(subjects("a")) == 2 && len(subjects("b")) == 3 && len(subjects("both")) == 5
	})
	require.Len(t, o.messages(t, detached.OrderID.MustGet()), 2)
	require.Len(t, o.messages(t, id), 8, fmt.Sprint(subjects("a"), subjects("b"), subjects("both")))
}
