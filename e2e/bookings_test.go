package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// bookable is the section of intervals that these tests book on; the dates are
// always ahead.
const bookable = `
intervals:
  - {name: Early, rrule: "FREQ=DAILY", pickup: {earliest: "06:00", latest: "07:00"}, delivery: {earliest: "07:00", latest: "10:00"},
     slots: 2, orderTypes: [Standard], fromToZones: [{from: Oslo, to: Oslo}], freightLevels: [Parcel]}
  - {name: Late, rrule: "FREQ=DAILY", pickup: {earliest: "16:00", latest: "18:00"}, delivery: {earliest: "18:00", latest: "21:00"}, slots: 37}
  - {name: Evening, rrule: "FREQ=DAILY", pickup: {earliest: "17:00", latest: "18:00"}, delivery: {earliest: "18:00", latest: "21:00"},
     slots: 1, orderTypes: [Evening]}
`

// bookableDay is within the booking horizon of the order type Standard.
func bookableDay() string { return daysAhead(3) }

// offer creates these intervals, and returns their ids on a day by the number
// of their seats.
func (o *organization) offer(t *testing.T, sections, day string) map[int32]int64 {
	t.Helper()
	slug := one[string](t, o.installation, "select slug from organizations where id = $1", o.id)
	file := filepath.Join(t.TempDir(), "organization.yaml")
	text := "organization: {slug: " + slug + ", name: Nordfrakt AS, timezone: Europe/Oslo, language: nb}\n" + sections
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	_, err := o.command(t.Context(), "apply", "--prune", "-f", file)
	require.NoError(t, err)
	ids := map[int32]int64{}
	for _, i := range o.intervals(t, day, "") {
		ids[i.TotalAvailableSlots] = i.IntervalID
	}
	return ids
}

func (o *organization) intervals(t testing.TB, day, query string) []contract.ScheduleInterval {
	t.Helper()
	return read[contract.ScheduleIntervals](t, o.get(t, "/v2/route-scheduling/intervals?date="+day+query)).Intervals
}

func (o *organization) booked(t testing.TB, day string, interval int64) int32 {
	t.Helper()
	for _, i := range o.intervals(t, day, "") {
		if i.IntervalID == interval {
			return i.BookedSlots
		}
	}
	t.Fatalf("there is no interval %d on %s", interval, day)
	return 0
}

// windows are those of an order's stops, with their sources.
func (o *organization) windows(t *testing.T, number string) string {
	t.Helper()
	return one[string](t, o.installation, `
		select string_agg(iso_utc(s.earliest) || ' ' || iso_utc(s.latest) || ' ' || s.window_source, '|' order by s.kind desc)
		from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id where o.org_id = $1 and o.number = $2`, o.id, number)
}

func (o *organization) order(t *testing.T, number string, edits ...object) int64 {
	t.Helper()
	return orderID(t, o.importOrders(t, orders(newOrder(number, edits...)))[0])
}

func on(interval int64) object { return object{"intervalId": interval} }

func ofOrder(order int64, operation string) string {
	return fmt.Sprintf("/v2/orders/%d/%s", order, operation)
}

// violations are the fields that an answer complains of.
func violations(t *testing.T, a answer) []string {
	t.Helper()
	var fields []string
	for _, d := range apitest.Status(t, a.body).Details {
		bad, err := d.AsBadRequestDetail()
		require.NoError(t, err)
		for _, v := range bad.FieldViolations {
			fields = append(fields, v.Field)
			require.NotEmpty(t, v.Description)
		}
	}
	return fields
}

