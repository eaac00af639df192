package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/recurrence"
	"waybill/store/queries"
)

// bookingSubject is an order or draft that is judged for a seat. It is not
// locked meanwhile: version names the row that was judged.
type bookingSubject struct {
	booking.Subject

	version string
	day     time.Time // of an order
	zone    *time.Location
}

// offer is an interval, and how many seats of it are taken on a day.
type offer struct {
	*booking.Interval

	taken int32
}

// subject loads what decides whether an order or draft fits an interval on a
// day, and that interval, which is nil when there is none; it gives a fault when
// the order or draft may not be booked at all.
func (s *Store) subject(ctx context.Context, org int64, who Booked, interval int64, day time.Time) (bookingSubject, *offer, error) {
	if who.DraftID == 0 {
		return s.orderSubject(ctx, org, who.OrderID, interval, day)
	}
	var subject bookingSubject
	var offered *offer
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		if subject, err = t.draftSubject(ctx, who.DraftID); err != nil {
			return err
		}
		rows, err := t.q.FindIntervals(ctx, queries.FindIntervalsParams{OrgID: org, Day: day, IntervalID: interval})
		if err == nil && len(rows) > 0 {
			offered, err = newOffer(&rows[0])
		}
		return err
	})
	return subject, offered, err
}

func (s *Store) orderSubject(ctx context.Context, org, id, interval int64, day time.Time) (bookingSubject, *offer, error) {
	row, err := s.lookups(org).OrderToBook(ctx, queries.OrderToBookParams{OrgID: org, OrderID: id, IntervalID: interval, OnDay: day})
	switch {
	case err != nil:
		return bookingSubject{}, nil, absent("order", id, err)
	case row.Booked:
		return bookingSubject{}, nil, illegalState("booking.order_booked", "order", fmt.Sprint(id))
	case !booking.Bookable(order.Status(row.StatusID)):
		return bookingSubject{}, nil, illegalState("booking.order_not_bookable", "order", fmt.Sprint(id))
	}
	subject, err := newOrderSubject(&row)
	if err != nil {
		return bookingSubject{}, nil, fmt.Errorf("order %d: %w", id, err)
	}
	if row.IntervalID == 0 {
		return subject, nil, nil
	}
	offered, err := newOffer(&queries.FindIntervalsRow{
		ID: row.IntervalID, Rrule: row.Rrule, Day: row.Day, PickupEarliest: row.PickupEarliest, PickupLatest: row.PickupLatest,
		DeliveryEarliest: row.DeliveryEarliest, DeliveryLatest: row.DeliveryLatest, Slots: row.Slots, Booked: row.Taken,
		OrderTypes: row.OrderTypes, FromToZones: row.FromToZones, FreightLevels: row.FreightLevels,
	})
	return subject, offered, err
}

func newOrderSubject(row *queries.OrderToBookRow) (bookingSubject, error) {
	zone, err := time.LoadLocation(row.Timezone)
	if err != nil {
		return bookingSubject{}, err
	}
	class, err := classOf(row.Classing)
	return bookingSubject{
		version: row.Version, day: row.Date.UTC(), zone: zone,
		Subject: booking.Subject{Class: class, OrderType: booking.OrderType{
			Named:               booking.Named{ID: row.OrderTypeID, Name: row.OrderType},
			MinBookAheadMinutes: row.MinBookAheadMinutes, MaxBookAheadMinutes: row.MaxBookAheadMinutes,
		}},
	}, err
}

// classOf classes an order by the document of what there is to class it by.
func classOf(document json.RawMessage) (freight.Class, error) {
	var by struct {
		Classes  freight.Classes          `json:"classes"`
		Places   map[string]freight.Place `json:"places"`
		Products json.RawMessage          `json:"products"`
	}
	if err := json.Unmarshal(document, &by); err != nil {
		return freight.Class{}, err
	}
	items, err := newItems(by.Products)
	return by.Classes.Of(by.Places["pickup"], by.Places["delivery"], items), err
}

func illegalState(text, resource, name string) error {
	return &fault.Error{Kind: fault.IllegalState, Text: fault.Say(text, "name", name), Resource: resource, Name: name}
}

