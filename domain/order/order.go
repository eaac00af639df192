package order

import (
	"time"

	"waybill/domain/load"
)

// Status is the status of an order. Only drivers' actions, cancelling and
// re-activating change it (spec.md, "What the service does").
type Status int16

// The statuses of an order.
const (
	Registered Status = iota + 1
	Planned
	AtPickup
	PickedUp
	AtDelivery
	Delivered
	Failed
	Cancelled
)

// Active reports whether the order is still to be carried out or under way.
func (s Status) Active() bool { return s >= Registered && s <= AtDelivery }

// Loaded reports whether the goods have left their pickup, after which stops
// and products are facts and not plans.
func (s Status) Loaded() bool { return s >= PickedUp && s != Cancelled }

// Over reports whether the order is delivered or failed, and so is history.
func (s Status) Over() bool { return s == Delivered || s == Failed }

// StopKind is pickup or delivery.
type StopKind string

// The kinds of stop.
const (
	Pickup   StopKind = "pickup"
	Delivery StopKind = "delivery"
)

// LocationPriority is the importance of a stop compared to others.
type LocationPriority string

// The priorities; without one, or unspecified, a stop is normal.
const (
	PriorityUnspecified LocationPriority = "LOCATION_PRIORITY_UNSPECIFIED"
	PriorityLow         LocationPriority = "LOCATION_PRIORITY_LOW"
	PriorityNormal      LocationPriority = "LOCATION_PRIORITY_NORMAL"
	PriorityHigh        LocationPriority = "LOCATION_PRIORITY_HIGH"
	PriorityCritical    LocationPriority = "LOCATION_PRIORITY_CRITICAL"
)

// SkillType says whether a driver must have a skill or must not have it.
type SkillType string

// The types of skill.
const (
	SkillRequired   SkillType = "REQUIRED"
	SkillProhibited SkillType = "PROHIBITED"
)

// The atom types of a product (spec.md, "Product in an import").
const (
	AtomColli     = "colli"
	AtomTradeItem = "trade item"
)

// Order is an accepted order. An ID of 0 means that the store has not assigned
// one yet.
type Order struct {
	ID     int64
	Number string
	Status Status
	Header
	Pickup       Stop
	Delivery     Stop
	Asks         Asks
	Products     []*Product
	Groups       []int64
	Prices       []Price
	CustomFields map[int64]FieldValue
	// Booked reports that an interval is booked, whose windows overrule those of
	// the stops.
	Booked bool
	// Shares are the numbers that share the order, with their content; empty
	// while the order has only one number.
	Shares []ERPOrder

	// Changes lists the parts that differ from the stored order.
	Changes Changes
}

// Header is an order's data except its stops and goods.
type Header struct {
	Date          time.Time // midnight UTC of the order's day
	Reference     string
	CustomerID    int64
	DepartmentID  int64
	OrderTypeID   int64
	VehicleTypeID int64
	// ReplacedVehicleTypeID is the type from imports when a person chose another
	// one; else 0.
	ReplacedVehicleTypeID int64
	FreightNumber         string
	RouteNumber           string
	ConsigneeID           int64
	ConsignorID           int64
}

// InFreight reports whether the order is assigned to a freight, which takes a
// number and both parties (spec.md, rule 2 of ImportOrderRequest).
func (h Header) InFreight() bool {
	return h.FreightNumber != "" && h.ConsigneeID != 0 && h.ConsignorID != 0
}

// Stop is one stop of an order, with its window resolved.
type Stop struct {
	ID         int64
	LocationID int64
	Name       string
	Address    Address
	// Position is where the address is, nil when the caller or the location has coordinates.
	Position                *Position
	Window                  Window
	Asks                    StopAsks
	EstimatedTimeOnLocation *int32 // minutes
	NotifyBeforeArrival     *bool
	Instructions            string
	CustomerInstructions    string
	ParkingInstructions     string
	Priority                LocationPriority
	Contacts                []Contact
	Skills                  map[int64]SkillType
}

// Product is one product of an order. Parent is nil at the top of the tree.
type Product struct {
	ID             int64
	Number         string // the order number that brought it
	Seq            int32
	Name           string
	Quantity       float64
	Weight         *float64 // kilograms
	Length         *float64 // centimetres, as the other dimensions
	Width          *float64
	Height         *float64
	BarcodeID      string
	ExternalID     string
	InstanceNumber string
	AtomType       string
	Parent         *Product
	Skills         map[int64]SkillType
	// LoadAmounts are how much a unit needs in the organization's load dimensions; nil is nothing.
	LoadAmounts load.Amounts
	Modified    bool
}

// Price is one pricing entry; Amount is a decimal number. Computed prices come
// from the price lists, the others from a caller.
type Price struct {
	Name     string
	Amount   string
	Currency string
	Quantity float64
	Computed bool
}

// Changes are the parts of an order that a plan changes.
type Changes struct {
	New, Status                                                bool
	Header, Pickup, Delivery, Products, Groups, Prices, Fields bool
	// Shares reports that the order's numbers or their content changed, and
	// Number that its name changed to another of them.
	Shares, Number bool
}

// Any reports whether anything changes.
func (c Changes) Any() bool { return c != Changes{} }
