package api_test

import (
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"waybill/domain/credential"
)

// bodies are for operations that validate the body before they look up the
// path's records.
var bodies = map[string]string{
	"applyTransformations": `{"trigger":"TRANSFORM_TRIGGER_ORDER_CREATED"}`,
	"bookDraftOnInterval":  `{"intervalId":1}`,
	"bookOrderOnInterval":  `{"intervalId":1}`,
	"holdSeat":             `{"intervalId":1}`,
	"pinPlace":             `{"latitude":59.9,"longitude":10.7}`,
	"geocodePlaces":        `{"addresses":[{"address1":"MARKER 1","city":"Oslo","country":"NO"}]}`,
	"moveCargoCarriers":    `{"cargoCarrierId":1,"customerId":1,"quantity":1}`,
	"resolveException":     `{"resolution":"DISMISSED"}`,
	"snoozeAlert":          `{"minutes":15}`,
	"sendMessages":         `{"driverIds":[1],"text":"x"}`,
	"readMessages":         `{"driverId":1,"upTo":1}`,
	"readDriverMessages":   `{"upTo":1}`,
	"createAlertRule":      `{"kind":"FAILED","channels":["PAGE"]}`,
	"updateAlertRule":      `{"kind":"FAILED","channels":["PAGE"]}`,
	"reportClientError":    `{"app":"console","release":"1","route":"/","message":"x"}`,
	"replayWebhooks":       `{"failed":true}`,
	"previewResending":     `{"since":"2026-03-02T00:00:00Z"}`,
	"startResending":       `{"since":"2026-03-02T00:00:00Z"}`,
	"setCustomFieldValues": `{"customFields":[{"externalId":"MARKER","value":"x"}]}`,

	"setCustomFieldValuesByNumber": `{"customFields":[{"externalId":"MARKER","value":"x"}]}`,
	"setDriverLock":                `{"driver_id":null}`,
	"setOrderStatus":               `{"order_status_id":1}`,
	"setProductTree":               `{"tree":[]}`,
	"setProhibitedDrivers":         `{"drivers":[]}`,
	"splitOrder":                   `{"parts":[{"order_products":[{"id":1}]}]}`,
	"scheduleWorkdays":             `{"start_date":"2026-03-02","end_date":"2026-03-08","workdays":[]}`,
}

