package recurring_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/domain/recurring/wire"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

func at(t testing.TB, text string) time.Time {
	t.Helper()
	instant, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return instant
}

func day(t testing.TB, text string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	require.NoError(t, err)
	return d
}

func template(t testing.TB, rule, start string, in *time.Location) recurring.Template {
	t.Helper()
	begins := at(t, start)
	c := recurring.Change{RuleSet: &rule, Start: &begins, Order: &order.Request{}}
	made, err := c.New(in)
	require.NoError(t, err)
	made.ID = 7
	return made
}

func change(t testing.TB, text string) recurring.Change {
	t.Helper()
	c, err := wire.ReadChange(strings.NewReader(text))
	require.NoError(t, err)
	return c
}

func keys(list []recurring.Occurrence) []string {
	all := []string{}
	for _, o := range list {
		all = append(all, o.Key+" "+o.Date.Format(time.DateOnly))
	}
	return all
}

func TestHorizon(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	cases := []struct {
		name, start, end string
		ahead            int
		first, last      string
	}{
		{"from today", "2026-01-01T08:00:00Z", "", 3, "2026-03-10", "2026-03-13"},
		{"today alone", "2026-01-01T08:00:00Z", "", 0, "2026-03-10", "2026-03-10"},
		{"from a start to come", "2026-03-12T08:00:00Z", "", 3, "2026-03-12", "2026-03-13"},
		{"a start beyond the horizon", "2026-04-12T08:00:00Z", "", 3, "2026-04-12", "2026-03-13"},
		{"to the end", "2026-01-01T08:00:00Z", "2026-03-11T00:00:00Z", 3, "2026-03-10", "2026-03-11"},
		{"days of the organization", "2026-03-11T23:30:00Z", "2026-03-12T23:30:00Z", 5, "2026-03-12", "2026-03-13"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			made := recurring.Template{Start: at(t, c.start), DaysAhead: c.ahead}
			if c.end != "" {
				end := at(t, c.end)
				made.End = &end
			}
			first, last := made.Horizon(day(t, "2026-03-10"), oslo)
			require.Equal(t, []string{c.first, c.last}, []string{first.Format(time.DateOnly), last.Format(time.DateOnly)})
		})
	}
}

func TestOccurrences(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	t.Run("CountTheDaysOfTheOrganization", func(t *testing.T) {
		t.Parallel()
		made := template(t, "FREQ=DAILY", "2026-03-27T23:30:00Z", oslo)
		found, err := made.Occurrences(day(t, "2026-03-28"), day(t, "2026-03-30"), oslo)
		require.NoError(t, err)
		require.Equal(t,
			[]string{"20260328T0030 2026-03-28", "20260329T0030 2026-03-29", "20260330T0030 2026-03-30"}, keys(found))
	})
	t.Run("KeepTheRulesOwnZoneInTheirKeys", func(t *testing.T) {
		t.Parallel()
		made := template(t, "DTSTART;TZID=Asia/Tokyo:20260401T080000\nRRULE:FREQ=DAILY", "2026-03-31T23:00:00Z", oslo)
		found, err := made.Occurrences(day(t, "2026-04-01"), day(t, "2026-04-01"), oslo)
		require.NoError(t, err)
		require.Equal(t, []string{"20260401T0800 2026-04-01"}, keys(found))
	})
	t.Run("WithinOneMinuteAreOne", func(t *testing.T) {
		t.Parallel()
		made := template(t, "FREQ=DAILY;BYSECOND=0,30", "2026-04-01T08:00:00Z", oslo)
		found, err := made.Occurrences(day(t, "2026-04-01"), day(t, "2026-04-02"), oslo)
		require.NoError(t, err)
		require.Len(t, found, 2)
	})
	t.Run("OfAYearOfHoursAreAllThere", func(t *testing.T) {
		t.Parallel()
		made := template(t, "FREQ=HOURLY", "2026-01-01T00:00:00Z", time.UTC)
		found, err := made.Occurrences(day(t, "2026-01-01"), day(t, "2027-01-01"), time.UTC)
		require.NoError(t, err)
		require.Len(t, found, 366*24)
	})
}

