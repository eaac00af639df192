package planning

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

// ListTravelProposals lists the rush hours that were learned last.
func (h *Handlers) ListTravelProposals(
	ctx context.Context, _ contract.ListTravelProposalsRequestObject,
) (contract.ListTravelProposalsResponseObject, error) {
	found, err := h.store.TravelProposals(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	list := contract.ListTravelProposals200JSONResponse{Items: make([]contract.TravelProposal, len(found))}
	for i := range found {
		list.Items[i] = travelProposal(&found[i])
	}
	return list, nil
}

func travelProposal(p *store.TravelProposal) contract.TravelProposal {
	out := contract.TravelProposal{
		ID: p.ID, State: contract.TravelProposalState(p.State), Hours: make([]contract.RushHours, len(p.Hours)),
		Legs: int32(p.Legs), Days: int32(p.Days), PredictedLegs: int32(p.Trial.Legs), PredictedDays: int32(p.Trial.Days),
		SecondsBefore: int32(p.Trial.Before / time.Second), SecondsAfter: int32(p.Trial.After / time.Second),
		ProposedAt: p.ProposedAt, DecidedAt: nullable.NewNullNullable[time.Time](), DecidedBy: edge.TextOrNull(p.DecidedBy),
	}
	if p.DecidedAt != nil {
		out.DecidedAt = nullable.NewNullableWithValue(*p.DecidedAt)
	}
	for i := range p.Hours {
		hours := &p.Hours[i]
		out.Hours[i] = contract.RushHours{
			Days: make([]contract.WeekdayCode, len(hours.Days)), From: hours.From, Until: hours.Until, Factor: hours.Factor,
			Areas: make([]contract.ZoneArea, len(hours.Areas)),
		}
		for n, day := range hours.Days {
			out.Hours[i].Days[n] = contract.WeekdayCode(day)
		}
		for n, area := range hours.Areas {
			out.Hours[i].Areas[n] = contract.ZoneArea{Country: area.Country, From: area.From, To: area.To}
		}
	}
	return out
}

// AcceptTravelProposal makes learned rush hours those of the organization.
func (h *Handlers) AcceptTravelProposal(
	ctx context.Context, request contract.AcceptTravelProposalRequestObject,
) (contract.AcceptTravelProposalResponseObject, error) {
	err := h.operations.Learning.Accept(ctx, edge.Caller(ctx), request.ProposalID)
	return contract.AcceptTravelProposal204Response{}, err
}

// DismissTravelProposal closes a proposal.
func (h *Handlers) DismissTravelProposal(
	ctx context.Context, request contract.DismissTravelProposalRequestObject,
) (contract.DismissTravelProposalResponseObject, error) {
	err := h.operations.Learning.Dismiss(ctx, edge.Caller(ctx), request.ProposalID)
	return contract.DismissTravelProposal204Response{}, err
}
