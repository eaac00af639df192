package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

// offered makes two intervals of every day: one for all, and one for a type of order
// that no order has.
func (d desk) offered() {
	d.T.Helper()
	d.ID(`with w as (update schedule_intervals set is_active = false where org_id = $1 returning id)
		select count(*) from w`)
	d.ID(`with i as (
			insert into schedule_intervals
				(org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
			select $1, n, 'FREQ=DAILY', 480, 600, 600, 960, 1 from unnest('{All,Special}'::text[]) n returning id, name),
		t as (insert into order_types (org_id, name) values ($1, 'Special') returning id)
		insert into schedule_interval_order_types (org_id, interval_id, order_type_id)
		select $1, i.id, t.id from i, t where i.name = 'Special' returning interval_id`)
}

// slots requests intervals.
func (d desk) slots(method, path string, body any) (found []contract.ScheduleInterval) {
	d.T.Helper()
	w := d.ask(method, path, body)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	var list contract.ScheduleIntervals
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &list))
	return list.Intervals
}

const intervals = "/v2/route-scheduling/intervals"

// ahead is a day so many days from now.
func ahead(days int) string { return time.Now().UTC().AddDate(0, 0, days).Format(time.DateOnly) }

func TestSlotsReportWhatFits(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.offered()
	days := "?from=" + ahead(3) + "&to=" + ahead(4)
	plain := d.slots(http.MethodGet, intervals+days, nil)
	require.Len(t, plain, 4)
	require.Nil(t, plain[0].Fits)

	id := d.Import("A-1")
	basket := object{
		"orderType": object{"name": "Standard"},
		"pickup":    object{"country": "NO", "postalCode": "0668"}, "delivery": object{"country": "NO", "postalCode": "0555"},
	}
	ofOrder := d.slots(http.MethodGet, fmt.Sprintf("%s%s&orderId=%d", intervals, days, id), nil)
	ofBasket := d.slots(http.MethodPost, intervals+"/search", object{"from": ahead(3), "to": ahead(4), "basket": basket})
	for _, found := range [][]contract.ScheduleInterval{ofOrder, ofBasket} {
		require.Len(t, found, 4)
		require.True(t, *found[0].Fits)
		require.Empty(t, *found[0].Reasons)
		require.False(t, *found[1].Fits)
		require.Equal(t, contract.ErrorReason("BOOKING_ORDER_TYPE"), (*found[1].Reasons)[0].Reason)
		require.Contains(t, (*found[1].Reasons)[0].Description, "Special")
	}

	_, status := d.hold(plain[0].IntervalID, 60)
	require.Equal(t, http.StatusCreated, status)
	held := d.slots(http.MethodGet, intervals+"?date="+ahead(3), nil)
	require.Equal(t, "0 1", fmt.Sprint(held[0].BookedSlots, " ", held[0].HeldSlots))
	require.Len(t, d.slots(http.MethodGet, intervals+days+"&onlyFree=true", nil), 3)
	require.Equal(t, http.StatusOK, d.ask(http.MethodPost, fmt.Sprintf("/v2/orders/%d/book-on-interval", id),
		object{"intervalId": plain[2].IntervalID}).Code)
	booked := d.ask(http.MethodGet, fmt.Sprintf("%s%s&orderId=%d", intervals, days, id), nil)
	require.Equal(t, "BOOKING_ORDER_BOOKED", apitest.Refusal(t, booked))
}

func TestInvalidSlotRequestsAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	foreign := d.Import("A-1")
	for query, want := range map[string]int{
		"": 400, "?date=" + ahead(1) + "&from=" + ahead(1): 400, "?from=" + ahead(1): 400, "?date=2026-13-01": 400,
		"?from=" + ahead(2) + "&to=" + ahead(1): 422, "?from=" + ahead(1) + "&to=" + ahead(40): 400,
		"?from=1969-12-31&to=1970-01-02": 400, "?date=" + ahead(1) + "&orderId=1&orderDraftId=1": 400,
		"?date=" + ahead(1) + "&orderId=999999": 404, "?date=" + ahead(1) + "&orderDraftId=999999": 404,
	} {
		require.Equal(t, want, d.ask(http.MethodGet, intervals+query, nil).Code, query)
	}
	w := d.Send(http.MethodGet, fmt.Sprintf("%s?date=%s&orderId=%d", intervals, ahead(1), foreign), "",
		"Authorization", d.AsRole(d.Other, caller.Dispatcher))
	require.Equal(t, http.StatusNotFound, w.Code)
	place := object{"country": "NO"}
	for _, basket := range []object{
		{},
		{"orderType": object{"name": "None"}, "pickup": place, "delivery": place},
		{"orderType": object{"name": "Standard"}, "pickup": object{"country": "?"}, "delivery": place},
	} {
		w := d.ask(http.MethodPost, intervals+"/search", object{"from": ahead(1), "to": ahead(1), "basket": basket})
		require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, w.Code, basket)
	}
}

func (d desk) hold(interval int64, seconds int, headers ...string) (hold contract.SeatHold, status int) {
	d.T.Helper()
	w := d.ask(
		http.MethodPost, "/v2/route-scheduling/holds", object{"intervalId": interval, "ttlSeconds": seconds}, headers...,
	)
	if w.Code == http.StatusCreated {
		require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &hold))
	}
	return hold, w.Code
}

func TestSeatsAreHeld(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.offered()
	slot := d.slots(http.MethodGet, intervals+"?date="+ahead(3), nil)[0].IntervalID
	past := d.slots(http.MethodGet, intervals+"?date=2026-03-02", nil)[0].IntervalID
	for status, bad := range map[int][2]int64{400: {slot, 3601}, 404: {slot + 1e9, 60}, 422: {past, 60}} {
		_, got := d.hold(bad[0], int(bad[1]))
		require.Equal(t, status, got, bad)
	}
	hold, status := d.hold(slot, 60, "Idempotency-Key", "one")
	require.Equal(t, http.StatusCreated, status)
	again, status := d.hold(slot, 60, "Idempotency-Key", "one")
	require.Equal(t, http.StatusCreated, status)
	require.Equal(t, hold, again, "the same answer, and no second seat")
	_, status = d.hold(slot, 60)
	require.Equal(t, http.StatusConflict, status)

	order := d.Import("A-1")
	book := fmt.Sprintf("/v2/orders/%d/book-on-interval", order)
	require.Equal(t, "BOOKING_FULL", apitest.Refusal(t, d.ask(http.MethodPost, book, object{"intervalId": slot})))
	for _, bad := range []int64{0, -1} {
		require.Equal(t, http.StatusBadRequest, d.ask(http.MethodPost, book, object{"intervalId": slot, "holdId": bad}).Code)
	}
	w := d.ask(http.MethodPost, book, object{"intervalId": slot, "holdId": hold.HoldID})
	require.Equal(t, http.StatusOK, w.Code, w.Body)

	release := fmt.Sprintf("/v2/route-scheduling/holds/%d", hold.HoldID)
	require.Equal(t, http.StatusNotFound, d.ask(http.MethodDelete, release, nil).Code, "it became the booking")
	hold, _ = d.hold(d.slots(http.MethodGet, intervals+"?date="+ahead(4), nil)[0].IntervalID, 60)
	release = fmt.Sprintf("/v2/route-scheduling/holds/%d", hold.HoldID)
	outsider := d.AsRole(d.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodDelete, release, "", "Authorization", outsider).Code)
	require.Equal(t, http.StatusNoContent, d.ask(http.MethodDelete, release, nil).Code)
}
