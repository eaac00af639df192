package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store/columns"
	"waybill/store/queries"
)

// ErrResending is returned if an organization already has a resending in
// progress.
var ErrResending = errors.New("a resending is under way")

// CountFailures counts the failed messages of a selection by reason, most
// frequent first. It also counts those that the selection excludes.
func (s *Store) CountFailures(
	ctx context.Context, org int64, of notification.Selection,
) ([]notification.FailureCount, error) {
	rows, err := s.of(org).CountFailures(ctx, queries.CountFailuresParams{
		OrgID: org, Since: of.Since, Until: of.Until, Event: string(of.Event), Channel: string(of.Channel),
		Failure: string(of.Failure), Provider: of.Provider,
	})
	if err != nil {
		return nil, fmt.Errorf("count failed messages: %w", translate(err))
	}
	counts := make([]notification.FailureCount, len(rows))
	for i, r := range rows {
		failure := notification.Failure(r.Reason)
		counts[i] = notification.FailureCount{Failure: failure, Messages: int(r.Messages), IsLeftOut: of.LeavesOut(failure)}
	}
	return counts, nil
}

// AddResending records that a caller has messages sent again, and returns the
// id of that. It is ErrResending while the organization has others sent again.
func (t *Tx) AddResending(ctx context.Context, by caller.Caller, of notification.Selection, total int) (int64, error) {
	id, err := t.q.AddResending(ctx, queries.AddResendingParams{
		OrgID: t.org, Since: of.Since, Until: of.Until, Event: string(of.Event), Channel: string(of.Channel),
		Failure: string(of.Failure), Provider: of.Provider, DeadAddresses: of.DeadAddresses,
		Total: int64(total), Actor: by.Actor(), Cause: by.Cause,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrResending
	}
	return id, translate(err)
}

// DropResending takes back a resending that could not be started.
func (t *Tx) DropResending(ctx context.Context, id int64) error {
	return translate(t.q.DropResending(ctx, queries.DropResendingParams{OrgID: t.org, ID: id}))
}

// Resending reads one resending.
func (s *Store) Resending(ctx context.Context, org, id int64) (notification.Resending, error) {
	rows, err := s.resendings(ctx, org, queries.ResendingsParams{OrgID: org, ID: &id, PageSize: 1})
	if err == nil && len(rows) == 0 {
		err = missing("resending", id, pgx.ErrNoRows)
	}
	if err != nil {
		return notification.Resending{}, err
	}
	return rows[0], nil
}

// Resendings returns a page of resendings before an id, newest first; 0 is the
// first page. If there are more, it returns one more than the page has.
func (s *Store) Resendings(ctx context.Context, org, before int64, size int32) ([]notification.Resending, error) {
	return s.resendings(ctx, org, queries.ResendingsParams{OrgID: org, Before: before, PageSize: size})
}

func (s *Store) resendings(
	ctx context.Context, org int64, p queries.ResendingsParams,
) ([]notification.Resending, error) {
	rows, err := s.of(org).Resendings(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read resendings: %w", translate(err))
	}
	all := make([]notification.Resending, len(rows))
	for i := range rows {
		all[i] = resendingOf(&rows[i].Resending)
		all[i].ActorName, all[i].StoppedByName = rows[i].ActorName, rows[i].StoppedByName
	}
	return all, nil
}

func resendingOf(r *queries.Resending) notification.Resending {
	of := notification.Resending{
		ID: r.ID, State: notification.ResendingState(r.State),
		Total: int(r.Total), Sent: int(r.Sent), Refused: int(r.Refused), Done: r.Done, Begun: r.Begun,
		Actor: r.Actor, Cause: r.Cause, StoppedBy: r.StoppedBy, StartedAt: r.StartedAt,
		Selection: notification.Selection{
			Since: r.Since, Until: r.Until, Event: notification.Event(r.Event), Channel: notification.Channel(r.Channel),
			Failure: notification.Failure(r.Failure), Provider: r.Provider, DeadAddresses: r.DeadAddresses,
		},
	}
	if r.EndedAt != nil {
		of.EndedAt = *r.EndedAt
	}
	return of
}

// LockResending returns a resending and locks it until the end of the
// transaction.
func (t *Tx) LockResending(ctx context.Context, id int64) (notification.Resending, error) {
	row, err := t.q.LockResending(ctx, queries.LockResendingParams{OrgID: t.org, ID: id})
	if err != nil {
		return notification.Resending{}, absent("resending", id, err)
	}
	return resendingOf(&row.Resending), nil
}

// BeginResendingBatch notes the last message of a batch that is about to be sent again.
func (t *Tx) BeginResendingBatch(ctx context.Context, id, last int64) error {
	return translate(t.q.BeginResendingBatch(ctx, queries.BeginResendingBatchParams{OrgID: t.org, ID: id, Begun: last}))
}

// AdvanceResending records the result of the current batch.
func (t *Tx) AdvanceResending(ctx context.Context, id int64, sent, refused int) error {
	return translate(t.q.AdvanceResending(ctx, queries.AdvanceResendingParams{
		OrgID: t.org, ID: id, Sent: int32(sent), Refused: int32(refused),
	}))
}

// EndResending ends a resending. actor is the user who stopped it, or empty if
// it finished.
func (t *Tx) EndResending(ctx context.Context, id int64, state notification.ResendingState, actor string) error {
	return translate(t.q.EndResending(ctx, queries.EndResendingParams{
		OrgID: t.org, ID: id, State: string(state), StoppedBy: actor,
	}))
}

// MessagesToResend returns the next messages of a resending, oldest first:
// those of the current batch, or else the next ones that nobody has retried.
func (t *Tx) MessagesToResend(ctx context.Context, r *notification.Resending, size int32) ([]NotificationState, error) {
	begun := r.Begun
	if begun == r.Done {
		begun = 0
	}
	rows, err := t.q.MessagesToResend(ctx, queries.MessagesToResendParams{
		OrgID: t.org, Since: r.Since, Until: r.Until, Event: string(r.Event), Channel: string(r.Channel),
		Failure: string(r.Failure), Provider: r.Provider, After: r.Done, Begun: begun, PageSize: size,
		LeftOut: columns.Of(r.LeaveOut(), func(f notification.Failure) string { return string(f) }),
	})
	if err != nil {
		return nil, fmt.Errorf("read messages to resend: %w", translate(err))
	}
	messages := make([]NotificationState, len(rows))
	for i := range rows {
		if messages[i], err = stateOf((*queries.NotificationForRetryRow)(&rows[i])); err != nil {
			return nil, err
		}
	}
	return messages, nil
}
