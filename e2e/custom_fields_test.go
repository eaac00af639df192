package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

const definitionsPath = "/v1/admin/custom-field-definitions"

// definition is a custom field definition that is accepted, changed by edits.
func definition(externalID string, edits ...object) object {
	d := object{"externalId": externalID, "label": "Label", "title": "Title"}
	for _, edit := range edits {
		maps.Copy(d, edit)
	}
	return d
}

func (o *organization) customField(t *testing.T, externalID string, edits ...object) contract.CustomFieldDefinition {
	t.Helper()
	return read[contract.CustomFieldDefinition](t, o.expect(t, http.StatusCreated, http.MethodPost, definitionsPath, definition(externalID, edits...)))
}

func (o *organization) definitions(t *testing.T, query string) []string {
	t.Helper()
	var ids []string
	for _, d := range read[contract.CustomFieldDefinitions](t, o.get(t, definitionsPath+query)).Definitions {
		ids = append(ids, d.ExternalID)
	}
	return ids
}

func TestTheLifeOfACustomField(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	d := o.customField(t, "crane", object{"description": "Lift", "icon": "crane", "colorScheme": object{"background": "#1F4E79", "text": "#FFF"}, "displayOn": "delivery"})
	require.True(t, d.IsActive)
	require.Equal(t, "#1F4E79", d.ColorScheme.Background.MustGet())
	require.Equal(t, contract.CustomFieldDisplayOn("delivery"), d.DisplayOn)
	require.Equal(t, contract.CustomFieldSortOrderBatch("num"), d.SortOrderBatch)
	path := fmt.Sprintf("%s/%d", definitionsPath, d.ID)
	put := func(body object) contract.CustomFieldDefinition {
		return read[contract.CustomFieldDefinition](t, o.expect(t, http.StatusOK, http.MethodPut, path, body))
	}
	require.Equal(t, d, put(object{}), "an empty change changes nothing")
	require.Equal(t, d, put(object{"label": "Label"}), "nor does one that makes no difference")
	changed := put(object{"externalId": "hoist", "description": nil, "colorScheme": object{"text": "#000"}, "displayStyle": "popup"})
	require.True(t, changed.UpdatedAt.After(d.UpdatedAt))
	require.True(t, changed.Description.IsNull())
	require.True(t, changed.ColorScheme.Background.IsNull())
	require.Equal(t, "#000", changed.ColorScheme.Text.MustGet())
	require.Equal(t, "crane", changed.Icon.MustGet())
	require.Equal(t, "hoist", changed.ExternalID)

	require.Contains(t, o.definitions(t, ""), "hoist")
	require.Contains(t, o.definitions(t, "?isActive=true"), "hoist")
	require.Empty(t, o.definitions(t, "?isActive=false"))

	require.Equal(t, map[string]int{"orderCreated": 1}, kinds(o.importOrders(t, orders(newOrder("CF", object{"customFields": []object{{"externalId": "hoist", "value": 2}}})))))
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, orders(newOrder("CF", object{"customFields": []object{}})))))
	require.Zero(t, one[int](t, shared, "select count(*) from custom_field_values where org_id = $1 and definition_id = $2", o.id, d.ID))
	deleted := read[contract.DeletedCustomFieldDefinition](t, o.expect(t, http.StatusOK, http.MethodDelete, path, nil, "Accept-Language", "nb"))
	require.True(t, deleted.WasInactivated, "an order once had a value of it")
	require.Contains(t, deleted.Message, "deaktivert")
	require.Equal(t, []string{"hoist"}, o.definitions(t, "?isActive=false"))
	require.Equal(t, map[string]int{"draftCreated": 1}, kinds(o.importOrders(t, orders(newOrder("CF-2", object{"customFields": []object{{"externalId": "hoist", "value": 2}}})))))
	require.True(t, put(object{"isActive": true}).IsActive)
	require.Equal(t, map[string]int{"orderCreated": 1}, kinds(o.importOrders(t, orders(newOrder("CF-2", object{"customFields": []object{{"externalId": "hoist", "value": 2}}})))))

	never := o.customField(t, "never")
	gone := fmt.Sprintf("%s/%d", definitionsPath, never.ID)
	require.False(t, read[contract.DeletedCustomFieldDefinition](t, o.expect(t, http.StatusOK, http.MethodDelete, gone, nil)).WasInactivated)
	o.expect(t, http.StatusNotFound, http.MethodDelete, gone, nil)
	o.expect(t, http.StatusNotFound, http.MethodPut, gone, object{"label": "x"})
	require.Equal(t, 1, one[int](t, shared, "select count(*) from events where org_id = $1 and kind = 'custom_field.deleted' and external_id = 'never'", o.id))
}

