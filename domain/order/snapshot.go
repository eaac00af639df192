package order

import (
	"strings"
	"time"

	"waybill/domain/calendar"
	"waybill/domain/load"
	"waybill/domain/place"
	"waybill/domain/pricing"
)

// Snapshot is everything that a chunk of entries refers to, as it was before
// the chunk. Decide changes the orders and drafts in it, so a snapshot is used
// once.
type Snapshot struct {
	Zone       *time.Location
	AllowMerge bool // the organization's default
	// Rules are the organization's transformation rules, or nil.
	Rules Transformer

	Customers    []Customer
	VehicleTypes []VehicleType
	OrderTypes   []OrderType
	Skills       []Named
	Groups       []Named
	CustomFields []CustomField
	// LoadDimensions are what limits vehicles in addition to weight and volume.
	LoadDimensions load.Dimensions
	Locations      []*Location
	// Calendars are those that customers, locations and departments keep, by id, and DepartmentCalendars the ids of
	// those of departments.
	Calendars           map[int64]*calendar.Calendar
	DepartmentCalendars map[int64]int64
	// Prices is the input for computing prices; nil when prices are not
	// computed.
	Prices *pricing.Tables

	// Receipt is the position of the import among all requests of the organization
	// and its people, in the order of receipt. It is 0 for requests received now.
	Receipt int64

	// Orders are those of the chunk's numbers, and those that an entry might be
	// merged into.
	Orders  []*Order
	Numbers map[string]Number
	Drafts  []*Draft

	// Places are what is known of the addresses of the entries, see AddressesToPlace.
	Places map[place.Address]Placed

	// Erased are addresses in the entries of erased persons, and whether they
	// want no messages.
	Erased map[string]bool

	index    index
	closings calendar.Closings
}

// Named is a record with its id and name.
type Named struct {
	ID   int64
	Name string
}

// Customer is a customer, consignee or consignor.
type Customer struct {
	ID           int64
	ExternalID   string
	BusinessName string
	DepartmentID int64
	// CalendarID is the calendar that it keeps, 0 for none.
	CalendarID int64
}

// VehicleType is a type of vehicle; a limit of 0 means none.
type VehicleType struct {
	Named
	MaxWeightKg float64
	MaxVolumeM3 float64
	// MaxLoads are its limits in the organization's load dimensions.
	MaxLoads load.Amounts
}

// OrderType is a type of order with its own time window, if it has one.
type OrderType struct {
	Named
	ReadyFrom     *Clock
	PickUpBefore  *Clock
	DeliverBefore *Clock
}

// CustomField is a definition of a custom field.
type CustomField struct {
	ID         int64
	ExternalID string
}

// Number is the order that an external number refers to. A cancelled number without
// an order was cancelled before the import that would create its order.
type Number struct {
	OrderID   int64
	Cancelled bool
	// Awaited is set when a received import that contains the number has not run
	// yet.
	Awaited bool
	// Receipt is the position of the newest import or change of the number in
	// the sequence of receipt, or 0 if unknown.
	Receipt int64
}

// Draft is an entry that is not an order yet. An ID of 0 means that the store
// has not assigned one yet; Promoted is the order that it became.
type Draft struct {
	ID         int64
	ExternalID string
	// Receipt is the position of the newest request for the draft in the
	// sequence of receipt, or 0 if unknown.
	Receipt  int64
	Request  Request
	Reasons  []Reason
	Promoted *Order
}

// index finds the records of a snapshot by any identifier that an entry
// uses.
type index struct {
	customersByID         map[int64]*Customer
	customersByExternalID map[string]*Customer
	customersByName       map[string]*Customer
	vehicleTypesByID      map[int64]*VehicleType
	vehicleTypesByName    map[string]*VehicleType
	orderTypesByID        map[int64]*OrderType
	orderTypesByName      map[string]*OrderType
	skillsByID            map[int64]int64
	skillsByName          map[string]int64
	groupsByID            map[int64]int64
	groupsByName          map[string]int64
	customFields          map[string]int64
	locationsByID         map[int64]*Location
	customFieldIDs        map[int64]bool
	locationsByExternalID map[string]*Location
	locationsByKey        map[LocationKey]*Location
	ordersByID            map[int64]*Order
	drafts                map[string]*Draft
}

