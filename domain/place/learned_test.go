package place_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
)

// ahead is a position some meters north of the town hall of Oslo.
func ahead(meters float64) place.Position {
	return place.Position{Latitude: 59.9119 + meters/111_195, Longitude: 10.7336}
}

func TestArrivalsTeachPositions(t *testing.T) {
	t.Parallel()
	known, learned := ahead(0), ahead(210)
	for name, c := range map[string]struct {
		at      []float64
		known   *place.Position
		learned *place.Position
		meters  float64 // 0 if nothing is learned
		agree   int
	}{
		"three that agree":              {[]float64{200, 210, 220}, &known, nil, 210, 3},
		"two":                           {[]float64{200, 210}, &known, nil, 0, 0},
		"near the known position":       {[]float64{90, 95, 100}, &known, nil, 0, 0},
		"one of them is near it":        {[]float64{95, 110, 120}, &known, nil, 0, 0},
		"apart from each other":         {[]float64{200, 225, 250}, &known, nil, 0, 0},
		"and one elsewhere":             {[]float64{900, 200, 210, 220}, &known, nil, 210, 3},
		"the most arrivals count":       {[]float64{900, 905, 910, 200, 205, 210, 215}, &known, nil, 207.5, 4},
		"an address that was not found": {[]float64{200, 210, 220}, nil, nil, 210, 3},
		"learned before":                {[]float64{200, 210, 220}, &known, &learned, 0, 0},
	} {
		arrivals := place.Arrivals{Known: c.known, Learned: c.learned}
		for _, meters := range c.at {
			arrivals.At = append(arrivals.At, ahead(meters))
		}
		at, agree, ok := arrivals.Learn()
		require.Equal(t, c.meters > 0, ok, name)
		require.Equal(t, c.agree, agree, name)
		if ok {
			require.InDelta(t, 0, at.Meters(ahead(c.meters)), 0.1, name)
		}
	}
}