func TestInvalidCustomFields(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	d := o.customField(t, "taken")
	other := fmt.Sprintf("%s/%d", definitionsPath, o.customField(t, "other").ID)
	id := orderID(t, o.importOrders(t, orders(newOrder("CF")))[0])
	values := fmt.Sprintf("/v1/orders/%d/custom-field-values", id)
	value := func(externalID string, value any) object {
		return object{"customFields": []object{{"externalId": externalID, "value": value}}}
	}
	for _, r := range []refusal{
		{name: "Taken", method: "POST", path: definitionsPath, body: definition("taken"), want: 409},
		{name: "TakenByUpdate", method: "PUT", path: other, body: object{"externalId": "taken"}, want: 409},
		{name: "NoLabel", method: "POST", path: definitionsPath, body: object{"externalId": "x", "title": "x"}, want: 400, field: "label"},
		{name: "BlankExternalID", method: "POST", path: definitionsPath, body: definition(" "), want: 400, field: "externalId"},
		{name: "LongTitle", method: "POST", path: definitionsPath, body: definition("x", object{"title": strings.Repeat("x", 256)}), want: 400, field: "title"},
		{name: "NUL", method: "POST", path: definitionsPath, body: definition("x\x00"), want: 400, field: "externalId"},
		{name: "WrongType", method: "POST", path: definitionsPath, body: definition("x", object{"label": 5}), want: 400, field: "label"},
		{name: "WrongTypeOfAnOptionalField", method: "POST", path: definitionsPath, body: definition("x", object{"icon": 5}), want: 400, field: "icon"},
		{name: "WrongColorScheme", method: "POST", path: definitionsPath, body: definition("x", object{"colorScheme": "#FFF"}), want: 400, field: "colorScheme"},
		{name: "BadColor", method: "POST", path: definitionsPath, body: definition("x", object{"colorScheme": object{"text": "white"}}), want: 400, field: "colorScheme.text"},
		{name: "BadPlace", method: "POST", path: definitionsPath, body: definition("x", object{"displayOn": "roof"}), want: 400, field: "displayOn"},
		{name: "BadStyle", method: "PUT", path: other, body: object{"displayStyle": "banner"}, want: 400, field: "displayStyle"},
		{name: "BadSortOrder", method: "PUT", path: other, body: object{"sortOrderBatch": ""}, want: 400, field: "sortOrderBatch"},
		{name: "NullLabel", method: "PUT", path: other, body: object{"label": nil}, want: 400, field: "label"},
		{name: "NullIsActive", method: "PUT", path: other, body: object{"isActive": nil}, want: 400, field: "isActive"},
		{name: "NoBody", method: "PUT", path: other, body: "", want: 400},
		{name: "NoID", method: "PUT", path: definitionsPath + "/x", body: object{}, want: 400, field: "id"},
		{name: "BadFilter", method: "GET", path: definitionsPath + "?isActive=maybe", want: 400, field: "isActive"},

		{name: "NoValues", method: "PUT", path: values, body: object{}, want: 400, field: "customFields"},
		{name: "UnknownField", method: "PUT", path: values, body: value("nothing", 1), want: 422, field: "customFields[0].externalId"},
		{name: "NULInAValue", method: "PUT", path: values, body: value("taken", []string{"a\x00"}), want: 400, field: "customFields[0].value"},
		{name: "HugeValue", method: "PUT", path: values, body: value("taken", strings.Repeat("x", 10_001)), want: 400, field: "customFields[0].value"},
		{name: "HugeNumber", method: "PUT", path: values, body: `{"customFields":[{"externalId":"taken","value":1e999}]}`, want: 400, field: "customFields[0].value"},
		{name: "LoneSurrogate", method: "PUT", path: values, body: `{"customFields":[{"externalId":"taken","value":"\ud800"}]}`, want: 400, field: "customFields[0].value"},
		{name: "NoValue", method: "PUT", path: values, body: `{"customFields":[{"externalId":"taken"}]}`, want: 400, field: "customFields[0].value"},
		{name: "Twice", method: "PUT", path: values, body: `{"customFields":[{"externalId":"taken","value":1},{"externalId":"taken","value":2}]}`, want: 400, field: "customFields[1].externalId"},
		{name: "UnknownOrder", method: "PUT", path: "/v1/orders/999999999/custom-field-values", body: value("taken", 1), want: 404},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
	require.Equal(t, d, read[contract.CustomFieldDefinition](t, o.expect(t, http.StatusOK, http.MethodPut, fmt.Sprintf("%s/%d", definitionsPath, d.ID), object{})))
}

func TestValuesOfCustomFields(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, orders(newOrder("CF", object{"customFields": []object{{"externalId": "gate_code", "value": "1234"}}})))[0])
	path := fmt.Sprintf("/v1/orders/%d", id)
	set := func(body string) string {
		return string(o.expect(t, http.StatusOK, http.MethodPut, path+"/custom-field-values", body).body)
	}
	got := set(`{"customFields":[{"externalId":"dock_door","value":{"door":12345678901234567890,"open":[true,null]}}]}`)
	require.Contains(t, got, `"value":{"door":12345678901234567890,"open":[true,null]}`)
	require.Contains(t, got, `"value":"1234"`)
	require.Equal(t, got, set(`{"customFields":[{"externalId":"dock_door","value":{"open":[true,null],"door":12345678901234567890}}]}`))
	require.Equal(t, 1, one[int](t, shared, "select count(*) from events where org_id = $1 and kind = 'order.updated'", o.id), "the same again is no change")

	values := *read[contract.Order](t, o.get(t, path+"?loads=CustomFieldValues")).CustomFieldValues
	require.Len(t, values, 2)
	require.Equal(t, "dock_door", values[0].ExternalID)
	require.Equal(t, "1234", values[1].Value)
	require.True(t, values[1].IsActive)
	listed := read[[]contract.Order](t, o.get(t, "/v1/orders?startDate=2026-03-02&endDate=2026-03-02&loads=CustomFieldValues"))
	require.Len(t, *listed[0].CustomFieldValues, 2)
	set(`{"customFields":[{"externalId":"dock_door","value":null},{"externalId":"temperature","value":false}]}`)
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, orders(newOrder("CF")))))
	values = *read[contract.Order](t, o.get(t, path+"?loads=CustomFieldValues")).CustomFieldValues
	require.Equal(t, "temperature", values[1].ExternalID, "an import that says nothing of them leaves them")
	require.Equal(t, false, values[1].Value)
}

