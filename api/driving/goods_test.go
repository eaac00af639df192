package driving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/proof/paper/papertest"
)

// packs replaces an order's products with a pallet with chairs and a table, and
// returns them.
func (p *phone) packs(order int64) (pallet, chairs, table int64) {
	p.T.Helper()
	p.exec("delete from order_products where org_id = $1 and order_id = $2", order)
	const sql = `insert into order_products (org_id, order_id, number, seq, name, quantity, parent_id, atom_type)
		select $1, o.id, o.number, $3::int, $4, $5, nullif($6::bigint, 0), $7 from orders o where o.org_id = $1 and o.id = $2
		returning id`
	pallet = p.ID(sql, order, 1, "Pallet", 1, 0, "colli")
	return pallet, p.ID(
			sql,
			order,
			2,
			"Chair",
			4,
			pallet,
			"trade item",
		), p.ID(
			sql,
			order,
			3,
			"Table",
			1,
			pallet,
			"trade item",
		)
}

// exceptionsOf returns the kinds of an order's exceptions.
func (d depot) exceptionsOf(order int64) string {
	d.T.Helper()
	return d.Text(
		`select coalesce(string_agg(kind, ' ' order by id), '') from exceptions where org_id = $1 and order_id = $2`,
		order,
	)
}

func TestOrderFailsWhenEverythingIsRefused(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	order, pickup, delivery := nora.give("A-1")
	pallet, chairs, table := nora.packs(order)
	proof := object{"proof": object{"type": "IN_PERSON", "signee": "Kari"}}
	refused := object{"products": []object{{"productId": pallet, "delivered": 0, "refused": 1, "reason": "Damaged"}}}
	answers := nora.says(nora.did("PICK_UP", pickup, 3*minute), nora.did("DELIVER", delivery, 0, proof, refused))
	require.Equal(t, contract.DriverActionResultOutcome("APPLIED"), answers[1].Outcome)
	require.Equal(t, contract.OrderStatusID(7), *answers[1].OrderStatusID)

	require.Equal(
		t,
		"failed refused",
		d.Text("select delivery_status||' '||failure_reason from order_progress where org_id = $1 and order_id = $2", order),
	)
	require.Equal(t, "order.failed", d.Text(`select kind from events where org_id = $1 and order_id = $2 and kind in
		('order.delivered', 'order.failed')`, order))
	require.Equal(
		t,
		"false",
		d.Text("select counts::text from completion_proofs where org_id = $1 and order_id = $2", order),
	)
	require.Equal(t, "ALL_REFUSED", d.exceptionsOf(order))
	require.Equal(
		t,
		fmt.Sprintf("%d:1 %d:4 %d:1", pallet, chairs, table),
		d.Text(`select string_agg(order_product_id||':'||refused, ' '
		order by order_product_id) from order_product_deliveries where org_id = $1 and order_id = $2`, order),
	)

	nora.says(nora.did("UNDO", delivery, 0, object{"undoes": answers[1].ID}))
	require.Equal(
		t,
		"0",
		d.Text("select count(*)::text from order_product_deliveries where org_id = $1 and order_id = $2", order),
	)
	nora.says(nora.did("DELIVER", delivery, 0, proof, object{"products": []object{
		{"productId": chairs, "delivered": 1, "refused": 3},
	}}))
	require.Equal(t, "6", d.Text("select status_id::text from orders where org_id = $1 and id = $2", order))
}

