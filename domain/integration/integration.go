// Package integration describes an organization's connections to other systems,
// and their health.
package integration

import (
	"net/url"
	"strconv"
	"time"

	"waybill/domain/event"
	"waybill/domain/notification"
)

// Kind is the purpose of an integration.
type Kind string

// The kinds.
const (
	Carrier     Kind = "CARRIER"
	Mail        Kind = "MAIL"
	SMS         Kind = "SMS"
	Storage     Kind = "STORAGE"
	Webhook     Kind = "WEBHOOK"
	SignIn      Kind = "SIGN_IN"
	TravelTimes Kind = "TRAVEL_TIMES"
)

// Direction is the direction of the data.
type Direction string

// The directions, as seen from us.
const (
	In   Direction = "IN"
	Out  Direction = "OUT"
	Both Direction = "BOTH"
)

// The names of those of which each organization has one.
const (
	MailName    = "email"
	SMSName     = "sms"
	StorageName = "files"
	TravelName  = "travel-times"
)

// CarrierName is the name of a carrier among integrations.
func CarrierName(carrier string) string { return "carrier-" + carrier }

// WebhookName is the name of a webhook endpoint among integrations.
func WebhookName(id int64) string { return "webhook-" + strconv.FormatInt(id, 10) }

// SignInName is the name of an identity provider among integrations.
func SignInName(slug string) string { return "sign-in-" + slug }

// HostOf returns the host of an address, which people recognize; the rest of it
// may be secret.
func HostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Host
}

// Integration is something that an organization is connected with, or could be.
type Integration struct {
	Name       string
	Kind       Kind
	Label      string // its displayed name
	Direction  Direction
	Events     []event.Kind // its own events, or those sent to it
	Configured bool
	LastSeen   time.Time // zero if unknown
}

// EventsOf are the kinds of event that a kind of integration uses, or nil if
// that depends on its settings.
func EventsOf(k Kind) []event.Kind {
	switch k {
	case Mail:
		return []event.Kind{
			event.MessageQueued, event.MessageSent, event.MessageDelivered, event.MessageFailed, event.MessageSuperseded,
			event.MessageBounced,
			event.MessageSpam,
		}
	case SMS:
		return []event.Kind{
			event.MessageQueued, event.MessageDequeued, event.MessageSent, event.MessageDelivered, event.MessageFailed,
			event.MessageSuperseded,
		}
	case Storage:
		return []event.Kind{event.DocumentDeclared, event.DocumentUploaded, event.DriverPictureKept}
	case SignIn:
		return []event.Kind{event.IdentityLinked}
	case Carrier, Webhook, TravelTimes:
	}
	return nil
}

// OfCarrier returns the integration of a carrier that receives orders, reports
// about them, or both. Reporting requires a secret; receiving requires a key.
func OfCarrier(name string, exports, mayReport, hasSecret bool, seen time.Time) Integration {
	c := Integration{
		Name: CarrierName(name), Kind: Carrier, Label: name, Direction: Both, Configured: !mayReport || hasSecret,
		LastSeen: seen,
	}
	if exports {
		c.Events = []event.Kind{event.ExportOffered, event.ExportAcknowledged, event.ExportWithdrawn}
	}
	if mayReport {
		c.Events = append(c.Events, event.ExportUpdated)
	}
	switch {
	case !mayReport:
		c.Direction = Out
	case !exports:
		c.Direction = In
	}
	return c
}

// ProviderFaults are the failures of messages that speak of the provider, and not of
// the message or its receiver.
func ProviderFaults() []notification.Failure {
	return []notification.Failure{
		notification.NotConfigured, notification.CredentialsRefused, notification.Unavailable, notification.Uncertain,
		notification.RejectedSender, notification.RateLimited,
	}
}

// State is how an integration fares.
type State string

// The states.
const (
	OK            State = "OK"
	Failing       State = "FAILING"
	Idle          State = "IDLE"
	NotConfigured State = "NOT_CONFIGURED"
)

// Fares is the recent health of an integration.
type Fares struct {
	SucceededAt, FailedAt      time.Time // zero for never
	Reason                     string    // of the last failure
	Waiting, Succeeded, Failed int32
}

// State is the health of an integration, by its last use.
func (f Fares) State(configured bool) State {
	switch {
	case !configured:
		return NotConfigured
	case f.SucceededAt.IsZero() && f.FailedAt.IsZero():
		return Idle
	case f.FailedAt.After(f.SucceededAt):
		return Failing
	}
	return OK
}

// Find returns the integration with a name, and whether it exists.
func Find(all []Integration, name string) (Integration, bool) {
	for _, i := range all {
		if i.Name == name {
			return i, true
		}
	}
	return Integration{}, false
}
