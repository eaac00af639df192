package driving_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

const minute = time.Minute

func TestADayOnTheRoad(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora Berg")
	id, pickup, delivery := nora.give("A-1")
	product := d.ID("select id from order_products where org_id = $1 and order_id = $2", id)
	d.exec(
		`insert into order_products (org_id, order_id, seq, number, external_id, instance_number, name, quantity, atom_type)
		select org_id, order_id, seq + 1, number, 'ANOTHER', 'ANOTHER', 'Table', 1, atom_type
		from order_products where org_id = $1 and id = $2`,
		product,
	)
	place := object{"position": object{"latitude": 59.9139, "longitude": 10.7522, "accuracyMeters": 12}}
	results := nora.says(
		nora.did("START_ROUTE", 0, 60*minute),
		nora.did("ARRIVE", pickup, 50*minute),
		nora.did("PICK_UP", pickup, 40*minute),
		nora.did("ARRIVE", delivery, 20*minute, place),
		nora.did("NOTE", delivery, 15*minute, object{"comment": "The bell is broken"}),
		nora.did("SCAN", delivery, 12*minute, object{"scans": []object{{"code": "7038010001000"}}}),
		nora.did("DELIVER", delivery, 10*minute, place, object{
			"products": []object{{"productId": product, "delivered": 0, "refused": 1, "reason": "Broken"}},
			"proof": object{
				"type": "CONTACTLESS", "comment": "Behind the shed", "pictures": []string{strings.Repeat("ab", 32)},
			},
		}),
		nora.did("END_ROUTE", 0, minute),
	)
	require.Equal(t, []string{
		"APPLIED", "APPLIED 3", "APPLIED 4", "APPLIED 5", "APPLIED 5", "APPLIED 5", "APPLIED 6", "APPLIED",
	}, outcomes(results))
	who := fmt.Sprintf("driver=%d", nora.driver)
	require.Equal(t, "6 "+who+" completed completed 0/1 CONTACTLESS", d.stand(id))
	at := ` {"position": {"latitude": 59.9139, "longitude": 10.7522}}`
	require.Equal(t, strings.Join([]string{
		"stop.arrived 3 " + who + " pickup device {}",
		"order.picked_up 4 " + who + " pickup device {}",
		"stop.arrived 5 " + who + " delivery device" + at,
		"order.driver_acted " + who + " delivery device {}",
		"order.driver_acted " + who + " delivery device {}",
		`order.proved device {"seq": 1}`,
		"order.delivered 6 " + who + " delivery device" + at,
		"order.products_refused " + who + " delivery device" + at,
	}, "\n"), d.story(id))
	require.Equal(t, "arrival, pickup, arrival, note The bell is broken, scan 7038010001000, delivery", d.Text(
		`select string_agg(concat_ws(' ', type, comment), ', ' order by occurred_at)
			from order_documentations where org_id = $1`))
	require.Equal(t, "driver.route_started, driver.route_ended", d.Text(
		`select string_agg(kind, ', ' order by id) from events where org_id = $1 and kind like 'driver.route%'`))
	require.Equal(t, fmt.Sprintf("{%d} 6, {%d} 7", product+1, product), d.Text(
		`select string_agg(product_ids::text||' '||product_status_id, ', ' order by id) from events
			where org_id = $1 and kind in ('order.delivered', 'order.products_refused')`))
	w := d.Send(http.MethodGet, fmt.Sprintf("/v1/orders/%d/order-products", id), "", "Authorization", d.dispatcher)
	var products []contract.OrderProduct
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &products))
	require.Equal(t, 1.0, *products[0].RefusedQuantity)
	require.Equal(t, "Broken", products[0].RefusalReason.MustGet())
	require.Equal(t, "t", d.Text(`select (abs(extract(epoch from occurred_at - now()) + 600) < 60)::text::char from events
		where org_id = $1 and kind = 'order.delivered'`), "it happened ten minutes ago")
}

// TestRepeatedActionChangesNothing sends actions again, some at once: each gets its first
// answer, and nothing happens twice.
func TestRepeatedActionChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	id, pickup, delivery := nora.give("A-1")
	day := []object{
		nora.did("START_ROUTE", 0, 30*minute), nora.did("PICK_UP", pickup, 20*minute),
		nora.did("DELIVER", delivery, 10*minute, object{"proof": object{"type": "IN_PERSON", "signee": "Kari"}}),
		nora.did("NOTE", delivery, 9*minute),
	}
	var together sync.WaitGroup
	for range 4 {
		together.Go(func() { nora.says(day...) })
	}
	together.Wait()
	story, stand := d.story(id), d.stand(id)
	again := nora.says(day...)
	require.Equal(t, "APPLIED,APPLIED,APPLIED,APPLIED", d.Text(
		"select string_agg(outcome, ',') from driver_actions where org_id = $1"))
	for _, r := range again {
		require.True(t, r.Repeated)
		require.Equal(t, contract.DriverActionResultOutcome("APPLIED"), r.Outcome)
	}
	require.Equal(t, story, d.story(id))
	require.Equal(t, stand, d.stand(id))
	require.Equal(t, "1", d.Text("select count(*)::text from completion_proofs where org_id = $1"))

	jens := d.phone("Jens")
	other := jens.did("NOTE", delivery, minute)
	other["id"] = day[3]["id"]
	require.Equal(t, []string{"REJECTED ID_TAKEN"}, outcomes(jens.says(other)))
}

