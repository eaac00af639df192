package travel

import (
	"waybill/domain/planning"
	"waybill/domain/vehicle"
)

// valhallaOptions are the options of a costing: lengths are in meters, weights in tonnes, and
// speeds in kilometers per hour.
type valhallaOptions struct {
	Height   *float64 `json:"height,omitempty"`
	Width    *float64 `json:"width,omitempty"`
	Length   *float64 `json:"length,omitempty"`
	Weight   *float64 `json:"weight,omitempty"`
	AxleLoad *float64 `json:"axle_load,omitempty"`
	TopSpeed *float64 `json:"top_speed,omitempty"`
	Hazmat   bool     `json:"hazmat,omitempty"`
	// UseFerry and UseTolls are from 0, which avoids them, to 1.
	UseFerry *float64 `json:"use_ferry,omitempty"`
	UseTolls *float64 `json:"use_tolls,omitempty"`
	// NoAccessPenalty is the penalty in seconds of a road that is closed to trucks. Such a
	// road is used by default only where a truck is.
	NoAccessPenalty *float64 `json:"hgv_no_access_penalty,omitempty"`
}

const (
	// noAccessPenalty keeps trucks from driving through a road that is closed to them, and
	// lets them arrive at its doors. It adds nothing to the travel time.
	noAccessPenalty = 3600.0
	// truckTopSpeed is the speed in kilometers per hour at which the law has trucks limited.
	truckTopSpeed = 90.0
	kgPerTonne    = 1000.0
)

// small is what counts for a truck whose class does not say how large it is: without it,
// Valhalla would take it for a large one.
var small = vehicle.Class{
	HeightM: new(2.0), WidthM: new(1.9), LengthM: new(4.8), GrossWeightKg: new(2000.0), AxleLoadKg: new(1000.0),
	TopSpeedKmh: new(truckTopSpeed),
}

// optionsOf returns the options of a mode and a class. A plain car or bike has none, and a plain
// truck is as large as Valhalla has trucks.
func optionsOf(mode Profile, class *vehicle.Class) map[string]valhallaOptions {
	var options valhallaOptions
	switch {
	case mode == planning.Truck:
		options.NoAccessPenalty = new(noAccessPenalty)
		if class.Empty() {
			break
		}
		options.add(&small)
		options.add(class)
	case class.Empty():
		return nil
	default:
		options.add(class)
	}
	return map[string]valhallaOptions{costings[mode]: options}
}

// add takes over what a class says.
func (o *valhallaOptions) add(class *vehicle.Class) {
	set := func(option **float64, value *float64, unit float64) {
		if value != nil {
			*option = new(*value / unit)
		}
	}
	set(&o.Height, class.HeightM, 1)
	set(&o.Width, class.WidthM, 1)
	set(&o.Length, class.LengthM, 1)
	set(&o.Weight, class.GrossWeightKg, kgPerTonne)
	set(&o.AxleLoad, class.AxleLoadKg, kgPerTonne)
	set(&o.TopSpeed, class.TopSpeedKmh, 1)
	o.Hazmat = o.Hazmat || class.HazardousGoods
	if class.AvoidsFerries {
		o.UseFerry = new(0.0)
	}
	if class.AvoidsTolls {
		o.UseTolls = new(0.0)
	}
}
