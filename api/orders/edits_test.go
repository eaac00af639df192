package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/order"
)

// handwritten is an order that a user may create, with the given members
// changed; nil removes one.
func handwritten(changes ...object) object {
	o := object{
		"date": "2026-03-02", "reference": "PO", "customer": object{"external_id": "C-100"},
		"vehicle_type": object{"name": "Van"}, "order_type": object{"name": "Standard"},
		"pickup":   object{"external_id": "L-1", "earliest": "2026-03-02T07:00:00Z", "latest": "2026-03-02T09:00:00Z"},
		"delivery": object{"external_id": "L-2", "instructions": "Ring", "contacts": []object{{"first_name": "Kari"}}},
		"products": []object{{"name": "Sofa", "external_id": "P", "weight": 62.5}},
		"pricing":  []object{{"name": "Carrying up", "price": "250.00", "currency": "NOK"}},
	}
	for _, c := range changes {
		for name, value := range c {
			if o[name] = value; value == nil {
				delete(o, name)
			}
		}
	}
	return o
}

// fields are the fields with errors in a response, with the reasons.
func fields(t *testing.T, w *httptest.ResponseRecorder) []string {
	t.Helper()
	bad, err := apitest.Status(t, w.Body.Bytes()).Details[0].AsBadRequestDetail()
	require.NoError(t, err, w.Body)
	var all []string
	for _, v := range bad.FieldViolations {
		all = append(all, v.Field+" "+string(v.Reason))
	}
	return all
}

func readOrder(t *testing.T, w *httptest.ResponseRecorder) (o contract.Order) {
	t.Helper()
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &o), w.Body)
	return o
}

func TestADispatcherCreatesAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.ask(http.MethodPost, "/v1/orders", handwritten())
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	made := readOrder(t, w)
	require.Regexp(t, `^M-\d+$`, made.InternalOrderNumber, "it gets a number")
	require.Equal(t, fmt.Sprintf("/v1/orders/%d", made.OrderID), w.Header().Get("Location"))
	require.NotEmpty(t, w.Header().Get("ETag"))
	require.Len(t, *made.OrderProducts, 1)
	require.Equal(t, "order.created 1", d.log(made.OrderID))
	require.Equal(t, "Carrying up 250", d.Text(
		"select name || ' ' || trim_scale(price) from order_prices where org_id = $1 and order_id = $2", made.OrderID))

	mine := handwritten(object{"internal_order_number": "MINE"})
	w = d.ask(http.MethodPost, "/v1/orders", mine, "Idempotency-Key", "once")
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	again := d.ask(http.MethodPost, "/v1/orders", mine, "Idempotency-Key", "once")
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.JSONEq(t, w.Body.String(), again.Body.String())
	taken := d.ask(http.MethodPost, "/v1/orders", mine)
	require.Equal(t, http.StatusConflict, taken.Code)
	require.Equal(t, "ORDER_EXISTS", apitest.Refusal(t, taken))
	require.Equal(t, "2", d.Text("select count(*)::text from orders where org_id = $1"))
}

