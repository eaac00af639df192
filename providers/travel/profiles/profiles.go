// Package profiles has the profile with which OSRM builds the road data of a class of vehicles.
package profiles

import (
	_ "embed"
	"fmt"
	"strings"

	"waybill/domain/vehicle"
)

//go:embed vehicle.lua
var script string

// truckTopSpeedKmh is the speed at which the law has trucks limited.
const truckTopSpeedKmh = 90

// Profile returns the profile of a class of vehicles, in Lua. It extends the profile of cars
// that comes with OSRM: Lua must find car.lua and its folder lib by LUA_PATH, as in
// LUA_PATH="/opt/?.lua;;".
func Profile(mode vehicle.Mode, class *vehicle.Class) []byte {
	normal := class.Normal()
	if mode == vehicle.Truck && normal.TopSpeedKmh == nil {
		normal.TopSpeedKmh = new(float64(truckTopSpeedKmh))
	}
	fields := []string{fmt.Sprintf("mode = '%s'", mode)}
	for _, field := range []struct {
		name  string
		value *float64
	}{
		{"height", normal.HeightM},
		{"width", normal.WidthM},
		{"length", normal.LengthM},
		{"weight", normal.GrossWeightKg},
		{"axle_load", normal.AxleLoadKg},
		{"top_speed", normal.TopSpeedKmh},
	} {
		if field.value != nil {
			fields = append(fields, fmt.Sprintf("%s = %g", field.name, *field.value))
		}
	}
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"hazmat", normal.HazardousGoods}, {"avoids_ferries", normal.AvoidsFerries}, {"avoids_tolls", normal.AvoidsTolls},
	} {
		if field.set {
			fields = append(fields, field.name+" = true")
		}
	}
	return []byte("local vehicle = { " + strings.Join(fields, ", ") + " }\n\n" + script)
}

// OfKey returns the profile of the class that a key names. It reports false for a text that
// is no key.
func OfKey(key string) ([]byte, bool) {
	mode, class, ok := vehicle.ParseKey(key)
	if !ok {
		return nil, false
	}
	return Profile(mode, &class), true
}
