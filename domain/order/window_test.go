package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func TestParseClockReadsHoursAndMinutes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]order.Clock{
		"00:00": 0, "07:30": 450, "23:59": 1439, "24:00": 1440, "07:30:59": 450, "24:00:00": 1440,
	} {
		got, ok := order.ParseClock(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "7:30", "07.30", "0730", "07:3", "07:60", "24:01", "24:00:01", "25:00", "07:30:60", "07:30:00:00",
		"+7:30", "-0:30", "07:+3", " 07:30", "07:30 ", "07:30Z", "٠٧:٣٠", "07:30:", ":",
	} {
		_, ok := order.ParseClock(text)
		require.False(t, ok, text)
	}
}

func TestDateParsingIsStrict(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1970-01-01", "2199-12-31", "2028-02-29"} {
		_, ok := order.ParseDay(text)
		require.True(t, ok, text)
	}
	for _, text := range []string{"", "1969-12-31", "2200-01-01", "2027-02-29", "2026-6-15", "15.06.2026", "2026-06-15 "} {
		_, ok := order.ParseDay(text)
		require.False(t, ok, text)
	}
}

// on is a day of the week, as in a rule of a location.
type on time.Weekday

func (d on) Matches(year int, month time.Month, day int) bool {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday() == time.Weekday(d)
}

func hours(opens, closes string) order.Hours {
	return order.Hours{Opens: *clock(opens), Closes: *clock(closes)}
}

func oslo(t *testing.T, text string) time.Time {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	at, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	require.NoError(t, err)
	return at
}

// TestAWindowIsResolvedInTheContractsOrder takes one rule after the other
// away, the strongest first.
func TestAWindowIsResolvedInTheContractsOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := entry("A") // on a Monday
	w.create([]order.Request{e})
	loc := w.locations[0]
	loc.Windows = []order.RecurringHours{
		{Days: on(time.Sunday), Hours: hours("01:00", "02:00")},
		{Days: on(time.Monday), Hours: hours("06:00", "10:00")},
		{Days: on(time.Monday), Hours: hours("03:00", "04:00")},
	}
	loc.Hours, loc.HoursAreDefault = &order.Hours{Opens: *clock("07:00"), Closes: *clock("15:00")}, true
	p := e.Pickup
	p.Earliest, p.Latest = "2026-06-17T01:02:03.123456789Z", "2026-06-18T03:00:00+02:00"
	p.Opens, p.Closes, p.HasOpeningTimes, p.OpeningHoursIsDefault = "09:00", "11:00", true, ptr(false)
	number := 'A'
	check := func(source order.WindowSource, from, to time.Time) {
		t.Helper()
		number++
		e.ExternalID = string(number)
		got := w.one(order.Defaults{}, e)
		require.Equal(t, order.OrderCreated, got.Kind, "%v", got.Reasons)
		window := got.Order.Pickup.Window
		require.Equal(t, source, window.Source)
		require.True(t, from.Equal(window.Earliest), window.Earliest)
		require.True(t, to.Equal(window.Latest), window.Latest)
	}

	check(order.FromRequest, time.Date(2026, 6, 17, 1, 2, 3, 123456000, time.UTC),
		time.Date(2026, 6, 18, 1, 0, 0, 0, time.UTC))
	p.Latest = ""
	check(order.FromLocationRule, oslo(t, "2026-06-15 06:00"), oslo(t, "2026-06-15 10:00"))
	p.Earliest, p.Latest = "", "nonsense" // does not count without the other one
	check(order.FromLocationRule, oslo(t, "2026-06-15 06:00"), oslo(t, "2026-06-15 10:00"))
	e.Date = "2026-06-16"
	check(order.FromLocationHours, oslo(t, "2026-06-16 07:00"), oslo(t, "2026-06-16 15:00"))
	loc.HoursAreDefault = false
	check(order.FromRequestHours, oslo(t, "2026-06-16 09:00"), oslo(t, "2026-06-16 11:00"))
	p.HasOpeningTimes = false
	check(order.FromOrderType, oslo(t, "2026-06-16 08:00"), oslo(t, "2026-06-16 12:00"))
	p.HasOpeningTimes, p.OpeningHoursIsDefault = true, nil
	check(order.FromOrderType, oslo(t, "2026-06-16 08:00"), oslo(t, "2026-06-16 12:00"))
	p.OpeningHoursIsDefault, p.Opens, p.Closes = ptr(true), "", ""
	check(order.FromOrderType, oslo(t, "2026-06-16 08:00"), oslo(t, "2026-06-16 12:00"))

	e.ExternalID, e.OrderType = "none", &order.Ref{Name: "Bare"}
	got := w.one(order.Defaults{}, e)
	require.Equal(t, []order.Code{order.InvalidPickupTimeWindow, order.InvalidDeliveryTimeWindow}, codes(got))
	require.Equal(t, "stop.no_window", got.Reasons[0].Text.ID)
}

func TestTheOrderTypeGivesDeliveriesAnotherWindow(t *testing.T) {
	t.Parallel()
	w := setup(t)
	window := w.one(order.Defaults{}, entry("A")).Order.Delivery.Window
	require.True(t, oslo(t, "2026-06-15 08:00").Equal(window.Earliest))
	require.True(t, oslo(t, "2026-06-15 16:00").Equal(window.Latest))

	w = setup(t)
	w.base.OrderTypes[0].DeliverBefore = nil
	require.Equal(t, []order.Code{order.InvalidDeliveryTimeWindow}, codes(w.one(order.Defaults{}, entry("A"))))
}