func TestWakesAtTheMidnightThatBringsTheNext(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	made := template(t, "FREQ=WEEKLY;BYDAY=MO", "2026-03-02T08:00:00Z", oslo)
	made.DaysAhead = 10
	wake, next, ok, err := made.Wake(day(t, "2026-03-25"), oslo) // the horizon ends on Saturday 4 April
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "2026-04-06", next.Format(time.DateOnly))
	require.Equal(t, "2026-03-26T23:00:00Z", wake.UTC().Format(time.RFC3339))

	made.DaysAhead = 5
	wake, _, _, err = made.Wake(day(t, "2026-03-25"), oslo)
	require.NoError(t, err)
	require.Equal(t, "2026-03-31T22:00:00Z", wake.UTC().Format(time.RFC3339),
		"midnight after the change of clock is an hour earlier in UTC")

	end := at(t, "2026-03-31T00:00:00Z")
	made.End = &end
	_, _, ok, err = made.Wake(day(t, "2026-03-30"), oslo)
	require.NoError(t, err)
	require.False(t, ok, "nothing comes after the end")
}

func TestFixedTimesMoveWithTheOccurrence(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	cases := []struct {
		name, date, pickupEarliest, pickupLatest, earliest, latest, on, want string
	}{
		{
			"same wall clock in summer", "", "", "", "2026-03-02T11:00:00Z",
			"2026-03-02T15:00:00Z", "2026-07-06", "2026-07-06T10:00:00Z 2026-07-06T14:00:00Z",
		},
		{
			"the day after", "2026-03-01", "", "", "2026-03-02T11:00:00Z",
			"2026-03-02T15:00:00Z", "2026-07-06", "2026-07-07T10:00:00Z 2026-07-07T14:00:00Z",
		},
		{
			"the day after pickup", "", "2026-03-01T07:00:00Z", "2026-03-01T09:00:00Z", "2026-03-02T11:00:00Z",
			"2026-03-02T15:00:00Z", "2026-07-06", "2026-07-07T10:00:00Z 2026-07-07T14:00:00Z",
		},
		{
			"over midnight", "2026-03-02", "", "", "2026-03-02T21:00:00Z",
			"2026-03-03T02:00:00Z", "2026-07-06", "2026-07-06T20:00:00Z 2026-07-07T01:00:00Z",
		},
		{
			"into the gap", "2026-03-02", "", "", "2026-03-02T01:30:00Z",
			"2026-03-02T02:15:00Z", "2026-03-29", "2026-03-29T01:30:00Z 2026-03-29T02:15:00Z",
		},
		{
			"a leap day", "2026-03-02", "", "", "2026-03-02T11:00:00Z", "2026-03-02T15:00:00Z",
			"2028-02-29", "2028-02-29T11:00:00Z 2028-02-29T15:00:00Z",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			made := recurring.Template{ID: 7, Order: order.Request{
				Date:     c.date,
				Pickup:   &order.LocationRequest{Earliest: c.pickupEarliest, Latest: c.pickupLatest},
				Delivery: &order.LocationRequest{Earliest: c.earliest, Latest: c.latest},
			}}
			r := made.Request(recurring.Occurrence{Key: "K", Date: day(t, c.on)}, oslo)
			require.Equal(t, c.want, r.Delivery.Earliest+" "+r.Delivery.Latest)
			require.Equal(t, c.on, r.Date)
			require.Equal(t, "recurring-7-K", r.ExternalID)
			require.Equal(t, c.earliest, made.Order.Delivery.Earliest, "the template stays as it is")
		})
	}
}

