package planning

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
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

// How many drivers are returned for several orders: unless another number is asked for, and at most.
const (
	usuallyRanked = 3
	mostRanked    = 8
)

// RankDriversForOrders lists the drivers of a plan for several orders together, the best first.
func (h *Handlers) RankDriversForOrders(
	ctx context.Context, request contract.RankDriversForOrdersRequestObject,
) (contract.RankDriversForOrdersResponseObject, error) {
	p := request.Params
	area := planning.Area{Date: request.Date.Time, DepartmentID: departmentOf(p.DepartmentID)}
	if _, _, err := edge.CheckDays("date", area.Date, "date", area.Date); err != nil {
		return nil, err
	}
	ids, most, err := rankedOrders(p)
	if err != nil {
		return nil, err
	}
	version, found, err := h.operations.Planning.RankDriversForOrders(ctx, edge.Caller(ctx), area, ids)
	if err != nil {
		return nil, err
	}
	out := contract.RankDriversForOrders200JSONResponse{Version: version}
	out.Drivers, err = h.driversForOrders(ctx, found[:min(len(found), most)])
	return out, err
}

// rankedOrders reads which orders are asked about, and how many drivers are wanted.
func rankedOrders(p contract.RankDriversForOrdersParams) (ids []int64, most int, err error) {
	ids = slices.Clone(p.OrderIds)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	most = usuallyRanked
	if p.Limit != nil {
		most = int(*p.Limit)
	}
	switch {
	case len(ids) == 0:
		return nil, 0, fault.Field("orderIds", fault.Say("plan.no_moves"))
	case len(ids) > maxMoves:
		return nil, 0, fault.Field("orderIds", fault.Say("plan.too_many_moves", "max", strconv.Itoa(maxMoves)))
	case most < 1 || most > mostRanked:
		return nil, 0, edge.OutOfRange("limit", 1, mostRanked)
	}
	return ids, most, nil
}

// driversForOrders converts drivers to the contract's form.
func (h *Handlers) driversForOrders(
	ctx context.Context, found []planningops.DriverForOrders,
) ([]contract.DriverForOrders, error) {
	var w words
	var breaks []planning.Break
	for i := range found {
		w.drivers = append(w.drivers, found[i].DriverID)
		breaks = append(breaks, found[i].Breaks...)
	}
	if err := w.lookUp(ctx, h.store); err != nil {
		return nil, err
	}
	said := make([]contract.MoveBreak, len(breaks))
	if err := h.sayBreaks(ctx, breaks, said); err != nil {
		return nil, err
	}
	out := make([]contract.DriverForOrders, len(found))
	for i := range found {
		f := &found[i]
		n := len(f.Breaks)
		out[i] = contract.DriverForOrders{
			DriverID: f.DriverID, DriverName: w.names.Drivers[f.DriverID], Takes: f.Takes, Left: append([]int64{}, f.Left...),
			Cost: costOf(&f.MovedOrders), LateOrders: int32(f.LateOrders), MostLateSeconds: f.MostLate,
			Breaks: append([]contract.MoveBreak{}, said[:n]...),
		}
		said = said[n:]
	}
	return out, nil
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
