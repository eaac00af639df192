// Package visit computes how long a driver stays at a place: once to set up for
// the visit, and for each order of it.
package visit

import (
	"time"

	"waybill/domain/fault"
)

// ServiceTime is what is known of the time that stops take, of a location or of a type of
// order. Nil is unknown.
type ServiceTime struct {
	// SetupSeconds pass once per visit: until the vehicle is parked, the dock is found and
	// the papers are signed.
	SetupSeconds *int32 `json:"setup_seconds,omitempty" yaml:"setupSeconds"`
	// OrderSeconds pass for each order, and the others for each unit of its goods.
	OrderSeconds    *int32   `json:"order_seconds,omitempty" yaml:"orderSeconds"`
	SecondsPerKg    *float64 `json:"seconds_per_kg,omitempty" yaml:"secondsPerKg"`
	SecondsPerM3    *float64 `json:"seconds_per_m3,omitempty" yaml:"secondsPerM3"`
	SecondsPerCollo *float64 `json:"seconds_per_collo,omitempty" yaml:"secondsPerCollo"`
}

// The times of a stop about which nothing is known: five minutes when it is alone.
const (
	UsualSetup = 4 * time.Minute
	UsualOrder = time.Minute
)

// The longest times, in seconds, of a visit or an order, and of a unit of goods.
const (
	MostSeconds = 24 * 3600
	// MostExtra is how much longer vehicles of a type may take to set up.
	MostExtra   = 3600
	MostPerUnit = 3600
)

// Problems returns what is wrong with the times, each with the field below the given one.
func (t *ServiceTime) Problems(field string) (problems []fault.Violation) {
	if t == nil {
		return nil
	}
	refuse := func(name string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field + "." + name, Text: text})
	}
	for _, f := range []struct {
		name    string
		seconds *int32
	}{{"setup_seconds", t.SetupSeconds}, {"order_seconds", t.OrderSeconds}} {
		if f.seconds != nil && (*f.seconds < 0 || *f.seconds > MostSeconds) {
			refuse(f.name, fault.Say("service_time.bad_seconds"))
		}
	}
	for _, f := range []struct {
		name    string
		seconds *float64
	}{
		{"seconds_per_kg", t.SecondsPerKg}, {"seconds_per_m3", t.SecondsPerM3}, {"seconds_per_collo", t.SecondsPerCollo},
	} {
		if f.seconds != nil && !(*f.seconds >= 0 && *f.seconds <= MostPerUnit) {
			refuse(f.name, fault.Say("service_time.bad_rate"))
		}
	}
	return problems
}

// Stop is what is known of the time at a stop of an order.
type Stop struct {
	// Minutes are how long the stop of the order takes when it is alone, as the order says,
	// and LocationMinutes as its location says.
	Minutes, LocationMinutes *int32
	// Location and OrderType are their times, or nil.
	Location, OrderType *ServiceTime
	// WeightKg, VolumeM3 and Colli are the goods of the order.
	WeightKg, VolumeM3, Colli float64
}

// Times returns how long the setup takes and how long the order itself. A time that the order
// or the location says for the whole stop includes the setup, so a stop that is alone takes as
// long as it says.
func (s *Stop) Times() (setup, service time.Duration) {
	location, orderType := orNone(s.Location), orNone(s.OrderType)
	whole := first(s.Minutes, s.LocationMinutes)
	setup = UsualSetup
	if known := first(location.SetupSeconds, orderType.SetupSeconds); known != nil {
		setup = time.Duration(*known) * time.Second
	}
	if whole != nil && location.SetupSeconds == nil {
		setup = min(setup, time.Duration(*whole)*time.Minute)
	}
	if s.Minutes != nil {
		return setup, max(time.Duration(*s.Minutes)*time.Minute-setup, 0)
	}
	switch each := first(location.OrderSeconds, orderType.OrderSeconds); {
	case location.OrderSeconds != nil:
		service = time.Duration(*each) * time.Second
	case s.LocationMinutes != nil:
		service = max(time.Duration(*s.LocationMinutes)*time.Minute-setup, 0)
	case each != nil:
		service = time.Duration(*each) * time.Second
	default:
		service = UsualOrder
	}
	return setup, service + s.goods(location, orderType)
}

// goods returns how long the units of the goods take, in whole seconds.
func (s *Stop) goods(location, orderType *ServiceTime) time.Duration {
	seconds := 0.0
	for _, unit := range []struct {
		amount float64
		each   *float64
	}{
		{s.WeightKg, first(location.SecondsPerKg, orderType.SecondsPerKg)},
		{s.VolumeM3, first(location.SecondsPerM3, orderType.SecondsPerM3)},
		{s.Colli, first(location.SecondsPerCollo, orderType.SecondsPerCollo)},
	} {
		if unit.each != nil {
			seconds += unit.amount * *unit.each
		}
	}
	return time.Duration(min(max(seconds, 0), MostSeconds)+0.5) * time.Second
}

func orNone(t *ServiceTime) *ServiceTime {
	if t == nil {
		return &ServiceTime{}
	}
	return t
}

// first returns the first value that is known, or nil.
func first[T any](values ...*T) *T {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