func TestRequestsNameWhatTheTemplateRefersTo(t *testing.T) {
	t.Parallel()
	own := &order.Address{Address1: "Storgata 1", City: "Oslo", Country: "NO"}
	other := &order.Address{Address1: "Storgata 2", City: "Oslo", Country: "NO"}
	made := recurring.Template{
		ID: 7, CustomerID: 1, OrderTypeID: 2, VehicleTypeID: 3,
		Pickup:   recurring.Place{LocationID: 4, Name: "Shop", Address: own},
		Delivery: recurring.Place{LocationID: 5, ExternalID: "L-5", Name: "Depot", Address: other},
		Order: order.Request{
			Customer: &order.Ref{BusinessName: "Somebody"},
			Pickup:   &order.LocationRequest{Name: "SHOP", Address: own, Instructions: "Ring"},
			Delivery: &order.LocationRequest{ExternalID: "L-9", Name: "Elsewhere", Address: own},
		},
	}
	r := made.Request(recurring.Occurrence{Key: "K", Date: day(t, "2026-03-02")}, time.UTC)
	require.Equal(t, &order.Ref{ID: &made.CustomerID}, r.Customer)
	require.Equal(t, &order.Ref{ID: &made.OrderTypeID}, r.OrderType)
	require.Equal(t, &order.LocationRequest{LocationID: 4, Name: "SHOP", Address: own, Instructions: "Ring"}, r.Pickup)
	require.Equal(t, &order.LocationRequest{LocationID: 5, ExternalID: "L-5", Name: "Depot", Address: other}, r.Delivery)
	require.NotNil(t, r.Products, "a list that the template lacks is empty, so that an update takes it away")
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	made := recurring.Template{ID: 7, Version: 2, AppliedFrom: 2}
	o := func(n int) recurring.Occurrence {
		d := day(t, "2026-03-01").AddDate(0, 0, n)
		return recurring.Occurrence{Key: d.Format("20060102T1504"), Date: d}
	}
	wanted := []recurring.Occurrence{o(1), o(2), o(3), o(4), o(5), o(6), o(7), o(8), o(20)}
	existing := []recurring.Existing{
		{Occurrence: o(1), Version: 1, OrderID: 1, Status: order.Registered},
		{Occurrence: o(2), Version: 2, OrderID: 2, Status: order.Registered}, // up to date
		{Occurrence: o(3), Version: 1, OrderID: 3, Status: order.AtPickup},
		{Occurrence: o(4), Version: 1, OrderID: 4, Status: order.Planned, Edited: true},
		{Occurrence: o(5), Version: 1, OrderID: 5, Status: order.Planned, Booked: true},
		{Occurrence: o(6), Version: 1, OrderID: 6, Status: order.Cancelled},
		{Occurrence: o(7), Version: 1, OrderID: 7, Status: order.Cancelled, Withdrawn: true},
		{Occurrence: o(9), Version: 1, OrderID: 9, Status: order.Registered},
		{Occurrence: o(10), Version: 1, OrderID: 10, Status: order.Delivered},
		{Occurrence: o(11), Version: 1, OrderID: 11, Status: order.Cancelled, Withdrawn: true},
		{Occurrence: o(12), Version: 1, OrderID: 12, Status: order.Registered, Withdrawn: true, Edited: true},
		{Occurrence: o(13), Version: 1, DraftGone: true},
		{Occurrence: o(14), Version: 1}, // a draft
		{Occurrence: o(20), Version: 1, OrderID: 20, Status: order.Registered},
	}
	ids := func(list []recurring.Existing) (all []int64) {
		for _, e := range list {
			all = append(all, e.OrderID)
		}
		return all
	}
	plan := made.Reconcile(wanted, o(10).Date, existing)
	require.Equal(t, []string{"20260309T0000 2026-03-09"}, keys(plan.Create))
	require.Equal(t, []int64{1, 20}, ids(plan.Change), "what lies beyond the horizon is not gone")
	require.Equal(t, []int64{9, 0}, ids(plan.Cancel))
	require.Equal(t, []int64{7}, ids(plan.Restore))
	why := map[int64]recurring.Protection{}
	for _, p := range plan.Protect {
		why[p.OrderID] = p.Why
	}
	require.Equal(t, map[int64]recurring.Protection{
		3: recurring.Started, 4: recurring.Edited, 5: recurring.Booked, 6: recurring.Cancelled, 10: recurring.Started,
		12: recurring.Edited, 0: recurring.Cancelled,
	}, why)

	made.AppliedFrom = 0
	later := made.Reconcile(wanted, o(10).Date, existing)
	require.Empty(t, later.Change)
	require.Empty(t, later.Cancel)
	require.Empty(t, later.Protect)
	require.Len(t, later.Create, 1)

	batch := plan.Batch(plan.Size() - 1)
	require.Equal(t, plan.Size()-1, batch.Size())
	require.Empty(t, batch.Create, "what is new comes last")
}

