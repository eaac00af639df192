package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/booking"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/store/queries"
)

// Classing is the input for classifying an order.
type Classing struct {
	Classes          freight.Classes
	Pickup, Delivery freight.Place
	Items            []freight.Item
}

// OrderToBook is an order that may be booked. It is not locked: version names
// the row that was read.
type OrderToBook struct {
	Classing

	Version   string
	Booked    bool
	Status    order.Status
	Day       time.Time
	Zone      *time.Location // the organization's
	OrderType booking.OrderType
}

// OrderToBook returns an order that may be booked, and an interval on a day, or
// nil if it does not exist.
func (s *Store) OrderToBook(ctx context.Context, org, id, interval int64, day time.Time) (OrderToBook, *Offer, error) {
	return orderToBook(ctx, s.lookups(org), org, id, interval, day)
}

// OrderToBook is like that of Store, within a transaction.
func (t *Tx) OrderToBook(ctx context.Context, id, interval int64, day time.Time) (OrderToBook, *Offer, error) {
	return orderToBook(ctx, t.q, t.org, id, interval, day)
}

func orderToBook(
	ctx context.Context, q *queries.Queries, org, id, interval int64, day time.Time,
) (OrderToBook, *Offer, error) {
	row, err := q.OrderToBook(ctx, queries.OrderToBookParams{OrgID: org, OrderID: id, IntervalID: interval, OnDay: day})
	if err != nil {
		return OrderToBook{}, nil, absent("order", id, err)
	}
	found, err := newOrderToBook(&row)
	if err != nil {
		return OrderToBook{}, nil, fmt.Errorf("order %d: %w", id, err)
	}
	if row.IntervalID == 0 {
		return found, nil, nil
	}
	offered, err := newOffer(&queries.FindIntervalsRow{
		ID: row.IntervalID, Rrule: row.Rrule, Day: row.Day,
		PickupEarliest: row.PickupEarliest, PickupLatest: row.PickupLatest,
		DeliveryEarliest: row.DeliveryEarliest, DeliveryLatest: row.DeliveryLatest,
		Slots: row.Slots, Booked: row.Taken, Held: row.Held,
		OrderTypes: row.OrderTypes, FromToZones: row.FromToZones, FreightLevels: row.FreightLevels,
	})
	return found, offered, err
}

func newOrderToBook(row *queries.OrderToBookRow) (OrderToBook, error) {
	zone, err := time.LoadLocation(row.Timezone)
	if err != nil {
		return OrderToBook{}, err
	}
	classing, err := newClassing(row.Classing)
	return OrderToBook{
		Classing: classing, Version: row.Version, Booked: row.Booked, Status: order.Status(row.StatusID),
		Day: row.Date.UTC(), Zone: zone,
		OrderType: booking.OrderType{
			Named:               booking.Named{ID: row.OrderTypeID, Name: row.OrderType},
			MinBookAheadMinutes: row.MinBookAheadMinutes, MaxBookAheadMinutes: row.MaxBookAheadMinutes,
		},
	}, err
}

// newClassing parses the input for classifying an order.
func newClassing(document json.RawMessage) (Classing, error) {
	var by struct {
		Classes  freight.Classes          `json:"classes"`
		Places   map[string]freight.Place `json:"places"`
		Products json.RawMessage          `json:"products"`
	}
	if err := json.Unmarshal(document, &by); err != nil {
		return Classing{}, err
	}
	items, err := newItems(by.Products)
	return Classing{by.Classes, by.Places["pickup"], by.Places["delivery"], items}, err
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

// DraftToBook is a draft that may be booked. It is not locked: version names
// the row that was read.
type DraftToBook struct {
	Version  string
	State    order.DraftState
	Booked   bool
	Request  order.Request
	Defaults order.Defaults
}

// LoadDraftToBook reads a draft that may be booked.
func (t *Tx) LoadDraftToBook(ctx context.Context, id int64) (DraftToBook, error) {
	row, err := t.q.DraftToBook(ctx, queries.DraftToBookParams{OrgID: t.org, DraftID: id})
	if err != nil {
		return DraftToBook{}, absent("draft", id, err)
	}
	d := DraftToBook{Version: row.Version, State: order.DraftState(row.State), Booked: row.Booked}
	if err := jsonv2.Unmarshal(row.Defaults, &d.Defaults); err != nil {
		return d, fmt.Errorf("defaults of draft %d: %w", id, err)
	}
	if err := jsonv2.Unmarshal(row.Request, &d.Request); err != nil {
		return d, fmt.Errorf("request of draft %d: %w", id, err)
	}
	return d, nil
}

// LoadFreightClasses reads the organization's zones and freight levels, and its
// time zone.
func (t *Tx) LoadFreightClasses(ctx context.Context) (classes freight.Classes, zone *time.Location, err error) {
	row, err := t.q.FreightClasses(ctx, t.org)
	if err != nil {
		return classes, nil, fmt.Errorf("freight classes: %w", err)
	}
	if err := json.Unmarshal(row.Document, &classes); err != nil {
		return classes, nil, fmt.Errorf("freight classes: %w", err)
	}
	zone, err = time.LoadLocation(row.Timezone)
	return classes, zone, err
}

// LoadOrderTypeToBook reads how far ahead orders of a type may be booked.
func (t *Tx) LoadOrderTypeToBook(ctx context.Context, id int64) (booking.OrderType, error) {
	ahead, err := t.q.BookAheadOf(ctx, queries.BookAheadOfParams{OrgID: t.org, ID: id})
	return booking.OrderType{
		Named:               booking.Named{ID: id, Name: ahead.Name},
		MinBookAheadMinutes: ahead.MinBookAheadMinutes, MaxBookAheadMinutes: ahead.MaxBookAheadMinutes,
	}, err
}
