package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/booking"
	"waybill/domain/order"
	"waybill/domain/recurrence"
	"waybill/store/queries"
)

// Offer is an interval, and how many seats of it are taken and held on a day.
type Offer struct {
	*booking.Interval

	Taken, Held int32
}

// Slot is the interval on that day.
func (o *Offer) Slot(day time.Time, zone *time.Location) booking.Slot {
	slot := o.On(day, zone, o.Taken)
	slot.Held = o.Held
	return slot
}

// Offers reads the intervals that may be offered on a day.
func (s *Store) Offers(ctx context.Context, org int64, day time.Time) ([]*Offer, error) {
	rows, err := s.of(org).FindIntervals(ctx, queries.FindIntervalsParams{OrgID: org, Day: day})
	if err != nil {
		return nil, fmt.Errorf("intervals: %w", translate(err))
	}
	offers := make([]*Offer, len(rows))
	for i := range rows {
		if offers[i], err = newOffer(&rows[i]); err != nil {
			return nil, err
		}
	}
	return offers, nil
}

// OffersOfDays reads the intervals that may be offered on some days, by day.
// Every day has all of them; each interval decides whether it is offered on
// that day.
func (s *Store) OffersOfDays(ctx context.Context, org int64, days []time.Time) (map[time.Time][]*Offer, error) {
	offers, err := s.Offers(ctx, org, days[0])
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(offers))
	for i, o := range offers {
		ids[i] = o.ID
	}
	rows, err := s.of(org).SeatsOfDays(ctx, queries.SeatsOfDaysParams{
		OrgID: org, Intervals: ids, First: days[0], Last: days[len(days)-1],
	})
	if err != nil {
		return nil, fmt.Errorf("seats: %w", translate(err))
	}
	seats := make(map[booking.IntervalID]queries.SeatsOfDaysRow, len(rows))
	for _, r := range rows {
		seats[booking.NewIntervalID(r.IntervalID, r.Day)] = r
	}
	byDay := make(map[time.Time][]*Offer, len(days))
	for _, day := range days {
		for _, o := range offers {
			taken := seats[booking.NewIntervalID(o.ID, day)]
			byDay[day] = append(byDay[day], &Offer{o.Interval, taken.Booked, taken.Held})
		}
	}
	return byDay, nil
}

// LoadOffer reads one interval as it is on a day, or nil.
func (t *Tx) LoadOffer(ctx context.Context, interval int64, day time.Time) (*Offer, error) {
	rows, err := t.q.FindIntervals(ctx, queries.FindIntervalsParams{OrgID: t.org, Day: day, IntervalID: interval})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return newOffer(&rows[0])
}

// BookableOrderType finds an order type by id or name.
func (s *Store) BookableOrderType(ctx context.Context, org, id int64, name string) (int64, error) {
	row, err := s.of(org).FindBookableOrderType(ctx, queries.FindBookableOrderTypeParams{OrgID: org, ID: id, Name: name})
	return row.ID, absent("order_type", name, err)
}

func newOffer(row *queries.FindIntervalsRow) (*Offer, error) {
	i := &booking.Interval{
		ID: row.ID, Slots: row.Slots,
		Pickup:   order.Hours{Opens: order.Clock(row.PickupEarliest), Closes: order.Clock(row.PickupLatest)},
		Delivery: order.Hours{Opens: order.Clock(row.DeliveryEarliest), Closes: order.Clock(row.DeliveryLatest)},
	}
	if row.Day != nil {
		i.Day = row.Day.UTC()
	}
	if row.Rrule != nil {
		rule, err := recurrence.ParseDays(*row.Rrule, time.UTC)
		if err != nil {
			return nil, fmt.Errorf("rule of interval %d: %w", row.ID, err)
		}
		i.Rule = rule
	}
	var err, errZones, errLevels error
	i.OrderTypes, err = list[booking.Named](row.OrderTypes)
	i.FromToZones, errZones = list[booking.ZonePair](row.FromToZones)
	i.FreightLevels, errLevels = list[booking.Named](row.FreightLevels)
	if err := errors.Join(err, errZones, errLevels); err != nil {
		return nil, fmt.Errorf("interval %d: %w", row.ID, err)
	}
	return &Offer{i, row.Booked, row.Held}, nil
}
