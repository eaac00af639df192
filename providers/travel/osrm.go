package travel

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// OSRM calls /table/v1 of an osrm-backend server.
type OSRM struct {
	server server
	// names are the server's names of its profiles.
	names map[Profile]string
	// classes means that it has data for classes of vehicles, by their keys.
	classes bool
	// catalog are the data that it says it has.
	catalog catalog
	// side is the number of places on either side of a request.
	side int
}

const (
	// snapMeters is how far from a road a place may be. Without a limit the server uses
	// the nearest road at any distance, so a pin in the sea would get times of its own.
	snapMeters = 2000
	// roundingMeters is how far below zero the server's distances may be: between two
	// places on one road it subtracts rounded offsets.
	roundingMeters = 10
	// mostAtOnce bounds the side of a request, so that its URL stays below 36 KiB.
	mostAtOnce = 500
)

// newOSRM returns a client of the server at base, whose query may name
// profiles: osrm-routed accepts any name and always uses the one profile that
// it was built for, so only its operator knows whether it supports bikes. By
// default it supports cars, and trucks by a factor. The query parameter table is
// the server's --max-table-size. With classes=yes, the server has road data for
// trucks, bikes and classes of vehicles, and lists them, or says which it lacks.
func newOSRM(base *url.URL) (*OSRM, error) {
	o := &OSRM{names: map[Profile]string{planning.Car: "driving"}, side: side}
	query := base.Query()
	if size := query.Get("table"); size != "" {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("has table=%s; it must be the server's --max-table-size, such as 1000", size)
		}
		o.side = min(n, mostAtOnce)
		query.Del("table")
	}
	if classes := query.Get("classes"); classes != "" {
		if classes != "yes" {
			return nil, fmt.Errorf("has classes=%s; it must be yes, or be left out", classes)
		}
		o.classes = true
		query.Del("classes")
	}
	for name, values := range query {
		profile := Profile(strings.ToUpper(name))
		if profile != planning.Car && profile != planning.Truck && profile != planning.Bike || values[0] == "" {
			return nil, fmt.Errorf("has %s=%s; only car, truck and bike can be mapped to profiles, and table and classes can be set", name, values[0])
		}
		o.names[profile] = values[0]
	}
	bare := *base
	bare.RawQuery = ""
	o.server = newServer(&bare)
	return o, nil
}

// Name is "osrm".
func (*OSRM) Name() string { return "osrm" }

// Serves reports whether the profile is configured, or the server says that it has data for it.
func (o *OSRM) Serves(p Profile) bool { return o.ServesAt(p, nil) }

// name returns the server's name of a profile between places, and how much longer the profile
// takes than what has the name.
func (o *OSRM) name(p Profile, points []Point) (name string, factor float64) {
	if o.names[p] != "" {
		return o.names[p], 1
	}
	if p == planning.Truck {
		if data, _ := o.dataFor(p, points); len(data) == 0 {
			return o.names[planning.Car], truckFactor
		}
	}
	return strings.ToLower(string(p)), 1
}

// Side is the server's limit if the address names it, and otherwise half of the
// default limit, for either way of counting.
func (o *OSRM) Side() int { return o.side }

// osrmTable is an answer. A way that does not exist is null.
type osrmTable struct {
	Code      string       `json:"code"`
	Durations [][]*float64 `json:"durations"`
	Distances [][]*float64 `json:"distances"`
	// Sources and Destinations are the places on roads.
	Sources      []osrmPlace `json:"sources"`
	Destinations []osrmPlace `json:"destinations"`
	Version      string      `json:"data_version"`
}

// osrmPlace is the point of a road that is nearest to a place; Distance is how many meters it is
// away.
type osrmPlace struct {
	Location [2]float64 `json:"location"`
	Distance *float64   `json:"distance"`
}

// meters are how far places are from a road; nil if the server does not say it of each.
func meters(of []osrmPlace, count int) []int32 {
	if len(of) != count {
		return nil
	}
	all := make([]int32, count)
	for i := range of {
		if of[i].Distance == nil || !(*of[i].Distance >= 0 && *of[i].Distance < math.MaxInt32) {
			return nil
		}
		all[i] = int32(math.Round(*of[i].Distance))
	}
	return all
}

// Legs requests one table.
func (o *OSRM) Legs(ctx context.Context, profile Profile, from, to []Point) (Answer, error) {
	name, factor := o.name(profile, slices.Concat(from, to))
	address := o.server.base.JoinPath("table", "v1", name, coordinates(from, to))
	address.RawQuery = "annotations=duration,distance&generate_hints=false&sources=" + indexes(0, len(from)) +
		"&destinations=" + indexes(len(from), len(to)) + "&radiuses=" + radiuses(len(from)+len(to)) + approaches(from, to)
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return Answer{}, faulty(err, "the server has no address")
	}
	var table osrmTable
	version, err := o.server.askVersion(question, &table)
	if err != nil {
		return Answer{}, err
	}
	if table.Code != "Ok" {
		return Answer{}, faulty(nil, "the server answers %q", clipped(table.Code))
	}
	legs, err := table.legs(len(from), len(to), factor)
	if err != nil {
		return Answer{}, err
	}
	return Answer{
		Legs: legs, FromMeters: meters(table.Sources, len(from)), ToMeters: meters(table.Destinations, len(to)),
		Version: cmp.Or(version, clipped(table.Version)),
	}, nil
}

