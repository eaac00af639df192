package planning

import (
	"time"

	"waybill/domain/routing"
)

// RestPlace is a location where a driver has a break, with the way there from the stop before.
type RestPlace struct {
	LocationID int64   `json:"locationId"`
	Latitude   float64 `json:"latitude"`
	Longitude  float64 `json:"longitude"`
	// DrivingSeconds and Meters are the way there.
	DrivingSeconds int64 `json:"drivingSeconds"`
	Meters         int64 `json:"meters"`
}

// Driving is how long it takes to get there.
func (p *RestPlace) Driving() time.Duration { return time.Duration(p.DrivingSeconds) * time.Second }

// point returns where it is, or nil if the break is anywhere.
func (p *RestPlace) point() *Point {
	if p.LocationID == 0 {
		return nil
	}
	return &Point{Latitude: p.Latitude, Longitude: p.Longitude}
}

// breakPlace returns where a break of a driver's hours is; nil is anywhere. A location without a position is
// nowhere to go to.
func (d *Driver) breakPlace(location int64) *Point {
	if location == 0 {
		return nil
	}
	return d.BreakPlaces[location]
}

// breakAt returns the place of a break in the problem, as routing has it.
func (d *Draft) breakAt(of *Driver, location int64) int {
	if at := of.breakPlace(location); at != nil {
		return routing.AtPlace(d.place(at))
	}
	return 0
}

// breakPlaces are where the breaks of a shift are in the problem, as far as they are somewhere.
func breakPlaces(shift *routing.Shift) (places []int) {
	for _, b := range append([]routing.Break{shift.Break}, shift.Breaks...) {
		if b.At > 0 {
			places = append(places, b.Place())
		}
	}
	return places
}

// restPlace is where a break of a timetable is.
func (d *Draft) restPlace(of *Driver, rest *routing.Rest) RestPlace {
	if rest.At == 0 {
		return RestPlace{}
	}
	for _, b := range of.Hours.Breaks() {
		if d.breakAt(of, b.LocationID) == rest.At {
			at := of.breakPlace(b.LocationID)
			return RestPlace{
				LocationID: b.LocationID, Latitude: at.Latitude, Longitude: at.Longitude,
				DrivingSeconds: int64(rest.Way.Seconds), Meters: int64(rest.Way.Meters),
			}
		}
	}
	return RestPlace{}
}

// before takes the breaks that begin before a time from others, and returns the place of the last one that is
// at one; otherwise it is the place that was before.
func before(rests []routing.Rest, at int64, from int) (ahead []routing.Rest, place int) {
	for len(rests) > 0 && rests[0].Starts < at {
		if rests[0].At > 0 {
			from = rests[0].At - 1
		}
		rests = rests[1:]
	}
	return rests, from
}

// addDetours adds up how far a driver has driven to the places of breaks that have begun, or are before the stops
// that are taken for over.
func (p *progress) addDetours(d *Day, r *Route) {
	until := d.Now
	if last := len(p.over) - 1; !p.reports && last >= 0 {
		until = later(until, p.over[last].Starts)
	}
	for i := range r.Breaks {
		if rest := &r.Breaks[i]; !rest.Starts.After(until) {
			p.detourDriving, p.detourMeters = p.detourDriving+rest.Place.Driving(), p.detourMeters+rest.Place.Meters
		}
	}
}

// leaveFrom starts the rest of the route where the driver had a break, if that was at a place.
func (p *progress) leaveFrom(place *Point) {
	if place != nil {
		p.from = place
	}
}

// goesBy looks at the breaks at places on the way to the next stop: it returns the place of the last that has
// begun, if any, and how long it takes to get to those ahead.
func (r *Route) goesBy(next *Placed, left, now time.Time) (from *Point, ahead time.Duration) {
	for i := range r.Breaks {
		rest := &r.Breaks[i]
		switch at := rest.Place.point(); {
		case at == nil || rest.Starts.Before(left) || !rest.Starts.Before(next.Arrives):
		case rest.Starts.After(now):
			ahead += rest.Place.Driving()
		default:
			from = at
		}
	}
	return from, ahead
}
