package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/workflows"
)

// roadsToday are the orders of each driver in TestTheDriversAppInABrowser: each is a
// route of today, with one pickup at the terminal and then the doors.
var roadsToday = map[string][]string{
	"Nora Berg":   {"DAY-1", "DAY-2", "DAY-3"},
	"Jens Lie":    {"LOST-1", "LOST-2"},
	"Kari Moe":    {"DEAD-1", "DEAD-2"},
	"Siri Dal":    {"DRAWER-1", "DRAWER-2"},
	"Ola Vik":     {"GONE-1", "GONE-2"},
	"Ida Ruud":    {"MOVED-1", "MOVED-2", "MOVED-3"},
	"Astrid Dahl": {"LOOK-1", "LOOK-2"},
	"Lise Holm":   {"FIELD-1", "FIELD-2"},
	"Tor Aas":     {"RULE-1", "RULE-2", "RULE-3"},
	"Per Aune":    {"PALLET-1"},
	"Mona Natt":   {"LATER-1"},
	"Tuva Lund":   {"TAP-1", "TAP-2"},
	"Siv Moen":    {"DRAFT-1", "DRAFT-2"},
	"Geir Foss":   {"WARN-1", "WARN-2", "WARN-3"},
	"Bodil Eng":   {"NEWS-1", "NEWS-2", "NEWS-3"},
	"Liv Sand":    {"GOODS-1", "GOODS-2", "GOODS-3"},
	"Eli Bakke":   {"BOTH-1", "BOTH-2"},
	"Pia Naal":    {"PIN-1"},
	"Tone Berg":   {"TELL-1"},
	"Odd Krohn":   {"COUNT-1", "COUNT-2", "COUNT-3", "COUNT-4", "COUNT-5", "COUNT-6"},
	"Vera Lund":   {"LIVE-1", "LIVE-2"},
	"Tora Falk":   {"TALK-1"},
	"Runa Skog":   {"SPEED-1", "SPEED-2", "SPEED-3", "SPEED-4", "SPEED-5", "SPEED-6", "SPEED-7", "SPEED-8", "SPEED-9"},
	"Ada Wiik":    numbered("WIRE", 120),
}

// numbered returns the numbers of so many orders.
func numbered(prefix string, count int) []string {
	numbers := make([]string, count)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("%s-%03d", prefix, i+1)
	}
	return numbers
}

// roadsOfLastNight are orders of drivers whose route of yesterday continues.
var roadsOfLastNight = map[string][]string{"Mona Natt": {"NIGHT-1"}}

// forDrivers are the additions to the demo organization: whom
// drivers call, fields of its own in each style, and a type of order that asks for much.
var forDrivers = map[string]string{
	"sandbox: true": `sandbox: true, officePhone: "+47 22 00 00 00", recipientPage: {actions: {instructions: {minutesBefore: 0}}}`,
	"customFields:\n": `customFields:
  - {externalId: bay, label: Bay, title: Which bay, colorScheme: {background: "#1F4E79", text: "#FFFFFF"},
     displayOn: pickup, displayStyle: badge}
  - {externalId: floor, label: Floor, title: Which floor, description: Where the lift stops., displayOn: both,
     displayStyle: card}
  - {externalId: plate, label: Car, title: Whose car, displayOn: delivery, displayStyle: registration}
`,
	"orderTypes:\n": `orderTypes:
  - name: Careful
    proof:
      inPerson: {signature: required, photo: warn}
      contactless: {comment: required}
      failure: {photo: required}
`,
}

// atNoon names a zone in which it is about noon, so that no day of these tests
// ends while they run.
func atNoon() string {
	ahead := 11 - time.Now().UTC().Hour()
	return fmt.Sprintf("Etc/GMT%+d", -ahead)
}

