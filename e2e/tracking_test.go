package e2e_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// reserve makes links to the stops of an order.
func (o *organization) reserve(t testing.TB, number string) contract.TrackingLinks {
	t.Helper()
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/tracking-link", object{"externalId": number})
	return read[contract.TrackingLinks](t, a)
}

// track requests the page of a code in a form.
func (i *installation) track(t testing.TB, code, accept string, headers ...string) answer {
	t.Helper()
	return i.anonymous(t, http.MethodGet, "/t/"+code, nil, append([]string{"Accept", accept}, headers...)...)
}

const (
	browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	program = "application/json"
)

func (o *organization) setStatus(t testing.TB, number string, status int) {
	t.Helper()
	_, err := o.admin.Exec(t.Context(), `update orders set status_id = $3::smallint,
		cancelled_at = case when $3::smallint = 8 then now() end where org_id = $1 and number = $2`, o.id, number, status)
	require.NoError(t, err)
}

func TestTracking(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(richOrder("T-1")))
	links := o.reserve(t, "T-1")
	for _, l := range []contract.TrackingLinkReservation{links.Pickup, links.Delivery} {
		require.Regexp(t, `^[A-Z2-7]{26}$`, l.Code)
		require.Equal(t, "http://"+o.address+"/t/"+l.Code, l.TrackingLink)
	}
	require.NotEqual(t, links.Pickup.Code, links.Delivery.Code)
	const expires = "select extract(epoch from expires_at - created_at)::bigint / 3600 from tracking_links where code = $1"
	require.InDelta(t, 720, one[int64](t, shared, expires, links.Pickup.Code), 1)

	t.Run("SaysWhereTheStopStands", func(t *testing.T) {
		stop := read[contract.TrackedStop](t, shared.track(t, links.Delivery.Code, program))
		require.WithinDuration(t, time.Now(), stop.AsOf, time.Minute)
		require.NotEmpty(t, stop.Organization.Name)
		stop.AsOf, stop.Organization.Name = time.Time{}, ""
		require.Equal(t, contract.TrackedStop{
			ExternalID: "T-1", Stop: contract.TrackedStopStopDelivery, Status: contract.OrderStatusNameRegistered, Name: "Café Norden", Town: "København",
			Earliest: time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC), Latest: time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC),
			TimeZone: "Europe/Oslo",
		}, stop)
		o.setStatus(t, "T-1", 5)
		require.Equal(t, contract.OrderStatusNameAtDelivery, read[contract.TrackedStop](t, shared.track(t, links.Delivery.Code, program)).Status)
		require.Equal(t, contract.OrderStatusNamePickedUp, read[contract.TrackedStop](t, shared.track(t, links.Pickup.Code, program)).Status)
		o.setStatus(t, "T-1", 4)
	})

	t.Run("IsAPageThatNeedsNothingElse", func(t *testing.T) {
		a := shared.track(t, links.Delivery.Code, browser, "Accept-Language", "en")
		require.Equal(t, http.StatusOK, a.status)
		page := string(a.body)
		for _, part := range []string{
			"Your delivery is on its way", "Café Norden", "København", "Monday, 2 March 2026", "12:00–16:00",
			`<noscript><meta http-equiv="refresh" content="60"></noscript>`, `<script>`, `name="viewport"`, `name="robots" content="noindex`,
		} {
			require.Contains(t, page, part)
		}
		require.NotRegexp(t, regexp.MustCompile(`<script src|<img|<link|https?://|src=|href="[^?]|javascript:`), page)
		require.Equal(t, "same-origin", a.header.Get("Referrer-Policy"))
		require.Contains(t, a.header.Get("X-Robots-Tag"), "noindex")
		require.Equal(t, "no-store", a.header.Get("Cache-Control"))
		require.Contains(t, a.header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Contains(t, a.header.Get("Vary"), "Accept-Language")
	})

	t.Run("StopsWhenItIsOver", func(t *testing.T) {
		for _, status := range []int{6, 7, 8} {
			o.setStatus(t, "T-1", status)
			require.NotRegexp(t, `http-equiv="refresh"|<script`, string(shared.track(t, links.Delivery.Code, browser).body), status)
		}
		o.setStatus(t, "T-1", 4)
	})

	t.Run("TellsNothingElse", func(t *testing.T) {
		for _, l := range []struct{ code, others string }{
			{links.Delivery.Code, "Rodeløkka|Oslo<|Østergade"}, {links.Pickup.Code, "Café Norden|København"},
		} {
			for _, accept := range []string{browser, program} {
				text := string(shared.track(t, l.code, accept).body)
				require.NotRegexp(t, l.others, text)
				require.NotRegexp(t, "PO T-1|Kari|Nordmann|Ola|Hansen|Gate 4|kari@|47221|Third floor|C-100|Fjord|1234", text)
			}
		}
	})

	t.Run("SpeaksTheBrowsersLanguage", func(t *testing.T) {
		for language, words := range map[string][]string{
			"nb-NO,nb;q=0.9,en;q=0.8": {`<html lang="nb">`, "Leveringen din er på vei", "mandag 2. mars 2026"},
			"no":                      {`<html lang="nb">`},
			"da":                      {`<html lang="da">`, "Din levering er på vej", "mandag den 2. marts 2026"},
			"sv-SE,en;q=0.5":          {`<html lang="sv">`, "Din leverans är på väg", "måndag 2 mars 2026"},
			"fi":                      {`<html lang="fi">`, "Toimituksesi on matkalla", "maanantai", "2. maaliskuuta 2026"},
			"de-AT":                   {`<html lang="de">`, "Ihre Lieferung ist unterwegs", "Montag, 2. März 2026"},
			"fr":                      {`<html lang="en">`, "Your delivery is on its way"},
		} {
			page := string(shared.track(t, links.Delivery.Code, browser, "Accept-Language", language).body)
			for _, w := range words {
				require.Contains(t, page, w, language)
			}
		}
	})

	t.Run("AnswersInTheFormThatIsAskedFor", func(t *testing.T) {
		for accept, html := range map[string]bool{
			browser: true, "*/*": true, "": true, "text/*": true, "application/json": false, "application/*": false,
			"text/html;q=0.5, application/json": false, "application/json;q=0.5, */*": true, "application/json, text/plain, */*": false,
		} {
			a := shared.track(t, links.Delivery.Code, accept)
			require.Equal(t, html, strings.HasPrefix(a.header.Get("Content-Type"), "text/html"), "%q", accept)
		}
	})

	t.Run("IsShownWithTheOrder", func(t *testing.T) {
		order := read[contract.Order](t, o.get(t, "/v1/orders/internal/T-1?loads=OrderLocations.TrackTraces"))
		for _, stop := range *order.OrderLocations {
			require.Len(t, *stop.TrackTraces, 1)
			require.Contains(t, []string{links.Pickup.TrackingLink, links.Delivery.TrackingLink}, (*stop.TrackTraces)[0].TrackingLink)
		}
	})
}

