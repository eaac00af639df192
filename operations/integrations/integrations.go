// Package integrations says what an organization is connected with, and how that fares.
package integrations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/integration"
	"waybill/domain/notification"
	"waybill/domain/webhook"
	"waybill/providers"
	"waybill/providers/travel"
	"waybill/store"
)

// Settings are what an installation is connected with, on behalf of organizations that have
// nothing of their own.
type Settings struct {
	MailServer, MailFrom string
	SMSAccount           providers.SMSAccount
	SMSFrom              string
	// Secrets are the accounts of organizations; nil where there are none.
	Secrets providers.Secrets
	// StoresFiles says that there is an object storage.
	StoresFiles bool
	// Tables say how long ways are.
	Tables *travel.Tables
}

// Operations carries out what callers ask for.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	settings Settings
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	return &Operations{store: s, now: now, settings: settings}
}

// connected is an integration, and how to find out how it fares.
type connected struct {
	integration.Integration

	fares func(ctx context.Context, since time.Time) (integration.Fares, error)
}

// Integrations returns what an organization is connected with, or could be, by name.
// Nothing is tried for it.
func (o *Operations) Integrations(ctx context.Context, c caller.Caller) ([]integration.Integration, error) {
	found, err := o.connections(ctx, c.OrgID)
	all := make([]integration.Integration, len(found))
	for i := range found {
		all[i] = found[i].Integration
	}
	return all, err
}

// IntegrationHealth is how an integration fares, counted since a moment.
type IntegrationHealth struct {
	integration.Integration
	integration.Fares

	Since time.Time
}

// IntegrationHealth says how an integration has fared in the last 24 hours, from what
// was recorded of the organization.
func (o *Operations) IntegrationHealth(
	ctx context.Context, c caller.Caller, name string,
) (h IntegrationHealth, err error) {
	const late = 24 * time.Hour
	found, err := o.connections(ctx, c.OrgID)
	if err != nil {
		return h, err
	}
	i := slices.IndexFunc(found, func(x connected) bool { return x.Name == name })
	if i < 0 {
		return h, fault.Missing("integration", fault.Clip(name))
	}
	h.Integration, h.Since = found[i].Integration, o.now().Add(-late).UTC()
	if h.Fares, err = found[i].fares(ctx, h.Since); err != nil {
		return h, fmt.Errorf("health of an integration: %w", err)
	}
	return h, nil
}

