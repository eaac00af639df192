package travel

import (
	"slices"

	"waybill/domain/routing"
)

// calibration learns how much shorter than its estimate a leg can be. A bound made with it is above
// the real time of about one leg in fifty.
type calibration struct {
	// counts has the ratios of real times to estimates, by length of the leg.
	counts [len(lengths) + 1][ratios]int32
	sums   [len(lengths) + 1]int32
}

const (
	// ratios are so many steps of a sixteenth.
	ratios, ratioStep = 64, 16
	// fewest is how many legs are needed to learn from them.
	fewest = 200
	// tooLow is the share of legs that may be shorter than their bound: one in so many.
	tooLow = 50
	// unlearned is the ratio that holds before anything was learned.
	unlearned = 0.25
	// sampled is how many legs of a block are looked at.
	sampled = 4000
)

// lengths in meters are those between which ratios differ: on short legs, one-way streets and
// detours make more of a difference.
var lengths = [...]int32{600, 1500, 4000, 12_000, 50_000}

func lengthOf(flight routing.Leg) int {
	n, _ := slices.BinarySearch(lengths[:], flight.Meters)
	return n
}

// learn counts the legs of a block from and to cells, of which a few suffice.
func (c *calibration) learn(k *known, from, to []int, legs []routing.Leg) {
	step := max(1, len(legs)/sampled) | 1
	for n := 0; n < len(legs); n += step {
		a, b, leg := from[n/len(to)], to[n%len(to)], legs[n]
		if a < 0 || b < 0 || a == b || leg.Seconds == routing.Unreachable {
			continue
		}
		flight := flight("", k.points[a], k.points[b])
		if flight.Seconds == 0 {
			continue
		}
		class := lengthOf(flight)
		c.counts[class][min(int(leg.Seconds)*ratioStep/int(flight.Seconds), ratios-1)]++
		c.sums[class]++
	}
}

// factors returns by how much estimates are to be shortened, by length of the leg.
func (c *calibration) factors() (factors [len(lengths) + 1]float64) {
	for class := range factors {
		factors[class] = unlearned
		if c.sums[class] < fewest {
			continue
		}
		below := int32(0)
		for ratio, count := range c.counts[class] {
			if below += count; below > c.sums[class]/tooLow {
				factors[class] = float64(ratio) / ratioStep
				break
			}
		}
	}
	return factors
}

// bound shortens an estimate.
func bound(flight routing.Leg, factors *[len(lengths) + 1]float64) routing.Leg {
	factor := factors[lengthOf(flight)]
	return routing.Leg{
		Seconds: int32(factor * float64(flight.Seconds)), Meters: int32(float64(flight.Meters) / roadFactor),
	}
}
