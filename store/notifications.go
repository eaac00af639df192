package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store/columns"
	"waybill/store/queries"
)

// DueNotification is a message that an event is to make.
type DueNotification struct {
	OrgID   int64
	Key     notification.Key
	Channel notification.Channel
	Event   notification.Event
	OrderID int64  // 0 when the event is of no order
	Number  string // that the event refers to, or empty
}

// DueNotifications returns the messages that organizations' rules create for
// events. Events without a matching rule create none.
func (s *Store) DueNotifications(ctx context.Context, events []Event) ([]DueNotification, error) {
	var p queries.DueNotificationsParams
	numbers := map[int64]string{}
	for _, e := range events {
		if name, ok := notification.EventOf(e.Kind); ok {
			columns.Add(&p.Orgs, e.OrgID)
			columns.Add(&p.Events, e.ID)
			columns.Add(&p.Times, e.RecordedAt)
			columns.Add(&p.Names, string(name))
			numbers[e.ID] = e.ExternalID
		}
	}
	if len(p.Events) == 0 {
		return nil, nil
	}
	rows, err := s.anyone().DueNotifications(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("find due notifications: %w", translate(err))
	}
	due := make([]DueNotification, len(rows))
	for i, row := range rows {
		due[i] = DueNotification{
			OrgID: row.OrgID, Key: notification.Key{EventID: row.EventID, RuleID: row.RuleID, Receiver: row.Receiver},
			Channel: notification.Channel(row.Channel), Event: notification.Event(row.Event), OrderID: row.OrderID,
			Number: numbers[row.EventID],
		}
	}
	return due, nil
}

// HandOver records messages that are about to get their workflows, so that no
// later message about an order overtakes one that is not in the log yet.
// Messages without an order have no sequence.
func (s *Store) HandOver(ctx context.Context, due []DueNotification) error {
	var p queries.HandOverMessagesParams
	for _, d := range due {
		if d.OrderID != 0 {
			columns.Add(&p.Orgs, d.OrgID)
			columns.Add(&p.Events, d.Key.EventID)
			columns.Add(&p.Rules, d.Key.RuleID)
			columns.Add(&p.Receivers, int64(d.Key.Receiver))
			columns.Add(&p.Channels, string(d.Channel))
			columns.Add(&p.Orders, d.OrderID)
		}
	}
	if len(p.Events) == 0 {
		return nil
	}
	if err := s.anyone().HandOverMessages(ctx, p); err != nil {
		return fmt.Errorf("record messages handed over: %w", translate(err))
	}
	return nil
}

// ForgetHandover deletes the record of a handover for which no message is sent.
func (t *Tx) ForgetHandover(ctx context.Context, key notification.Key) error {
	return translate(t.q.ForgetHandover(ctx, queries.ForgetHandoverParams{
		OrgID: t.org, EventID: key.EventID, RuleID: key.RuleID, Receiver: int64(key.Receiver),
	}))
}

// NotificationFacts are all that a message may speak of, and the latest try of
// the same message.
type NotificationFacts = queries.NotificationFactsRow

// NotificationFacts loads the contents of a message, or ErrNotFound if its rule
// or event is gone.
func (t *Tx) NotificationFacts(ctx context.Context, key notification.Key) (NotificationFacts, error) {
	row, err := t.q.NotificationFacts(ctx, queries.NotificationFactsParams{
		OrgID: t.org, RuleID: key.RuleID, EventID: key.EventID, Receiver: key.Receiver, Key: key.String(),
	})
	return row, translate(err)
}

// KnowsEvent reports whether the log has an event with an id.
func (t *Tx) KnowsEvent(ctx context.Context, id int64) (bool, error) {
	known, err := t.q.KnowsEvent(ctx, queries.KnowsEventParams{OrgID: t.org, ID: id})
	return known, translate(err)
}

// AccountFacts are all that a message about an account may speak of.
type AccountFacts = queries.AccountFactsRow

// AccountFacts loads the contents of a message about an account, or ErrNotFound
// if its event is gone.
func (t *Tx) AccountFacts(ctx context.Context, key notification.Key) (AccountFacts, error) {
	row, err := t.q.AccountFacts(ctx, queries.AccountFactsParams{OrgID: t.org, EventID: key.EventID, Key: key.String()})
	return row, translate(err)
}

// NewNotification is a message to be recorded.
type NewNotification struct {
	Key                 notification.Key
	Channel             notification.Channel
	Event               notification.Event
	Try                 int16
	RetryOf             int64
	WorkflowID, RunID   string
	OrderID             int64
	StopID, ContactID   int64
	Receiver, Sender    string
	Message             notification.Message
	Provider            string
	SendFrom, SendUntil *time.Time
	// TrackTraceCode is the code of its tracking link, or empty.
	TrackTraceCode string
}