func TestUnusableHoursAreReported(t *testing.T) {
	t.Parallel()
	for _, h := range [][2]string{
		{"08:00", ""}, {"", "08:00"}, {"8", "9"}, {"08:00", "08:00"}, {"24:00", "00:00"}, {"24:00", "06:00"},
	} {
		e := entry("A")
		e.Pickup.HasOpeningTimes, e.Pickup.OpeningHoursIsDefault = true, ptr(true)
		e.Pickup.Opens, e.Pickup.Closes = h[0], h[1]
		got := setup(t).one(order.Defaults{}, e)
		require.Equal(t, []order.Code{order.InvalidPickupTimeWindow}, codes(got), h)
		require.Equal(t, "stop.bad_hours", got.Reasons[0].Text.ID)
	}
}

func TestHoursSeedTheLocationThatAnImportCreates(t *testing.T) {
	t.Parallel()
	for _, isDefault := range []bool{true, false} {
		w := setup(t)
		e := entry("A")
		e.Pickup.HasOpeningTimes, e.Pickup.OpeningHoursIsDefault = true, ptr(isDefault)
		e.Pickup.Opens, e.Pickup.Closes = "09:00", "11:00"
		first := w.one(order.Defaults{}, e).Order.Pickup.Window
		require.Equal(t, oslo(t, "2026-06-15 09:00").UTC(), first.Earliest.UTC())
		require.Equal(t, hours("09:00", "11:00"), *w.locations[0].Hours)
		require.Equal(t, isDefault, w.locations[0].HoursAreDefault)

		// A stored value takes precedence over that of a later request by default.
		e.ExternalID, e.Pickup.Opens = "B", "10:00"
		later := w.one(order.Defaults{}, e).Order.Pickup.Window
		want := map[bool]string{true: "2026-06-15 09:00", false: "2026-06-15 10:00"}[isDefault]
		require.Equal(t, oslo(t, want).UTC(), later.Earliest.UTC())
	}
}

func TestHoursAreWallClockTimesOnEveryDay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ date, opens, closes, from, to string }{
		"Winter":                      {"2026-01-15", "08:00", "16:00", "2026-01-15T07:00:00Z", "2026-01-15T15:00:00Z"},
		"Summer":                      {"2026-07-15", "08:00", "16:00", "2026-07-15T06:00:00Z", "2026-07-15T14:00:00Z"},
		"OverMidnight":                {"2026-07-15", "22:00", "06:00", "2026-07-15T20:00:00Z", "2026-07-16T04:00:00Z"},
		"UntilMidnight":               {"2026-07-15", "22:00", "00:00", "2026-07-15T20:00:00Z", "2026-07-15T22:00:00Z"},
		"UntilTheEndOfTheDay":         {"2026-07-15", "22:00", "24:00", "2026-07-15T20:00:00Z", "2026-07-15T22:00:00Z"},
		"AllDay":                      {"2026-07-15", "00:00", "24:00", "2026-07-14T22:00:00Z", "2026-07-15T22:00:00Z"},
		"TheDayThatLosesAnHour":       {"2026-03-29", "00:00", "24:00", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
		"TheMorningAfterAnHourIsLost": {"2026-03-29", "08:00", "16:00", "2026-03-29T06:00:00Z", "2026-03-29T14:00:00Z"},
		"OverTheLostHour":             {"2026-03-29", "01:00", "04:00", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z"},
		"OverMidnightToTheLostHour":   {"2026-03-28", "22:00", "06:00", "2026-03-28T21:00:00Z", "2026-03-29T04:00:00Z"},
		"InsideTheLostHour":           {"2026-03-29", "02:15", "02:45", "2026-03-29T01:15:00Z", "2026-03-29T01:45:00Z"},
		"OutOfTheLostHour":            {"2026-03-29", "02:30", "03:10", "2026-03-29T01:30:00Z", "2026-03-29T02:10:00Z"},
		"UntilTheLostHoursEnd":        {"2026-03-29", "02:00", "03:00", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"},
		"TheDayThatGainsAnHour":       {"2026-10-25", "00:00", "24:00", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"},
		"TheMorningAfterItIsGained":   {"2026-10-25", "08:00", "16:00", "2026-10-25T07:00:00Z", "2026-10-25T15:00:00Z"},
		"OverTheDoubledHour":          {"2026-10-25", "01:00", "04:00", "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := entry("A")
			e.Date = c.date
			e.Pickup.HasOpeningTimes, e.Pickup.OpeningHoursIsDefault = true, ptr(true)
			e.Pickup.Opens, e.Pickup.Closes = c.opens, c.closes
			window := setup(t).one(order.Defaults{}, e).Order.Pickup.Window
			require.Equal(t, c.from, window.Earliest.UTC().Format(time.RFC3339))
			require.Equal(t, c.to, window.Latest.UTC().Format(time.RFC3339))
		})
	}
}

// TestNoHoursGiveAnEmptyWindow tries all hours on the days of clock changes in
// zones on both sides of Greenwich.
func TestNoHoursGiveAnEmptyWindow(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Europe/Oslo", "America/New_York", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		w := setup(t)
		w.base.Zone = zone
		e := entry("A")
		w.create([]order.Request{e})
		for _, date := range []string{"2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-04-05", "2026-10-04"} {
			e.Date = date
			for opens := order.Clock(0); opens <= 300; opens += 15 {
				for closes := order.Clock(0); closes <= 300; closes += 15 {
					w.locations[0].Hours, w.locations[0].HoursAreDefault = &order.Hours{Opens: opens, Closes: closes}, true
					window := order.Decide(w.snapshot(), order.Defaults{}, []order.Request{e}).Results[0].Order.Pickup.Window
					require.True(t, window.Earliest.Before(window.Latest), "%s %s %d-%d", name, date, opens, closes)
				}
			}
		}
	}
}
