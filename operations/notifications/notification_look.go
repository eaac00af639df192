package notifications

import (
	"context"
	"errors"
	"time"

	"waybill/domain/driving"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/operations/core"
	"waybill/providers"
	"waybill/store"
)

// How long a message about an order waits for an earlier one to the same receiver, after
// it was made, and how often it looks.
const (
	behindPatience = 10 * time.Minute
	behindPause    = 5 * time.Second
)

// SendingPostponed is the error of an attempt that is not begun yet.
type SendingPostponed struct {
	For time.Duration
	Why string
}

// Error says why.
func (p *SendingPostponed) Error() string { return p.Why }

// look is what a last look at a message found. Its attempt is begun unless the message
// has ended, is postponed or must not be sent.
type look struct {
	attempt   store.Attempt
	validity  time.Duration // how long the message is worth delivering; 0 for no bound
	ended     notification.Status
	postponed *SendingPostponed
	refused   *providers.Fault
}

// lookAgain looks at a message right before it is handed to its provider: whether it is
// settled, whether it still holds, and what it says now. The row is locked.
func (o *Operations) lookAgain(ctx context.Context, t *store.Tx, id int64) (look, error) {
	m, err := t.MessageToSend(ctx, id, behindPatience)
	if err != nil {
		return look{}, err
	}
	seen := look{}
	if status := notification.Status(m.Status); !status.Waiting() {
		seen.ended = status
		return seen, nil
	}
	if m.IsSuspended {
		seen.postponed = &SendingPostponed{For: core.SuspendedPause, Why: "the organization is suspended"}
		return seen, nil
	}
	if m.Unanswered > 0 {
		if done, err := o.settleDoubt(ctx, t, id, &m, &seen); done || err != nil {
			return seen, err
		}
	}
	if err := o.bringUpToDate(ctx, t, id, &m, &seen); err != nil || seen.refused != nil || seen.postponed != nil {
		return seen, err
	}
	if m.IsBehind {
		seen.postponed = &SendingPostponed{For: behindPause, Why: "an earlier message about the order is sent first"}
		return seen, nil
	}
	if objects, err := o.objections.Objects(ctx, t, m.Receiver); objects || err != nil {
		seen.refused = &providers.Fault{Failure: notification.Suppressed}
		return seen, err
	}
	seen.attempt, err = t.BeginAttempt(ctx, id, notification.MostUnanswered)
	if err == nil && !seen.attempt.Begun {
		seen.refused = &providers.Fault{Failure: notification.Uncertain}
		if seen.attempt.Suppressed {
			seen.refused.Failure = notification.Suppressed
		}
	}
	return seen, err
}

// settleDoubt settles a message that may have arrived by the reports that came, or has
// it wait for them. Done is false when it may be sent once more.
func (o *Operations) settleDoubt(
	ctx context.Context, t *store.Tx, id int64, m *store.MessageToSend, seen *look,
) (done bool, err error) {
	if m.Reported {
		seen.ended, _, err = settle(ctx, t, id, Ending{Channel: notification.Channel(m.Channel)})
		return true, err
	}
	ago := time.Duration(m.AttemptedAgo * float64(time.Second))
	if wait := notification.DoubtWait(int(m.Unanswered)) - ago; wait > 0 {
		seen.postponed = &SendingPostponed{For: wait, Why: "the last attempt has no answer, so a report is waited for"}
		return true, nil
	}
	return false, nil
}

// bringUpToDate refuses a message that no longer holds, and corrects one that would now
// say something else, or go to somebody else.
func (o *Operations) bringUpToDate(
	ctx context.Context, t *store.Tx, id int64, m *store.MessageToSend, seen *look,
) error {
	key, facts, err := factsNow(ctx, t, m)
	if facts == nil || err != nil {
		return err
	}
	about, standing := notification.Event(m.Event), standingOf(facts)
	if !standing.Holds(about, o.now()) {
		seen.refused = &providers.Fault{Failure: notification.Superseded}
		return nil
	}
	if due := o.awaitedRelease(facts); !due.IsZero() {
		seen.postponed = &SendingPostponed{For: notification.ReleasePause(due, o.now()), Why: "the plan is not released yet"}
		return nil
	}
	seen.validity = o.validity(about, standing, m.SendWindowTo)
	return o.correct(ctx, t, id, key, m, facts, seen)
}