func TestApply(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	before := template(t, "DTSTART;TZID=Europe/Oslo:20260302T090000\nRRULE:FREQ=DAILY", "2026-03-02T08:00:00Z", oslo)
	end := at(t, "2026-06-01T00:00:00Z")
	before.End, before.CustomerID, before.Pickup = &end, 5, recurring.Place{LocationID: 9}

	apply := func(text string) recurring.Template {
		c := change(t, text)
		after, err := c.Apply(before, oslo)
		require.NoError(t, err, text)
		require.Equal(t, before.Version+1, after.Version)
		return after
	}
	require.Equal(t, &end, apply(`{}`).End)
	require.Nil(t, apply(`{"endDate": null}`).End)
	require.Equal(t, recurring.DefaultDaysAhead, apply(`{"name": "x"}`).DaysAhead)
	require.Equal(t, int64(5), apply(`{"orderTemplate": {}}`).CustomerID)
	require.Zero(t, apply(`{"orderTemplate": {"customer": {"externalId": "C"}}}`).CustomerID)
	require.Equal(t, int64(6), apply(`{"customerId": 6, "orderTemplate": {"customer": {"externalId": "C"}}}`).CustomerID)
	require.Equal(t, int64(9), apply(`{"orderTemplate": {"pickup": {"instructions": "x"}}}`).Pickup.LocationID)
	require.Zero(t, apply(`{"orderTemplate": {"pickup": {"externalId": "x"}}}`).Pickup.LocationID)
	require.Contains(t, apply(`{"startDate": "2026-03-03T08:00:00Z"}`).RuleSet,
		"20260303T090000", "a start in the rule moves along")
	require.Equal(t, int64(2), apply(`{"updateExistingOrders": true}`).AppliedFrom)
	require.Zero(t, apply(`{"updateExistingOrders": false}`).AppliedFrom)

	before.Paused = true
	require.True(t, apply(`{"isActive": false}`).Paused)
	require.False(t, apply(`{"isActive": true}`).Paused, "activating lets a paused template go on")
	inactive := apply(`{"isActive": false}`)
	require.False(t, inactive.Generates())
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	before := template(t, "FREQ=DAILY", "2026-03-02T08:00:00Z", time.UTC)
	for text, want := range map[string]struct {
		kind  fault.Kind
		field string
	}{
		`{"endDate": "2026-03-01T00:00:00Z"}`: {fault.Unprocessable, "endDate"},
		`{"rruleset": "FREQ=SECONDLY"}`:       {fault.Unprocessable, "rruleset"},
		`{"daysToGenerateAhead": 366}`: {
			fault.Invalid, "daysToGenerateAhead",
		},
		`{"vehicleTypeId": -1}`: {
			fault.Unprocessable, "vehicleTypeId",
		},
		`{"startDate": "2026-04-01T08:00:00Z", "endDate": "2026-03-31T08:00:00Z"}`: {fault.Unprocessable, "endDate"},
		`{"orderTemplate": {"pickup": {"priority": "LOCATION_PRIORITY_UNSPECIFIED"}}}`: {
			fault.Unprocessable, "orderTemplate.pickup.priority",
		},
	} {
		c := change(t, text)
		_, err := c.Apply(before, time.UTC)
		var f *fault.Error
		require.ErrorAs(t, err, &f, text)
		require.Equal(t, want.kind, f.Kind, text)
		require.Equal(t, want.field, f.Violations[0].Field, text)
	}
}
