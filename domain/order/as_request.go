package order

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// AsRequest returns an order in the form of an import (spec.md,
// ImportOrderRequest): records are named by all identifiers in the
// snapshot, and windows are instants in UTC.
func (s *Snapshot) AsRequest(o *Order) Request {
	r := Request{
		ExternalID: o.Number, Date: o.Date.Format(time.DateOnly), Reference: o.Reference,
		Customer: s.customerRef(o.CustomerID), Consignee: s.customerRef(o.ConsigneeID),
		Consignor:   s.customerRef(o.ConsignorID),
		VehicleType: &Ref{ID: &o.VehicleTypeID}, OrderType: &Ref{ID: &o.OrderTypeID},
		Pickup: s.stopRequest(&o.Pickup), Delivery: s.stopRequest(&o.Delivery),
		InternalFreightNumber: Loose(o.FreightNumber), RouteNumber: Loose(o.RouteNumber),
		MaxMinutesOnBoard: o.Asks.minutesOnBoard(), GoodsKinds: o.Asks.GoodsKinds,
		LoadAmounts: o.Asks.LoadAmounts.Within(s.LoadDimensions), LatestDate: o.Asks.latestAfter(o.Date),
	}
	if v := s.index.vehicleTypesByID[o.VehicleTypeID]; v != nil {
		r.VehicleType.Name = v.Name
	}
	if t := s.index.orderTypesByID[o.OrderTypeID]; t != nil {
		r.OrderType.Name = t.Name
	}
	for _, id := range o.Groups {
		r.Groups = append(r.Groups, Ref{ID: &id, Name: nameOf(s.Groups, id)})
	}
	for _, p := range o.Prices {
		r.Pricing = append(r.Pricing, PriceRequest{
			Name: p.Name, Price: Loose(p.Amount), Currency: p.Currency, Quantity: &p.Quantity,
		})
	}
	for _, f := range s.CustomFields {
		if value, set := o.CustomFields[f.ID]; set {
			r.CustomFields = append(r.CustomFields, CustomFieldValue{
				ExternalID: f.ExternalID, Value: jsontext.Value(value.JSON), Stop: value.Stop,
			})
		}
	}
	for _, p := range o.Products {
		r.Products = append(r.Products, s.productRequest(p))
	}
	return r
}

func (s *Snapshot) customerRef(id int64) *Ref {
	if id == 0 {
		return nil
	}
	r := &Ref{ID: &id}
	if c := s.index.customersByID[id]; c != nil {
		r.ExternalID, r.BusinessName = c.ExternalID, c.BusinessName
	}
	return r
}

func (s *Snapshot) stopRequest(stop *Stop) *LocationRequest {
	r := &LocationRequest{
		Name: stop.Name, Address: &stop.Address,
		Earliest: stop.Window.Earliest.UTC().Format(time.RFC3339), Latest: stop.Window.Latest.UTC().Format(time.RFC3339),
		EstimatedTimeOnLocation: stop.EstimatedTimeOnLocation, SendNotificationBeforeArrival: stop.NotifyBeforeArrival,
		Contacts: stop.Contacts, Instructions: stop.Instructions, CustomerInstructions: stop.CustomerInstructions,
		ParkingInstructions: stop.ParkingInstructions, Skills: s.skillRequests(stop.Skills), Priority: stop.Priority,
	}
	r.Lateness = stop.Asks.Lateness.request()
	if stop.Window.Source != FromBooking {
		r.TimeWindows = stop.Asks.requests(0, time.UTC)
	}
	return r
}

func (s *Snapshot) skillRequests(skills map[int64]SkillType) []SkillRequest {
	var out []SkillRequest
	for _, k := range s.Skills {
		if typ, set := skills[k.ID]; set {
			out = append(out, SkillRequest{ID: &k.ID, Name: k.Name, Type: typ})
		}
	}
	return out
}

func (s *Snapshot) productRequest(p *Product) ProductRequest {
	r := ProductRequest{
		Name: p.Name, Quantity: &p.Quantity, Weight: p.Weight, Length: p.Length, Width: p.Width, Height: p.Height,
		BarcodeID: p.BarcodeID, ExternalID: p.ExternalID, AtomType: p.AtomType, ExternalInstanceNumber: p.InstanceNumber,
		Skills: s.skillRequests(p.Skills), LoadAmounts: p.LoadAmounts.Within(s.LoadDimensions),
	}
	if p.Parent != nil {
		r.ParentExternalID = p.Parent.ExternalID
	}
	return r
}

func nameOf(records []Named, id int64) string {
	for _, r := range records {
		if r.ID == id {
			return r.Name
		}
	}
	return ""
}

// AsAlone returns the content of one of its numbers as a separate order: the
// order itself if the number does not share it, and nil for an unknown number.
func (o *Order) AsAlone(number string) *Order {
	if i := o.share(number); i >= 0 {
		return o.Shares[i].asOrder(o)
	}
	if o.Number == number {
		return o
	}
	return nil
}
