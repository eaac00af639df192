package order

import "waybill/domain/freight"

// Outline is what is known about an entry that is not yet an order: its type
// and class, if present.
type Outline struct {
	OrderTypeID int64 // 0 if it names no known one
	Pickup      freight.Place
	Delivery    freight.Place
	Items       []freight.Item
}

// OutlineOf reads an entry against a snapshot, without checking it.
func OutlineOf(s *Snapshot, defaults Defaults, req *Request) Outline {
	d := &decider{snapshot: s, defaults: defaults}
	var out Outline
	if t := s.orderType(orBetter(req.OrderType, defaults.FallbackOrderType)); t != nil {
		out.OrderTypeID = t.ID
	}
	out.Pickup, out.Delivery = s.placeOf(req.Pickup), s.placeOf(req.Delivery)
	var unusable reasons
	out.Items = Goods(d.judgeProducts(req.Products, req.ExternalID, &unusable))
	if unusable.any() {
		out.Items = nil
	}
	return out
}

// placeOf is where a stop would be: the request's own address, or that of the
// location that it names.
func (s *Snapshot) placeOf(req *LocationRequest) freight.Place {
	if req == nil {
		return freight.Place{}
	}
	if req.Address != nil {
		return req.Address.Place()
	}
	if loc := s.location(req); loc != nil {
		return loc.Address.Place()
	}
	return freight.Place{}
}