// fill creates one record for each path parameter.
func (m *matrix) fill() {
	m.T.Helper()
	order := m.Import("MARKER-1")
	m.ids["{date}"] = "2026-03-02"
	m.ids["{sha256}"] = strings.Repeat("0", 64)
	m.ids["{internalOrderNumber}"], m.ids["/v2/erp-orders/{externalId}"] = "MARKER-1", "MARKER-1"
	m.set("{orderId}", order)
	m.ids["{place}"] = strings.Repeat("ab", 16)
	m.ID(`update order_stops set position = jsonb_build_object('precision', 'UNKNOWN', 'place', $2::text)
		where org_id = $1 and order_id = $3 and kind = 'delivery' returning id`, m.ids["{place}"], order)
	m.ID(`insert into place_pins (org_id, key, address1, postal_code, city, country, latitude, longitude, pinned_by)
		values ($1, decode($2, 'hex'), 'MARKER street', '', 'Oslo', 'NO', 59.9, 10.7, 'user:1') returning id`,
		m.ids["{place}"])
	m.set("{proposalId}", m.ID(`insert into place_proposals (org_id, key, source, address1, postal_code, city, country,
			latitude, longitude, stop_id)
		select $1, decode($2, 'hex'), 'ARRIVALS', 'MARKER street', '', 'Oslo', 'NO', 59.9, 10.7, min(s.id)
		from order_stops s where s.org_id = $1 and s.order_id = $3 returning id`, m.ids["{place}"], order))
	m.set("{previewId}", m.ID(`with p as (
			insert into plans (org_id, day) values ($1, date '2031-01-01') returning org_id, id)
		insert into plan_previews (org_id, plan_id, made_by) select org_id, id, 'user:1' from p returning id`))
	m.set("{orderProductId}", m.ID("select min(id) from order_products where org_id = $1"))
	m.set("{orderDraftId}", m.ID(`insert into drafts (org_id, external_id, request)
		values ($1, 'MARKER-2', '{}') returning id`))
	m.set("{importId}", m.ID("insert into imports (org_id, defaults, total, chunks) values ($1, '{}', 0, 0) returning id"))
	m.set("{documentId}", m.ID(
		`insert into documents (org_id, name, content_type, size)
			values ($1, 'MARKER .pdf', 'application/pdf', 1) returning id`))
	m.set("{recurringOrderId}", m.ID(`insert into recurring_orders (org_id, name, customer_id, order_type_id,
		vehicle_type_id,
			pickup_location_id, delivery_location_id, order_template, rruleset, start_date, days_to_generate_ahead)
		select $1, 'MARKER template', o.customer_id, o.order_type_id, o.vehicle_type_id, l.id, l.id, '{}',
			'DTSTART:20260302T080000Z' || chr(10) || 'RRULE:FREQ=DAILY', now(), 1
		from orders o, (select min(id) as id from locations where org_id = $1) l where o.org_id = $1 and o.id = $2
			returning id`, order))
	m.ids["{code}"] = "MARKER-CODE"
	m.ID(`insert into tracking_links (org_id, code, order_id, stop_id, link, expires_at)
		select $1, 'MARKER-CODE', order_id, min(id), 'https://example.com', now() + interval '1 day' from order_stops
		where org_id = $1 and order_id = $2 group by order_id returning order_id`, order)
	m.set("{freightId}", m.ID(`insert into freights (org_id, internal_freight_number, consignee_id, consignor_id)
		select $1, 'MARKER', min(id), max(id) from customers where org_id = $1 returning id`))
	m.ids["{barcodeId}"] = "MARKER-BARCODE"
	m.ID("update order_products set barcode_id = 'MARKER-BARCODE' where org_id = $1 and order_id = $2 returning id", order)
	m.set("/v1/notification-resendings/{id}", m.ID(`
		insert into resendings (org_id, since, until, total, actor, cause)
		values ($1, now(), now(), 0, 'system', 'test') returning id`))
	m.set("{holdId}", m.ID(`with i as (
			insert into schedule_intervals
				(org_id, name, day, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
			values ($1, 'MARKER interval', '2026-03-02', 480, 600, 600, 960, 1) returning id),
		d as (insert into schedule_interval_days (org_id, interval_id, day, booked)
			select $1, id, '2026-03-02', 0 from i returning interval_id, day)
		insert into schedule_holds (org_id, interval_id, day, ends_at)
		select $1, interval_id, day, now() + interval '1 day' from d returning id`))
	m.set("{accountId}", m.ID(`with c as (
			insert into cargo_carriers (org_id, code, name) values ($1, 'MARKER', 'MARKER pallet') returning id)
		insert into cargo_carrier_accounts (org_id, cargo_carrier_id, customer_id, balance)
		select $1, c.id, (select min(id) from customers where org_id = $1), 3 from c returning id`))
	m.set("{erasureId}", m.ID(`insert into erasures (org_id, actor, objects) values ($1, 'user:1', false) returning id`))
	m.set("{movementId}", m.ID(`
		insert into cargo_carrier_movements (org_id, account_id, quantity, balance, occurred_at, comment)
		select org_id, id, 3, 3, now(), 'MARKER' from cargo_carrier_accounts where org_id = $1 returning id`))
	m.fillMessages(order)
	m.fillPeople()
	m.fillMasterData()
}

func (m *matrix) set(where string, id int64) { m.ids[where] = strconv.FormatInt(id, 10) }

func (m *matrix) fillMessages(order int64) {
	m.T.Helper()
	rule := m.ID(`insert into notification_rules (org_id, event, channel, receiver, address)
		values ($1, 'ORDER_CREATED', 'EMAIL', 'ADDRESS', 'kari@example.com') returning id`)
	for channel, where := range map[string][]string{
		"EMAIL": {"/v1/notifications-log/emails/{id}", "/v1/notifications/{id}"}, "SMS": {"/v1/notifications-log/sms/{id}"},
	} {
		id := m.ID(`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id,
			order_id, receiver,
				sender, provider, status, failure)
			select org_id, $4, $4, 'notification/1/1', 'run', 'ORDER_CREATED', id, $2, $3, 'kari@example.com', 'x', 'smtp',
				'failed', 'x'
			from events where org_id = $1 and subject_id = $3 and kind = 'order.created' returning id`, rule, order, channel)
		m.ID(`insert into notification_steps (org_id, notification_id, kind, status)
			values ($1, $2, 'tried', 'failed') returning id`, id)
		for _, path := range where {
			m.set(path, id)
		}
	}
}

