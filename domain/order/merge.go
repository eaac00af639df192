package order

import (
	"cmp"
	"slices"
	"time"
)

// mergeKey is what two orders must share to travel as one.
type mergeKey struct {
	customer, orderType, vehicleType, pickup, delivery int64
	date                                               time.Time
	freight, route                                     string
}

func (o *Order) mergeKey() mergeKey {
	return mergeKey{
		customer: o.CustomerID, orderType: o.OrderTypeID, vehicleType: o.VehicleTypeID,
		pickup: o.Pickup.LocationID, delivery: o.Delivery.LocationID,
		date: o.Date.UTC(), freight: o.FreightNumber, route: o.RouteNumber,
	}
}

// offerForMerge lets later entries find an order to be merged into. The
// oldest is offered first, wherever in the chunk it came to have its key.
func (d *decider) offerForMerge(o *Order) {
	key := o.mergeKey()
	offered := d.mergeable[key]
	i, known := slices.BinarySearchFunc(offered, o, d.compareAge)
	if !known {
		d.mergeable[key] = slices.Insert(offered, i, o)
	}
}

// compareAge compares orders by when they were created: those of this chunk
// come last, in their own order.
func (d *decider) compareAge(a, b *Order) int {
	if a.ID != 0 && b.ID != 0 {
		return cmp.Compare(a.ID, b.ID)
	}
	return cmp.Compare(d.born[a], d.born[b])
}

// mergeTarget finds the oldest order that a new one can travel with: neither
// picked up nor cancelled, and with room for both.
func (d *decider) mergeTarget(o *Order) *Order {
	if !d.settings.MayMerge(d.snapshot.AllowMerge) {
		return nil
	}
	key := o.mergeKey()
	for _, target := range d.mergeable[key] {
		if target.mergeKey() == key && target.Status <= AtPickup && d.fits(target, o) {
			return target
		}
	}
	return nil
}

// fits reports whether the vehicle type carries the goods of both orders.
func (d *decider) fits(target, o *Order) bool {
	vehicle := d.snapshot.index.vehicleTypesByID[target.VehicleTypeID]
	if vehicle == nil {
		return false
	}
	weight, volume := load(target.Products)
	moreWeight, moreVolume := load(o.Products)
	return (vehicle.MaxWeightKg == 0 || weight+moreWeight <= vehicle.MaxWeightKg) &&
		(vehicle.MaxVolumeM3 == 0 || volume+moreVolume <= vehicle.MaxVolumeM3)
}

// merge puts the goods of a new order into another one. Its number leads to
// that order from now on, and its products stay its own there.
func (d *decider) merge(target, o *Order) Result {
	next := *target
	next.Changes = Changes{}
	if len(o.Products) > 0 {
		next.Products = append(slices.Clone(target.Products), o.Products...)
		next.Changes.Products = true
	}
	failed := d.snapshot.transformed(target, &next, next.triggers(TriggerMerged)...)
	next.Changes = target.Changes.with(next.Changes)
	*target = next
	target.Changes.Prices = d.price(target) || target.Changes.Prices
	d.touch(target)
	d.offerForMerge(target)
	d.lead(o.Number, target)
	d.promote(o.Number, target)
	d.plan.Events = append(d.plan.Events, Event{Kind: EventMerged, Number: o.Number, Order: target, Added: o.Products})
	d.tellFailed(target, o.Number, failed)
	return Result{Kind: OrderMerged, ExternalID: o.Number, Order: target}
}
