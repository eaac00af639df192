package store

import (
	"context"
	"time"

	"waybill/domain/order"
	"waybill/store/queries"
)

// headerColumns are the columns that an order's header fills, in whichever
// statement writes it.
type headerColumns struct {
	ids            *[]int64
	statusIDs      *[]int16
	dates          *[]time.Time
	references     *[]string
	customerIDs    *[]int64
	departmentIDs  *[]int64
	orderTypeIDs   *[]int64
	vehicleTypeIDs *[]int64
	freightNumbers *[]string
	routeNumbers   *[]string
	consigneeIDs   *[]int64
	consignorIDs   *[]int64
}

func (c headerColumns) add(o *order.Order) {
	put(c.ids, o.ID)
	put(c.statusIDs, int16(o.Status))
	put(c.dates, o.Date)
	put(c.references, o.Reference)
	put(c.customerIDs, o.CustomerID)
	put(c.departmentIDs, o.DepartmentID)
	put(c.orderTypeIDs, o.OrderTypeID)
	put(c.vehicleTypeIDs, o.VehicleTypeID)
	put(c.freightNumbers, o.FreightNumber)
	put(c.routeNumbers, o.RouteNumber)
	put(c.consigneeIDs, o.ConsigneeID)
	put(c.consignorIDs, o.ConsignorID)
}

// stops writes the stops that changed, with their contacts and skills.
func (s *saver) stops(ctx context.Context, orders []*order.Order) {
	stops := queries.PutStopsParams{OrgID: s.org}
	contacts := queries.InsertStopContactsParams{OrgID: s.org}
	skills := queries.InsertStopSkillsParams{OrgID: s.org}
	var replaced []int64
	add := func(o *order.Order, kind order.StopKind, stop *order.Stop) {
		addStop(&stops, o.ID, kind, stop)
		addContacts(&contacts, stop)
		for id, typ := range stop.Skills {
			skills.StopIds = append(skills.StopIds, stop.ID)
			skills.SkillIds = append(skills.SkillIds, id)
			skills.Types = append(skills.Types, string(typ))
		}
		if !o.Changes.New {
			replaced = append(replaced, stop.ID)
		}
	}
	for _, o := range orders {
		if o.Changes.Pickup {
			add(o, order.Pickup, &o.Pickup)
		}
		if o.Changes.Delivery {
			add(o, order.Delivery, &o.Delivery)
		}
	}
	if len(stops.Ids) == 0 {
		return
	}
	s.queue(s.q.PutStops(ctx, stops))
	if len(replaced) > 0 {
		s.queue(s.q.KeepBookedWindows(ctx, queries.KeepBookedWindowsParams{OrgID: s.org, OrderIds: stops.OrderIds}))
		s.queue(s.q.DeleteStopContacts(ctx, queries.DeleteStopContactsParams{OrgID: s.org, StopIds: replaced}))
		s.queue(s.q.DeleteStopSkills(ctx, queries.DeleteStopSkillsParams{OrgID: s.org, StopIds: replaced}))
	}
	if len(contacts.StopIds) > 0 {
		s.queue(s.q.InsertStopContacts(ctx, contacts))
	}
	if len(skills.StopIds) > 0 {
		s.queue(s.q.InsertStopSkills(ctx, skills))
	}
}

func addStop(p *queries.PutStopsParams, orderID int64, kind order.StopKind, stop *order.Stop) {
	put(&p.Ids, stop.ID)
	put(&p.OrderIds, orderID)
	put(&p.Kinds, string(kind))
	put(&p.LocationIds, stop.LocationID)
	put(&p.Names, stop.Name)
	a := &stop.Address
	put(&p.Address1s, a.Address1)
	put(&p.Address2s, a.Address2)
	put(&p.PostalCodes, a.PostalCode)
	put(&p.Cities, a.City)
	put(&p.States, a.State)
	put(&p.Countries, a.Country)
	put(&p.Latitudes, orNaN(a.Latitude))
	put(&p.Longitudes, orNaN(a.Longitude))
	put(&p.Earliests, stop.Window.Earliest)
	put(&p.Latests, stop.Window.Latest)
	put(&p.WindowSources, string(stop.Window.Source))
	put(&p.Minutes, orMinusOne[int32](stop.EstimatedTimeOnLocation))
	put(&p.Notifies, yesNo(stop.NotifyBeforeArrival))
	put(&p.Instructions, stop.Instructions)
	put(&p.CustomerInstructions, stop.CustomerInstructions)
	put(&p.ParkingInstructions, stop.ParkingInstructions)
	put(&p.Priorities, string(stop.Priority))
}

