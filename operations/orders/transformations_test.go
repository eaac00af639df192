package orders_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	"waybill/operations/orders"
	"waybill/store/masterdata"
	"waybill/store/storetest"
)

const rules = `
transformations:
  - name: Heavy
    triggers: [TRANSFORM_TRIGGER_ORDER_CREATED, TRANSFORM_TRIGGER_ORDER_UPDATED]
    when: order.weight > 100
    set:
      - {field: vehicleType, value: "'Truck'"}
      - {field: delivery.requiredSkills, value: "order.delivery.requiredSkills + ['Tail lift']"}
  - name: Wrong
    triggers: [TRANSFORM_TRIGGER_ORDER_UPDATED]
    order: -1
    set: [{field: vehicleType, value: "'Bike'"}]
  - name: Route
    triggers: [TRANSFORM_TRIGGER_ORDER_UPDATED]
    when: order.customer.externalId == 'C-100'
    set:
      - {field: routeNumber, value: "'R-' + order.delivery.address.postalCode"}
      - {field: customFields.dock_door, value: "order.products.size()"}
      - {field: pickup.instructions, value: "order.pickup.instructions.withLine('Call first')"}
      - {field: groups, value: "order.groups + ['Morning']"}
`

func withRules(t *testing.T, text string) (*operationstest.Office, int64) {
	t.Helper()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	o.Apply(operationstest.Head+text, masterdata.Options{})
	return o, org
}

func TestTransformOrderWritesWhatItsRulesChange(t *testing.T) {
	t.Parallel()
	o, org := withRules(t, rules)
	id := o.Imported(org, operationstest.HeavyOrder("A-1")).Orders[0].ID
	require.Equal(t, "Truck", operationstest.One[string](o, "select v.name from orders o join vehicle_types v on v.id = o.vehicle_type_id where o.id = $1", id))

	how := orders.Transforming{Trigger: order.TriggerUpdated, DryRun: true, Preview: true}
	before := o.EveryRow()
	dry, err := o.Orders.TransformOrder(t.Context(), operationstest.Clerk(org), id, how)
	require.NoError(t, err)
	require.Equal(t, before, o.EveryRow(), "a dry run wrote something")

	how.DryRun = false
	done, err := o.Orders.TransformOrder(t.Context(), operationstest.Clerk(org), id, how)
	require.NoError(t, err)
	require.Equal(t, dry, done, "a dry run tells what would be done")
	require.Len(t, done.Applied, 2)
	require.Equal(t, "Heavy", done.Applied[0].Rule)
	require.Equal(t, "Route", done.Applied[1].Rule)
	require.Contains(t, string(done.Applied[1].Output), `"routeNumber":"R-0461"`)
	require.Equal(t, "Wrong", done.Skipped[0].Rule)
	require.Equal(t, "R-0461 Call first 1 Morning", operationstest.One[string](o, `
		select concat_ws(' ', o.route_number, s.instructions, v.value, g.name) from orders o
		join order_stops s on s.order_id = o.id and s.kind = 'pickup'
		join custom_field_values v on v.order_id = o.id
		join order_group_members m on m.order_id = o.id join order_groups g on g.id = m.group_id
		where o.id = $1`, id))
	require.Equal(t, "order.created -|order.updated -|order.rule_skipped Wrong", operationstest.One[string](o, `
		select string_agg(kind || ' ' || coalesce(rule, '-'), '|' order by id) from events where order_id = $1`, id))

	_, err = o.Orders.TransformOrder(t.Context(), operationstest.Clerk(org), id, how)
	require.NoError(t, err)
	require.Equal(t, 1, operationstest.One[int](o, "select count(*)::int from events where order_id = $1 and kind = 'order.updated'", id), "again changes nothing")
	_, err = o.Orders.TransformOrder(t.Context(), operationstest.Clerk(org), id+1000, how)
	require.ErrorContains(t, err, "order.not_found")
}

func TestReimportMatchesResultOfRules(t *testing.T) {
	t.Parallel()
	o, org := withRules(t, rules)
	o.Imported(org, operationstest.HeavyOrder("A-1"))
	o.Imported(org, operationstest.HeavyOrder("A-1"))
	// The number remembers the newest import that spoke of it, and nothing else is written.
	rows := func() string {
		return regexp.MustCompile(`(?m)^order_numbers: .*\n`).ReplaceAllString(o.EveryRow(), "")
	}
	before := rows()
	plan := o.Imported(org, operationstest.HeavyOrder("A-1"))
	require.Equal(t, order.OrderUpdated, plan.Results[0].Kind)
	require.Empty(t, plan.Events)
	require.Equal(t, before, rows())

	changed := operationstest.HeavyOrder("A-1")
	changed.Reference = "PO 2"
	plan = o.Imported(org, changed)
	require.Len(t, plan.Events, 2)
	require.Equal(t, event.OrderUpdated, plan.Events[0].Kind)
	require.Equal(t, "Wrong", plan.Events[1].Rule)
}

