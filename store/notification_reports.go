package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/store/columns"
	"waybill/store/queries"
)

// ReportedMessage is a message that reports speak of.
type ReportedMessage struct {
	ID         int64
	ProviderID string
	WorkflowID string
	Status     notification.Status
	// InDoubt is true if the message waits because the provider may have
	// accepted it.
	InDoubt bool
}

// LockReported takes the messages of a channel that reports speak of, by our id
// or the provider's, for this transaction.
func (t *Tx) LockReported(
	ctx context.Context, channel notification.Channel, reports []notification.Report,
) ([]ReportedMessage, error) {
	rows, err := t.q.LockReported(ctx, queries.LockReportedParams{
		OrgID: t.org, Channel: string(channel),
		Ids:         columns.Of(reports, func(r notification.Report) int64 { return r.ID }),
		ProviderIds: columns.Of(reports, func(r notification.Report) string { return orUnheardOf(r.ProviderID) }),
	})
	if err != nil {
		return nil, fmt.Errorf("lock reported messages: %w", err)
	}
	return each(rows, func(r queries.LockReportedRow) ReportedMessage {
		return ReportedMessage{
			ID: r.ID, ProviderID: r.ProviderID, WorkflowID: r.WorkflowID, Status: notification.Status(r.Status),
			InDoubt: r.InDoubt,
		}
	}), nil
}

// orUnheardOf keeps an absent provider's id from matching anything.
func orUnheardOf(id string) string {
	if id == "" {
		return "-"
	}
	return id
}

// SaveReports saves reports, and returns the new ones.
func (t *Tx) SaveReports(
	ctx context.Context, provider string, reports []notification.Report,
) ([]notification.Report, error) {
	if len(reports) == 0 {
		return nil, nil
	}
	rows, err := t.q.InsertReports(ctx, queries.InsertReportsParams{
		OrgID: t.org, Provider: provider,
		Ids:        columns.Of(reports, func(r notification.Report) int64 { return r.ID }),
		Statuses:   columns.Of(reports, func(r notification.Report) string { return string(r.Says) }),
		Codes:      columns.Of(reports, func(r notification.Report) string { return keepable(r.Code) }),
		Answers:    columns.Of(reports, func(r notification.Report) string { return keepable(r.Answer) }),
		ReportKeys: columns.Of(reports, func(r notification.Report) string { return keepable(r.Key) }),
		Occurred:   columns.Of(reports, func(r notification.Report) time.Time { return believable(r.OccurredAt) }),
	})
	if err != nil {
		return nil, fmt.Errorf("save reports: %w", err)
	}
	var fresh []notification.Report
	for _, row := range rows {
		if at := slices.IndexFunc(reports, func(r notification.Report) bool {
			return r.ID == row.NotificationID && keepable(r.Key) == row.ReportKey
		}); at >= 0 {
			fresh = append(fresh, reports[at])
		}
	}
	return fresh, nil
}

// LoadReports returns the reports about one message in the order of their
// arrival.
func (t *Tx) LoadReports(ctx context.Context, id int64) ([]notification.Outcome, error) {
	said, err := t.q.EarlyReports(ctx, queries.EarlyReportsParams{OrgID: t.org, ID: id})
	if err != nil {
		return nil, fmt.Errorf("load reports: %w", err)
	}
	return each(said, func(says string) notification.Outcome { return notification.Outcome(says) }), nil
}

// MovedMessage is a message that reports have moved.
type MovedMessage struct {
	ID       int64
	Status   notification.Status
	Suppress bool
}

// MoveReported saves the statuses that reports gave to messages, each with its
// event, and suppresses addresses as needed.
func (t *Tx) MoveReported(ctx context.Context, moved []MovedMessage) error {
	if len(moved) == 0 {
		return nil
	}
	err := t.q.MoveReported(ctx, queries.MoveReportedParams{
		OrgID: t.org, Ids: columns.Of(moved, func(m MovedMessage) int64 { return m.ID }),
		Statuses: columns.Of(moved, func(m MovedMessage) string { return string(m.Status) }),
	})
	if err != nil {
		return fmt.Errorf("move reported messages: %w", err)
	}
	var closed queries.SuppressParams
	for _, m := range moved {
		if m.Suppress {
			columns.Add(&closed.Ids, m.ID)
			columns.Add(&closed.Reasons, string(m.Status))
		}
	}
	if len(closed.Ids) == 0 {
		return nil
	}
	closed.OrgID = t.org
	return t.q.Suppress(ctx, closed)
}

// Suppression is an address that gets no more messages.
type Suppression = queries.ListSuppressionsRow

// SuppressionFilter selects suppressed addresses that contain a text, after a
// given one of a channel.
type SuppressionFilter struct {
	Part            string
	Channel, Behind string
}

// Suppressions lists suppressed addresses of an organization by channel and
// address, and reports whether there are more.
func (s *Store) Suppressions(
	ctx context.Context, org int64, f SuppressionFilter, size int32,
) (page []Suppression, more bool, err error) {
	page, err = s.of(org).ListSuppressions(ctx, queries.ListSuppressionsParams{
		OrgID: org, Channel: f.Channel, Behind: f.Behind, Part: f.Part, Size: size + 1,
	})
	if more = len(page) > int(size); more {
		page = page[:size]
	}
	return page, more, translate(err)
}

// RemoveSuppression opens an address again, with an event for each of its
// channels, or ErrNotFound if it was not closed.
func (s *Store) RemoveSuppression(ctx context.Context, by caller.Caller, address string) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		removed, err := t.q.RemoveSuppression(ctx, queries.RemoveSuppressionParams{OrgID: t.org, Address: address})
		if err != nil {
			return err
		}
		if len(removed) == 0 {
			return ErrNotFound
		}
		lifted := make([]event.Event, len(removed))
		for i, r := range removed {
			lifted[i] = event.Suppression{MessageID: r.NotificationID, Channel: r.Channel, Reason: r.Reason}.Lifted()
		}
		return t.Append(ctx, lifted...)
	})
}

// believable replaces times that can't be true, and that Postgres may reject.
func believable(at time.Time) time.Time {
	if year := at.Year(); year < 2000 || year > 2199 {
		return time.Now()
	}
	return at
}

// maxAnswer is how much of a provider's answer is kept, in bytes.
const maxAnswer = 1000

// keepable converts external text to one that Postgres accepts.
func keepable(text string) string {
	if len(text) > maxAnswer {
		text = text[:maxAnswer]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}
