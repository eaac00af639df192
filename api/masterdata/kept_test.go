package masterdata_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/caller"
)

// desk is an office with an administrator at work.
type desk struct {
	*apitest.Office

	admin string // the administrator's Authorization header
}

func newDesk(t *testing.T) desk {
	t.Helper()
	o := apitest.NewOffice(t)
	return desk{Office: o, admin: o.AsRole(o.Org, caller.Admin)}
}

// ask sends a request of the administrator, with headers in pairs.
func (d desk) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	d.T.Helper()
	return d.Send(method, path, body, append([]string{"Authorization", d.admin}, headers...)...)
}

// log are the events of a kind of record that the administrator made.
func (d desk) log(kind string) string {
	return d.Text(`select coalesce(string_agg(kind || coalesce(' ' || (data ->> 'changed'), ''), ', ' order by id), '')
		from events where org_id = $1 and subject_type = $2 and actor = 'user:12' and cause <> ''`, kind)
}

// kept is a kind of master data in the API: a body that creates one, a change of
// it, the expected result, and the problems of a bad one.
type kept struct {
	kind, path      string
	body, change    string
	shows           string // members of the answer after the change
	bad, wrong      string
	changed, reader string // the changed members, and the role without permission
}

var all = []kept{
	{
		kind: "department", path: "departments", body: `{"name":" Bergen "}`,
		change: `{"name":"Vest","loading_minutes":20,"release_at":"17:30",` +
			`"release_days_before":2,"release_threshold_minutes":0}`,
		shows: `{"name":"Vest","loading_minutes":20,"release_at":"17:30",` +
			`"release_days_before":2,"release_threshold_minutes":0,
			"calendar_id":null,"is_active":true,"source":"console"}`,
		bad: `{"name":" ","release_at":"24:00","release_days_before":15,"release_threshold_minutes":-1}`,
		wrong: "name MASTER_DATA_MISSING, release_at DRIVER_BAD_CLOCK, release_days_before REQUEST_OUT_OF_RANGE, " +
			"release_threshold_minutes REQUEST_OUT_OF_RANGE",
		changed: `["loading_minutes", "name", "release_at", "release_days_before", ` +
			`"release_threshold_minutes"]`, reader: "dispatcher",
	},
	{
		kind: "group", path: "groups", body: `{"name":"Night"}`, change: `{"name":"Nights"}`,
		shows: `{"name":"Nights","is_active":true,"source":"console"}`, bad: `{"name":"` + strings.Repeat("x", 256) + `"}`,
		wrong: "name FIELD_TOO_LONG", changed: `["name"]`, reader: "support",
	},
	{
		kind: "skill", path: "skills", body: `{"name":"Crane"}`, change: `{"name":"Big crane","for_two":true}`,
		shows: `{"name":"Big crane","is_active":true,"for_two":true,"source":"console"}`, bad: `{"name":""}`,
		wrong:   "name MASTER_DATA_MISSING",
		changed: `["for_two", "name"]`, reader: "dispatcher",
	},
	{
		kind: "calendar", path: "calendars",
		body: `{"name":"Norway","closed":[{"label":" Easter ","date":"2027-03-25","until":"2027-03-29"}]}`,
		change: `{"name":"Norge","closed":[{"label":"17 May","rrule":"FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=17"},
			{"label":"Flood","date":"2027-06-01"}]}`,
		shows: `{"name":"Norge","closed":[{"label":"17 May","rrule":"FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=17"},
			{"label":"Flood","date":"2027-06-01"}],"is_active":true,"source":"console"}`,
		bad: `{"name":"","closed":[{"label":""},{"label":"A","date":"2027-02-01","until":"2027-01-31"},
			{"label":"B","date":"2027-02-01","rrule":"FREQ=DAILY"},{"label":"C","rrule":"FREQ=SOMETIMES"}]}`,
		wrong: "name MASTER_DATA_MISSING, closed[0].label MASTER_DATA_MISSING, closed[0].date CALENDAR_NO_DAYS, " +
			"closed[1].until CALENDAR_BAD_RANGE, closed[2].rrule CALENDAR_RULE_ALONE, closed[3].rrule RECURRENCE_BAD_VALUE",
		changed: `["closed", "name"]`, reader: "dispatcher",
	},
	{
		kind: "vehicle_type", path: "vehicle-types", body: `{"name":"Lorry","max_weight_kg":4500.5,"travels_as":"TRUCK",
			"height_m":3.6,"gross_weight_kg":11990,"top_speed_kmh":85,"avoids_tolls":true,"extra_setup_seconds":180}`,
		change: `{"max_weight_kg":null,"max_route_km":60,"max_stops":25,"driving_rule":"EU_561_2006",` +
			`"extra_setup_seconds":240,"height_m":3.8,"avoids_tolls":false,"hazardous_goods":true,` +
			`"max_loads":[{"dimension":"PALLETS","amount":17.5},{"dimension":"ADR","amount":0}],"cost_per_hour":690.5}`,
		shows: `{"name":"Lorry","max_weight_kg":null,"max_volume_m3":null,"max_route_km":60,"max_stops":25,` +
			`"max_loads":[{"dimension":"ADR","amount":0},{"dimension":"PALLETS","amount":17.5}],` +
			`"max_driving_minutes":null,"driving_rule":"EU_561_2006","extra_setup_seconds":240,"travels_as":"TRUCK",
			"height_m":3.8,"width_m":null,"length_m":null,"gross_weight_kg":11990,"axle_load_kg":null,"top_speed_kmh":85,
			"hazardous_goods":true,"avoids_ferries":false,"avoids_tolls":false,"also_serves":[],
			"cost_per_shift":null,"cost_per_hour":690.5,"cost_per_km":null,
			"is_active":true,"source":"console"}`,
		bad: `{"name":"Ship","travels_as":"BOAT","max_route_km":0,"max_stops":0,` +
			`"max_driving_minutes":1441,"driving_rule":"US_HOS","extra_setup_seconds":3601,"max_weight_kg":-1,"also_serves":[0],
			"height_m":0,"width_m":11,"top_speed_kmh":500,"cost_per_hour":0,"cost_per_km":-1,
			"max_loads":[{"dimension":"ADR","amount":-1},{"dimension":"ADR","amount":1}]}`,
		wrong: "max_weight_kg FIELD_NUMBER_RANGE, max_route_km MASTER_DATA_ZERO, " +
			"max_stops REQUEST_OUT_OF_RANGE, max_driving_minutes REQUEST_OUT_OF_RANGE, " +
			"max_loads[0].amount LOAD_BAD_AMOUNT, max_loads[1].dimension LOAD_TWICE, " +
			"driving_rule REQUEST_NOT_ONE_OF, extra_setup_seconds REQUEST_OUT_OF_RANGE, travels_as REQUEST_NOT_ONE_OF, " +
			"height_m REQUEST_OUT_OF_RANGE, width_m REQUEST_OUT_OF_RANGE, top_speed_kmh REQUEST_OUT_OF_RANGE, " +
			"cost_per_hour REQUEST_OUT_OF_RANGE, cost_per_km REQUEST_OUT_OF_RANGE",
		changed: `["avoids_tolls", "cost_per_hour", "driving_rule", "extra_setup_seconds", "hazardous_goods", ` +
			`"height_m", "max_loads", "max_route_km", "max_stops", "max_weight_kg"]`, reader: "dispatcher",
	},
	{
		kind: "order_type", path: "order-types", body: `{"name":"Morning","ready_from":"06:00:00","deliver_before":"11:00"}`,
		change: `{"ready_from":"06:30","priority":3,"min_book_ahead_minutes":60,"proof":{"failure":{"photo":"required"}},
			"service_time":{"setup_seconds":180,"seconds_per_kg":0.5}}`,
		shows: `{"name":"Morning","priority":3,"ready_from":"06:30","pick_up_before":null,"deliver_before":"11:00",
			"min_book_ahead_minutes":60,"max_book_ahead_minutes":null,"export_carrier":null,"is_active":true,
			"proof":{"failure":{"photo":"required"}},"service_time":{"setup_seconds":180,"seconds_per_kg":0.5},
			"source":"console"}`,
		bad: `{"name":"X","deliver_before":"11:00","min_book_ahead_minutes":2,"max_book_ahead_minutes":1,
			"proof":{"failure":{"scan":"off"}}}`,
		wrong: "deliver_before ORDER_TYPE_NEVER_READY, min_book_ahead_minutes ORDER_TYPE_BOOK_AHEAD, " +
			"proof.failure.scan PROOF_NEVER_ASKED",
		changed: `["min_book_ahead_minutes", "priority", "proof", "ready_from", "service_time"]`, reader: "dispatcher",
	},
	{
		kind: "zone", path: "zones", body: `{"name":"Bergen","areas":[{"country":"NO","prefix":"50"}]}`,
		change: `{"areas":[{"country":"NO","from":"5003","to":"5099"}]}`,
		shows:  `{"name":"Bergen","areas":[{"country":"NO","from":"5003","to":"5099"}],"is_active":true,"source":"console"}`,
		bad: `{"name":"X","areas":[{"country":"no"},{"country":"NO","from":"2","to":"1"},{"country":"NO",` +
			`"prefix":"1","to":"2"}]}`,
		wrong:   "areas[0].country ZONE_BAD_COUNTRY, areas[1].to ZONE_BAD_END, areas[2].prefix ZONE_PREFIX_ALONE",
		changed: `["areas"]`, reader: "dispatcher",
	},
	{
		kind: "freight_level", path: "freight-levels", body: `{"name":"Half","max_weight_kg":12000}`,
		change: `{"position":7}`,
		shows: `{"name":"Half","position":7,"max_weight_kg":12000,"max_volume_m3":null,"max_colli":null,"is_active":true,
			"source":"console"}`,
		bad: `{"name":"X","max_colli":-1}`, wrong: "max_colli REQUEST_OUT_OF_RANGE", changed: `["position"]`,
		reader: "support",
	},
	{
		kind: "price_list", path: "price-lists",
		body:   `{"name":"West","currency":"NOK","prices":[{"base":"129.00"},{"per_kg":"1.5"}]}`,
		change: `{"minimum_price":"99.50","prices":[{"base":"149"}]}`,
		shows: `{"name":"West","position":1,"currency":"NOK","minimum_price":"99.50","order_type_ids":[],
			"prices":[{"from_zone_id":null,"to_zone_id":null,"freight_level_id":null,"base":"149","per_kg":"0","per_colli":"0"}],
			"is_active":true,"source":"console"}`,
		bad:     `{"name":"X","currency":"KRONER","prices":[{"base":"-1"}]}`,
		wrong:   "currency PRICE_LIST_BAD_CURRENCY, prices[0].base PRICE_LIST_BAD_AMOUNT",
		changed: `["minimum_price", "prices"]`, reader: "support",
	},
	{
		kind: "notification_rule", path: "notification-rules",
		body: `{"event":"ORDER_DELIVERED","channel":"SMS","receiver":"ADDRESS","address":"+47 900 12 345",` +
			`"body":"{{ order.externalId }} is there","send_from":"08:00","send_until":"21:00"}`,
		change: `{"body":null,"send_until":"20:00"}`,
		shows: `{"event":"ORDER_DELIVERED","channel":"SMS","receiver":"ADDRESS","address":"+4790012345","subject":null,
			"body":null,"body_html":null,"send_from":"08:00","send_until":"20:00","series":"ONCE","days_ahead":null,
			"is_active":true,"source":"console"}`,
		bad: `{"event":"ORDER_LOST","channel":"SMS","receiver":"CUSTOMER","address":"+4790012345","subject":"X",` +
			`"body":"{% for x in y %}","send_from":"08:00"}`,
		wrong: "event REQUEST_NOT_ONE_OF, address NOTIFICATION_RULE_NO_ADDRESS, subject NOTIFICATION_RULE_ONLY_EMAIL, " +
			"body NOTIFICATION_RULE_BAD_TEMPLATE, send_until NOTIFICATION_RULE_BOTH_ENDS",
		changed: `["body", "send_until"]`, reader: "dispatcher",
	},
	{
		kind: "customer", path: "customers",
		body:   `{"business_name":"Nord AS","external_id":"N-1","email_address":"post@nord.example"}`,
		change: `{"phone_number":"+47 900 12 345","email_address":null}`,
		shows: `{"external_id":"N-1","business_name":"Nord AS","department_id":null,"email_address":null,
			"phone_number":"+4790012345","calendar_id":null,"is_active":true,"source":"console"}`,
		bad:     `{"business_name":"","email_address":"x","phone_number":"12"}`,
		wrong:   "business_name MASTER_DATA_MISSING, email_address DRIVER_BAD_EMAIL, phone_number DRIVER_BAD_PHONE",
		changed: `["email_address", "phone_number"]`, reader: "dispatcher",
	},
	{
		kind: "vehicle", path: "vehicles",
		body: `{"registration":"EB1","vehicle_type_id":%type,"max_weight_kg":900,"skills":["Tail lift"],
			"max_loads":[{"dimension":"PALLETS","amount":4}]}`,
		change: `{"max_weight_kg":null,"name":"Blue"}`,
		shows: `{"registration":"EB1","name":"Blue","max_weight_kg":1200,
			"max_volume_m3":12,"max_route_km":null,
			"max_loads":[{"dimension":"PALLETS","amount":4},{"dimension":"ADR","amount":100}],
			"own_limits":{"max_weight_kg":null,"max_volume_m3":null,"max_route_km":null,
			"max_loads":[{"dimension":"PALLETS","amount":4}]},
			"home_location_id":null,"skills":["Tail lift"],"is_active":true,"source":"console"}`,
		bad:     `{"registration":" ","vehicle_type_id":%type,"max_volume_m3":1e9}`,
		wrong:   "registration MASTER_DATA_MISSING, max_volume_m3 FIELD_NUMBER_RANGE",
		changed: `["max_weight_kg", "name"]`, reader: "support",
	},
	{
		kind: "product", path: "products",
		body:   `{"external_id":"SOFA","name":"Sofa","weight":62.5,"units":[{"name":"Pallet","quantity":2}]}`,
		change: `{"skills":["Tail lift"],"units":[{"name":"Box","quantity":0.5,"barcode_id":"7"}],"atom_type":"colli"}`,
		shows: `{"external_id":"SOFA","name":"Sofa","barcode_id":null,"weight":62.5,"length":null,"width":null,"height":null,
			"atom_type":"colli","skills":["Tail lift"],"units":[{"name":"Box","quantity":0.5,"barcode_id":"7"}],"is_active":true,
			"source":"console"}`,
		bad: `{"external_id":"","name":"","weight":-1,"atom_type":"box","units":[{"name":"A","quantity":0},` +
			`{"name":"A","quantity":1}]}`,
		wrong: "external_id MASTER_DATA_MISSING, name MASTER_DATA_MISSING, weight FIELD_NUMBER_RANGE, atom_type " +
			"REQUEST_NOT_ONE_OF, " +
			"units[0].quantity MASTER_DATA_ZERO, units[1].name MASTER_DATA_TWICE",
		changed: `["atom_type", "skills", "units"]`, reader: "dispatcher",
	},
}

