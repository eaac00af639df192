package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store"
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

func heavyOrder(number string) order.Request {
	weight := 150.0
	return order.Request{
		ExternalID: number, Date: "2026-03-02", Reference: "PO", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "Van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: &order.LocationRequest{ExternalID: "L-1"}, Delivery: &order.LocationRequest{ExternalID: "L-2"},
		Products: []order.ProductRequest{{Name: "Sofa", ExternalID: "P", Weight: &weight}},
	}
}

// imported saves entries as an import does.
func (d *documents) imported(org int64, entries ...order.Request) order.Plan {
	d.t.Helper()
	var plan order.Plan
	err := d.store.InTx(d.t.Context(), caller.Service(org, "test"), func(t *store.Tx) error {
		s, err := t.Snapshot(d.t.Context(), store.Scope{Entries: entries, Lock: true})
		if err != nil {
			return err
		}
		plan = order.Decide(s, order.Defaults{}, entries)
		return t.Save(d.t.Context(), plan, order.Defaults{})
	})
	require.NoError(d.t, err)
	return plan
}

// everyRow is each row of every organization's tables, and which transaction
// wrote it where.
func (d *documents) everyRow() string {
	d.t.Helper()
	var all strings.Builder
	for _, table := range tenantTables(d) {
		all.WriteString(table + ": " + one[string](d, "select coalesce(string_agg(concat_ws(' ', t.xmin, t.ctid, t::text), ',' order by t.ctid), '') from "+table+" t") + "\n")
	}
	return all.String()
}

func withRules(t *testing.T, text string) (*documents, int64) {
	t.Helper()
	d := newDocuments(t)
	org := storetest.Organization(t, d.Database, "acme")
	_, err := d.apply(head+text, store.ApplyOptions{})
	require.NoError(t, err)
	return d, org
}

func TestTransformOrderWritesWhatItsRulesChange(t *testing.T) {
	t.Parallel()
	d, org := withRules(t, rules)
	id := d.imported(org, heavyOrder("A-1")).Orders[0].ID
	require.Equal(t, "Truck", one[string](d, "select v.name from orders o join vehicle_types v on v.id = o.vehicle_type_id where o.id = $1", id))

	how := store.Transforming{Trigger: order.TriggerUpdated, DryRun: true, Preview: true}
	before := d.everyRow()
	dry, err := d.store.TransformOrder(t.Context(), caller.Service(org, "test"), id, how)
	require.NoError(t, err)
	require.Equal(t, before, d.everyRow(), "a dry run wrote something")

	how.DryRun = false
	done, err := d.store.TransformOrder(t.Context(), caller.Service(org, "test"), id, how)
	require.NoError(t, err)
	require.Equal(t, dry, done, "a dry run tells what would be done")
	require.Len(t, done.Applied, 2)
	require.Equal(t, "Heavy", done.Applied[0].Rule)
	require.Equal(t, "Route", done.Applied[1].Rule)
	require.Contains(t, string(done.Applied[1].Output), `"routeNumber":"R-0461"`)
	require.Equal(t, "Wrong", done.Skipped[0].Rule)
	require.Equal(t, "R-0461 Call first 1 Morning", one[string](d, `
		select concat_ws(' ', o.route_number, s.instructions, v.value, g.name) from orders o
		join order_stops s on s.order_id = o.id and s.kind = 'pickup'
		join custom_field_values v on v.order_id = o.id
		join order_group_members m on m.order_id = o.id join order_groups g on g.id = m.group_id
		where o.id = $1`, id))
	require.Equal(t, "order.created -|order.updated -|order.rule_skipped Wrong", one[string](d, `
		select string_agg(kind || ' ' || coalesce(rule, '-'), '|' order by id) from events where order_id = $1`, id))

	_, err = d.store.TransformOrder(t.Context(), caller.Service(org, "test"), id, how)
	require.NoError(t, err)
	require.Equal(t, 1, one[int](d, "select count(*)::int from events where order_id = $1 and kind = 'order.updated'", id), "again changes nothing")
	_, err = d.store.TransformOrder(t.Context(), caller.Service(org, "test"), id+1000, how)
	require.ErrorContains(t, err, "order.not_found")
}