// Prepare indexes the snapshot. It is called once, after its records are
// loaded and again after locations are added.
func (s *Snapshot) Prepare() {
	s.index = index{
		customersByID:         by(s.Customers, func(c *Customer) int64 { return c.ID }),
		customersByExternalID: by(s.Customers, func(c *Customer) string { return c.ExternalID }),
		customersByName:       by(s.Customers, func(c *Customer) string { return fold(c.BusinessName) }),
		vehicleTypesByID:      by(s.VehicleTypes, func(v *VehicleType) int64 { return v.ID }),
		vehicleTypesByName:    by(s.VehicleTypes, func(v *VehicleType) string { return fold(v.Name) }),
		orderTypesByID:        by(s.OrderTypes, func(t *OrderType) int64 { return t.ID }),
		orderTypesByName:      by(s.OrderTypes, func(t *OrderType) string { return fold(t.Name) }),
		customFields:          map[string]int64{},
		locationsByID:         map[int64]*Location{},
		customFieldIDs:        map[int64]bool{},
		locationsByExternalID: map[string]*Location{},
		locationsByKey:        map[LocationKey]*Location{},
		ordersByID:            map[int64]*Order{},
		drafts:                map[string]*Draft{},
	}
	s.index.skillsByID, s.index.skillsByName = byNamed(s.Skills)
	s.index.groupsByID, s.index.groupsByName = byNamed(s.Groups)
	for _, f := range s.CustomFields {
		s.index.customFields[f.ExternalID] = f.ID
		s.index.customFieldIDs[f.ID] = true
	}
	s.prepareLocations()
	for _, o := range s.Orders {
		s.index.ordersByID[o.ID] = o
	}
	for _, d := range s.Drafts {
		s.index.drafts[d.ExternalID] = d
	}
	if s.Numbers == nil {
		s.Numbers = map[string]Number{}
	}
}

func (s *Snapshot) prepareLocations() {
	for _, l := range s.Locations {
		s.index.locationsByID[l.ID] = l
		if l.ExternalID != "" {
			s.index.locationsByExternalID[l.ExternalID] = l
		}
		if known := s.index.locationsByKey[l.Key]; known == nil || l.olderThan(known) {
			s.index.locationsByKey[l.Key] = l
		}
	}
}

// olderThan reports whether the location was there before the other. Foreseen
// ones count down from zero, after all that are stored.
func (l *Location) olderThan(other *Location) bool {
	if l.ID < 0 && other.ID < 0 {
		return l.ID > other.ID
	}
	return uint64(l.ID) < uint64(other.ID)
}

// Foresee adds the locations that an import would create, with ids below
// zero, so that its outcome is known without writing anything.
func (s *Snapshot) Foresee(added []NewLocation) {
	for _, n := range added {
		s.Locations = append(s.Locations, &Location{
			ID:         -int64(len(s.Locations)) - 1,
			ExternalID: n.ExternalID, Key: n.Key, Name: n.Name, Address: n.Address,
			Hours: n.Hours, HoursAreDefault: n.HoursAreDefault,
		})
	}
	s.Prepare()
}

// by indexes records by a key; the first of several records with a key
// counts, and the zero key is ignored.
func by[K comparable, T any](records []T, key func(*T) K) map[K]*T {
	var none K
	out := make(map[K]*T, len(records))
	for i := range records {
		k := key(&records[i])
		if _, taken := out[k]; k != none && !taken {
			out[k] = &records[i]
		}
	}
	return out
}

func byNamed(records []Named) (ids map[int64]int64, names map[string]int64) {
	ids, names = map[int64]int64{}, map[string]int64{}
	for _, r := range records {
		ids[r.ID], names[fold(r.Name)] = r.ID, r.ID
	}
	return ids, names
}

// fold makes names compare without regard to case and outer white space.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func (s *Snapshot) customer(r *Ref) *Customer {
	switch {
	case r.empty():
		return nil
	case r.ID != nil:
		return s.index.customersByID[*r.ID]
	case r.ExternalID != "":
		return s.index.customersByExternalID[r.ExternalID]
	}
	return s.index.customersByName[fold(r.AnyName())]
}

func (s *Snapshot) vehicleType(r *Ref) *VehicleType {
	if r.empty() {
		return nil
	}
	if r.ID != nil {
		return s.index.vehicleTypesByID[*r.ID]
	}
	return s.index.vehicleTypesByName[fold(r.Name)]
}

func (s *Snapshot) orderType(r *Ref) *OrderType {
	if r.empty() {
		return nil
	}
	if r.ID != nil {
		return s.index.orderTypesByID[*r.ID]
	}
	return s.index.orderTypesByName[fold(r.Name)]
}

func (s *Snapshot) location(r *LocationRequest) *Location {
	if r.LocationID != 0 {
		return s.index.locationsByID[r.LocationID]
	}
	if r.ExternalID != "" {
		return s.index.locationsByExternalID[r.ExternalID]
	}
	if r.Address == nil {
		return nil
	}
	return s.index.locationsByKey[KeyOf(r.Name, *r.Address)]
}
