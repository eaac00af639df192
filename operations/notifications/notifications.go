// Package notifications records messages, sends them, and takes the reports of providers. It also
// notes which orders receivers are to be reminded of.
package notifications

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store      *store.Store
	now        func() time.Time
	links      Links
	accounts   Accounts
	objections Objections
	settings   Messaging
}

// Links keeps links to the pages on which an order is followed.
type Links interface {
	KeepLink(ctx context.Context, t *store.Tx, f *store.NotificationFacts) (store.TrackingLink, error)
	// Pages is the address of the organization's pages, which the code of a link follows.
	Pages(ctx context.Context, t *store.Tx) (string, error)
}

// Accounts writes the secret of a message about an account into it as it is sent.
type Accounts interface {
	PutLink(ctx context.Context, c caller.Caller, a *store.Attempt) error
}

// Objections knows the addresses of erased people who want no messages.
type Objections interface {
	Objects(ctx context.Context, t *store.Tx, address string) (bool, error)
	WithdrawObjection(ctx context.Context, c caller.Caller, address string) (withdrawn bool, err error)
}

// New makes the operations over a store; now is the clock.
func New(
	s *store.Store, now func() time.Time, links Links, accounts Accounts, objections Objections, settings Messaging,
) *Operations {
	return &Operations{store: s, now: now, links: links, accounts: accounts, objections: objections, settings: settings}
}

// NewMessage is a message that is to be recorded, and the run of a workflow that
// sends it.
type NewMessage struct {
	Key               notification.Key
	WorkflowID, RunID string
	// RetryOf is the message that this one retries, 0 for none.
	RetryOf int64
	// Reset says that a person sent the workflow back to an earlier point.
	Reset bool
}

// RecordedMessage is a message in the log. ID is 0 when there is nothing to say,
// or another workflow says it.
type RecordedMessage struct {
	ID     int64
	Status notification.Status
	// Failure is why it failed, or why it must not be sent.
	Failure notification.Failure
	// SendFrom and SendUntil bound the time to send it; nil for none.
	SendFrom   *time.Time
	SendUntil  *time.Time
	ReportWait time.Duration
	// ReleaseAt is when the plan is to be released that it waits for; nil for none.
	ReleaseAt *time.Time
}

// RecordNotification writes what is to be said into the log, once per run of a
// workflow: who comes again finds it. A run that begins anew after its message
// has failed, and a retry, write another one that names the first. The one that
// was under way is carried on instead.
func (o *Operations) RecordNotification(ctx context.Context, c caller.Caller, m NewMessage) (RecordedMessage, error) {
	var recorded RecordedMessage
	var over *OverQuota
	err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
		recorded, over, err = o.recordNotification(ctx, t, &m)
		return err
	})
	if err != nil {
		return RecordedMessage{}, fmt.Errorf("record notification: %w", err)
	}
	if over != nil && o.settings.Alarm != nil {
		o.settings.Alarm(ctx, *over)
	}
	return recorded, nil
}

// reportWait is how long a report is waited for: not at all where none can come.
func (o *Operations) reportWait(channel notification.Channel, reportsMail, sandboxed bool) time.Duration {
	m := &o.settings
	if sandboxed && !m.SandboxSends || channel == notification.Email && !m.MailReports && !reportsMail {
		return 0
	}
	return m.ReportWait
}

// recordUnruledMessage records a message that no rule of messages wants: one about an account
// or an alert.
func (o *Operations) recordUnruledMessage(ctx context.Context, t *store.Tx, m *NewMessage) (RecordedMessage, error) {
	recorded, err := o.recordAccountMessage(ctx, t, m)
	if errors.Is(err, errNoAccount) {
		return o.recordAlertMessage(ctx, t, m)
	}
	return recorded, err
}

func (o *Operations) recordNotification(
	ctx context.Context, t *store.Tx, m *NewMessage,
) (recorded RecordedMessage, over *OverQuota, err error) {
	if m.Key.OfAccount() {
		recorded, err = o.recordUnruledMessage(ctx, t, m)
		return recorded, nil, err
	}
	facts, err := t.NotificationFacts(ctx, m.Key)
	if errors.Is(err, store.ErrNotFound) { // the rule is gone, so nothing is to be said
		if err := eventIsThere(ctx, t, m.Key); err != nil {
			return recorded, nil, err
		}
		return recorded, nil, t.ForgetHandover(ctx, m.Key)
	}
	if err != nil {
		return recorded, nil, err
	}
	wait := o.reportWait(notification.Channel(facts.Channel), facts.ReportsMail, facts.Sandbox)
	release := o.releaseAt(&facts)
	if recorded, done, err := carryOn(ctx, t, m, &facts); done || err != nil {
		recorded.ReportWait, recorded.ReleaseAt = wait, release
		return recorded, nil, err
	}
	link, err := o.linkOf(ctx, t, &facts)
	if err != nil {
		return recorded, nil, err
	}
	n := o.compose(m.Key, facts, link)
	if over, err = o.applyQuota(ctx, t, &n, &facts); err != nil {
		return recorded, nil, err
	}
	if err := o.keepTime(ctx, t, &facts, &n); err != nil {
		return recorded, nil, err
	}
	n.triedAgain(m, &facts)
	recorded = RecordedMessage{
		Status: notification.Queued, Failure: n.refused, SendFrom: n.SendFrom, SendUntil: n.SendUntil,
		ReportWait: wait, ReleaseAt: release,
	}
	recorded.ID, err = t.InsertNotification(ctx, n.NewNotification)
	return recorded, over, err
}

