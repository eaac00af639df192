// Package vehicle has the class of a vehicle: the dimensions and rules that decide which
// roads it may use, and how fast.
package vehicle

import (
	"errors"
	"fmt"
	"math"
)

// Class is what sets a vehicle apart from others that travel the same way. Its zero value
// is any van or truck.
type Class struct {
	HeightM *float64 `json:"height_m" yaml:"heightM"`
	WidthM  *float64 `json:"width_m" yaml:"widthM"`
	LengthM *float64 `json:"length_m" yaml:"lengthM"`
	// GrossWeightKg is the weight of the vehicle and its load.
	GrossWeightKg *float64 `json:"gross_weight_kg" yaml:"grossWeightKg"`
	AxleLoadKg    *float64 `json:"axle_load_kg" yaml:"axleLoadKg"`
	TopSpeedKmh   *float64 `json:"top_speed_kmh" yaml:"topSpeedKmh"`
	// HazardousGoods means that it carries goods that some roads and tunnels forbid.
	HazardousGoods bool `json:"hazardous_goods" yaml:"hazardousGoods"`
	AvoidsFerries  bool `json:"avoids_ferries" yaml:"avoidsFerries"`
	AvoidsTolls    bool `json:"avoids_tolls" yaml:"avoidsTolls"`
}

// Measure is one of the numbers of a class, with its names and bounds.
type Measure struct {
	// Document is the name in the organization's document, and API in the API.
	Document, API string
	Value         *float64
	Least, Most   float64
}

// Valid reports whether the value is absent or within its bounds.
func (m *Measure) Valid() bool { return m.Value == nil || *m.Value >= m.Least && *m.Value <= m.Most }

// Measures returns the numbers of a class.
func (c *Class) Measures() []Measure {
	return []Measure{
		{"heightM", "height_m", c.HeightM, 0.5, 10},
		{"widthM", "width_m", c.WidthM, 0.5, 10},
		{"lengthM", "length_m", c.LengthM, 0.5, 60},
		{"grossWeightKg", "gross_weight_kg", c.GrossWeightKg, 50, 200_000},
		{"axleLoadKg", "axle_load_kg", c.AxleLoadKg, 50, 50_000},
		{"topSpeedKmh", "top_speed_kmh", c.TopSpeedKmh, 5, 150},
	}
}

// Validate returns an error that names each field of the document that is out of bounds.
func (c *Class) Validate() error {
	var problems []error
	for _, m := range c.Measures() {
		if !m.Valid() {
			problems = append(problems, fmt.Errorf("%s must be between %g and %g", m.Document, m.Least, m.Most))
		}
	}
	return errors.Join(problems...)
}

// Empty reports whether the class sets nothing.
func (c *Class) Empty() bool { return *c == Class{} }

// Normal returns the class with lengths in whole centimeters, and weights and speeds in whole
// kilograms and kilometers per hour. Lengths and weights are rounded up, so that a vehicle
// never counts as smaller than it is, and the speed down.
func (c *Class) Normal() Class {
	n := *c
	n.HeightM, n.WidthM, n.LengthM = roundedUp(c.HeightM, 100), roundedUp(c.WidthM, 100), roundedUp(c.LengthM, 100)
	n.GrossWeightKg, n.AxleLoadKg = roundedUp(c.GrossWeightKg, 1), roundedUp(c.AxleLoadKg, 1)
	if c.TopSpeedKmh != nil {
		speed := math.Floor(*c.TopSpeedKmh)
		n.TopSpeedKmh = &speed
	}
	return n
}

// tolerance absorbs what is left of a decimal number in binary.
const tolerance = 1e-6

// roundedUp rounds a value up to a whole number of parts of one.
func roundedUp(value *float64, parts float64) *float64 {
	if value == nil {
		return nil
	}
	rounded := math.Ceil(*value*parts-tolerance) / parts
	return &rounded
}