func TestRulesAreCompiledAgainWhenTheyChange(t *testing.T) {
	t.Parallel()
	const rule = "transformations: [{name: A, triggers: [TRANSFORM_TRIGGER_ORDER_CREATED], set: [{field: reference, value: \"'VALUE'\"}]}]\n"
	o, org := withRules(t, strings.Replace(rule, "VALUE", "one", 1))
	require.Equal(t, "one", o.Imported(org, operationstest.HeavyOrder("A-1")).Orders[0].Reference)
	other := storetest.Organization(t, o.Database, "other")
	require.Equal(t, "PO", o.Imported(other, operationstest.HeavyOrder("A-1")).Orders[0].Reference, "rules are of one organization")

	require.Equal(t, "+0 ~1 =0 -0", o.Apply(operationstest.Head+strings.Replace(rule, "VALUE", "two", 1), masterdata.Options{})["transformations"])
	require.Equal(t, "two", o.Imported(org, operationstest.HeavyOrder("A-2")).Orders[0].Reference)
	require.Equal(t, "+0 ~0 =1 -0", o.Apply(operationstest.Head+strings.Replace(rule, "VALUE", "two", 1), masterdata.Options{})["transformations"])
	off := strings.Replace(rule, "name: A,", "name: a, active: false,", 1)
	require.Equal(t, "+0 ~1 =0 -0", o.Apply(operationstest.Head+off, masterdata.Options{})["transformations"])
	require.Equal(t, "PO", o.Imported(org, operationstest.HeavyOrder("A-3")).Orders[0].Reference)
	require.Equal(t, "+0 ~0 =0 -1", o.Apply(operationstest.Head+"transformations: []\n", masterdata.Options{Prune: true})["transformations"])
	require.Zero(t, operationstest.One[int](o, "select count(*)::int from transformation_rules"))
}

func TestMergedOrdersRunTheirRules(t *testing.T) {
	t.Parallel()
	o, org := withRules(t, `settings: {allowMerge: true}
transformations:
  - {name: Route, triggers: [TRANSFORM_TRIGGER_ORDER_CREATED], set: [{field: routeNumber, value: "'R-1'"}]}
  - name: Merged
    triggers: [TRANSFORM_TRIGGER_ORDER_MERGED]
    set: [{field: delivery.instructions, value: "string(order.products.size()) + ' goods'"}]
  - name: Changed
    triggers: [TRANSFORM_TRIGGER_ORDER_PRODUCTS_CHANGED]
    set: [{field: pickup.instructions, value: "string(order.weight) + ' kg'"}]
`)
	first := o.Imported(org, operationstest.HeavyOrder("A-1"))
	require.Empty(t, first.Orders[0].Pickup.Instructions)
	merged := o.Imported(org, operationstest.HeavyOrder("A-2"))
	require.Equal(t, order.OrderMerged, merged.Results[0].Kind, "what rules set counts for merging")
	read := func() string {
		return operationstest.One[string](o, `select string_agg(coalesce(instructions, '-'), '|' order by kind desc) from order_stops where order_id = $1`, first.Orders[0].ID)
	}
	require.Equal(t, "300 kg|2 goods", read())
	again := o.Imported(org, operationstest.HeavyOrder("A-2"))
	require.Empty(t, again.Events)

	lighter, weight := operationstest.HeavyOrder("A-2"), 50.0
	lighter.Products[0].Weight = &weight
	o.Imported(org, lighter)
	require.Equal(t, "200 kg|2 goods", read())
}

func TestRulesLeaveGoodsOnTheirWayAlone(t *testing.T) {
	t.Parallel()
	o, org := withRules(t, "")
	id := o.Imported(org, operationstest.HeavyOrder("A-1")).Orders[0].ID
	_, err := o.Owner.Exec(t.Context(), "update orders set status_id = 4 where id = $1", id)
	require.NoError(t, err)
	o.Apply(operationstest.Head+rules, masterdata.Options{})
	plan := o.Imported(org, operationstest.HeavyOrder("A-1"))
	require.Equal(t, order.OrderUpdated, plan.Results[0].Kind)
	require.Equal(t, "R-0461 - 0", operationstest.One[string](o, `
		select concat_ws(' ', o.route_number, coalesce(s.instructions, '-'), (select count(*) from stop_skills)) from orders o
		join order_stops s on s.order_id = o.id and s.kind = 'pickup' where o.id = $1`, id))
}
