package tracking_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// The attacks are described in docs/behavior/tracking.md.

// positions is what only a shown position has.
var positions = regexp.MustCompile(`"driver"|"way"|"distanceMeters"|km away|<svg`)

// TestAttackOldCodes tries codes that no longer work, and guesses: an answer does not tell one from the other.
func TestAttackOldCodes(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.Do("update tracking_links set revoked_at = now() where org_id = $1 and code = $2", s.Org, codes[0])
	s.Do("update tracking_links set expires_at = now() where org_id = $1 and code = $2", s.Org, codes[1])
	get := func(path, accept string) *httptest.ResponseRecorder {
		return s.web.Send(http.MethodGet, "/t/"+path, "", "Accept", accept)
	}
	never := "ZZZZZZZZZZZZZZZZZZZZZZZZZ2"
	for _, accept := range []string{"text/html", "application/json"} {
		guess := get(never, accept)
		require.Equal(t, http.StatusNotFound, guess.Code)
		for _, code := range []string{codes[0], codes[1], "A-0", "%25", "_", "%2e%2e"} {
			w := get(code, accept)
			require.Equal(t, http.StatusNotFound, w.Code, code)
			require.Equal(t, guess.Body.String(), w.Body.String(), code)
			require.Equal(t, http.StatusNotFound, get(code+"/logo", accept).Code)
		}
	}
	s.Do("update organizations set closed_at = now() where id = $1", s.Org)
	guess := get(never, "text/html").Body.String()
	require.Equal(t, guess, get(codes[2], "text/html").Body.String(), "of a closed organization")
}

// TestAttackOtherStops looks for anything of others in what each recipient sees, all day long.
func TestAttackOtherStops(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	names := []string{"One", "Two", "Three"}
	look := func() {
		t.Helper()
		for i, code := range codes {
			seen := s.both(code)
			for j := range codes {
				if j != i {
					require.NotContains(t, seen, `"`+operationstest.Numbered(j)+`"`)
					require.NotContains(t, seen, "Order "+operationstest.Numbered(j))
					require.NotContains(t, seen, `"`+names[j]+`"`)
					require.NotContains(t, seen, ">"+names[j]+"<")
				}
			}
			require.NotRegexp(t, "Terminal|0668|Nora|Fjord|C-100|PO-|Jens", seen)
		}
	}
	look()
	s.collected()
	look()
	for i := range 3 {
		s.Now = s.Now.Add(10 * time.Minute)
		s.Says(driving.Arrive, s.Stops[3+i].ID)
		look()
		s.Says(driving.Deliver, s.Stops[3+i].ID)
		look()
	}
}

// TestAttackThePickup has who sends goods look for how the delivery ended.
func TestAttackThePickup(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.collected()
	stop := s.Stops[3+0]
	i := s.order(0)
	s.link("QQQQQQQQQQQQQQQQQQQQQQQQQ2", operationstest.Numbered(i), "pickup")
	s.Says(driving.Fail, stop.ID)
	s.Do("update order_progress set failure_reason = 'Refused' where org_id = $1 and order_id = $2", s.Org, stop.OrderID)
	require.NotRegexp(t, "REFUSED|refused", s.both("QQQQQQQQQQQQQQQQQQQQQQQQQ2"))
	require.Contains(t, s.both(codes[i]), "REFUSED")
}

// TestAttackPositions polls for the driver's position at every moment at which it would tell of others.
func TestAttackPositions(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	next, later := codes[s.order(0)], codes[s.order(1)]
	place, other := s.Stops[3].Place, s.Stops[4].Place
	away := func(ago time.Duration) { s.seen(place.Latitude+0.009, place.Longitude, ago) }

	away(time.Second)
	require.NotRegexp(t, positions, s.both(next), "nobody is under way")
	s.Says(driving.StartRoute, 0)
	require.NotRegexp(t, positions, s.both(next), "others are first")
	for i := range 3 {
		s.Says(driving.PickUp, s.Stops[i].ID)
	}
	away(time.Second)
	require.Regexp(t, positions, s.both(next), "it is the next stop")
	require.NotRegexp(t, positions, s.both(later))
	require.NotRegexp(t, positions, s.both(pickupCode))

	away(2 * time.Minute)
	require.NotRegexp(t, positions, s.both(next), "that was too long ago")
	for _, off := range []float64{0, 0.001, -0.001} {
		s.seen(other.Latitude+off, other.Longitude, time.Second)
		require.NotRegexp(t, positions, s.both(next), "at the door of another recipient")
	}
	s.seen(s.Stops[0].Place.Latitude, s.Stops[0].Place.Longitude, time.Second)
	require.NotRegexp(t, positions, s.both(next), "where the goods were fetched")
	s.seen(place.Latitude, place.Longitude, time.Second)
	require.Regexp(t, positions, s.both(next), "at the own door")

	away(time.Second)
	s.Do("update driver_whereabouts set on_duty = false where org_id = $1", s.Org)
	require.NotRegexp(t, positions, s.both(next), "not at work")
	away(time.Second)
	s.Says(driving.Arrive, s.Stops[3].ID)
	require.NotRegexp(t, positions, s.both(next), "there")
	s.Says(driving.Deliver, s.Stops[3].ID)
	away(time.Second)
	require.NotRegexp(t, positions, s.both(next), "over: the way to the next recipient is none of theirs")
}

// TestAttackAnotherNumber has two numbers share an order: the link of one names it, and not the other.
func TestAttackAnotherNumber(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.Do(`insert into order_numbers (org_id, number, order_id)
		select org_id, 'SECRET-7', id from orders where org_id = $1 and number = 'A-0'`, s.Org)
	s.link("SSSSSSSSSSSSSSSSSSSSSSSSS2", "A-0", "delivery")
	require.Equal(t, "A-0", s.told(codes[0]).ExternalID)
	require.NotContains(t, s.both(codes[0]), "SECRET-7")
	s.Do("update tracking_links set number = null where org_id = $1", s.Org)
	require.Empty(t, s.told(codes[0]).ExternalID, "a link from before links had numbers names none of several")
	require.Equal(t, "A-1", s.told(codes[1]).ExternalID)
}

// TestAttackWithText has scripts in every text that somebody else writes.
func TestAttackWithText(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	const script = `"><script>alert(1)</script>{{.}}</style>`
	s.Do("update organizations set name = $2 where id = $1", s.Org, script)
	s.Do("update order_stops set name = $2, city = $2 where org_id = $1", s.Org, script)
	s.Do("update tracking_links set number = $2 where org_id = $1", s.Org, script)
	s.collected()
	s.Says(driving.Deliver, s.Stops[3].ID)
	s.Do(`insert into completion_proofs (org_id, order_id, type, signee, comment, counts)
		values ($1, $2, 'CONTACTLESS', $3, $3, true)`, s.Org, s.Stops[3].OrderID, script)
	for _, code := range []string{codes[s.order(0)], codes[0] + "?lang=" + url.QueryEscape(script)} {
		require.NotContains(t, s.page(code), "<script>alert")
		require.NotContains(t, s.page(code), "{{.}}</style>")
	}
}