// withDrivers is an organization like the demo's with all that these tests look at.
func (i *installation) withDrivers(t *testing.T) (*organization, *time.Location) {
	t.Helper()
	document := string(demoOrganization(t))
	zone, err := time.LoadLocation(atNoon())
	require.NoError(t, err)
	edits := maps.Clone(forDrivers)
	edits["timezone: Europe/Oslo"] = "timezone: " + zone.String()
	for old, wanted := range edits {
		require.Contains(t, document, old)
		document = strings.Replace(document, old, wanted, 1)
	}
	return i.organizationOf(t, []byte(document)), zone
}

// TestTheDriversAppInABrowser runs the tests of web/tests/driver, which use the app as
// drivers do, on routes of today, and look at the console as their office does. With
// WAYBILL_DRIVER_TESTS it runs the files of these names alone, separated by commas.
func TestTheDriversAppInABrowser(t *testing.T) {
	t.Parallel()
	tests := newNodeTests(t, "driver")
	o, zone := install(t, "serve", "work").withDrivers(t)
	environment := o.onTheRoad(t, zone)
	if only := os.Getenv("WAYBILL_DRIVER_TESTS"); only != "" {
		var files []string
		for name := range strings.SplitSeq(only, ",") {
			files = append(files, "tests/driver/"+name+".test.mjs")
		}
		if slices.Contains([]string{"live", "chat", "recipient"}, only) {
			o.startWithoutPlanner(t)
		}
		tests.run(t, environment, 2, files...)
		return
	}
	tests.run(t, environment, 3, driversTests(t)...) // each has drivers of its own, and waits for most of its time
	o.requireDriven(t)
	o.startWithoutPlanner(t)
	tests.run(t, environment, 1, withTheOffice...)
}

// startWithoutPlanner starts a process that works on all task queues but that of planning: it
// would move orders whose windows have passed to no driver.
func (o *organization) startWithoutPlanner(t *testing.T) {
	t.Helper()
	var queues []string
	for _, queue := range workflows.Queues {
		if queue != workflows.PlanningQueue {
			queues = append(queues, string(queue))
		}
	}
	require.NoError(t, o.launch("work", []string{"work", "--queues", strings.Join(queues, ",")}))
}

// withTheOffice are the tests that involve the office and send messages.
var withTheOffice = []string{
	"tests/driver/connect.test.mjs", "tests/driver/office.test.mjs", "tests/driver/live.test.mjs",
	"tests/driver/chat.test.mjs", "tests/driver/recipient.test.mjs",
}

// driversTests are the tests that use the app as drivers, without those of the office.
func driversTests(t *testing.T) []string {
	t.Helper()
	files := slices.DeleteFunc(nodeTestFiles(t, "tests/driver/*.test.mjs"),
		func(file string) bool { return slices.Contains(withTheOffice, file) })
	require.NotEmpty(t, files)
	return files
}

