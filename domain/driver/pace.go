package driver

import (
	"fmt"
	"math"

	"waybill/domain/fault"
)

// Pace is how a driver differs from what plans have for everybody. The zero value is a driver who does not.
type Pace struct {
	// Driving is how many times as long the driver's driving takes as the road data and the rush hours say, and Visits the
	// same of visits and their service times; 0 is as long.
	Driving, Visits float64
}

// Limits of the factors of drivers, which are in steps. A step is a twentieth.
const (
	LeastPace = 0.5
	MostPace  = 3
	PaceStep  = 0.05
	perUnit   = 20
)

// RoundPace returns the nearest factor of a driver that there is.
func RoundPace(factor float64) float64 {
	return math.Round(min(max(factor, LeastPace), MostPace)*perUnit) / perUnit
}

// Factors returns both factors, as numbers to multiply with.
func (p Pace) Factors() (driving, visits float64) { return orOne(p.Driving), orOne(p.Visits) }

func orOne(factor float64) float64 {
	if factor == 0 {
		return 1
	}
	return factor
}

// Stored returns the pace as it is stored: a factor of 1 is none.
func (p Pace) Stored() Pace {
	none := func(factor float64) float64 {
		if factor == 1 {
			return 0
		}
		return factor
	}
	return Pace{Driving: none(p.Driving), Visits: none(p.Visits)}
}

// Problems returns what is wrong with the factors, each with its field.
func (p Pace) Problems() (problems []fault.Violation) {
	for _, f := range []struct {
		field  string
		factor float64
	}{{"driving_factor", p.Driving}, {"visit_factor", p.Visits}} {
		if f.factor == 0 || f.factor >= LeastPace && f.factor <= MostPace && math.Abs(f.factor-RoundPace(f.factor)) < 1e-9 {
			continue
		}
		problems = append(problems, fault.Violation{Field: f.field, Text: fault.Say("driver.bad_factor",
			"min", fmt.Sprint(LeastPace), "max", fmt.Sprint(MostPace), "step", fmt.Sprint(PaceStep))})
	}
	return problems
}
