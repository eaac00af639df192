package travel

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"waybill/domain/planning"
	"waybill/domain/road"
)

// Matcher is a provider that also matches positions to the streets that were driven. It is
// safe for concurrent use.
type Matcher interface {
	// Most is how many positions it takes at most at a time.
	Most() int
	// Match returns the stretches of a track that are on streets, in the order of time. Where
	// no way leads from a position to the next, another stretch begins. An error that is not
	// the context's is a *Fault; it is one of the question if nothing is on a street.
	Match(ctx context.Context, profile Profile, track road.Track) ([]road.Stretch, error)
}

const (
	// mostMatched is how long a track is at most in meters that is matched at a time; the
	// default limit of Valhalla is 200 km.
	mostMatched = 150_000
	// usualAccuracy is that of a position that does not say it, and leastAccuracy and
	// worstAccuracy are what a server believes, in meters.
	usualAccuracy, leastAccuracy, worstAccuracy = 10, 5, 30
)

// Match returns the stretches of a track that are on streets, in the order of time. matches is
// false if the provider for the profile cannot say. The classes of vehicles do not count: a
// vehicle may have been where it must not go.
func (t *Tables) Match(
	ctx context.Context, profile Profile, track road.Track,
) (stretches []road.Stretch, matches bool, err error) {
	mode, _ := profile.Class()
	if mode == planning.Truck {
		mode = planning.Car
	}
	matcher, matches := t.Asked(mode).(Matcher)
	if !matches {
		return nil, false, nil
	}
	for _, span := range track.Spans(matcher.Most(), mostMatched) {
		if t.breaker.Left() > 0 {
			return nil, true, errResting
		}
		found, err := matcher.Match(ctx, mode, track[span.First:span.End])
		t.heed(ctx, err)
		if err != nil && !refused(err) {
			return nil, true, err
		}
		for i := range found {
			for j := range found[i].Marks {
				found[i].Marks[j].Fix += span.First
			}
		}
		stretches = road.Joined(stretches, found)
	}
	return stretches, true, nil
}

// matching is an answer to a question for a match, as both servers write it.
type matching struct {
	Code      string `json:"code"`
	Matchings []struct {
		Geometry   string  `json:"geometry"`
		Confidence float64 `json:"confidence"`
		Legs       []struct {
			Distance float64 `json:"distance"`
		} `json:"legs"`
	} `json:"matchings"`
	// Points are the places of the positions, or null.
	Points []*struct {
		Matching int        `json:"matchings_index"`
		Location [2]float64 `json:"location"` // longitude first
	} `json:"tracepoints"`
}

// stretches checks an answer for so many positions. decode reads its polylines.
func (m *matching) stretches(count int, decode func(string) (road.Line, error)) ([]road.Stretch, error) {
	if m.Code != "Ok" || len(m.Points) != count {
		return nil, faulty(nil, "the server answers %q with %d positions, not %d", clipped(m.Code), len(m.Points), count)
	}
	stretches := make([]road.Stretch, len(m.Matchings))
	for i := range m.Matchings {
		line, err := decode(m.Matchings[i].Geometry)
		if err != nil {
			return nil, faulty(err, "the way of a match is invalid")
		}
		stretches[i] = road.Stretch{Line: line, Confidence: min(max(m.Matchings[i].Confidence, 0), 1)}
	}
	places := make([][]road.Point, len(stretches))
	for fix, p := range m.Points {
		if p == nil {
			continue
		}
		if p.Matching < 0 || p.Matching >= len(stretches) {
			return nil, faulty(nil, "a position is on an unknown way")
		}
		stretches[p.Matching].Marks = append(stretches[p.Matching].Marks, road.Mark{Fix: fix})
		places[p.Matching] = append(places[p.Matching], road.Point{Latitude: p.Location[1], Longitude: p.Location[0]})
	}
	for i := range stretches {
		m.measure(i, &stretches[i], places[i])
	}
	stretches = slices.DeleteFunc(stretches, func(s road.Stretch) bool { return len(s.Marks) < 2 || !s.Line.Known() })
	slices.SortFunc(stretches, func(a, b road.Stretch) int { return cmp.Compare(a.First(), b.First()) })
	return stretches, nil
}

