// Package followers has the followers of the log: which kinds of event each
// wants, and how it processes them. Followers start and signal workflows; they
// read what they need from the store.
package followers

import (
	"context"
	"time"

	"go.temporal.io/sdk/client"

	"waybill/domain/planning"
	"waybill/relay"
	"waybill/store"
)

// Deps are the dependencies of followers.
type Deps struct {
	Store    Store
	Temporal client.Client
	// AsksGeocoder is true if there is a geocoding provider to ask for addresses.
	AsksGeocoder bool
}

// Store is what followers read.
type Store interface {
	ExportSubjects(ctx context.Context, org int64, changed, moved []int64) ([]store.ExportSubject, error)
	CountUnexported(ctx context.Context, org int64, orderIDs []int64) (int64, error)
	BulkImportAtWork(ctx context.Context, org int64) (bool, error)
	ActiveTemplates(ctx context.Context, org, after int64, most int32) ([]int64, error)
	PlansOfOrders(ctx context.Context, org int64, orderIDs, planned []int64, since time.Time) ([]planning.Area, error)
	PlansOfFleet(ctx context.Context, org int64, since, until time.Time) ([]planning.Area, error)
	PlansOfChanges(ctx context.Context, org int64, events []store.Event, since, until time.Time) ([]planning.Area, error)
	DriveDays(ctx context.Context, events []store.Event) (map[int64][]store.DriveDay, error)
	WebhookEndpointsToWake(ctx context.Context, org int64) ([]int64, error)
	WantPlaces(ctx context.Context, org int64, orderIDs []int64, changed bool) (bool, error)
	DueNotifications(ctx context.Context, events []store.Event) ([]store.DueNotification, error)
	HandOver(ctx context.Context, due []store.DueNotification) error
	FollowAlerts(ctx context.Context, org int64, orderIDs []int64, days []time.Time, now time.Time) error
}

// All returns every follower of the log. A migration has added each of them to
// the table event_followers.
func All(d Deps) []relay.Follower {
	return []relay.Follower{
		newExports(d), newAcknowledgements(d), newNotifications(d), newTemplates(d), newPlanning(d), newFleet(d),
		newDriving(d), newWebhooks(d), newPlaces(d), newAlerts(d),
	}
}
