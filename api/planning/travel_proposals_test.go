package planning_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

func TestLearnedRushHoursAreDecided(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	propose := func(id int, state string) {
		o.exec(fmt.Sprintf(`insert into travel_proposals (org_id, id, state, hours, legs, days, trial_legs, trial_days,
				before_seconds, after_seconds)
			values ($1, %d, '%s', '[{"days": ["MO"], "from": "07:00", "until": "09:00", "factor": 1.5,
				"areas": [{"country": "NO", "from": "01", "to": "02"}]}]', 8120, 20, 1980, 5, 210, 95)`, id, state))
	}
	propose(3, "REPLACED")
	propose(4, "OPEN")
	list := func(who string) contract.TravelProposalList {
		t.Helper()
		w := o.as(who, http.MethodGet, "/v2/travel-proposals", "")
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		return decoded[contract.TravelProposalList](t, w)
	}
	found := list(o.dispatcher).Items
	require.Len(t, found, 1, "what was replaced is of no use")
	require.Equal(t, contract.TravelProposalStateOpen, found[0].State)
	require.Equal(t, contract.TravelProposalKindHours, found[0].Kind)
	open := &found[0]
	require.Equal(t, []int32{8120, 20, 1980, 5}, []int32{open.Legs, open.Days, open.PredictedLegs, open.PredictedDays})
	require.Equal(t, []int32{210, 95}, []int32{open.SecondsBefore, open.SecondsAfter})
	require.Equal(t, "02", open.Hours[0].Areas[0].To)
	require.True(t, open.DecidedBy.IsNull())
	require.Len(t, list(o.key).Items, 1)
	require.Empty(t, list(o.outsider).Items)

	admin := o.person(caller.Admin)
	for _, what := range []string{"accept", "dismiss"} {
		path := "/v2/travel-proposals/4/" + what
		for _, who := range []string{o.key, o.dispatcher, o.support, o.person(caller.Driver)} {
			require.Equal(t, http.StatusForbidden, o.as(who, http.MethodPost, path, "").Code)
		}
		require.Equal(t, http.StatusNotFound, o.as(admin, http.MethodPost, "/v2/travel-proposals/3/"+what, "").Code)
	}
	w := o.as(admin, http.MethodPost, "/v2/travel-proposals/4/accept", "")
	require.Equal(t, http.StatusNoContent, w.Code, w.Body.String())
	w = o.as(admin, http.MethodGet, "/v1/organization", "")
	require.Equal(t, found[0].Hours, decoded[contract.Organization](t, w).RushHours)
	w = o.as(admin, http.MethodPost, "/v2/travel-proposals/4/accept", "")
	require.Equal(t, http.StatusNotFound, w.Code, "it is decided")
	require.Equal(t, contract.TravelProposalStateAccepted, list(admin).Items[0].State)

	o.exec(`insert into travel_proposals (org_id, id, kind, hours, visits, legs, days, trial_legs, trial_days,
		before_seconds,
			after_seconds)
		select $1, 6, 'VISITS', '[]', jsonb_build_array(jsonb_build_object('locationId', l.id, 'setupSeconds', 900,
				'orderSeconds', 75, 'setupSecondsBefore', 240, 'orderSecondsBefore', 60, 'visits', 118),
			jsonb_build_object('orderTypeId', t.id, 'setupSeconds', 30, 'orderSeconds', 20,
			'visits', 40)), 3120, 20, 31, 5, 780, 140
		from (select id from locations where org_id = $1 and name <> '' order by id limit 1) l,
			(select id from order_types where org_id = $1 order by id limit 1) t`)
	found = list(o.dispatcher).Items
	require.Equal(t, contract.TravelProposalKindVisits, found[0].Kind)
	require.Empty(t, found[0].Hours)
	require.Len(t, found[0].Visits, 2)
	place, kind := &found[0].Visits[0], &found[0].Visits[1]
	require.True(t, place.OrderTypeID.IsNull())
	require.NotEmpty(t, place.Name)
	require.Equal(t, []int32{900, 75, 240, 60, 118}, []int32{
		place.SetupSeconds, place.OrderSeconds, place.SetupSecondsBefore, place.OrderSecondsBefore, place.Visits,
	})
	require.True(t, kind.LocationID.IsNull())
	require.NotEmpty(t, kind.Name)
	w = o.as(admin, http.MethodPost, "/v2/travel-proposals/6/accept", "")
	require.Equal(t, http.StatusNoContent, w.Code, w.Body.String())
	w = o.as(admin, http.MethodGet, fmt.Sprintf("/v1/locations/%d", place.LocationID.MustGet()), "")
	require.Contains(t, w.Body.String(), `"setup_seconds": 900`)
	require.Equal(t, contract.TravelProposalStateAccepted, list(admin).Items[0].State)

	propose(5, "OPEN")
	w = o.as(admin, http.MethodPost, "/v2/travel-proposals/5/dismiss", "")
	require.Equal(t, http.StatusNoContent, w.Code, w.Body.String())
	require.Contains(t, list(admin).Items[1].DecidedBy.MustGet(), "user:")
}

func TestLearnedFactorsOfDriversAreForAdministrators(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.exec(`insert into travel_proposals (org_id, id, kind, hours, drivers, legs, days, trial_legs, trial_days,
			before_seconds, after_seconds)
		select $1, 7, 'DRIVERS', '[]', jsonb_build_array(jsonb_build_object('driverId', d.id, 'drivingFactor', 1.15,
			'drivingFactorBefore', 1, 'visitFactorBefore', 1.2, 'legs', 412)), 11240, 20, 103, 5, 95, 60
		from (select id from drivers where org_id = $1 order by id limit 1) d`)
	list := func(who string) []contract.TravelProposal {
		t.Helper()
		w := o.as(who, http.MethodGet, "/v2/travel-proposals", "")
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		return decoded[contract.TravelProposalList](t, w).Items
	}
	for _, who := range []string{o.key, o.dispatcher, o.support} {
		require.Empty(t, list(who), "how people work is nothing for others")
	}
	admin := o.person(caller.Admin)
	found := list(admin)
	require.Len(t, found, 1)
	require.Equal(t, contract.TravelProposalKindDrivers, found[0].Kind)
	require.Len(t, found[0].Drivers, 1)
	of := &found[0].Drivers[0]
	require.NotEmpty(t, of.Name)
	require.InDelta(t, 1.15, of.DrivingFactor.MustGet(), 0)
	require.True(t, of.VisitFactor.IsNull())
	require.Equal(t, []float64{1, 1.2}, []float64{of.DrivingFactorBefore, of.VisitFactorBefore})
	require.Equal(t, int32(412), of.Legs)
	w := o.as(admin, http.MethodPost, "/v2/travel-proposals/7/accept", "")
	require.Equal(t, http.StatusNoContent, w.Code, w.Body.String())
	w = o.as(admin, http.MethodGet, fmt.Sprintf("/v1/drivers/%d", of.DriverID), "")
	require.Contains(t, w.Body.String(), `"driving_factor":1.15`)
	require.Equal(t, contract.TravelProposalStateAccepted, list(admin)[0].State)
}
