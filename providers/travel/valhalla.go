package travel

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// Valhalla calls /sources_to_targets of a Valhalla server.
type Valhalla struct{ server server }

func newValhalla(base *url.URL) *Valhalla { return &Valhalla{newServer(base)} }

// Name is "valhalla".
func (*Valhalla) Name() string { return "valhalla" }

// costings are Valhalla's names of the profiles.
var costings = map[Profile]string{planning.Car: "auto", planning.Truck: "truck", planning.Bike: "bicycle"}

// Serves reports true for all profiles and classes.
func (*Valhalla) Serves(p Profile) bool {
	mode, _ := p.Class()
	return costings[mode] != ""
}

// Side squared is the server's default limit.
func (*Valhalla) Side() int { return side }

type valhallaPlace struct {
	Latitude  float64 `json:"lat"`
	Longitude float64 `json:"lon"`
	// Side is on which side of the vehicle the place is to be; empty is either.
	Side string `json:"preferred_side,omitempty"`
}

// sameSide is the side on which people drive in the country of the place.
const sameSide = "same"

type valhallaQuestion struct {
	Sources []valhallaPlace `json:"sources"`
	Targets []valhallaPlace `json:"targets"`
	Costing string          `json:"costing"`
	Units   string          `json:"units"`
	// Options are those of costings, by their names.
	Options map[string]valhallaOptions `json:"costing_options,omitempty"`
}

// valhallaMatrix is an answer. A way that does not exist has null for both.
type valhallaMatrix struct {
	Units string           `json:"units"`
	Cells [][]valhallaCell `json:"sources_to_targets"`
}

type valhallaCell struct {
	Seconds *float64 `json:"time"`
	Length  *float64 `json:"distance"`
	From    int      `json:"from_index"`
	To      int      `json:"to_index"`
}

// The default limits of the distance in meters between the places of a matrix, with a margin.
const (
	reach     = 390_000
	bikeReach = 190_000
)

// Reach is below the server's default limit: beyond it, it refuses a matrix as a whole.
func (*Valhalla) Reach(p Profile) float64 {
	if p == planning.Bike {
		return bikeReach
	}
	return reach
}

// Version returns when the server's road data was built.
func (v *Valhalla) Version(ctx context.Context, _ Profile, _ Point) (string, error) {
	address := v.server.base.JoinPath("status").String()
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return "", faulty(err, "the server has no address")
	}
	var status struct {
		Modified int64 `json:"tileset_last_modified"`
	}
	if err := v.server.ask(question, &status); err != nil {
		return "", err
	}
	return strconv.FormatInt(status.Modified, 10), nil
}

// Legs requests one matrix.
func (v *Valhalla) Legs(ctx context.Context, profile Profile, from, to []Point) (Answer, error) {
	mode, class := profile.Class()
	body, err := json.Marshal(valhallaQuestion{
		Sources: valhallaPlaces(from), Targets: valhallaPlaces(to), Costing: costings[mode], Units: "kilometers",
		Options: optionsOf(mode, &class),
	})
	if err != nil {
		return Answer{}, faulty(err, "the question cannot be written")
	}
	address := v.server.base.JoinPath("sources_to_targets").String()
	question, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Answer{}, faulty(err, "the server has no address")
	}
	question.Header.Set("Content-Type", "application/json")
	var matrix valhallaMatrix
	if err := v.server.ask(question, &matrix); err != nil {
		return Answer{}, err
	}
	legs, err := matrix.legs(len(from), len(to))
	return Answer{Legs: legs}, err
}

func valhallaPlaces(points []Point) []valhallaPlace {
	places := make([]valhallaPlace, len(points))
	for i, p := range points {
		places[i] = valhallaPlace{Latitude: p.Latitude, Longitude: p.Longitude}
		if p.Curbside {
			places[i].Side = sameSide
		}
	}
	return places
}

func (m *valhallaMatrix) legs(rows, columns int) ([]routing.Leg, error) {
	if m.Units != "kilometers" {
		return nil, faulty(nil, "the matrix is in %q, not in kilometers", clipped(m.Units))
	}
	if len(m.Cells) != rows {
		return nil, faulty(nil, "the matrix has %d rows, not %d", len(m.Cells), rows)
	}
	legs := make([]routing.Leg, 0, rows*columns)
	for i, row := range m.Cells {
		if len(row) != columns {
			return nil, faulty(nil, "a row has %d columns, not %d", len(row), columns)
		}
		for j, cell := range row {
			leg, ok := cellOf(cell.Seconds, cell.Length, 1, 1000)
			if !ok || cell.From != i || cell.To != j {
				return nil, faulty(nil, "the time or distance of a leg is invalid, or it is of another pair")
			}
			legs = append(legs, leg)
		}
	}
	return legs, nil
}