// onTheRoad gives each driver a route of today, and returns what the tests
// need. The day is inserted as it is, and no planner remains that would change
// it.
func (o *organization) onTheRoad(t *testing.T, zone *time.Location) (environment []string) {
	t.Helper()
	now := time.Now().In(zone)
	today, yesterday := now.Format(time.DateOnly), now.AddDate(0, 0, -1).Format(time.DateOnly)
	var entries []object
	for _, roads := range []map[string][]string{roadsToday, roadsOfLastNight} {
		for _, numbers := range roads {
			for _, number := range numbers {
				entries = append(entries, door(number, now))
			}
		}
	}
	b := &browsing{o, t, ""}
	dispatcher := o.person(t, "dispatcher")
	b.say(http.StatusOK, http.MethodPost, "/v1/session", object{
		"organization": o.slug, "email": dispatcher["email"], "passphrase": dispatcher["passphrase"],
	})
	ids := map[string]int64{}
	for i, result := range o.importOrders(t, orders(entries...)) {
		ids[entries[i]["externalId"].(string)] = orderID(t, result)
	}
	drivers := map[string]int64{}
	for name, numbers := range roadsToday {
		drivers[name] = one[int64](
			t, o.installation, "insert into drivers (org_id, name) values ($1, $2) returning id", o.id, name,
		)
		for _, number := range slices.Concat(numbers, roadsOfLastNight[name]) {
			b.say(http.StatusOK, http.MethodPut, fmt.Sprintf("/v1/orders/%d/status", ids[number]),
				object{"order_status_id": 2, "driver_id": drivers[name]})
		}
	}
	drivers["Lars Nes"] = one[int64](t, o.installation,
		"insert into drivers (org_id, name, phone_number) values ($1, 'Lars Nes', '+4740000917') returning id", o.id)
	eventually(t, "who has which order is in the log", func() bool {
		return one[int](t, o.installation, `select count(distinct subject_id) from events
			where org_id = $1 and kind = 'order.planned' and position is not null`, o.id) == len(entries)
	})
	o.kill("work")
	for name, numbers := range roadsToday {
		o.route(t, drivers[name], today, numbers)
	}
	for name, numbers := range roadsOfLastNight {
		o.route(t, drivers[name], yesterday, numbers)
		_, err := o.admin.Exec(t.Context(), `update plan_routes r
			set starts_at = r.starts_at + interval '8 hours', ends_at = r.ends_at + interval '8 hours' from plans p
			where r.org_id = $1 and r.driver_id = $2 and p.org_id = r.org_id and p.id = r.plan_id and p.day = $3::date`,
			o.id, drivers[name], today)
		require.NoError(t, err)
	}
	encoded := func(value any) string {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		return string(text)
	}
	// Without it, the database plans the first reads of 120 stops as if the tables were empty.
	_, err := o.admin.Exec(t.Context(), "analyze")
	require.NoError(t, err)
	return []string{
		"WAYBILL_URL=http://" + o.address, "WAYBILL_ORGANIZATION=" + o.slug, "WAYBILL_KEY=" + o.key,
		"WAYBILL_DAY=" + today, "WAYBILL_DRIVERS=" + encoded(drivers),
		"WAYBILL_ORDERS=" + encoded(ids), "WAYBILL_PEOPLE=" + encoded(map[string]any{"dispatcher": dispatcher}),
		"WAYBILL_SMS=" + o.sms.URL(),
	}
}

// door is an order from the terminal to a recipient's door, on the day of a
// moment in its zone.
func door(number string, on time.Time) object {
	at := func(hour int) string {
		return time.Date(on.Year(), on.Month(), on.Day(), hour, 0, 0, 0, on.Location()).Format(time.RFC3339)
	}
	fields := []object{{"externalId": "gate_code", "value": "4711"}}
	kind, opens := "Standard", 9
	switch {
	case strings.HasPrefix(number, "COUNT"):
		fields = nil // nothing has to be read first
	case strings.HasPrefix(number, "WIRE"):
		fields, opens = nil, 6 // so that no driver waits, and each stop moves all later ETAs
	case number == "WARN-3":
		opens = 13 // when no driver comes
	case strings.HasPrefix(number, "RULE"):
		kind = "Careful"
	case strings.HasPrefix(number, "FIELD"):
		bay := map[string]string{"FIELD-1": "7", "FIELD-2": "8"}[number]
		fields = append(fields, object{"externalId": "bay", "value": bay}, object{"externalId": "floor", "value": "3"},
			object{"externalId": "plate", "value": "EB 12345"})
	}
	// Three orders go to one door, each to a different recipient.
	place, contact := "Door "+number, object{"firstName": "Kari", "lastName": "Nordmann", "phoneNumber": "+4740000001"}
	if n, ok := strings.CutPrefix(number, "GOODS-"); ok {
		place, contact = "Door GOODS", object{"firstName": "Person", "lastName": n, "phoneNumber": "+474000000" + n}
	}
	return newOrder(number, object{
		"date": on.Format(time.DateOnly), "orderType": object{"name": kind},
		"pickup": object{"externalId": "T-OSL", "earliest": at(6), "latest": at(8)},
		"delivery": object{
			"name": place, "earliest": at(opens), "latest": at(15),
			"address":  object{"address1": "Storgata 1", "postalCode": "0155", "city": "Oslo", "country": "NO"},
			"contacts": []object{contact},
		},
		"products":     []object{product(number+"-P", object{"name": "Chair of " + number, "quantity": 1})},
		"customFields": fields,
	})
}