func TestTrackingLinksEnd(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	o.importOrders(t, orders(newOrder("E-1")))
	other.importOrders(t, orders(newOrder("E-1")))
	first, second := o.reserve(t, "E-1"), o.reserve(t, "E-1")
	require.NotEqual(t, first.Pickup.Code, second.Pickup.Code)
	gone := func(code string) {
		t.Helper()
		require.Equal(t, http.StatusNotFound, shared.track(t, code, program).status)
		page := shared.track(t, code, browser, "Accept-Language", "da")
		require.Equal(t, http.StatusNotFound, page.status)
		require.Contains(t, string(page.body), "Dette sporingslink er ugyldigt")
		require.NotContains(t, string(page.body), code)
	}

	remove := "/v2/orders/tracking-link/" + first.Delivery.Code
	other.expect(t, http.StatusNotFound, http.MethodDelete, remove, nil)
	require.Equal(t, http.StatusOK, shared.track(t, first.Delivery.Code, program).status)
	o.expect(t, http.StatusNoContent, http.MethodDelete, remove, nil)
	gone(first.Delivery.Code)
	o.expect(t, http.StatusNoContent, http.MethodDelete, remove, nil)
	o.expect(t, http.StatusNotFound, http.MethodDelete, "/v2/orders/tracking-link/unheard-of", nil)
	require.Equal(t, http.StatusOK, shared.track(t, first.Pickup.Code, program).status, "each link is its own")
	require.Equal(t, http.StatusOK, shared.track(t, second.Delivery.Code, program).status)

	_, err := o.admin.Exec(t.Context(), "update tracking_links set expires_at = now() where code = $1", second.Delivery.Code)
	require.NoError(t, err)
	gone(second.Delivery.Code)
	gone("AAAAAAAAAAAAAAAAAAAAAAAAAA")
	gone("%20")

	const log = "select kind || ' ' || stop from events where org_id = $1 and kind like 'order.tracking%' order by id"
	require.Equal(t, []string{
		"order.tracking_link_reserved pickup", "order.tracking_link_reserved delivery",
		"order.tracking_link_reserved pickup", "order.tracking_link_reserved delivery", "order.tracking_link_revoked delivery",
	}, list(t, shared, log, o.id))

	a := o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/tracking-link", object{"externalId": "E-1", "expirationHours": nil})
	require.NotEmpty(t, read[contract.TrackingLinks](t, a).Pickup.Code)
	a = o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/tracking-link", object{"externalId": "E-1", "expirationHours": 1})
	const hour = "select expires_at between now() + interval '55 minutes' and now() + interval '1 hour' from tracking_links where code = $1"
	require.True(t, one[bool](t, shared, hour, read[contract.TrackingLinks](t, a).Pickup.Code))

	const reserve = "/v2/orders/tracking-link"
	for _, r := range []refusal{
		{"NoNumber", http.MethodPost, reserve, object{}, nil, 400, "externalId"},
		{"NUL", http.MethodPost, reserve, object{"externalId": "\x00"}, nil, 400, "externalId"},
		{"NoHours", http.MethodPost, reserve, object{"externalId": "E-1", "expirationHours": 0}, nil, 400, "expirationHours"},
		{"TooManyHours", http.MethodPost, reserve, object{"externalId": "E-1", "expirationHours": 8761}, nil, 400, "expirationHours"},
		{"HoursOutOfRange", http.MethodPost, reserve, object{"externalId": "E-1", "expirationHours": 1 << 40}, nil, 400, ""},
		{"HoursThatAreText", http.MethodPost, reserve, object{"externalId": "E-1", "expirationHours": "24"}, nil, 400, ""},
		{"AnUnknownNumber", http.MethodPost, reserve, object{"externalId": "unheard-of"}, nil, 404, ""},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
}
