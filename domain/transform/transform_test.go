package transform_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/transform"
)

// world is a snapshot of an organization with a little of everything.
func world() *order.Snapshot {
	s := &order.Snapshot{
		VehicleTypes: []order.VehicleType{
			{Named: order.Named{ID: 1, Name: "Van"}}, {Named: order.Named{ID: 2, Name: "Truck"}},
		},
		OrderTypes:   []order.OrderType{{Named: order.Named{ID: 5, Name: "Standard"}}},
		Skills:       []order.Named{{ID: 7, Name: "Tail lift"}, {ID: 8, Name: "ADR"}},
		Groups:       []order.Named{{ID: 11, Name: "Morning"}, {ID: 12, Name: "Evening"}},
		CustomFields: []order.CustomField{{ID: 21, ExternalID: "dock_door"}, {ID: 22, ExternalID: "gate-code"}},
		Customers:    []order.Customer{{ID: 31, ExternalID: "C-100", BusinessName: "Fjord Møbler AS"}},
	}
	s.Prepare()
	return s
}

func ptr[T any](v T) *T { return &v }

func anOrder() *order.Order {
	return &order.Order{
		Number: "A-1", Status: order.Registered,
		Header: order.Header{
			Date: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), Reference: "PO 7",
			CustomerID: 31, OrderTypeID: 5, VehicleTypeID: 1,
		},
		Pickup: order.Stop{
			Name: "Alnabru", Address: order.Address{PostalCode: "0668", Country: "NO"},
			Instructions: "Ramp 4", Priority: order.PriorityNormal,
			Window: order.Window{
				Earliest: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC), Latest: time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC),
			},
		},
		Delivery: order.Stop{
			Name: "Nydalen", Address: order.Address{PostalCode: "5003", City: "Bergen"}, Priority: order.PriorityNormal,
			Skills:   map[int64]order.SkillType{8: order.SkillProhibited},
			Contacts: []order.Contact{{FirstName: "Kari", PhoneNumber: "+4790000001"}},
		},
		Products: []*order.Product{
			{Name: "Sofa", Quantity: 2, Weight: ptr(60.0), AtomType: order.AtomTradeItem},
			{Name: "Glass", Quantity: 1, AtomType: order.AtomTradeItem},
		},
		Groups:       []int64{11},
		CustomFields: map[int64]order.FieldValue{21: {JSON: `"3"`, Stop: order.Delivery}},
	}
}

func rule(when string, set ...string) transform.Rule {
	r := transform.Rule{Name: "rule", Triggers: order.Triggers, When: when, Active: true}
	for i := 0; i < len(set); i += 2 {
		r.Set = append(r.Set, transform.Assignment{Field: set[i], Value: set[i+1]})
	}
	return r
}

// runOn runs rules on an order and returns the runner with the results.
func runOn(t *testing.T, o *order.Order, rules ...transform.Rule) *transform.Runner {
	t.Helper()
	for _, r := range rules {
		require.Empty(t, transform.Check(r), "%+v", r)
	}
	runner := transform.Compile(rules).Over(world())
	runner.Record, runner.Preview = true, true
	runner.Transform(o, order.TriggerCreated)
	return runner
}

