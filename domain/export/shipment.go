package export

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/order"
)

// Shipment is an order in the form that a carrier gets. Fields without a value
// are omitted, so that a new field changes only the fingerprints of shipments
// that have it. It contains nothing that changes without the order: no time of
// change, no id of a row that an import rewrites.
type Shipment struct {
	OrderID               int64         `json:"orderId"`
	ExternalID            string        `json:"externalId"`
	ExternalIDs           []string      `json:"externalIds,omitempty"`
	SerialCode            string        `json:"serialCode,omitempty"`
	Cancelled             bool          `json:"cancelled"`
	Date                  string        `json:"date"`
	Reference             string        `json:"reference,omitempty"`
	InternalFreightNumber string        `json:"internalFreightNumber,omitempty"`
	RouteNumber           string        `json:"routeNumber,omitempty"`
	Customer              *Party        `json:"customer,omitempty"`
	Consignee             *Party        `json:"consignee,omitempty"`
	Consignor             *Party        `json:"consignor,omitempty"`
	Department            string        `json:"department,omitempty"`
	OrderType             Named         `json:"orderType"`
	VehicleType           Named         `json:"vehicleType"`
	Pickup                Stop          `json:"pickup"`
	Delivery              Stop          `json:"delivery"`
	Products              []Product     `json:"products"`
	Groups                []Named       `json:"groups,omitempty"`
	Pricing               []Price       `json:"pricing,omitempty"`
	CustomFields          []CustomField `json:"customFields,omitempty"`
}

// Named is a record of the master data.
type Named struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Party is a customer, consignee or consignor.
type Party struct {
	ID           int64  `json:"id"`
	ExternalID   string `json:"externalId,omitempty"`
	BusinessName string `json:"businessName"`
}

// Stop is a stop with its window resolved.
type Stop struct {
	Name                           string    `json:"name,omitempty"`
	ExternalID                     string    `json:"externalId,omitempty"`
	Address                        Address   `json:"address"`
	Position                       *Position `json:"position,omitempty"`
	Earliest                       string    `json:"earliest"`
	Latest                         string    `json:"latest"`
	EstimatedTimeOnLocation        *int32    `json:"estimatedTimeOnLocation,omitempty"`
	SendNotificationBeforeArriving *bool     `json:"sendNotificationBeforeArriving,omitempty"`
	Instructions                   string    `json:"instructions,omitempty"`
	CustomerInstructions           string    `json:"customerInstructions,omitempty"`
	ParkingInstructions            string    `json:"parkingInstructions,omitempty"`
	Priority                       string    `json:"priority,omitempty"`
	Contacts                       []Contact `json:"contacts,omitempty"`
	Skills                         []Skill   `json:"skills,omitempty"`
}

// Address is where a stop is.
type Address struct {
	Address1   string   `json:"address1,omitempty"`
	Address2   string   `json:"address2,omitempty"`
	PostalCode string   `json:"postalCode,omitempty"`
	City       string   `json:"city,omitempty"`
	State      string   `json:"state,omitempty"`
	Country    string   `json:"country,omitempty"`
	Latitude   *float64 `json:"latitude,omitempty"`
	Longitude  *float64 `json:"longitude,omitempty"`
}

// Position is where the address of a stop without coordinates is, and how well that is known.
type Position struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Precision string  `json:"precision"`
	Source    string  `json:"source"`
}

// Contact is a person at a stop.
type Contact struct {
	FirstName    string `json:"firstName,omitempty"`
	LastName     string `json:"lastName,omitempty"`
	PhoneNumber  string `json:"phoneNumber,omitempty"`
	EmailAddress string `json:"emailAddress,omitempty"`
}

// Skill is a skill that a driver must have, or must not have.
type Skill struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Product is a product with its contents.
type Product struct {
	Name                string    `json:"name,omitempty"`
	Quantity            float64   `json:"quantity"`
	Weight              *float64  `json:"weight,omitempty"`
	Length              *float64  `json:"length,omitempty"`
	Width               *float64  `json:"width,omitempty"`
	Height              *float64  `json:"height,omitempty"`
	BarcodeID           string    `json:"barcodeId,omitempty"`
	ExternalID          string    `json:"externalId,omitempty"`
	InstanceNumber      string    `json:"instanceNumber,omitempty"`
	InternalOrderNumber string    `json:"internalOrderNumber,omitempty"`
	AtomType            string    `json:"atomType"`
	Skills              []Skill   `json:"skills,omitempty"`
	Children            []Product `json:"children,omitempty"`
}

// Price is one pricing entry.
type Price struct {
	Name     string  `json:"name,omitempty"`
	Price    string  `json:"price"`
	Currency string  `json:"currency"`
	Quantity float64 `json:"quantity"`
}

// CustomField is the value of a custom field, with the stop where it is set.
type CustomField struct {
	ExternalID string         `json:"externalId"`
	Value      jsontext.Value `json:"value"`
	Stop       string         `json:"stop,omitempty"`
}

// Names translates the identifiers in orders to names.
type Names struct {
	Parties      map[int64]Party  `json:"parties"`
	Departments  map[int64]string `json:"departments"`
	OrderTypes   map[int64]string `json:"orderTypes"`
	VehicleTypes map[int64]string `json:"vehicleTypes"`
	Skills       map[int64]string `json:"skills"`
	Groups       map[int64]string `json:"groups"`
	// Locations and CustomFields are identified by their external ids.
	Locations    map[int64]string `json:"locations"`
	CustomFields map[int64]string `json:"customFields"`
	// Serials, Numbers and Carriers are those of each order; its carrier is that
	// of its type.
	Serials  map[int64]int64    `json:"serials"`
	Numbers  map[int64][]string `json:"numbers"`
	Carriers map[int64]string   `json:"carriers"`
	// Prices is set when carriers get the prices of orders.
	Prices bool `json:"prices"`
}

