package order

import (
	"cmp"
	"slices"
	"time"

	"waybill/domain/event"
)

// MergeKey is what numbers must have in common to share an order. Ids are 0 for
// absent records.
type MergeKey struct {
	CustomerID, ConsigneeID, ConsignorID int64
	OrderTypeID, VehicleTypeID           int64
	PickupID, DeliveryID                 int64 // locations
	Date                                 time.Time
	FreightNumber, RouteNumber           string
}

func (o *Order) mergeKey() MergeKey {
	return MergeKey{
		CustomerID: o.CustomerID, ConsigneeID: o.ConsigneeID, ConsignorID: o.ConsignorID,
		OrderTypeID: o.OrderTypeID, VehicleTypeID: o.VehicleTypeID,
		PickupID: o.Pickup.LocationID, DeliveryID: o.Delivery.LocationID,
		Date: o.Date.UTC(), FreightNumber: o.FreightNumber, RouteNumber: o.RouteNumber,
	}
}

// MergeKeys are the distinct keys of entries that may be merged: orders with
// other keys can be ignored. The snapshot must have been prepared, with the
// organization's rules.
func MergeKeys(s *Snapshot, defaults Defaults, entries []Request) []MergeKey {
	d := newDecider(s, defaults)
	var keys []MergeKey
	seen := map[MergeKey]bool{}
	for i := range entries {
		req := &entries[i]
		j := d.judge(req, everything, d.own(req))
		if j.reasons.any() {
			continue
		}
		o := j.order(req.ExternalID)
		s.transform(o, TriggerCreated)
		if key := o.mergeKey(); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// offerForMerge lets later entries merge into an order. The oldest order is
// offered first, regardless of when in the chunk it got its key.
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

// mergeTarget returns the oldest order that a new one can be merged with:
// neither picked up nor cancelled, and with capacity for both.
func (d *decider) mergeTarget(o *Order) *Order {
	if !d.settings.MayMerge(d.snapshot.AllowMerge) {
		return nil
	}
	key := o.mergeKey()
	for _, target := range d.mergeable[key] {
		if target.Status <= AtPickup && d.joins(target, o) {
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
	weight, volume := goodsLoad(target.Products)
	moreWeight, moreVolume := goodsLoad(o.Products)
	return (vehicle.MaxWeightKg == 0 || weight+moreWeight <= vehicle.MaxWeightKg) &&
		(vehicle.MaxVolumeM3 == 0 || volume+moreVolume <= vehicle.MaxVolumeM3) &&
		target.Loads().Plus(o.Loads()).Within(d.snapshot.LoadDimensions).Fit(vehicle.MaxLoads)
}

// merge lets a new order's number share another order. Its content is kept
// as its share, and the order becomes the combination of all shares.
func (d *decider) merge(target, o *Order) Result {
	y := d.settings.yields()
	shares := append(target.sharing(y), ERPOrder{Number: o.Number, Own: ownOf(o, y)})
	return d.join(target, shares, o.Products, o.Number)
}

// join adds a number to an order and folds the order again.
func (d *decider) join(target *Order, shares []ERPOrder, products []*Product, number string) Result {
	next := target.fold(shares)
	next.Changes.Shares = true
	if len(products) > 0 {
		next.Products = append(slices.Clone(target.Products), products...)
		next.Changes.Products = true
	}
	failed := d.snapshot.transformed(target, next, next.foldTriggers()...)
	next.Changes.Prices = d.price(next) || next.Changes.Prices
	next.Changes = target.Changes.with(next.Changes)
	*target = *next
	d.touch(target)
	d.offerForMerge(target)
	d.lead(number, target)
	d.promote(number, target)
	d.plan.Events = append(d.plan.Events, Event{
		Kind: event.OrderMerged, Number: number, Order: target,
		Status: target.Status, Added: append([]*Product{}, products...), Left: d.left[number],
	})
	d.tellFailed(target, number, failed)
	return Result{Kind: OrderMerged, ExternalID: number, Order: target, Status: target.Status}
}