// InsertNotification records a message as queued, with its event.
func (t *Tx) InsertNotification(ctx context.Context, n NewNotification) (int64, error) {
	return t.q.InsertNotification(ctx, queries.InsertNotificationParams{
		OrgID: t.org, Channel: string(n.Channel), Key: n.Key.String(), Try: n.Try, RetryOf: n.RetryOf,
		WorkflowID: n.WorkflowID, RunID: n.RunID, Event: string(n.Event), EventID: n.Key.EventID, RuleID: n.Key.RuleID,
		ReceiverAt: int64(n.Key.Receiver), OrderID: n.OrderID, StopID: n.StopID, ContactID: n.ContactID,
		Receiver: n.Receiver, Sender: n.Sender,
		Subject: n.Message.Subject, Body: n.Message.Text, BodyHtml: n.Message.HTML, Provider: n.Provider,
		SendWindowFrom: n.SendFrom, SendWindowTo: n.SendUntil, TrackTraceCode: n.TrackTraceCode,
	})
}

// TallyMessage counts one more message of a day and returns the new total.
// receiver is a digest of the recipient.
func (t *Tx) TallyMessage(
	ctx context.Context, channel notification.Channel, receiver []byte, day time.Time,
) (notification.Tally, error) {
	row, err := t.q.TallyMessage(ctx, queries.TallyMessageParams{
		OrgID: t.org, Day: day, Channel: string(channel), Receiver: receiver,
	})
	return notification.Tally{Together: int(row.Together), Received: int(row.Received)}, err
}

// TallySeries counts one more message of a day from recurring orders for a
// receiver, and returns the new total.
func (t *Tx) TallySeries(
	ctx context.Context, channel notification.Channel, receiver []byte, day time.Time,
) (int, error) {
	made, err := t.q.TallySeries(ctx, queries.TallySeriesParams{
		OrgID: t.org, Day: day, Channel: string(channel), Receiver: receiver,
	})
	return int(made), err
}

// AdoptNotification hands a message that is under way over to another run.
func (t *Tx) AdoptNotification(ctx context.Context, id int64, runID string) error {
	return t.q.AdoptNotification(ctx, queries.AdoptNotificationParams{OrgID: t.org, ID: id, RunID: runID})
}

// Attempt is what is needed to send a message through its provider.
type Attempt = queries.BeginAttemptRow

// BeginAttempt marks that a message is about to be sent through its provider.
// It marks nothing, and Begun is false, if too many attempts ended without an
// answer, or the message must not be sent for another reason.
func (t *Tx) BeginAttempt(ctx context.Context, id int64, mostUnanswered int16) (Attempt, error) {
	rows, err := t.q.BeginAttempt(ctx, queries.BeginAttemptParams{
		OrgID: t.org, ID: id, MostUnanswered: mostUnanswered,
	})
	if err == nil && len(rows) == 0 {
		return Attempt{}, &Absent{Resource: "notification", ID: id}
	}
	if err != nil {
		return Attempt{}, fmt.Errorf("begin attempt: %w", translate(err))
	}
	return rows[0], nil
}

// MessageToSend is a message that is about to be handed to its provider.
type MessageToSend = queries.MessageToSendRow

// MessageToSend reads a message that is about to be handed to its provider. Patience is
// how long it waits for earlier ones after it was made.
func (t *Tx) MessageToSend(ctx context.Context, id int64, patience time.Duration) (MessageToSend, error) {
	row, err := t.q.MessageToSend(ctx, queries.MessageToSendParams{OrgID: t.org, ID: id, Patience: patience.Seconds()})
	return row, missing("notification", id, err)
}

// CorrectMessage updates the text and the recipient of a waiting message.
func (t *Tx) CorrectMessage(ctx context.Context, id int64, n *NewNotification) error {
	err := t.q.CorrectMessage(ctx, queries.CorrectMessageParams{
		OrgID: t.org, ID: id, Receiver: n.Receiver, Subject: n.Message.Subject, Body: n.Message.Text,
		BodyHtml: n.Message.HTML, StopID: n.StopID, ContactID: n.ContactID, TrackTraceCode: n.TrackTraceCode,
	})
	if err != nil {
		return fmt.Errorf("correct message: %w", translate(err))
	}
	return nil
}

// AttemptFault is the result of a failed attempt.
type AttemptFault struct {
	Code, Answer string
	// Answered is true if the provider certainly did not accept the message.
	// Closes is true if no more messages may be sent to the address.
	Answered, Closes bool
	// Next is when the message is tried again; zero for never.
	Next time.Time
}

