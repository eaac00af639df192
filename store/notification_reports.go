package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store/queries"
)

// Report is what a provider says of a message.
type Report struct {
	// ID is ours, and 0 when only the provider's is known.
	ID         int64
	ProviderID string
	// Key shows that a report comes again.
	Key        string
	Says       notification.Happening
	Code       string // the provider's own word
	Answer     string
	OccurredAt time.Time
	// Suppress puts the address on the suppression list when it moves the message.
	Suppress bool
}

// speaksOf reports whether a message is the one that the report names, by our
// id or else by the provider's. Many messages have no provider's id: a report
// without any name speaks of none of them.
func (r Report) speaksOf(message queries.LockReportedRow) bool {
	if r.ID != 0 {
		return message.ID == r.ID
	}
	return r.ProviderID != "" && message.ProviderID == r.ProviderID
}

// Reported is a message that reports spoke of, and how it stands after them.
type Reported struct {
	ID         int64
	WorkflowID string
	Status     notification.Status
}

// TakeReports keeps a provider's reports and moves the messages that they
// move, in one transaction. Reports that were kept before change nothing. It
// returns the messages, and how many reports spoke of none of the organization's.
func (s *Store) TakeReports(
	ctx context.Context, by caller.Caller, channel notification.Channel, provider string, reports []Report,
) (messages []Reported, unknown int, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		messages, unknown, err = t.takeReports(ctx, channel, provider, reports)
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("take reports: %w", err)
	}
	return messages, unknown, nil
}

func (t *Tx) takeReports(
	ctx context.Context, channel notification.Channel, provider string, reports []Report,
) ([]Reported, int, error) {
	rows, err := t.q.LockReported(ctx, queries.LockReportedParams{
		OrgID: t.org, Channel: string(channel),
		Ids:         column(reports, func(r Report) int64 { return r.ID }),
		ProviderIds: column(reports, func(r Report) string { return orUnheardOf(r.ProviderID) }),
	})
	if err != nil {
		return nil, 0, err
	}
	known := reports[:0:0]
	for _, r := range reports {
		if at := slices.IndexFunc(rows, r.speaksOf); at >= 0 {
			r.ID = rows[at].ID
			known = append(known, r)
		}
	}
	fresh, err := t.keepReports(ctx, provider, known)
	if err != nil {
		return nil, 0, err
	}
	messages, moves := decide(rows, channel, fresh)
	return messages, len(reports) - len(known), t.move(ctx, moves)
}

// orUnheardOf keeps an absent provider's id from matching anything.
func orUnheardOf(id string) string {
	if id == "" {
		return "-"
	}
	return id
}

// keepReports writes reports, and returns those that are new.
func (t *Tx) keepReports(ctx context.Context, provider string, reports []Report) ([]Report, error) {
	if len(reports) == 0 {
		return nil, nil
	}
	rows, err := t.q.InsertReports(ctx, queries.InsertReportsParams{
		OrgID: t.org, Provider: provider,
		Ids:        column(reports, func(r Report) int64 { return r.ID }),
		Statuses:   column(reports, func(r Report) string { return string(r.Says) }),
		Codes:      column(reports, func(r Report) string { return keepable(r.Code) }),
		Answers:    column(reports, func(r Report) string { return keepable(r.Answer) }),
		ReportKeys: column(reports, func(r Report) string { return keepable(r.Key) }),
		Occurred:   column(reports, func(r Report) time.Time { return believable(r.OccurredAt) }),
	})
	if err != nil {
		return nil, err
	}
	var fresh []Report
	for _, row := range rows {
		if at := slices.IndexFunc(reports, func(r Report) bool {
			return r.ID == row.NotificationID && keepable(r.Key) == row.ReportKey
		}); at >= 0 {
			fresh = append(fresh, reports[at])
		}
	}
	return fresh, nil
}

