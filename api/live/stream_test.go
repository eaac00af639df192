package live_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/caller"
)

const patience = 20 * time.Second

// station is an office with streams over a connection.
type station struct {
	*apitest.Office

	address string
}

func newStation(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *station {
	t.Helper()
	s := &station{Office: apitest.NewOffice(t, edit...)}
	server := httptest.NewServer(s.Server.Routes())
	t.Cleanup(server.Close)
	s.address = server.URL + "/v1/events/stream"
	return s
}

// happen appends an order of the office to the log, and returns its identifier.
func (s *station) happen(number string) int64 {
	s.T.Helper()
	id := s.Import(number)
	s.sequence()
	return id
}

// sequence assigns positions to events, as the relay does.
func (s *station) sequence() {
	s.T.Helper()
	_, err := s.Owner.Exec(s.T.Context(), "select sequence_events(1000)")
	require.NoError(s.T, err)
}

// ear reads one stream.
type ear struct {
	t        *testing.T
	response *http.Response
	events   chan [3]string // id, event and data of each; closed at the end of the stream
}

func (s *station) listen(headers ...string) *ear {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(s.T.Context(), 2*patience)
	s.T.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address, http.NoBody)
	require.NoError(s.T, err)
	r.Header.Set("Accept", "text/event-stream")
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(s.T, err)
	s.T.Cleanup(func() { _ = response.Body.Close() })
	e := &ear{t: s.T, response: response, events: make(chan [3]string, 100)}
	go e.read()
	return e
}

func (e *ear) read() {
	defer close(e.events)
	var now [3]string
	for lines := bufio.NewScanner(e.response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			now[0] = value
		case "event":
			now[1] = value
		case "data":
			now[2] = value
		default:
			if now[1] != "" {
				e.events <- now
			}
			now = [3]string{}
		}
	}
}

// next waits for the next event, and reports whether one arrived before the
// stream ended.
func (e *ear) next() (event [3]string, ok bool) {
	e.t.Helper()
	select {
	case event, ok = <-e.events:
		return event, ok
	case <-time.After(patience):
		e.t.Fatal("nothing was heard")
		return event, false
	}
}

func TestStreamReportsChanges(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	before := s.happen("BEFORE")
	token := s.AsRole(s.Org, caller.Dispatcher)
	ours := s.listen("Authorization", token)
	theirs := s.listen("Authorization", s.AsRole(s.Other, caller.Dispatcher))
	require.Equal(t, http.StatusOK, ours.response.StatusCode)
	require.Equal(t, "text/event-stream", ours.response.Header.Get("Content-Type"))
	require.Equal(t, "no-store", ours.response.Header.Get("Cache-Control"))

	ours.reset()
	theirs.reset()
	first := s.happen("FIRST")
	event, _ := ours.next()
	require.NotContains(t, event[2], "FIRST", "a hint says nothing of what is in the order")
	require.Greater(t, first, before)

	again := s.listen("Authorization", token, "Last-Event-ID", event[0])
	second := s.happen("SECOND")
	for {
		event, ok := again.next()
		require.True(t, ok)
		require.Equal(t, "hint", event[1], "all that was missed is known")
		if strings.Contains(event[2], `"orderId":`+jsonOf(second)) {
			break
		}
	}
	require.Empty(t, theirs.events, "another organization hears nothing of it")
}

// reset waits for the hint with which a stream begins, and returns its
// position.
func (e *ear) reset() (position string) {
	e.t.Helper()
	event, ok := e.next()
	require.True(e.t, ok)
	require.Equal(e.t, "reset", event[1])
	require.NotEmpty(e.t, event[0])
	return event[0]
}

// TestAStreamBeginsWithEverything changes something between a page's reads and its stream:
// the page gets a reset, and then all further hints.
func TestAStreamBeginsWithEverything(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	token := s.AsRole(s.Org, caller.Dispatcher)
	s.happen("WHILE-THE-PAGE-IS-READ")
	first := s.listen("Authorization", token)
	position := first.reset()
	next := s.happen("NEXT")
	hears := func(e *ear) {
		t.Helper()
		for {
			event, ok := e.next()
			require.True(t, ok)
			require.Equal(t, "hint", event[1])
			if strings.Contains(event[2], `"orderId":`+jsonOf(next)) {
				return
			}
		}
	}
	hears(first)
	hears(s.listen("Authorization", token, "Last-Event-ID", position))
	s.listen("Authorization", token).reset()
}

func jsonOf(id int64) string {
	text, _ := json.Marshal(id)
	return string(text)
}

func TestStreamResetAfterLongAbsence(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.happen("OLD")
	e := s.listen("Authorization", s.AsRole(s.Org, caller.Support), "Last-Event-ID", "0")
	event, ok := e.next()
	require.True(t, ok)
	require.Equal(t, "reset", event[1])
}

func TestStreamEndsWithPermission(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	token := s.AsRole(s.Org, caller.Admin)
	gone, stays := s.listen("Authorization", token), s.listen("Authorization", s.AsRole(s.Org, caller.Admin))
	gone.reset()
	stays.reset()
	s.SignOut(token)
	select {
	case _, open := <-gone.events:
		require.False(t, open)
	case <-time.After(patience):
		t.Fatal("the stream goes on")
	}
	select {
	case _, open := <-stays.events:
		require.True(t, open, "that of somebody else goes on")
	default:
	}
}

