package order_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func windows(times ...string) []order.TimeWindowRequest {
	var all []order.TimeWindowRequest
	for i := 0; i < len(times); i += 2 {
		all = append(all, order.TimeWindowRequest{
			Earliest: "2026-06-15T" + times[i] + ":00+02:00", Latest: "2026-06-15T" + times[i+1] + ":00+02:00",
		})
	}
	return all
}

func spansOf(t *testing.T, s *order.Stop) (spans []string) {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	for _, w := range s.Asks.Windows {
		spans = append(spans, w.Earliest.In(zone).Format("15:04")+"-"+w.Latest.In(zone).Format("15:04"))
	}
	return spans
}

// TestAStopHasSeveralWindows imports the windows of a shop with a lunch break, and changes the order.
func TestAStopHasSeveralWindows(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := entry("A")
	e.Delivery.TimeWindows = windows("08:00", "11:00", "12:30", "16:00")
	got := w.one(order.Defaults{}, e)
	require.Equal(t, order.OrderCreated, got.Kind, "%v", got.Reasons)
	d := &got.Order.Delivery
	require.Equal(t, []string{"08:00-11:00", "12:30-16:00"}, spansOf(t, d))
	require.Equal(t, order.FromRequest, d.Window.Source)
	require.True(t, oslo(t, "2026-06-15 08:00").Equal(d.Window.Earliest))
	require.True(t, oslo(t, "2026-06-15 16:00").Equal(d.Window.Latest))

	again := w.imported(order.Defaults{}, e)
	unchanged(t, again)
	e.Delivery.Earliest, e.Delivery.Latest = e.Delivery.TimeWindows[0].Earliest, e.Delivery.TimeWindows[1].Latest
	unchanged(t, w.imported(order.Defaults{}, e))
	e.Delivery.TimeWindows[0].Latest = "2026-06-15T10:00:00+02:00"
	got = w.one(order.Defaults{}, e)
	require.Equal(t, []string{"08:00-10:00", "12:30-16:00"}, spansOf(t, &got.Order.Delivery))
	e.Delivery.TimeWindows = nil
	got = w.one(order.Defaults{}, e)
	require.Empty(t, got.Order.Delivery.Asks.Windows, "one window remains")
}

// TestSeveralWindowsMoveWithTheOrder edits the date of an order.
func TestSeveralWindowsMoveWithTheOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := entry("A")
	e.Delivery.TimeWindows = windows("08:00", "11:00", "12:30", "16:00")
	o := w.one(order.Defaults{}, e).Order
	edit := order.Edit{Request: order.Editable(o), Day: true}
	require.Len(t, edit.Request.Delivery.TimeWindows, 2)
	edit.Request.Date = "2026-06-17"
	s := w.snapshot()
	edited := s.Orders[0]
	_, err := order.ApplyEdit(s, edited, edit)
	require.NoError(t, err)
	require.Equal(t, []string{"08:00-11:00", "12:30-16:00"}, spansOf(t, &edited.Delivery))
	require.Equal(t, 17, edited.Delivery.Asks.Windows[1].Latest.Day())
}

// TestUnusableWindowsAreReported names the stop.
func TestUnusableWindowsAreReported(t *testing.T) {
	t.Parallel()
	for text, list := range map[string][]order.TimeWindowRequest{
		"stop.bad_timestamp":     {{Earliest: "08:00", Latest: "09:00"}},
		"stop.window_reversed":   windows("11:00", "08:00"),
		"stop.windows_unordered": windows("08:00", "11:00", "11:00", "16:00"),
		"stop.too_many_windows":  make([]order.TimeWindowRequest, 9),
	} {
		w, e := setup(t), entry("A")
		e.Delivery.TimeWindows = list
		got := w.one(order.Defaults{}, e)
		require.Equal(t, []order.Code{order.InvalidDeliveryTimeWindow}, codes(got), text)
		require.Equal(t, text, got.Reasons[0].Text.ID)
		require.Equal(t, "delivery", got.Reasons[0].Field)
	}
	w, e := setup(t), entry("A")
	e.Delivery.TimeWindows = windows("08:00", "11:00", "12:00", "16:00")
	e.Delivery.Earliest, e.Delivery.Latest = "2026-06-15T08:00:00+02:00", "2026-06-15T15:00:00+02:00"
	require.Equal(t, "stop.windows_differ", w.one(order.Defaults{}, e).Reasons[0].Text.ID)
}

