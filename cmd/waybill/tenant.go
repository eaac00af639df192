package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"waybill/api/edge"
	"waybill/api/orders"
	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/operations/notifications"
	"waybill/operations/places"
	"waybill/operations/planning"
	"waybill/operations/webhooks/delivery"
	"waybill/providers"
	"waybill/providers/files"
	"waybill/providers/geocode"
	"waybill/providers/travel"
	"waybill/store"
)

// tenant is the organization that a command works for.
type tenant struct {
	store      *store.Store
	operations *operations.Operations
	// by is the command as the caller of operations.
	by caller.Caller
}

// orgFlags are the flags that select the organization of a key.
func orgFlags(cmd *cobra.Command, org, name *string) {
	cmd.Flags().StringVar(org, "org", "", "slug of the organization")
	_ = cmd.MarkFlagRequired("org")
	if name != nil {
		cmd.Flags().StringVar(name, "name", "", "name of the key, such as the name of the system that uses it")
		_ = cmd.MarkFlagRequired("name")
	}
}

// forOrganization runs work for one organization, which must exist.
func forOrganization(cmd *cobra.Command, slug string, do func(tenant) error) error {
	return withStore(cmd.Context(), func(s *store.Store, o *operations.Operations) error {
		org, err := s.OrganizationID(cmd.Context(), slug)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("organization %q not found: create it with waybill apply", slug)
		}
		if err != nil {
			return err
		}
		return do(tenant{store: s, operations: o, by: commandOf(cmd, org)})
	})
}

// withStore opens the store, and the operations over it, for one command.
func withStore(ctx context.Context, do func(*store.Store, *operations.Operations) error) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	logger, err := newLogger(os.Stderr, c)
	if err != nil {
		return err
	}
	pool, err := openCheckedPool(ctx, c, "waybill", nil, logger)
	if err != nil {
		return err
	}
	defer pool.Close()
	s := store.New(pool)
	return do(s, newOperations(s, c, logger, watches{}))
}

// newOperations returns the operations according to the settings. watches
// receive what operators can observe; nil ones are skipped.
type watches struct {
	alarm    func(context.Context, notifications.OverQuota)
	messages notifications.MessageWatch
	files    func(operation string, failed bool)
}

func newOperations(
	s *store.Store, c config, logger *slog.Logger, told watches,
) *operations.Operations {
	knows, _ := travel.Open(c.TravelURL)      // readConfig has looked at it
	geocoder, _ := geocode.Open(c.geocoder()) // and at this
	return operations.New(s, time.Now, operations.Settings{
		ExportWindow: c.ExportWindow, ChunksAtOnce: c.importersShare(), Logger: logger, Messaging: newMessaging(c, told),
		SealingSecret: c.SealingSecret, SealingAlsoOpens: c.SealingAlsoOpens, AllowPrivateProviders: c.AllowPrivateProviders,
		KeepEvents: c.KeepEvents, OpenFiles: openedOnce(s, c, told.files),
		Planning: planning.Planning{
			Tables: travel.NewTables(knows, time.Now), Days: c.PlanningDays, Planners: c.Planners,
		},
		Places:   places.Settings{Geocoder: geocoder, Keep: c.GeocoderKeep},
		ETAPause: etaPause,
		Webhooks: delivery.Settings{Entry: orders.FeedEntry, AllowPrivate: c.AllowPrivateWebhooks},
	})
}

// geocoder is how the geocoding provider is asked.
func (c config) geocoder() geocode.Settings {
	return geocode.Settings{
		URL: c.GeocoderURL, Key: c.GeocoderKey, Contact: c.GeocoderContact, PerSecond: c.GeocoderRate, Pause: c.GeocoderPause,
	}
}

// etaPause is how long a driver's ETAs are valid, whatever the phone reports in
// the meantime: they are renewed within a second, and announced by the minute.
const etaPause = 500 * time.Millisecond

// openedOnce opens the object storage on first use.
func openedOnce(
	s *store.Store, c config, watch func(operation string, failed bool),
) func(context.Context) (core.FileStorage, error) {
	var mu sync.Mutex
	var storage *files.Storage
	return func(ctx context.Context) (core.FileStorage, error) {
		mu.Lock()
		defer mu.Unlock()
		if storage == nil {
			opened, err := openFiles(ctx, s, c)
			if err != nil {
				return nil, err
			}
			opened.Watch(watch)
			storage = opened
		}
		return storage, nil
	}
}

// newMessaging is how messages go out, with the providers that the settings
// name.
func newMessaging(c config, told watches) notifications.Messaging {
	sms, _ := providers.NewSMS(c.SMSURL) // readConfig has looked at it
	return notifications.Messaging{
		Mail: providers.NewMail(), SMS: sms, Secrets: providers.EnvironmentSecrets,
		MailServer: c.SMTPURL, MailFrom: c.SMTPFrom,
		SMSAccount: providers.SMSAccount{ID: c.SMSAccount, Token: c.SMSToken}, SMSFrom: c.SMSFrom,
		PublicURL: c.PublicURL, TrackingPages: edge.TrackingPages(c.PublicURL), ReportWait: c.ReportWait,
		MailReports:  c.SendgridKey != "" || c.PostmarkLogin != "",
		SandboxSends: c.SandboxSends, Watch: told.messages,
		EmailQuota: notification.Quota{Together: c.EmailsPerDay, Received: c.EmailsPerReceiver},
		SMSQuota:   notification.Quota{Together: c.SMSPerDay, Received: c.SMSPerReceiver},
		Alarm:      told.alarm,
	}
}