// TestMasterDataIsKeptUp takes one record of each kind through its life.
func TestMasterDataIsKeptUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	fill := strings.NewReplacer("%type", fmt.Sprint(d.ID("select min(id) from vehicle_types where org_id = $1")))
	d.ID(`update organizations set load_dimensions = '[{"name":"PALLETS","unit":""},{"name":"ADR","unit":""}]'
		where id = $1 returning id`)
	d.ID(`update vehicle_types set max_loads = '[{"dimension":"ADR","amount":100},{"dimension":"PALLETS","amount":9}]'
		where id = (select min(id) from vehicle_types where org_id = $1) returning id`)
	outsider := d.AsRole(d.Other, caller.Admin)
	for _, k := range all {
		t.Run(k.kind, func(t *testing.T) {
			t.Parallel()
			path, body := "/v1/"+k.path, fill.Replace(k.body)
			w := d.ask(http.MethodPost, path, body)
			require.Equal(t, http.StatusCreated, w.Code, w.Body)
			one, first := w.Header().Get("Location"), w.Header().Get("ETag")
			read := d.ask(http.MethodGet, one, "")
			require.JSONEq(t, w.Body.String(), read.Body.String())
			require.Equal(t, first, read.Header().Get("ETag"))

			w = d.ask(http.MethodPut, one, k.change, "If-Match", first)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			second := w.Header().Get("ETag")
			require.NotEqual(t, first, second)
			shown := map[string]any{}
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &shown))
			for _, own := range []string{"id", "customer_id", "vehicle_type", "created_at", "updated_at"} {
				delete(shown, own)
			}
			text, err := json.Marshal(shown)
			require.NoError(t, err)
			require.JSONEq(t, k.shows, string(text))
			require.Equal(t, second, d.ask(http.MethodPut, one, k.change).Header().Get("ETag"), "the same again changes nothing")

			stale := d.ask(http.MethodPut, one, `{"is_active":false}`, "If-Match", first)
			require.Equal(t, http.StatusPreconditionFailed, stale.Code)
			require.Equal(t, "CHANGED_MEANWHILE", apitest.Refusal(t, stale))

			bad := d.ask(http.MethodPost, path, fill.Replace(k.bad))
			require.Equal(t, http.StatusUnprocessableEntity, bad.Code, bad.Body)
			require.Equal(t, k.wrong, apitest.Refusal(t, bad))
			require.Equal(t, http.StatusOK, d.ask(http.MethodPut, one, `{"is_active":false}`).Code)
			back := d.ask(http.MethodPost, path, renamed(t, body, shown))
			require.Equal(t, http.StatusConflict, back.Code, back.Body)
			require.Equal(t, "MASTER_DATA_EXISTS", apitest.Refusal(t, back))
			require.Equal(t, fmt.Sprintf(
				"%[1]s.created, %[1]s.updated %[2]s, %[1]s.deactivated [\"is_active\"]", k.kind, k.changed,
			), d.log(k.kind))

			for who, want := range map[string]int{
				d.AsRole(d.Org, caller.Role(k.reader)): http.StatusForbidden,
				outsider:                               http.StatusNotFound, "apikey " + d.Keys.Add(
					t, func(a *edge.APIKey) { a.OrgID = d.Org },
				): http.StatusForbidden,
			} {
				require.Equal(t, want, d.Send(http.MethodPut, one, `{"is_active":true}`, "Authorization", who).Code)
			}
			require.Equal(t, http.StatusNotFound, d.ask(http.MethodPut, path+"/0", `{"is_active":true}`).Code)
			require.Equal(t, http.StatusBadRequest, d.ask(http.MethodPost, path, `{"name":`).Code)
			list := d.ask(http.MethodGet, path+"?is_active=false", "")
			require.Contains(t, list.Body.String(), `"is_active":false`)
		})
	}
}