func TestInvalidOrderIsRefusedWithEveryReason(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	bad := handwritten(object{
		"internal_order_number": strings.Repeat("x", 256), "customer": nil, "date": "soon",
		"delivery": object{"address": object{"address1": "Somewhere"}}, "products": []object{{"quantity": -1}},
		"pricing": []object{{"price": "free", "currency": "NOK"}},
	})
	w := d.ask(http.MethodPost, "/v1/orders", bad)
	require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
	require.ElementsMatch(t, []string{
		"internal_order_number FIELD_TOO_LONG", "customer CUSTOMER_MISSING", "date DATE_BAD",
		"delivery.address ADDRESS_INCOMPLETE", "products[0].quantity FIELD_NUMBER_RANGE", "pricing[0].price PRICE_BAD_AMOUNT",
	}, fields(t, w))
	require.Equal(t, "0 0", d.Text(
		"select (select count(*) from orders where org_id = $1) || ' ' || (select count(*) from drafts where org_id = $1)"))

	types := d.ask(http.MethodPost, "/v1/orders", object{
		"date": 3, "pricing": "free", "pickup": object{"contacts": object{}},
	})
	require.Equal(t, http.StatusBadRequest, types.Code)
	require.Len(t, fields(t, types), 3, types.Body)

	draft := d.ask(http.MethodPost, "/v1/orders?as_draft=true", handwritten(object{"customer": nil, "colour": "red"}))
	require.Equal(t, http.StatusAccepted, draft.Code, draft.Body)
	require.Contains(t, draft.Header().Get("Warning"), "colour")
	var kept contract.OrderKeptAsDraft
	require.NoError(t, json.Unmarshal(draft.Body.Bytes(), &kept))
	require.Equal(t, contract.ErrorReason("CUSTOMER_MISSING"), kept.Reasons[0].Reason)
	require.Equal(t, fmt.Sprintf("/v2/drafts/%d", kept.OrderDraftID), draft.Header().Get("Location"))
	require.Equal(t, "user:12", d.Text("select actor from events where org_id = $1 and kind = 'draft.created'"))

	number := object{"internal_order_number": kept.InternalOrderNumber}
	completed := d.ask(http.MethodPost, "/v1/orders", handwritten(number))
	require.Equal(t, http.StatusCreated, completed.Code, completed.Body)
	require.Equal(t, "promoted", d.Text("select state from drafts where org_id = $1"), "the draft became it")
}

func TestADispatcherChangesPartsOfAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	made := readOrder(t, d.ask(http.MethodPost, "/v1/orders", handwritten()))
	id := made.OrderID
	put := func(body object) *httptest.ResponseRecorder { return d.ask(http.MethodPut, ofOrder(id, ""), body) }
	stop := func(kind, columns string) string {
		return d.Text("select concat_ws(' ', "+columns+`)
			from order_stops where org_id = $1 and order_id = $2 and kind = $3`, id, kind)
	}
	before := stop("delivery", "location_id, name, earliest, latest, window_source")

	w := put(object{"reference": "PO-2", "delivery": object{"instructions": "Ring twice"}})
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, "PO-2", readOrder(t, w).Reference.MustGet())
	require.Equal(t, "Ring twice", stop("delivery", "instructions"))
	require.Equal(t, before, stop("delivery", "location_id, name, earliest, latest, window_source"))
	require.Equal(t, "Kari", d.Text("select first_name from stop_contacts where org_id = $1"), "what is left out stays")
	require.Equal(t, "1 1", d.Text(`select
		(select count(*) from order_products where org_id = $1 and not is_modified) || ' ' ||
		(select count(*) from order_prices where org_id = $1)`))
	require.Equal(t, "order.created 1, order.updated", d.log(id))
	require.Equal(t, http.StatusOK, put(object{"reference": "PO-2"}).Code)
	require.Equal(t, "order.created 1, order.updated", d.log(id), "the same again")

	require.Equal(t, http.StatusOK, put(object{"date": "2026-03-31"}).Code) // clocks go forward in between
	require.Equal(t, "2026-03-31 06:00 08:00 request", stop("pickup",
		`to_char(earliest at time zone 'utc', 'YYYY-MM-DD HH24:MI'), to_char(latest at time zone 'utc', 'HH24:MI'),
			window_source`))

	require.Equal(t, http.StatusOK, put(object{"delivery": object{"external_id": "L-1"}, "reference": nil}).Code)
	require.Equal(t, "Fjord Møbler Alnabru Ring twice", stop("delivery", "name, instructions"))
	require.Equal(t, "none", d.of(id, "coalesce(reference, 'none')"), "null takes away")

	require.Equal(t, http.StatusOK, put(object{"products": []object{
		{"name": "Sofa", "external_id": "P", "weight": 62.5}, {"name": "Table", "external_id": "T"},
	}}).Code)
	require.Equal(t, "Sofa false, Table true", d.Text(
		"select string_agg(name || ' ' || is_modified, ', ' order by name) from order_products where org_id = $1"))
}

func TestChosenVehicleTypeIsKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, nora := d.Import("A-1"), d.driver("Nora")
	require.Equal(t, http.StatusOK, d.move(id, 2, nora).Code)
	w := d.ask(http.MethodPut, ofOrder(id, ""), object{"vehicle_type": object{"name": "Truck"}, "reference": "PO-2"})
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	kind := "(select name from vehicle_types t where t.org_id = orders.org_id and t.id = vehicle_type_id)"
	require.Equal(t, "Truck 1 nobody PO-2",
		d.of(id, "concat_ws(' ', "+kind+", status_id, coalesce(driver_id::text, 'nobody'), reference)"))
	require.Equal(t, id, d.Import("A-1", func(r *order.Request) { r.Reference = "PO-3" }))
	require.Equal(t, "Truck PO-3", d.of(id, kind+" || ' ' || reference"), "the import comes to the type that was replaced")
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, ofOrder(id, ""), object{"reference": "PO-4"}).Code)
	require.Equal(t, "Truck", d.of(id, kind))
}

func TestEditsThatAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	put := func(body any, headers ...string) *httptest.ResponseRecorder {
		return d.ask(http.MethodPut, ofOrder(id, ""), body, headers...)
	}
	w := put(object{"customer": object{"external_id": "nobody"}, "delivery": nil, "pickup": object{"address": object{}}})
	require.Equal(t, http.StatusUnprocessableEntity, w.Code)
	require.ElementsMatch(t, []string{
		"customer CUSTOMER_NOT_FOUND", "delivery STOP_MISSING", "pickup.address ADDRESS_INCOMPLETE",
	}, fields(t, w))
	fixed := put(object{"internal_order_number": "B"})
	require.Equal(t, "internal_order_number ORDER_NUMBER_FIXED", apitest.Refusal(t, fixed))
	require.Equal(t, "body REQUEST_NOT_AN_OBJECT", apitest.Refusal(t, put([]int{1})))
	require.Empty(t, d.log(id))

	nora := d.driver("Nora")
	require.Equal(t, http.StatusOK, d.move(id, 4, nora).Code)
	loaded := put(object{"delivery": object{"instructions": "Ring"}})
	require.Equal(t, http.StatusConflict, loaded.Code)
	require.Equal(t, "ORDER_ALREADY_PICKED_UP", apitest.Refusal(t, loaded))
	require.Equal(t, "ORDER_PICKED_UP", apitest.Refusal(t, put(object{"vehicle_type": object{"name": "Truck"}})))
	require.Equal(t, http.StatusOK, put(object{"reference": "PO-2"}).Code)
	require.Equal(t, http.StatusOK, d.move(id, 6, nora).Code)
	require.Equal(t, "ORDER_OVER", apitest.Refusal(t, put(object{"date": "2026-03-03"})))

	require.Equal(t, http.StatusNotFound, d.ask(http.MethodPut, ofOrder(999999, ""), object{}).Code)
	require.Equal(t, http.StatusBadRequest, d.ask(http.MethodPut, "/v1/orders/x", object{}).Code)
	for who, want := range map[string]int{
		d.AsRole(d.Other, caller.Dispatcher): 404, d.AsRole(d.Org, caller.Support): 403, "apikey " + d.keyOf(): 403,
	} {
		for method, path := range map[string]string{http.MethodPut: ofOrder(id, ""), http.MethodPost: ofOrder(id, "/split")} {
			w := d.Send(method, path, `{"parts": [{"order_products": [{"id": 1}]}]}`, "Authorization", who)
			require.Equal(t, want, w.Code, "%s: %s", who, w.Body)
		}
	}
}

func TestOneOfManyEditsIsTheFirst(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	tag := d.Send(http.MethodGet, ofOrder(id, ""), "", "Authorization", "apikey "+d.keyOf()).Header().Get("ETag")
	answers := make([]int, 8)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			answers[i] = d.ask(http.MethodPut, ofOrder(id, ""), object{"reference": fmt.Sprint("R-", i)}, "If-Match", tag).Code
		})
	}
	all.Wait()
	counted := map[int]int{}
	for _, code := range answers {
		counted[code]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusPreconditionFailed: 7}, counted)
}