func TestMissingGoodsAreNeitherPickedUpNorDelivered(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	whole, pickup, _ := nora.give("A-1")
	pallet, _, _ := nora.packs(whole)
	missing := func(product int64, count int) object {
		return object{"missingProducts": []object{{"productId": product, "missing": count, "reason": "Was not there"}}}
	}
	answers := nora.says(
		nora.did("REPORT_MISSING", pickup, 2*minute, missing(pallet, 1)),
		nora.did("PICK_UP", pickup, minute),
	)
	require.Equal(t, contract.DriverActionResultOutcome("APPLIED"), answers[0].Outcome)
	require.Equal(t, contract.OrderStatusID(7), *answers[1].OrderStatusID, "it is not picked up")
	require.Equal(t, contract.DriverActionReason("ALREADY_DONE"), *answers[1].Reason)
	require.Equal(
		t,
		"failed dropped missing",
		d.Text(`select concat_ws(' ', pickup_status, delivery_status, failure_reason)
		from order_progress where org_id = $1 and order_id = $2`, whole),
	)
	require.Equal(t, "GOODS_MISSING", d.exceptionsOf(whole))

	some, pickup, delivery := nora.give("A-2")
	_, chairs, table := nora.packs(some)
	report := nora.did("REPORT_MISSING", pickup, 2*minute, missing(chairs, 1))
	require.Equal(t, contract.OrderStatusID(2), *nora.says(report)[0].OrderStatusID, "the rest can be picked up")
	require.True(t, nora.says(report)[0].Repeated)
	require.Equal(t, "GOODS_MISSING", d.exceptionsOf(some))
	nora.says(
		nora.did("PICK_UP", pickup, minute),
		nora.did("DELIVER", delivery, 0, object{"proof": object{"type": "IN_PERSON"}}),
	)
	require.Equal(t, fmt.Sprintf("%d:3", chairs), d.Text(`select string_agg(order_product_id||':'||delivered, ' ')
		from order_product_deliveries where org_id = $1 and order_id = $2`, some))
	var order struct {
		Products []contract.OrderProduct `json:"order_products"`
	}
	w := d.Send(http.MethodGet, fmt.Sprintf("/v2/orders/%d", some), "", "Authorization", d.dispatcher)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &order), w.Body)
	for _, p := range order.Products {
		if p.ID == chairs {
			require.NotNil(t, p.MissingQuantity)
			require.Equal(t, 1.0, *p.MissingQuantity)
			require.Equal(t, nora.driver, p.MissingDriverID.MustGet())
			require.Equal(t, "Nora", p.MissingDriverName.MustGet())
			require.WithinDuration(t, time.Now().Add(-2*minute), p.MissingReportedAt.MustGet(), minute)
		}
		if p.ID == table {
			require.Nil(t, p.MissingQuantity)
		}
	}
	require.Equal(t, 1, strings.Count(d.paperOf(some, "en"), "Goods"))
	for language, wanted := range map[string][]string{
		"en": {
			"Pallet: 1 of 1 delivered", "Chair: 3 of 4 delivered · 1 missing at pickup (Was not there)",
			"Table: 1 of 1 delivered",
		},
		"nb": {"Varer", "Chair: 3 av 4 levert · 1 manglet ved henting (Was not there)"},
		"da": {"Varer", "Chair: 3 af 4 leveret · 1 manglede ved afhentning (Was not there)"},
	} {
		for _, said := range wanted {
			require.Contains(t, d.paperOf(some, language), strings.ReplaceAll(said, " ", ""))
		}
	}
}

// paperOf returns the text of an order's printed proof, without spaces.
func (d depot) paperOf(order int64, language string) string {
	d.T.Helper()
	w := d.Send(http.MethodGet, ofOrder(order, "/completion-proof.pdf"), "",
		"Authorization", d.dispatcher, "Accept-Language", language)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	return papertest.Text(d.T, w.Body.Bytes())
}

// TestContradictingReportsOfTwoPhones has an offline phone report something that
// happened before a report from another phone of the same driver.
func TestContradictingReportsOfTwoPhones(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	order, pickup, delivery := nora.give("A-1")
	nora.says(nora.did("PICK_UP", pickup, 5*minute), nora.did("FAIL", delivery, minute, object{"reason": "Closed"}))
	deliver := nora.did("DELIVER", delivery, 2*minute, object{"proof": object{"type": "IN_PERSON"}})
	answers := nora.says(deliver)
	require.Equal(t, contract.OrderStatusID(6), *answers[0].OrderStatusID)
	require.Equal(t, "OVERRIDDEN", d.exceptionsOf(order))
	const overridden = `select coalesce(string_agg(a.type||' by '||c.type, ' '), '') from driver_actions a
		join driver_actions c on c.org_id = a.org_id and c.id = a.overridden_by where a.org_id = $1`
	require.Equal(t, "FAIL by DELIVER", d.Text(overridden))
}