// route inserts a driver's route of a day, whose orders have been known for
// days.
func (o *organization) route(t *testing.T, driver int64, day string, numbers []string) {
	t.Helper()
	for _, do := range []string{
		`delete from plan_stops where org_id = $1 and order_id in (
			select id from orders where org_id = $1 and number = any ($4)) and $2 > 0 and $3::date is not null`,
		`insert into plans (org_id, day, version)
			select $1, $3::date, 1 where $2 > 0 and $4::text[] is not null on conflict do nothing`,
		`insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds, meters,
				weight_kg, volume_m3)
			select org_id, id, $2, now(), now() + interval '4 hours', 600, 0, 5000, 0, 0 from plans
			where org_id = $1 and day = $3::date and department_id is null and $4::text[] is not null`,
		`insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
				slack_seconds, eta, driving_seconds, meters, latitude, longitude)
			select s.org_id, s.order_id, s.kind, p.id, $2, row_number() over (order by s.kind desc, o.number), now(), now(),
				now(), 0, now() + interval '1 hour', 300, 2500, 59.909 + (s.kind = 'delivery')::int * 0.001, 10.7
			from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			join plans p on p.org_id = s.org_id and p.day = $3::date and p.department_id is null
			where s.org_id = $1 and o.number = any ($4)`,
		`update orders set driver_id = $2, status_id = 2, created_at = now() - interval '4 days'
			where org_id = $1 and number = any ($4) and $3::date is not null`,
	} {
		_, err := o.admin.Exec(t.Context(), do, o.id, driver, day, numbers)
		require.NoError(t, err, do)
	}
}

