package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// The targets of webhooks: compared with a bare program, and with the same
// endpoint without another one that hangs.
const (
	webhookTarget     = 0.7
	webhookHangTarget = 0.9
)

const (
	webhookEvents  = 500
	webhookMany    = 30_000 // fewer take too short a time
	webhookRounds  = 5
	webhookAbreast = 8 // posts at a time, on both sides
	webhookWait    = 2 * time.Minute
)

// postbox accepts posts, and records when the first and the last of each path
// arrived. It never responds below /hang.
type postbox struct {
	server *http.Server
	url    string

	mu    sync.Mutex
	came  map[string]int
	first map[string]time.Time
	last  map[string]time.Time
}

func newPostbox(ctx context.Context) (*postbox, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a postbox: %w", err)
	}
	p := &postbox{
		url: "http://" + listener.Addr().String(), came: map[string]int{}, first: map[string]time.Time{},
		last: map[string]time.Time{},
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

// ServeHTTP receives one event.
func (p *postbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if strings.HasPrefix(r.URL.Path, "/hang") {
		<-r.Context().Done()
		return
	}
	w.WriteHeader(http.StatusNoContent)
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.came[r.URL.Path]++; p.came[r.URL.Path] == 1 {
		p.first[r.URL.Path] = now
	}
	p.last[r.URL.Path] = now
}

// rate waits until n posts have arrived at a path, and returns their rate per
// second.
func (p *postbox) rate(ctx context.Context, path string, count int) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, webhookWait)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		p.mu.Lock()
		came, took := p.came[path], p.last[path].Sub(p.first[path])
		p.mu.Unlock()
		if came >= count {
			return float64(came-1) / took.Seconds(), nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("%d of %d events came to %s: %w", came, count, path, ctx.Err())
		case <-tick.C:
		}
	}
}

// measureWebhooks sends events to an endpoint that responds at once, in turns
// with a bare program, and next to another endpoint that never responds.
func measureWebhooks(ctx context.Context, s *site) (results []result, err error) {
	box, err := newPostbox(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, box.server.Close()) }()
	for _, statement := range []string{
		"drop table if exists bare_events",
		"create table bare_events (id bigint primary key, round integer not null, body text not null, sent_at timestamptz)",
	} {
		if _, err := s.owner.Exec(ctx, statement); err != nil {
			return nil, fmt.Errorf("prepare the bare program: %w", err)
		}
	}
	var bare, hanging pairs
	for round := range webhookRounds + 1 { // the first warms up
		few, err := s.sendWebhooks(ctx, box, fmt.Sprintf("/few/%d", round), "", webhookEvents)
		if err != nil {
			return nil, err
		}
		posted, err := s.postBare(ctx, box, round)
		if err != nil {
			return nil, err
		}
		alone, hung, err := s.nextToHanging(ctx, box, round)
		if err != nil {
			return nil, err
		}
		note("round %d: %.0f webhooks per second, %.0f of the bare program; of many %.0f, and %.0f while another endpoint hangs",
			round, few, posted, alone, hung)
		if round > 0 {
			bare.add(few, posted)
			hanging.add(hung, alone)
		}
	}
	return []result{
		acknowledged(webhookTarget, "webhooks : bare program", &bare),
		acknowledged(webhookHangTarget, "webhooks while another endpoint hangs : alone", &hanging),
	}, nil
}

// nextToHanging sends many events to an endpoint alone, and next to one that
// never responds. The order alternates between rounds.
func (s *site) nextToHanging(ctx context.Context, box *postbox, round int) (alone, hung float64, err error) {
	for turn := range 2 {
		if (round+turn)%2 == 0 {
			alone, err = s.sendWebhooks(ctx, box, fmt.Sprintf("/alone/%d", round), "", webhookMany)
		} else {
			hung, err = s.sendWebhooks(ctx, box, fmt.Sprintf("/next/%d", round), fmt.Sprintf("/hang/%d", round), webhookMany)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return alone, hung, nil
}

// sendWebhooks sends n events of a new organization to a path, and optionally
// to another one.
func (s *site) sendWebhooks(ctx context.Context, box *postbox, path, other string, count int) (float64, error) {
	org, err := s.newOrganization(ctx, strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", "-"))
	if err != nil {
		return 0, err
	}
	named := pgx.NamedArgs{"org": org.id, "count": count}
	if _, err := s.owner.Exec(ctx, appendStatusChanges, named); err != nil {
		return 0, fmt.Errorf("append events: %w", err)
	}
	for _, to := range []string{other, path} {
		if to == "" {
			continue
		}
		if err := s.addWebhook(ctx, org, box.url+to); err != nil {
			return 0, err
		}
	}
	rate, err := box.rate(ctx, path, count)
	_, off := s.owner.Exec(ctx, `update webhook_endpoints set is_active = false, off_reason = 'BY_CALLER', off_at = now(),
		updated_at = clock_timestamp() where org_id = $1`, org.id)
	return rate, errors.Join(err, off)
}

// addWebhook adds an endpoint for all events.
func (s *site) addWebhook(ctx context.Context, org *organization, url string) error {
	body, err := json.Marshal(map[string]any{"url": url, "afterPosition": 0})
	if err != nil {
		return err
	}
	_, err = s.call(ctx, request{
		url: s.url + "/v2/webhook-endpoints", key: org.key, body: body, status: http.StatusCreated,
	})
	return err
}

// postBare posts the rows of a table, several at a time, and marks each.
func (s *site) postBare(ctx context.Context, box *postbox, round int) (float64, error) {
	path := fmt.Sprintf("/bare/%d", round)
	const body = `{"type":"order.delivered","timestamp":"2026-03-02T08:12:44Z","data":{"position":10236,"type":"order.delivered",` +
		`"orderId":90120,"externalId":"SO-2026-10391","orderStatusId":6,"status":"delivered","occurredAt":"2026-03-02T08:12:44Z"}}`
	_, err := s.owner.Exec(ctx, "insert into bare_events select $1::int * 1000000 + n, $1, $2 from generate_series(1, $3) n",
		round, body, webhookEvents)
	if err != nil {
		return 0, fmt.Errorf("fill the bare program's table: %w", err)
	}
	rows, err := s.owner.Query(ctx, "select id, body from bare_events where round = $1 and sent_at is null order by id", round)
	if err != nil {
		return 0, err
	}
	type event struct {
		ID   int64
		Body string
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByPos[event])
	if err != nil {
		return 0, err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(webhookAbreast)
	for _, e := range events {
		group.Go(func() error {
			_, err := s.call(within, request{url: box.url + path, body: []byte(e.Body), status: http.StatusNoContent})
			if err != nil {
				return err
			}
			_, err = s.owner.Exec(within, "update bare_events set sent_at = now() where id = $1", e.ID)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, fmt.Errorf("the bare program: %w", err)
	}
	return box.rate(ctx, path, webhookEvents)
}
