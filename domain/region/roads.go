package region

import (
	"slices"
	"strings"
	"time"

	"waybill/domain/place"
	"waybill/domain/vehicle"
)

// Profile names the road data of one kind of vehicle: a mode, or the key of a class. It fits in
// a path and in the name of a folder.
type Profile string

// The profiles of vehicles without a class.
const (
	Cars   Profile = "car"
	Trucks Profile = "truck"
	Bikes  Profile = "bike"
)

// driving is how OSRM's clients name cars.
const driving = "driving"

// ProfileNamed returns the profile that a request names. It reports false for a name that no
// profile can have.
func ProfileNamed(name string) (Profile, bool) {
	if name == driving {
		return Cars, true
	}
	_, _, isKey := vehicle.ParseKey(name)
	return Profile(name), isKey || name == string(Bikes)
}

// OfOrganization is how many profiles one organization can have road data built for.
const OfOrganization = 10

// Data is road data that a server has: those of one region for one profile.
type Data struct {
	Region  string  `json:"region"`
	Version string  `json:"version"`
	Bounds  Bounds  `json:"bounds"`
	Profile Profile `json:"profile"`
}

// DataPath is where a server lists its data, as a DataList.
const DataPath = "/data"

// VersionHeader is the header in which a server says the version of the road data that it answers
// from. It changes when they do.
const VersionHeader = "Waybill-Roads"

// DataList is the list of the data that a server has.
type DataList struct {
	Data []Data `json:"data"`
}

// DataFor returns the data of a profile of the regions that hold the most of some positions, so
// that one position outside of all regions changes nothing. There are none if another region
// holds more of them, or if no region holds any.
func DataFor(all []Data, profile Profile, positions []place.Position) (found []Data) {
	most := 1
	for _, d := range all {
		held := 0
		for _, at := range positions {
			if d.Bounds.Holds(at) {
				held++
			}
		}
		if held > most {
			most, found = held, nil
		}
		if held == most && d.Profile == profile {
			found = append(found, d)
		}
	}
	return found
}

// VersionOf identifies data: it changes whenever travel times do.
func VersionOf(data []Data) string {
	names := make([]string, 0, len(data))
	for _, d := range data {
		names = append(names, d.Region+"/"+d.Version+"/"+string(d.Profile))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Phase is how far the road data of a profile are.
type Phase string

// The phases of road data.
const (
	// Ready data can be served.
	Ready Phase = "ready"
	// Building means that a process builds them now.
	Building Phase = "building"
	// Waiting data are built next, or again after a failure.
	Waiting Phase = "waiting"
	// Failed data are not built again by themselves.
	Failed Phase = "failed"
)

// RoadState is how the road data of a region are for one profile, on a host.
type RoadState struct {
	Profile Profile
	Phase   Phase
	// Bytes is the size of ready data.
	Bytes int64
	Attempt
}

// Attempt is an attempt to build road data, and what became of it.
type Attempt struct {
	// Tries counts the attempts up to this one.
	Tries int `json:"tries"`
	// Program is what runs or ran last, and Percent how much of the build is done.
	Program string `json:"program,omitempty"`
	Percent int    `json:"percent"`
	// Failure is why it failed, or why ready data cannot be served. It is empty while the attempt is
	// under way.
	Failure string `json:"failure,omitempty"`
	// Next is when the next attempt is due.
	Next time.Time `json:"next"`
}

const (
	// mostTries is how often road data are built until somebody has to look.
	mostTries = 8
	// firstPause and longestPause lie between attempts. A pause is twice as long as the one before.
	firstPause   = time.Minute
	longestPause = time.Hour
)

// Again returns the attempt after one that failed or was cut short.
func (a Attempt) Again(now time.Time) Attempt {
	pause := firstPause
	for range min(a.Tries, mostTries) {
		pause = min(2*pause, longestPause)
	}
	return Attempt{Tries: a.Tries + 1, Next: now.Add(pause)}
}

// Exhausted reports whether no further attempt is made.
func (a Attempt) Exhausted() bool { return a.Tries >= mostTries }

// IsDue reports whether the data are to be built now.
func (r *RoadState) IsDue(now time.Time) bool { return r.Phase == Waiting && !now.Before(r.Next) }
