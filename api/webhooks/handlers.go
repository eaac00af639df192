// Package webhooks serves the webhook endpoints of integrators: it stores them,
// lists attempts and replays events. A workflow sends them.
package webhooks

import (
	"context"
	"fmt"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/version"
	"waybill/operations"
	"waybill/operations/webhooks"
	"waybill/store"
	"waybill/store/columns"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
}

// Handlers serve webhook endpoints.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
}

// New returns handlers.
func New(d Dependencies) *Handlers { return &Handlers{store: d.Store, operations: d.Operations} }

// ListWebhookEndpoints lists the endpoints, without their secrets.
func (h *Handlers) ListWebhookEndpoints(
	ctx context.Context, _ contract.ListWebhookEndpointsRequestObject,
) (contract.ListWebhookEndpointsResponseObject, error) {
	found, err := h.store.WebhookEndpoints(ctx, edge.PrincipalOf(ctx).OrgID)
	list := contract.ListWebhookEndpoints200JSONResponse{Items: make([]contract.WebhookEndpoint, len(found))}
	for i := range found {
		list.Items[i] = newEndpoint(&found[i])
	}
	return list, err
}

// GetWebhookEndpoint reads one endpoint.
func (h *Handlers) GetWebhookEndpoint(
	ctx context.Context, request contract.GetWebhookEndpointRequestObject,
) (contract.GetWebhookEndpointResponseObject, error) {
	e, err := h.store.WebhookEndpoint(ctx, edge.PrincipalOf(ctx).OrgID, request.EndpointID)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.At(e.UpdatedAt))
	return contract.GetWebhookEndpoint200JSONResponse(newEndpoint(&e)), nil
}

// CreateWebhookEndpoint adds an endpoint.
func (h *Handlers) CreateWebhookEndpoint(
	ctx context.Context, request contract.CreateWebhookEndpointRequestObject,
) (contract.CreateWebhookEndpointResponseObject, error) {
	b := request.Body
	if b.AfterPosition != nil && *b.AfterPosition < 0 {
		return nil, fault.Field("afterPosition", fault.Say("feed.bad_token"))
	}
	details := store.WebhookDetails{
		URL: b.URL, Description: edge.OrEmpty(b.Description), Kinds: kindsOf(b.Types), IsActive: true,
	}
	if err := check(&details); err != nil {
		return nil, err
	}
	if b.AfterPosition != nil {
		bounds, err := h.store.LogBounds(ctx)
		if err != nil {
			return nil, err
		}
		if err := edge.CheckFeedPlace("afterPosition", *b.AfterPosition, bounds, edge.PlainPosition); err != nil {
			return nil, err
		}
	}
	made, err := h.operations.Webhooks.CreateEndpoint(ctx, edge.Caller(ctx), webhooks.NewEndpoint{
		WebhookDetails: details, After: b.AfterPosition,
	})
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v2/webhook-endpoints/%d", made.ID))
	edge.Versioned(ctx, version.At(made.UpdatedAt))
	return contract.CreateWebhookEndpoint201JSONResponse(withSecret(&made)), nil
}

// UpdateWebhookEndpoint changes the given fields.
func (h *Handlers) UpdateWebhookEndpoint(
	ctx context.Context, request contract.UpdateWebhookEndpointRequestObject,
) (contract.UpdateWebhookEndpointResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	change := func(e store.WebhookEndpoint) (store.WebhookDetails, error) {
		if err := expected.Check(version.At(e.UpdatedAt), "webhook_endpoint", fmt.Sprint(e.ID)); err != nil {
			return e.WebhookDetails, err
		}
		return changed(e.WebhookDetails, request.Body)
	}
	e, err := h.operations.Webhooks.ChangeEndpoint(ctx, edge.Caller(ctx), request.EndpointID, change)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.At(e.UpdatedAt))
	return contract.UpdateWebhookEndpoint200JSONResponse(newEndpoint(&e)), nil
}

// changed is an endpoint with the given changes.
func changed(d store.WebhookDetails, b *contract.UpdateWebhookEndpointRequest) (store.WebhookDetails, error) {
	if b.URL != nil {
		d.URL = *b.URL
	}
	if b.Description != nil {
		d.Description = *b.Description
	}
	if b.Types != nil {
		d.Kinds = kindsOf(b.Types)
	}
	if b.IsActive != nil {
		d.IsActive = *b.IsActive
	}
	return d, check(&d)
}