// renamed is a body with the displayed name of a record.
func renamed(t *testing.T, body string, shown map[string]any) string {
	t.Helper()
	members := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(body), &members))
	for _, name := range []string{"name", "external_id", "registration"} {
		if _, given := members[name]; given && shown[name] != nil {
			members[name] = shown[name]
		}
	}
	text, err := json.Marshal(members)
	require.NoError(t, err)
	return string(text)
}

// TestReferencesOfMasterDataMustExist uses references that are unknown, of
// another organization, or inactive.
func TestReferencesOfMasterDataMustExist(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	theirs := d.ID("select min(id) from vehicle_types where org_id <> $1")
	calendar := d.ID(`insert into calendars (org_id, name)
		select o.id, 'Theirs' from organizations o where o.id <> $1 limit 1 returning id`)
	idle := d.ID("insert into departments (org_id, name, is_active) values ($1, 'Idle', false) returning id")
	for path, tc := range map[string]struct{ body, want string }{
		"vehicles": {
			fmt.Sprintf(`{"registration":"X","vehicle_type_id":%d,"home_location_id":0,"skills":["No such"]}`, theirs),
			"vehicle_type_id MASTER_DATA_UNKNOWN, home_location_id MASTER_DATA_UNKNOWN, skills[0] MASTER_DATA_UNKNOWN",
		},
		"customers": {
			fmt.Sprintf(`{"business_name":"X","department_id":%d,"calendar_id":%d}`, idle, calendar),
			"department_id MASTER_DATA_UNKNOWN, calendar_id MASTER_DATA_UNKNOWN",
		},
		"departments": {fmt.Sprintf(`{"name":"X","calendar_id":%d}`, calendar), "calendar_id MASTER_DATA_UNKNOWN"},
		"locations": {
			fmt.Sprintf(`{"name":"X","address":{"latitude":59.9,"longitude":10.7},"calendar_id":%d}`, calendar),
			"calendar_id MASTER_DATA_UNKNOWN",
		},
		"vehicle-types": {
			fmt.Sprintf(`{"name":"X","also_serves":[%d],"max_loads":[{"dimension":"CRATES","amount":1}]}`, theirs),
			"also_serves[0] MASTER_DATA_UNKNOWN, max_loads[0].dimension MASTER_DATA_UNKNOWN",
		},
		"price-lists": {
			`{"name":"X","currency":"NOK","order_type_ids":[0],"prices":[{"to_zone_id":0,"freight_level_id":0}]}`,
			"order_type_ids[0] MASTER_DATA_UNKNOWN, prices[0].to_zone_id MASTER_DATA_UNKNOWN, prices[0].freight_level_id " +
				"MASTER_DATA_UNKNOWN",
		},
	} {
		w := d.ask(http.MethodPost, "/v1/"+path, tc.body)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
		require.Equal(t, tc.want, apitest.Refusal(t, w))
	}
	mine := d.ID("select min(id) from vehicle_types where org_id = $1")
	w := d.ask(http.MethodPut, fmt.Sprintf("/v1/vehicle-types/%d", mine), fmt.Sprintf(`{"also_serves":[%d]}`, mine))
	require.Equal(t, "also_serves[0] VEHICLE_TYPE_SERVES_ITSELF", apitest.Refusal(t, w))
}

