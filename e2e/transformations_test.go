package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// transformations applies rules to the organization by its document, like an
// administrator.
func (o *organization) transformations(t *testing.T, rules string) error {
	t.Helper()
	head := one[string](t, o.installation, `
		select format('organization: {slug: %s, name: %s, timezone: %s, language: %s}', slug, name, timezone, language)
		from organizations where id = $1`, o.id)
	file := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(file, []byte(head+"\ntransformations:\n"+rules), 0o600))
	_, err := o.command(t.Context(), "apply", "-f", file)
	return err
}

const rules = `
  - name: Heavy goods need a tail lift
    triggers: [TRANSFORM_TRIGGER_ORDER_CREATED, TRANSFORM_TRIGGER_ORDER_UPDATED]
    when: order.weight > 100.0
    set:
      - {field: vehicleType, value: "'Truck'"}
      - {field: delivery.requiredSkills, value: "['Tail lift']"}
  - name: Note
    triggers: [TRANSFORM_TRIGGER_ORDER_PRODUCTS_CHANGED]
    set: [{field: delivery.instructions, value: "string(size(order.products)) + ' lines'"}]
  - name: Broken by what it meets
    triggers: [TRANSFORM_TRIGGER_ORDER_CREATED, TRANSFORM_TRIGGER_ORDER_UPDATED]
    when: order.reference.startsWith('BAD')
    set:
      - {field: routeNumber, value: "'never'"}
      - {field: customFields.colour, value: "'red'"}
`

func heavy(edits ...object) object {
	return newOrder("HEAVY", append([]object{{"products": []object{product("P", object{"weight": 80})}}}, edits...)...)
}

func TestRulesRunOnImports(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	vehicles := one[string](t, shared, "select string_agg(name, ',') from vehicle_types where org_id = $1", o.id)
	text := rules
	if !strings.Contains(vehicles, "Truck") {
		text = strings.ReplaceAll(rules, "Truck", one[string](t, shared, "select name from vehicle_types where org_id = $1 and name <> 'Van' limit 1", o.id))
	}
	require.NoError(t, o.transformations(t, text))
	id := orderID(t, o.importOrders(t, orders(heavy()))[0])
	path := fmt.Sprintf("/v1/orders/%d?loads=VehicleType,Skills,OrderLocations", id)
	first := read[contract.Order](t, o.get(t, path))
	require.NotEqual(t, "Van", first.VehicleType.MustGet().Name)
	require.Equal(t, "Tail lift", (*first.Skills)[0].Name)
	require.True(t, (*first.OrderLocations)[1].Instructions.IsNull())

	before := o.rows(t)
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, orders(heavy()))))
	after := o.rows(t)
	for _, table := range []string{"orders", "stops", "stop skills", "products", "events"} {
		require.Equal(t, before[table], after[table], "the same import again and the same outcome of the rules is no change")
	}
	preview := read[contract.ImportResponse](t, o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import?validateOnly=true", orders(heavy())))
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(preview.Results))

	o.importOrders(t, orders(heavy(object{"products": []object{product("P", object{"weight": 80}), product("Q")}})))
	require.Equal(t, "2 lines", (*read[contract.Order](t, o.get(t, path)).OrderLocations)[1].Instructions.MustGet())

	bad := o.importOrders(t, orders(newOrder("BAD", object{"reference": "BAD"})))
	require.True(t, read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d", orderID(t, bad[0])))).RouteNumber.IsNull())
	require.Equal(t, "Broken by what it meets", one[string](t, shared, "select rule from events where org_id = $1 and kind = 'order.rule_skipped' and external_id = 'BAD'", o.id))
}

func TestApplyTransformations(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, orders(heavy(object{"reference": "BAD 1"})))[0])
	path := fmt.Sprintf("/v2/orders/%d/apply-transformations", id)
	apply := func(body object) contract.ApplyTransformationsResponse {
		return read[contract.ApplyTransformationsResponse](t, o.expect(t, http.StatusOK, http.MethodPost, path, body))
	}
	none := apply(object{"trigger": "TRANSFORM_TRIGGER_ORDER_CREATED"})
	require.Empty(t, none.AppliedRules)
	require.NoError(t, o.transformations(t, strings.ReplaceAll(rules, "- {field: vehicleType, value: \"'Truck'\"}", "- {field: routeNumber, value: \"'HEAVY'\"}")))

	before := o.rows(t)
	dry := apply(object{"trigger": "TRANSFORM_TRIGGER_ORDER_UPDATED", "dryRun": true, "includePreview": true})
	requireSameRows(t, before, o.rows(t))
	require.Len(t, dry.AppliedRules, 1)
	require.Equal(t, "Heavy goods need a tail lift", dry.AppliedRules[0].RuleName)
	require.Contains(t, *dry.AppliedRules[0].InputJSON, `"externalId":"HEAVY"`)
	require.NotContains(t, *dry.AppliedRules[0].InputJSON, "Tail lift")
	require.Contains(t, *dry.AppliedRules[0].OutputJSON, `"requiredSkills":["Tail lift"]`)
	require.Equal(t, []contract.SkippedRule{{RuleName: "Broken by what it meets", Reason: `customFields.colour: custom field "colour" not found`}}, dry.SkippedRules)

	done := apply(object{"trigger": "TRANSFORM_TRIGGER_ORDER_UPDATED"})
	require.Nil(t, done.AppliedRules[0].InputJSON)
	require.Equal(t, dry.SkippedRules, done.SkippedRules)
	order := read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d?loads=Skills", id)))
	require.Equal(t, "HEAVY", order.RouteNumber.MustGet())
	require.Len(t, *order.Skills, 1)
	require.Equal(t, "order.created,order.updated,order.rule_skipped", one[string](t, shared, "select string_agg(kind, ',' order by id) from events where org_id = $1 and subject_type = 'order'", o.id))

	for _, r := range []refusal{
		{name: "NoTrigger", body: object{"dryRun": true}, want: 400, field: "trigger"},
		{name: "UnknownTrigger", body: object{"trigger": "ORDER_CREATED"}, want: 400, field: "trigger"},
		{name: "WrongType", body: object{"trigger": "TRANSFORM_TRIGGER_ORDER_CREATED", "dryRun": "yes"}, want: 400, field: "dryRun"},
		{name: "NoBody", body: "", want: 400},
		{name: "UnknownOrder", path: "/v2/orders/999999999/apply-transformations", body: object{"trigger": "TRANSFORM_TRIGGER_ORDER_CREATED"}, want: 404},
	} {
		r.method = http.MethodPost
		if r.path == "" {
			r.path = path
		}
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
}

func TestApplyRefusesRulesThatDoNotCompile(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	err := o.transformations(t, strings.Replace(rules, "order.weight", "order.wait", 1))
	require.ErrorContains(t, err, "rules.yaml:6:11: transformations[0].when: column 6 of the expression: undefined field 'wait'")
	require.Zero(t, one[int](t, shared, "select count(*) from transformation_rules where org_id = $1", o.id))
}
