package webhooks_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/api/orders"
	"waybill/domain/caller"
	"waybill/domain/webhook"
	"waybill/operations/sealing"
	"waybill/operations/webhooks"
	"waybill/operations/webhooks/delivery"
	"waybill/store"
	"waybill/store/storetest"
)

// push is an organization whose events go to an endpoint with configurable
// responses.
type push struct {
	*webhooks.Operations

	t          *testing.T
	store      *store.Store
	owner      *pgx.Conn
	deliveries *delivery.Operations

	org, id int64
	now     time.Time

	mu  sync.Mutex
	got []string // the received requests, by id
	// answer is the endpoint's response to a message; 0 hangs up. wait is the
	// pause that it requests, in seconds.
	answer func(id string) int
	wait   string
}

func newPush(t *testing.T) *push {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	p := &push{
		t: t, store: store.New(db.Pool), owner: owner, now: time.Now(),
		answer: func(string) int { return http.StatusNoContent },
	}
	p.org = storetest.Organization(t, db, "acme")
	clock, sealer := func() time.Time { return p.now }, sealing.New(p.store, sealing.Settings{})
	p.deliveries = delivery.New(p.store, clock, sealer, delivery.Settings{Entry: orders.FeedEntry, AllowPrivate: true})
	p.Operations = webhooks.New(p.store, clock, sealer, p.deliveries)
	server := httptest.NewServer(http.HandlerFunc(p.receive))
	t.Cleanup(server.Close)
	made, err := p.CreateEndpoint(t.Context(), clerk(p.org), webhooks.NewEndpoint{
		WebhookDetails: store.WebhookDetails{URL: server.URL, IsActive: true},
	})
	require.NoError(t, err)
	p.id = made.ID
	return p
}

// clerk is a key of an organization as the caller.
func clerk(org int64) caller.Caller {
	return caller.Caller{OrgID: org, Kind: caller.Key, ID: 1, Cause: "test"}
}

// one is the only value of a query by the owner.
func one[T any](p *push, sql string, args ...any) T {
	p.t.Helper()
	rows, err := p.owner.Query(p.t.Context(), sql, args...)
	require.NoError(p.t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(p.t, err)
	return value
}

func (p *push) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	id := r.Header.Get("webhook-id")
	p.mu.Lock()
	p.got = append(p.got, id)
	answer := p.answer
	p.mu.Unlock()
	var e delivery.Event
	status := answer(id)
	if json.Unmarshal(body, &e) != nil || status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Retry-After", p.wait)
	w.WriteHeader(status)
}

// happen adds so many events to the feed, and returns their ids.
func (p *push) happen(n int) (ids []string) {
	p.t.Helper()
	_, err := p.owner.Exec(p.t.Context(), `insert into events (org_id, kind, subject_type, subject_id, actor, cause,
			order_id, order_status_id, external_id)
		select $1, 'order.delivered', 'order', n, 'system', 'test', n, 6, 'SO-' || n from generate_series(1, $2) n`, p.org, n)
	require.NoError(p.t, err)
	_, err = p.owner.Exec(p.t.Context(), "select sequence_events(10000)")
	require.NoError(p.t, err)
	for _, position := range one[[]int64](p, `select array_agg(position order by position)
		from (select position from events where org_id = $1 and order_id is not null order by position desc limit $2) e`,
		p.org, n) {
		ids = append(ids, webhook.Place{Position: position, Number: 1}.ID())
	}
	return ids
}

// turn sends for a while.
func (p *push) turn() delivery.Turn {
	p.t.Helper()
	turn, err := p.deliveries.Deliver(p.t.Context(), caller.Service(p.org, "test"), p.id, time.Minute)
	require.NoError(p.t, err)
	return turn
}

// sent returns what the endpoint has received since the last call.
func (p *push) sent() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	return got
}