// TestALocationClosesForLunch cuts pauses out of windows that the location sets.
func TestALocationClosesForLunch(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := entry("A")
	w.create([]order.Request{e})
	loc := w.locations[0]
	loc.Hours, loc.HoursAreDefault = &order.Hours{Opens: *clock("07:00"), Closes: *clock("15:00")}, true
	pause := func(from, until string) order.Pause { return order.Pause{From: *clock(from), Until: *clock(until)} }
	for _, c := range []struct {
		name   string
		pauses []order.Pause
		want   []string
		opens  string
	}{
		{"lunch", []order.Pause{pause("11:30", "12:15")}, []string{"07:00-11:30", "12:15-15:00"}, "07:00"},
		{"at the beginning", []order.Pause{pause("06:00", "08:00")}, nil, "08:00"},
		{"all of it", []order.Pause{pause("06:00", "16:00")}, nil, "07:00"},
		{
			"twice",
			[]order.Pause{pause("09:00", "09:30"), pause("11:00", "12:00")},
			[]string{"07:00-09:00", "09:30-11:00", "12:00-15:00"},
			"07:00",
		},
		{"after hours", []order.Pause{pause("16:00", "17:00")}, nil, "07:00"},
	} {
		loc.Pauses, e.ExternalID = c.pauses, c.name
		got := w.one(order.Defaults{}, e)
		require.Equal(t, order.OrderCreated, got.Kind, "%v", got.Reasons)
		require.Equal(t, c.want, spansOf(t, &got.Order.Pickup), c.name)
		require.True(t, oslo(t, "2026-06-15 "+c.opens).Equal(got.Order.Pickup.Window.Earliest), c.name)
	}
	loc.Pauses, e.ExternalID = []order.Pause{pause("11:30", "12:15")}, "said"
	e.Pickup.TimeWindows = windows("09:00", "14:00")
	require.Empty(t, w.one(order.Defaults{}, e).Order.Pickup.Asks.Windows, "the order knows better")
	e.Pickup.TimeWindows, e.ExternalID = nil, "night"
	loc.Hours = &order.Hours{Opens: *clock("20:00"), Closes: *clock("04:00")}
	loc.Pauses = []order.Pause{pause("01:00", "02:00")}
	require.Equal(t, []string{"20:00-01:00", "02:00-04:00"}, spansOf(t, &w.one(order.Defaults{}, e).Order.Pickup))
	e.ExternalID, loc.Pauses = "across midnight", []order.Pause{pause("00:00", "00:15"), pause("23:45", "24:00")}
	require.Empty(t, order.WrongPauses(loc.Pauses))
	require.Equal(t, []string{"20:00-23:45", "00:15-04:00"}, spansOf(t, &w.one(order.Defaults{}, e).Order.Pickup))
}

// TestNumbersOfAnOrderShareTheirWindows keeps the time that both have.
func TestNumbersOfAnOrderShareTheirWindows(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.allowMerge = true
	a, b := entry("A"), entry("B")
	a.Delivery.TimeWindows = windows("08:00", "11:00", "12:00", "16:00")
	b.Delivery = &order.LocationRequest{
		ExternalID: a.Delivery.ExternalID, Address: a.Delivery.Address, TimeWindows: windows("09:00", "13:00"),
	}
	w.imported(order.Defaults{}, a)
	got := w.one(order.Defaults{}, b)
	require.Equal(t, order.OrderMerged, got.Kind, "%v", got.Reasons)
	require.Equal(t, []string{"09:00-11:00", "12:00-13:00"}, spansOf(t, &got.Order.Delivery))
}

// TestAnOrderAsksForMore reads lateness, time on board and kinds of goods, and shares them between numbers.
func TestAnOrderAsksForMore(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.allowMerge = true
	a := entry("A")
	a.MaxMinutesOnBoard, a.GoodsKinds = ptr(int32(90)), []string{"FROZEN", "FOOD", "FOOD"}
	a.Delivery.Lateness = &order.LatenessRequest{MaxMinutes: ptr(int32(15))}
	got := w.one(order.Defaults{}, a)
	require.Equal(t, order.OrderCreated, got.Kind, "%v", got.Reasons)
	require.Equal(t, order.Asks{MaxMinutesOnBoard: 90, GoodsKinds: []string{"FOOD", "FROZEN"}}, got.Order.Asks)
	require.Equal(t, &order.Lateness{MaxMinutes: 15, PricePerMinute: 10}, got.Order.Delivery.Asks.Lateness)
	unchanged(t, w.imported(order.Defaults{}, a))
	edit := order.Editable(got.Order)
	require.Equal(t, []string{"FOOD", "FROZEN"}, edit.GoodsKinds)
	require.EqualValues(t, 15, *edit.Delivery.Lateness.MaxMinutes)

	b := entry("B")
	b.MaxMinutesOnBoard, b.GoodsKinds = ptr(int32(60)), []string{"ADR"}
	b.Delivery.Lateness = &order.LatenessRequest{MaxMinutes: ptr(int32(5)), PricePerMinute: ptr(20.0)}
	merged := w.one(order.Defaults{}, b)
	require.Equal(t, order.OrderMerged, merged.Kind)
	require.Equal(t, order.Asks{MaxMinutesOnBoard: 60, GoodsKinds: []string{"ADR", "FOOD", "FROZEN"}}, merged.Order.Asks)
	require.Equal(t, &order.Lateness{MaxMinutes: 5, PricePerMinute: 20}, merged.Order.Delivery.Asks.Lateness)

	a.MaxMinutesOnBoard = nil
	require.EqualValues(t, 60, w.one(order.Defaults{}, a).Order.Asks.MaxMinutesOnBoard)
}

// TestUnusableAsksAreReported names each field.
func TestUnusableAsksAreReported(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*order.Request){
		"maxMinutesOnBoard": func(r *order.Request) { r.MaxMinutesOnBoard = ptr(int32(1441)) },
		"goodsKinds[1]":     func(r *order.Request) { r.GoodsKinds = []string{"FOOD", ""} },
		"goodsKinds":        func(r *order.Request) { r.GoodsKinds = slices.Repeat([]string{"FOOD"}, 21) },
		"delivery.lateness": func(r *order.Request) { r.Delivery.Lateness = &order.LatenessRequest{} },
		"pickup.lateness": func(r *order.Request) {
			r.Pickup.Lateness = &order.LatenessRequest{MaxMinutes: ptr(int32(10)), PricePerMinute: ptr(-1.0)}
		},
	} {
		got := setup(t).one(order.Defaults{}, with(entry("A"), change))
		require.Equal(t, []order.Code{order.UnknownInvalidInput}, codes(got), field)
		require.Equal(t, field, got.Reasons[0].Field)
	}
}
