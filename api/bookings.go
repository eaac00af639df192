package api

import (
	"context"
	"time"

	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// ListScheduleIntervals lists what can be booked on a day.
func (s *Server) ListScheduleIntervals(
	ctx context.Context, request ListScheduleIntervalsRequestObject,
) (ListScheduleIntervalsResponseObject, error) {
	day, ok := order.ParseDay(request.Params.Date.Format(time.DateOnly))
	if !ok {
		return nil, fault.Field("date", fault.Say("date.bad"))
	}
	called := ""
	if request.Params.OrderType != nil {
		called = *request.Params.OrderType
	}
	slots, err := s.store.Intervals(ctx, PrincipalOf(ctx).OrgID, day, called)
	if err != nil {
		return nil, err
	}
	out := ListScheduleIntervals200JSONResponse{Intervals: make([]ScheduleInterval, len(slots))}
	for i := range slots {
		out.Intervals[i] = newScheduleInterval(&slots[i])
	}
	return out, nil
}

func newScheduleInterval(s *booking.Slot) ScheduleInterval {
	out := ScheduleInterval{
		IntervalID: int64(s.ID), OrderTypes: newNamedRecords(s.OrderTypes), FreightLevels: newNamedRecords(s.FreightLevels),
		FromToZones:    make([]ZonePair, len(s.FromToZones)),
		PickupEarliest: s.Pickup.Earliest.UTC(), PickupLatest: s.Pickup.Latest.UTC(),
		DeliveryEarliest: s.Delivery.Earliest.UTC(), DeliveryLatest: s.Delivery.Latest.UTC(),
		TotalAvailableSlots: s.Slots, BookedSlots: s.Booked,
	}
	for i, pair := range s.FromToZones {
		out.FromToZones[i] = ZonePair{From: NamedRecord(pair.From), To: NamedRecord(pair.To)}
	}
	return out
}

func newNamedRecords(records []booking.Named) []NamedRecord {
	out := make([]NamedRecord, len(records))
	for i, r := range records {
		out[i] = NamedRecord(r)
	}
	return out
}

func newDetailedBooking(b store.Booking) DetailedBooking {
	return DetailedBooking{
		IntervalID: int64(b.IntervalID), BookedAt: b.BookedAt.UTC(),
		PickupEarliest: b.Pickup.Earliest.UTC(), PickupLatest: b.Pickup.Latest.UTC(),
		DeliveryEarliest: b.Delivery.Earliest.UTC(), DeliveryLatest: b.Delivery.Latest.UTC(),
	}
}

// BookOrderOnInterval takes a seat for an order.
func (s *Server) BookOrderOnInterval(
	ctx context.Context, request BookOrderOnIntervalRequestObject,
) (BookOrderOnIntervalResponseObject, error) {
	slot, err := s.book(ctx, store.Booked{OrderID: request.OrderID}, request.Body)
	return BookOrderOnInterval200JSONResponse(slot), err
}

// BookDraftOnInterval takes a seat for a draft.
func (s *Server) BookDraftOnInterval(
	ctx context.Context, request BookDraftOnIntervalRequestObject,
) (BookDraftOnIntervalResponseObject, error) {
	slot, err := s.book(ctx, store.Booked{DraftID: request.OrderDraftID}, request.Body)
	return BookDraftOnInterval200JSONResponse(slot), err
}

func (s *Server) book(ctx context.Context, who store.Booked, body *BookOnIntervalRequest) (ScheduleInterval, error) {
	if body.IntervalID == 0 {
		return ScheduleInterval{}, fault.Field("intervalId", fault.Say("param.required"))
	}
	slot, err := s.store.Book(ctx, CallerOf(ctx), who, booking.IntervalID(body.IntervalID), s.now())
	if err != nil {
		return ScheduleInterval{}, err
	}
	return newScheduleInterval(&slot), nil
}

// ScheduleOrder takes a seat for an order in the first interval that fits.
func (s *Server) ScheduleOrder(ctx context.Context, request ScheduleOrderRequestObject) (ScheduleOrderResponseObject, error) {
	var day *time.Time
	if request.Body != nil && request.Body.Date != nil {
		date, ok := order.ParseDay(*request.Body.Date)
		if !ok {
			return nil, fault.Field("date", fault.Say("date.bad"))
		}
		day = &date
	}
	booked, err := s.store.Schedule(ctx, CallerOf(ctx), request.OrderID, day, s.now())
	if err != nil {
		return nil, err
	}
	return ScheduleOrder200JSONResponse(newDetailedBooking(booked)), nil
}

// GetOrderBooking reads the seat of an order.
func (s *Server) GetOrderBooking(ctx context.Context, request GetOrderBookingRequestObject) (GetOrderBookingResponseObject, error) {
	booked, err := s.store.Booking(ctx, PrincipalOf(ctx).OrgID, store.Booked{OrderID: request.OrderID})
	return GetOrderBooking200JSONResponse(newDetailedBooking(booked)), err
}

// GetDraftBooking reads the seat of a draft.
func (s *Server) GetDraftBooking(ctx context.Context, request GetDraftBookingRequestObject) (GetDraftBookingResponseObject, error) {
	booked, err := s.store.Booking(ctx, PrincipalOf(ctx).OrgID, store.Booked{DraftID: request.OrderDraftID})
	return GetDraftBooking200JSONResponse(newDetailedBooking(booked)), err
}

// CancelOrderBooking gives the seat of an order back.
func (s *Server) CancelOrderBooking(
	ctx context.Context, request CancelOrderBookingRequestObject,
) (CancelOrderBookingResponseObject, error) {
	id, err := s.store.CancelBooking(ctx, CallerOf(ctx), store.Booked{OrderID: request.OrderID})
	return CancelOrderBooking200JSONResponse{IntervalID: int64(id)}, err
}

// CancelDraftBooking gives the seat of a draft back.
func (s *Server) CancelDraftBooking(
	ctx context.Context, request CancelDraftBookingRequestObject,
) (CancelDraftBookingResponseObject, error) {
	id, err := s.store.CancelBooking(ctx, CallerOf(ctx), store.Booked{DraftID: request.OrderDraftID})
	return CancelDraftBooking200JSONResponse{IntervalID: int64(id)}, err
}