func (m *matrix) fillPeople() {
	m.T.Helper()
	victim := m.user(m.Org, "support", "active")
	m.set("/v1/users/{id}", victim)
	m.session(credential.Session, m.Org, victim, false)
	m.session(credential.Token, m.Org, victim, false)
	driver := m.ID("insert into drivers (org_id, external_id, name) values ($1, 'MARKER', 'MARKER driver') returning id")
	m.set("{driverId}", driver)
	m.set("{exceptionId}", m.ID(`insert into exceptions (org_id, kind, day, driver_id, at)
		values ($1, 'SILENT_DRIVER', '2026-03-02', $2, now()) returning id`, driver))
	rule := m.ID("insert into alert_rules (org_id, kind, channels) values ($1, 'FAILED', '{PAGE}') returning id")
	m.set("{alertRuleId}", rule)
	m.set("{alertId}", m.ID(`insert into alerts (org_id, rule_id, kind, channels, day, driver_id, at)
		values ($1, $2, 'FAILED', '{PAGE}', '2026-03-02', $3, now()) returning id`, rule, driver))
	m.session(credential.Device, m.Org, driver, false)
	m.set("/v1/drivers/{driverId}/devices/{itemId}", m.ID(`select max(id)
		from sessions where org_id = $1 and kind = 'device'`))
	m.set("{itemId}", m.ID("select max(id) from sessions where org_id = $1 and kind = 'browser'"))
	m.set("/v1/roles/{id}", m.ID(`insert into roles (org_id, name, base, tags)
		values ($1, 'MARKER fleet', 'driver', '{Drivers}') returning id`))
	m.set("/v1/identity-providers/{id}", m.ID(`insert into oidc_providers (org_id, slug, name, issuer, client_id)
		values ($1, 'marker', 'MARKER ', 'https://id.example.com', 'waybill') returning id`))
	m.key(m.Org, false)
	m.set("/v1/api-keys/{id}", m.ID("select max(id) from api_keys where org_id = $1"))
}

// fillMasterData has an administrator keep up one record of each kind.
func (m *matrix) fillMasterData() {
	m.T.Helper()
	admin := m.person(m.Org, "admin")
	made := map[string]string{
		"/v1/groups": `{"name":"MARKER "}`, "/v1/skills": `{"name":"MARKER "}`, "/v1/departments": `{"name":"MARKER "}`,
		"/v1/vehicle-types": `{"name":"MARKER "}`, "/v1/order-types": `{"name":"MARKER "}`,
		"/v1/freight-levels": `{"name":"MARKER "}`,
		"/v1/calendars":      `{"name":"MARKER ","closed":[{"label":"MARKER ","date":"2027-05-17"}]}`,
		"/v1/zones":          `{"name":"MARKER ","areas":[{"country":"NO"}]}`,
		"/v1/price-lists":    `{"name":"MARKER ","currency":"NOK","prices":[{"base":"1"}]}`,
		"/v1/products":       `{"external_id":"MARKER","name":"MARKER "}`,
		"/v1/customers":      `{"business_name":"MARKER "}`,
		"/v1/notification-rules": `{"event":"ORDER_CREATED","channel":"EMAIL","receiver":"CUSTOMER",` +
			`"subject":"MARKER "}`,

		"/v2/webhook-endpoints": `{"url":"https://127.0.0.1:9/MARKER"}`,
	}
	for where, body := range made {
		w := m.Send(http.MethodPost, where, body, append([]string{"Content-Type", "application/json"}, admin...)...)
		require.Equal(m.T, http.StatusCreated, w.Code, "%s: %s", where, w.Body)
		m.ids[where+"/{id}"] = path.Base(w.Header().Get("Location"))
	}
	m.ids["{endpointId}"] = m.ids["/v2/webhook-endpoints/{id}"]
	m.set("/v1/vehicles/{id}", m.ID(`insert into vehicles (org_id, registration, vehicle_type_id)
		select $1, 'MARKER', min(id) from vehicle_types where org_id = $1 returning id`))
	m.set("/v1/admin/custom-field-definitions/{id}", m.ID(`insert into custom_field_definitions (org_id, external_id,
		label, title)
		values ($1, 'MARKER', 'MARKER ', 'MARKER ') returning id`))
	m.set("/v1/locations/{id}", m.ID("select id from locations where org_id = $1 and external_id = 'L-1'"))
	m.ID("update locations set external_id = 'MARKER' where org_id = $1 and external_id = 'L-2' returning id")
	m.ids["/v1/locations/external/{externalId}"] = "MARKER"
	m.ID("insert into carriers (org_id, name, secret_env) values ($1, 'MARKER', 'MARKER_SECRET') returning org_id")
	m.ids["/v2/integrations/{name}"] = "carrier-MARKER"
}
