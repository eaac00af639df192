package tracking_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
	"waybill/store/storetest"
)

// interval has an organization offer an interval of each day, the hours of a delivery, and so many seats.
func (s street) interval(org int64, name string, from, until, seats int) int64 {
	return operationstest.One[int64](s.Office, `
		insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest,
			delivery_latest, slots)
		values ($1, $2::text, 'FREQ=DAILY', $3::int - 60, $3::int, $3::int, $4::int, $5::int) returning id`,
		org, name, from*60, until*60, seats)
}

// slots are those from which the recipient of a code may choose, as programs see them.
func (s street) slots(code string) []contract.RecipientSlot {
	s.T.Helper()
	w := s.web.Send(http.MethodGet, "/t/"+code+"/slot", "", "Accept", "application/json")
	require.Equal(s.T, http.StatusOK, w.Code, w.Body)
	var told contract.RecipientSlots
	require.NoError(s.T, json.Unmarshal(w.Body.Bytes(), &told))
	return told.Slots
}

// seated are the numbers of the orders that have a seat in an interval.
func (s street) seated(interval int64) string {
	return operationstest.One[string](s.Office, `select coalesce(string_agg(o.number, ' ' order by o.number), '')
		from bookings b join orders o on o.org_id = b.org_id and o.id = b.order_id
		where b.org_id = $1 and b.interval_id = $2`, s.Org, interval)
}

// TestRecipientsChooseAnotherSlot goes the way of a browser without JavaScript, and of a program.
func TestRecipientsChooseAnotherSlot(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	code, number := codes[0], operationstest.Numbered(0)
	s.Now = s.Now.Add(-24 * time.Hour)
	require.Equal(t, http.StatusForbidden, s.send(code, "slot", `{"slot": 1}`).Code, "the organization does not allow it")
	s.allowed(`{"slot": {}}`)
	require.Equal(t, []contract.RecipientAction{contract.RecipientActionSLOT}, *s.told(code).Actions)
	require.Empty(t, s.slots(code))
	require.Contains(t, s.page(code+"/slot?lang=en"), "There is no other time that day.")
	require.NotContains(t, s.page(code+"/slot?lang=en"), "<form")

	day, evening := s.interval(s.Org, "Day", 9, 15, 9), s.interval(s.Org, "Evening", 17, 21, 1)
	offered := s.slots(code)
	require.Len(t, offered, 2)
	require.Contains(t, s.page(code+"/slot"), `type="radio" name="slot" value="`+strconv.FormatInt(offered[1].ID, 10))
	late := url.Values{"slot": {strconv.FormatInt(offered[1].ID, 10)}}
	w := s.post(code, "slot", late)
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	require.Equal(t, number, s.seated(evening))
	booked := number + ` recipient`
	require.Equal(t, []string{booked}, s.booked("order.booked"))
	stop := s.told(code)
	require.Equal(t, []time.Time{offered[1].Earliest, offered[1].Latest}, []time.Time{stop.Earliest, stop.Latest})
	require.Equal(t, offered[1].Earliest, *stop.PromisedFrom, "what they chose is what they were promised")
	require.Contains(t, s.page(code+"?said=SLOT"), "Thank you. The delivery is planned for that time.")
	require.Contains(t, s.page(code+"/slot"), `value="`+late.Get("slot")+`" required checked`)
	require.Equal(t, http.StatusSeeOther, s.post(code, "slot", late).Code)
	require.Len(t, s.booked("order.booked"), 1, "the same again changes nothing")

	w = s.post(codes[1], "slot", late)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "This time is no longer free. Choose another one.")
	require.Len(t, s.slots(codes[1]), 1, "the evening is full")

	require.Equal(t, http.StatusOK, s.send(code, "slot", `{"slot": `+strconv.FormatInt(offered[0].ID, 10)+`}`).Code)
	require.Equal(t, number, s.seated(day))
	require.Empty(t, s.seated(evening))
	require.Equal(t, http.StatusSeeOther, s.post(codes[1], "slot", late).Code, "the seat is free again")

	others := s.interval(storetest.Organization(t, s.Database, "rival"), "Day", 9, 15, 9)
	foreign := strconv.FormatInt(others*100_000+offered[0].ID%100_000, 10)
	tomorrow := strconv.FormatInt(offered[0].ID+1, 10)
	for _, wrong := range []string{"0", "-1", "9223372036854775807", tomorrow, foreign, late.Get("slot")} {
		w := s.send(code, "slot", `{"slot": `+wrong+`}`)
		require.Equal(t, http.StatusBadRequest, w.Code, wrong)
		require.Contains(t, w.Body.String(), "RECIPIENT_SLOT_GONE", wrong)
	}
	require.Equal(t, http.StatusBadRequest, s.send(code, "slot", `{"slot": "one"}`).Code)
	require.Equal(t, http.StatusBadRequest, s.post(code, "slot", url.Values{}).Code)
	require.Equal(t, http.StatusForbidden, s.send(pickupCode, "slot", `{"slot": 1}`).Code)
	require.Equal(t, http.StatusForbidden, s.post(code, "slot", late, "Sec-Fetch-Site", "cross-site").Code)
	require.Equal(t, number, s.seated(day), "what is refused changes nothing")
}

