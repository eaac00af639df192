package booking

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// Misfits returns why a subject can't have a seat in a slot, whether or not one
// is free, or nothing if it can. Fields are those of the slot in the API.
func (s *Slot) Misfits(subject Subject, now time.Time) []fault.Violation {
	var found []fault.Violation
	add := func(field string, text fault.Text) {
		found = append(found, fault.Violation{Field: field, Text: text})
	}
	typ := subject.OrderType
	switch {
	case typ.ID == 0:
		add("orderTypes", fault.Say("booking.no_order_type"))
	case !s.For(typ.ID):
		add("orderTypes", fault.Say("booking.order_type", "name", typ.Name, "allowed", names(s.OrderTypes)))
	}
	if len(s.FromToZones) > 0 && !slices.ContainsFunc(s.FromToZones, func(p ZonePair) bool {
		return subject.Class.From[p.From.ID] && subject.Class.To[p.To.ID]
	}) {
		add("fromToZones", fault.Say("booking.zones", "allowed", pairs(s.FromToZones)))
	}
	if len(s.FreightLevels) > 0 && !has(s.FreightLevels, subject.Class.LevelID) {
		add("freightLevels", fault.Say("booking.freight_level", "allowed", names(s.FreightLevels)))
	}
	if text, ok := s.ahead(typ, now); !ok {
		add("pickupEarliest", text)
	}
	return found
}

// Takes reports whether a subject can have a seat in the slot: it fits, and one is free.
func (s *Slot) Takes(subject Subject, now time.Time) bool {
	return !s.Full() && len(s.Misfits(subject, now)) == 0
}

// ahead compares the time until the slot begins with the order type's bounds.
func (s *Slot) ahead(typ OrderType, now time.Time) (fault.Text, bool) {
	begins := s.Pickup.Earliest
	switch {
	case begins.Before(now):
		return fault.Say("booking.begun"), false
	case typ.MinBookAheadMinutes != nil && begins.Before(now.Add(minutes(*typ.MinBookAheadMinutes))):
		return fault.Say("booking.too_late", "minutes", strconv.Itoa(int(*typ.MinBookAheadMinutes))), false
	case typ.MaxBookAheadMinutes != nil && begins.After(now.Add(minutes(*typ.MaxBookAheadMinutes))):
		return fault.Say("booking.too_early", "minutes", strconv.Itoa(int(*typ.MaxBookAheadMinutes))), false
	}
	return fault.Text{}, true
}

func minutes(n int32) time.Duration { return time.Duration(n) * time.Minute }

func has(records []Named, id int64) bool {
	return slices.ContainsFunc(records, func(r Named) bool { return r.ID == id })
}

func names(records []Named) string {
	all := make([]string, len(records))
	for i, r := range records {
		all[i] = r.Name
	}
	return strings.Join(all, ", ")
}

func pairs(zones []ZonePair) string {
	all := make([]string, len(zones))
	for i, p := range zones {
		all[i] = p.From.Name + " – " + p.To.Name
	}
	return strings.Join(all, ", ")
}

// Bookable reports whether an order in a state can be given a seat: once a
// driver is under way with it, its windows are settled.
func Bookable(status order.Status) bool {
	return status == order.Registered || status == order.Planned
}

// Choose returns the slots that a subject fits and that have a free seat, in
// the sequence in which they are tried: the earliest pickup first, then the
// earliest delivery.
func Choose(slots []Slot, subject Subject, now time.Time) []Slot {
	var fitting []Slot
	for i := range slots {
		if slots[i].Takes(subject, now) {
			fitting = append(fitting, slots[i])
		}
	}
	slices.SortStableFunc(fitting, func(a, b Slot) int {
		if c := a.Pickup.Earliest.Compare(b.Pickup.Earliest); c != 0 {
			return c
		}
		if c := a.Delivery.Latest.Compare(b.Delivery.Latest); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return fitting
}
