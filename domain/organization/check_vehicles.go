package organization

import (
	"fmt"
	"slices"
	"strings"

	"waybill/domain/driver"
	"waybill/domain/visit"
)

func (c *checker) vehicleTypes() {
	names(c, "vehicleTypes", c.document.VehicleTypes, func(v VehicleType) string { return v.Name })
	for i := range c.document.VehicleTypes {
		v, path := &c.document.VehicleTypes[i], at("vehicleTypes", i)
		c.limits(path, v.MaxWeightKg, v.MaxVolumeM3, v.MaxRouteKm)
		c.shiftLimits(path, v.MaxStops, v.MaxDrivingMinutes, 1)
		c.said(v.MaxLoads.Malformed(path + ".maxLoads"))
		if rules := driver.RuleNames(); v.DrivingRule != "" && !slices.Contains(rules, v.DrivingRule) {
			c.complain(path+".drivingRule", "must be one of %s, or left out", strings.Join(rules, ", "))
		}
		if v.ExtraSetupSeconds < 0 || v.ExtraSetupSeconds > visit.MostExtra {
			c.complain(path+".extraSetupSeconds", "must be between 0 and %d", visit.MostExtra)
		}
		c.choice(path+".travelsAs", &v.TravelsAs, "CAR", "TRUCK", "BIKE")
		c.class(path, v)
		c.amounts(path, v.Amounts())
		c.references(path+".alsoServes", v.AlsoServes, Fold)
		for j, name := range v.AlsoServes {
			if Fold(name) == Fold(v.Name) {
				c.complain(fmt.Sprintf("%s.alsoServes[%d]", path, j), "is the type itself")
			}
		}
	}
}

func (c *checker) class(path string, v *VehicleType) {
	for _, m := range v.Measures() {
		if !m.Valid() {
			c.complain(path+"."+m.Document, "must be between %g and %g", m.Least, m.Most)
		}
	}
	if v.TravelsAs == "BIKE" && !v.Empty() {
		c.complain(path+".travelsAs", "must be CAR or TRUCK for a type with dimensions, weights, a top speed,"+
			" or rules about roads")
	}
}

func (c *checker) vehicles() {
	identities := seen[string]{}
	for i := range c.document.Vehicles {
		v, path := &c.document.Vehicles[i], at("vehicles", i)
		c.name(path+".registration", v.Registration)
		if v.Registration != "" {
			identities.add(c, Fold(v.Registration), path+".registration", path)
		}
		c.text(path+".name", v.Name, maxName)
		c.name(path+".vehicleType", v.VehicleType)
		c.limits(path, v.MaxWeightKg, v.MaxVolumeM3, v.MaxRouteKm)
		c.said(v.MaxLoads.Malformed(path + ".maxLoads"))
		c.references(path+".skills", v.Skills, Fold)
	}
}

func (c *checker) limits(path string, weight, volume, route *float64) {
	c.notBelow(path+".maxWeightKg", weight, 0)
	c.notBelow(path+".maxVolumeM3", volume, 0)
	if route != nil && *route <= 0 {
		c.complain(path+".maxRouteKm", "must be positive")
	}
}

// shiftLimits checks the limits of a shift; least is the least number that may stand for one.
func (c *checker) shiftLimits(path string, stops, minutes *int, least int) {
	for _, limit := range []struct {
		name  string
		value *int
		most  int
	}{{"maxStops", stops, driver.MostStops}, {"maxDrivingMinutes", minutes, driver.MostDrivingMinutes}} {
		switch v := limit.value; {
		case v == nil || *v >= 1 && *v <= limit.most || *v == least:
		case least < 1:
			c.complain(path+"."+limit.name, "must be between 1 and %d, or %d for no limit", limit.most, least)
		default:
			c.complain(path+"."+limit.name, "must be between 1 and %d", limit.most)
		}
	}
}

// maxReferences is how many others one item names at most.
const maxReferences = 1000

// references checks a list of references: no duplicates, and not too many.
// Whether the records exist is checked when the document is applied.
func (c *checker) references(path string, listed []string, fold func(string) string) {
	if len(listed) > maxReferences {
		c.complain(path, "must be %d or fewer", maxReferences)
		return
	}
	identities := seen[string]{}
	for i, name := range listed {
		inner := fmt.Sprintf("%s[%d]", path, i)
		c.name(inner, name)
		identities.add(c, fold(name), inner, inner)
	}
}

// exact is the fold of external ids, whose case counts.
func exact(id string) string { return id }
