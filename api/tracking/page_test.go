package tracking_test

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

const logo = "data:image/png;base64,iVBORw0KGgo="

const everything = `{"color": "#0A6B4F", "logo": "` + logo + `", "phone": "+47 22 00 00 (00)",
	"email": "post@example.no",
	"website": "https://example.no/hjelp"}`

// largestPage is how large a page may be without its map.
const largestPage = 12 << 10

var code = regexp.MustCompile(`(?s)<script>.*?</script>|<style>.*?</style>`)

var drawing = regexp.MustCompile(`(?s)<svg.*</svg>`)

// TestThePageFollowsTheDelivery goes through a delivery as its recipient sees it.
func TestThePageFollowsTheDelivery(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	first := codes[s.order(0)]
	at := s.Stops[3]

	planned := s.told(first)
	require.Nil(t, planned.StopsBefore)
	require.GreaterOrEqual(t, planned.EtaTo.Sub(*planned.EtaFrom), time.Hour, "a plan is not sure")
	require.Equal(t, "Fleet AS", planned.Organization.Name)
	require.Contains(t, s.page(first), "Order "+planned.ExternalID)

	s.collected()
	near := s.told(first)
	require.Zero(t, *near.StopsBefore)
	require.Less(t, near.EtaTo.Sub(*near.EtaFrom), planned.EtaTo.Sub(*planned.EtaFrom), "it narrows")
	require.False(t, near.Eta.Before(*near.EtaFrom) || near.Eta.After(*near.EtaTo))
	require.Contains(t, s.page(first), "You are next.")
	require.Contains(t, s.page(first), "Updated "+s.Now.In(time.FixedZone("", 3600)).Format("15:04"))

	s.seen(at.Place.Latitude+0.009, at.Place.Longitude, time.Second)
	require.Contains(t, s.page(first), "The driver is 1.0 km away.")
	require.Contains(t, s.page(first, "Accept-Language", "nb"), "Sjåføren er 1,0 km unna.")
	require.InDelta(t, at.Place.Latitude+0.009, s.told(first).Driver.Latitude, 1e-9)

	s.Says(driving.Arrive, at.ID)
	there := s.told(first)
	require.Equal(t, s.Now.UTC(), *there.ArrivedAt)
	require.Nil(t, there.EtaFrom)
	require.Contains(t, s.page(first), "The driver has arrived")

	s.Now = s.Now.Add(3 * time.Minute)
	s.Says(driving.Deliver, at.ID)
	s.Do(`update completion_proofs set counts = false where org_id = $1`, s.Org)
	s.Do(`insert into completion_proofs (org_id, order_id, type, signee, comment, counts) values
		($1, $2, 'CONTACTLESS', '', 'Behind the shed', true)`, s.Org, at.OrderID)
	done := s.told(first)
	require.Equal(t, s.Now.UTC(), *done.EndedAt)
	require.Equal(t, &contract.TrackedHandover{Type: "CONTACTLESS", Place: "Behind the shed"}, done.Handover)
	page := s.page(first)
	require.Contains(t, page, "Left without contact")
	require.Contains(t, page, "Behind the shed")
	require.NotRegexp(t, `http-equiv="refresh"|<script`, page, "nothing changes any more")

	s.Do(`update completion_proofs set type = 'IN_PERSON', signee = 'Ola' where org_id = $1 and counts`, s.Org)
	require.Contains(t, s.page(first), "To Ola")
	require.NotContains(t, s.both(first), "Behind the shed", "what drivers remark is for the office")
	s.Do(`update completion_proofs set signee = '[erased]' where org_id = $1 and counts`, s.Org)
	require.NotContains(t, s.both(first), "erased")
}

func TestThePageSaysWhyItFailed(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	first := codes[s.order(0)]
	s.collected()
	s.Says(driving.Fail, s.Stops[3].ID)
	because := func(reason string) {
		s.Do("update order_progress set failure_reason = $3 where org_id = $1 and order_id = $2",
			s.Org, s.Stops[3].OrderID, reason)
	}
	because("Stengt eller ingen hjemme")
	require.Equal(t, contract.TrackedFailureTrackedClosed, *s.told(first).Failure)
	page := s.page(first)
	require.Contains(t, page, "It was closed, or nobody was at home.")
	require.Contains(t, page, "Fleet AS takes the goods back and will contact you.")
	require.NotRegexp(t, `http-equiv="refresh"|<script`, page)

	because("The customer shouted")
	require.Equal(t, contract.TrackedFailureTrackedOther, *s.told(first).Failure)
	require.NotContains(t, s.both(first), "shouted")
}

