package simulation

import (
	"fmt"
	"math"
	"time"

	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/traffic"
)

// Rush are the hours of a realistic day in which driving takes longer than the road data says. No plan knows them.
func Rush() []traffic.RushHours {
	workdays := []string{"MO", "TU", "WE", "TH", "FR"}
	return []traffic.RushHours{
		{Days: workdays, From: "06:00", Until: "09:00", Factor: 1.6},
		{Days: workdays, From: "09:00", Until: "14:00", Factor: 1.2},
		{Days: workdays, From: "14:00", Until: "18:00", Factor: 1.45},
	}
}

// How much drivers differ in how fast they drive and serve, and how much each leg and each stop differs from the usual,
// as a share.
const (
	driversDiffer = 0.2
	legsDiffer    = 0.12
	stopsDiffer   = 0.2
)

// way returns how long it takes to a stop at this place of the open ones, past those before it, by the plan's clock,
// and how much of that is driving. On a realistic day, that depends on when the driver leaves, and on who drives.
func (r *Run) way(d *Driver, left []Stop, next int, leaves time.Time) (way, driven time.Duration) {
	way, driven = wayTo(left, next)
	if !r.Realistic {
		return way, driven
	}
	base := time.Duration(0)
	for i := range left[:next+1] {
		base += left[i].base()
	}
	if road := traffic.NewRoad(Rush(), r.zone(), freight.Place{}, freight.Place{}); road != nil {
		base = road.Takes(base, r.Clock.At(leaves))
	}
	s := &left[next]
	takes := scale(base, r.pace(d, "drives")*(1+legsDiffer*r.chance(d, s.Number, string(s.Kind), "leg")))
	return way - driven + takes, takes
}

// base is how long the way to a stop takes by the road data, or else by the plan.
func (s *Stop) base() time.Duration {
	if s.Base > 0 {
		return s.Base
	}
	return s.Driving
}

// times returns how long setting up at a stop takes, and serving it. On a realistic day, that is a matter of the place,
// whatever the plan says, unless the order itself says how long it takes.
func (r *Run) times(d *Driver, s *Stop) (setup, service time.Duration) {
	if !r.Realistic {
		return s.Setup, s.Service
	}
	differs := r.pace(d, "serves") * (1 + stopsDiffer*r.chance(d, s.Number, string(s.Kind), "stop"))
	if s.OwnTime {
		return s.Setup, scale(s.Service, differs)
	}
	place := fmt.Sprintf("%.4f %.4f", s.Latitude, s.Longitude)
	dice := diceOf(fmt.Sprint(r.OrgID), place, "dock")
	service = time.Minute + time.Duration(dice%60)*time.Second
	if s.Joined {
		return 0, scale(service, differs)
	}
	const slow = 3 // one place in so many has a slow dock
	switch minutes := dice / 60 % 8; {
	case s.Kind == order.Pickup, dice/480%slow == 0:
		setup = time.Duration(9+minutes) * time.Minute
	default:
		setup = time.Minute + time.Duration(minutes)*30*time.Second
	}
	return scale(setup, differs), scale(service, differs)
}

// pace is how much longer a driver takes than others, the same on all days.
func (r *Run) pace(d *Driver, what string) float64 {
	return 1 + driversDiffer*chanceOf(diceOf(fmt.Sprint(r.OrgID), fmt.Sprint(d.ID), what))
}

// Habits returns how many times as long as others a driver takes on realistic days: on the road, and for visits. No
// plan knows them.
func (r *Run) Habits(d *Driver) (drives, serves float64) {
	return r.pace(d, "drives"), r.pace(d, "serves")
}

// chance is a number from -1 to 1 that looks like chance; most are near 0.
func (r *Run) chance(d *Driver, what ...string) float64 { return chanceOf(r.dice(d, what...)) }

func chanceOf(dice uint64) float64 {
	const parts = 1 << 16
	return float64(dice%parts)/parts + float64(dice/parts%parts)/parts - 1
}

func (r *Run) zone() *time.Location {
	if r.Zone == nil {
		return time.UTC
	}
	return r.Zone
}

func scale(d time.Duration, by float64) time.Duration {
	return time.Duration(math.Round(float64(d) * by)).Truncate(time.Second)
}