// TestRecordsInUseCannotBeRemoved tries to remove records that others refer to.
func TestRecordsInUseCannotBeRemoved(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	department := d.ID("insert into departments (org_id, name) values ($1, 'Busy') returning id")
	d.ID("insert into drivers (org_id, name, department_id) values ($1, 'Nora', $2) returning id", department)
	vehicleType := d.ID("insert into vehicle_types (org_id, name) values ($1, 'Lorry') returning id")
	vehicle := d.ID(
		"insert into vehicles (org_id, registration, vehicle_type_id) values ($1, 'EB1', $2) returning id", vehicleType,
	)
	d.ID("insert into drivers (org_id, name, vehicle_id) values ($1, 'Ola', $2) returning id", vehicle)
	zone := d.ID("insert into zones (org_id, name, areas) values ($1, 'Z', '[{\"country\": \"NO\", \"from\": \"\", " +
		"\"to\": \"\"}]') returning id")
	level := d.ID("insert into freight_levels (org_id, name, seq) values ($1, 'L', 0) returning id")
	calendar := d.ID("insert into calendars (org_id, name) values ($1, 'K') returning id")
	d.ID("update locations set calendar_id = $2 where org_id = $1 and external_id = 'L-1' returning id", calendar)
	list := d.ID("insert into price_lists (org_id, name, seq, currency) values ($1, 'P', 0, 'NOK') returning id")
	d.ID(`insert into price_list_lines (org_id, price_list_id, seq, to_zone_id, freight_level_id, base, per_kg, per_colli)
		values ($1, $2, 0, $3, $4, 0, 0, 0) returning seq`, list, zone, level)
	for path, id := range map[string]int64{
		"departments": department, "vehicle-types": vehicleType, "vehicles": vehicle, "zones": zone, "freight-levels": level,
		"calendars": calendar,
	} {
		w := d.ask(http.MethodPut, fmt.Sprintf("/v1/%s/%d", path, id), `{"is_active":false}`)
		require.Equal(t, http.StatusConflict, w.Code, "%s: %s", path, w.Body)
		require.Equal(t, "MASTER_DATA_IN_USE", apitest.Refusal(t, w), path)
	}
	require.Equal(
		t, http.StatusOK, d.ask(http.MethodPut, fmt.Sprintf("/v1/price-lists/%d", list), `{"is_active":false}`).Code,
	)
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, fmt.Sprintf("/v1/zones/%d", zone), `{"is_active":false}`).Code)
}