func TestBooking(t *testing.T) {
	t.Parallel()
	o, day := shared.organization(t), bookableDay()
	ids := o.offer(t, bookable, day)
	early, late, evening := ids[2], ids[37], ids[1]

	t.Run("TheListSaysWhatIsOffered", func(t *testing.T) {
		require.Len(t, o.intervals(t, day, ""), 3)
		require.Len(t, o.intervals(t, day, "&orderType=standard"), 2)
		require.Len(t, o.intervals(t, day, "&orderType=Carrier"), 1)
		o.expect(t, http.StatusNotFound, http.MethodGet, "/v2/route-scheduling/intervals?date="+day+"&orderType=Nothing", nil)
		first := o.intervals(t, day, "")[0]
		require.Equal(t, early, first.IntervalID)
		require.Equal(t, "Oslo", first.FromToZones[0].From.Name)
		require.Equal(t, "Parcel", first.FreightLevels[0].Name)
		require.Equal(t, "Standard", first.OrderTypes[0].Name)
		require.Equal(t, time.Hour, first.PickupLatest.Sub(first.PickupEarliest))
		require.NotEqual(t, early, o.intervals(t, "2026-03-02", "")[0].IntervalID, "another day, another id")
	})

	t.Run("BookingSetsTheWindowsAndCancellingRestoresThem", func(t *testing.T) {
		order := o.order(t, "BOOK-1")
		before := o.windows(t, "BOOK-1")
		slot := read[contract.ScheduleInterval](t, o.expect(t, 200, "POST", ofOrder(order, "book-on-interval"), on(late)))
		require.Equal(t, int32(1), slot.BookedSlots)
		booked := read[contract.DetailedBooking](t, o.get(t, ofOrder(order, "booking")))
		require.Equal(t, late, booked.IntervalID)
		require.Equal(t, slot.DeliveryLatest, booked.DeliveryLatest)
		require.NotEqual(t, before, o.windows(t, "BOOK-1"))
		require.Equal(t, 2, strings.Count(o.windows(t, "BOOK-1"), "booking"))
		o.expect(t, http.StatusConflict, "POST", ofOrder(order, "book-on-interval"), on(late))
		o.expect(t, http.StatusConflict, "POST", ofOrder(order, "schedule"), nil)
		require.Equal(t, int32(1), o.booked(t, day, late))

		o.expect(t, 200, "POST", ofOrder(order, "cancel-booking"), object{})
		require.Equal(t, before, o.windows(t, "BOOK-1"))
		require.Zero(t, o.booked(t, day, late))
		o.expect(t, http.StatusNotFound, "GET", ofOrder(order, "booking"), nil)
		o.expect(t, http.StatusConflict, "POST", ofOrder(order, "cancel-booking"), nil)
		require.Equal(t, []string{"order.booked", "order.booking_cancelled"},
			list(t, shared, "select kind from events where org_id = $1 and order_id = $2 and kind like 'order.book%' order by id", o.id, order))
	})

	t.Run("AnImportKeepsTheBookedWindows", func(t *testing.T) {
		order := o.order(t, "BOOK-2")
		o.expect(t, 200, "POST", ofOrder(order, "book-on-interval"), on(late))
		booked := o.windows(t, "BOOK-2")
		moved := newOrder("BOOK-2", object{"pickup": object{
			"externalId": "T-OSL", "earliest": "2026-03-02T09:00:00Z", "latest": "2026-03-02T10:00:00Z",
		}})
		require.NotNil(t, o.importOrders(t, orders(moved))[0].OrderUpdated)
		require.Equal(t, booked, o.windows(t, "BOOK-2"))
		events := one[int](t, shared, "select count(*) from events where org_id = $1 and order_id = $2", o.id, order)
		o.importOrders(t, orders(moved))
		require.Equal(t, events, one[int](t, shared, "select count(*) from events where org_id = $1 and order_id = $2", o.id, order), "the same again changes nothing")
		o.expect(t, 200, "POST", ofOrder(order, "cancel-booking"), nil)
		require.Contains(t, o.windows(t, "BOOK-2"), "2026-03-02T09:00:00.000Z 2026-03-02T10:00:00.000Z request")
	})

	t.Run("WhatDoesNotFitIsSaid", func(t *testing.T) {
		abroad := object{"name": "B", "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z", "address": object{"address1": "A 1", "postalCode": "2650", "city": "Hvidovre", "country": "DK"}}
		heavy := []object{product("HEAVY", object{"weight": 500})}
		before := o.rowCounts(t)
		for name, tc := range map[string]struct {
			edit     object
			interval int64
			want     []string
		}{
			"another order type":    {nil, evening, []string{"orderTypes"}},
			"another zone":          {object{"delivery": abroad}, early, []string{"fromToZones"}},
			"another freight level": {object{"products": heavy}, early, []string{"freightLevels"}},
			"nothing of it":         {object{"orderType": object{"name": "Evening"}, "delivery": abroad, "products": heavy}, early, []string{"orderTypes", "fromToZones", "freightLevels"}},
			"the past":              {nil, early - 30, []string{"pickupEarliest"}},
			"too soon":              {object{"orderType": object{"name": "Evening"}}, evening + 100, []string{"pickupEarliest"}},
		} {
			order := o.order(t, "UNFIT "+name, tc.edit)
			require.Equal(t, tc.want, violations(t, o.expect(t, http.StatusUnprocessableEntity, "POST", ofOrder(order, "book-on-interval"), on(tc.interval))), name)
		}
		require.Equal(t, before["bookings"], o.rowCounts(t)["bookings"])
	})

	t.Run("AFullIntervalIs409AndScheduleTakesTheNext", func(t *testing.T) {
		next := daysAhead(5)
		first := o.intervals(t, next, "")[0].IntervalID
		for n := range 2 {
			found := read[contract.DetailedBooking](t, o.expect(t, 200, "POST", ofOrder(o.order(t, fmt.Sprintf("FULL-%d", n)), "schedule"), object{"date": next}))
			require.Equal(t, first, found.IntervalID, "the earliest pickup")
		}
		third := o.order(t, "FULL-2")
		require.Equal(t, int32(9), apitest.Status(t, o.expect(t, http.StatusConflict, "POST", ofOrder(third, "book-on-interval"), on(first)).body).Code)
		found := read[contract.DetailedBooking](t, o.expect(t, 200, "POST", ofOrder(third, "schedule"), object{"date": next}))
		require.Equal(t, o.intervals(t, next, "")[1].IntervalID, found.IntervalID)
		o.expect(t, http.StatusConflict, "POST", ofOrder(o.order(t, "FULL-3"), "schedule"), nil) // its own day is long past
	})

	t.Run("CancellingTheOrderFreesItsSeat", func(t *testing.T) {
		order := o.order(t, "BOOK-GONE")
		own := o.windows(t, "BOOK-GONE")
		before := o.booked(t, day, early)
		o.expect(t, 200, "POST", ofOrder(order, "book-on-interval"), on(early))
		require.Equal(t, before+1, o.booked(t, day, early))
		o.expect(t, http.StatusNoContent, "DELETE", "/v1/import/orders/BOOK-GONE", nil)
		require.Equal(t, before, o.booked(t, day, early))
		require.Equal(t, own, o.windows(t, "BOOK-GONE"))
		o.expect(t, http.StatusNotFound, "GET", ofOrder(order, "booking"), nil)
		o.expect(t, http.StatusConflict, "POST", ofOrder(order, "book-on-interval"), on(early))
	})

	t.Run("BadRequestsChangeNothing", func(t *testing.T) {
		order := o.order(t, "BOOK-BAD")
		for _, r := range []refusal{
			{path: "book-on-interval", body: object{}, want: 400, field: "intervalId"},
			{path: "book-on-interval", body: object{"intervalId": "7"}, want: 400, field: "intervalId"},
			{path: "book-on-interval", body: `{"intervalId":1e99}`, want: 400},
			{path: "book-on-interval", body: `{"intervalId":9223372036854775808}`, want: 400, field: "intervalId"},
			{path: "book-on-interval", body: `[`, want: 400},
			{path: "book-on-interval", body: on(-5), want: 404},
			{path: "book-on-interval", body: on(99), want: 404},
			{path: "book-on-interval", body: on(9223372036854775807), want: 404},
			{path: "schedule", body: object{"date": "tomorrow"}, want: 400, field: "date"},
			{path: "schedule", body: object{"date": 7}, want: 400, field: "date"},
			{path: "cancel-booking", body: "7", want: 400},
		} {
			r.method, r.path = http.MethodPost, ofOrder(order, r.path)
			o.requireRefused(t, r)
		}
		for _, query := range []string{"", "?date=", "?date=2026-02-30", "?date=0001-01-01", "?date=9999-01-01"} {
			o.requireRefused(t, refusal{method: http.MethodGet, path: "/v2/route-scheduling/intervals" + query, want: 400, field: "date"})
		}
		outsider := shared.organization(t)
		o.expect(t, http.StatusNotFound, "POST", ofOrder(order, "book-on-interval"), on(outsider.intervals(t, "2026-12-24", "")[0].IntervalID))
	})
}

