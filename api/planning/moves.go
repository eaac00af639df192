package planning

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
)

// The limits of one request for moves.
const (
	maxMoves  = 50
	maxReason = 500
)

// MoveOrders moves orders to other drivers, or returns the effects for a dry
// run.
func (h *Handlers) MoveOrders(
	ctx context.Context, request contract.MoveOrdersRequestObject,
) (contract.MoveOrdersResponseObject, error) {
	asked, err := movesOf(request)
	if err != nil {
		return nil, err
	}
	moved, err := h.operations.Planning.MoveOrders(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	out := contract.MoveOrders200JSONResponse{
		Applied: moved.Applied, Version: moved.Version, Breaks: make([]contract.MoveBreak, len(moved.Breaks)),
		Cost: costOf(&moved), Refused: refusedMoves(ctx, moved.Refused),
	}
	if err := h.sayBreaks(ctx, moved.Breaks, out.Breaks); err != nil {
		return nil, err
	}
	out.Routes, err = h.changedRoutes(ctx, moved.Changed)
	return out, err
}

// movesOf reads what is asked for.
func movesOf(request contract.MoveOrdersRequestObject) (m planningops.PlanMoves, err error) {
	body := request.Body
	m = planningops.PlanMoves{Seen: body.Version, Reason: strings.TrimSpace(edge.OrEmpty(body.Reason))}
	m.DryRun, m.Partly, m.Overrule = isTrue(body.DryRun), isTrue(body.Partly), isTrue(body.Overrule)
	if m.Area, err = areaOf(request.Date.Time, body.DepartmentID); err != nil {
		return m, err
	}
	if err := edge.CheckTexts(edge.AtMost(maxReason, "reason", m.Reason)); err != nil {
		return m, err
	}
	switch {
	case len(body.Moves) == 0:
		return m, fault.Field("moves", fault.Say("plan.no_moves"))
	case len(body.Moves) > maxMoves:
		return m, fault.Field("moves", fault.Say("plan.too_many_moves", "max", strconv.Itoa(maxMoves)))
	}
	seen := map[int64]bool{}
	for i, move := range body.Moves {
		if seen[move.OrderID] {
			return m, fault.Field(fmt.Sprintf("moves[%d].orderId", i),
				fault.Say("plan.twice", "name", strconv.FormatInt(move.OrderID, 10)))
		}
		seen[move.OrderID] = true
		m.Moves = append(m.Moves, planning.Move{OrderID: move.OrderID, DriverID: move.DriverID})
	}
	return m, nil
}

// sayBreaks converts the violations of moves to the contract's form, with
// texts.
func (h *Handlers) sayBreaks(ctx context.Context, breaks []planning.Break, out []contract.MoveBreak) error {
	var w words
	for _, b := range breaks {
		w.drivers, w.orders = append(w.drivers, b.DriverID), append(w.orders, b.OrderID)
		if b.SkillID != 0 {
			w.skills = append(w.skills, b.SkillID)
		}
	}
	if err := w.lookUp(ctx, h.store); err != nil {
		return err
	}
	for i, b := range breaks {
		out[i] = contract.MoveBreak{Code: string(b.Code), DriverID: &b.DriverID, OrderID: &b.OrderID}
		if b.Code == planning.Late {
			late := int64(b.By)
			out[i].BySeconds = &late
			said := fault.Say("planning.break.late", "number", w.names.Orders[b.OrderID], "by", duration(late))
			out[i].Text = w.texts.Say(said)
			continue
		}
		reason := contract.PlanningReason{
			Code: contract.PlanningReasonCode(b.Code), Drivers: []int64{b.DriverID}, Count: 1,
		}
		if skill := w.names.Skills[b.SkillID]; skill != "" {
			reason.Skill, out[i].Skill = &skill, &skill
		}
		out[i].Text = w.texts.Say(w.reason(&reason))
	}
	return nil
}
