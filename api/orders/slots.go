package orders

import (
	"context"
	"fmt"
	"strconv"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/bookings"
	"waybill/store"
)

// ListScheduleIntervals lists the intervals that can be booked on some days.
func (h *Handlers) ListScheduleIntervals(
	ctx context.Context, request contract.ListScheduleIntervalsRequestObject,
) (contract.ListScheduleIntervalsResponseObject, error) {
	p := request.Params
	days, err := slotDays(p.Date, p.From, p.To)
	if err != nil {
		return nil, err
	}
	query := bookings.SlotQuery{
		Days: days, OrderType: edge.OrEmpty(p.OrderType), OnlyFree: p.OnlyFree != nil && *p.OnlyFree,
	}
	if p.OrderID != nil && p.OrderDraftID != nil {
		return nil, fault.Field("orderDraftId", fault.Say("slots.one_subject"))
	}
	if p.OrderID != nil {
		query.Who = store.Booked{OrderID: *p.OrderID}
	}
	if p.OrderDraftID != nil {
		query.Who = store.Booked{DraftID: *p.OrderDraftID}
	}
	slots, err := h.operations.Bookings.Slots(ctx, edge.Caller(ctx), query)
	if err != nil {
		return nil, err
	}
	judged := p.OrderID != nil || p.OrderDraftID != nil
	return contract.ListScheduleIntervals200JSONResponse(newScheduleIntervals(slots, judged, edge.LocalizerOf(ctx))), nil
}

// SearchScheduleIntervals lists the intervals that can be booked for a basket.
func (h *Handlers) SearchScheduleIntervals(
	ctx context.Context, request contract.SearchScheduleIntervalsRequestObject,
) (contract.SearchScheduleIntervalsResponseObject, error) {
	body := request.Body
	days, err := slotDays(nil, &body.From, &body.To)
	if err != nil {
		return nil, err
	}
	basket, err := h.basket(ctx, "basket.", &body.Basket)
	if err != nil {
		return nil, err
	}
	slots, err := h.operations.Bookings.Slots(ctx, edge.Caller(ctx), bookings.SlotQuery{
		Days: days, Basket: &basket, OnlyFree: body.OnlyFree != nil && *body.OnlyFree,
	})
	if err != nil {
		return nil, err
	}
	return contract.SearchScheduleIntervals200JSONResponse(newScheduleIntervals(slots, true, edge.LocalizerOf(ctx))), nil
}

// slotDays are the requested days: one, or a range.
func slotDays(date, from, to *openapi_types.Date) ([]time.Time, error) {
	switch {
	case date != nil && (from != nil || to != nil), date == nil && (from == nil || to == nil):
		return nil, fault.Field("date", fault.Say("slots.date_or_range"))
	case date != nil:
		from, to = date, date
	}
	first, last, err := edge.CheckDays("from", from.Time, "to", to.Time)
	if err != nil {
		return nil, err
	}
	if _, ok := order.ParseDay(first.Format(time.DateOnly)); !ok {
		return nil, fault.Field("date", fault.Say("date.bad"))
	}
	var days []time.Time
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if len(days) == bookings.MaxSlotDays {
			return nil, fault.Field("to", fault.Say("slots.too_many_days", "max", strconv.Itoa(bookings.MaxSlotDays)))
		}
		days = append(days, day)
	}
	return days, nil
}

// newScheduleIntervals lists slots; where they were judged, with what does not fit.
func newScheduleIntervals(slots []bookings.JudgedSlot, judged bool, say edge.Localizer) contract.ScheduleIntervals {
	out := contract.ScheduleIntervals{Intervals: make([]contract.ScheduleInterval, len(slots))}
	for i := range slots {
		out.Intervals[i] = newScheduleInterval(&slots[i].Slot)
		if !judged {
			continue
		}
		fits, reasons := len(slots[i].Misfits) == 0, make([]contract.FieldViolation, len(slots[i].Misfits))
		for j, v := range slots[i].Misfits {
			reasons[j] = contract.FieldViolation{Field: v.Field, Description: say.Say(v.Text), Reason: edge.ReasonOf(v.Text)}
		}
		out.Intervals[i].Fits, out.Intervals[i].Reasons = &fits, &reasons
	}
	return out
}

// usualHold is the default duration of a hold.
const usualHold, longestHold = 10 * time.Minute, time.Hour

// HoldSeat holds a seat for a basket.
func (h *Handlers) HoldSeat(
	ctx context.Context, request contract.HoldSeatRequestObject,
) (contract.HoldSeatResponseObject, error) {
	body, lasts := request.Body, usualHold
	if body.IntervalID == 0 {
		return nil, fault.Field("intervalId", fault.Say("param.required"))
	}
	if body.TTLSeconds != nil {
		lasts = time.Duration(*body.TTLSeconds) * time.Second
	}
	if lasts < time.Second || lasts > longestHold {
		return nil, edge.OutOfRange("ttlSeconds", 1, int(longestHold/time.Second))
	}
	held, err := h.operations.Bookings.Hold(ctx, edge.Caller(ctx), booking.IntervalID(body.IntervalID), lasts)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v2/route-scheduling/holds/%d", held.ID))
	return contract.HoldSeat201JSONResponse{
		HoldID: held.ID, IntervalID: int64(held.IntervalID), EndsAt: held.EndsAt.UTC(),
	}, nil
}

// ReleaseHold releases a seat that was held for a basket.
func (h *Handlers) ReleaseHold(
	ctx context.Context, request contract.ReleaseHoldRequestObject,
) (contract.ReleaseHoldResponseObject, error) {
	if err := h.operations.Bookings.ReleaseHold(ctx, edge.Caller(ctx), request.HoldID); err != nil {
		return nil, err
	}
	return contract.ReleaseHold204Response{}, nil
}
