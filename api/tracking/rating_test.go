package tracking_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// rated is what the recipient of an order thinks of the delivery, as it is kept.
func (s street) rated(number string) string {
	return operationstest.One[string](s.Office, `select coalesce(string_agg(concat_ws('|', r.stars, r.comment), ''), '')
		from recipient_ratings r join orders o on o.org_id = r.org_id and o.id = r.order_id
		where r.org_id = $1 and o.number = $2`, s.Org, number)
}

// TestADeliveryIsRated goes the way of a browser without JavaScript, and of a program.
func TestADeliveryIsRated(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	code, number := codes[s.order(0)], operationstest.Numbered(s.order(0))
	good := url.Values{"stars": {"4"}, "comment": {" On time "}}
	s.collected()
	s.Says(driving.Arrive, s.Stops[3].ID)
	s.allowed(`{"rating": {}}`)
	w := s.post(code, "rating", good)
	require.Equal(t, http.StatusConflict, w.Code)
	require.Contains(t, w.Body.String(), "The delivery is not over yet.")
	s.Says(driving.Deliver, s.Stops[3].ID)
	require.Contains(t, s.page(code), `href="`+code+`/rating"`)
	require.Equal(t, []contract.RecipientAction{contract.RecipientActionRATING}, *s.told(code).Actions)
	require.Contains(t, s.page(code+"/rating?lang=fi"), "Millainen toimitus oli?")

	w = s.post(code, "rating", good)
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	require.Equal(t, "4|On time", s.rated(number))
	require.Equal(t, []string{number + ` delivery recipient {"stars": 4}`}, s.logged("order.recipient_rated"))
	require.Equal(t, "6 {}", operationstest.One[string](s.Office, `
		select order_status_id || ' ' || product_ids::text from events
		where org_id = $1 and kind = 'order.recipient_rated'`, s.Org), "the feed has the events with a status")
	require.Contains(t, s.page(code+"?said=RATING"), "Thank you for your rating.")
	require.Equal(t, &contract.TrackedRating{Stars: 4, Comment: "On time"}, s.told(code).Rating)
	require.Equal(t, http.StatusSeeOther, s.post(code, "rating", good).Code)
	require.Len(t, s.logged("order.recipient_rated"), 1, "the same again changes nothing")
	require.Equal(t, http.StatusOK, s.send(code, "rating", `{"stars": 5}`).Code)
	require.Equal(t, "5|", s.rated(number))

	for _, wrong := range []url.Values{{}, {"stars": {"6"}}, {"stars": {"0"}}, {"stars": {"four"}}} {
		w := s.post(code, "rating", wrong)
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.Contains(t, w.Body.String(), "Choose one.")
	}
	w = s.send(code, "rating", `{"stars": 6, "comment": "`+strings.Repeat("x", 501)+`"}`)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "REQUEST_OUT_OF_RANGE")
	require.Contains(t, w.Body.String(), "RECIPIENT_TOO_LONG")
	require.Equal(t, http.StatusForbidden, s.post(code, "rating", good, "Sec-Fetch-Site", "cross-site").Code)
	require.Equal(t, "5|", s.rated(number))

	s.Now = s.Now.AddDate(0, 0, 14)
	require.Equal(t, http.StatusConflict, s.send(code, "rating", `{"stars": 1}`).Code)
	s.allowed(`{"rating": {"days_after": 30}}`)
	require.Equal(t, http.StatusOK, s.send(code, "rating", `{"stars": 1}`).Code)
}

// TestAFailedDeliveryIsNotRated has nobody rate what did not come, or what they brought themselves.
func TestAFailedDeliveryIsNotRated(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	code := codes[s.order(0)]
	s.allowed(`{"rating": {}}`)
	s.collected()
	require.Equal(t, http.StatusForbidden, s.send(pickupCode, "rating", `{"stars": 1}`).Code)
	s.Says(driving.Arrive, s.Stops[3].ID)
	s.Says(driving.Fail, s.Stops[3].ID)
	require.Equal(t, http.StatusForbidden, s.send(code, "rating", `{"stars": 1}`).Code)
	require.Empty(t, s.rated(operationstest.Numbered(s.order(0))))
}