func TestDraftBooking(t *testing.T) {
	t.Parallel()
	o, day := shared.organization(t), bookableDay()
	ids := o.offer(t, bookable, day)
	draft := func(number string, edits ...object) int64 {
		edits = append(edits, object{"customer": nil})
		return *o.importOrders(t, orders(newOrder(number, edits...)))[0].DraftCreated.DraftID
	}
	ofDraft := func(id int64, operation string) string { return fmt.Sprintf("/v2/drafts/%d/%s", id, operation) }

	id := draft("DRAFT-BOOK")
	o.expect(t, http.StatusNotFound, "GET", ofDraft(id, "booking"), nil)
	o.expect(t, http.StatusConflict, "POST", ofDraft(id, "cancel-booking"), nil)
	slot := read[contract.ScheduleInterval](t, o.expect(t, 200, "POST", ofDraft(id, "book-on-interval"), on(ids[2])))
	require.Equal(t, int32(1), slot.BookedSlots)
	o.expect(t, http.StatusConflict, "POST", ofDraft(id, "book-on-interval"), on(ids[37]))
	require.Equal(t, ids[2], read[contract.DetailedBooking](t, o.get(t, ofDraft(id, "booking"))).IntervalID)
	o.expect(t, 200, "POST", ofDraft(id, "cancel-booking"), nil)
	require.Zero(t, o.booked(t, day, ids[2]))

	o.expect(t, 200, "POST", ofDraft(id, "book-on-interval"), on(ids[2]))
	order := o.order(t, "DRAFT-BOOK")
	require.Equal(t, ids[2], read[contract.DetailedBooking](t, o.get(t, fmt.Sprintf("/v2/orders/%d/booking", order))).IntervalID, "it went along")
	require.Equal(t, 2, strings.Count(o.windows(t, "DRAFT-BOOK"), "booking"))
	require.Equal(t, int32(1), o.booked(t, day, ids[2]))
	o.expect(t, http.StatusNotFound, "GET", ofDraft(id, "booking"), nil)
	o.expect(t, http.StatusConflict, "POST", ofDraft(id, "book-on-interval"), on(ids[37]))
	o.expect(t, 200, "POST", fmt.Sprintf("/v2/orders/%d/cancel-booking", order), nil)
	require.NotContains(t, o.windows(t, "DRAFT-BOOK"), "booking")
	require.Zero(t, o.booked(t, day, ids[2]))

	unfit := draft("DRAFT-UNFIT", object{"orderType": nil, "pickup": nil, "products": []object{product("X", object{"weight": 500})}})
	a := o.expect(t, http.StatusUnprocessableEntity, "POST", ofDraft(unfit, "book-on-interval"), on(ids[2]), "Accept-Language", "nb")
	require.Equal(t, []string{"orderTypes", "fromToZones", "freightLevels"}, violations(t, a))
	require.Contains(t, string(a.body), "Intervallet passer ikke.")

	t.Run("MergedIntoABookedOrderItsSeatIsFree", func(t *testing.T) {
		route := object{"routeNumber": "R-MERGE"}
		target := o.order(t, "MERGE-TARGET", route)
		o.expect(t, 200, "POST", fmt.Sprintf("/v2/orders/%d/book-on-interval", target), on(ids[37]))
		merged := draft("MERGE-DRAFT", route)
		o.expect(t, 200, "POST", ofDraft(merged, "book-on-interval"), on(ids[2]))
		request := orders(newOrder("MERGE-DRAFT", route))
		request["updateConfig"] = object{"allowMerge": true}
		results := o.importOrders(t, request)
		require.NotNil(t, results[0].OrderMerged)
		require.Equal(t, target, *results[0].OrderMerged.OrderID)
		require.Zero(t, o.booked(t, day, ids[2]))
		require.Equal(t, int32(1), o.booked(t, day, ids[37]))
		require.Equal(t, ids[37], read[contract.DetailedBooking](t, o.get(t, fmt.Sprintf("/v2/orders/%d/booking", target))).IntervalID)
	})
}

