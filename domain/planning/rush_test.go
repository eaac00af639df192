package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/traffic"
)

// inRushHours plans a day with legs of an hour in the rush hours of the day.
func inRushHours(t *testing.T, day planning.Day) (*planning.Draft, planning.Solution) {
	t.Helper()
	draft := day.Draft()
	for range draft.Profiles {
		travel := fiveMinutes(len(draft.Points))
		for i := range travel.Legs {
			travel.Legs[i].Seconds *= 12
		}
		draft.Problem.Travel = append(draft.Problem.Travel, travel)
	}
	draft.Hasten()
	draft.Rush()
	require.NoError(t, draft.Problem.Validate())
	r, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(200)})
	require.NoError(t, err)
	require.Empty(t, routing.Broken(&draft.Problem, r.Plan))
	bill := routing.Charge(&draft.Problem, r.Plan)
	require.Equal(t, r.Cost.Total, bill.Total())
	return draft, draft.Solution(r.Plan, time.Second)
}

// early is an order that is picked up at eight, where the driver comes from, and delivered from nine on.
func early() planning.Order {
	o := anOrder(1)
	o.Pickup.Window, o.Pickup.Service = order.Window{Earliest: clock(8), Latest: clock(8)}, 0
	o.Delivery.Window.Latest = clock(12)
	return o
}

// TestRushHoursMakeLegsLonger is the example of the guide: an hour of driving from eight on, in which the first
// hour and a half are half as fast.
func TestRushHoursMakeLegsLonger(t *testing.T) {
	t.Parallel()
	day := aDay(6, []planning.Order{early()}, aDriver(1))
	_, s := inRushHours(t, day)
	delivery := s.Routes[0].Stops[1]
	require.Equal(t, clock(9), delivery.Arrives)
	require.Equal(t, time.Hour, delivery.Driving)

	day.RushHours = []traffic.RushHours{{From: "07:00", Until: "09:30", Factor: 2}}
	day.RushHours[0].Days = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}[day.Date.Weekday():][:1]
	draft, s := inRushHours(t, day)
	delivery = s.Routes[0].Stops[1]
	require.Equal(t, clock(9).Add(45*time.Minute), delivery.Arrives, "three quarters until half past nine, then the rest")
	require.Equal(t, 105*time.Minute, delivery.Driving)
	require.Equal(t, s.Routes[0].Driving, 105*time.Minute+time.Hour, "with the way home")
	require.Equal(t, draft.Problem.Objective.Second, draft.Problem.Objective.Waiting)
	require.EqualValues(t, (165 * time.Minute).Seconds(), s.Routes[0].Costs.Driving)

	day.RushHours[0].Days = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}[(day.Date.Weekday()+1)%7:][:1]
	_, s = inRushHours(t, day)
	require.Equal(t, clock(9), s.Routes[0].Stops[1].Arrives, "on another day of the week there is nothing")

	day.RushHours[0].Days = nil
	later := early()
	later.Pickup.Window.Latest, later.Delivery.Window.Earliest = clock(12), clock(11)
	day.Orders = []planning.Order{later}
	_, s = inRushHours(t, day)
	require.Equal(t, clock(10), s.Routes[0].Starts, "the driver leaves after the rush hour")
	require.Equal(t, clock(11), s.Routes[0].Stops[1].Arrives)
}

// TestRushHoursAreInTheirAreas slows the second half of a leg into a town.
func TestRushHoursAreInTheirAreas(t *testing.T) {
	t.Parallel()
	o := early()
	o.Delivery.Postal = freight.Place{Country: "NO", PostalCode: "2000"}
	day := aDay(6, []planning.Order{o}, aDriver(1))
	day.RushHours = []traffic.RushHours{
		{From: "00:00", Until: "24:00", Factor: 3, Areas: []freight.Area{{Country: "NO", From: "20", To: "20"}}},
		{From: "00:00", Until: "24:00", Factor: 2, Areas: []freight.Area{{Country: "NO", From: "20", To: "20"}}},
	}
	_, s := inRushHours(t, day)
	require.Equal(t, clock(10), s.Routes[0].Stops[1].Arrives, "the highest factor counts")
	o.Delivery.Postal.PostalCode = "3000"
	day.Orders = []planning.Order{o}
	_, s = inRushHours(t, day)
	require.Equal(t, clock(9), s.Routes[0].Stops[1].Arrives)
}

// TestDrivingMayTakeLessTime has half the time at night, and that of the road data within it where a factor says so.
func TestDrivingMayTakeLessTime(t *testing.T) {
	t.Parallel()
	day := aDay(6, []planning.Order{early()}, aDriver(1))
	day.RushHours = []traffic.RushHours{{From: "00:00", Until: "08:15", Factor: 0.5}}
	_, s := inRushHours(t, day)
	require.Equal(t, clock(8).Add(45*time.Minute), s.Routes[0].Stops[1].Arrives, "half of it until a quarter past eight")
	require.Equal(t, 45*time.Minute, s.Routes[0].Stops[1].Driving)
	day.RushHours = append(day.RushHours, traffic.RushHours{From: "08:00", Until: "10:00", Factor: 1})
	_, s = inRushHours(t, day)
	require.Equal(t, clock(9), s.Routes[0].Stops[1].Arrives, "the highest factor counts")
}

// TestRushHoursFollowTheClock are two hours long on the day on which an hour is missing, at the hours of the wall.
func TestRushHoursFollowTheClock(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	day := aDay(6, []planning.Order{early()}, aDriver(1))
	day.Date, day.Zone = time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC), zone
	day.RushHours = []traffic.RushHours{{From: "07:00", Until: "09:00", Factor: 2}}
	draft := day.Draft()
	draft.Problem.Travel = []routing.Travel{fiveMinutes(len(draft.Points))}
	draft.Rush()
	paces := draft.Problem.Travel[0].Traffic[0].Paces()
	require.Contains(t, paces, routing.Pace{From: 6 * 3600, Speed: routing.FullSpeed / 2})
	require.Contains(t, paces, routing.Pace{From: 8 * 3600, Speed: routing.FullSpeed})

	day.RushHours = nil
	later := day.Draft()
	later.Problem.Travel = draft.Problem.Travel
	later.Rush()
	require.Empty(t, later.Problem.Travel[0].Traffic, "travel times of a draft with rush hours keep none of them")
}