// correct gives a message what it would say now. One of which an attempt may have arrived
// stays as it is for the same receiver, who could not tell the repeat otherwise.
func (o *Operations) correct(
	ctx context.Context, t *store.Tx, id int64, key notification.Key, m *store.MessageToSend,
	facts *store.NotificationFacts, seen *look,
) error {
	pages, err := o.links.Pages(ctx, t)
	if err != nil {
		return err
	}
	link := store.TrackingLink{Code: m.TrackTraceCode, Link: pages + m.TrackTraceCode}
	if m.TrackTraceCode == "" {
		if link, err = o.linkOf(ctx, t, facts); err != nil {
			return err
		}
	}
	n := o.compose(key, *facts, link)
	switch {
	case n.refused == notification.InvalidAddress && n.Receiver == "", n.refused == notification.Superseded:
		seen.refused = &providers.Fault{Failure: notification.Superseded}
		return nil
	case n.refused == notification.InvalidAddress:
		seen.refused = &providers.Fault{Failure: notification.InvalidAddress}
		return nil
	case n.refused != "": // somebody works on the rule or the settings; what was made is fine
		return nil
	}
	says := notification.Message{Subject: m.Subject, Text: m.Body, HTML: m.BodyHtml}
	if n.Receiver == m.Receiver && (n.Message == says || m.Unanswered > 0) {
		return nil
	}
	m.Receiver = n.Receiver
	if err := o.keepTime(ctx, t, facts, &n); err != nil {
		return err
	}
	return t.CorrectMessage(ctx, id, &n.NewNotification)
}

// validity is how long a message is worth delivering; 0 when only what happens can end it.
func (o *Operations) validity(about notification.Event, s notification.Standing, windowTo *time.Time) time.Duration {
	until, bounded := s.Until(about)
	if windowTo != nil && (!bounded || windowTo.Before(until)) {
		until, bounded = *windowTo, true
	}
	if !bounded {
		return 0
	}
	return max(until.Sub(o.now()), time.Second)
}

// judgeEnding finds out whether a message whose time is up is late, or no longer holds.
func (o *Operations) judgeEnding(ctx context.Context, t *store.Tx, id int64, end Ending) (Ending, error) {
	if end.Failure != notification.Expired {
		return end, nil
	}
	m, err := t.MessageToSend(ctx, id, behindPatience)
	if err != nil {
		return end, err
	}
	_, facts, err := factsNow(ctx, t, &m)
	if facts != nil && err == nil && !standingOf(facts).Holds(notification.Event(m.Event), o.now()) {
		end.Failure = notification.Superseded
	}
	return end, err
}

// factsNow are the facts that a message is about, as they are now; nil when there is
// nothing to compare it with.
func factsNow(
	ctx context.Context, t *store.Tx, m *store.MessageToSend,
) (key notification.Key, facts *store.NotificationFacts, err error) {
	key, err = notification.ParseKey(m.Key)
	if err != nil || key.OfAccount() {
		return key, nil, nil //nolint:nilerr // a key of another form is of no order
	}
	now, err := t.NotificationFacts(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return key, nil, nil
	}
	return key, &now, err
}

// standingOf is how things are with what a message is about.
func standingOf(f *store.NotificationFacts) notification.Standing {
	status := order.Status(f.StatusID)
	pickup, delivery := driving.StopStatus(f.PickupStatus), driving.StopStatus(f.DeliveryStatus)
	ended := status == order.Delivered || status == order.Failed
	s := notification.Standing{
		HappenedAt: f.HappenedAt, PickupBefore: f.PickupBefore, ETA: f.Eta,
		Cancelled: status == order.Cancelled || f.NumberCancelled,
		PickedUp:  pickup.Over() || status.Loaded(),
		Delivered: status == order.Delivered, Failed: status == order.Failed,
		Reached: delivery == driving.StopArrived, Done: delivery.Over() || ended,
	}
	if order.StopKind(f.StopKind) == order.Pickup {
		s.Reached, s.Done = pickup == driving.StopArrived, s.PickedUp
	}
	return s
}
