package planning

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/learning"
	"waybill/store"
)

// ListTravelProposals lists the rush hours and times of visits that were learned last.
func (h *Handlers) ListTravelProposals(
	ctx context.Context, _ contract.ListTravelProposalsRequestObject,
) (contract.ListTravelProposalsResponseObject, error) {
	org := edge.PrincipalOf(ctx).OrgID
	found, err := h.store.TravelProposals(ctx, org)
	if err != nil {
		return nil, err
	}
	names, err := h.store.NamesOfVisits(ctx, org, found)
	if err != nil {
		return nil, err
	}
	list := contract.ListTravelProposals200JSONResponse{Items: make([]contract.TravelProposal, len(found))}
	for i := range found {
		list.Items[i] = travelProposal(&found[i])
		list.Items[i].Visits = learnedVisits(found[i].Visits, &names)
	}
	return list, nil
}

func travelProposal(p *store.TravelProposal) contract.TravelProposal {
	out := contract.TravelProposal{
		ID: p.ID, Kind: contract.TravelProposalKind(p.Kind), State: contract.TravelProposalState(p.State),
		Hours: make([]contract.RushHours, len(p.Hours)),
		Legs:  int32(p.Facts), Days: int32(p.Days),
		PredictedLegs: int32(p.Trial.Predicted), PredictedDays: int32(p.Trial.Days),
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

func learnedVisits(times []learning.VisitTime, names *store.NamesOfVisits) []contract.LearnedVisitTime {
	out := make([]contract.LearnedVisitTime, len(times))
	for i := range times {
		t := &times[i]
		out[i] = contract.LearnedVisitTime{
			LocationID: edge.IDOrNull(t.LocationID), OrderTypeID: edge.IDOrNull(t.OrderTypeID),
			Name: names.OrderTypes[t.OrderTypeID], SetupSeconds: t.SetupSeconds, OrderSeconds: t.OrderSeconds,
			SetupSecondsBefore: t.SetupSecondsBefore, OrderSecondsBefore: t.OrderSecondsBefore, Visits: int32(t.Visits),
		}
		if t.LocationID != 0 {
			out[i].Name = names.Locations[t.LocationID]
		}
	}
	return out
}

// AcceptTravelProposal makes learned times those of the organization.
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