func addContacts(p *queries.InsertStopContactsParams, stop *order.Stop) {
	for i, c := range stop.Contacts {
		put(&p.StopIds, stop.ID)
		put(&p.Seqs, int16(i))
		put(&p.FirstNames, c.FirstName)
		put(&p.LastNames, c.LastName)
		put(&p.PhoneNumbers, c.PhoneNumber)
		put(&p.EmailAddresses, c.EmailAddress)
	}
}

// products writes the products of the orders in which any changed.
func (s *saver) products(ctx context.Context, orders []*order.Order) {
	products := queries.PutProductsParams{OrgID: s.org}
	skills := queries.InsertProductSkillsParams{OrgID: s.org}
	gone := queries.DeleteProductsExceptParams{OrgID: s.org, KeepIds: []int64{}}
	for _, o := range orders {
		if !o.Changes.Products {
			continue
		}
		if !o.Changes.New {
			put(&gone.OrderIds, o.ID)
		}
		for _, p := range o.Products {
			addProduct(&products, o.ID, p)
			put(&gone.KeepIds, p.ID)
			for id, typ := range p.Skills {
				put(&skills.ProductIds, p.ID)
				put(&skills.SkillIds, id)
				put(&skills.Types, string(typ))
			}
		}
	}
	if len(gone.OrderIds) > 0 {
		s.queue(s.q.DeleteProductSkills(ctx, queries.DeleteProductSkillsParams{OrgID: s.org, OrderIds: gone.OrderIds}))
		s.queue(s.q.DeleteProductsExcept(ctx, gone))
	}
	if len(products.Ids) > 0 {
		s.queue(s.q.PutProducts(ctx, products))
	}
	if len(skills.ProductIds) > 0 {
		s.queue(s.q.InsertProductSkills(ctx, skills))
	}
}

func addProduct(c *queries.PutProductsParams, orderID int64, p *order.Product) {
	put(&c.Ids, p.ID)
	put(&c.OrderIds, orderID)
	put(&c.Numbers, p.Number)
	put(&c.Seqs, p.Seq)
	put(&c.Names, p.Name)
	put(&c.Quantities, p.Quantity)
	put(&c.Weights, orNaN(p.Weight))
	put(&c.Lengths, orNaN(p.Length))
	put(&c.Widths, orNaN(p.Width))
	put(&c.Heights, orNaN(p.Height))
	put(&c.BarcodeIds, p.BarcodeID)
	put(&c.ExternalIds, p.ExternalID)
	put(&c.InstanceNumbers, p.InstanceNumber)
	put(&c.AtomTypes, p.AtomType)
	put(&c.IsModifieds, p.Modified)
	parent := int64(0)
	if p.Parent != nil {
		parent = p.Parent.ID
	}
	put(&c.ParentIds, parent)
}

// CreateLocations creates the places that an import speaks of for the first
// time. One that another import created meanwhile is left as it is.
func (t *Tx) CreateLocations(ctx context.Context, added []order.NewLocation) error {
	p := queries.CreateLocationsParams{OrgID: t.org}
	for i := range added {
		n := &added[i]
		put(&p.ExternalIds, n.ExternalID)
		put(&p.MatchKeys, n.Key[:])
		put(&p.Names, n.Name)
		put(&p.Address1s, n.Address.Address1)
		put(&p.Address2s, n.Address.Address2)
		put(&p.PostalCodes, n.Address.PostalCode)
		put(&p.Cities, n.Address.City)
		put(&p.States, n.Address.State)
		put(&p.Countries, n.Address.Country)
		put(&p.Latitudes, orNaN(n.Address.Latitude))
		put(&p.Longitudes, orNaN(n.Address.Longitude))
		opens, closes := int16(-1), int16(-1)
		if n.Hours != nil {
			opens, closes = int16(n.Hours.Opens), int16(n.Hours.Closes)
		}
		put(&p.Opens, opens)
		put(&p.Closes, closes)
		put(&p.AsDefaults, n.HoursAreDefault)
	}
	return t.q.CreateLocations(ctx, p)
}
