package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

// descriptions explain the effect of each switch.
var descriptions = map[string]string{
	"allow_merge":          "Imports merge orders that fit together when they do not say.",
	"carrier_moves_status": "What a carrier reports of an order that was exported to it moves the order.",
	"reexport":             "An order that changes after it was exported is offered for export again.",
}

// onAtFirst are the switches that are on in a new organization.
var onAtFirst = map[string]bool{"carrier_moves_status": true}

// flagsAnswer answers both operations of the switches.
type flagsAnswer contract.FeatureFlags

func newFlags(ctx context.Context, flags []store.FeatureFlag) flagsAnswer {
	out := flagsAnswer{Items: make([]contract.FeatureFlag, len(flags))}
	for i, f := range flags {
		out.Items[i] = contract.FeatureFlag{
			Name: f.Name, Enabled: f.Enabled, Default: onAtFirst[f.Name],
			Description: descriptions[f.Name],
			ChangedAt:   edge.OrNull(f.ChangedAt), ChangedBy: edge.TextOrNull(f.ChangedBy),
		}
	}
	edge.Versioned(ctx, store.VersionOfFlags(flags))
	return out
}

// ListFeatureFlags lists the switches of the organization.
func (h *Handlers) ListFeatureFlags(
	ctx context.Context, _ contract.ListFeatureFlagsRequestObject,
) (contract.ListFeatureFlagsResponseObject, error) {
	flags, err := h.operations.MasterData.FeatureFlags(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	return newFlags(ctx, flags), nil
}

// VisitListFeatureFlagsResponse responds with the switches.
func (f flagsAnswer) VisitListFeatureFlagsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, f)
}

// SetFeatureFlags turns switches on or off.
func (h *Handlers) SetFeatureFlags(
	ctx context.Context, request contract.SetFeatureFlagsRequestObject,
) (contract.SetFeatureFlagsResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	flags, err := h.operations.MasterData.SetFeatureFlags(ctx, edge.Caller(ctx), expected, request.Body.Flags)
	if err != nil {
		return nil, err
	}
	return newFlags(ctx, flags), nil
}

// VisitSetFeatureFlagsResponse responds with the switches.
func (f flagsAnswer) VisitSetFeatureFlagsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, f)
}