// measure sets how far along a stretch its positions are: by the lengths of its legs, or, where
// the server joins them, by their places.
func (m *matching) measure(i int, s *road.Stretch, places []road.Point) {
	legs, total := m.Matchings[i].Legs, 0.0
	for _, leg := range legs {
		total += leg.Distance
	}
	exact, along := len(legs) == len(s.Marks)-1 && total > 0, 0.0
	for j := 1; j < len(s.Marks); j++ {
		if exact {
			along += legs[j-1].Distance * s.Line.Length() / total
		} else {
			along = s.Line.ProjectAfter(places[j], along)
		}
		s.Marks[j].Along = along
	}
}

// accuracy is within how many meters a position is.
func accuracy(fix *road.Fix) float64 {
	if !(fix.Accuracy > 0) {
		return usualAccuracy
	}
	return min(max(fix.Accuracy, leastAccuracy), worstAccuracy)
}

// Most is the server's default limit.
func (*OSRM) Most() int { return 100 }

// Match requests one match.
func (o *OSRM) Match(ctx context.Context, profile Profile, track road.Track) ([]road.Stretch, error) {
	places, times, radii := make([]Point, len(track)), make([]string, len(track)), make([]string, len(track))
	for i := range track {
		places[i] = Point{Latitude: track[i].Latitude, Longitude: track[i].Longitude}
		times[i] = strconv.FormatInt(track[i].At.Unix(), 10)
		radii[i] = strconv.FormatFloat(accuracy(&track[i]), 'f', 0, 64)
	}
	name, _ := o.name(profile, places)
	address := o.server.base.JoinPath("match", "v1", name, coordinates(places, nil))
	address.RawQuery = url.Values{
		"geometries": {"polyline"}, "overview": {"full"}, "gaps": {"split"}, "steps": {"false"},
	}.Encode() + "&timestamps=" + strings.Join(times, ";") + "&radiuses=" + strings.Join(radii, ";")
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, faulty(err, "the server has no address")
	}
	var answer matching
	if err := o.server.ask(question, &answer); err != nil {
		return nil, err
	}
	return answer.stretches(len(track), road.Decode)
}

// Most is well below the server's default limit of 16,000, so that an answer comes in time.
func (*Valhalla) Most() int { return 1000 }

type valhallaTrace struct {
	Shape   []valhallaFix `json:"shape"`
	Costing string        `json:"costing"`
	Match   string        `json:"shape_match"`
	Format  string        `json:"format"`
	Options struct {
		Accuracy float64 `json:"gps_accuracy"`
	} `json:"trace_options"`
}

type valhallaFix struct {
	valhallaPlace

	Time int64 `json:"time"`
}

// Match requests one match.
func (v *Valhalla) Match(ctx context.Context, profile Profile, track road.Track) ([]road.Stretch, error) {
	mode, _ := profile.Class()
	trace := valhallaTrace{
		Shape: make([]valhallaFix, len(track)), Costing: costings[mode], Match: "map_snap", Format: "osrm",
	}
	for i := range track {
		fix := &track[i]
		trace.Shape[i] = valhallaFix{valhallaPlace{Latitude: fix.Latitude, Longitude: fix.Longitude}, fix.At.Unix()}
		trace.Options.Accuracy += accuracy(&track[i]) / float64(len(track))
	}
	body, err := json.Marshal(trace)
	if err != nil {
		return nil, faulty(err, "the question cannot be written")
	}
	question, err := http.NewRequestWithContext(ctx, http.MethodPost, v.server.base.JoinPath("trace_route").String(),
		bytes.NewReader(body))
	if err != nil {
		return nil, faulty(err, "the server has no address")
	}
	question.Header.Set("Content-Type", "application/json")
	var answer matching
	if err := v.server.ask(question, &answer); err != nil {
		return nil, err
	}
	return answer.stretches(len(track), road.DecodeFine)
}
