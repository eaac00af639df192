package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/store/queries"
)

// The event types of external updates (spec.md, "Order operations").
const (
	UpdateUnspecified     = "EVENT_TYPE_UNSPECIFIED"
	UpdateOrderExported   = "EVENT_TYPE_ORDER_EXPORTED"
	UpdatePickupCompleted = "EVENT_TYPE_PICKUP_COMPLETED"
	UpdateDelivered       = "EVENT_TYPE_DELIVERED"
	UpdateTerminalScan    = "EVENT_TYPE_TERMINAL_SCAN"
	UpdateStatusComment   = "EVENT_TYPE_STATUS_COMMENT"
)

// ExternalUpdate is an entry of an order's timeline.
type ExternalUpdate = queries.ExternalUpdatesRow

// ExternalUpdates reads the timeline of an order, newest first.
func (s *Store) ExternalUpdates(ctx context.Context, org, orderID int64) ([]ExternalUpdate, error) {
	rows, err := s.of(org).ExternalUpdates(ctx, queries.ExternalUpdatesParams{OrgID: org, OrderID: orderID})
	if err != nil || len(rows) > 0 {
		return rows, translate(err)
	}
	found, err := s.of(org).OrderExists(ctx, queries.OrderExistsParams{OrgID: org, ID: orderID})
	if err == nil && !found {
		err = ErrNotFound
	}
	return rows, absent("order", orderID, err)
}

// CarrierUpdate is a carrier's update of an order, which it identifies in
// one of three ways.
type CarrierUpdate struct {
	OrderID     int64
	ExternalID  string
	ExportToken string
	EventType   string
	Label       string
	OccurredAt  time.Time
	// CountedAt is when it counts as having happened. RecordCarrierUpdate sets it where the
	// update moves the order.
	CountedAt     time.Time
	SigneeName    string
	IsContactless *bool
	Success       bool
	FailureReason string
	RawBody       []byte
}

// AppendCarrierUpdate appends a carrier's update to an order's timeline, and
// returns the new entry, or 0 for a repeated body.
func (t *Tx) AppendCarrierUpdate(ctx context.Context, orderID int64, carrier string, u *CarrierUpdate) (int64, error) {
	sum := sha256.Sum256(u.RawBody)
	id, err := t.q.AppendExternalUpdate(ctx, queries.AppendExternalUpdateParams{
		OrgID: t.org, OrderID: orderID, Carrier: carrier, EventType: u.EventType, Label: u.Label, OccurredAt: u.OccurredAt,
		SigneeName: u.SigneeName, IsContactless: u.IsContactless, Success: u.Success, FailureReason: u.FailureReason,
		RawBody: string(u.RawBody), BodyHash: sum[:],
	})
	if err != nil {
		return 0, fmt.Errorf("append external update: %w", err)
	}
	return id, nil
}

// RefusedUpdate is an update of a carrier that was refused.
type RefusedUpdate = queries.RefusedUpdatesRow

// KeepRefusedUpdate records that an update of a carrier was refused. The newest
// twenty of each carrier are kept.
func (s *Store) KeepRefusedUpdate(ctx context.Context, org int64, u RefusedUpdate) error {
	return translate(s.of(org).KeepRefusedUpdate(ctx, queries.KeepRefusedUpdateParams{
		OrgID: org, Carrier: u.Carrier, Reason: u.Reason, Field: keepable(u.Field), RequestID: u.RequestID,
	}))
}

// RefusedUpdates reads the recently refused updates of an organization's
// carriers, newest first.
func (s *Store) RefusedUpdates(ctx context.Context, org int64) ([]RefusedUpdate, error) {
	rows, err := s.of(org).RefusedUpdates(ctx, org)
	return rows, translate(err)
}

// OrderOfUpdate returns the order that a carrier's update refers to, or
// ErrNotFound.
func (t *Tx) OrderOfUpdate(ctx context.Context, u *CarrierUpdate) (id int64, err error) {
	switch {
	case u.ExportToken != "":
		id, err = t.q.OrderOfToken(ctx, queries.OrderOfTokenParams{OrgID: t.org, Token: u.ExportToken})
	case u.ExternalID != "":
		id, err = t.q.OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: t.org, Number: u.ExternalID})
	default:
		var found bool
		id = u.OrderID
		found, err = t.OrderExists(ctx, id)
		if err == nil && !found {
			err = pgx.ErrNoRows
		}
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("find the order: %w", err)
	}
	return id, nil
}

// CarrierSecret names the location of a carrier's secret.
type CarrierSecret struct {
	Carrier     string
	Environment string // the name of a variable
	// IsShared is true if another organization names the same variable.
	IsShared bool
}

// CarrierSecrets returns the organization with a slug and the carriers that may
// send it updates, or ErrNotFound if there is no such organization.
func (s *Store) CarrierSecrets(ctx context.Context, slug string) (org int64, secrets []CarrierSecret, err error) {
	org, missing := s.OrganizationID(ctx, slug)
	if missing != nil && !errors.Is(missing, ErrNotFound) {
		return 0, nil, missing
	}
	// An unknown organization takes as long as a known one.
	rows, err := s.lookups(org).CarrierSecrets(ctx, org)
	for _, r := range rows {
		secrets = append(secrets, CarrierSecret{Carrier: r.Name, Environment: r.SecretEnv, IsShared: r.IsShared})
	}
	return org, secrets, errors.Join(missing, translate(err))
}