// TestTheLastSeats lets a thousand clients have at the last seats of an
// interval, and a few at one order.
func TestTheLastSeats(t *testing.T) {
	t.Parallel()
	const clients, seats = 1000, 37
	o, day := shared.organization(t), bookableDay()
	interval := o.offer(t, bookable, day)[seats]
	entries := make([]object, clients)
	for i, number := range series("SEAT-", clients) {
		entries[i] = newOrder(number)
	}
	results := o.importOrders(t, orders(entries...))
	var wg sync.WaitGroup
	statuses := make([]int, clients)
	begin := make(chan struct{})
	for i, r := range results {
		id := orderID(t, r)
		wg.Go(func() {
			<-begin
			statuses[i] = o.call(t, http.MethodPost, ofOrder(id, "book-on-interval"), on(interval)).status
		})
	}
	close(begin)
	wg.Wait()
	slices.Sort(statuses)
	require.Equal(t, append(slices.Repeat([]int{200}, seats), slices.Repeat([]int{409}, clients-seats)...), statuses)
	require.Equal(t, int32(seats), o.booked(t, day, interval))
	count := func(query string) int { return one[int](t, shared, query, o.id) }
	require.Equal(t, seats, count("select count(*) from bookings where org_id = $1"))
	require.Equal(t, seats, count("select count(*) from events where org_id = $1 and kind = 'order.booked'"))
	require.Equal(t, 2*seats, count("select count(*) from order_stops where org_id = $1 and window_source = 'booking'"))

	// One order, many clients: one seat.
	o.expect(t, 200, "POST", "/v2/orders/cancel-orders", object{"externalIds": series("SEAT-", clients)})
	require.Zero(t, o.booked(t, day, interval))
	order := o.order(t, "SEAT-TWICE")
	var taken sync.Map
	for i := range 20 {
		wg.Go(func() {
			taken.Store(i, o.call(t, http.MethodPost, ofOrder(order, "book-on-interval"), on(interval)).status)
		})
	}
	wg.Wait()
	booked := 0
	taken.Range(func(_, status any) bool {
		if status == http.StatusOK {
			booked++
		}
		return true
	})
	require.Equal(t, 1, booked)
	require.Equal(t, int32(1), o.booked(t, day, interval))
}

// TestReplannedOrderReportsLostSeat when it had one as it was cancelled.
func TestReplannedOrderReportsLostSeat(t *testing.T) {
	t.Parallel()
	o, day := shared.organization(t), bookableDay()
	late := o.offer(t, bookable, day)[37]
	replanned := func(number string) bool {
		o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/"+number, nil)
		return read[contract.ReplanResponse](t, o.expect(t, 200, "POST", "/v2/orders/replan-cancelled?externalId="+number, nil)).BookingLost
	}
	order := o.order(t, "SEAT")
	require.False(t, replanned("SEAT"), "there was none")
	o.expect(t, 200, "POST", ofOrder(order, "book-on-interval"), on(late))
	require.True(t, replanned("SEAT"))
	require.Zero(t, o.booked(t, day, late))
	o.expect(t, 200, "POST", ofOrder(order, "book-on-interval"), on(late))
	o.expect(t, 200, "POST", ofOrder(order, "cancel-booking"), nil)
	require.False(t, replanned("SEAT"), "somebody gave it back before")
}
