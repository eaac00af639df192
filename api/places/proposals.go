package places

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// ListPlaceProposals lists open proposals of where addresses are.
func (h *Handlers) ListPlaceProposals(
	ctx context.Context, request contract.ListPlaceProposalsRequestObject,
) (contract.ListPlaceProposalsResponseObject, error) {
	size := orUsual(request.Params.PageSize, usualPage)
	if size < 1 || size > maxPage {
		return nil, edge.OutOfRange("pageSize", 1, maxPage)
	}
	var after int64
	if token := edge.OrEmpty(request.Params.Token); token != "" {
		var err error
		if after, err = strconv.ParseInt(token, 10, 64); err != nil {
			return nil, fault.Field("token", fault.Say("plan.bad_token"))
		}
	}
	found, more, err := h.store.PlaceProposals(ctx, edge.PrincipalOf(ctx).OrgID, after, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListPlaceProposals200JSONResponse{Items: make([]contract.PlaceProposal, len(found)), HasMore: more}
	for i := range found {
		if page.Items[i], err = newProposal(&found[i]); err != nil {
			return nil, err
		}
	}
	if more {
		page.NextToken = strconv.FormatInt(found[len(found)-1].ID, 10)
	}
	return page, nil
}

func newProposal(r *store.PlaceProposal) (contract.PlaceProposal, error) {
	p := contract.PlaceProposal{
		ID: r.ID, Source: contract.PlaceProposalSource(r.Source), Target: contract.PlaceProposalTarget(r.Target),
		LocationID: idOrNull(r.LocationID), IsCorrectable: r.IsCorrectable, Latitude: r.Latitude, Longitude: r.Longitude,
		AccuracyMeters: nullable.NewNullNullable[float64](), Arrivals: int32(r.Arrivals),
		DriverID: idOrNull(r.DriverID), DriverName: edge.TextOrNull(r.DriverName),
		OrderID: idOrNull(r.OrderID), ExternalID: edge.TextOrNull(r.Number), StopID: r.StopID, Name: r.Name,
		Address1: r.Address1, PostalCode: r.PostalCode, City: r.City, Country: r.Country, ProposedAt: r.ProposedAt,
	}
	if !math.IsNaN(r.AccuracyMeters) {
		p.AccuracyMeters = nullable.NewNullableWithValue(r.AccuracyMeters)
	}
	if err := json.Unmarshal(r.Position, &p.Position); err != nil {
		return p, fmt.Errorf("position of proposal %d: %w", r.ID, err)
	}
	if p.Position.Precision == "" {
		p.Position.Precision = contract.PositionPrecisionUnknown
	}
	return p, nil
}

func idOrNull(id int64) nullable.Nullable[int64] {
	if id == 0 {
		return nullable.NewNullNullable[int64]()
	}
	return nullable.NewNullableWithValue(id)
}

// AcceptPlaceProposal puts the pin of an address where a proposal says.
func (h *Handlers) AcceptPlaceProposal(
	ctx context.Context, request contract.AcceptPlaceProposalRequestObject,
) (contract.AcceptPlaceProposalResponseObject, error) {
	orders, err := h.operations.Places.Accept(ctx, edge.Caller(ctx), request.ProposalID)
	return contract.AcceptPlaceProposal200JSONResponse{Orders: int32(orders)}, err
}

// DismissPlaceProposal removes a proposal.
func (h *Handlers) DismissPlaceProposal(
	ctx context.Context, request contract.DismissPlaceProposalRequestObject,
) (contract.DismissPlaceProposalResponseObject, error) {
	err := h.operations.Places.Dismiss(ctx, edge.Caller(ctx), request.ProposalID)
	return contract.DismissPlaceProposal204Response{}, err
}