// TestCustomFieldValueOfAStop sets values at stops and of whole orders, and reads
// where they are shown.
func TestCustomFieldValueOfAStop(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	for name, place := range map[string]string{"here": "current", "there": "opposite", "always": "both", "up": "pickup"} {
		o.customField(t, name, object{"displayOn": place})
	}
	id := orderID(t, o.importOrders(t, orders(newOrder("AT-STOP", object{"customFields": []object{
		{"externalId": "here", "value": 1, "stop": "delivery"},
		{"externalId": "there", "value": 2, "stop": "delivery"},
		{"externalId": "always", "value": 3, "stop": "pickup"},
		{"externalId": "up", "value": 4},
	}})))[0])
	path := fmt.Sprintf("/v1/orders/%d", id)
	shown := func() map[string]string {
		at := map[string]string{}
		for _, v := range *read[contract.Order](t, o.get(t, path+"?loads=CustomFieldValues")).CustomFieldValues {
			stop, _ := v.Stop.Get()
			at[v.ExternalID] = string(stop) + " " + strings.Join(v.ShownOn, ",")
		}
		return at
	}
	require.Equal(t, map[string]string{
		"here": "delivery delivery", "there": "delivery pickup", "always": "pickup pickup,delivery", "up": " pickup",
	}, shown())

	set := o.expect(t, http.StatusOK, http.MethodPut, path+"/custom-field-values",
		object{"customFields": []object{{"externalId": "here", "value": 1, "stop": "pickup"}, {"externalId": "there", "value": 2}}})
	require.Contains(t, string(set.body), `"stop":"pickup"`)
	require.Equal(t, map[string]string{
		"here": "pickup pickup", "there": " pickup,delivery", "always": "pickup pickup,delivery", "up": " pickup",
	}, shown(), "a value moves to another stop, and to the whole order")
	refused := o.expect(t, http.StatusBadRequest, http.MethodPut, path+"/custom-field-values",
		object{"customFields": []object{{"externalId": "here", "value": 1, "stop": "gate"}}})
	require.Contains(t, string(refused.body), "customFields[0].stop")
}

// TestManyCreateTheSameField lets callers race for one external id.
func TestManyCreateTheSameField(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	var created, refused atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			switch o.call(t, http.MethodPost, definitionsPath, definition("race")).status {
			case http.StatusCreated:
				created.Add(1)
			case http.StatusConflict:
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, [2]int32{1, 15}, [2]int32{created.Load(), refused.Load()})
}

func TestSkillsNameTheirSourcesAndTheLock(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := fmt.Sprintf("/v1/orders/%d/skills", orderID(t, o.importOrders(t, orders(richOrder("LOCK")))[0]))
	skills := read[contract.OrderSkills](t, o.get(t, path))
	require.Nil(t, skills.DriverLock)
	require.NotContains(t, string(o.get(t, path).body), "driverLock")
	require.Equal(t, []contract.SkillSourceType{"PICKUP", "PRODUCT"}, []contract.SkillSourceType{skills.RequiredSkills[0].Sources[0].Type, skills.RequiredSkills[1].Sources[0].Type})
	require.Equal(t, "Café Norden", skills.ProhibitedSkills[0].Sources[0].Name)

	driver := one[int64](t, shared, "insert into drivers (org_id, name) values ($1, 'Ingrid Berg') returning id", o.id)
	one[int64](t, shared, "insert into order_driver_locks (org_id, order_id, driver_id) select org_id, id, $2 from orders where org_id = $1 and number = 'LOCK' returning order_id", o.id, driver)
	skills = read[contract.OrderSkills](t, o.get(t, path))
	require.Equal(t, &contract.DriverLock{DriverID: driver, DriverName: "Ingrid Berg"}, skills.DriverLock)
}
