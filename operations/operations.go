// Package operations is what the service can do. A subject that has been cut out is a
// package of its own in a folder of this one, and a field of Operations that New fills:
// callers write o.People.SignIn. Subjects know core and sealing, and not one another.
// An operation takes a context, a caller and a request, and answers or refuses:
// it loads rows of store, has domain decide, and saves what was decided, all in
// one transaction. It is the only place where the three are put together;
// handlers, activities, commands and followers of the log call the same one.
// Rules do not live here, nor rows, nor anything of HTTP or Temporal.
package operations

import (
	"context"
	"log/slog"
	"time"

	"waybill/domain/order"
	"waybill/internal/limit"
	"waybill/operations/exports"
	"waybill/operations/masterdata"
	"waybill/operations/people"
	placing "waybill/operations/places"
	"waybill/operations/recurring"
	"waybill/operations/sealing"
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
	Messaging Messaging
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
	Planning Planning
	// Webhooks is how events are sent to integrators.
	Webhooks delivery.Settings
	// ETAPause is how long a driver's ETAs are left alone after they were worked out,
	// whatever his telephone says meanwhile; 0 is no pause.
	ETAPause time.Duration
	// KeepEvents is how long the log is kept; 0 is as usual.
	KeepEvents time.Duration
	// OpenFiles opens the object storage for housekeeping; nil where there is none.
	OpenFiles func(ctx context.Context) (FileStorage, error)
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
	// Recurring are templates, and the orders that they ask for.
	Recurring *recurring.Operations
	// MasterData are what orders refer to.
	MasterData *masterdata.Operations
	// Deliveries send events to the endpoints of integrators.
	Deliveries *delivery.Operations
	// Webhooks are the endpoints themselves.
	Webhooks *webhooks.Operations

	store    *store.Store
	now      func() time.Time
	settings Settings
	// bookings bounds how many bookings of one interval run at once.
	bookings *limit.PerKey[seat]
	// decide says what becomes of the entries of an import.
	decide func(*order.Snapshot, order.Defaults, []order.Request) order.Plan
	// imports bounds how many import chunks of an organization run at once; nil where there is no bound.
	imports *limit.PerKey[int64]
	watched watchedImports
	// tables say how long ways are, and planners who may search now.
	tables   *travel.Tables
	planners *planners
	// areas keep what is known of those that were planned of late.
	areas    *areas
	renewals *etaRenewals
}

// New makes the operations over a store; now is the clock. A process makes them
// once: its limiters count within one process, and a request that waits for an
// import is woken by the worker of the same process.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	tables := settings.Planning.Tables
	if tables == nil {
		tables = travel.NewTables(travel.Crow{}, now)
	}
	sealer := sealing.New(s, sealing.Settings{Secret: settings.SealingSecret, AlsoOpens: settings.SealingAlsoOpens})
	deliveries := delivery.New(s, now, sealer, settings.Webhooks)
	o := &Operations{
		Sealing: sealer,
		People: people.New(s, now, sealer, people.Settings{
			PublicURL: settings.Messaging.PublicURL, AllowPrivateProviders: settings.AllowPrivateProviders,
		}),
		Exports:   exports.New(s, settings.ExportWindow),
		Recurring: recurring.New(s, now, settings.Logger),
		Places:    placing.New(s),
		MasterData: masterdata.New(s, now, masterdata.Settings{
			MailFrom: settings.Messaging.MailFrom, SMSFrom: settings.Messaging.SMSFrom,
		}),
		Deliveries: deliveries,
		Webhooks:   webhooks.New(s, now, sealer, deliveries),
		store:      s, now: now, settings: settings, decide: order.Decide,
		bookings: limit.New[seat](seatsAtOnce),
		tables:   tables, planners: newPlanners(settings.Planning.Planners),
		areas:    newAreas(mostRemembered),
		renewals: newETARenewals(settings.ETAPause),
	}
	if settings.ChunksAtOnce > 0 {
		o.imports = limit.New[int64](settings.ChunksAtOnce)
	}
	return o
}

func (o *Operations) logger() *slog.Logger {
	if o.settings.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.settings.Logger
}
