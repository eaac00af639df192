package travel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/domain/routing"
)

// Router is a provider that also returns the way of a leg along streets. It is safe for
// concurrent use.
type Router interface {
	// Route returns the way from one place to another. A way that does not exist has no
	// polyline, and is routing.Unreachable. An error that is not the context's is a *Fault.
	Route(ctx context.Context, profile Profile, from, to Point) (Route, error)
}

// Route is the way of a leg along streets.
type Route struct {
	routing.Leg

	// Polyline is the encoded way with a precision of 5 decimals, or empty.
	Polyline string
	// Version is that of the server's road data, or empty.
	Version string
}

const (
	// fineMeters is up to which estimated distance a route has all its points. The
	// polyline of a longer one is simplified.
	fineMeters = 100_000
	// mostPolyline is the largest polyline in bytes that is of use.
	mostPolyline = 48 << 10
)

// noRoute is a way that does not exist.
var noRoute = Route{Leg: nowhere}

// Route returns the way from one place to another, of the provider for the profile. drawn
// is false if that has no ways along streets.
func (t *Tables) Route(ctx context.Context, profile Profile, from, to Point) (route Route, drawn bool, err error) {
	profile = t.Served(profile, from, to)
	router, draws := t.Asked(profile, from, to).(Router)
	if !draws {
		return Route{}, false, nil
	}
	if t.breaker.Left() > 0 {
		return Route{}, true, errResting
	}
	route, err = router.Route(ctx, profile, from, to)
	t.heed(ctx, err)
	if refused(err) {
		return noRoute, true, nil
	}
	return route, true, err
}

// Correct has the time of a route count instead of that of a table.
func (t *Tables) Correct(
	ctx context.Context, cache Cache, profile Profile, from, to Point, leg routing.Leg,
) error {
	profile = t.Served(profile)
	version, _ := t.versions.of(profile)
	return cache.SaveBlock(ctx, Source{Provider: t.provider.Name(), Profile: profile, Version: version}, &Block{
		From: []Cell{planning.CellOf(from)}, To: []Cell{planning.CellOf(to)}, Legs: []routing.Leg{leg}, Corrected: true,
	})
}

// osrmRoutes is an answer to a question for a route.
type osrmRoutes struct {
	Code    string `json:"code"`
	Version string `json:"data_version"`
	Routes  []struct {
		Geometry string  `json:"geometry"`
		Duration float64 `json:"duration"`
		Distance float64 `json:"distance"`
	} `json:"routes"`
}

// Route requests one route.
func (o *OSRM) Route(ctx context.Context, profile Profile, from, to Point) (Route, error) {
	name, factor := o.name(profile, []Point{from, to})
	address := o.server.base.JoinPath("route", "v1", name, coordinates([]Point{from}, []Point{to}))
	address.RawQuery = url.Values{
		"geometries": {"polyline"}, "overview": {overview(from, to)}, "alternatives": {"false"}, "steps": {"false"},
	}.Encode() + "&radiuses=" + radiuses(2) + approaches([]Point{from}, []Point{to})
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return Route{}, faulty(err, "the server has no address")
	}
	var answer osrmRoutes
	if err := o.server.ask(question, &answer); err != nil {
		return Route{}, err
	}
	if answer.Code != "Ok" || len(answer.Routes) == 0 {
		return Route{}, faulty(nil, "the server answers %q with %d routes", clipped(answer.Code), len(answer.Routes))
	}
	first := answer.Routes[0]
	line, err := road.Decode(first.Geometry)
	return routeOf(line, err, first.Duration*factor, first.Distance, answer.Version)
}

// overview is how exactly the server is to draw a route.
func overview(from, to Point) string {
	if Flight(planning.Car, from, to).Meters > fineMeters {
		return "simplified"
	}
	return "full"
}

// routeOf checks what a server says of a route.
func routeOf(line road.Line, err error, seconds, meters float64, version string) (Route, error) {
	if err != nil && !errors.Is(err, road.ErrTooLong) { // a leg that is too long to draw is right otherwise
		return Route{}, faulty(err, "the way of a route is invalid")
	}
	leg, ok := leg(seconds, meters)
	if !ok {
		return Route{}, faulty(nil, "the time or distance of a route is invalid")
	}
	route := Route{Leg: leg, Version: clipped(version)}
	if encoded := line.Encode(); line.Known() && len(encoded) <= mostPolyline {
		route.Polyline = encoded
	}
	return route, nil
}

type valhallaRouteQuestion struct {
	Locations  []valhallaPlace `json:"locations"`
	Costing    string          `json:"costing"`
	Units      string          `json:"units"`
	Directions string          `json:"directions_type"`
	// Options are those of the costing.
	Options map[string]valhallaOptions `json:"costing_options,omitempty"`
}

// valhallaTrip is an answer to a question for a route.
type valhallaTrip struct {
	Trip struct {
		Legs []struct {
			Shape string `json:"shape"`
		} `json:"legs"`
		Summary struct {
			Seconds float64 `json:"time"`
			Length  float64 `json:"length"`
		} `json:"summary"`
		Units string `json:"units"`
	} `json:"trip"`
}

// Route requests one route.
func (v *Valhalla) Route(ctx context.Context, profile Profile, from, to Point) (Route, error) {
	mode, class := profile.Class()
	body, err := json.Marshal(valhallaRouteQuestion{
		Locations: valhallaPlaces([]Point{from, to}), Costing: costings[mode], Units: "kilometers", Directions: "none",
		Options: optionsOf(mode, &class),
	})
	if err != nil {
		return Route{}, faulty(err, "the question cannot be written")
	}
	address := v.server.base.JoinPath("route").String()
	question, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Route{}, faulty(err, "the server has no address")
	}
	question.Header.Set("Content-Type", "application/json")
	var answer valhallaTrip
	if err := v.server.ask(question, &answer); err != nil {
		return Route{}, err
	}
	trip := &answer.Trip
	if len(trip.Legs) != 1 || trip.Units != "kilometers" {
		return Route{}, faulty(nil, "the route has %d legs in %q", len(trip.Legs), clipped(trip.Units))
	}
	line, err := road.DecodeFine(trip.Legs[0].Shape)
	return routeOf(line, err, trip.Summary.Seconds, trip.Summary.Length*1000, "")
}
