package notifications

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"waybill/domain/alert"
	"waybill/domain/email"
	"waybill/domain/notification"
	"waybill/store"
)

// recordAlertMessage writes into the log what an address of a rule is told of an alert.
func (o *Operations) recordAlertMessage(ctx context.Context, t *store.Tx, m *NewMessage) (RecordedMessage, error) {
	facts, err := t.AlertFacts(ctx, m.Key)
	if errors.Is(err, store.ErrNotFound) {
		return RecordedMessage{}, eventIsThere(ctx, t, m.Key)
	}
	if err != nil {
		return RecordedMessage{}, err
	}
	prior := store.NotificationFacts{
		PriorID: facts.PriorID, PriorTry: facts.PriorTry, PriorStatus: facts.PriorStatus,
		PriorWorkflow: facts.PriorWorkflow, PriorRun: facts.PriorRun, PriorFailure: facts.PriorFailure,
		PriorUncertain: facts.PriorUncertain,
	}
	wait := o.reportWait(notification.Email, facts.ReportsMail, facts.Sandbox)
	if recorded, done, err := carryOn(ctx, t, m, &prior); done || err != nil {
		recorded.ReportWait = wait
		return recorded, err
	}
	n := o.composeAlert(m.Key, &facts)
	n.triedAgain(m, &prior)
	recorded := RecordedMessage{Status: notification.Queued, Failure: n.refused, ReportWait: wait}
	recorded.ID, err = t.InsertNotification(ctx, n.NewNotification)
	return recorded, err
}

func (o *Operations) composeAlert(key notification.Key, f *store.AlertFacts) composed {
	zone, err := time.LoadLocation(f.Timezone)
	if err != nil {
		zone = time.UTC
	}
	kind := f.Kind
	if alert.Kind(kind) == alert.Exception {
		kind = f.ExceptionKind
	}
	n := composed{NewNotification: store.NewNotification{
		Key: key, Channel: notification.Email, Event: notification.AlertRaised, Provider: MailProvider, Sender: f.EmailFrom,
		Message: notification.RenderAlert(&notification.AlertFacts{
			Language: f.Language, Organization: f.Organization, Kind: kind, Number: f.Number, Driver: f.Driver,
			At: f.At.In(zone).Format("15:04"), Minutes: strconv.FormatInt(f.Minutes, 10),
			Page: strings.TrimSuffix(o.settings.PublicURL, "/") + "/console/day/" + f.Day.Format(time.DateOnly) + "?alerts=open",
		}),
	}}
	if n.Sender == "" {
		n.Sender = o.settings.MailFrom
	}
	var ok bool
	if n.Receiver, ok = email.Normalize(f.Address); !ok {
		n.Receiver, n.refused = f.Address, notification.InvalidAddress
	}
	if n.Sender == "" {
		n.refused = notification.NotConfigured
	}
	return n
}