// NewShipment returns the shipment of an order.
func NewShipment(o *order.Order, n *Names) Shipment {
	s := Shipment{
		OrderID: o.ID, ExternalID: o.Number, SerialCode: fmt.Sprintf("WB-%d", n.Serials[o.ID]),
		Cancelled: o.Status == order.Cancelled, Date: o.Date.Format(time.DateOnly), Reference: o.Reference,
		InternalFreightNumber: o.FreightNumber, RouteNumber: o.RouteNumber,
		Customer: n.party(o.CustomerID), Consignee: n.party(o.ConsigneeID), Consignor: n.party(o.ConsignorID),
		Department: n.Departments[o.DepartmentID], OrderType: named(o.OrderTypeID, n.OrderTypes),
		VehicleType: named(o.VehicleTypeID, n.VehicleTypes),
		Pickup:      n.stop(&o.Pickup), Delivery: n.stop(&o.Delivery), Products: n.products(o.Products),
	}
	if len(n.Numbers[o.ID]) > 1 {
		s.ExternalIDs = n.Numbers[o.ID]
	}
	for _, id := range o.Groups {
		s.Groups = append(s.Groups, named(id, n.Groups))
	}
	if n.Prices {
		for _, p := range o.Prices {
			s.Pricing = append(s.Pricing, Price{Name: p.Name, Price: p.Amount, Currency: p.Currency, Quantity: p.Quantity})
		}
	}
	for id, value := range o.CustomFields {
		s.CustomFields = append(s.CustomFields, CustomField{
			ExternalID: n.CustomFields[id], Value: jsontext.Value(value.JSON), Stop: string(value.Stop),
		})
	}
	slices.SortFunc(s.CustomFields, func(a, b CustomField) int { return cmp.Compare(a.ExternalID, b.ExternalID) })
	return s
}

func named(id int64, names map[int64]string) Named { return Named{ID: id, Name: names[id]} }

func (n *Names) party(id int64) *Party {
	if id == 0 {
		return nil
	}
	p := n.Parties[id]
	p.ID = id
	return &p
}

func (n *Names) stop(s *order.Stop) Stop {
	out := Stop{
		Name: s.Name, ExternalID: n.Locations[s.LocationID],
		Address: Address{
			Address1: s.Address.Address1, Address2: s.Address.Address2, PostalCode: s.Address.PostalCode,
			City: s.Address.City, State: s.Address.State, Country: s.Address.Country,
			Latitude: s.Address.Latitude, Longitude: s.Address.Longitude,
		},
		Earliest: instant(s.Window.Earliest), Latest: instant(s.Window.Latest),
		EstimatedTimeOnLocation: s.EstimatedTimeOnLocation, SendNotificationBeforeArriving: s.NotifyBeforeArrival,
		Instructions: s.Instructions, CustomerInstructions: s.CustomerInstructions,
		ParkingInstructions: s.ParkingInstructions, Priority: string(s.Priority), Skills: n.skills(s.Skills),
	}
	if p := s.Position; p != nil && p.Latitude != nil && p.Longitude != nil {
		out.Position = &Position{*p.Latitude, *p.Longitude, p.Precision, p.Source}
	}
	for _, c := range s.Contacts {
		out.Contacts = append(out.Contacts, Contact{
			FirstName: c.FirstName, LastName: c.LastName, PhoneNumber: c.PhoneNumber, EmailAddress: c.EmailAddress,
		})
	}
	return out
}

// instant writes a moment as the rest of the wire does.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (n *Names) skills(types map[int64]order.SkillType) []Skill {
	var out []Skill
	for id, t := range types {
		out = append(out, Skill{Name: n.Skills[id], Type: string(t)})
	}
	slices.SortFunc(out, func(a, b Skill) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type)) })
	return out
}

// products returns the top-level products with their contents.
func (n *Names) products(all []*order.Product) []Product {
	inside := map[*order.Product][]*order.Product{}
	for _, p := range all {
		inside[p.Parent] = append(inside[p.Parent], p)
	}
	return n.packed(inside, nil)
}

func (n *Names) packed(inside map[*order.Product][]*order.Product, parent *order.Product) []Product {
	out := make([]Product, 0, len(inside[parent]))
	for _, p := range inside[parent] {
		out = append(out, Product{
			Name: p.Name, Quantity: p.Quantity, Weight: p.Weight, Length: p.Length, Width: p.Width, Height: p.Height,
			BarcodeID: p.BarcodeID, ExternalID: p.ExternalID, InstanceNumber: p.InstanceNumber,
			InternalOrderNumber: p.Number, AtomType: p.AtomType, Skills: n.skills(p.Skills), Children: n.packed(inside, p),
		})
	}
	return out
}

// Payload is the shipment as canonical JSON: the same shipment has the same
// bytes.
func (s Shipment) Payload() []byte {
	out, err := jsonv2.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("export: shipment of order %d cannot be written: %v", s.OrderID, err)) // plain values only
	}
	return out
}

// Fingerprint is equal for shipments that are the same to a carrier. All
// cancelled ones are.
func (s Shipment) Fingerprint() []byte {
	if s.Cancelled {
		return cancelledFingerprint(s.OrderID)
	}
	return fingerprint(s.Payload())
}

func cancelledFingerprint(orderID int64) []byte {
	return fingerprint(fmt.Appendf(nil, "cancelled %d", orderID))
}

func fingerprint(payload []byte) []byte {
	sum := sha256.Sum256(payload)
	return bytes.Clone(sum[:])
}
