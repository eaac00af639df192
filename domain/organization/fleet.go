package organization

import (
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/domain/vehicle"
)

// VehicleType is identified by its name. A nil limit means none.
type VehicleType struct {
	Name        string   `yaml:"name"`
	MaxWeightKg *float64 `yaml:"maxWeightKg"`
	MaxVolumeM3 *float64 `yaml:"maxVolumeM3"`
	MaxRouteKm  *float64 `yaml:"maxRouteKm"` // of a whole route
	// MaxStops is to how many places a driver goes in a shift, and MaxDrivingMinutes how long the
	// driver drives.
	MaxStops          *int `yaml:"maxStops"`
	MaxDrivingMinutes *int `yaml:"maxDrivingMinutes"`
	// MaxLoads are limits in the load dimensions of the organization.
	MaxLoads load.Amounts `yaml:"maxLoads"`
	// DrivingRule is the name of the rule for driving time; empty is none.
	DrivingRule string `yaml:"drivingRule"`
	// ExtraSetupSeconds is how much longer such a vehicle takes to set up at each visit.
	ExtraSetupSeconds int `yaml:"extraSetupSeconds"`
	// TravelsAs is the profile for travel times: CAR, TRUCK or BIKE; CAR by
	// default.
	TravelsAs string `yaml:"travelsAs"`
	// Class decides which roads it may use. A bike has none.
	vehicle.Class
	// OfVehicle are its prices, where they differ from those of the organization.
	pricing.OfVehicle
	// AlsoServes are other types whose orders it may carry, by name. It is not
	// transitive.
	AlsoServes []string `yaml:"alsoServes"`
}

// Vehicle is identified by its registration. A nil limit is that of its type.
type Vehicle struct {
	Registration string   `yaml:"registration"`
	Name         string   `yaml:"name"`
	VehicleType  string   `yaml:"vehicleType"` // by name
	MaxWeightKg  *float64 `yaml:"maxWeightKg"`
	MaxVolumeM3  *float64 `yaml:"maxVolumeM3"`
	MaxRouteKm   *float64 `yaml:"maxRouteKm"`
	// MaxLoads are limits in the load dimensions of the organization; those of its type apply in others.
	MaxLoads     load.Amounts `yaml:"maxLoads"`
	HomeLocation string       `yaml:"homeLocation"` // by external id
	Skills       []string     `yaml:"skills"`       // by name
}

// Driver is identified by its external id, or else by its name.
type Driver struct {
	ExternalID   string   `yaml:"externalId"`
	Name         string   `yaml:"name"`
	PhoneNumber  string   `yaml:"phoneNumber"` // E.164 once checked
	EmailAddress string   `yaml:"emailAddress"`
	Department   string   `yaml:"department"` // by name
	Vehicle      string   `yaml:"vehicle"`    // the usual one, by registration
	Skills       []string `yaml:"skills"`     // by name
	// StartLocation and EndLocation are where a day begins and ends, by external
	// id; the home of the vehicle where they are left out.
	StartLocation string `yaml:"startLocation"`
	EndLocation   string `yaml:"endLocation"`
	// Workdays are tried in this order: the first whose rule picks a day counts.
	Workdays []Workday `yaml:"workdays"`
	// ProhibitedCustomers and ProhibitedLocations are those whose orders the
	// driver must not get, by external id.
	ProhibitedCustomers []string `yaml:"prohibitedCustomers"`
	ProhibitedLocations []string `yaml:"prohibitedLocations"`
	// PreferredCustomers and PreferredLocations are those whose orders the driver should get, by external id, and
	// Territory is where the driver's stops should be. Others may have them, at a price.
	PreferredCustomers []string `yaml:"preferredCustomers"`
	PreferredLocations []string `yaml:"preferredLocations"`
	Territory          []Area   `yaml:"territory"`
	// DrivingFactor and VisitFactor are how many times as long as others the driver takes on the road, and for visits.
	// What is left out stays as it is, because it may be learned.
	DrivingFactor float64 `yaml:"drivingFactor"`
	VisitFactor   float64 `yaml:"visitFactor"`
}

// Workday are the hours of the days that a recurrence rule picks. Work that ends
// before it starts ends on the next day.
type Workday struct {
	RRule  string       `yaml:"rrule"`
	Starts *order.Clock `yaml:"starts"`
	Ends   *order.Clock `yaml:"ends"`
	Break  *Break       `yaml:"break"`
	// MoreBreaks are breaks after that one, in their order.
	MoreBreaks []Break `yaml:"moreBreaks"`
}

// Break is a pause that begins at Earliest or later and is over at Latest.
type Break struct {
	Minutes  int          `yaml:"minutes"`
	Earliest *order.Clock `yaml:"earliest"`
	Latest   *order.Clock `yaml:"latest"`
	// Location is where the driver has it, by external id; anywhere if it is left out.
	Location string `yaml:"location"`
}
