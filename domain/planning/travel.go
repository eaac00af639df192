package planning

import "waybill/domain/routing"

// TravelSource is who said how long legs take. Legs of different sources are never mixed.
type TravelSource struct {
	// Provider is the name of the server, and Profile that of the vehicles.
	Provider string
	Profile  Profile
	// Version is that of the road data, or empty if the server does not say it.
	Version string
}

// TravelBlock is the legs from each of some cells to each of others, row by row.
type TravelBlock struct {
	From, To []Cell
	Legs     []routing.Leg
	// FromMeters and ToMeters are how far the cells are from a road, or UnknownMeters.
	FromMeters, ToMeters []int32
	// Corrected legs are those of routes that were drawn. They count more than others.
	Corrected bool
}

// TravelFailure is why times of a plan are not those of roads; NoTravelFailure is nothing.
type TravelFailure string

// The failures, the worst first.
const (
	NoTravelFailure TravelFailure = ""
	// TravelUnavailable means that the server does not answer, or answers nonsense.
	TravelUnavailable TravelFailure = "UNAVAILABLE"
	// NoDataForClass means that there are only roads of other vehicles.
	NoDataForClass TravelFailure = "NO_DATA_FOR_CLASS"
	// OutsideOfRegions means that there are no roads where the places are.
	OutsideOfRegions TravelFailure = "OUTSIDE_OF_REGIONS"
)

// UnknownMeters is a distance that nobody said.
const UnknownMeters = -1

// Nearest is the point of a road that is nearest to a place that no vehicle reaches.
type Nearest struct {
	Point

	// Meters is how far it is from the place.
	Meters int32
}

// FarFromRoad is from how many meters on a stop is marked as far from any road.
const FarFromRoad = 200