// packed is an order of a pallet with two boxes on it, and ten chairs.
func (d desk) packed(number string) (id int64, products map[string]int64) {
	d.T.Helper()
	id = d.Import(number, func(r *order.Request) {
		ten := 10.0
		r.Products = []order.ProductRequest{
			{Name: "Pallet", ExternalID: "PALLET", AtomType: order.AtomColli},
			{Name: "Box 1", ExternalID: "BOX-1", ParentExternalID: "PALLET"},
			{Name: "Box 2", ExternalID: "BOX-2", ParentExternalID: "PALLET"},
			{Name: "Chairs", ExternalID: "CHAIRS", Quantity: &ten},
		}
	})
	products = map[string]int64{}
	for _, name := range []string{"PALLET", "BOX-1", "BOX-2", "CHAIRS"} {
		products[name] = d.ID(`select id from order_products
			where org_id = $1 and order_id = $2 and external_id = $3`, id, name)
	}
	return id, products
}

// goods are an order's products, each with its quantity and its parent.
func (d desk) goods(order int64) string {
	return d.Text(`select coalesce(string_agg(
			concat_ws(' ', p.external_id, p.quantity, 'in ' || c.external_id), ', ' order by p.external_id), '')
		from order_products p left join order_products c
			on c.org_id = p.org_id and c.id = p.parent_id and c.order_id = p.order_id
		where p.org_id = $1 and p.order_id = $2`, order)
}

func TestADispatcherSplitsAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, products := d.packed("A-1")
	body := object{"parts": []object{
		{"order_products": []object{{"id": products["PALLET"]}}, "date": "2026-03-03"},
		{
			"order_products": []object{{"id": products["CHAIRS"], "quantity": 3}}, "internal_order_number": "CHAIRS",
			"delivery": object{"earliest": "2026-03-02T16:00:00Z", "latest": "2026-03-02T18:00:00Z"},
		},
	}}
	w := d.ask(http.MethodPost, ofOrder(id, "/split"), body, "Idempotency-Key", "split")
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	var out contract.SplitOrders
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
	require.Len(t, out.Orders, 3)
	first, second := out.Orders[1], out.Orders[2]
	require.Equal(t, id, out.Orders[0].OrderID)
	require.Equal(t, "A-1-2", first.InternalOrderNumber)
	require.Equal(t, "CHAIRS", second.InternalOrderNumber)
	require.Equal(t, "CHAIRS 7", d.goods(id))
	require.Equal(t, "BOX-1 1 in PALLET, BOX-2 1 in PALLET, PALLET 1", d.goods(first.OrderID))
	require.Equal(t, "CHAIRS 3", d.goods(second.OrderID))
	require.Equal(t, "2026-03-03", d.of(first.OrderID, "date"))
	require.Equal(t, "1 day", d.Text(`select (b.earliest - a.earliest)::text
		from order_stops a join order_stops b using (org_id, kind)
		where a.org_id = $1 and a.kind = 'delivery' and a.order_id = $2 and b.order_id = $3`, id, first.OrderID))
	require.Equal(t, "16:00 request", d.Text(`
		select to_char(earliest at time zone 'utc', 'HH24:MI') || ' ' || window_source
		from order_stops where org_id = $1 and order_id = $2 and kind = 'delivery'`, second.OrderID))

	require.Equal(t, "order.split", d.log(id))
	require.Equal(t, "order.created 1", d.log(first.OrderID))
	require.Equal(t, fmt.Sprintf("[%d, %d]", first.OrderID, second.OrderID),
		d.Text("select (data -> 'into')::text from events where org_id = $1 and kind = 'order.split'"))
	require.Equal(t, "3", d.Text(`
		select cardinality(removed_product_ids)::text from events where org_id = $1 and kind = 'order.split'`))

	again := d.ask(http.MethodPost, ofOrder(id, "/split"), body, "Idempotency-Key", "split")
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, "3", d.Text("select count(*)::text from orders where org_id = $1"))
	w = d.ask(http.MethodPost, ofOrder(id, "/split"), object{"parts": []object{
		{"order_products": []object{{"id": products["CHAIRS"], "quantity": 1}}},
	}})
	require.Contains(t, w.Body.String(), `"A-1-3"`, "A-1-2 is taken")
}

