// Package masterdata holds the records that people maintain by hand and that
// orders, bookings and prices refer to. Each kind is a struct with the JSON
// form of the API and its validation rules.
package masterdata

import (
	"strconv"

	"waybill/domain/fault"
)

// Kind is a sort of master data, as the world calls it in the singular.
type Kind string

// The kinds.
const (
	Departments   Kind = "department"
	Customers     Kind = "customer"
	Groups        Kind = "group"
	Skills        Kind = "skill"
	VehicleTypes  Kind = "vehicle_type"
	Vehicles      Kind = "vehicle"
	OrderTypes    Kind = "order_type"
	Products      Kind = "product"
	Zones         Kind = "zone"
	FreightLevels Kind = "freight_level"
	PriceLists    Kind = "price_list"
	Calendars     Kind = "calendar"

	NotificationRules Kind = "notification_rule"
	// OrderStatuses are fixed, and Locations have their own rules; both are only
	// looked up or referred to.
	OrderStatuses Kind = "order_status"
	Locations     Kind = "location"
	// LoadDimensions are settings of the organization, which vehicles refer to by name.
	LoadDimensions Kind = "load_dimension"
)

// New returns an empty record of the kind with its defaults; nil for kinds
// that are not maintained this way.
func (k Kind) New() Record {
	switch k {
	case Departments:
		return &Department{IsActive: true, DepartmentRelease: UsualRelease}
	case Customers:
		return &Customer{IsActive: true}
	case Groups:
		return &Group{IsActive: true}
	case Skills:
		return &Skill{IsActive: true}
	case VehicleTypes:
		return &VehicleType{IsActive: true, TravelsAs: "CAR"}
	case Vehicles:
		return &Vehicle{IsActive: true}
	case OrderTypes:
		return &OrderType{IsActive: true}
	case Products:
		return &Product{IsActive: true, AtomType: "trade item"}
	case Zones:
		return &Zone{IsActive: true}
	case FreightLevels:
		return &FreightLevel{IsActive: true}
	case PriceLists:
		return &PriceList{IsActive: true, MinimumPrice: "0"}
	case Calendars:
		return &Calendar{IsActive: true}
	case NotificationRules:
		return &NotificationRule{IsActive: true, Series: "ONCE"}
	case OrderStatuses, Locations, LoadDimensions:
	}
	return nil
}

// Missing is the fault of a record that is not there.
func (k Kind) Missing(id int64) error {
	name := strconv.FormatInt(id, 10)
	switch k {
	case Departments:
		return fault.Missing("department", name)
	case Customers:
		return fault.Missing("customer", name)
	case Groups:
		return fault.Missing("group", name)
	case Skills:
		return fault.Missing("skill", name)
	case VehicleTypes:
		return fault.Missing("vehicle_type", name)
	case Vehicles:
		return fault.Missing("vehicle", name)
	case OrderTypes:
		return fault.Missing("order_type", name)
	case Products:
		return fault.Missing("product", name)
	case Zones:
		return fault.Missing("zone", name)
	case FreightLevels:
		return fault.Missing("freight_level", name)
	case PriceLists:
		return fault.Missing("price_list", name)
	case Calendars:
		return fault.Missing("calendar", name)
	case NotificationRules:
		return fault.Missing("notification_rule", name)
	case OrderStatuses, Locations:
	}
	return &fault.Error{Kind: fault.NotFound}
}
