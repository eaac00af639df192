package e2e_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/credential"
)

// phone is that of a driver.
type phone struct {
	*organization

	driver int64
	cookie string
}

// phone enrolls a phone of a driver.
func (o *organization) phone(t *testing.T, driver int64) *phone {
	t.Helper()
	secret, err := credential.New(credential.Device, rand.Reader)
	require.NoError(t, err)
	hash := secret.Hash()
	_, err = o.admin.Exec(t.Context(), `
		insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at, expires_at)
		values ($1, 'device', $2, $3, $4, now(), now(), now() + interval '1 day')`, o.id, secret.Public(), hash[:], driver)
	require.NoError(t, err)
	return &phone{o, driver, "waybill=" + secret.Reveal()}
}

// route is the driver's route of tomorrow.
func (p *phone) route(t *testing.T) contract.DriverRoute {
	t.Helper()
	a := p.anonymous(t, http.MethodGet, "/v1/driver/route?date="+tomorrow(), nil, "Cookie", p.cookie)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	return read[contract.DriverRoute](t, a)
}

// stop is a stop of the route.
func (p *phone) stop(t *testing.T, number string, kind contract.DriverStopStop) contract.DriverStop {
	t.Helper()
	stops := p.route(t).Stops
	at := slices.IndexFunc(stops, func(s contract.DriverStop) bool { return s.ExternalID == number && s.Stop == kind })
	require.GreaterOrEqual(t, at, 0, "%s of %s is on the route", kind, number)
	return stops[at]
}

// says reports an action of the driver now, at a stop or without one.
func (p *phone) says(t *testing.T, deed string, stop int64) {
	t.Helper()
	now := time.Now().UTC()
	action := object{"id": uuid.NewString(), "type": deed, "occurredAt": now, "sentAt": now}
	if stop != 0 {
		action["stopId"] = stop
	}
	switch deed {
	case "DELIVER":
		action["proof"] = object{"type": "IN_PERSON", "signee": "Kari"}
	case "FAIL":
		action["reason"] = "The goods were not ready."
	}
	a := p.anonymous(t, http.MethodPost, "/v1/driver/actions", object{"actions": []object{action}}, "Cookie", p.cookie)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	require.Contains(t, string(a.body), "APPLIED")
}

// queue is a day of a sandbox in the Oslo of the demo, on which Nora has a phone and a
// simulated driver keeps the clock going.
type queue struct {
	*organization

	nora   *phone
	office *browsing
	links  map[string]string
}

// queuePace is how many minutes of the plan pass in one on that day.
const queuePace = 240

func newQueue(t *testing.T, loaded []string, failed string) *queue {
	t.Helper()
	o := shared.organization(t)
	o.apply(t, `vehicles:
  - {registration: Q-1, vehicleType: Van, homeLocation: T-OSL}
  - {registration: Q-2, vehicleType: Van, homeLocation: T-OSL}
drivers:
  - {externalId: Q-1, name: Nora Vik, department: Oslo, vehicle: Q-1, workdays: [{rrule: FREQ=DAILY, starts: "06:00", ends: "18:00"}]}
  - {externalId: Q-2, name: Per Vik, department: Oslo, vehicle: Q-2, workdays: [{rrule: FREQ=DAILY, starts: "06:00", ends: "18:00"}]}
`)
	for _, do := range []string{
		"update drivers set is_active = false where org_id = $1 and external_id not like 'Q-%'",
		`insert into notification_rules (org_id, event, channel, receiver)
			select $1, unnest('{STOP_APPROACHING,STOP_ARRIVED,ORDER_DELIVERED,ORDER_FAILED}'::text[]), 'EMAIL', 'DELIVERY_CONTACTS'
		on conflict do nothing`,
	} {
		_, err := o.admin.Exec(t.Context(), do, o.id)
		require.NoError(t, err)
	}
	q := &queue{organization: o, office: &browsing{o, t, ""}, links: map[string]string{}}
	dispatcher := o.person(t, "dispatcher")
	q.office.say(http.StatusOK, http.MethodPost, "/v1/session", object{
		"organization": o.slug, "email": dispatcher["email"], "passphrase": dispatcher["passphrase"],
	})
	q.nora = o.phone(t, o.idOf(t, "drivers", "external_id", "Q-1"))
	for n, number := range append(slices.Clone(loaded), failed) {
		q.take(t, number, n, "08:00:00Z", "09:00:00Z", q.nora.driver)
		q.links[number] = o.reserve(t, number).Delivery.Code
	}
	q.take(t, "KEEPS-GOING-LATE", 9, "14:00:00Z", "15:00:00Z", o.idOf(t, "drivers", "external_id", "Q-2"))
	o.planned(t, "all orders have their drivers", `select count(*) = $2 and bool_and(o.driver_id = k.driver_id) from orders o
		join order_driver_locks k on k.org_id = o.org_id and k.order_id = o.id where o.org_id = $1 and o.status_id = 2`, len(loaded)+2)
	o.planRests(t)
	return q
}