// osrmNearest is an answer to a question for the nearest road.
type osrmNearest struct {
	Code      string      `json:"code"`
	Version   string      `json:"data_version"`
	Waypoints []osrmPlace `json:"waypoints"`
}

func (o *OSRM) nearest(ctx context.Context, profile Profile, p Point) (answer osrmNearest, err error) {
	name, _ := o.name(profile, []Point{p})
	address := o.server.base.JoinPath("nearest", "v1", name, coordinates([]Point{p}, nil))
	address.RawQuery = "generate_hints=false"
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return answer, faulty(err, "the server has no address")
	}
	version, err := o.server.askVersion(question, &answer)
	answer.Version = cmp.Or(version, clipped(answer.Version))
	if err == nil && answer.Code != "Ok" {
		err = faulty(nil, "the server answers %q", clipped(answer.Code))
	}
	return answer, err
}

// Version returns the version that waybill roads has, or that the road data was built with.
func (o *OSRM) Version(ctx context.Context, profile Profile, near Point) (string, error) {
	answer, err := o.nearest(ctx, profile, near)
	return answer.Version, err
}

// Nearest returns the nearest point of a road.
func (o *OSRM) Nearest(ctx context.Context, profile Profile, p Point) (planning.Nearest, error) {
	answer, err := o.nearest(ctx, profile, p)
	if err != nil {
		return planning.Nearest{}, err
	}
	distance := meters(answer.Waypoints, 1)
	if distance == nil {
		return planning.Nearest{}, faulty(nil, "the nearest road is invalid")
	}
	at := Point{Latitude: answer.Waypoints[0].Location[1], Longitude: answer.Waypoints[0].Location[0]}
	if !at.Valid() {
		return planning.Nearest{}, faulty(nil, "the nearest road is invalid")
	}
	return planning.Nearest{Point: at, Meters: distance[0]}, nil
}

func (t *osrmTable) legs(rows, columns int, factor float64) ([]routing.Leg, error) {
	if len(t.Durations) != rows || len(t.Distances) != rows {
		return nil, faulty(nil, "the table has %d and %d rows, not %d", len(t.Durations), len(t.Distances), rows)
	}
	legs := make([]routing.Leg, 0, rows*columns)
	for i, durations := range t.Durations {
		distances := t.Distances[i]
		if len(durations) != columns || len(distances) != columns {
			return nil, faulty(nil, "a row has %d and %d columns, not %d", len(durations), len(distances), columns)
		}
		for j, seconds := range durations {
			length := distances[j]
			if length != nil && *length < 0 && *length > -roundingMeters {
				length = new(float64)
			}
			cell, ok := cellOf(seconds, length, factor, 1)
			if !ok {
				return nil, faulty(nil, "the time or distance of a leg is invalid")
			}
			legs = append(legs, cell)
		}
	}
	return legs, nil
}

// cellOf makes a leg of one cell of a table; null is a way that does not exist.
func cellOf(seconds, length *float64, factor, unit float64) (routing.Leg, bool) {
	if seconds == nil {
		return nowhere, true
	}
	if length == nil {
		return routing.Leg{}, false
	}
	return leg(*seconds*factor, *length*unit)
}

// coordinates are those of both sides, longitude first.
func coordinates(from, to []Point) string {
	var text strings.Builder
	for _, points := range [][]Point{from, to} {
		for _, p := range points {
			if text.Len() > 0 {
				text.WriteByte(';')
			}
			text.WriteString(degrees(p.Longitude) + "," + degrees(p.Latitude))
		}
	}
	return text.String()
}

// degrees are written to a tenth of a metre.
func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

func indexes(first, count int) string {
	text := make([]string, count)
	for i := range text {
		text[i] = strconv.Itoa(first + i)
	}
	return strings.Join(text, ";")
}

// radiuses limits how far each of so many places may be from a road.
func radiuses(count int) string {
	return strings.TrimSuffix(strings.Repeat(strconv.Itoa(snapMeters)+";", count), ";")
}

// approaches says which of the places vehicles come to on their own side of the street; it is empty if there
// are none.
func approaches(from, to []Point) string {
	var text strings.Builder
	any := false
	for _, points := range [][]Point{from, to} {
		for _, p := range points {
			if p.Curbside {
				text.WriteString("curb")
				any = true
			}
			text.WriteByte(';')
		}
	}
	if !any {
		return ""
	}
	return "&approaches=" + strings.TrimSuffix(text.String(), ";")
}

// clipped is a text of a server, short enough for a log.
func clipped(text string) string { return text[:min(len(text), 40)] }