// booked are the orders with an event of a kind, and who did it.
func (s street) booked(kind string) []string {
	return operationstest.One[[]string](s.Office, `
		select coalesce(array_agg(external_id || ' ' || actor order by id), '{}') from events
		where org_id = $1 and kind = $2`, s.Org, kind)
}

// TestSlotsAreChosenUntilADriverBegins has the windows stay as they are once a driver is under way with the goods.
func TestSlotsAreChosenUntilADriverBegins(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.allowed(`{"slot": {"minutes_before": 0}}`)
	s.interval(s.Org, "Night", 23, 24, 9)
	code := codes[s.order(0)]
	require.Contains(t, *s.told(code).Actions, contract.RecipientActionSLOT)
	s.collected()
	require.Nil(t, s.told(code).Actions)
	require.Equal(t, http.StatusConflict, s.send(code, "slot", `{"slot": 1}`).Code)
	s.Says(driving.Arrive, s.Stops[3].ID)
	require.Equal(t, http.StatusConflict, s.send(code, "slot", `{"slot": 1}`).Code)
}

// TestSlotsAreChangedOnlySoOften has one recipient change their mind all the time, and two take each other's seats.
func TestSlotsAreChangedOnlySoOften(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.Now = s.Now.Add(-24 * time.Hour)
	s.allowed(`{"slot": {}}`)
	day, evening := s.interval(s.Org, "Day", 9, 15, 1), s.interval(s.Org, "Evening", 17, 21, 1)
	offered := s.slots(codes[0])
	choose := func(code string, slot int) int {
		return s.send(code, "slot", `{"slot": `+strconv.FormatInt(offered[slot%2].ID, 10)+`}`).Code
	}
	require.Equal(t, http.StatusOK, choose(codes[0], 0))
	require.Equal(t, http.StatusOK, choose(codes[1], 1))
	var wg sync.WaitGroup
	for i := range 10 {
		for n, code := range codes {
			wg.Go(func() { choose(code, i+n) })
		}
	}
	wg.Wait()
	both := strings.Fields(s.seated(day) + " " + s.seated(evening))
	require.Len(t, both, 2, "two seats have two orders")
	require.NotEqual(t, both[0], both[1])

	s.Do(`delete from schedule_holds where org_id = $1`, s.Org)
	s.Do(`update schedule_intervals set slots = 9 where org_id = $1`, s.Org)
	answers := map[int]int{}
	for i := range 45 {
		answers[choose(codes[2], i)]++
	}
	require.Equal(t, 20, len(s.chosen(2)), "%v", answers)
	require.Positive(t, answers[http.StatusConflict])
}

// chosen are the times that the recipient of an order chose their slot.
func (s street) chosen(order int) []string {
	var all []string
	for _, one := range s.booked("order.booked") {
		if one == operationstest.Numbered(order)+" recipient" {
			all = append(all, one)
		}
	}
	return all
}
