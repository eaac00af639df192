package store

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/order"
	"waybill/store/queries"
)

// findOrders loads whole orders, and locks them until the end of the
// transaction if lock is set.
func (t *Tx) findOrders(ctx context.Context, ids []int64, lock bool) ([]*order.Order, error) {
	if lock {
		if err := t.q.LockOrders(ctx, queries.LockOrdersParams{OrgID: t.org, Ids: ids}); err != nil {
			return nil, fmt.Errorf("lock orders: %w", err)
		}
	}
	a := assembly{
		tx: t, ids: ids, orders: make(map[int64]*order.Order, len(ids)),
		stops: make(map[int64]*order.Stop, 2*len(ids)), products: map[int64]*order.Product{},
		shares: map[int64]json.RawMessage{},
	}
	steps := []struct {
		name string
		load func(context.Context) error
	}{
		{"orders", a.loadOrders},
		{"stops", a.loadStops},
		{"contacts", a.loadContacts},
		{"stop skills", a.loadStopSkills},
		{"products", a.loadProducts},
		{"product skills", a.loadProductSkills},
		{"groups", a.loadGroups},
		{"prices", a.loadPrices},
		{"custom fields", a.loadCustomFields},
		{"ERP orders", a.readShares},
	}
	for _, step := range steps {
		if err := step.load(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return a.list, nil
}

// assembly puts orders together from the rows of their tables.
type assembly struct {
	tx       *Tx
	ids      []int64
	list     []*order.Order
	orders   map[int64]*order.Order
	stops    map[int64]*order.Stop
	products map[int64]*order.Product
	shares   map[int64]json.RawMessage // by order
}

func (a *assembly) loadOrders(ctx context.Context) error {
	rows, err := a.tx.q.FindOrders(ctx, queries.FindOrdersParams{OrgID: a.tx.org, Ids: a.ids})
	for _, r := range rows {
		o := &order.Order{
			ID: r.ID, Number: r.Number, Status: order.Status(r.StatusID),
			Header: order.Header{
				Date: r.Date.UTC(), Reference: r.Reference, CustomerID: r.CustomerID, DepartmentID: r.DepartmentID,
				OrderTypeID: r.OrderTypeID, VehicleTypeID: r.VehicleTypeID,
				ReplacedVehicleTypeID: r.ReplacedVehicleTypeID, FreightNumber: r.InternalFreightNumber,
				RouteNumber: r.RouteNumber, ConsigneeID: r.ConsigneeID, ConsignorID: r.ConsignorID,
			},
		}
		if o.Asks, err = readAsks(r.Asks); err != nil {
			return err
		}
		a.orders[o.ID] = o
		a.list = append(a.list, o)
		a.shares[o.ID] = r.Shares
	}
	return err
}

func (a *assembly) loadStops(ctx context.Context) error {
	rows, err := a.tx.q.FindStops(ctx, queries.FindStopsParams{OrgID: a.tx.org, OrderIds: a.ids})
	for i := range rows {
		r := &rows[i]
		o := a.orders[r.OrderID]
		stop := &o.Pickup
		if order.StopKind(r.Kind) == order.Delivery {
			stop = &o.Delivery
		}
		*stop = newStop(r)
		if stop.Position, err = readPosition(r.Position); err != nil {
			return err
		}
		if stop.Asks, err = readStopAsks(r.Asks); err != nil {
			return err
		}
		o.Booked = r.Booked
		a.stops[r.ID] = stop
	}
	return err
}

func newStop(r *queries.FindStopsRow) order.Stop {
	return order.Stop{
		ID: r.ID, LocationID: r.LocationID, Name: r.Name,
		Address: order.Address{
			Address1: r.Address1, Address2: r.Address2, PostalCode: r.PostalCode, City: r.City, State: r.State,
			Country: r.Country, Latitude: r.Latitude, Longitude: r.Longitude,
		},
		Window: order.Window{
			Earliest: r.Earliest.UTC(), Latest: r.Latest.UTC(), Source: order.WindowSource(r.WindowSource),
		},
		EstimatedTimeOnLocation: r.EstimatedTimeOnLocation, NotifyBeforeArrival: r.SendNotificationBeforeArriving,
		Instructions: r.Instructions, CustomerInstructions: r.CustomerInstructions,
		ParkingInstructions: r.ParkingInstructions, Priority: order.LocationPriority(r.Priority),
	}
}

// readPosition reads where a stop is by its address.
func readPosition(document []byte) (*order.Position, error) {
	if len(document) == 0 {
		return nil, nil
	}
	p := new(order.Position)
	if err := json.Unmarshal(document, p); err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	return p, nil
}

func (a *assembly) stopIDs() []int64 {
	ids := make([]int64, 0, len(a.stops))
	for id := range a.stops {
		ids = append(ids, id)
	}
	return ids
}

func (a *assembly) loadContacts(ctx context.Context) error {
	rows, err := a.tx.q.FindStopContacts(ctx, queries.FindStopContactsParams{OrgID: a.tx.org, StopIds: a.stopIDs()})
	for _, r := range rows {
		stop := a.stops[r.StopID]
		stop.Contacts = append(stop.Contacts, order.Contact{
			FirstName: r.FirstName, LastName: r.LastName, PhoneNumber: r.PhoneNumber, EmailAddress: r.EmailAddress,
		})
	}
	return err
}

func (a *assembly) loadStopSkills(ctx context.Context) error {
	rows, err := a.tx.q.FindStopSkills(ctx, queries.FindStopSkillsParams{OrgID: a.tx.org, StopIds: a.stopIDs()})
	for _, r := range rows {
		stop := a.stops[r.StopID]
		if stop.Skills == nil {
			stop.Skills = map[int64]order.SkillType{}
		}
		stop.Skills[r.SkillID] = order.SkillType(r.Type)
	}
	return err
}

func (a *assembly) loadProducts(ctx context.Context) error {
	rows, err := a.tx.q.FindProducts(ctx, queries.FindProductsParams{OrgID: a.tx.org, OrderIds: a.ids})
	for i := range rows {
		r := &rows[i]
		p := &order.Product{
			ID: r.ID, Number: r.Number, Seq: r.Seq, Name: r.Name, Quantity: r.Quantity, Weight: r.Weight,
			Length: r.Length, Width: r.Width, Height: r.Height, BarcodeID: r.BarcodeID, ExternalID: r.ExternalID,
			InstanceNumber: r.InstanceNumber, AtomType: r.AtomType, Modified: r.IsModified,
		}
		if p.LoadAmounts, err = readLoads([]byte(r.LoadAmounts)); err != nil {
			return err
		}
		a.products[p.ID] = p
		a.orders[r.OrderID].Products = append(a.orders[r.OrderID].Products, p)
	}
	for i := range rows {
		if parent := rows[i].ParentID; parent != 0 {
			a.products[rows[i].ID].Parent = a.products[parent]
		}
	}
	return err
}

func (a *assembly) loadProductSkills(ctx context.Context) error {
	rows, err := a.tx.q.FindProductSkills(ctx, queries.FindProductSkillsParams{OrgID: a.tx.org, OrderIds: a.ids})
	for _, r := range rows {
		p := a.products[r.OrderProductID]
		if p.Skills == nil {
			p.Skills = map[int64]order.SkillType{}
		}
		p.Skills[r.SkillID] = order.SkillType(r.Type)
	}
	return err
}

func (a *assembly) loadGroups(ctx context.Context) error {
	rows, err := a.tx.q.FindGroupMembers(ctx, queries.FindGroupMembersParams{OrgID: a.tx.org, OrderIds: a.ids})
	for _, r := range rows {
		o := a.orders[r.OrderID]
		o.Groups = append(o.Groups, r.GroupID)
	}
	return err
}

func (a *assembly) loadPrices(ctx context.Context) error {
	rows, err := a.tx.q.FindPrices(ctx, queries.FindPricesParams{OrgID: a.tx.org, OrderIds: a.ids})
	for _, r := range rows {
		o := a.orders[r.OrderID]
		o.Prices = append(o.Prices, order.Price{
			Name: r.Name, Amount: r.Price, Currency: r.Currency, Quantity: r.Quantity, Computed: r.Computed,
		})
	}
	return err
}

func (a *assembly) loadCustomFields(ctx context.Context) error {
	rows, err := a.tx.q.FindCustomFieldValues(ctx, queries.FindCustomFieldValuesParams{OrgID: a.tx.org, OrderIds: a.ids})
	for _, r := range rows {
		o := a.orders[r.OrderID]
		if o.CustomFields == nil {
			o.CustomFields = map[int64]order.FieldValue{}
		}
		text, ok := order.CanonicalJSON(r.Value)
		if !ok {
			return fmt.Errorf("custom field %d of order %d: unusable value", r.DefinitionID, r.OrderID)
		}
		o.CustomFields[r.DefinitionID] = order.FieldValue{JSON: text, Stop: order.StopKind(r.Stop)}
	}
	return err
}