// TestPartOfAPricedOrderIsPricedAgain splits an order whose prices the price
// lists gave.
func TestPartOfAPricedOrderIsPricedAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, products := d.packed("A-1")
	d.ID(`insert into order_prices (org_id, order_id, seq, name, price, currency, quantity, computed)
		values ($1, $2, 0, 'Norway', 1, 'NOK', 1, true) returning 1`, id)
	w := d.ask(http.MethodPost, ofOrder(id, "/split"), object{"parts": []object{
		{"order_products": []object{{"id": products["CHAIRS"], "quantity": 3}}},
	}})
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	require.Equal(t, "2 true", d.Text(`select count(distinct order_id) || ' ' || bool_and(computed and price > 1)
		from order_prices where org_id = $1`))
}

func TestSplitsThatAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, products := d.packed("A-1")
	split := func(parts ...object) *httptest.ResponseRecorder {
		return d.ask(http.MethodPost, ofOrder(id, "/split"), object{"parts": append([]object{}, parts...)})
	}
	of := func(products ...object) object { return object{"order_products": append([]object{}, products...)} }
	pallet, box := object{"id": products["PALLET"]}, object{"id": products["BOX-1"]}
	chairs := object{"id": products["CHAIRS"]}
	all := of(pallet, chairs)
	for _, c := range []struct {
		parts  []object
		status int
		reason string
	}{
		{nil, 400, "parts SPLIT_COUNT"},
		{[]object{all}, 422, "parts SPLIT_NOTHING_LEFT"},
		{[]object{of()}, 422, "parts[0].order_products SPLIT_EMPTY_PART"},
		{[]object{of(pallet, box)}, 422, "parts[0].order_products[1].id SPLIT_TWICE"},
		{[]object{of(box), of(pallet)}, 422, "parts[1].order_products[0].id SPLIT_TWICE"},
		{[]object{of(object{"id": 999999})}, 422, "parts[0].order_products[0].id PRODUCT_NOT_IN_ORDER"},
		{
			[]object{of(object{"id": products["CHAIRS"], "quantity": 11})},
			422,
			"parts[0].order_products[0].quantity SPLIT_TOO_MUCH",
		},
		{
			[]object{of(object{"id": products["CHAIRS"], "quantity": 0})},
			422,
			"parts[0].order_products[0].quantity FIELD_NUMBER_RANGE",
		},
		{
			[]object{of(object{"id": products["PALLET"], "quantity": 0.5})},
			422,
			"parts[0].order_products[0].quantity SPLIT_COLLI",
		},
		{[]object{{"order_products": []object{box}, "internal_order_number": "A-1"}}, 409, "ORDER_EXISTS"},
		{[]object{{"order_products": []object{box}, "delivery": object{
			"earliest": "2026-03-02T16:00:00Z", "latest": "2026-03-02T15:00:00Z",
		}}}, 422, "parts[0].delivery STOP_WINDOW_REVERSED"},
	} {
		w := split(c.parts...)
		require.Equal(t, c.status, w.Code, w.Body)
		require.Equal(t, c.reason, apitest.Refusal(t, w))
	}
	require.Equal(t, "BOX-1 1 in PALLET, BOX-2 1 in PALLET, CHAIRS 10, PALLET 1", d.goods(id))
	require.Equal(t, "1", d.Text("select count(*)::text from orders where org_id = $1"))
	require.Equal(t, http.StatusOK, d.move(id, 3, d.driver("Nora")).Code)
	require.Equal(t, "SPLIT_BEGUN", apitest.Refusal(t, split(of(box))))
}