// take imports an order for tomorrow, for one driver or for any where it is 0.
func (q *queue) take(t *testing.T, number string, n int, earliest, latest string, driver int64) {
	t.Helper()
	entry := toPlan(n)
	entry["externalId"] = number
	to := entry["delivery"].(object)
	to["earliest"], to["latest"] = tomorrow()+"T"+earliest, tomorrow()+"T"+latest
	to["contacts"] = []object{{"firstName": "Olaug", "emailAddress": number + "@example.com"}}
	id := orderID(t, q.importOrders(t, orders(entry))[0])
	if driver != 0 {
		q.office.say(http.StatusOK, http.MethodPut, fmt.Sprintf("/v1/orders/%d/driver-lock", id), object{"driver_id": driver})
	}
}

// requireAhead requires that each order on board has its delivery on the route
// of its driver, in the plan and on its page, and that a failed one is on
// neither.
func (q *queue) requireAhead(t *testing.T, loaded []string, failed string) {
	t.Helper()
	route := map[string]contract.DriverStopStatus{}
	for _, s := range q.nora.route(t).Stops {
		if s.Stop == contract.DriverStopStopDELIVERY {
			route[s.ExternalID] = s.Status
		}
	}
	planned, unplanned := map[string]int64{}, []string{}
	for token, more := "", true; more; {
		page := read[contract.PlanPage](t, q.get(t, "/v2/plans/"+tomorrow()+"?token="+token))
		for _, r := range page.Routes {
			for _, s := range r.Stops {
				if s.Stop == contract.PlanStopStopDELIVERY {
					planned[s.ExternalID] = r.DriverID
				}
			}
		}
		for _, u := range page.Unplanned {
			unplanned = append(unplanned, u.ExternalID)
		}
		token, more = page.NextToken, page.HasMore
	}
	for _, number := range loaded {
		require.Contains(t, []contract.DriverStopStatus{contract.DriverStopStatusPending, contract.DriverStopStatusArrived}, route[number],
			"%s is on the driver's route", number)
		require.Equal(t, q.nora.driver, planned[number], "%s is in the plan", number)
		require.NotContains(t, unplanned, number)
		stop := read[contract.TrackedStop](t, q.track(t, q.links[number], program))
		require.Contains(t, []contract.OrderStatusName{contract.OrderStatusNamePickedUp, contract.OrderStatusNameAtDelivery}, stop.Status)
		if stop.Status == contract.OrderStatusNamePickedUp {
			page := q.track(t, q.links[number], browser, "Accept-Language", "en")
			require.Contains(t, string(page.body), "Expected", "the page of %s says when", number)
		}
	}
	require.NotContains(t, route, failed)
	require.NotContains(t, planned, failed)
	require.NotContains(t, unplanned, failed)
	require.Equal(t, contract.OrderStatusNameFailed, read[contract.TrackedStop](t, q.track(t, q.links[failed], program)).Status)
	q.requireOnce(t, failed)
}