func TestConditionsSeeTheOrder(t *testing.T) {
	t.Parallel()
	for _, when := range []string{
		`order.externalId == 'A-1' && order.date == '2026-03-02' && order.reference.startsWith('PO')`,
		`order.customer.externalId == 'C-100' && order.customer.businessName.contains('Møbler')`,
		`order.orderType == 'Standard' && order.vehicleType == 'Van'`,
		`order.weight == 120.0 && order.weight > 119 && order.volume < 0.1`,
		`order.products.exists(p, p.weight > 50)`,
		`order.products.all(p, p.atomType == 'trade item') && size(order.products) == 2`,
		`order.products.exists(p, !has(p.weight)) && order.products[0].name == 'Sofa'`,
		`order.products.map(p, p.quantity) == [2.0, 1.0]`,
		`'Morning' in order.groups`,
		`order.customFields.dock_door == '3' && !('gate-code' in order.customFields)`,
		`order.pickup.address.postalCode.matches('^0[0-9]{3}$') && !has(order.pickup.address.latitude)`,
		`order.pickup.earliest < timestamp('2026-03-02T08:00:00Z') && order.pickup.earliest.getHours('Europe/Oslo') == 8`,
		`order.delivery.prohibitedSkills == ['ADR'] && order.delivery.contacts[0].phoneNumber.startsWith('+47')`,
		`order.delivery.address.city.upperAscii() == 'BERGEN' && ' x '.trim() == 'x'`,
		`trigger == 'TRANSFORM_TRIGGER_ORDER_CREATED'`,
		`!has(order.delivery.estimatedTimeOnLocation) && order.delivery.estimatedTimeOnLocation == 0`,
		`order.pickup != order.delivery && order.pickup == order.pickup`,
		`[order.pickup, order.delivery].exists(s, s.address.city == 'Bergen')`,
	} {
		o := anOrder()
		runner := runOn(t, o, rule(when, "routeNumber", "'yes'"))
		require.Empty(t, runner.Skipped, when)
		require.Equal(t, "yes", o.RouteNumber, when)
	}
}

func TestEveryFieldCanBeSet(t *testing.T) {
	t.Parallel()
	want := anOrder()
	want.Reference, want.FreightNumber, want.RouteNumber = "PO 7/A-1", "F-1", "R-1"
	want.VehicleTypeID, want.Groups = 2, []int64{12, 11}
	want.CustomFields = map[int64]order.FieldValue{21: {JSON: `["a",1]`, Stop: order.Delivery}, 22: {JSON: `true`}}
	want.Pickup.Instructions, want.Pickup.CustomerInstructions, want.Pickup.ParkingInstructions = "Ramp 4\nCall", "c", "p"
	want.Pickup.Priority, want.Pickup.NotifyBeforeArrival = order.PriorityHigh, ptr(true)
	want.Pickup.EstimatedTimeOnLocation = ptr(int32(15))
	want.Pickup.Skills = map[int64]order.SkillType{7: order.SkillRequired, 8: order.SkillProhibited}
	want.Delivery.Instructions, want.Delivery.CustomerInstructions, want.Delivery.ParkingInstructions = "a", "b", "c"
	want.Delivery.Priority, want.Delivery.NotifyBeforeArrival = order.PriorityLow, ptr(false)
	want.Delivery.Skills = map[int64]order.SkillType{8: order.SkillRequired}

	o := anOrder()
	shared := *o
	runner := runOn(t, o, rule("",
		"reference", "order.reference + '/' + order.externalId", "internalFreightNumber", "'F-1'", "routeNumber", "'R-1'",
		"vehicleType", "'truck'", "groups", "['evening', 'Morning', 'MORNING']",
		"customFields.dock_door", "['a', 1]", "customFields.gate-code", "order.weight > 100",
		"pickup.instructions", "order.pickup.instructions.withLine('Call').withLine('Call')",
		"pickup.customerInstructions", "'c'", "pickup.parkingInstructions",
		"'p'", "pickup.priority", "'LOCATION_PRIORITY_HIGH'",
		"pickup.estimatedTimeOnLocation", "10 + 5", "pickup.sendNotificationBeforeArriving", "true",
		"pickup.requiredSkills", "['tail lift']", "pickup.prohibitedSkills", "['ADR']"),
		rule("", "delivery.instructions", "'a'", "delivery.customerInstructions", "'b'",
			"delivery.parkingInstructions", "'c'",
			"delivery.priority", "'LOCATION_PRIORITY_LOW'", "delivery.estimatedTimeOnLocation", "null",
			"delivery.sendNotificationBeforeArriving", "false", "delivery.prohibitedSkills", "[]",
			"delivery.requiredSkills", "['ADR']"))
	require.Empty(t, runner.Skipped)
	require.Equal(t, want, o)
	require.Equal(t, anOrder(), &shared, "a map or list that others share was changed in place")

	again := *o
	runOn(t, &again, rule("", "customFields.dock_door", "null"))
	require.Equal(t, map[int64]order.FieldValue{22: {JSON: "true"}}, again.CustomFields)
}

