// Package operations is what the service can do. Each subject is a package of its own
// in a folder of this one, and a field of Operations that New fills: callers write
// o.People.SignIn. Subjects know core and sealing, and not one another: what one needs
// of another it takes as a small interface. This package holds only the wiring.
// An operation takes a context, a caller and a request, and answers or refuses:
// it loads rows of store, has domain decide, and saves what was decided, all in
// one transaction. It is the only place where the three are put together;
// handlers, activities, commands and followers of the log call the same one.
// Rules do not live here, nor rows, nor anything of HTTP or Temporal.
package operations

import (
	"log/slog"
	"time"

	"waybill/operations/bookings"
	"waybill/operations/core"
	"waybill/operations/documents"
	"waybill/operations/driving"
	"waybill/operations/exports"
	"waybill/operations/housekeeping"
	"waybill/operations/integrations"
	"waybill/operations/learning"
	"waybill/operations/masterdata"
	"waybill/operations/notifications"
	"waybill/operations/orders"
	"waybill/operations/people"
	placing "waybill/operations/places"
	"waybill/operations/planning"
	"waybill/operations/privacy"
	"waybill/operations/recurring"
	"waybill/operations/sandbox"
	"waybill/operations/sealing"
	"waybill/operations/tracking"
	"waybill/operations/webhooks"
	"waybill/operations/webhooks/delivery"
	"waybill/providers/travel"
	"waybill/store"
)

// Settings are what an installation chooses.
type Settings struct {
	// ExportWindow is how long after its last successful export an order may come
	// back.
	ExportWindow time.Duration
	// ChunksAtOnce is how many chunks of imports of one organization are worked on at
	// a time; 0 is no bound.
	ChunksAtOnce int
	// Logger takes what only operators are to hear of; nil discards it.
	Logger *slog.Logger
	// Messaging is how messages go out.
	Messaging notifications.Messaging
	// SealingSecret is mixed into the key with which seeds of one-time passwords and
	// secrets of identity providers are encrypted; "" leaves that to the key in the
	// database.
	SealingSecret string
	// SealingAlsoOpens are other secrets that open what was sealed with them. Nothing is sealed
	// with them.
	SealingAlsoOpens []string
	// AllowPrivateProviders lets identity providers lie in private networks.
	AllowPrivateProviders bool
	// Planning is how days are planned.
	Planning planning.Planning
	// Places is how addresses are found that no register has.
	Places placing.Settings
	// Webhooks is how events are sent to integrators.
	Webhooks delivery.Settings
	// ETAPause is how long a driver's ETAs are left alone after they were worked out,
	// whatever his telephone says meanwhile; 0 is no pause.
	ETAPause time.Duration
	// KeepEvents is how long the log is kept; 0 is as usual.
	KeepEvents time.Duration
	// OpenFiles opens the object storage for housekeeping; nil where there is none.
	OpenFiles core.OpenFiles
}

// Operations carries out what callers ask for.
type Operations struct {
	// Sealing encrypts the secrets that are read again.
	Sealing *sealing.Sealer
	// People are accounts, keys and sessions, and the ways to sign in.
	People *people.Operations
	// Places are where addresses are.
	Places *placing.Operations
	// Exports are offers to carriers.
	Exports *exports.Operations
	// Orders are imported, made by hand, and changed.
	Orders *orders.Operations
	// Recurring are templates, and the orders that they ask for.
	Recurring *recurring.Operations
	// MasterData are what orders refer to.
	MasterData *masterdata.Operations
	// Deliveries send events to the endpoints of integrators.
	Deliveries *delivery.Operations
	// Webhooks are the endpoints themselves.
	Webhooks *webhooks.Operations
	// Bookings are seats of intervals.
	Bookings *bookings.Operations
	// Documents are the files of orders, and the labels of their goods.
	Documents *documents.Operations
	// Integrations are what organizations are connected with.
	Integrations *integrations.Operations
	// Planning is who drives which order, and when.
	Planning *planning.Operations
	// Driving is what drivers do on the road.
	Driving *driving.Operations
	// Sandbox is the simulation of days.
	Sandbox *sandbox.Operations
	// Privacy is what is kept of people.
	Privacy *privacy.Operations
	// Housekeeping are the duties of the installation.
	Housekeeping *housekeeping.Operations
	// Learning learns travel times from how long drivers took.
	Learning *learning.Operations
	// Notifications are the messages to receivers and to the owners of accounts.
	Notifications *notifications.Operations
	// Tracking are the links to the pages on which an order is followed.
	Tracking *tracking.Operations
}

// New makes the operations over a store; now is the clock. A process makes them
// once: its limiters count within one process, and a request that waits for an
// import is woken by the worker of the same process.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	if settings.Planning.Tables == nil { // planning and integrations share them
		settings.Planning.Tables = travel.NewTables(travel.Crow{}, now)
	}
	log := settings.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	places := placing.New(s, now, settings.Places)
	sealer := sealing.New(s, sealing.Settings{Secret: settings.SealingSecret, AlsoOpens: settings.SealingAlsoOpens})
	messaging := &settings.Messaging
	o := &Operations{
		Sealing: sealer,
		People: people.New(s, now, sealer, people.Settings{
			PublicURL: messaging.PublicURL, AllowPrivateProviders: settings.AllowPrivateProviders,
		}),
		Exports:      exports.New(s, now, settings.ExportWindow),
		Recurring:    recurring.New(s, now, log),
		MasterData:   masterdata.New(s, now, masterdata.Settings{MailFrom: messaging.MailFrom, SMSFrom: messaging.SMSFrom}),
		Deliveries:   delivery.New(s, now, sealer, settings.Webhooks),
		Bookings:     bookings.New(s, now),
		Documents:    documents.New(s),
		Integrations: integrations.New(s, now, settings.integrations()),
		Places:       places,
		Planning:     planning.New(s, now, settings.Planning),
		Driving:      driving.New(s, now, log, settings.ETAPause, places, settings.Planning.Tables),
		Privacy:      privacy.New(s, now, sealer, settings.OpenFiles),
	}
	o.Learning = learning.New(s, now, o.MasterData)
	// What follows needs something of another subject, behind a small interface.
	o.Tracking = tracking.New(s, now, o.Bookings, messaging.TrackingPages)
	o.Orders = orders.New(s, log, o.Privacy, settings.ChunksAtOnce)
	o.Webhooks = webhooks.New(s, now, sealer, o.Deliveries)
	o.Sandbox = sandbox.New(s, now, o.Driving)
	o.Notifications = notifications.New(s, now, o.Tracking, o.People, o.Privacy, settings.Messaging)
	o.Housekeeping = housekeeping.New(s, now, o.Notifications, o.Privacy, housekeeping.Settings{
		KeepEvents: settings.KeepEvents, OpenFiles: settings.OpenFiles, AsksGeocoder: settings.Places.Geocoder != nil,
	})
	return o
}

// integrations are what an installation is connected with.
func (s *Settings) integrations() integrations.Settings {
	return integrations.Settings{
		MailServer: s.Messaging.MailServer, MailFrom: s.Messaging.MailFrom,
		SMSAccount: s.Messaging.SMSAccount, SMSFrom: s.Messaging.SMSFrom,
		Secrets: s.Messaging.Secrets, StoresFiles: s.OpenFiles != nil, Tables: s.Planning.Tables,
	}
}
