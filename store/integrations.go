package store

import (
	"context"
	"time"

	"waybill/domain/integration"
	"waybill/domain/notification"
	"waybill/store/queries"
)

// IntegrationCarrier is a carrier that receives orders or may report on them.
type IntegrationCarrier = queries.IntegrationCarriersRow

// IntegrationCarriers returns the carriers of the document and of order types,
// by name, at most 200.
func (s *Store) IntegrationCarriers(ctx context.Context, org int64) ([]IntegrationCarrier, error) {
	rows, err := s.of(org).IntegrationCarriers(ctx, org)
	for i := range rows {
		rows[i].SeenAt = orNever(rows[i].SeenAt)
	}
	return rows, translate(err)
}

// IntegrationsSeen has the senders of an organization's messages, and the last
// time each integration reported, or zero for never.
type IntegrationsSeen struct {
	EmailFrom, SMSFrom        string
	Email, SMS, Files, Travel time.Time
}

// IntegrationsSeen returns when messages were last sent, files brought and ways found.
func (s *Store) IntegrationsSeen(ctx context.Context, org int64) (IntegrationsSeen, error) {
	row, err := s.of(org).IntegrationsSeen(ctx, org)
	return IntegrationsSeen{
		EmailFrom: row.EmailFrom, SMSFrom: row.SmsFrom,
		Email: orNever(row.EmailAt), SMS: orNever(row.SmsAt), Files: orNever(row.FilesAt), Travel: orNever(row.TravelAt),
	}, translate(err)
}

// orNever is the zero time for one of the year 1.
func orNever(at time.Time) time.Time {
	if at.Year() <= 1 {
		return time.Time{}
	}
	return at.UTC()
}

// newFares converts a row of any of the integration queries, which all have the
// same columns.
func newFares(r queries.MessagesFareRow, err error) (integration.Fares, error) {
	return integration.Fares{
		SucceededAt: orNever(r.SucceededAt), FailedAt: orNever(r.FailedAt), Reason: r.Reason,
		Waiting: r.Waiting, Succeeded: r.Succeeded, Failed: r.Failed,
	}, translate(err)
}

// MessagesFare returns the delivery counts of a channel's messages since a
// moment.
func (s *Store) MessagesFare(
	ctx context.Context, org int64, channel notification.Channel, since time.Time,
) (integration.Fares, error) {
	var faults []string
	for _, f := range integration.ProviderFaults() {
		faults = append(faults, string(f))
	}
	return newFares(s.of(org).MessagesFare(ctx, queries.MessagesFareParams{
		OrgID: org, Channel: string(channel), Faults: faults, Since: since,
	}))
}

// CarrierFares returns how well a carrier accepts shipments, and when it last
// reported.
func (s *Store) CarrierFares(
	ctx context.Context, org int64, carrier string, since time.Time,
) (integration.Fares, error) {
	r, err := s.of(org).CarrierFares(ctx, queries.CarrierFaresParams{OrgID: org, Carrier: carrier, Since: since})
	return newFares(queries.MessagesFareRow(r), err)
}

// FilesFare returns how many files were uploaded.
func (s *Store) FilesFare(ctx context.Context, org int64, since time.Time) (integration.Fares, error) {
	r, err := s.of(org).FilesFare(ctx, queries.FilesFareParams{OrgID: org, Since: since})
	return newFares(queries.MessagesFareRow(r), err)
}

// TravelFares returns how many legs were computed.
func (s *Store) TravelFares(ctx context.Context, org int64, since time.Time) (integration.Fares, error) {
	r, err := s.of(org).TravelFares(ctx, queries.TravelFaresParams{OrgID: org, Since: since})
	return newFares(queries.MessagesFareRow(r), err)
}

// WebhookFares returns how well an endpoint accepts deliveries.
func (s *Store) WebhookFares(ctx context.Context, org, endpoint int64, since time.Time) (integration.Fares, error) {
	r, err := s.of(org).WebhookFares(ctx, queries.WebhookFaresParams{OrgID: org, EndpointID: endpoint, Since: since})
	return newFares(queries.MessagesFareRow(r), err)
}

// SignInFares returns when a user was last linked to an account of a provider.
func (s *Store) SignInFares(ctx context.Context, org int64, issuer string, since time.Time) (integration.Fares, error) {
	r, err := s.of(org).SignInFares(ctx, queries.SignInFaresParams{OrgID: org, Issuer: issuer, Since: since})
	return newFares(queries.MessagesFareRow(r), err)
}