func TestImportingAgainFindsTheOutcomeOfTheRules(t *testing.T) {
	t.Parallel()
	d, org := withRules(t, rules)
	d.imported(org, heavyOrder("A-1"))
	d.imported(org, heavyOrder("A-1"))
	before := d.everyRow()
	plan := d.imported(org, heavyOrder("A-1"))
	require.Equal(t, order.OrderUpdated, plan.Results[0].Kind)
	require.Empty(t, plan.Events)
	require.Equal(t, before, d.everyRow())

	changed := heavyOrder("A-1")
	changed.Reference = "PO 2"
	plan = d.imported(org, changed)
	require.Len(t, plan.Events, 2)
	require.Equal(t, order.EventUpdated, plan.Events[0].Kind)
	require.Equal(t, "Wrong", plan.Events[1].Rule)
}

func TestRulesAreCompiledAgainWhenTheyChange(t *testing.T) {
	t.Parallel()
	const rule = "transformations: [{name: A, triggers: [TRANSFORM_TRIGGER_ORDER_CREATED], set: [{field: reference, value: \"'VALUE'\"}]}]\n"
	d, org := withRules(t, strings.Replace(rule, "VALUE", "one", 1))
	require.Equal(t, "one", d.imported(org, heavyOrder("A-1")).Orders[0].Reference)
	other := storetest.Organization(t, d.Database, "other")
	require.Equal(t, "PO", d.imported(other, heavyOrder("A-1")).Orders[0].Reference, "rules are of one organization")

	require.Equal(t, "+0 ~1 =0 -0", d.done(head+strings.Replace(rule, "VALUE", "two", 1), store.ApplyOptions{})["transformations"])
	require.Equal(t, "two", d.imported(org, heavyOrder("A-2")).Orders[0].Reference)
	require.Equal(t, "+0 ~0 =1 -0", d.done(head+strings.Replace(rule, "VALUE", "two", 1), store.ApplyOptions{})["transformations"])
	off := strings.Replace(rule, "name: A,", "name: a, active: false,", 1)
	require.Equal(t, "+0 ~1 =0 -0", d.done(head+off, store.ApplyOptions{})["transformations"])
	require.Equal(t, "PO", d.imported(org, heavyOrder("A-3")).Orders[0].Reference)
	require.Equal(t, "+0 ~0 =0 -1", d.done(head+"transformations: []\n", store.ApplyOptions{Prune: true})["transformations"])
	require.Zero(t, one[int](d, "select count(*)::int from transformation_rules"))
}

func TestMergedOrdersRunTheirRules(t *testing.T) {
	t.Parallel()
	d, org := withRules(t, `settings: {allowMerge: true}
transformations:
  - {name: Route, triggers: [TRANSFORM_TRIGGER_ORDER_CREATED], set: [{field: routeNumber, value: "'R-1'"}]}
  - name: Merged
    triggers: [TRANSFORM_TRIGGER_ORDER_MERGED]
    set: [{field: delivery.instructions, value: "string(order.products.size()) + ' goods'"}]
  - name: Changed
    triggers: [TRANSFORM_TRIGGER_ORDER_PRODUCTS_CHANGED]
    set: [{field: pickup.instructions, value: "string(order.weight) + ' kg'"}]
`)
	first := d.imported(org, heavyOrder("A-1"))
	require.Empty(t, first.Orders[0].Pickup.Instructions)
	merged := d.imported(org, heavyOrder("A-2"))
	require.Equal(t, order.OrderMerged, merged.Results[0].Kind, "what rules set counts for merging")
	read := func() string {
		return one[string](d, `select string_agg(coalesce(instructions, '-'), '|' order by kind desc) from order_stops where order_id = $1`, first.Orders[0].ID)
	}
	require.Equal(t, "300 kg|2 goods", read())
	again := d.imported(org, heavyOrder("A-2"))
	require.Empty(t, again.Events)

	lighter, weight := heavyOrder("A-2"), 50.0
	lighter.Products[0].Weight = &weight
	d.imported(org, lighter)
	require.Equal(t, "200 kg|2 goods", read())
}

func TestRulesLeaveGoodsOnTheirWayAlone(t *testing.T) {
	t.Parallel()
	d, org := withRules(t, "")
	id := d.imported(org, heavyOrder("A-1")).Orders[0].ID
	_, err := d.owner.Exec(t.Context(), "update orders set status_id = 4 where id = $1", id)
	require.NoError(t, err)
	_, err = d.apply(head+rules, store.ApplyOptions{})
	require.NoError(t, err)
	plan := d.imported(org, heavyOrder("A-1"))
	require.Equal(t, order.OrderUpdated, plan.Results[0].Kind)
	require.Equal(t, "R-0461 - 0", one[string](d, `
		select concat_ws(' ', o.route_number, coalesce(s.instructions, '-'), (select count(*) from stop_skills)) from orders o
		join order_stops s on s.order_id = o.id and s.kind = 'pickup' where o.id = $1`, id))
}
