package masterdata

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/load"
	"waybill/domain/pricing"
	"waybill/domain/vehicle"
	"waybill/domain/visit"
)

// VehicleType is a type of vehicle; a nil limit means none.
type VehicleType struct {
	Name        string   `json:"name"`
	MaxWeightKg *float64 `json:"max_weight_kg"`
	MaxVolumeM3 *float64 `json:"max_volume_m3"`
	MaxRouteKm  *float64 `json:"max_route_km"`
	ShiftLimits
	// MaxLoads are limits in the load dimensions of the organization.
	MaxLoads load.Amounts `json:"max_loads"`
	// DrivingRule is the name of the rule for driving time, nil for none.
	DrivingRule *string `json:"driving_rule"`
	// ExtraSetupSeconds is how much longer such a vehicle takes to set up at each visit.
	ExtraSetupSeconds int32  `json:"extra_setup_seconds"`
	TravelsAs         string `json:"travels_as"`
	// OfVehicle are its prices, where they differ from those of the organization.
	pricing.OfVehicle
	// Class decides which roads it may use. A bike has none.
	vehicle.Class
	// AlsoServes are other types whose orders it may carry.
	AlsoServes []int64 `json:"also_serves"`
	IsActive   bool    `json:"is_active"`
}

// Kind implements Record.
func (*VehicleType) Kind() Kind { return VehicleTypes }

// Called implements Record.
func (v *VehicleType) Called() string { return v.Name }

// Active implements Record.
func (v *VehicleType) Active() bool { return v.IsActive }

// Check implements Record.
func (v *VehicleType) Check() error {
	var c checker
	c.name("name", &v.Name)
	c.number("max_weight_kg", v.MaxWeightKg)
	c.number("max_volume_m3", v.MaxVolumeM3)
	c.length("max_route_km", v.MaxRouteKm)
	c.problems = append(c.problems, v.Problems()...)
	c.loads(&v.MaxLoads)
	if v.DrivingRule != nil {
		c.oneOf("driving_rule", *v.DrivingRule, driver.RuleNames()...)
	}
	if v.ExtraSetupSeconds < 0 || v.ExtraSetupSeconds > visit.MostExtra {
		c.complain("extra_setup_seconds", fault.Say("request.out_of_range", "min", "0", "max", written(visit.MostExtra)))
	}
	c.oneOf("travels_as", v.TravelsAs, "CAR", "TRUCK", "BIKE")
	c.class(v)
	c.problems = append(c.problems, amountProblems("", v.Amounts())...)
	c.atMost("also_serves", len(v.AlsoServes), maxList)
	slices.Sort(v.AlsoServes)
	v.AlsoServes = slices.Compact(v.AlsoServes)
	return c.err()
}

func (c *checker) class(v *VehicleType) {
	for _, m := range v.Measures() {
		if !m.Valid() {
			c.complain(m.API, fault.Say("request.out_of_range", "min", written(m.Least), "max", written(m.Most)))
		}
	}
	if v.TravelsAs == "BIKE" && !v.Empty() {
		c.complain("travels_as", fault.Say("vehicle_type.bike_class"))
	}
}