func (p *push) answers(answer func(id string) int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

func always(status int) func(string) int { return func(string) int { return status } }

func TestEachEventIsSentOnceToAnEndpointThatAccepts(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	ids := p.happen(1200)
	turn := p.turn()
	require.Equal(t, delivery.Turn{Delivered: 1200}, turn)
	require.ElementsMatch(t, ids, p.sent())
	require.Equal(t, delivery.Turn{}, p.turn(), "nothing is left")
	require.Equal(t, 1200, one[int](p, "select count(*) from webhook_attempts where delivered and status = 204"))
	require.Zero(t, one[int](p, "select count(*) from webhook_deliveries"))

	ids = p.happen(3)
	_, err := p.owner.Exec(t.Context(), `insert into webhook_attempts (org_id, endpoint_id, position, place, kind, number, at,
		duration_ms, delivered) select org_id, $1, position, 1, kind, 1, now(), 1, true from events where order_id = 2
		order by position desc limit 1`, p.id)
	require.NoError(t, err)
	p.turn()
	require.ElementsMatch(t, []string{ids[0], ids[2]}, p.sent(), "what a turn that broke off had sent is not sent again")
}

func TestUnacceptedEventIsRetriedForThreeDays(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	ids := p.happen(5)
	bad := ids[1]
	p.answers(func(id string) int {
		if id == bad {
			return http.StatusInternalServerError
		}
		return http.StatusOK
	})
	turn := p.turn()
	require.Equal(t, 4, turn.Delivered)
	require.Equal(t, 1, turn.Waiting)
	began, attempts, last := p.now, 1, p.now
	require.ElementsMatch(t, ids, p.sent())
	var pauses []time.Duration
	for !turn.Next.IsZero() {
		p.now = turn.Next
		turn = p.turn()
		if sent := p.sent(); len(sent) > 0 { // and not the end of a rest
			require.Equal(t, []string{bad}, sent)
			pauses = append(pauses, p.now.Sub(last).Round(time.Second))
			last = p.now
			attempts++
		}
	}
	require.True(t, slices.IsSorted(pauses[:len(pauses)-1]), "pauses grow: %v", pauses)
	require.WithinDuration(t, began.Add(webhook.Patience), last, 20*time.Minute)
	require.Equal(t, attempts, one[int](p, "select max(number) from webhook_attempts"))
	endpoint, err := p.store.WebhookEndpoint(t.Context(), p.org, p.id)
	require.NoError(t, err)
	require.Equal(t, [2]int32{0, 1}, [2]int32{endpoint.Waiting, endpoint.Failed})

	p.answers(always(http.StatusOK))
	n, err := p.Replay(t.Context(), clerk(p.org), p.id, store.Replay{Failures: true})
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	p.now = p.now.Add(time.Hour)
	p.turn()
	require.Equal(t, []string{bad}, p.sent())
	require.Equal(t, attempts+1, one[int](p, "select max(number) from webhook_attempts where delivered"))
	require.Zero(t, one[int](p, "select count(*) from webhook_deliveries"))

	n, err = p.Replay(t.Context(), clerk(p.org), p.id, store.Replay{Span: &webhook.Span{First: 1, Last: 1 << 40}})
	require.NoError(t, err)
	require.EqualValues(t, 5, n)
	p.now = p.now.Add(time.Hour)
	p.turn()
	require.ElementsMatch(t, ids, p.sent(), "with the ids that they had")
}

func TestHangingEndpointDoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	ids := p.happen(300)
	release := make(chan struct{})
	p.answers(func(id string) int {
		if id == ids[0] {
			<-release
		}
		return http.StatusOK
	})
	done := make(chan delivery.Turn, 1)
	go func() {
		turn, _ := p.deliveries.Deliver(t.Context(), caller.Service(p.org, "test"), p.id, time.Minute)
		done <- turn
	}()
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.got) == 300
	}, 30*time.Second, 5*time.Millisecond, "the others are sent meanwhile")
	more := p.happen(1)
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.Contains(p.got, more[0])
	}, 30*time.Second, 5*time.Millisecond, "and what is new")
	close(release)
	require.Equal(t, 301, (<-done).Delivered)
}

