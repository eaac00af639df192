package planning

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/planning"
)

// RankDrivers lists the drivers of a plan for an order, the best first.
func (h *Handlers) RankDrivers(
	ctx context.Context, request contract.RankDriversRequestObject,
) (contract.RankDriversResponseObject, error) {
	area := planning.Area{Date: request.Date.Time, DepartmentID: departmentOf(request.Params.DepartmentID)}
	if _, _, err := edge.CheckDays("date", area.Date, "date", area.Date); err != nil {
		return nil, err
	}
	found, err := h.operations.Planning.RankDrivers(ctx, edge.Caller(ctx), area, request.Params.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.RankDrivers200JSONResponse{
		Version: found.Version, Candidates: make([]contract.DriverCandidate, len(found.Drivers)),
	}
	var w words
	for i := range found.Drivers {
		c := &found.Drivers[i]
		w.drivers = append(w.drivers, c.DriverID)
		if c.Refused != nil && c.Refused.SkillID != 0 {
			w.skills = append(w.skills, c.Refused.SkillID)
		}
	}
	if err := w.lookUp(ctx, h.store); err != nil {
		return nil, err
	}
	for i := range found.Drivers {
		out.Candidates[i] = w.candidate(&found.Drivers[i])
	}
	return out, h.sayBreaksOf(ctx, found.Drivers, out.Candidates)
}

// candidate converts a driver to the contract's form, without what the order breaks.
func (w *words) candidate(c *planning.Candidate) contract.DriverCandidate {
	out := contract.DriverCandidate{
		DriverID: c.DriverID, DriverName: w.names.Drivers[c.DriverID], IsCurrent: c.Present, Orders: int32(c.Orders),
		Fits: c.Refused == nil && len(c.Breaks) == 0, Breaks: []contract.MoveBreak{},
		PickupAt: momentOrNull(c.Pickup), DeliveryAt: momentOrNull(c.Delivery),
		Cost:    nullable.NewNullNullable[contract.CandidateCost](),
		Refusal: nullable.NewNullNullable[contract.CandidateRefusal](),
	}
	if c.Refused != nil {
		out.Refusal.Set(contract.CandidateRefusal{
			Code: string(c.Refused.Code), Text: w.texts.Say(w.stays(c.Refused, c.DriverID)),
		})
		return out
	}
	out.Cost.Set(contract.CandidateCost{
		DrivingSeconds: int64(c.Driving / time.Second), WaitingSeconds: int64(c.Waiting / time.Second), Meters: c.Meters,
	})
	return out
}

func momentOrNull(at time.Time) nullable.Nullable[time.Time] {
	if at.IsZero() {
		return nullable.NewNullNullable[time.Time]()
	}
	return nullable.NewNullableWithValue(at.UTC())
}

// sayBreaksOf adds what the order breaks with each driver.
func (h *Handlers) sayBreaksOf(ctx context.Context, found []planning.Candidate, out []contract.DriverCandidate) error {
	var breaks []planning.Break
	for i := range found {
		breaks = append(breaks, found[i].Breaks...)
	}
	said := make([]contract.MoveBreak, len(breaks))
	if err := h.sayBreaks(ctx, breaks, said); err != nil {
		return err
	}
	for i := range found {
		n := len(found[i].Breaks)
		out[i].Breaks = append(out[i].Breaks, said[:n]...)
		said = said[n:]
	}
	return nil
}
