package masterdata

import (
	"context"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/integration"
)

// ListIntegrations lists the organization's existing and possible connections.
func (h *Handlers) ListIntegrations(
	ctx context.Context, _ contract.ListIntegrationsRequestObject,
) (contract.ListIntegrationsResponseObject, error) {
	found, err := h.operations.Integrations.Integrations(ctx, edge.Caller(ctx))
	list := contract.ListIntegrations200JSONResponse{Items: make([]contract.Integration, len(found))}
	for i := range found {
		list.Items[i] = newIntegration(&found[i])
	}
	return list, err
}

func newIntegration(i *integration.Integration) contract.Integration {
	out := contract.Integration{
		Name: i.Name, Kind: contract.IntegrationKind(i.Kind), Label: i.Label,
		Direction: contract.IntegrationDirection(i.Direction), Events: make([]string, len(i.Events)),
		Configured: i.Configured, LastSeenAt: timeOrNone(i.LastSeen),
	}
	for n, kind := range i.Events {
		out.Events[n] = string(kind)
	}
	return out
}

func timeOrNone(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}

// GetIntegrationHealth returns the recent health of an integration.
func (h *Handlers) GetIntegrationHealth(
	ctx context.Context, request contract.GetIntegrationHealthRequestObject,
) (contract.GetIntegrationHealthResponseObject, error) {
	found, err := h.operations.Integrations.IntegrationHealth(ctx, edge.Caller(ctx), request.Name)
	if err != nil {
		return nil, err
	}
	out := contract.GetIntegrationHealth200JSONResponse{
		Name: found.Name, Kind: contract.IntegrationKind(found.Kind),
		State:         contract.IntegrationHealthState(found.State(found.Configured)),
		LastSuccessAt: timeOrNone(found.SucceededAt), LastFailureAt: timeOrNone(found.FailedAt), Since: found.Since,
		Waiting: found.Waiting, Succeeded: found.Succeeded, Failed: found.Failed,
	}
	if found.Reason != "" {
		out.LastFailureReason = &found.Reason
	}
	return out, nil
}