// The longest address and description.
const (
	longestURL         = 2000
	longestDescription = 200
)

func check(d *store.WebhookDetails) error {
	return edge.CheckTexts(
		edge.AtMost(longestURL, "url", d.URL), edge.AtMost(longestDescription, "description", d.Description),
	)
}

// kindsOf reads the types that an endpoint gets.
func kindsOf(types *[]contract.OrderEventType) []event.Kind {
	if types == nil {
		return nil
	}
	return columns.Of(*types, func(t contract.OrderEventType) event.Kind { return event.Kind(t) })
}

// DeleteWebhookEndpoint removes an endpoint.
func (h *Handlers) DeleteWebhookEndpoint(
	ctx context.Context, request contract.DeleteWebhookEndpointRequestObject,
) (contract.DeleteWebhookEndpointResponseObject, error) {
	return contract.DeleteWebhookEndpoint204Response{},
		h.operations.Webhooks.DeleteEndpoint(ctx, edge.Caller(ctx), request.EndpointID)
}

// The overlap of an old and a new secret, in minutes: the usual and the longest.
const (
	usualOverlap   = 1440
	longestOverlap = 43_200
)

// RotateWebhookSecret gives an endpoint a new secret.
func (h *Handlers) RotateWebhookSecret(
	ctx context.Context, request contract.RotateWebhookSecretRequestObject,
) (contract.RotateWebhookSecretResponseObject, error) {
	minutes := int32(usualOverlap)
	if given := request.Body.OverlapMinutes; given != nil {
		minutes = *given
	}
	if minutes < 0 || minutes > longestOverlap {
		return nil, edge.OutOfRange("overlapMinutes", 0, longestOverlap)
	}
	made, err := h.operations.Webhooks.RotateSecret(
		ctx, edge.Caller(ctx), request.EndpointID, time.Duration(minutes)*time.Minute)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.At(made.UpdatedAt))
	return contract.RotateWebhookSecret200JSONResponse(withSecret(&made)), nil
}

func newEndpoint(e *store.WebhookEndpoint) contract.WebhookEndpoint {
	shown := contract.WebhookEndpoint{
		ID: e.ID, URL: e.URL, Description: e.Description, IsActive: e.IsActive,
		Types: columns.Of(
			e.Kinds, func(k event.Kind) contract.OrderEventType { return contract.OrderEventType(k) },
		),
		SwitchedOffReason: edge.TextOrNull(contract.WebhookEndpointSwitchedOffReason(e.OffReason)),
		SwitchedOffAt:     edge.TimeOrNull(e.OffAt), FailingSince: edge.TimeOrNull(e.FailingSince),
		LastDeliveredAt: edge.TimeOrNull(e.DeliveredAt), Position: e.Cursor.Position, Waiting: e.Waiting, Failed: e.Failed,
		RecentAttempts: e.RecentAttempts, RecentFailures: e.RecentFailures,
		PreviousSecretUntil: edge.TimeOrNull(e.PreviousUntil), CreatedAt: e.CreatedAt.UTC(), UpdatedAt: e.UpdatedAt.UTC(),
	}
	return shown
}

func withSecret(e *webhooks.EndpointSecret) contract.WebhookEndpointWithSecret {
	shown := newEndpoint(&e.WebhookEndpoint)
	return contract.WebhookEndpointWithSecret{
		ID: shown.ID, URL: shown.URL, Description: shown.Description, IsActive: shown.IsActive, Types: shown.Types,
		SwitchedOffReason: edge.TextOrNull(contract.WebhookEndpointWithSecretSwitchedOffReason(e.OffReason)),
		SwitchedOffAt:     shown.SwitchedOffAt, FailingSince: shown.FailingSince, LastDeliveredAt: shown.LastDeliveredAt,
		Position: shown.Position, Waiting: shown.Waiting, Failed: shown.Failed,
		RecentAttempts: shown.RecentAttempts, RecentFailures: shown.RecentFailures,
		PreviousSecretUntil: shown.PreviousSecretUntil, CreatedAt: shown.CreatedAt, UpdatedAt: shown.UpdatedAt,
		Secret: e.Secret,
	}
}
