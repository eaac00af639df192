package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

const upsertPath = "/v1/order-products/upsert"

func (o *organization) upsert(t *testing.T, status int, number string, products ...object) contract.OrderProducts {
	t.Helper()
	a := o.expect(t, status, http.MethodPost, upsertPath, object{"internal_order_number": number, "order_products": products})
	if status != http.StatusOK {
		return contract.OrderProducts{}
	}
	return read[contract.OrderProducts](t, a)
}

// byExternalID returns products, with the parent of each.
func byExternalID(products []contract.OrderProduct) (found map[string]contract.OrderProduct, parent map[string]string) {
	found, parent = map[string]contract.OrderProduct{}, map[string]string{}
	ids := map[int64]string{}
	for _, p := range products {
		found[p.ExternalID.MustGet()], ids[p.ID] = p, p.ExternalID.MustGet()
	}
	for id, p := range found {
		if !p.ParentID.IsNull() {
			parent[id] = ids[p.ParentID.MustGet()]
		}
	}
	return found, parent
}

// TestProductsShowTheirCatalogueEntry reads the catalogue's data of products
// with its external ids.
func TestProductsShowTheirCatalogueEntry(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, orders(richOrder("CAT")))[0])
	o.upsert(t, http.StatusOK, "CAT", object{"external_id": "CAT-SOFA", "name": "Sofa", "quantity": 1},
		object{"external_id": "CAT-LAMP", "name": "Lamp", "quantity": 1})
	sofa := one[int64](t, shared, `insert into products (org_id, external_id, name, atom_type, source)
		values ($1, 'CAT-SOFA', 'Sofa, three seats', 'trade item', 'document') returning id`, o.id)
	one[int64](t, shared, `insert into product_units (org_id, product_id, seq, name, quantity)
		values ($1, $2, 1, 'Carton', 2) returning product_id`, o.id, sofa)
	entries, _ := byExternalID(*read[contract.Order](t, o.get(t, fmt.Sprintf(
		"/v1/orders/%d?loads=OrderProducts,OrderProducts.Product,OrderProducts.OrderProductUnits", id))).OrderProducts)
	require.Equal(t, "Sofa, three seats", entries["CAT-SOFA"].Product.MustGet().Name)
	require.Equal(t, sofa, entries["CAT-SOFA"].Product.MustGet().ID)
	require.Equal(t, []contract.OrderProductUnit{{ID: 1, Name: "Carton", Quantity: 2}}, *entries["CAT-SOFA"].OrderProductUnits)
	require.True(t, entries["CAT-LAMP"].Product.IsNull(), "the catalogue has none")
	require.Empty(t, *entries["CAT-LAMP"].OrderProductUnits)
}

