package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"waybill/bench/planning/days"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// roadSeeds is the number of days of each size.
const roadSeeds = 5

// nothing is a cache that keeps nothing.
type nothing struct{}

func (nothing) LoadBlocks(context.Context, travel.Source, []travel.Cell, []travel.Cell) ([]travel.Block, error) {
	return nil, nil
}

func (nothing) SaveBlock(context.Context, travel.Source, *travel.Block) error { return nil }

// onRoad is what comes of a plan when it is driven on roads.
type onRoad struct{ late, lateMinutes, driving, drivers, left float64 }

// measureRoads plans days in the center of Oslo with the times of a server and great-circle, and has both
// plans driven on roads. Each plan gets so many processor seconds.
func measureRoads(address string, seconds float64) error {
	provider, err := travel.Open(address)
	if err != nil {
		return err
	}
	tables := travel.NewTables(provider, time.Now)
	for _, orders := range []int{100, 200, 400} {
		var roads, crow []onRoad
		for seed := range uint64(roadSeeds) {
			a, b, err := driveBoth(tables, orders, seed, seconds)
			if err != nil {
				return err
			}
			roads, crow = append(roads, a), append(crow, b)
		}
		for name, of := range map[string][]onRoad{"roads": roads, "great-circle": crow} {
			fmt.Printf("%d orders, planned with %s: late %s, minutes late %s, driving min %s, drivers %s, left over %s\n", orders, name,
				spread(of, func(o onRoad) float64 { return o.late }), spread(of, func(o onRoad) float64 { return o.lateMinutes }),
				spread(of, func(o onRoad) float64 { return o.driving }), spread(of, func(o onRoad) float64 { return o.drivers }),
				spread(of, func(o onRoad) float64 { return o.left }))
		}
	}
	return nil
}

// spread is the median, and the least and the most.
func spread(of []onRoad, value func(onRoad) float64) string {
	values := make([]float64, len(of))
	for i, o := range of {
		values[i] = value(o)
	}
	slices.Sort(values)
	return fmt.Sprintf("%.0f (%.0f to %.0f)", values[len(values)/2], values[0], values[len(values)-1])
}

func driveBoth(tables *travel.Tables, orders int, seed uint64, seconds float64) (roads, crow onRoad, err error) {
	p, points := dayInOslo(orders, seed)
	table, err := tables.Table(context.Background(), nothing{}, planning.Car, points)
	if err == nil && table.Guessed > 0 {
		err = errors.Join(fmt.Errorf("%d travel times are estimates", table.Guessed), table.Fault)
	}
	if err != nil {
		return roads, crow, err
	}
	flown, err := travel.NewTables(travel.Crow{}, time.Now).Table(context.Background(), nil, planning.Car, points)
	if err != nil {
		return roads, crow, err
	}
	onStreets(p, &table)
	var driven [2]onRoad
	for n, with := range []routing.Travel{table.Travel, flown.Travel} {
		planned := *p
		planned.Travel = []routing.Travel{with}
		result, err := routing.Improve(&planned, routing.Frozen(p), routing.Options{Seed: seed, Spent: days.Budget(seconds)})
		if err != nil {
			return roads, crow, err
		}
		on := *p
		on.Travel = []routing.Travel{table.Travel}
		driven[n] = drivenOn(&on, result.Plan)
	}
	return driven[0], driven[1], nil
}

// mostSeconds is how long a leg from or to the depot may take in a town.
const mostSeconds = 2 * 3600

// onStreets moves orders to places that no usual road leads to or from, such as on a pier, to another place.
func onStreets(p *routing.Problem, table *travel.Table) {
	last := 0
	for r := range p.Requests {
		place := &p.Requests[r].Delivery.Place
		if table.Leg(0, *place).Seconds > mostSeconds || table.Leg(*place, 0).Seconds > mostSeconds {
			*place = last
		}
		last = *place
	}
}

// drivenOn drives a plan in its sequence, however late that is.
func drivenOn(p *routing.Problem, plan routing.Plan) (o onRoad) {
	for k, visits := range plan.Routes {
		if len(visits) == 0 {
			continue
		}
		o.drivers++
		t := p.Timetable(k, visits)
		o.driving += float64(t.Driving) / 60
		for _, at := range t.Stops {
			stop := &p.Requests[at.Visit.Request()].Pickup
			if at.Visit.Delivers() {
				stop = &p.Requests[at.Visit.Request()].Delivery
			}
			if by := at.Starts - stop.Closes; by > 0 {
				o.late++
				o.lateMinutes += float64(by) / 60
			}
		}
	}
	o.left = float64(len(plan.Unplanned(len(p.Requests))))
	return o
}

// dayInOslo is a day of deliveries from one depot in the center of Oslo, two thirds of them within two hours.
func dayInOslo(orders int, seed uint64) (*routing.Problem, []travel.Point) {
	const hour, service, perShift = 3600, 240, 20
	random := rand.New(rand.NewPCG(seed, uint64(orders)))
	points := []travel.Point{{Latitude: 59.9101, Longitude: 10.7570}}
	p := &routing.Problem{Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100, Meter: 1, Waiting: 10}}
	for range orders {
		points = append(points, travel.Point{Latitude: 59.905 + random.Float64()*0.03, Longitude: 10.73 + random.Float64()*0.04})
		to := routing.Stop{Place: len(points) - 1, Opens: 8 * hour, Closes: 17 * hour, ServiceSeconds: service}
		if random.IntN(3) > 0 {
			to.Opens = int64(8+random.IntN(7)) * hour
			to.Closes = to.Opens + 2*hour
		}
		p.Requests = append(p.Requests, routing.Request{
			Pickup: routing.Stop{Closes: 17 * hour}, Delivery: to, Load: routing.Load{1}, Penalty: routing.Planned,
		})
	}
	for range orders/perShift + 2 {
		p.Shifts = append(p.Shifts, routing.Shift{
			Start: 7 * hour, End: 17 * hour, Capacity: routing.Load{60, 1, 1}, Serves: []int{0},
		})
	}
	p.Before.Routes = make([][]routing.Visit, len(p.Shifts))
	return p, points
}