// NoteFault saves the result of a failed attempt.
func (s *Store) NoteFault(ctx context.Context, org, id int64, f AttemptFault) error {
	p := queries.NoteFaultParams{
		OrgID: org, ID: id, Code: keepable(f.Code), Answer: keepable(f.Answer), Closes: f.Closes,
	}
	if !f.Next.IsZero() {
		p.NextAt = &f.Next
	}
	if f.Answered {
		p.Answered = 1
	}
	return translate(s.of(org).NoteFault(ctx, p))
}

// Settlement is where the end of sending brings a message, and from where.
type Settlement struct {
	Before     []notification.Status
	Status     notification.Status
	Failure    notification.Failure
	ProviderID string
	// DoubtOutweighs makes the message count as sent if one of its attempts has
	// no answer, because it may have arrived.
	DoubtOutweighs bool
}

// Settled reports whether a settlement changed its message's status, to which
// one, and whether reports had arrived before.
type Settled struct {
	Moved    bool
	Status   notification.Status
	Reported bool
}

// InMessageTx is InTx with a message locked before anything else is read, so that
// work sees every report of it that was kept before.
func (s *Store) InMessageTx(ctx context.Context, by caller.Caller, id int64, work func(*Tx) error) error {
	begin := beginAs(ctx, by) + fmt.Sprintf(
		"; select from notifications where org_id = %d and id = %d for no key update", by.OrgID, id)
	return s.inTx(ctx, by.OrgID, begin, work)
}

// SettleNotification sets the final status of a message after sending. It
// leaves a message alone whose status no longer allows that.
func (t *Tx) SettleNotification(ctx context.Context, id int64, end Settlement) (Settled, error) {
	rows, err := t.q.SettleNotification(ctx, queries.SettleNotificationParams{
		OrgID: t.org, ID: id, Status: string(end.Status), Failure: string(end.Failure), ProviderID: end.ProviderID,
		Before:         columns.Of(end.Before, func(s notification.Status) string { return string(s) }),
		DoubtOutweighs: end.DoubtOutweighs,
	})
	if err != nil {
		return Settled{}, fmt.Errorf("settle notification: %w", err)
	}
	if len(rows) == 0 {
		return Settled{}, nil
	}
	return Settled{Moved: true, Status: notification.Status(rows[0].Status), Reported: rows[0].Reported}, nil
}

// NotificationState is the status of a message.
type NotificationState struct {
	ID        int64
	Channel   notification.Channel
	Key       notification.Key
	Event     notification.Event
	Status    notification.Status
	Failure   notification.Failure // empty unless it failed
	Uncertain bool                 // whether it counts as sent, but may not have been
	Received  bool                 // whether a provider has reported its delivery
	RunID     string
	OrderID   int64
	Number    string // of the order, or empty
	LastTry   int
	RetriedBy int64 // 0 when it was not retried
	Logged    bool  // whether the log still has its event
}

// NotificationState returns the status of a message.
func (t *Tx) NotificationState(ctx context.Context, id int64) (NotificationState, error) {
	return notificationState(ctx, t.q, t.org, id)
}

// NotificationState returns the status of a message.
func (s *Store) NotificationState(ctx context.Context, org, id int64) (NotificationState, error) {
	return notificationState(ctx, s.of(org), org, id)
}

func notificationState(ctx context.Context, q *queries.Queries, org, id int64) (NotificationState, error) {
	row, err := q.NotificationForRetry(ctx, queries.NotificationForRetryParams{OrgID: org, ID: id})
	if err != nil {
		return NotificationState{}, missing("notification", id, err)
	}
	return stateOf(&row)
}

func stateOf(row *queries.NotificationForRetryRow) (NotificationState, error) {
	key, err := notification.ParseKey(row.Key)
	return NotificationState{
		ID: row.ID, Channel: notification.Channel(row.Channel), Key: key, Event: notification.Event(row.Event),
		Status: notification.Status(row.Status), Failure: notification.Failure(row.Failure), RunID: row.RunID,
		Uncertain: row.Uncertain, Received: row.Received,
		OrderID: row.OrderID, Number: row.Number, LastTry: int(row.LastTry), RetriedBy: row.RetriedBy, Logged: row.Logged,
	}, err
}

// MessagingSettings are the names of an organization's secrets.
type MessagingSettings = queries.MessagingSettingsRow

// MessagingSettings reads the names of an organization's secrets.
func (s *Store) MessagingSettings(ctx context.Context, org int64) (MessagingSettings, error) {
	row, err := s.of(org).MessagingSettings(ctx, org)
	return row, translate(err)
}