func TestUpsertOfProducts(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, orders(richOrder("UP")))[0])

	products, parent := byExternalID(o.upsert(t, http.StatusOK, "UP",
		object{"external_id": "UP-SOFA", "weight": 64.5, "barcode_id": "123", "parent_external_id": nil},
		object{"external_id": "UP-BOX", "name": "Box", "quantity": 3, "parent_external_id": "UP-PALLET"}).OrderProducts)
	require.Len(t, products, 4)
	require.InDelta(t, 64.5, products["UP-SOFA"].Weight.MustGet(), 0)
	require.Equal(t, "Chair", products["UP-SOFA"].Name.MustGet(), "what is left out stays")
	require.True(t, products["UP-SOFA"].IsModified && products["UP-BOX"].IsModified)
	require.False(t, products["UP-TABLE"].IsModified)
	require.Equal(t, map[string]string{"UP-BOX": "UP-PALLET", "UP-TABLE": "UP-PALLET"}, parent)
	skills := read[contract.OrderSkills](t, o.get(t, fmt.Sprintf("/v1/orders/%d/skills", id)))
	require.Len(t, skills.RequiredSkills, 2, "skills stay")

	// Repeating it writes nothing; naming the order by its id is equivalent.
	before := o.rowCounts(t)
	o.expect(t, http.StatusOK, http.MethodPost, upsertPath, object{"order_id": id, "order_products": []object{{"external_id": "UP-SOFA", "weight": 64.5}}})
	require.Equal(t, before, o.rowCounts(t))

	// An import keeps modified products, unless it says otherwise.
	o.importOrders(t, orders(richOrder("UP")))
	products, _ = byExternalID(*read[contract.Order](t, o.get(t, "/v1/orders/internal/UP?loads=OrderProducts")).OrderProducts)
	require.Len(t, products, 4)
	require.InDelta(t, 64.5, products["UP-SOFA"].Weight.MustGet(), 0)
	replace := orders(richOrder("UP"))
	replace["updateConfig"] = object{"orderProducts": "REPLACE_EXISTING_ORDER_PRODUCT"}
	o.importOrders(t, replace)
	products, parent = byExternalID(*read[contract.Order](t, o.get(t, "/v1/orders/internal/UP?loads=OrderProducts")).OrderProducts)
	require.Len(t, products, 3)
	require.InDelta(t, 6.5, products["UP-SOFA"].Weight.MustGet(), 0)
	require.Equal(t, "UP-PALLET", parent["UP-SOFA"])
}

