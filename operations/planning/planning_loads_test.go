package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// TestVehiclesHoldSoManyPallets plans by a dimension that the organization names: what the order and its products
// need, and what the vehicle or its type holds.
func TestVehiclesHoldSoManyPallets(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	read := func(sql string) string { return operationstest.One[string](d.Office, sql, d.Org) }
	dimensions := `[{"name": "PALLETS", "unit": "pallet places"}]`
	d.Do(`update organizations set load_dimensions = $2::jsonb where id = $1`, d.Org, dimensions)
	limit := `[{"dimension": "PALLETS", "amount": 6}]`
	d.Do(`update vehicle_types set max_loads = $2::jsonb where org_id = $1`, d.Org, limit)
	pallets := func(n float64) load.Amounts { return load.Amounts{{Dimension: "PALLETS", Amount: n}} }
	four := 4.0
	d.Load("A-0", "D-1", func(e *order.Request) {
		e.LoadAmounts = pallets(0.5)
		e.Products = []order.ProductRequest{{Name: "Sofa", Quantity: &four, LoadAmounts: pallets(1.5)}}
	})
	d.Plan()
	require.Contains(t, d.Reasons("A-0"), "LOAD_DIMENSION")
	needs := `{"dimension": "PALLETS", "unit": "pallet places", "needs": 6.5, "holds": 6}`
	require.JSONEq(t, `{"code": "LOAD_DIMENSION", "overBy": 0.5, "load": `+needs+`}`, read(`
		select (plan_reasons_document(org_id, reasons)->0) - '{drivers,count}'::text[]
		from plan_unplanned where org_id = $1`))
	slice := planningops.PlanningSlice{Area: operationstest.Area}
	_, err := d.Planning.ExplainDay(t.Context(), caller.Service(d.Org, "plan/test"), slice)
	require.NoError(t, err)
	require.JSONEq(t, needs, read(`select h->'load' from plan_unplanned u,
		jsonb_array_elements(plan_counterfactuals_document(org_id, order_id, counterfactuals)) h
		where org_id = $1 and h->>'change' = 'SPLIT_ORDER'`))
	require.JSONEq(t, `[{"dimension": "PALLETS", "amount": 0.5}]`,
		read("select base->'load_amounts' from v1_orders where org_id = $1"))
	require.JSONEq(t, `[{"dimension": "PALLETS", "amount": 1.5}]`,
		read("select base->'load_amounts' from order_product_documents where org_id = $1"))

	d.Do(`update vehicles set max_loads = '[{"dimension": "PALLETS", "amount": 7}]' where org_id = $1`, d.Org)
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"), "the vehicle's own limit counts")
	loads := read("select load_amounts from plan_routes where org_id = $1")
	require.JSONEq(t, `[{"dimension": "PALLETS", "unit": "pallet places", "amount": 6.5, "max": 7}]`, loads)

	d.Do("update organizations set load_dimensions = null where id = $1", d.Org)
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"), "what is no longer counted doesn't count")
	require.Equal(t, "[]", read("select load_amounts from plan_routes where org_id = $1"))
}
