package region

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"waybill/domain/place"
)

// services are the services of OSRM that a region answers.
var services = []string{"table", "route", "nearest", "match"}

// world are the bounds of all positions.
var world = Bounds{West: -180, South: -90, East: 180, North: 90}

// errNotARequest is returned for what is no request to OSRM.
var errNotARequest = errors.New("the path must be /{table|route|nearest|match}/v1/{profile}/{longitude},{latitude};…")

// ReadRequest returns the name of the profile and the positions in the path of a request to OSRM.
func ReadRequest(path string) (profile string, positions []place.Position, err error) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) != 4 || !slices.Contains(services, parts[0]) || parts[1] != "v1" || parts[2] == "" {
		return "", nil, errNotARequest
	}
	positions, err = positionsIn(strings.TrimSuffix(parts[3], ".json"))
	return parts[2], positions, err
}

// positionsIn reads positions that are separated by semicolons.
func positionsIn(list string) ([]place.Position, error) {
	positions := make([]place.Position, 0, strings.Count(list, ";")+1)
	for one := range strings.SplitSeq(list, ";") {
		first, second, _ := strings.Cut(one, ",")
		longitude, err := strconv.ParseFloat(first, 64)
		if err != nil {
			return nil, errNotARequest
		}
		latitude, err := strconv.ParseFloat(second, 64)
		if err != nil {
			return nil, errNotARequest
		}
		at := place.Position{Latitude: latitude, Longitude: longitude}
		if !world.Holds(at) {
			return nil, errors.New("a coordinate lies outside the world")
		}
		positions = append(positions, at)
	}
	return positions, nil
}
