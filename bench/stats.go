package main

import (
	"slices"
	"time"
)

// median is the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// pairs are measurements that were taken in turns.
type pairs struct {
	ours, bare []float64
}

func (p *pairs) add(ours, bare float64) {
	p.ours = append(p.ours, ours)
	p.bare = append(p.bare, bare)
}

// quotients divides each pair, so that disturbances of both sides of one pair
// cancel out.
func (p *pairs) quotients(divide func(ours, bare float64) float64) []float64 {
	all := make([]float64, len(p.ours))
	for i := range p.ours {
		all[i] = divide(p.ours[i], p.bare[i])
	}
	return all
}

func oursByBare(ours, bare float64) float64 { return ours / bare }
func bareByOurs(ours, bare float64) float64 { return bare / ours }

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// timed returns how long work takes, in milliseconds.
func timed(work func() error) (float64, error) {
	start := time.Now()
	err := work()
	return milliseconds(time.Since(start)), err
}
