package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBadTemplates(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	theirs := func(table string) int64 {
		return one[int64](t, shared, "select min(id) from "+table+" where org_id = $1", other.id)
	}
	order := func(edits object) object {
		order := newTemplate()["orderTemplate"].(object)
		for name, value := range edits {
			if order[name] = value; value == nil {
				delete(order, name)
			}
		}
		return object{"orderTemplate": order}
	}
	stop := func(edits object) object {
		stop := newTemplate()["orderTemplate"].(object)["delivery"].(object)
		for name, value := range edits {
			stop[name] = value
		}
		return stop
	}
	const unusable = http.StatusUnprocessableEntity
	cases := []struct {
		name  string
		edit  object
		want  int
		field string
	}{
		{"NoOrder", object{"orderTemplate": nil}, 400, "orderTemplate"},
		{"AnOrderThatIsText", object{"orderTemplate": "x"}, 400, "orderTemplate"},
		{"ANumberInTheOrderThatIsText", order(object{"products": []object{{"quantity": "2"}}}), 400, "orderTemplate.products[0].quantity"},
		{"NUL", order(object{"reference": "a\x00"}), 400, "orderTemplate.reference"},
		{"NULInTheName", object{"name": "a\x00"}, 400, "name"},
		{"ANameThatIsTooLong", object{"name": strings.Repeat("x", 256)}, 400, "name"},
		{"ANullName", object{"name": nil}, 400, "name"},
		{"NoStart", object{"startDate": nil}, 400, "startDate"},
		{"AStartThatIsADay", object{"startDate": "2026-12-07"}, 400, "startDate"},
		{"AStartBeyondAllReason", object{"startDate": "9999-12-07T00:00:00Z"}, 400, "startDate"},
		{"AnEndBeforeTheStart", object{"endDate": "2020-01-01T00:00:00Z"}, unusable, "endDate"},
		{"TooManyDays", object{"daysToGenerateAhead": 366}, 400, "daysToGenerateAhead"},
		{"DaysBelowNothing", object{"daysToGenerateAhead": -1}, 400, "daysToGenerateAhead"},
		{"HalfADay", object{"daysToGenerateAhead": 0.5}, 400, "daysToGenerateAhead"},
		{"ActivePerhaps", object{"isActive": "perhaps"}, 400, "isActive"},
		{"AnUnspecifiedPriority", order(object{"delivery": stop(object{"priority": "LOCATION_PRIORITY_UNSPECIFIED"})}), unusable, "orderTemplate.delivery.priority"},
		{"AnUnknownPriority", order(object{"delivery": stop(object{"priority": "VERY"})}), unusable, "orderTemplate.delivery.priority"},
		{"NoCustomer", order(object{"customer": nil}), unusable, "orderTemplate.customer"},
		{"NoPickup", order(object{"pickup": nil}), unusable, "orderTemplate.pickup"},
		{"AnUnknownCustomer", order(object{"customer": object{"externalId": "nobody"}}), unusable, "orderTemplate.customer"},
		{"AnUnknownOrderType", order(object{"orderType": object{"name": "nothing"}}), unusable, "orderTemplate.orderType"},
		{"ABadAddress", order(object{"delivery": object{"name": "x", "address": object{"city": "y"}}}), unusable, "orderTemplate.delivery.address"},
		{"AReversedWindow", order(object{"delivery": stop(object{"latest": "2026-03-02T10:00:00Z"})}), unusable, "orderTemplate.delivery"},
		{"AnUnknownCustomerID", object{"customerId": 999999999}, unusable, "customerId"},
		{"AZeroLocation", object{"pickupLocationId": 0}, unusable, "pickupLocationId"},
		{"AnIDThatIsText", object{"customerId": "1"}, 400, "customerId"},
		{"AnIDOutOfRange", object{"customerId": 1e30}, 400, "customerId"},
		{"AnotherTenantsCustomer", object{"customerId": theirs("customers")}, unusable, "customerId"},
		{"AnotherTenantsOrderType", object{"orderTypeId": theirs("order_types")}, unusable, "orderTypeId"},
		{"AnotherTenantsVehicleType", object{"vehicleTypeId": theirs("vehicle_types")}, unusable, "vehicleTypeId"},
		{"AnotherTenantsLocation", object{"deliveryLocationId": theirs("locations")}, unusable, "deliveryLocationId"},
		{"NoRule", object{"rruleset": nil}, 400, "rruleset"},
		{"AnEmptyRule", object{"rruleset": ""}, unusable, "rruleset"},
		{"ARuleThatIsANumber", object{"rruleset": 7}, 400, "rruleset"},
		{"TwoRules", object{"rruleset": "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY"}, unusable, "rruleset"},
		{"ExcludedByRule", object{"rruleset": "RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY"}, unusable, "rruleset"},
		{"UntilAndCount", object{"rruleset": "FREQ=DAILY;COUNT=2;UNTIL=20300101"}, unusable, "rruleset"},
		{"NoCount", object{"rruleset": "FREQ=DAILY;COUNT=0"}, unusable, "rruleset"},
		{"Secondly", object{"rruleset": "FREQ=SECONDLY"}, unusable, "rruleset"},
		{"Easter", object{"rruleset": "FREQ=YEARLY;BYEASTER=1"}, unusable, "rruleset"},
		{"ManyHours", object{"rruleset": "FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5"}, unusable, "rruleset"},
		{"AnUnknownZone", object{"rruleset": "DTSTART;TZID=Local:20260101T090000\nRRULE:FREQ=DAILY"}, unusable, "rruleset"},
		{"AnotherStart", object{"rruleset": "DTSTART:20200101T090000Z\nRRULE:FREQ=DAILY"}, unusable, "rruleset"},
		{"AHugeRule", object{"rruleset": "FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 5000) + "1"}, unusable, "rruleset"},
		{"AStrangeLetter", object{"rruleset": "ɐ:"}, unusable, "rruleset"},
	}
	for _, c := range cases {
		template := newTemplate(c.edit)
		for _, member := range []string{"orderTemplate", "startDate", "rruleset"} {
			if value, given := template[member]; given && value == nil {
				delete(template, member)
			}
		}
		t.Run(c.name, func(t *testing.T) {
			if c.field == "name" && template["name"] == nil {
				template["name"] = nil
			}
			o.requireTemplateRefused(t, refusal{method: http.MethodPost, path: "/v1/recurring_orders", body: template, want: c.want, field: c.field})
		})
	}
	for name, body := range map[string]string{
		"Nothing": "", "AnArray": "[]", "HalfAnObject": `{"name": "x"`, "Deep": `{"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}",
		"TwoNames": `{"name":"a","name":"b"}`, "NotText": "{\"name\":\"\xff\"}",
	} {
		t.Run(name, func(t *testing.T) {
			o.requireTemplateRefused(t, refusal{method: http.MethodPost, path: "/v1/recurring_orders", body: body, want: 400})
		})
	}
}

// requireTemplateRefused does not count the rows of changes: a change that was
// refused by the workflow keeps why.
func (o *organization) requireTemplateRefused(t *testing.T, r refusal) {
	t.Helper()
	count := func() map[string]int {
		counts := o.rowCounts(t)
		delete(counts, "recurring_order_changes")
		return counts
	}
	before := count()
	a := o.expect(t, r.want, r.method, r.path, r.body)
	if r.field != "" {
		require.Contains(t, string(a.body), `"field":"`+r.field+`"`)
	}
	require.Equal(t, before, count())
}

func TestBadTemplateRequests(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	created := o.createTemplate(t)
	o.awaitGenerated(t, created.RecurringOrderID, days(0, 6, registered))
	path := templatePath(created.RecurringOrderID)
	for _, r := range []refusal{
		{"AnIDThatIsText", http.MethodGet, "/v1/recurring_orders/x", nil, nil, 400, "recurringOrderId"},
		{"AnIDThatIsTextToChange", http.MethodPut, "/v1/recurring_orders/x", object{}, nil, 400, "recurringOrderId"},
		{"NoSuchTemplate", http.MethodGet, "/v1/recurring_orders/999999999", nil, nil, 404, ""},
		{"NoSuchTemplateToChange", http.MethodPut, "/v1/recurring_orders/999999999", object{"name": "x"}, nil, 404, ""},
		{"NoSuchTemplateToPreview", http.MethodPost, "/v1/recurring_orders/999999999/preview-update", object{"name": "x"}, nil, 404, ""},
		{"NoSuchTemplateToDelete", http.MethodDelete, "/v1/recurring_orders/999999999", nil, nil, 404, ""},
		{"LimitOfNothing", http.MethodGet, "/v1/recurring_orders?limit=0", nil, nil, 400, "limit"},
		{"LimitThatIsText", http.MethodGet, "/v1/recurring_orders?limit=x", nil, nil, 400, "limit"},
		{"OffsetBelowNothing", http.MethodGet, "/v1/recurring_orders?offset=-1", nil, nil, 400, "offset"},
		{"ActivePerhaps", http.MethodGet, "/v1/recurring_orders?isActive=perhaps", nil, nil, 400, "isActive"},
		{"AStartThatIsText", http.MethodGet, "/v1/recurring_orders?startDateFrom=soon", nil, nil, 400, "startDateFrom"},
		{"AnEndBeforeTheStart", http.MethodPut, path, object{"endDate": "2020-01-01T00:00:00Z"}, nil, 422, "endDate"},
		{"ABadRule", http.MethodPut, path, object{"rruleset": "FREQ=MINUTELY"}, nil, 422, "rruleset"},
		{"ABadRuleToPreview", http.MethodPost, path + "/preview-update", object{"rruleset": "FREQ=MINUTELY"}, nil, 422, "rruleset"},
		{"AnUnknownCustomerToPreview", http.MethodPost, path + "/preview-update", object{"customerId": 999999999}, nil, 422, "customerId"},
		{"ANullRule", http.MethodPut, path, object{"rruleset": nil}, nil, 400, "rruleset"},
		{"PreviewOfNothing", http.MethodPost, "/v1/recurring_orders/preview", object{}, nil, 400, "rruleset"},
		{"PreviewOfTooMuch", http.MethodPost, "/v1/recurring_orders/preview", object{"rruleset": "FREQ=DAILY", "startDate": "2026-01-01T00:00:00Z", "limit": 1001}, nil, 400, "limit"},
		{"PreviewOfABadRule", http.MethodPost, "/v1/recurring_orders/preview", object{"rruleset": "X", "startDate": "2026-01-01T00:00:00Z"}, nil, 422, "rruleset"},
		{"NoSuchLocation", http.MethodGet, "/v1/locations/999999999", nil, nil, 404, ""},
		{"NoSuchLocationToDelete", http.MethodDelete, "/v1/locations/999999999", nil, nil, 404, ""},
		{"NoSuchCustomer", http.MethodGet, "/v1/customers/999999999", nil, nil, 404, ""},
		{"LocationPageOfNothing", http.MethodGet, "/v1/locations?page=0", nil, nil, 400, "page"},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
	o.requireTemplateRefused(t, refusal{method: http.MethodPut, path: path, body: object{"customerId": 999999999}, want: 422, field: "customerId"})
}