func TestThePageShowsTheSender(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	page := s.page(codes[0])
	require.Contains(t, page, "<header><span>Fleet AS</span></header>")
	require.Equal(t, http.StatusNotFound, s.web.Send(http.MethodGet, "/t/"+codes[0]+"/logo", "").Code)

	s.settings(everything)
	w := s.web.Send(http.MethodGet, "/t/"+codes[0], "", "Accept", "text/html")
	page = w.Body.String()
	for _, part := range []string{
		`<header><img src="` + codes[0] + `/logo" alt=""><span>Fleet AS</span></header>`,
		"--brand: #0A6B4F; --on-brand: #FFFFFF;",
		`<a href="tel:&#43;4722000000">&#43;47 22 00 00 (00)</a>`, `<a href="mailto:post@example.no">`,
		`<a href="https://example.no/hjelp">example.no/hjelp</a>`,
		`<meta property="og:title" content="Your delivery from Fleet AS">`,
		`<meta property="og:image" content="https://waybill.example/t/` + codes[0] + `/logo">`,
	} {
		require.Contains(t, page, part)
	}
	styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)
	require.Len(t, styles, 2)
	allowed := strings.Count(w.Header().Get("Content-Security-Policy"), "'sha256-")
	require.Equal(t, 3, allowed, "two styles and the script")
	require.Contains(t, s.page(codes[0]+"/"), `<img src="logo"`, "seen from there")

	w = s.web.Send(http.MethodGet, "/t/"+codes[0]+"/logo", "")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "image/png", w.Header().Get("Content-Type"))
	bytes, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(logo, "data:image/png;base64,"))
	require.NoError(t, err)
	require.Equal(t, bytes, w.Body.Bytes())
	require.Equal(t, http.StatusNotFound, s.web.Send(http.MethodGet, "/t/GONE/logo", "").Code)
}

// TestThePageIsSmall measures the page with all that it can say, but for its map.
func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.settings(everything)
	for _, stage := range []func(){func() {}, s.collected, func() { s.Says(driving.Fail, s.Stops[3].ID) }} {
		stage()
		for _, language := range []string{"nb", "en", "da", "sv", "fi", "de"} {
			page := drawing.ReplaceAllString(s.page(codes[s.order(0)], "Accept-Language", language), "")
			require.LessOrEqual(t, len(page), largestPage, language)
			require.Equal(t, 1, strings.Count(page, `<html lang="`+language+`">`))
			require.NotContains(t, page, "cccc", "what the Finnish calendar leaves out")
			require.NotRegexp(t, `\{\w+\}`, code.ReplaceAllString(page, ""), "all is filled in")
		}
	}
}

func TestThePageHasAChoiceOfLanguages(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	page := s.page(codes[0], "Accept-Language", "en")
	for _, language := range []string{"nb", "da", "sv", "fi", "de"} {
		require.Contains(t, page, `<a href="?lang=`+language+`"`)
		require.Contains(t, s.page(codes[0]+"?lang="+language, "Accept-Language", "en"), `<html lang="`+language+`">`)
	}
	require.Contains(t, s.page(codes[0]+"?lang=tlh", "Accept-Language", "sv"), `<html lang="sv">`)
	s.Do("update organizations set language = 'nb' where id = $1", s.Org)
	require.Contains(t, s.page(codes[0]), `<html lang="nb">`, "who says nothing gets the organization's language")
}

func TestLinksWorkAsPeopleCopyThem(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	for _, copied := range []string{"/", ".", ",", "./", ")", "%22", "%E2%80%9D"} {
		require.Equal(t, s.told(codes[0]).ExternalID, s.told(codes[0]+copied).ExternalID, copied)
		require.Equal(t, s.told(codes[0]).ExternalID, s.told(strings.ToLower(codes[0])+copied).ExternalID, copied)
	}
	for _, wrong := range []string{"x", "/x", "A"} {
		require.Equal(t, http.StatusNotFound, s.web.Send(http.MethodGet, "/t/"+codes[0]+wrong, "").Code, wrong)
	}
}

// TestThePageKeepsItsPromise has the driver come later than the page said first.
func TestThePageKeepsItsPromise(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	first := codes[s.order(0)]
	promised := s.told(first)
	require.Equal(t, promised.EtaFrom, promised.PromisedFrom)
	require.Equal(t, promised.EtaTo, promised.PromisedTo)
	s.collected()
	s.Do("update live_etas set eta = eta + interval '3 hours' where org_id = $1", s.Org)
	later := s.told(first)
	require.Equal(t, promised.EtaFrom, later.PromisedFrom)
	require.Equal(t, promised.EtaTo, later.PromisedTo)
	require.True(t, later.EtaFrom.After(*promised.EtaTo))
	require.Contains(t, s.page(first), "<dt>First told</dt>")
	require.Equal(t, 1, operationstest.One[int](s.Office,
		"select count(*)::int from events where org_id = $1 and kind = 'order.time_promised'", s.Org))
}
