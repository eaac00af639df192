package planning

import (
	"time"

	"waybill/domain/driver"
	"waybill/domain/routing"
)

// limitShift gives a shift what its limits leave to the rest of the day.
func limitShift(shift *routing.Shift, limits driver.Limits, passed *progress) {
	if limits.Stops > 0 {
		if shift.MaxStops = limits.Stops - passed.stops(); shift.MaxStops <= 0 {
			shift.MaxStops = routing.NoStops
		}
	}
	if limits.DrivingMinutes > 0 {
		left := time.Duration(limits.DrivingMinutes)*time.Minute - passed.driving()
		shift.MaxDriving = max(int64(left/time.Second), 1)
	}
}

// stops returns to how many places a driver has gone.
func (p *progress) stops() (stops int) {
	for i := range p.over {
		if !p.over[i].Joined {
			stops++
		}
	}
	return stops
}

// driving returns how long a driver has driven to the stops that are over.
func (p *progress) driving() (sum time.Duration) {
	for i := range p.over {
		sum += p.over[i].Driving
	}
	return sum + p.detourDriving
}