// newItems reads the products of an order, whose parents are ids.
func newItems(document json.RawMessage) ([]freight.Item, error) {
	products, err := list[struct {
		ID       int64    `json:"id"`
		ParentID int64    `json:"parentId"`
		Quantity float64  `json:"quantity"`
		Weight   *float64 `json:"weight"`
		Length   *float64 `json:"length"`
		Width    *float64 `json:"width"`
		Height   *float64 `json:"height"`
	}](document)
	places := make(map[int64]int, len(products))
	for i, p := range products {
		places[p.ID] = i
	}
	items := make([]freight.Item, len(products))
	for i, p := range products {
		items[i] = freight.Item{
			Parent: -1, Quantity: p.Quantity, Weight: p.Weight, Length: p.Length, Width: p.Width, Height: p.Height,
		}
		if parent, here := places[p.ParentID]; here {
			items[i].Parent = parent
		}
	}
	return items, err
}

// draftSubject judges a draft by what its request says so far.
func (t *Tx) draftSubject(ctx context.Context, id int64) (bookingSubject, error) {
	name := fmt.Sprint(id)
	row, err := t.q.DraftToBook(ctx, queries.DraftToBookParams{OrgID: t.org, DraftID: id})
	switch {
	case err != nil:
		return bookingSubject{}, absent("draft", id, err)
	case row.State != "incomplete":
		return bookingSubject{}, illegalState("booking.draft_"+row.State, "draft", name)
	case row.Booked:
		return bookingSubject{}, illegalState("booking.draft_booked", "draft", name)
	}
	classes, err := t.classes(ctx)
	if err != nil {
		return bookingSubject{}, err
	}
	outline, err := t.outline(ctx, row.Request, row.Defaults)
	if err != nil {
		return bookingSubject{}, fmt.Errorf("draft %d: %w", row.ID, err)
	}
	subject := bookingSubject{version: row.Version, zone: classes.zone, Subject: booking.Subject{
		Class: classes.Of(outline.Pickup, outline.Delivery, outline.Items),
	}}
	if outline.OrderTypeID == 0 {
		return subject, nil
	}
	ahead, err := t.q.BookAheadOf(ctx, queries.BookAheadOfParams{OrgID: t.org, ID: outline.OrderTypeID})
	subject.OrderType = booking.OrderType{
		Named:               booking.Named{ID: outline.OrderTypeID, Name: ahead.Name},
		MinBookAheadMinutes: ahead.MinBookAheadMinutes, MaxBookAheadMinutes: ahead.MaxBookAheadMinutes,
	}
	return subject, err
}

// outline reads what a draft says of itself, and writes nothing.
func (t *Tx) outline(ctx context.Context, request, defaults []byte) (order.Outline, error) {
	var d order.Defaults
	if err := jsonv2.Unmarshal(defaults, &d); err != nil {
		return order.Outline{}, fmt.Errorf("defaults: %w", err)
	}
	var r order.Request
	if err := jsonv2.Unmarshal(request, &r); err != nil {
		return order.Outline{}, fmt.Errorf("request: %w", err)
	}
	snapshot, err := t.Snapshot(ctx, Scope{Entries: []order.Request{r}, Defaults: d})
	if err != nil {
		return order.Outline{}, err
	}
	return order.OutlineOf(snapshot, d, &r), nil
}

// classes are an organization's zones and freight levels, and its time zone.
type classes struct {
	freight.Classes

	zone *time.Location
}

func (t *Tx) classes(ctx context.Context) (classes, error) {
	row, err := t.q.FreightClasses(ctx, t.org)
	if err != nil {
		return classes{}, fmt.Errorf("freight classes: %w", err)
	}
	return newClasses(row.Document, row.Timezone)
}

func newClasses(document json.RawMessage, timezone string) (c classes, err error) {
	if err := json.Unmarshal(document, &c.Classes); err != nil {
		return classes{}, fmt.Errorf("freight classes: %w", err)
	}
	c.zone, err = time.LoadLocation(timezone)
	return c, err
}

// bookableOrderType finds an order type by id or name; nothing gives 0.
func (s *Store) bookableOrderType(ctx context.Context, org int64, called string) (int64, error) {
	if called == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(called, 10, 64)
	if err != nil {
		id = 0
	}
	row, err := s.of(org).FindBookableOrderType(ctx, queries.FindBookableOrderTypeParams{OrgID: org, ID: id, Name: called})
	if err != nil {
		return 0, absent("order_type", called, err)
	}
	return row.ID, nil
}

func newOffer(row *queries.FindIntervalsRow) (*offer, error) {
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
	return &offer{i, row.Booked}, nil
}

// list reads a list of a document that may be null.
func list[T any](document json.RawMessage) ([]T, error) {
	var values []T
	if len(document) == 0 {
		return nil, nil
	}
	err := json.Unmarshal(document, &values)
	return values, err
}