// reportMove is where reports bring a message.
type reportMove struct {
	id       int64
	status   notification.Status
	suppress bool
}

// decide lets the transition function judge reports, in their order.
func decide(
	rows []queries.LockReportedRow, channel notification.Channel, reports []Report,
) (messages []Reported, moves []reportMove) {
	for _, row := range rows {
		status, moved := notification.Status(row.Status), reportMove{id: row.ID}
		for _, r := range reports {
			if r.ID != row.ID {
				continue
			}
			if to, ok := notification.Next(channel, status, r.Says); ok {
				status, moved.status, moved.suppress = to, to, r.Suppress
			}
		}
		messages = append(messages, Reported{ID: row.ID, WorkflowID: row.WorkflowID, Status: status})
		if moved.status != "" {
			moves = append(moves, moved)
		}
	}
	return messages, moves
}

// move writes where reports bring messages.
func (t *Tx) move(ctx context.Context, moves []reportMove) error {
	if len(moves) == 0 {
		return nil
	}
	err := t.q.MoveReported(ctx, queries.MoveReportedParams{
		OrgID: t.org, Ids: column(moves, func(m reportMove) int64 { return m.id }),
		Statuses: column(moves, func(m reportMove) string { return string(m.status) }),
	})
	if err != nil {
		return err
	}
	var closed queries.SuppressParams
	for _, m := range moves {
		if m.suppress {
			put(&closed.Ids, m.id)
			put(&closed.Reasons, string(m.status))
		}
	}
	if len(closed.Ids) == 0 {
		return nil
	}
	closed.OrgID = t.org
	return t.q.Suppress(ctx, closed)
}

// takeUpReports applies the reports that came before a message was known to
// be sent.
func (s *Store) takeUpReports(ctx context.Context, by caller.Caller, id int64) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		var rows []queries.LockReportedRow
		for _, channel := range []notification.Channel{notification.Email, notification.SMS} {
			found, err := t.q.LockReported(ctx, queries.LockReportedParams{
				OrgID: by.OrgID, Channel: string(channel), Ids: []int64{id}, ProviderIds: []string{},
			})
			if err != nil {
				return err
			}
			rows = append(rows, found...)
		}
		if len(rows) == 0 {
			return ErrNotFound
		}
		said, err := t.q.EarlyReports(ctx, queries.EarlyReportsParams{OrgID: by.OrgID, ID: id})
		if err != nil {
			return err
		}
		reports := column(said, func(says string) Report {
			happening := notification.Happening(says)
			return Report{ID: id, Says: happening, Suppress: happening != notification.ReportedDelivered}
		})
		_, moves := decide(rows, notification.Channel(rows[0].Channel), reports)
		return t.move(ctx, moves)
	})
}

// Suppression is an address to which nothing more is sent.
type Suppression = queries.ListSuppressionsRow

// Suppressions lists the closed addresses of an organization.
func (s *Store) Suppressions(ctx context.Context, org int64) ([]Suppression, error) {
	rows, err := s.of(org).ListSuppressions(ctx, org)
	return rows, translate(err)
}

// RemoveSuppression opens an address again; ErrNotFound when it was not closed.
func (s *Store) RemoveSuppression(ctx context.Context, org int64, address string) error {
	removed, err := s.of(org).RemoveSuppression(ctx, queries.RemoveSuppressionParams{OrgID: org, Address: address})
	if err == nil && removed == 0 {
		return ErrNotFound
	}
	return translate(err)
}

// believable replaces times that cannot be true, and that Postgres may not take.
func believable(at time.Time) time.Time {
	if year := at.Year(); year < 2000 || year > 2199 {
		return time.Now()
	}
	return at
}

// maxAnswer is how much of a provider's answer is kept, in bytes.
const maxAnswer = 1000

// keepable makes a text from outside one that Postgres takes.
func keepable(text string) string {
	if len(text) > maxAnswer {
		text = text[:maxAnswer]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}