// requireOnce requires that nothing is announced twice, and each stop is late
// once.
func (q *queue) requireOnce(t *testing.T, failed string) {
	t.Helper()
	require.Empty(t, list(t, q.installation, `select concat_ws(' ', o.number, n.event, n.receiver, count(*)) from notifications n
		join orders o on o.org_id = n.org_id and o.id = n.order_id where n.org_id = $1
		group by o.number, n.event, n.receiver having count(*) > 1`, q.id), "nobody is told twice")
	require.Empty(t, list(t, q.installation, `select concat_ws(' ', o.number, x.kind, x.stop, count(*)) from exceptions x
		join orders o on o.org_id = x.org_id and o.id = x.order_id where x.org_id = $1
		group by o.number, x.kind, x.stop having count(*) > 1 or o.number = $2`, q.id, failed), "a stop is late once")
}

// shows reports whether the clock of the day shows a time of tomorrow, or a later one.
func (q *queue) shows(t *testing.T, clock string) bool {
	t.Helper()
	return one[bool](t, q.installation, `select clock_from + (now() - clock_since) * pace >= $2::timestamptz from sandbox_runs
		where org_id = $1`, q.id, tomorrow()+"T"+clock+"Z")
}

// late are the orders whose deliveries are late now.
func (q *queue) late(t *testing.T) []string {
	t.Helper()
	return list(t, q.installation, `select o.number from exceptions x join orders o on o.org_id = x.org_id and o.id = x.order_id
		where x.org_id = $1 and x.kind = 'LATE_STOP' and x.stop = 'delivery' and x.resolved_at is null and o.number like 'LOADED%'
		order by 1`, q.id)
}

// TestDriverWaitsAtAStop has a driver load goods, find that one order is not
// ready, and wait in a queue until the windows of everything on board are over.
// Meanwhile other orders are added, and a plan is made after each. Nothing
// locks the load to her.
func TestDriverWaitsAtAStop(t *testing.T) {
	t.Parallel()
	loaded, failed := []string{"LOADED-1", "LOADED-2", "LOADED-3"}, "NOT-READY"
	q := newQueue(t, loaded, failed)
	nora := q.nora
	q.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": queuePace, "trouble": "USUAL"})
	q.planned(t, "the clock runs", "select clock_from is not null from sandbox_runs where org_id = $1")
	nora.says(t, "START_ROUTE", 0)
	for _, number := range loaded {
		nora.says(t, "PICK_UP", nora.stop(t, number, contract.DriverStopStopPICKUP).StopID)
	}
	nora.says(t, "FAIL", nora.stop(t, failed, contract.DriverStopStopPICKUP).StopID)
	for _, number := range loaded { // from now on only the planner keeps them with her
		lock := fmt.Sprintf("/v1/orders/%d/driver-lock", q.idOf(t, "orders", "number", number))
		q.office.say(http.StatusOK, http.MethodPut, lock, object{"driver_id": nil})
	}
	q.planRests(t)
	q.requireAhead(t, loaded, failed)
	for _, s := range nora.route(t).Stops {
		if s.Stop == contract.DriverStopStopDELIVERY && s.ExternalID != "" {
			nora.says(t, "ARRIVE", s.StopID) // and there she waits
			break
		}
	}
	late := []string{}
	for n := 0; !q.shows(t, "09:20"); n++ {
		q.take(t, "MORE-"+strconv.Itoa(n), 4+n, "08:00:00Z", "15:30:00Z", 0)
		q.planRests(t)
		q.requireAhead(t, loaded, failed)
		now := q.late(t)
		require.Subset(t, now, late, "who is late stays late")
		late = now
	}
	require.Len(t, late, len(loaded)-1, "all are late but where she came in time")
	for _, number := range loaded {
		nora.says(t, "DELIVER", nora.stop(t, number, contract.DriverStopStopDELIVERY).StopID)
	}
	eventually(t, "nobody is late any more", func() bool { return len(q.late(t)) == 0 })
	q.planRests(t)
	q.requireOnce(t, failed)
	require.Equal(t, loaded, list(t, q.installation,
		"select number from orders where org_id = $1 and status_id = 6 and number like 'LOADED%' order by 1", q.id))
}
