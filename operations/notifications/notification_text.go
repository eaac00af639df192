package notifications

import (
	"context"
	"strings"
	"time"

	"waybill/domain/email"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/store"
)

// composed is a message that is to be recorded. refused says why it must not
// be sent.
type composed struct {
	store.NewNotification
	refused notification.Failure
}

// Providers' names, as the log shows them.
const (
	// MailProvider is any mail server.
	MailProvider = "smtp"
	// SMSProvider is the sender of text messages.
	SMSProvider = "twilio"
)

// ruleOf is the rule by which a message is made.
func ruleOf(f *store.NotificationFacts) notification.Rule {
	return notification.Rule{
		Event: notification.Event(f.Event), Channel: notification.Channel(f.Channel),
		Receiver: notification.Receiver(f.RuleReceiver),
		Address:  f.RuleAddress, Subject: f.Subject, Body: f.Body, HTML: f.BodyHtml,
	}
}

// linkOf keeps a link to the stop that a message is about, for a rule that speaks
// of one.
func (o *Operations) linkOf(ctx context.Context, t *store.Tx, f *store.NotificationFacts) (store.TrackingLink, error) {
	if f.StopID == 0 || !ruleOf(f).Links() {
		return store.TrackingLink{}, nil
	}
	return o.links.KeepLink(ctx, t, f)
}

// compose says what a rule says of an event, and to whom. The link is the zero
// one where the rule speaks of none.
func (o *Operations) compose(key notification.Key, f store.NotificationFacts, link store.TrackingLink) composed {
	zone, err := time.LoadLocation(f.Timezone)
	if err != nil {
		zone = time.UTC
	}
	rule, facts := ruleOf(&f), factsOf(f, zone, o.expected(&f))
	facts.TrackingLink = link.Link
	n := composed{NewNotification: store.NewNotification{
		Key: key, Channel: rule.Channel, Event: rule.Event, OrderID: f.OrderID, StopID: f.StopID, ContactID: f.ContactID,
		TrackTraceCode: link.Code,
	}}
	n.Message, err = notification.Render(rule, facts)
	if err != nil {
		n.refused = notification.InvalidTemplate
	}
	closed := false
	if f.WindowFrom >= 0 {
		window := notification.Window{From: order.Clock(f.WindowFrom), To: order.Clock(f.WindowTo)}
		soonest := o.now()
		if due := o.awaitedRelease(&f); due.After(soonest) {
			soonest = due
		}
		from, until := window.Next(soonest, zone)
		n.SendFrom, n.SendUntil, closed = &from, &until, from.After(o.now())
	}
	if rule.Channel == notification.SMS {
		o.addressSMS(&n, f)
	} else {
		o.addressEmail(&n, f)
	}
	switch {
	case f.Unwanted:
		n.refused = notification.Superseded
	case closed && rule.Event.Momentary():
		n.refused = notification.Superseded
	case n.Sender == "":
		n.refused = notification.NotConfigured
	}
	return n
}

func (o *Operations) addressEmail(n *composed, f store.NotificationFacts) {
	n.Provider, n.Sender = MailProvider, f.EmailFrom
	if n.Sender == "" {
		n.Sender = o.settings.MailFrom
	}
	given := receiverOf(f, f.ContactEmail, f.CustomerEmail)
	var ok bool
	if n.Receiver, ok = email.Normalize(given); !ok {
		n.Receiver, n.refused = given, notification.InvalidAddress
	}
}

func (o *Operations) addressSMS(n *composed, f store.NotificationFacts) {
	n.Provider, n.Sender = SMSProvider, f.SmsFrom
	if n.Sender == "" {
		n.Sender = o.settings.SMSFrom
	}
	country := notification.Country(f.Country, f.Timezone)
	given := receiverOf(f, f.ContactPhone, f.CustomerPhone)
	var ok bool
	if n.Receiver, ok = notification.NormalizeNumber(given, country); !ok {
		n.Receiver, n.refused = given, notification.InvalidAddress
	}
}

func receiverOf(f store.NotificationFacts, contact, customer string) string {
	switch notification.Receiver(f.RuleReceiver) {
	case notification.DeliveryContacts, notification.PickupContacts:
		return contact
	case notification.Customer:
		return customer
	case notification.Address:
	}
	return f.RuleAddress
}

// expected is when service at the stop of a message is expected to begin, zero if that is unknown.
func (o *Operations) expected(f *store.NotificationFacts) recipient.Range {
	if f.StopID == 0 || f.Eta.IsZero() {
		return recipient.Range{}
	}
	now := o.now()
	if f.Sandbox && f.Eta.Before(now) { // by the clock of its day it is still to come
		now = f.Eta.Add(-simulatedLead)
	}
	return recipient.Expected(f.Eta, f.Earliest, now, f.UnderWay)
}

// simulatedLead is how far ahead an ETA of a simulated day counts as being.
const simulatedLead = 30 * time.Minute

// keepTime keeps the time that a message tells the recipient of its stop, unless it is not sent.
func (o *Operations) keepTime(ctx context.Context, t *store.Tx, f *store.NotificationFacts, n *composed) error {
	told := o.expected(f)
	rule := ruleOf(f)
	toContacts := rule.Receiver == notification.DeliveryContacts || rule.Receiver == notification.PickupContacts
	if told.IsZero() || n.refused != "" || !toContacts || !rule.TellsTime() {
		return nil
	}
	return t.KeepPromise(ctx, f.OrderID, order.StopKind(f.StopKind), told, true)
}

func factsOf(f store.NotificationFacts, zone *time.Location, expected recipient.Range) notification.Facts {
	facts := notification.Facts{
		Event: notification.Event(f.Event), Language: f.Language, Organization: f.Organization,
		OrderID: f.OrderID, Number: f.Number, Reference: f.Reference, Date: f.Date, Customer: f.Customer,
		FirstName: f.FirstName, LastName: f.LastName, StopName: f.StopName, Address1: f.Address1,
		PostalCode: f.PostalCode, City: f.City,
	}
	if f.RuleSeries == string(notification.Once) && f.SeriesOrders > 0 {
		facts.Series = notification.SeriesFacts{
			Name: f.SeriesName, Orders: int(f.SeriesOrders),
			First: notification.Day(f.Language, f.SeriesFirst), Last: notification.Day(f.Language, f.SeriesLast),
		}
	}
	facts.DriverFirstName, _, _ = strings.Cut(strings.TrimSpace(f.Driver), " ")
	if f.StopID != 0 {
		facts.Earliest = notification.Moment(f.Language, f.Earliest.In(zone))
		facts.Latest = notification.Moment(f.Language, f.Latest.In(zone))
		facts.Window = notification.Between(f.Language, f.Earliest.In(zone), f.Latest.In(zone))
	}
	if !f.Eta.IsZero() {
		facts.ETA = notification.Moment(f.Language, f.Eta.In(zone))
		facts.Arrival = notification.At(f.Language, f.Eta.In(zone))
	}
	if !expected.IsZero() {
		facts.ETAFrom = notification.At(f.Language, expected.From.In(zone))
		facts.ETATo = notification.At(f.Language, expected.To.In(zone))
	}
	return facts
}