func TestARuleThatFailsChangesNothing(t *testing.T) {
	t.Parallel()
	long := "'" + strings.Repeat("x", 300) + "'"
	for _, c := range []struct{ name, when, field, value, reason string }{
		{"division by zero", "1 / size(order.internalFreightNumber) > 0", "reference", "'x'", "when: division by zero"},
		{"unknown vehicle type", "", "vehicleType", "'Bike'", `vehicleType: vehicle type "Bike" not found`},
		{"unknown group", "", "groups", "['Night']", `groups: group "Night" not found`},
		{"unknown skill", "", "pickup.requiredSkills", "['Flying']", `pickup.requiredSkills: skill "Flying" not found`},
		{"skill required and prohibited", "", "delivery.requiredSkills", "['ADR']", "both required and prohibited"},
		{"unknown custom field", "", "customFields.colour", "'red'", `custom field "colour" not found`},
		{"missing custom field", "order.customFields.colour == 'red'", "reference", "'x'", "no such key: colour"},
		{"too long", "", "reference", long, "255 bytes or fewer"},
		{"NUL", "", "reference", `'a\u0000'`, "NUL"},
		{"NUL in a custom field", "", "customFields.dock_door", `['a\u0000']`, "NUL"},
		{"bad priority", "", "pickup.priority", "'HIGH'", "must be one of LOCATION_PRIORITY_LOW"},
		{"minutes out of range", "", "pickup.estimatedTimeOnLocation", "5000", "between 0 and 1440"},
		{
			"wrong type at run time", "", "reference",
			"order.customFields.dock_door == '3' ? dyn(1) : dyn('a')", "must be a text, not int",
		},
		{
			"an object as a custom field", "", "customFields.dock_door", "order.pickup",
			"a custom field cannot have a value of type",
		},
		{"index", "", "reference", "order.products[7].name", "index out of bounds"},
		{
			"too costly",
			"order.products.all(p, order.products.all(q, [1,2,3,4,5,6,7,8,9].map(x, string(x) + " +
				"'aaaaaaaaaaaaaaaaaaaaaaaaaaaa').size() < 0 || true))",
			"reference", "'x'", "cost limit exceeded",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := anOrder()
			if c.name == "too costly" {
				for range 200 {
					o.Products = append(o.Products, &order.Product{Name: "P", Quantity: 1})
				}
				c.when = strings.Replace(c.when,
					"[1,2,3,4,5,6,7,8,9].map(x, string(x) + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa').size() < 0",
					"p.name + q.name == 'never'", 1)
			}
			before := *o
			r := rule(c.when, "routeNumber", "'set before'", c.field, c.value)
			r.Name = "bad"
			runner := runOn(t, o, r, rule("", "internalFreightNumber", "'next'"))
			require.Len(t, runner.Skipped, 1)
			require.Equal(t, "bad", runner.Skipped[0].Rule)
			require.Contains(t, runner.Skipped[0].Reason, c.reason)
			before.FreightNumber = "next"
			require.Equal(t, &before, o)
		})
	}
}

func TestUncompilableRulesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule       transform.Rule
		part, text string
	}{
		{rule("order.refrence == 'x'"), "when", "undefined field 'refrence'"},
		{rule("order.reference"), "when", "returns a text, but must return true or false"},
		{rule("order.reference ="), "when", "column"},
		{rule("now() > 1"), "when", "undeclared reference to 'now'"},
		{
			rule("true &&\n  other.reference == 'x'"), "when",
			"line 2, column 3 of the expression: undeclared reference to 'other'",
		},
		{rule("order.weight > 'x'"), "when", "no matching overload"},
		{rule("order.reference.matches('(')"), "when", "missing closing )"},
		{rule("order.reference.matches(order.delivery.instructions)"), "when", "the pattern must be written out"},
		{rule("matches(order.reference, 'x' + order.routeNumber)"), "when", "the pattern must be written out"},
		{rule("order.reference.matches('x{1000}x{1000}')"), "when", "the pattern is too large"},
		{rule("'" + strings.Repeat("x", 4_001) + "' == ''"), "when", "4000 characters or fewer"},
		{rule(strings.Repeat("(", 400) + "true" + strings.Repeat(")", 400)), "when", ""},
		{rule("[1].all(a, [1].all(b, [1].all(c, [1].all(d, true))))"), "when", "nest"},
		{rule("", "externalId", "'x'"), "set[0].field", `a rule cannot set the field "externalId"; it can set`},
		{rule("", "id", "1"), "set[0].field", "a rule cannot set the field"},
		{rule("", "status", "1"), "set[0].field", "a rule cannot set the field"},
		{rule("", "customer", "'x'"), "set[0].field", "a rule cannot set the field"},
		{rule("", "customFields.", "'x'"), "set[0].field", "a rule cannot set the field"},
		{rule("", "reference", ""), "set[0].value", "is empty"},
		{rule("", "reference", "1"), "set[0].value", "returns a whole number, but must return a text"},
		{rule("", "reference", "'a'", "reference", "'b'"), "set[1].field", "set twice"},
		{rule("", "groups", "[1]"), "set[0].value", "but must return a list"},
		{rule("", "groups", "order.products"), "set[0].value", "but must return a list"},
		{transform.Rule{Triggers: []order.Trigger{"ORDER_CREATED"}}, "triggers[0]", "TRANSFORM_TRIGGER_ORDER_CREATED"},
	} {
		problems := transform.Check(c.rule)
		require.NotEmpty(t, problems, "%+v", c.rule)
		require.Equal(t, c.part, problems[0].Part, "%+v", problems)
		require.Contains(t, problems[0].Text, c.text)
		require.NotContains(t, problems[0].Text, "\n")
	}
	c := transform.Compile([]transform.Rule{rule("order.refrence == 'x'", "reference", "'y'")}).Over(world())
	require.Equal(t, []string{"rule"}, c.Transform(anOrder(), order.TriggerCreated),
		"one that no longer compiles is not forgotten")
}

func TestRulesRunInTheirOrderOnTheirTriggers(t *testing.T) {
	t.Parallel()
	last, first := rule("", "reference", "order.reference + '3'"), rule("", "reference", "'1'")
	never, off := rule("", "reference", "'no'"), rule("", "reference", "'off'")
	last.Order, first.Order = 2, -1
	never.Triggers, off.Active = []order.Trigger{order.TriggerMerged}, false
	middle := rule("order.reference == '1'", "reference", "order.reference + '2'")
	o := anOrder()
	runOn(t, o, last, middle, never, off, first)
	require.Equal(t, "123", o.Reference)

	runner := transform.Compile([]transform.Rule{rule("", "reference", "order.reference + '!'")}).Over(world())
	o = anOrder()
	runner.Transform(o, order.TriggerUpdated, order.TriggerProductsChanged)
	require.Equal(t, "PO 7!", o.Reference, "a rule that two triggers start runs once")
	require.Nil(t, transform.Compile([]transform.Rule{off}).Over(world()))
}

func TestAllRulesOfAnOrderShareABudget(t *testing.T) {
	t.Parallel()
	o := anOrder()
	for range 5_000 {
		o.Products = append(o.Products, &order.Product{Name: "P", Quantity: 1})
	}
	var rules []transform.Rule
	for range transform.MaxRules {
		rules = append(rules, rule("order.products.all(p, p.name != 'x')", "routeNumber", "'x'"))
	}
	runner := runOn(t, o, rules...)
	require.GreaterOrEqual(t, len(runner.Applied), 2)
	require.Greater(t, len(runner.Skipped), 50)
	require.Contains(t, runner.Skipped[len(runner.Skipped)-1].Reason, "took too long")
}

