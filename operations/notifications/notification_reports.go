package notifications

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store"
)

// ReportedMessage is a message that reports spoke of, and how it stands after
// them.
type ReportedMessage struct {
	ID         int64
	WorkflowID string
	Status     notification.Status
}

// TakenReports are what became of a provider's reports.
type TakenReports struct {
	Messages []ReportedMessage
	// Unknown is how many reports spoke of none of the organization's messages.
	Unknown int
}

// TakeReports keeps the reports of the caller, a provider, and moves the messages
// that they move. Reports that were kept before change nothing.
func (o *Operations) TakeReports(
	ctx context.Context, c caller.Caller, channel notification.Channel, reports []notification.Report,
) (TakenReports, error) {
	var taken TakenReports
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		messages, err := t.LockReported(ctx, channel, reports)
		if err != nil {
			return err
		}
		known := knownReports(messages, reports)
		fresh, err := t.SaveReports(ctx, c.Name, known)
		if err != nil {
			return err
		}
		taken.Unknown = len(reports) - len(known)
		taken.Messages, err = judgeReports(ctx, t, channel, messages, fresh)
		return err
	})
	if err != nil {
		return TakenReports{}, fmt.Errorf("process reports: %w", err)
	}
	return taken, nil
}

// knownReports are the reports that speak of messages, each with our id of its
// message.
func knownReports(messages []store.ReportedMessage, reports []notification.Report) []notification.Report {
	var known []notification.Report
	for _, r := range reports {
		if at := slices.IndexFunc(messages, func(m store.ReportedMessage) bool {
			return r.SpeaksOf(m.ID, m.ProviderID)
		}); at >= 0 {
			r.ID = messages[at].ID
			known = append(known, r)
		}
	}
	return known
}

// judgeReports moves messages as reports say, and returns how they stand then. A report
// also settles the doubt whether a message was taken.
func judgeReports(
	ctx context.Context, t *store.Tx, channel notification.Channel,
	messages []store.ReportedMessage, reports []notification.Report,
) ([]ReportedMessage, error) {
	var moved []store.MovedMessage
	reported := make([]ReportedMessage, len(messages))
	for i, m := range messages {
		from, after := m.Status, m.Status
		if m.InDoubt {
			from = notification.Sent
		}
		if judged := notification.Judge(channel, m.ID, from, reports); judged.Moved {
			moved = append(moved, store.MovedMessage{ID: m.ID, Status: judged.Status, Suppress: judged.Suppress})
			after = judged.Status
		}
		reported[i] = ReportedMessage{ID: m.ID, WorkflowID: m.WorkflowID, Status: after}
	}
	return reported, t.MoveReported(ctx, moved)
}

// takeUpReports moves a message as the reports say that came before it was known
// to be sent, and returns where it stands then.
func takeUpReports(
	ctx context.Context, t *store.Tx, id int64, channel notification.Channel,
) (notification.Status, error) {
	messages, err := t.LockReported(ctx, channel, []notification.Report{{ID: id}})
	if err != nil {
		return "", err
	}
	if len(messages) == 0 {
		return "", &store.Absent{Resource: "notification", ID: id}
	}
	said, err := t.LoadReports(ctx, id)
	if err != nil {
		return "", err
	}
	reports := make([]notification.Report, len(said))
	for i, says := range said {
		reports[i] = notification.EarlyReport(id, says)
	}
	after, err := judgeReports(ctx, t, channel, messages, reports)
	if err != nil {
		return "", fmt.Errorf("process early reports: %w", err)
	}
	return after[0].Status, nil
}