func written(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// References implements Record.
func (v *VehicleType) References() []Reference {
	return append(each("also_serves", VehicleTypes, v.AlsoServes), dimensions(v.MaxLoads)...)
}

// loads checks limits in load dimensions and sorts them.
func (c *checker) loads(limits *load.Amounts) {
	c.problems = append(c.problems, limits.Malformed("max_loads")...)
	if *limits = limits.Sorted(); *limits == nil {
		*limits = load.Amounts{}
	}
}

// dimensions are the references to load dimensions by their names.
func dimensions(limits load.Amounts) []Reference {
	all := make([]Reference, len(limits))
	for i, limit := range limits {
		all[i] = Reference{Field: fmt.Sprintf("max_loads[%d].dimension", i), Kind: LoadDimensions, Name: limit.Dimension}
	}
	return all
}

// Vehicle is a vehicle; a limit of nil is that of its type.
type Vehicle struct {
	Registration  string   `json:"registration"`
	Name          *string  `json:"name"`
	VehicleTypeID int64    `json:"vehicle_type_id"`
	MaxWeightKg   *float64 `json:"max_weight_kg"`
	MaxVolumeM3   *float64 `json:"max_volume_m3"`
	MaxRouteKm    *float64 `json:"max_route_km"`
	// MaxLoads are limits in the load dimensions of the organization; those of its type apply in others.
	MaxLoads       load.Amounts `json:"max_loads"`
	HomeLocationID *int64       `json:"home_location_id"`
	Skills         []string     `json:"skills"`
	IsActive       bool         `json:"is_active"`

	// Fields that the API adds: the type, and which limits are the
	// vehicle's own.
	Type *struct {
		ID int64 `json:"id"`
	} `json:"vehicle_type,omitempty"`
	Own *struct {
		MaxWeightKg *float64     `json:"max_weight_kg"`
		MaxVolumeM3 *float64     `json:"max_volume_m3"`
		MaxRouteKm  *float64     `json:"max_route_km"`
		MaxLoads    load.Amounts `json:"max_loads"`
	} `json:"own_limits,omitempty"`
}

// asKept removes the fields that the API adds.
func (v *Vehicle) asKept() {
	if v.Type != nil {
		v.VehicleTypeID = v.Type.ID
	}
	if v.Own != nil {
		v.MaxWeightKg, v.MaxVolumeM3, v.MaxRouteKm = v.Own.MaxWeightKg, v.Own.MaxVolumeM3, v.Own.MaxRouteKm
		v.MaxLoads = v.Own.MaxLoads
	}
	v.Type, v.Own = nil, nil
}

// Kind implements Record.
func (*Vehicle) Kind() Kind { return Vehicles }

// Called implements Record.
func (v *Vehicle) Called() string { return v.Registration }

// Active implements Record.
func (v *Vehicle) Active() bool { return v.IsActive }

// Check implements Record.
func (v *Vehicle) Check() error {
	var c checker
	c.name("registration", &v.Registration)
	c.text("name", &v.Name)
	c.number("max_weight_kg", v.MaxWeightKg)
	c.number("max_volume_m3", v.MaxVolumeM3)
	c.length("max_route_km", v.MaxRouteKm)
	c.loads(&v.MaxLoads)
	v.Skills = c.skills(v.Skills)
	return c.err()
}

// References implements Record.
func (v *Vehicle) References() []Reference {
	all := []Reference{{Field: "vehicle_type_id", Kind: VehicleTypes, ID: v.VehicleTypeID}}
	all = append(all, optional("home_location_id", Locations, v.HomeLocationID)...)
	return slices.Concat(all, named(v.Skills), dimensions(v.MaxLoads))
}

// maxSkills is the most skills of one record.
const maxSkills = 100

// skills checks the names of skills and sorts them, each once.
func (c *checker) skills(names []string) []string {
	c.atMost("skills", len(names), maxSkills)
	for i, name := range names {
		c.fits(fmt.Sprintf("skills[%d]", i), name)
	}
	sorted := append([]string{}, names...)
	slices.SortFunc(sorted, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return slices.CompactFunc(sorted, strings.EqualFold)
}

// named are the references to skills by their names.
func named(skills []string) []Reference {
	all := make([]Reference, len(skills))
	for i, name := range skills {
		all[i] = Reference{Field: fmt.Sprintf("skills[%d]", i), Kind: Skills, Name: strings.ToLower(name)}
	}
	return all
}

// each are the references of a list of ids.
func each(field string, kind Kind, ids []int64) []Reference {
	all := make([]Reference, len(ids))
	for i, id := range ids {
		all[i] = Reference{Field: fmt.Sprintf("%s[%d]", field, i), Kind: kind, ID: id}
	}
	return all
}