// TestRepeatedCreationCreatesOnce sends the same request twice under one key.
func TestRepeatedCreationCreatesOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.ask(http.MethodPost, "/v1/skills", `{"name":"Crane"}`, "Idempotency-Key", "once")
	second := d.ask(http.MethodPost, "/v1/skills", `{"name":"Crane"}`, "Idempotency-Key", "once")
	require.Equal(t, http.StatusCreated, second.Code, second.Body)
	require.Equal(t, first.Header().Get("Location"), second.Header().Get("Location"))
	require.Equal(t, "skill.created", d.log("skill"))
}

func TestFeatureFlags(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.ask(http.MethodGet, "/v1/feature-flags", "")
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	first := w.Header().Get("ETag")
	require.JSONEq(t, `{"items":[
		{"name":"allow_merge","enabled":false,"default":false,"changed_at":null,"changed_by":null,
			"description":"Imports merge orders that fit together when they do not say."},
		{"name":"carrier_moves_status","enabled":true,"default":true,"changed_at":null,"changed_by":null,
			"description":"What a carrier reports of an order that was exported to it moves the order."},
		{"name":"reexport","enabled":false,"default":false,"changed_at":null,"changed_by":null,
			"description":"An order that changes after it was exported is offered for export again."}]}`, w.Body.String())

	w = d.ask(http.MethodPut, "/v1/feature-flags", `{"flags":{"reexport":true,"allow_merge":false}}`, "If-Match", first)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"changed_by":"user:12"`)
	require.Equal(
		t, "t t", d.Text("select concat_ws(' ', reexport, reexport_since is not null) from organizations where id = $1"),
	)
	require.Equal(t, `{"name": "reexport", "enabled": true}`,
		d.Text("select string_agg(data::text, ',') from events where org_id = $1 and kind = 'feature_flag.changed' "+
			"and actor = 'user:12'"))

	w = d.ask(http.MethodPut, "/v1/feature-flags", `{"flags":{"reexport":false}}`, "If-Match", first)
	require.Equal(t, http.StatusPreconditionFailed, w.Code)
	w = d.ask(http.MethodPut, "/v1/feature-flags", `{"flags":{"reexport":false,"time_travel":true}}`)
	require.Equal(t, "flags.time_travel FEATURE_FLAG_UNKNOWN", apitest.Refusal(t, w))
	require.Equal(t, "t", d.Text("select reexport::text::char from organizations where id = $1"), "and nothing is done")
	key := "apikey " + d.Keys.Add(t, func(a *edge.APIKey) { a.OrgID = d.Org })
	require.Equal(t, http.StatusForbidden, d.Send(http.MethodGet, "/v1/feature-flags", "", "Authorization", key).Code)
}
