package store

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/domain/webhook"
	"waybill/store/columns"
	"waybill/store/queries"
)

// WebhookEndpoint is an address that receives events of an organization.
type WebhookEndpoint struct {
	WebhookDetails
	webhook.Health

	ID int64
	// The secrets are encrypted. The previous one may be nil, and is valid
	// until PreviousUntil.
	SealedSecret, SealedPrevious []byte
	PreviousUntil                time.Time
	OffReason                    webhook.OffReason // empty while it is active
	OffAt                        time.Time
	// Cursor is up to where in the feed everything was tried at least once.
	Cursor webhook.Place
	// Waiting and Failed count events that are retried, and that were given up.
	Waiting, Failed int32
	// RecentAttempts are the last attempts at events, at most 100, and
	// RecentFailures those that were not accepted.
	RecentAttempts, RecentFailures int32
	CreatedAt, UpdatedAt           time.Time
}

// WebhookDetails are the settings of an endpoint. No kinds means all.
type WebhookDetails struct {
	URL, Description string
	Kinds            []event.Kind
	IsActive         bool
}

// WebhookEndpoints returns the endpoints of an organization, oldest first, at
// most 50.
func (s *Store) WebhookEndpoints(ctx context.Context, org int64) ([]WebhookEndpoint, error) {
	return webhookEndpoints(ctx, s.of(org), org, 0)
}

// WebhookEndpoint returns one endpoint.
func (s *Store) WebhookEndpoint(ctx context.Context, org, id int64) (WebhookEndpoint, error) {
	return oneWebhookEndpoint(ctx, s.of(org), org, id)
}

// WebhookEndpoint returns one endpoint and locks it until the end of the
// transaction.
func (t *Tx) WebhookEndpoint(ctx context.Context, id int64) (WebhookEndpoint, error) {
	if _, err := t.q.LockWebhookEndpoint(ctx, queries.LockWebhookEndpointParams{OrgID: t.org, ID: id}); err != nil {
		return WebhookEndpoint{}, absent("webhook_endpoint", id, err)
	}
	return oneWebhookEndpoint(ctx, t.q, t.org, id)
}

func oneWebhookEndpoint(ctx context.Context, q *queries.Queries, org, id int64) (WebhookEndpoint, error) {
	found, err := webhookEndpoints(ctx, q, org, max(id, -1))
	if err == nil && (len(found) == 0 || id == 0) {
		err = absent("webhook_endpoint", id, ErrNotFound)
	}
	if err != nil {
		return WebhookEndpoint{}, err
	}
	return found[0], nil
}

func webhookEndpoints(ctx context.Context, q *queries.Queries, org, id int64) ([]WebhookEndpoint, error) {
	rows, err := q.ListWebhookEndpoints(ctx, queries.ListWebhookEndpointsParams{OrgID: org, ID: id})
	found := make([]WebhookEndpoint, len(rows))
	for i := range rows {
		found[i] = newWebhookEndpoint(&rows[i])
	}
	return found, translate(err)
}