// triedAgain notes which run sends a message, and which try of it that is.
func (n *composed) triedAgain(m *NewMessage, facts *store.NotificationFacts) {
	n.WorkflowID, n.RunID, n.RetryOf = m.WorkflowID, m.RunID, facts.PriorID
	if facts.PriorID != 0 {
		n.Try = facts.PriorTry + 1
	}
}

// eventIsThere returns an error when the database does not know the event of a message. Then it
// is not the database that began the message's workflow, and the message must not get lost
// without a word.
func eventIsThere(ctx context.Context, t *store.Tx, key notification.Key) error {
	known, err := t.KnowsEvent(ctx, key.EventID)
	if err == nil && !known {
		err = &store.Absent{Resource: "event", ID: key.EventID}
	}
	return err
}

// carryOn looks at the latest try of the same message. Done is false when
// another one is to be recorded.
func carryOn(
	ctx context.Context, t *store.Tx, m *NewMessage, facts *store.NotificationFacts,
) (found RecordedMessage, done bool, err error) {
	if facts.PriorID == 0 {
		return RecordedMessage{}, false, nil
	}
	status, ours := notification.Status(facts.PriorStatus), facts.PriorWorkflow == m.WorkflowID
	found = RecordedMessage{
		ID: facts.PriorID, Status: status, Failure: notification.Failure(facts.PriorFailure),
		SendFrom: facts.PriorWindowFrom, SendUntil: facts.PriorWindowTo,
	}
	switch {
	case ours && facts.PriorRun == m.RunID:
		return found, true, nil
	case status.Retryable() && (m.Reset || m.RetryOf == facts.PriorID),
		facts.PriorUncertain && m.RetryOf == facts.PriorID:
		return RecordedMessage{}, false, nil
	case ours && status.Waiting():
		return found, true, t.AdoptNotification(ctx, facts.PriorID, m.RunID)
	case ours:
		return found, true, nil
	}
	return RecordedMessage{}, true, nil
}

// Ending is how the sending of a message ended: it failed, or else it was sent.
type Ending struct {
	Channel    notification.Channel
	Failure    notification.Failure
	ProviderID string
}

// by is what the ending is to the message's status.
func (e Ending) by() notification.Outcome {
	if e.Failure != "" {
		return notification.SendingFailed
	}
	return notification.HandedOver
}

// SettledMessage is where a message stands. Again says that it failed in an
// earlier run of the workflow, which a person has sent back: it is to be sent
// anew.
type SettledMessage struct {
	Status  notification.Status
	Failure notification.Failure
	Again   bool
}

// SettleNotification records how the sending of a message ended, for the run of
// its workflow that asks, unless it has ended already. Reports that came before
// it was known to be sent are taken up in the same transaction.
func (o *Operations) SettleNotification(
	ctx context.Context, c caller.Caller, id int64, runID string, end Ending,
) (SettledMessage, error) {
	var settled SettledMessage
	var told *Ending
	err := o.store.InMessageTx(ctx, c, id, func(t *store.Tx) error {
		end, err := o.judgeEnding(ctx, t, id, end)
		if err != nil {
			return err
		}
		_, moved, err := settle(ctx, t, id, end)
		if err != nil {
			return err
		}
		if told = nil; moved {
			told = &end
		}
		state, err := t.NotificationState(ctx, id)
		if err != nil {
			return err
		}
		if !moved && state.Status == notification.Sent {
			// A release until v0.2.0 may have died before it took up the early reports.
			if state.Status, err = takeUpReports(ctx, t, id, end.Channel); err != nil {
				return err
			}
		}
		settled = SettledMessage{
			Status: state.Status, Failure: state.Failure,
			Again: !moved && state.RunID != runID && state.Status.Retryable(),
		}
		return nil
	})
	if err == nil && told != nil {
		o.ended(*told)
	}
	return settled, err
}

// settle moves a message as the end of its sending says, and takes up the reports
// that came before it was known to be sent. Moved is false when it has ended
// already.
func settle(
	ctx context.Context, t *store.Tx, id int64, end Ending,
) (status notification.Status, moved bool, err error) {
	before := notification.Before(end.Channel, end.by())
	status, _ = notification.Next(end.Channel, before[0], end.by())
	failure := end.Failure.Known()
	settled, err := t.SettleNotification(ctx, id, store.Settlement{
		Before: before, Status: status, Failure: failure, ProviderID: end.ProviderID,
		DoubtOutweighs: failure.Unanswered() == notification.Uncertain,
	})
	if err != nil || !settled.Moved {
		return "", false, err
	}
	status = settled.Status
	if settled.Reported && status == notification.Sent {
		status, err = takeUpReports(ctx, t, id, end.Channel)
	}
	return status, true, err
}
