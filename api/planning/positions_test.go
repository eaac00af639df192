package planning_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// was records where a driver on duty was so long ago.
func (o *office) was(driver int64, ago time.Duration) {
	o.t.Helper()
	o.exec(`insert into driver_whereabouts (org_id, driver_id, on_duty, duty_since, latitude, longitude,
			accuracy_meters, at)
		values ($1, $2, true, now(), 59.91, 10.75, 8, $3)`, driver, o.Clock.Now().Add(-ago))
}

func (o *office) positions(path string) (drivers []int64) {
	o.t.Helper()
	for _, p := range read[contract.PositionsOfDay](o, path).Items {
		require.Equal(o.t, "59.91 10.75 8", fmt.Sprint(p.Latitude, " ", p.Longitude, " ", p.AccuracyMeters.MustGet()))
		drivers = append(drivers, p.DriverID)
	}
	return drivers
}

func TestPositionsOfDrivers(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	o.route(plan, o.nora, o.order("P-1"))
	o.was(o.nora, 5*time.Minute)
	o.was(o.ola, 5*time.Minute)

	require.Equal(t, []int64{o.nora}, o.positions(monday+"/positions"), "Ola drives no route of the day")
	require.Empty(t, o.positions("/v2/plans/2026-03-03/positions"))
	strange := o.Send(http.MethodGet, monday+"/positions", "", "Authorization", o.outsider)
	require.Contains(t, strange.Body.String(), `"items":[]`, "another organization")

	o.exec("update driver_whereabouts set on_duty = false where org_id = $1 and driver_id = $2", o.nora)
	require.Empty(t, o.positions(monday+"/positions"), "who is off duty is not shown")
	o.exec("update driver_whereabouts set on_duty = true, at = $3 where org_id = $1 and driver_id = $2", o.nora,
		o.Clock.Now().Add(-13*time.Hour))
	require.Empty(t, o.positions(monday+"/positions"), "nor who was there long ago")
}

// TestPlansHaveTheirWays reads a plan whose first leg is drawn.
func TestPlansHaveTheirWays(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	o.route(plan, o.nora, o.order("P-1"))
	o.exec("update plans set travel = 'osrm' where org_id = $1")
	o.exec("update plan_stops set latitude = 59.92 where org_id = $1 and kind = 'delivery'")
	o.exec(`insert into travel_ways (org_id, provider, profile, from_place, to_place, polyline, seconds, meters)
		values ($1, 'osrm', 'CAR', place_number(59.9, 10.8), place_number(59.92, 10.8), '_p~iF~ps|U', 600, 7000)`)

	require.NotContains(t, o.get(monday).Body.String(), "legs")
	route := read[contract.PlanPage](o, monday+"?loads=Geometry").Routes[0]
	require.Len(t, *route.Legs, 2)
	require.True(t, (*route.Legs)[0].Polyline.IsNull(), "nobody knows where the route starts")
	require.Equal(t, contract.PlanLeg{Sequence: 2, Polyline: (*route.Legs)[1].Polyline}, (*route.Legs)[1])
	require.Equal(t, "_p~iF~ps|U", (*route.Legs)[1].Polyline.MustGet())
	require.Equal(t, http.StatusBadRequest, o.get(monday+"?loads=Weather").Code)
}

// TestPlansHaveTheWaysThatWereDriven reads a plan with two driven legs.
func TestPlansHaveTheWaysThatWereDriven(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	o.route(plan, o.nora, o.order("P-1"))
	require.Empty(t, *read[contract.PlanPage](o, monday+"?loads=Geometry").Routes[0].Driven)
	for hour, ways := range []string{
		`[{"polyline": "_p~iF~ps|U", "from": "2026-03-02T06:00:00Z", "until": "2026-03-02T06:20:00Z",
				"meters": 7000, "matched": true, "confidence": 0.9},
			{"polyline": "_ulLnnqC", "from": "2026-03-02T06:20:00Z", "until": "2026-03-02T06:30:00.5Z",
				"meters": 40, "matched": false, "confidence": 0}]`,
		`[{"polyline": "_mqNvxq", "from": "2026-03-02T07:00:00Z", "until": "2026-03-02T07:20:00Z",
				"meters": 900, "matched": true, "confidence": 1}]`,
	} {
		o.exec(`insert into driven_legs (org_id, driver_id, day, from_at, until_at, positions, ways, meters, matched)
			values ($1, $2, '2026-03-02', $3, $4, 10, $5, 7040, false)`, o.nora,
			time.Date(2026, 3, 2, 6+hour, 0, 0, 0, time.UTC), time.Date(2026, 3, 2, 6+hour, 40, 0, 0, time.UTC), ways)
	}
	require.NotContains(t, o.get(monday).Body.String(), "driven")
	require.Contains(t, o.get(monday+"?loads=Geometry").Body.String(), `"driven":[{"from":"2026-03-02T06:00:00.000Z",`+
		`"matched":true,"meters":7000,"polyline":"_p~iF~ps|U","until":"2026-03-02T06:20:00.000Z"},`)
	var met []int64
	for _, way := range *read[contract.PlanPage](o, monday+"?loads=Geometry").Routes[0].Driven {
		met = append(met, way.Meters)
	}
	require.Equal(t, []int64{7000, 40, 900}, met, "in the order of time")
	strange := o.Send(http.MethodGet, monday+"?loads=Geometry", "", "Authorization", o.outsider)
	require.NotContains(t, strange.Body.String(), "polyline", "another organization")
}