func (o *Operations) connections(ctx context.Context, org int64) (all []connected, err error) {
	for _, some := range []func(context.Context, int64) ([]connected, error){
		o.installed, o.connectedCarriers, o.connectedEndpoints, o.connectedProviders,
	} {
		found, err := some(ctx, org)
		if err != nil {
			return nil, fmt.Errorf("integrations: %w", err)
		}
		all = append(all, found...)
	}
	for i := range all {
		if all[i].Events == nil {
			all[i].Events = integration.EventsOf(all[i].Kind)
		}
	}
	slices.SortFunc(all, func(a, b connected) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// installed are those that come with the installation, of which an organization may
// have its own accounts.
func (o *Operations) installed(ctx context.Context, org int64) ([]connected, error) {
	own, err := o.store.MessagingSettings(ctx, org)
	if err != nil {
		return nil, err
	}
	seen, err := o.store.IntegrationsSeen(ctx, org)
	if err != nil {
		return nil, err
	}
	m, knows := &o.settings, o.settings.Tables.Provider()
	mailFrom, textFrom := cmp.Or(seen.EmailFrom, m.MailFrom), cmp.Or(seen.SMSFrom, m.SMSFrom)
	messages := func(channel notification.Channel) func(context.Context, time.Time) (integration.Fares, error) {
		return func(ctx context.Context, since time.Time) (integration.Fares, error) {
			return o.store.MessagesFare(ctx, org, channel, since)
		}
	}
	return []connected{
		{integration.Integration{
			Name: integration.MailName, Kind: integration.Mail, Label: mailFrom, Direction: integration.Both,
			Configured: o.hasSecret(own.SmtpUrl, m.MailServer) && mailFrom != "", LastSeen: seen.Email,
		}, messages(notification.Email)},
		{integration.Integration{
			Name: integration.SMSName, Kind: integration.SMS, Label: textFrom, Direction: integration.Both,
			Configured: o.hasSecret(own.SmsAccount, m.SMSAccount.ID) && o.hasSecret(own.SmsToken, m.SMSAccount.Token) &&
				textFrom != "",
			LastSeen: seen.SMS,
		}, messages(notification.SMS)},
		{integration.Integration{
			Name: integration.StorageName, Kind: integration.Storage, Label: "files", Direction: integration.Both,
			Configured: o.settings.StoresFiles, LastSeen: seen.Files,
		}, func(ctx context.Context, since time.Time) (integration.Fares, error) {
			return o.store.FilesFare(ctx, org, since)
		}},
		{integration.Integration{
			Name: integration.TravelName, Kind: integration.TravelTimes, Label: knows.Name(), Direction: integration.In,
			Configured: knows != travel.Provider(travel.Crow{}), LastSeen: seen.Travel,
		}, func(ctx context.Context, since time.Time) (integration.Fares, error) {
			return o.store.TravelFares(ctx, org, since)
		}},
	}, nil
}

// hasSecret reports whether there is a secret: that of a variable where one is named,
// and else that of the installation.
func (o *Operations) hasSecret(variable, fallback string) bool {
	if variable == "" {
		return fallback != ""
	}
	return o.settings.Secrets != nil && o.settings.Secrets(variable) != ""
}

func (o *Operations) connectedCarriers(ctx context.Context, org int64) ([]connected, error) {
	known, err := o.store.IntegrationCarriers(ctx, org)
	all := make([]connected, len(known))
	for i, k := range known {
		all[i] = connected{
			integration.OfCarrier(k.Name, k.Exports, k.SecretEnv != "", o.hasSecret(k.SecretEnv, ""), k.SeenAt),
			func(ctx context.Context, since time.Time) (integration.Fares, error) {
				return o.store.CarrierFares(ctx, org, k.Name, since)
			},
		}
	}
	return all, err
}

func (o *Operations) connectedEndpoints(ctx context.Context, org int64) ([]connected, error) {
	endpoints, err := o.store.WebhookEndpoints(ctx, org)
	all := make([]connected, len(endpoints))
	for i := range endpoints {
		e := &endpoints[i]
		all[i] = connected{integration.Integration{
			Name: integration.WebhookName(e.ID), Kind: integration.Webhook, Label: integration.HostOf(e.URL),
			Direction: integration.Out, Events: endpointKinds(e), Configured: e.IsActive, LastSeen: e.DeliveredAt,
		}, func(ctx context.Context, since time.Time) (integration.Fares, error) {
			return o.store.WebhookFares(ctx, org, e.ID, since)
		}}
	}
	return all, err
}

// endpointKinds are the kinds of event that an endpoint gets.
func endpointKinds(e *store.WebhookEndpoint) []event.Kind {
	if len(e.Kinds) == 0 {
		return webhook.Kinds()
	}
	return e.Kinds
}

func (o *Operations) connectedProviders(ctx context.Context, org int64) ([]connected, error) {
	known, err := o.store.IdentityProviders(ctx, org)
	all := make([]connected, len(known))
	for i := range known {
		p := &known[i]
		all[i] = connected{integration.Integration{
			Name: integration.SignInName(p.Slug), Kind: integration.SignIn, Label: p.Name, Direction: integration.In,
			Configured: p.IsActive,
		}, func(ctx context.Context, since time.Time) (integration.Fares, error) {
			return o.store.SignInFares(ctx, org, p.Issuer, since)
		}}
	}
	return all, err
}
