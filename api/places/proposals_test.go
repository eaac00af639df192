package places_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

func TestProposalsAreDecided(t *testing.T) {
	t.Parallel()
	s := newStreets(t)
	order := s.deliver("ONE", "Storgata 1")
	for i, source := range []string{"DRIVER", "ARRIVALS"} {
		s.ID(`insert into place_proposals (org_id, key, source, address1, postal_code, city, country, latitude, longitude,
				accuracy_meters, arrivals, stop_id)
			select org_id, decode(position ->> 'place', 'hex'), $3, address1, postal_code, city, country, 59.92, 10.75,
				case $3 when 'DRIVER' then 8 end, $4, id
			from order_stops where org_id = $1 and order_id = $2 and kind = 'delivery' returning id`, order, source, i*3)
	}
	list := func(query string) contract.PlaceProposalPage {
		return call[contract.PlaceProposalPage](s, http.MethodGet, "/v1/places/proposals"+query, "")
	}
	page := list("")
	require.Len(t, page.Items, 2)
	driver, arrivals := page.Items[0], page.Items[1]
	require.InDelta(t, 8, driver.AccuracyMeters.MustGet(), 1e-9)
	require.Equal(t, "ONE", driver.ExternalID.MustGet())
	require.Equal(t, contract.PositionPrecisionPoint, driver.Position.Precision)
	require.Equal(t, "ARRIVALS", string(arrivals.Source))
	require.EqualValues(t, 3, arrivals.Arrivals)
	first := list("?pageSize=1")
	require.True(t, first.HasMore)
	require.Equal(t, arrivals.ID, list("?token=" + first.NextToken).Items[0].ID)
	for _, wrong := range []string{"?token=x", "?pageSize=201"} {
		w := s.Send(http.MethodGet, "/v1/places/proposals"+wrong, "", "Authorization", s.dispatcher)
		require.Equal(t, http.StatusBadRequest, w.Code, wrong)
	}

	path := func(id int64, what string) string { return fmt.Sprintf("/v1/places/proposals/%d/%s", id, what) }
	outsider := s.AsRole(s.Other, "dispatcher")
	for _, what := range []string{"accept", "dismiss"} {
		w := s.Send(http.MethodPost, path(driver.ID, what), "", "Authorization", outsider)
		require.Equal(t, http.StatusNotFound, w.Code, "another organization has no such proposal")
	}
	w := s.Send(http.MethodPost, path(arrivals.ID, "dismiss"), "", "Authorization", s.dispatcher)
	require.Equal(t, http.StatusNoContent, w.Code, w.Body)
	require.EqualValues(t, 1, call[contract.PinResponse](s, http.MethodPost, path(driver.ID, "accept"), "").Orders)
	require.Empty(t, list("").Items)
	w = s.Send(http.MethodPost, path(driver.ID, "accept"), "", "Authorization", s.dispatcher)
	require.Equal(t, http.StatusNotFound, w.Code, "it is decided")
}