func TestUpsertIsRefused(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	o.importOrders(t, orders(newOrder("REF"), newOrder("AWAY")))
	theirs := orderID(t, other.importOrders(t, orders(newOrder("THEIRS")))[0])
	_, err := o.admin.Exec(t.Context(), "update orders set status_id = 4 where org_id = $1 and number = 'AWAY'", o.id)
	require.NoError(t, err)
	some := []object{{"external_id": "X"}}
	long := strings.Repeat("å", 200)
	for _, r := range []refusal{
		{name: "NoOrder", body: object{"order_products": some}, want: 400, field: "order_id"},
		{name: "TwoOrders", body: object{"order_id": 1, "internal_order_number": "REF", "order_products": some}, want: 400, field: "order_id"},
		{name: "NoProducts", body: object{"internal_order_number": "REF"}, want: 400, field: "order_products"},
		{name: "EmptyProducts", body: object{"internal_order_number": "REF", "order_products": []object{}}, want: 400, field: "order_products"},
		{name: "TooManyProducts", body: object{"internal_order_number": "REF", "order_products": make([]object, 5001)}, want: 400, field: "order_products"},
		{name: "NUL", body: object{"internal_order_number": "REF", "order_products": []object{{"external_id": "a\x00"}}}, want: 400, field: "order_products[0].external_id"},
		{name: "NULInTheNumber", body: object{"internal_order_number": "R\x00", "order_products": some}, want: 400, field: "internal_order_number"},
		{name: "WrongType", body: `{"internal_order_number":"REF","order_products":{}}`, want: 400, field: "order_products"},
		{name: "Null", body: "null", want: 400},
		{name: "Nothing", body: "", want: 400},
		{name: "TooLarge", body: object{"internal_order_number": strings.Repeat("x", 33<<20), "order_products": some}, want: 413},
		{name: "NoExternalID", body: object{"internal_order_number": "REF", "order_products": []object{{"name": "x"}}}, want: 422, field: "order_products[0].external_id"},
		{name: "LongName", body: object{"internal_order_number": "REF", "order_products": []object{{"external_id": "X", "name": long}}}, want: 422, field: "order_products[0].name"},
		{name: "AtomType", body: object{"internal_order_number": "REF", "order_products": []object{{"external_id": "X", "atom_type": "quark"}}}, want: 422, field: "order_products[0].atom_type"},
		{name: "NoParent", body: object{"internal_order_number": "REF", "order_products": []object{{"external_id": "X", "parent_external_id": "gone"}}}, want: 422, field: "order_products[0].parent_external_id"},
		{name: "Unknown", body: object{"internal_order_number": "unheard-of", "order_products": some}, want: 404},
		{name: "ADraft", body: object{"internal_order_number": "REF-DRAFT", "order_products": some}, want: 404},
		{name: "AnothersID", body: object{"order_id": theirs, "order_products": some}, want: 404},
		{name: "AnothersNumber", body: object{"internal_order_number": "THEIRS", "order_products": some}, want: 404},
		{name: "OnItsWay", body: object{"internal_order_number": "AWAY", "order_products": some}, want: 409},
	} {
		if r.name == "ADraft" {
			o.draft(t, "REF-DRAFT")
		}
		r.method, r.path = http.MethodPost, upsertPath
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
	o.upsert(t, http.StatusOK, "AWAY", object{"external_id": "AWAY-P", "name": "Chair"}) // changes nothing
}

func TestTreeOfProducts(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := fmt.Sprintf("/v1/atoms/%d/tree", orderID(t, o.importOrders(t, orders(richOrder("TREE")))[0]))
	set := func(status int, body any) contract.OrderProducts {
		a := o.expect(t, status, http.MethodPatch, path, body)
		if status != http.StatusOK {
			return contract.OrderProducts{}
		}
		return read[contract.OrderProducts](t, a)
	}
	node := func(id string, children ...object) object { return object{"external_id": id, "children": children} }

	_, parent := byExternalID(set(http.StatusOK, object{"tree": []object{node("TREE-PALLET", node("TREE-SOFA", node("TREE-TABLE")))}}).OrderProducts)
	require.Equal(t, map[string]string{"TREE-SOFA": "TREE-PALLET", "TREE-TABLE": "TREE-SOFA"}, parent)
	products, parent := byExternalID(set(http.StatusOK, object{"tree": []object{}}).OrderProducts)
	require.Empty(t, parent)
	_, parent = byExternalID(set(http.StatusOK, object{"tree": []object{{"id": products["TREE-TABLE"].ID, "children": []object{{"id": products["TREE-PALLET"].ID}}}}}).OrderProducts)
	require.Equal(t, map[string]string{"TREE-PALLET": "TREE-TABLE"}, parent, "the other way round")

	for name, r := range map[string]refusal{
		"NoTree":    {body: object{}, want: 400, field: "tree"},
		"NullTree":  {body: object{"tree": nil}, want: 400, field: "tree"},
		"WrongType": {body: `{"tree":{}}`, want: 400, field: "tree"},
		"TooMany":   {body: object{"tree": make([]object, 5001)}, want: 400, field: "tree"},
		"Stranger":  {body: object{"tree": []object{node("nobody")}}, want: 422, field: "tree[0].external_id"},
		"TwoPlaces": {body: object{"tree": []object{node("TREE-SOFA"), node("TREE-SOFA")}}, want: 422, field: "tree[1]"},
		"Cycle":     {body: object{"tree": []object{node("TREE-SOFA", node("TREE-TABLE", node("TREE-SOFA")))}}, want: 422, field: "tree[0].children[0].children[0]"},
		"TooDeep":   {body: `{"tree":` + strings.Repeat(`[{"external_id":"TREE-SOFA","children":`, 9000) + "[]" + strings.Repeat("}]", 9000) + "}", want: 400},
		"TooLarge":  {body: object{"tree": []object{node(strings.Repeat("x", 17<<20))}}, want: 413},
	} {
		r.method, r.path = http.MethodPatch, path
		t.Run(name, func(t *testing.T) { o.requireRefused(t, r) })
	}
	o.requireRefused(t, refusal{method: http.MethodPatch, path: "/v1/atoms/0/tree", body: object{"tree": []object{}}, want: 404})
	_, err := o.admin.Exec(t.Context(), "update orders set status_id = 5 where org_id = $1", o.id)
	require.NoError(t, err)
	o.requireRefused(t, refusal{method: http.MethodPatch, path: path, body: object{"tree": []object{}}, want: 409})
}

// Many callers change different products of one order concurrently, and no
// change is lost.
func TestProductsChangedAtOnce(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("MANY")))
	var wg sync.WaitGroup
	for _, id := range series("MANY-", 8) {
		wg.Go(func() { o.upsert(t, http.StatusOK, "MANY", object{"external_id": id, "name": id}) })
	}
	wg.Wait()
	products, _ := byExternalID(o.upsert(t, http.StatusOK, "MANY", object{"external_id": "MANY-P"}).OrderProducts)
	require.Len(t, products, 9)
}