// A rule that runs out of time changes nothing, and reports it; the next order has
// its own time.
func TestRulesOfAnOrderHaveATimeLimit(t *testing.T) {
	t.Parallel()
	runner := transform.Compile([]transform.Rule{rule("true", "routeNumber", "'x'")}).Over(world())
	runner.Record = true
	late := anOrder()
	was := *late
	runner.Within(time.Nanosecond)
	require.Len(t, runner.Transform(late, order.TriggerCreated), 1)
	require.Equal(t, was, *late)
	require.Contains(t, runner.Skipped[0].Reason, "took too long")

	runner.Within(time.Minute)
	next := anOrder()
	require.Empty(t, runner.Transform(next, order.TriggerCreated))
	require.Equal(t, "x", next.RouteNumber)
}

// The cost of matching a pattern depends on the compiled pattern and the text,
// not on the pattern's length.
func TestPatternCostMatchesWork(t *testing.T) {
	t.Parallel()
	o := anOrder()
	o.Delivery.Instructions = strings.Repeat("x", 9_000)
	o.Pickup.Instructions = o.Delivery.Instructions
	o.CustomFields = map[int64]order.FieldValue{21: {JSON: `"` + strings.Repeat("x", 9_000) + `"`}}
	for _, c := range []struct{ when, reason string }{
		{"order.delivery.instructions.matches('x{3}y')", ""},
		{"order.delivery.instructions.matches('x{200}y')", "cost limit"},
		{"matches(order.delivery.instructions, 'x{200}y')", "cost limit"},
		{"order.customFields.dock_door.matches('x{200}y')", "cost limit"},
		{"(order.pickup.instructions + order.delivery.instructions).matches('y')", "the text must be 10000 bytes or fewer"},
	} {
		runner := runOn(t, o, rule(c.when, "routeNumber", "'x'"))
		if c.reason == "" {
			require.Empty(t, runner.Skipped, c.when)
			continue
		}
		require.Len(t, runner.Skipped, 1, c.when)
		require.Contains(t, runner.Skipped[0].Reason, c.reason)
	}
}

// One order after the other may cost as much as one may, but not without end.
func TestAllOrdersOfARunShareABudget(t *testing.T) {
	t.Parallel()
	o := anOrder()
	for range 5_000 {
		o.Products = append(o.Products, &order.Product{Name: "P", Quantity: 1})
	}
	var rules []transform.Rule
	for range 3 {
		rules = append(rules, rule("order.products.all(p, p.name != 'x')", "routeNumber", "'x'"))
	}
	runner := transform.Compile(rules).Over(world())
	orders := 0
	for ; len(runner.Transform(o, order.TriggerCreated)) < len(rules); orders++ {
		require.Less(t, orders, 100)
	}
	require.Greater(t, orders, 8)
	small := anOrder()
	require.Empty(t, runner.Transform(small, order.TriggerCreated), "what each order brings is enough for an ordinary one")
}

func TestAPreviewShowsTheOrderBeforeAndAfter(t *testing.T) {
	t.Parallel()
	runner := runOn(t, anOrder(), rule("", "reference", "'new'"), rule("false", "reference", "'never'"))
	require.Len(t, runner.Applied, 1)
	var before, after map[string]any
	require.NoError(t, json.Unmarshal(runner.Applied[0].Input, &before))
	require.NoError(t, json.Unmarshal(runner.Applied[0].Output, &after))
	require.Equal(t, "PO 7", before["reference"])
	require.Equal(t, "new", after["reference"])
	require.Equal(t, "2026-03-02T07:00:00Z", before["pickup"].(map[string]any)["earliest"])
	require.Equal(t, map[string]any{"dock_door": "3"}, before["customFields"])
	after["reference"] = before["reference"]
	require.Equal(t, before, after)
}

func BenchmarkTenRules(b *testing.B) {
	var rules []transform.Rule
	for range 10 {
		rules = append(rules,
			rule("order.reference.startsWith('PO') && order.weight > 50",
				"pickup.instructions", "order.pickup.instructions.withLine('Call')"))
	}
	runner := transform.Compile(rules).Over(world())
	o := anOrder()
	for b.Loop() {
		next := *o
		runner.Transform(&next, order.TriggerCreated)
	}
}