func TestFailingEndpointIsPausedAndThenDisabled(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	p.happen(100)
	p.answers(always(0))
	turn := p.turn()
	require.True(t, turn.RestingUntil.After(p.now))
	require.Less(t, turn.Refused, 20, "it is not tried with all")
	p.sent()
	require.Zero(t, p.turn().Refused, "it is left alone")
	began, turns := p.now, 0
	for !turn.Ended {
		require.False(t, turn.Next.IsZero())
		p.now = turn.Next
		turn = p.turn()
		require.LessOrEqual(t, turn.Refused, 1, "one event finds out")
		turns++
		require.Less(t, turns, 2000)
	}
	require.WithinDuration(t, began.Add(webhook.EndpointPatience), p.now, time.Hour)
	require.Equal(t, "FAILING", one[string](
		p, "select data ->> 'reason' from events where kind = 'webhook_endpoint.switched_off'",
	))
	require.True(t, p.turn().Ended)

	p.answers(always(http.StatusOK))
	p.sent()
	_, err := p.ChangeEndpoint(t.Context(), clerk(p.org), p.id,
		func(e store.WebhookEndpoint) (store.WebhookDetails, error) {
			e.IsActive = true
			return e.WebhookDetails, nil
		})
	require.NoError(t, err)
	p.now = p.now.Add(24 * time.Hour)
	turn = p.turn()
	given := one[int](p, "select count(*) from webhook_deliveries where next_at is null")
	require.Equal(t, 100, turn.Delivered+given, "what came meanwhile is sent")

	p.happen(1)
	p.answers(always(http.StatusGone))
	require.True(t, p.turn().Ended)
	require.Equal(t, "GONE", one[string](p, "select off_reason from webhook_endpoints"))
	require.Equal(t, 2, one[int](p, "select count(*) from events where kind = 'webhook_endpoint.switched_off'"))
}

func TestEndpointGetsRequestedPause(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	p.wait = "300"
	ids := p.happen(20)
	p.answers(func(id string) int {
		if id == ids[0] {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	turn := p.turn()
	require.Equal(t, 1, turn.Refused)
	require.Less(t, turn.Delivered, 20, "what was not under way yet waits")
	require.WithinDuration(t, p.now.Add(5*time.Minute), turn.RestingUntil, time.Second)
	p.sent()
	p.now = p.now.Add(4 * time.Minute)
	require.Zero(t, p.turn().Delivered)
	p.answers(always(http.StatusOK))
	p.now = p.now.Add(2 * time.Minute)
	require.Equal(t, 20-turn.Delivered, p.turn().Delivered)
	require.Contains(t, p.sent(), ids[0])
}

func TestOnlySubscribedKindsAreSent(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	_, err := p.ChangeEndpoint(t.Context(), clerk(p.org), p.id,
		func(e store.WebhookEndpoint) (store.WebhookDetails, error) {
			e.Kinds = webhook.Kinds()[:1]
			return e.WebhookDetails, nil
		})
	require.NoError(t, err)
	p.happen(10)
	require.Equal(t, delivery.Turn{}, p.turn())
	require.Empty(t, p.sent())
	require.Equal(t, one[int64](p, "select max(position) from events where order_id is not null"),
		one[int64](p, "select position from webhook_endpoints"), "it need not look at them again")
}

func TestNothingIsPushedForASuspendedOrganization(t *testing.T) {
	t.Parallel()
	p := newPush(t)
	ids := p.happen(1)
	p.suspend(true)
	turn := p.turn()
	require.False(t, turn.Ended)
	require.Equal(t, p.now.Add(15*time.Minute), turn.RestingUntil)
	require.Empty(t, p.sent())

	p.suspend(false)
	p.turn()
	require.Equal(t, ids, p.sent(), "what happened meanwhile is caught up with")
}

func (p *push) suspend(suspended bool) {
	p.t.Helper()
	require.NoError(p.t, p.store.InTx(p.t.Context(), clerk(p.org), func(t *store.Tx) error {
		_, err := t.Suspend(p.t.Context(), suspended)
		return err
	}))
}