// driven are all actions of each driver, in sequence: the kind, the order, and
// the reason if it had no effect.
var driven = map[string]string{
	"Nora Berg": `START_ROUTE, SCAN DAY-1, ARRIVE DAY-1, ARRIVE DAY-2, ARRIVE DAY-3, PICK_UP DAY-1,
		PICK_UP DAY-2, PICK_UP DAY-3, ARRIVE DAY-1, SCAN DAY-1, DELIVER DAY-1, ARRIVE DAY-2, DELIVER DAY-2, ARRIVE DAY-3,
		UNDO DAY-3, ARRIVE DAY-3, FAIL DAY-3, UNDO DAY-3, FAIL DAY-3, END_ROUTE`,
	"Jens Lie": `START_ROUTE, ARRIVE LOST-1, ARRIVE LOST-2, PICK_UP LOST-1, PICK_UP LOST-2, ARRIVE LOST-1, DELIVER LOST-1,
		ARRIVE LOST-2, DELIVER LOST-2`,
	"Kari Moe": `START_ROUTE, ARRIVE DEAD-1, ARRIVE DEAD-2, PICK_UP DEAD-1, PICK_UP DEAD-2, ARRIVE DEAD-1, DELIVER DEAD-1,
		ARRIVE DEAD-2, DELIVER DEAD-2`,
	"Siri Dal": `START_ROUTE, ARRIVE DRAWER-1, ARRIVE DRAWER-2, PICK_UP DRAWER-1, PICK_UP DRAWER-2, ARRIVE DRAWER-1,
		DELIVER DRAWER-1, ARRIVE DRAWER-2, FAIL DRAWER-2`,
	"Ola Vik": `START_ROUTE, ARRIVE GONE-1, ARRIVE GONE-2, PICK_UP GONE-1, PICK_UP GONE-2, ARRIVE GONE-1 ORDER_CANCELLED,
		DELIVER GONE-1 ORDER_CANCELLED, ARRIVE GONE-2, DELIVER GONE-2`,
	"Ida Ruud": `START_ROUTE, ARRIVE MOVED-1 ALREADY_DONE, ARRIVE MOVED-2 ALREADY_DONE, ARRIVE MOVED-3,
		PICK_UP MOVED-1 ALREADY_DONE, PICK_UP MOVED-2 ALREADY_DONE, PICK_UP MOVED-3,
		ARRIVE MOVED-1 NOT_YOURS_ANY_MORE, DELIVER MOVED-1 NOT_YOURS_ANY_MORE, ARRIVE MOVED-2 ALREADY_DONE,
		DELIVER MOVED-2 ALREADY_DONE, ARRIVE MOVED-3, DELIVER MOVED-3`,
	"Astrid Dahl": "START_ROUTE, ARRIVE LOOK-1, ARRIVE LOOK-2",
	"Lise Holm":   "START_ROUTE, ARRIVE FIELD-1, ARRIVE FIELD-2, PICK_UP FIELD-1, PICK_UP FIELD-2",
	"Per Aune": `START_ROUTE, ARRIVE PALLET-1, PICK_UP PALLET-1, ARRIVE PALLET-1, DELIVER PALLET-1,
		EXCHANGE_CARGO_CARRIERS PALLET-1, UNDO PALLET-1, EXCHANGE_CARGO_CARRIERS PALLET-1`,
	"Liv Sand": `START_ROUTE, REPORT_MISSING GOODS-3, ARRIVE GOODS-1, ARRIVE GOODS-2, PICK_UP GOODS-1, PICK_UP GOODS-2,
		ARRIVE GOODS-1, ARRIVE GOODS-2, DELIVER GOODS-1, DELIVER GOODS-2`,
	"Mona Natt": "START_ROUTE, ARRIVE NIGHT-1, PICK_UP NIGHT-1, ARRIVE NIGHT-1, DELIVER NIGHT-1, END_ROUTE",
	"Tuva Lund": `START_ROUTE, ARRIVE TAP-1, ARRIVE TAP-2, PICK_UP TAP-1, PICK_UP TAP-2, ARRIVE TAP-1, DELIVER TAP-1,
		ARRIVE TAP-2, FAIL TAP-2`,
	"Odd Krohn": `START_ROUTE, ARRIVE COUNT-1, ARRIVE COUNT-2, ARRIVE COUNT-3, ARRIVE COUNT-4, ARRIVE COUNT-5,
		ARRIVE COUNT-6,
		PICK_UP COUNT-1, PICK_UP COUNT-2, PICK_UP COUNT-3, PICK_UP COUNT-4, PICK_UP COUNT-5, PICK_UP COUNT-6,
		ARRIVE COUNT-1, DELIVER COUNT-1, ARRIVE COUNT-2, DELIVER COUNT-2, ARRIVE COUNT-3, DELIVER COUNT-3,
		ARRIVE COUNT-4, DELIVER COUNT-4, FAIL COUNT-5, ARRIVE COUNT-6, DELIVER COUNT-6`,
	"Siv Moen": `START_ROUTE, ARRIVE DRAFT-1, ARRIVE DRAFT-2, PICK_UP DRAFT-1, PICK_UP DRAFT-2, ARRIVE DRAFT-1,
		SCAN DRAFT-1, DELIVER DRAFT-1, ARRIVE DRAFT-2, FAIL DRAFT-2`,
	"Geir Foss": `START_ROUTE, ARRIVE WARN-1, ARRIVE WARN-2, ARRIVE WARN-3, PICK_UP WARN-1, PICK_UP WARN-2,
		PICK_UP WARN-3, ARRIVE WARN-1, DELIVER WARN-1, END_ROUTE`,
	"Bodil Eng": `START_ROUTE, ARRIVE NEWS-1, ARRIVE NEWS-2, ARRIVE NEWS-3, PICK_UP NEWS-1, PICK_UP NEWS-2, PICK_UP NEWS-3`,
	"Tor Aas": `START_ROUTE, ARRIVE RULE-1, ARRIVE RULE-2, ARRIVE RULE-3, PICK_UP RULE-1, PICK_UP RULE-2, PICK_UP RULE-3,
		ARRIVE RULE-1, DELIVER RULE-1, ARRIVE RULE-2, DELIVER RULE-2, ARRIVE RULE-3, FAIL RULE-3`,
}