// productChanges reads the product feed from its beginning to its end.
func (o *organization) productChanges(t *testing.T, size int) (changes []string, token string) {
	t.Helper()
	o.rows(t) // waits for the relay
	for {
		path := fmt.Sprintf("/v2/orders/summary/productstatusfeed?token=%s&pageSize=%d", url.QueryEscape(token), size)
		page := read[contract.ProductStatusFeed](t, o.get(t, path))
		require.LessOrEqual(t, len(page.Items), size)
		for _, c := range page.Items {
			product := "gone"
			if c.ProductExternalID != nil {
				product = *c.ProductExternalID
			}
			changes = append(changes, product+" "+string(c.Status))
		}
		if token = page.NextToken; !page.HasMore {
			return changes, token
		}
	}
}

func TestProductStatusFeed(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	o.importOrders(t, orders(richOrder("PF"), newOrder("PF-BARE", object{"products": nil}), newOrder("PF-DRAFT", object{"date": nil})))
	want := []string{"PF-PALLET registered", "PF-SOFA registered", "PF-TABLE registered"}
	changes, token := o.productChanges(t, 2)
	require.Equal(t, want, changes)

	o.upsert(t, http.StatusOK, "PF", object{"external_id": "PF-BOX"}, object{"external_id": "PF-SOFA", "weight": 9})
	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/PF", nil)
	want = append(want, "PF-BOX registered", "PF-PALLET cancelled", "PF-SOFA cancelled", "PF-TABLE cancelled", "PF-BOX cancelled")
	for _, size := range []int{1, 2, 3, 1000} {
		changes, _ = o.productChanges(t, size)
		require.Equal(t, want, changes, "pages of %d", size)
	}
	next := read[contract.ProductStatusFeed](t, o.get(t, "/v2/orders/summary/productstatusfeed?token="+token))
	require.Len(t, next.Items, 5, "nothing comes twice")

	// A driver's action without products concerns all of them; products that an
	// import removes are cancelled.
	_, err := o.admin.Exec(t.Context(), `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, external_id, order_status_id, stop)
		select org_id, 'order.picked_up', 'order', id, 'system', 'test', id, number, 4, 'pickup' from orders where org_id = $1 and number = 'PF'`, o.id)
	require.NoError(t, err)
	o.importOrders(t, orders(newOrder("PF-2", object{"products": []object{product("OLD")}})))
	o.importOrders(t, orders(newOrder("PF-2", object{"products": []object{product("NEW")}})))
	changes, end := o.productChanges(t, 4)
	require.ElementsMatch(t, []string{"PF-PALLET picked_up", "PF-SOFA picked_up", "PF-TABLE picked_up", "PF-BOX picked_up"}, changes[8:12])
	require.Equal(t, []string{"gone registered", "NEW registered", "gone cancelled"}, changes[12:])
	last := read[contract.ProductStatusFeed](t, o.get(t, "/v2/orders/summary/productstatusfeed?token="+end))
	require.Empty(t, last.Items)
	require.Equal(t, end, last.NextToken)

	require.Empty(t, read[contract.ProductStatusFeed](t, other.get(t, "/v2/orders/summary/productstatusfeed")).Items)
	for _, token := range []string{"x", "1", "1.x", "-1.1", "1.-1", ".", "1.1.1"} {
		o.requireRefused(t, refusal{method: http.MethodGet, path: "/v2/orders/summary/productstatusfeed?token=" + token, want: 400, field: "token"})
	}
}