func TestStreamsEndWhenTheServiceStops(t *testing.T) {
	t.Parallel()
	lifetime, stop := context.WithCancel(t.Context())
	s := newStation(t, func(_ *api.Config, d *api.Dependencies) { d.Lifetime = lifetime })
	e := s.listen("Authorization", s.AsRole(s.Org, caller.Admin))
	e.reset()
	stop()
	_, ok := e.next()
	require.False(t, ok)
}

func TestStreamsRequirePermission(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	admin := s.AsRole(s.Org, caller.Admin)
	asJSON := s.listen("Authorization", admin, "Accept", "application/json")
	require.Equal(t, http.StatusBadRequest, asJSON.response.StatusCode)
	require.Equal(t, http.StatusUnauthorized, s.listen().response.StatusCode)
	require.Equal(t, http.StatusForbidden, s.listen("Authorization", s.AsRole(s.Org, caller.Driver)).response.StatusCode)
	s.address = strings.Replace(s.address, "/v1/", "/v1/driver/", 1)
	require.Equal(t, http.StatusForbidden, s.listen("Authorization", admin).response.StatusCode)
	require.Equal(t, http.StatusForbidden, s.listen("Authorization", "apikey "+s.Key).response.StatusCode)
}

func TestAnOrganizationHasNoMoreStreamsThanItsShare(t *testing.T) {
	t.Parallel()
	const people, each = 10, 20
	s := newStation(t)
	admin := func(id int64) string {
		return s.SignIn(edge.Principal{
			Caller: caller.Caller{OrgID: s.Org, Kind: caller.Person, ID: id, Roles: []caller.Role{caller.Admin}},
			Zone:   time.UTC, Language: "en",
		})
	}
	for id := range int64(people) {
		for range each {
			require.Equal(t, http.StatusOK, s.listen("Authorization", admin(id)).response.StatusCode)
		}
		require.Equal(t, http.StatusTooManyRequests, s.listen("Authorization", admin(id)).response.StatusCode, "one person")
	}
	require.Equal(t, http.StatusTooManyRequests, s.listen("Authorization", admin(people)).response.StatusCode, "all")
	require.Equal(t, http.StatusOK, s.listen("Authorization", s.AsRole(s.Other, caller.Admin)).response.StatusCode)
}

// TestDriversHearOfTheirOwnWork changes orders of two drivers, and takes one away from the
// first: the first hears of all but those of the other.
func TestDriversHearOfTheirOwnWork(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	nora, jens := s.driver("Nora"), s.driver("Jens")
	s.address = strings.Replace(s.address, "/v1/", "/v1/driver/", 1)
	hers, his := s.happen("HERS"), s.happen("HIS")
	s.plan(hers, nora)
	s.plan(his, jens)
	e := s.listen("Authorization", s.SignIn(edge.Principal{
		Caller: caller.Caller{OrgID: s.Org, Kind: caller.Device, ID: 1, Roles: []caller.Role{caller.Driver}},
		Zone:   time.UTC, Language: "en", DriverID: nora,
	}))
	e.reset()
	for _, order := range []int64{his, hers} {
		s.event("order.cancelled", order, nil)
	}
	event, ok := e.next()
	require.True(t, ok)
	require.Contains(t, event[2], `"orderId":`+jsonOf(hers), "and of no other order before")
	s.event("order.planned", his, nora)
	event, _ = e.next()
	require.Contains(t, event[2], `"orderId":`+jsonOf(his), "which she has now")
}

func (s *station) exec(sql string, args ...any) {
	s.T.Helper()
	_, err := s.Owner.Exec(s.T.Context(), sql, append([]any{s.Org}, args...)...)
	require.NoError(s.T, err)
}

func (s *station) driver(name string) int64 {
	s.T.Helper()
	return s.ID("insert into drivers (org_id, name) values ($1, $2) returning id", name)
}

// plan makes an order the route of a driver today.
func (s *station) plan(order, driver int64) {
	s.T.Helper()
	today := time.Now().UTC().Truncate(24 * time.Hour)
	s.exec("insert into plans (org_id, day, version) values ($1, $2, 1) on conflict do nothing", today)
	s.exec(`insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds,
			meters, weight_kg, volume_m3)
		select org_id, id, $2, now(), now() + interval '2 hours', 600, 0, 5000, 0, 0 from plans
		where org_id = $1 and day = $3`, driver, today)
	s.exec(`insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
			slack_seconds, eta, driving_seconds, meters, latitude, longitude)
		select s.org_id, s.order_id, s.kind, p.id, $2, row_number() over (order by s.kind desc), now(), now(), now(), 0,
			now() + interval '1 hour', 300, 2500, 59.9, 10.7
		from order_stops s join plans p on p.org_id = s.org_id and p.day = $4 where s.org_id = $1 and s.order_id = $3`,
		driver, order, today)
}

// event appends an event of an order to the log.
func (s *station) event(kind string, order int64, driver any) {
	s.T.Helper()
	s.exec(`insert into events (org_id, kind, subject_type, subject_id, order_id, driver_id, product_ids, data,
			occurred_at, actor, cause)
		values ($1, $2, 'order', $3, $3, $4, '{}', '{}', now(), 'system', gen_random_uuid())`, kind, order, driver)
	s.sequence()
}