// TestActionsInAnySequence sends a day's actions and the office's changes in many
// sequences; the result is always the same.
func TestActionsInAnySequence(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	var want string
	for i := range 12 {
		id, pickup, delivery := nora.give(fmt.Sprintf("A-%d", i))
		product := d.ID("select id from order_products where org_id = $1 and order_id = $2", id)
		wrong := nora.did("FAIL", delivery, 15*minute, object{"reason": "Nobody at home"})
		back := nora.did("UNDO", delivery, 15*minute-20*time.Second, object{"undoes": wrong["id"]})
		back["sentAt"] = wrong["sentAt"]
		day := []object{
			nora.did("ARRIVE", pickup, 50*minute), nora.did("PICK_UP", pickup, 40*minute),
			nora.did("ARRIVE", delivery, 20*minute), wrong, back,
			nora.did("DELIVER", delivery, 10*minute, object{
				"products": []object{{"productId": product, "delivered": 1}}, "proof": object{"type": "IN_PERSON"},
			}),
		}
		if i > 0 {
			rand.Shuffle(len(day), func(a, b int) { day[a], day[b] = day[b], day[a] })
			day = slices.Insert(day, rand.IntN(len(day)), day[len(day)-1])
		}
		cancelled := rand.IntN(len(day)) + 1
		for n, a := range day {
			nora.says(a)
			if n == cancelled { // refused once it is delivered, and overtaken else
				d.Send(http.MethodPost, "/v2/orders/cancel-orders", fmt.Sprintf(`{"externalIds": ["A-%d"]}`, i),
					"Authorization", d.AsRole(d.Org, caller.Dispatcher))
			}
		}
		if i == 0 {
			want = d.stand(id)
		}
		require.Equal(t, want, d.stand(id), "%v", day)
		require.Equal(t, "0", d.Text(`select count(*)::text from order_numbers n
			left join order_stops s on s.org_id = n.org_id and s.order_id = n.order_id
			where n.org_id = $1 and n.order_id = $2 and (n.cancelled_at is not null or s.cancelled_at is not null)`, id))
	}
	require.Contains(t, want, "6 ")
}

func TestActionsAfterOfficeChanges(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora"), d.phone("Jens")
	cancel := func(number string) {
		d.exec(`update orders set status_id = 8, cancelled_at = now() - interval '20 minutes'
			where org_id = $1 and number = $2`, number)
		d.exec(`update order_moves set at = now() - interval '20 minutes'
			where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = $2)`, number)
	}
	id, _, delivery := nora.give("CANCELLED")
	cancel("CANCELLED")
	late := nora.says(nora.did("DELIVER", delivery, 10*minute))
	require.Equal(t, []string{"RECORDED ORDER_CANCELLED 8"}, outcomes(late))
	require.Equal(t, "The order had already been cancelled.", *late[0].Text)
	require.Contains(t, d.story(id), `order.driver_acted driver=`)
	require.Contains(t, d.story(id), `"reason": "ORDER_CANCELLED"`)

	_, _, delivery = nora.give("DONE BEFORE")
	cancel("DONE BEFORE")
	require.Equal(t, []string{"APPLIED 6"}, outcomes(nora.says(nora.did("DELIVER", delivery, 30*minute))))

	id, pickup, delivery := nora.give("MOVED")
	require.Equal(t, http.StatusOK, d.move(id, 2, jens.driver).Code)
	d.exec("update events set position = id where org_id = $1 and position is null")
	require.Equal(t, []string{"APPLIED 4"}, outcomes(nora.says(
		nora.did("PICK_UP", pickup, 10*minute))), "Jens has not begun")
	require.Equal(t, []string{"RECORDED NOT_YOURS_ANY_MORE 4"}, outcomes(jens.says(
		jens.did("DELIVER", delivery, 5*minute))))

	id, _, delivery = nora.give("TOLD ON THE TELEPHONE")
	require.Equal(t, http.StatusOK, d.move(id, 6, 0).Code)
	require.Equal(t, []string{"APPLIED 6"}, outcomes(nora.says(nora.did("ARRIVE", delivery, 10*minute))))
	require.Equal(t, []string{"RECORDED ALREADY_DONE 6"}, outcomes(nora.says(nora.did("DELIVER", delivery, 0))))
	require.Equal(t, "completed completed", d.Text(`select pickup_status||' '||delivery_status from order_progress
		where org_id = $1 and order_id = $2`, id), "the office's word counts for the stops")
}