// requireDriven compares the service's record with the drivers' actions.
func (o *organization) requireDriven(t *testing.T) {
	t.Helper()
	for name, actions := range driven {
		require.Equal(t, strings.Join(strings.Fields(actions), " "), one[string](t, o.installation, `select coalesce(
				string_agg(concat_ws(' ', a.type, o.number, a.outcome_reason), ', ' order by a.received_at), '')
			from driver_actions a join drivers d on d.org_id = a.org_id and d.id = a.driver_id
			left join orders o on o.org_id = a.org_id and o.id = a.order_id
			where a.org_id = $1 and d.name = $2`, o.id, name), "each action of %s once, and in its sequence", name)
	}
	require.Equal(t, strings.Join(slices.Concat([]string{
		"BOTH-1 6 IN_PERSON Kari", "BOTH-2 4",
		"COUNT-1 6 IN_PERSON Kari Nordmann", "COUNT-2 6 IN_PERSON Kari Nordmann", "COUNT-3 6 IN_PERSON Kari Nordmann",
		"COUNT-4 6 CONTACTLESS", "COUNT-5 7 Closed, or nobody at home", "COUNT-6 6 IN_PERSON Kari Nordmann",
		"DAY-1 6 IN_PERSON Kari Nordmann", "DAY-2 6 CONTACTLESS",
		"DAY-3 7 Closed, or nobody at home",
		"DEAD-1 6 IN_PERSON Per", "DEAD-2 6 IN_PERSON Per", "DRAFT-1 6 IN_PERSON Kari", "DRAFT-2 7 Another reason (comment)",
		"DRAWER-1 6 IN_PERSON Per", "DRAWER-2 7 Refused",
		"FIELD-1 4", "FIELD-2 4", "GONE-1 8", "GONE-2 6 IN_PERSON Per", "GOODS-1 6 IN_PERSON Kari", "GOODS-2 7 refused",
		"GOODS-3 7 missing", "LATER-1 2", "LIVE-1 2", "LIVE-2 2", "LOOK-1 3", "LOOK-2 3", "LOST-1 6 IN_PERSON Per",
		"LOST-2 6 IN_PERSON Per",
		"MOVED-1 4", "MOVED-2 6", "MOVED-3 6 IN_PERSON Per",
		"NEWS-1 4", "NEWS-2 8", "NEWS-3 4", "NIGHT-1 6 IN_PERSON Per", "PALLET-1 6 IN_PERSON Kari", "PIN-1 2",
		"RULE-1 6 IN_PERSON Per", "RULE-2 6 CONTACTLESS", "RULE-3 7 Closed, or nobody at home",
		"SPEED-1 2", "SPEED-2 2", "SPEED-3 2", "SPEED-4 2", "SPEED-5 2", "SPEED-6 2", "SPEED-7 2", "SPEED-8 2", "SPEED-9 2",
		"TALK-1 2", "TAP-1 6 IN_PERSON Per", "TAP-2 7 Closed, or nobody at home", "TELL-1 2",
		"WARN-1 6 IN_PERSON Per", "WARN-2 4", "WARN-3 4",
	}, wired()), "\n"), o.endings(t))
	o.requireTold(t)
	o.requireProved(t)
	require.ElementsMatch(t, []string{"EUR1 -4", "EUR1 -5", "EUR1 2", "EUR1 back -2", "EUR1 back 5", "ROLL 1", "ROLL back -1"},
		list(t, o.installation, `select concat_ws(' ', c.code, case when m.reverses is not null then 'back' end, m.quantity)
			from cargo_carrier_movements m
			join cargo_carrier_accounts a on a.org_id = m.org_id and a.id = m.account_id
			join cargo_carriers c on c.org_id = m.org_id and c.id = a.cargo_carrier_id
			where m.org_id = $1`, o.id), "what was exchanged is in the accounting once")
}

// wired are the endings of the driver who delivers the first 20 of 120 orders.
func wired() []string {
	all := roadsToday["Ada Wiik"]
	ends := make([]string, len(all))
	for i, number := range all {
		if ends[i] = number + " 4"; i < 20 {
			ends[i] = number + " 6 IN_PERSON Kari Nordmann"
		}
	}
	return ends
}