func newWebhookEndpoint(r *queries.ListWebhookEndpointsRow) WebhookEndpoint {
	return WebhookEndpoint{
		WebhookDetails: WebhookDetails{
			URL: r.Url, Description: r.Description, IsActive: r.IsActive,
			Kinds: columns.Of(r.Kinds, func(k string) event.Kind { return event.Kind(k) }),
		},
		Health: webhook.Health{
			FailingSince: r.FailingSince.UTC(), Failures: int(r.Failures), Rests: int(r.Rests),
			RestingUntil: r.RestingUntil.UTC(), DeliveredAt: r.DeliveredAt.UTC(),
		},
		ID: r.ID, SealedSecret: r.SealedSecret, SealedPrevious: r.SealedPrevious, PreviousUntil: r.PreviousUntil,
		OffReason: webhook.OffReason(r.OffReason), OffAt: r.OffAt,
		Cursor:  webhook.Place{Position: r.Position, Number: r.Place},
		Waiting: r.Waiting, Failed: r.Failed, RecentAttempts: r.RecentAttempts, RecentFailures: r.RecentFailures,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// CountWebhookEndpoints returns how many endpoints the organization has, and keeps others
// from adding one until the transaction ends.
func (t *Tx) CountWebhookEndpoints(ctx context.Context) (int, error) {
	n, err := t.q.CountWebhookEndpoints(ctx, t.org)
	return int(n), translate(err)
}

// CreateWebhookEndpoint creates an endpoint that begins after a position of the
// feed, or at its end if that is nil, and returns its id.
func (t *Tx) CreateWebhookEndpoint(ctx context.Context, d WebhookDetails, sealed []byte, after *int64) (int64, error) {
	position := int64(-1)
	if after != nil {
		position = *after
	}
	id, err := t.q.CreateWebhookEndpoint(ctx, queries.CreateWebhookEndpointParams{
		OrgID: t.org, Url: d.URL, Description: d.Description, Kinds: texts(d.Kinds), SealedSecret: sealed, Position: position,
	})
	return id, translate(err)
}

func texts[T ~string](all []T) []string {
	return columns.Of(all, func(v T) string { return string(v) })
}

// UpdateWebhookEndpoint saves the settings of an endpoint, which is tried at
// once.
func (t *Tx) UpdateWebhookEndpoint(ctx context.Context, id int64, d WebhookDetails) error {
	return translate(t.q.UpdateWebhookEndpoint(ctx, queries.UpdateWebhookEndpointParams{
		OrgID: t.org, ID: id, Url: d.URL, Description: d.Description, Kinds: texts(d.Kinds), IsActive: d.IsActive,
	}))
}

// DeleteWebhookEndpoint removes an endpoint. Its rows go later.
func (t *Tx) DeleteWebhookEndpoint(ctx context.Context, id int64) error {
	return translate(t.q.DeleteWebhookEndpoint(ctx, queries.DeleteWebhookEndpointParams{OrgID: t.org, ID: id}))
}

// RotateWebhookSecret gives an endpoint a new secret. The present one stays
// valid until a moment.
func (t *Tx) RotateWebhookSecret(ctx context.Context, id int64, sealed []byte, previousUntil time.Time) error {
	return translate(t.q.RotateWebhookSecret(ctx, queries.RotateWebhookSecretParams{
		OrgID: t.org, ID: id, SealedSecret: sealed, PreviousUntil: previousUntil,
	}))
}

// SwitchOffWebhookEndpoint switches an endpoint off and reports whether it was on.
func (t *Tx) SwitchOffWebhookEndpoint(ctx context.Context, id int64, why webhook.OffReason) (bool, error) {
	n, err := t.q.SwitchOffWebhookEndpoint(ctx, queries.SwitchOffWebhookEndpointParams{
		OrgID: t.org, ID: id, Reason: string(why),
	})
	return n > 0, translate(err)
}

// WebhookEndpointsToWake returns the endpoints of an organization whose
// workflow has new events to deliver, or must end.
func (s *Store) WebhookEndpointsToWake(ctx context.Context, org int64) ([]int64, error) {
	ids, err := s.of(org).WebhookEndpointsToWake(ctx, org)
	return ids, translate(err)
}

// Replay sends events of the feed again. Exactly one of its fields selects
// them.
type Replay struct {
	Events   []webhook.Place
	Span     *webhook.Span
	Failures bool
	// AtMost is how many at most.
	AtMost int32
}

// Replay sends events to an endpoint again, and returns how many. Kinds limit
// those of a span; none means all.
func (t *Tx) Replay(ctx context.Context, endpoint int64, r Replay, kinds []event.Kind) (n int64, err error) {
	switch {
	case r.Failures:
		n, err = t.q.ReplayWebhookFailures(ctx, queries.ReplayWebhookFailuresParams{
			OrgID: t.org, EndpointID: endpoint, Batch: r.AtMost,
		})
	case r.Span != nil:
		n, err = t.q.ReplayWebhookSpan(ctx, queries.ReplayWebhookSpanParams{
			OrgID: t.org, EndpointID: endpoint, First: r.Span.First, Last: r.Span.Last, Kinds: texts(kinds), Batch: r.AtMost,
		})
	default:
		p := queries.ReplayWebhookEventsParams{OrgID: t.org, EndpointID: endpoint}
		p.Positions, p.Places = placeColumns(r.Events)
		n, err = t.q.ReplayWebhookEvents(ctx, p)
	}
	if err != nil {
		return 0, translate(err)
	}
	return n, translate(t.q.WakeWebhookEndpoint(ctx, queries.WakeWebhookEndpointParams{OrgID: t.org, ID: endpoint}))
}

func placeColumns(all []webhook.Place) (positions, numbers []int64) {
	return columns.Of(all, func(p webhook.Place) int64 { return p.Position }),
		columns.Of(all, func(p webhook.Place) int64 { return p.Number })
}
