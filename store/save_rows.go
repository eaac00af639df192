package store

import (
	"context"
	"time"

	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store/columns"
	"waybill/store/queries"
)

// headerColumns are the columns that an order's header fills, in whichever
// statement writes it.
type headerColumns struct {
	ids            *[]int64
	numbers        *[]string
	statusIDs      *[]int16
	dates          *[]time.Time
	references     *[]string
	customerIDs    *[]int64
	departmentIDs  *[]int64
	orderTypeIDs   *[]int64
	vehicleTypeIDs *[]int64
	replacedTypes  *[]int64
	freightNumbers *[]string
	routeNumbers   *[]string
	consigneeIDs   *[]int64
	consignorIDs   *[]int64
	asks           *[]string
}

func (c headerColumns) add(o *order.Order) {
	columns.Add(c.ids, o.ID)
	columns.Add(c.numbers, o.Number)
	columns.Add(c.statusIDs, int16(o.Status))
	columns.Add(c.dates, o.Date)
	columns.Add(c.references, o.Reference)
	columns.Add(c.customerIDs, o.CustomerID)
	columns.Add(c.departmentIDs, o.DepartmentID)
	columns.Add(c.orderTypeIDs, o.OrderTypeID)
	columns.Add(c.vehicleTypeIDs, o.VehicleTypeID)
	columns.Add(c.replacedTypes, o.ReplacedVehicleTypeID)
	columns.Add(c.freightNumbers, o.FreightNumber)
	columns.Add(c.routeNumbers, o.RouteNumber)
	columns.Add(c.consigneeIDs, o.ConsigneeID)
	columns.Add(c.consignorIDs, o.ConsignorID)
	columns.Add(c.asks, asksText(&o.Asks))
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
	columns.Add(&p.Ids, stop.ID)
	columns.Add(&p.OrderIds, orderID)
	columns.Add(&p.Kinds, string(kind))
	columns.Add(&p.LocationIds, stop.LocationID)
	columns.Add(&p.Names, stop.Name)
	a := &stop.Address
	columns.Add(&p.Address1s, a.Address1)
	columns.Add(&p.Address2s, a.Address2)
	columns.Add(&p.PostalCodes, a.PostalCode)
	columns.Add(&p.Cities, a.City)
	columns.Add(&p.States, a.State)
	columns.Add(&p.Countries, a.Country)
	columns.Add(&p.Latitudes, columns.OrNaN(a.Latitude))
	columns.Add(&p.Longitudes, columns.OrNaN(a.Longitude))
	columns.Add(&p.Earliests, stop.Window.Earliest)
	columns.Add(&p.Latests, stop.Window.Latest)
	columns.Add(&p.WindowSources, string(stop.Window.Source))
	columns.Add(&p.Minutes, columns.OrMinusOne[int32](stop.EstimatedTimeOnLocation))
	columns.Add(&p.Notifies, columns.YesNo(stop.NotifyBeforeArrival))
	columns.Add(&p.Instructions, stop.Instructions)
	columns.Add(&p.CustomerInstructions, stop.CustomerInstructions)
	columns.Add(&p.ParkingInstructions, stop.ParkingInstructions)
	columns.Add(&p.Priorities, string(stop.Priority))
	columns.Add(&p.Positions, positionText(stop.Position))
	columns.Add(&p.Asks, stopAsksText(&stop.Asks))
}

func addContacts(p *queries.InsertStopContactsParams, stop *order.Stop) {
	for i, c := range stop.Contacts {
		columns.Add(&p.StopIds, stop.ID)
		columns.Add(&p.Seqs, int16(i))
		columns.Add(&p.FirstNames, c.FirstName)
		columns.Add(&p.LastNames, c.LastName)
		columns.Add(&p.PhoneNumbers, c.PhoneNumber)
		columns.Add(&p.EmailAddresses, c.EmailAddress)
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
			columns.Add(&gone.OrderIds, o.ID)
		}
		for _, p := range o.Products {
			addProduct(&products, o.ID, p)
			columns.Add(&gone.KeepIds, p.ID)
			for id, typ := range p.Skills {
				columns.Add(&skills.ProductIds, p.ID)
				columns.Add(&skills.SkillIds, id)
				columns.Add(&skills.Types, string(typ))
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
	columns.Add(&c.Ids, p.ID)
	columns.Add(&c.OrderIds, orderID)
	columns.Add(&c.Numbers, p.Number)
	columns.Add(&c.Seqs, p.Seq)
	columns.Add(&c.Names, p.Name)
	columns.Add(&c.Quantities, p.Quantity)
	columns.Add(&c.Weights, columns.OrNaN(p.Weight))
	columns.Add(&c.Lengths, columns.OrNaN(p.Length))
	columns.Add(&c.Widths, columns.OrNaN(p.Width))
	columns.Add(&c.Heights, columns.OrNaN(p.Height))
	columns.Add(&c.BarcodeIds, p.BarcodeID)
	columns.Add(&c.ExternalIds, p.ExternalID)
	columns.Add(&c.InstanceNumbers, p.InstanceNumber)
	columns.Add(&c.AtomTypes, p.AtomType)
	columns.Add(&c.IsModifieds, p.Modified)
	columns.Add(&c.LoadAmounts, LoadsText(p.LoadAmounts))
	parent := int64(0)
	if p.Parent != nil {
		parent = p.Parent.ID
	}
	columns.Add(&c.ParentIds, parent)
}

// CreateLocations creates the new locations of an import. It skips those that
// another import created concurrently.
func (t *Tx) CreateLocations(
	ctx context.Context, added []order.NewLocation, known map[place.Address]order.Placed,
) error {
	p := queries.CreateLocationsParams{OrgID: t.org}
	for i := range added {
		n := &added[i]
		columns.Add(&p.ExternalIds, n.ExternalID)
		columns.Add(&p.MatchKeys, n.Key[:])
		columns.Add(&p.Names, n.Name)
		columns.Add(&p.Address1s, n.Address.Address1)
		columns.Add(&p.Address2s, n.Address.Address2)
		columns.Add(&p.PostalCodes, n.Address.PostalCode)
		columns.Add(&p.Cities, n.Address.City)
		columns.Add(&p.States, n.Address.State)
		columns.Add(&p.Countries, n.Address.Country)
		columns.Add(&p.Latitudes, columns.OrNaN(n.Address.Latitude))
		columns.Add(&p.Longitudes, columns.OrNaN(n.Address.Longitude))
		opens, closes := int16(-1), int16(-1)
		if n.Hours != nil {
			opens, closes = int16(n.Hours.Opens), int16(n.Hours.Closes)
		}
		columns.Add(&p.Opens, opens)
		columns.Add(&p.Closes, closes)
		columns.Add(&p.AsDefaults, n.HoursAreDefault)
		position := ""
		if n.Address.Latitude == nil || n.Address.Longitude == nil {
			position = positionText(known[n.Address.ToPlace()].Position())
		}
		columns.Add(&p.Positions, position)
	}
	return t.q.CreateLocations(ctx, p)
}
