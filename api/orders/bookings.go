package orders

import (
	"context"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

func newScheduleInterval(s *booking.Slot) contract.ScheduleInterval {
	out := contract.ScheduleInterval{
		IntervalID: int64(s.ID), OrderTypes: newNamedRecords(s.OrderTypes), FreightLevels: newNamedRecords(s.FreightLevels),
		FromToZones:    make([]contract.ZonePair, len(s.FromToZones)),
		PickupEarliest: s.Pickup.Earliest.UTC(), PickupLatest: s.Pickup.Latest.UTC(),
		DeliveryEarliest: s.Delivery.Earliest.UTC(), DeliveryLatest: s.Delivery.Latest.UTC(),
		TotalAvailableSlots: s.Slots, BookedSlots: s.Booked, HeldSlots: s.Held,
	}
	for i, pair := range s.FromToZones {
		out.FromToZones[i] = contract.ZonePair{From: contract.NamedRecord(pair.From), To: contract.NamedRecord(pair.To)}
	}
	return out
}

func newNamedRecords(records []booking.Named) []contract.NamedRecord {
	out := make([]contract.NamedRecord, len(records))
	for i, r := range records {
		out[i] = contract.NamedRecord(r)
	}
	return out
}

func newDetailedBooking(b store.Booking) contract.DetailedBooking {
	return contract.DetailedBooking{
		IntervalID: int64(b.IntervalID), BookedAt: b.BookedAt.UTC(),
		PickupEarliest: b.Pickup.Earliest.UTC(), PickupLatest: b.Pickup.Latest.UTC(),
		DeliveryEarliest: b.Delivery.Earliest.UTC(), DeliveryLatest: b.Delivery.Latest.UTC(),
	}
}

// BookOrderOnInterval books a seat for an order.
func (h *Handlers) BookOrderOnInterval(
	ctx context.Context, request contract.BookOrderOnIntervalRequestObject,
) (contract.BookOrderOnIntervalResponseObject, error) {
	slot, err := h.book(ctx, store.Booked{OrderID: request.OrderID}, request.Body)
	return contract.BookOrderOnInterval200JSONResponse(slot), err
}

// BookDraftOnInterval books a seat for a draft.
func (h *Handlers) BookDraftOnInterval(
	ctx context.Context, request contract.BookDraftOnIntervalRequestObject,
) (contract.BookDraftOnIntervalResponseObject, error) {
	slot, err := h.book(ctx, store.Booked{DraftID: request.OrderDraftID}, request.Body)
	return contract.BookDraftOnInterval200JSONResponse(slot), err
}

func (h *Handlers) book(
	ctx context.Context, who store.Booked, body *contract.BookOnIntervalRequest,
) (contract.ScheduleInterval, error) {
	if body.IntervalID == 0 {
		return contract.ScheduleInterval{}, fault.Field("intervalId", fault.Say("param.required"))
	}
	hold := int64(0)
	if err := readIDs(namedID{"holdId", body.HoldID, &hold}); err != nil {
		return contract.ScheduleInterval{}, err
	}
	slot, err := h.operations.Bookings.Book(ctx, edge.Caller(ctx), who, booking.IntervalID(body.IntervalID), hold)
	if err != nil {
		return contract.ScheduleInterval{}, err
	}
	return newScheduleInterval(&slot), nil
}

// ScheduleOrder books a seat for an order in the first interval that fits.
func (h *Handlers) ScheduleOrder(
	ctx context.Context, request contract.ScheduleOrderRequestObject,
) (contract.ScheduleOrderResponseObject, error) {
	var day *time.Time
	if request.Body != nil && request.Body.Date != nil {
		date, ok := order.ParseDay(*request.Body.Date)
		if !ok {
			return nil, fault.Field("date", fault.Say("date.bad"))
		}
		day = &date
	}
	booked, err := h.operations.Bookings.ScheduleOrder(ctx, edge.Caller(ctx), request.OrderID, day)
	if err != nil {
		return nil, err
	}
	return contract.ScheduleOrder200JSONResponse(newDetailedBooking(booked)), nil
}

// GetOrderBooking reads the seat of an order.
func (h *Handlers) GetOrderBooking(
	ctx context.Context, request contract.GetOrderBookingRequestObject,
) (contract.GetOrderBookingResponseObject, error) {
	booked, err := h.store.Booking(ctx, edge.PrincipalOf(ctx).OrgID, store.Booked{OrderID: request.OrderID})
	return contract.GetOrderBooking200JSONResponse(newDetailedBooking(booked)), err
}

// GetDraftBooking reads the seat of a draft.
func (h *Handlers) GetDraftBooking(
	ctx context.Context, request contract.GetDraftBookingRequestObject,
) (contract.GetDraftBookingResponseObject, error) {
	booked, err := h.store.Booking(ctx, edge.PrincipalOf(ctx).OrgID, store.Booked{DraftID: request.OrderDraftID})
	return contract.GetDraftBooking200JSONResponse(newDetailedBooking(booked)), err
}

// CancelOrderBooking returns the seat of an order back.
func (h *Handlers) CancelOrderBooking(
	ctx context.Context, request contract.CancelOrderBookingRequestObject,
) (contract.CancelOrderBookingResponseObject, error) {
	id, err := h.operations.Bookings.CancelBooking(ctx, edge.Caller(ctx), store.Booked{OrderID: request.OrderID})
	return contract.CancelOrderBooking200JSONResponse{IntervalID: int64(id)}, err
}

// CancelDraftBooking returns the seat of a draft back.
func (h *Handlers) CancelDraftBooking(
	ctx context.Context, request contract.CancelDraftBookingRequestObject,
) (contract.CancelDraftBookingResponseObject, error) {
	id, err := h.operations.Bookings.CancelBooking(ctx, edge.Caller(ctx), store.Booked{DraftID: request.OrderDraftID})
	return contract.CancelDraftBooking200JSONResponse{IntervalID: int64(id)}, err
}