// requireTold checks the log and the messages for the office.
func (o *organization) requireTold(t *testing.T) {
	t.Helper()
	require.Empty(t, list(t, o.installation, `select concat_ws(' ', o.number, e.kind, e.stop, count(*)) from events e
		join orders o on o.org_id = e.org_id and o.id = e.subject_id
		where e.org_id = $1 and e.subject_type = 'order' and o.number <> 'DAY-3'
			and e.kind in ('stop.arrived', 'order.picked_up', 'order.delivered', 'order.failed')
		group by o.number, e.kind, e.stop having count(*) > 1`, o.id), "the world hears of it once")
	require.Equal(t, []string{
		"BOTH-1 OVERRIDDEN", "GONE-1 ACTED_THOUGH_CANCELLED", "GONE-1 DELIVERED_THOUGH_CANCELLED", "GOODS-2 ALL_REFUSED",
		"GOODS-3 GOODS_MISSING", "MOVED-1 ALREADY_DONE",
		"MOVED-1 NOT_YOURS_ANY_MORE", "MOVED-2 ALREADY_DONE",
	}, list(t, o.installation, `select distinct o.number || ' ' || x.kind from exceptions x
		join orders o on o.org_id = x.org_id and o.id = x.order_id
		where x.org_id = $1 and x.kind not in ('LATE_STOP', 'SILENT_DRIVER') order by 1`, o.id))
	require.Empty(t, list(t, o.installation, `select concat_ws(' ', d.name, a.type, a.received_at - a.occurred_at)
		from driver_actions a join drivers d on d.org_id = a.org_id and d.id = a.driver_id where a.org_id = $1
			and a.received_at - a.occurred_at not between
				case when d.name = 'Siri Dal' then interval '72 hours' else interval '0' end
				and case when d.name = 'Siri Dal' then interval '73 hours' else interval '10 minutes' end`, o.id),
		"a clock that is wrong is corrected, and what is late happened when it did")
}

// requireProved checks the proofs of the deliveries.
func (o *organization) requireProved(t *testing.T) {
	t.Helper()
	require.Equal(t, []string{"DAY-1 59.91 10.7 1", "DAY-2 59.91 10.7 1"}, list(t, o.installation, `select
			concat_ws(' ', o.number, p.latitude, p.longitude, count(b.*)) from completion_proofs p
		join orders o on o.org_id = p.org_id and o.id = p.order_id
		left join completion_proof_images i on i.org_id = p.org_id and i.proof_id = p.id
		left join proof_pictures b on b.org_id = p.org_id and b.sha256 in (i.sha256, p.signature_sha256)
		where p.org_id = $1 and o.number like 'DAY-%' and p.counts
		group by o.number, p.id, p.latitude, p.longitude order by 1`, o.id),
		"where it was, and the bytes of what was signed or seen")
	require.Equal(t, []string{"COUNT-2 signature", "COUNT-3 photo", "COUNT-4 photo", "DAY-1 signature", "DAY-2 photo", "DRAFT-1 photo", "DRAFT-1 signature", "DRAFT-2 photo", "RULE-1 signature", "RULE-2 photo", "RULE-3 photo"},
		list(t, o.installation, `select concat_ws(' ', o.number, x.what) from driver_actions a
			join orders o on o.org_id = a.org_id and o.id = a.order_id
			cross join lateral (
				select 'signature' as what, a.data -> 'proof' ->> 'signature' as sum
				union all select 'photo', jsonb_array_elements_text(a.data -> 'proof' -> 'pictures')
				union all select 'photo', jsonb_array_elements_text(a.data -> 'pictures')) x
			join proof_pictures p on p.org_id = a.org_id and p.sha256 = decode(x.sum, 'hex')
			where a.org_id = $1 order by 1`, o.id), "each signature and photo has arrived")
	printed, err := o.command(t.Context(), "proofs", "verify", "--org", o.slug)
	require.NoError(t, err, printed)
}
