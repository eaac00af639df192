package planning

import (
	"context"
	"slices"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/learning"
	"waybill/store"
)

// ListTravelProposals lists the rush hours, times of visits and factors of drivers that were learned last. How drivers
// work is a matter of administrators.
func (h *Handlers) ListTravelProposals(
	ctx context.Context, _ contract.ListTravelProposalsRequestObject,
) (contract.ListTravelProposalsResponseObject, error) {
	org := edge.PrincipalOf(ctx).OrgID
	found, err := h.store.TravelProposals(ctx, org)
	if err != nil {
		return nil, err
	}
	if !edge.ByAdmin(ctx) {
		found = slices.DeleteFunc(found, func(p store.TravelProposal) bool { return p.Kind == learning.OfDrivers })
	}
	drivers, err := h.store.NamesOfDrivers(ctx, org, found)
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
		list.Items[i].Drivers = learnedDrivers(found[i].Drivers, drivers)
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

func learnedDrivers(paces []learning.DriverPace, names map[int64]string) []contract.LearnedDriverPace {
	out := make([]contract.LearnedDriverPace, len(paces))
	for i := range paces {
		p := &paces[i]
		out[i] = contract.LearnedDriverPace{
			DriverID: p.DriverID, Name: names[p.DriverID],
			DrivingFactor: factorOrNull(p.Driving), VisitFactor: factorOrNull(p.Visits),
			DrivingFactorBefore: p.DrivingBefore, VisitFactorBefore: p.VisitsBefore,
			Legs: int32(p.LegsDriven), Visits: int32(p.VisitsMade),
		}
	}
	return out
}

func factorOrNull(factor float64) nullable.Nullable[float64] {
	if factor == 0 {
		return nullable.NewNullNullable[float64]()
	}
	return nullable.NewNullableWithValue(factor)
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