func TestImpossibleActions(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora"), d.phone("Jens")
	id, pickup, delivery := nora.give("A-1")
	require.Equal(t, []string{"REJECTED UNKNOWN_STOP", "REJECTED UNKNOWN_STOP"}, outcomes(jens.says(
		jens.did("DELIVER", delivery, minute), jens.did("NOTE", 1<<40, minute))), "neither says more than the other")
	require.Equal(t, []string{"REJECTED WRONG_STOP 2", "REJECTED WRONG_STOP 2"}, outcomes(nora.says(
		nora.did("DELIVER", pickup, minute), nora.did("PICK_UP", delivery, minute))))
	require.NotContains(t, d.story(id), "order.", "it says nothing of the order")
	require.Equal(t, "4", d.Text("select count(*)::text from driver_actions where org_id = $1"), "but it is kept")

	for field, a := range map[string]object{
		"actions[0].id":         {"id": "7"},
		"actions[0].type":       {"type": "FLY"},
		"actions[0].stopId":     {"stopId": nil},
		"actions[0].position":   {"position": object{"latitude": 91, "longitude": 0}},
		"actions[0].undoes":     {"type": "UNDO"},
		"actions[0].scans":      {"type": "SCAN"},
		"actions[0].occurredAt": {"occurredAt": "0001-01-01T00:00:00Z"},
		"actions[0].comment":    {"comment": strings.Repeat("x", 2001)},
	} {
		w := nora.post(nora.did("NOTE", delivery, minute, a))
		require.Equal(t, http.StatusBadRequest, w.Code, "%s: %s", field, w.Body)
		bad, err := apitest.Status(t, w.Body.Bytes()).Details[0].AsBadRequestDetail()
		require.NoError(t, err)
		require.Equal(t, field, bad.FieldViolations[0].Field)
	}
	require.Equal(t, http.StatusBadRequest, nora.post().Code)
	for _, header := range []string{d.dispatcher, "apikey " + d.Keys.Add(t, nil)} {
		w := d.Send(http.MethodPost, "/v1/driver/actions", `{"actions": []}`, "Authorization", header)
		require.Equal(t, http.StatusForbidden, w.Code)
	}
}

func TestWrongPhoneClockIsCorrected(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	nora.ahead = 3 * time.Hour
	_, pickup, _ := nora.give("A-1")
	nora.says(nora.did("PICK_UP", pickup, 10*minute))
	require.Equal(t, "true", d.Text(`select (abs(extract(epoch from now() - occurred_at) - 600) < 60
			and device_at > now() + interval '2 hours')::text from driver_actions where org_id = $1`))
}

func TestUndo(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	id, pickup, _ := nora.give("A-1")
	pick := nora.did("PICK_UP", pickup, 50*time.Second)
	require.Equal(t, []string{"APPLIED 4", "APPLIED 2"}, outcomes(nora.says(
		pick, nora.did("UNDO", pickup, 10*time.Second, object{"undoes": pick["id"]}))))
	require.Equal(t, fmt.Sprintf("2 driver=%d", nora.driver), d.stand(id))
	require.Contains(t, d.story(id), "order.corrected 2")
	require.Equal(t, []string{"RECORDED NOTHING_TO_UNDO 2"}, outcomes(nora.says(
		nora.did("UNDO", pickup, 0, object{"undoes": uuid()}))))
}

func TestOrdersShowProgressOfTheirStops(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	id, pickup, delivery := nora.give("A-1")
	nobody := object{"reason": "Nobody at home"}
	nora.says(nora.did("PICK_UP", pickup, 10*minute), nora.did("FAIL", delivery, 5*minute, nobody))
	w := d.Send(http.MethodGet, fmt.Sprintf("/v1/orders/%d?loads=OrderLocations,Documentations,Driver", id), "",
		"Authorization", d.dispatcher)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var order contract.Order
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &order))
	require.Equal(t, contract.OrderLocationStatus("completed"), (*order.OrderLocations)[0].Status)
	require.Equal(t, contract.OrderLocationStatus("failed"), (*order.OrderLocations)[1].Status)
	require.Equal(t, "Nobody at home", (*order.OrderLocations)[1].FailureReason.MustGet())
	require.Equal(t, nora.driver, order.Driver.MustGet().ID)
	require.Len(t, *order.Documentations, 2)
	require.Equal(t, nora.driver, (*order.Documentations)[1].DriverID.MustGet())
}
