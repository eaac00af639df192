package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"waybill/domain/routing"
)

// instance is a published problem: one kind of vehicle, one depot, and
// unlimited vehicles.
type instance struct {
	name     string
	capacity int
	vehicles int
	nodes    []node
	// times has the exact travel times, row by row.
	times []float64
	// scale turns times into whole units.
	scale float64
}

// node is a row of the file. The first is the depot.
type node struct {
	x, y                   float64
	demand                 int
	opens, closes, service float64
	// pickup or delivery is the other end, the other of the two is 0.
	pickup, delivery int
}

// read reads either format: Sartori and Buriol's begins with a name.
func read(path string) (*instance, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read instance: %w", err)
	}
	in := &instance{name: strings.ToLower(strings.TrimSuffix(filepath.Base(path), ".txt"))}
	if strings.HasPrefix(string(text), "NAME") {
		err = in.readMinutes(string(text))
	} else {
		err = in.readPlane(strings.NewReader(string(text)))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return in, nil
}

// readPlane reads Li and Lim's format, whose travel times are the distances of
// points in a plane.
func (in *instance) readPlane(text io.Reader) error {
	r := bufio.NewReader(text)
	var speed float64
	if _, err := fmt.Fscan(r, &in.vehicles, &in.capacity, &speed); err != nil {
		return fmt.Errorf("read head: %w", err)
	}
	for {
		var id int
		var n node
		_, err := fmt.Fscan(r, &id, &n.x, &n.y, &n.demand, &n.opens, &n.closes, &n.service, &n.pickup, &n.delivery)
		if err != nil {
			break
		}
		in.nodes = append(in.nodes, n)
	}
	size := len(in.nodes)
	in.times = make([]float64, size*size)
	for a, from := range in.nodes {
		for b, to := range in.nodes {
			in.times[a*size+b] = math.Hypot(from.x-to.x, from.y-to.y)
		}
	}
	// As fine as the latest moment that a problem may name allows.
	in.scale = math.Pow(10, math.Floor(math.Log10(routing.MaxTime/in.nodes[0].closes)))
	return nil
}

// readMinutes reads Sartori and Buriol's format, whose travel times are whole
// minutes of a street map.
func (in *instance) readMinutes(text string) error {
	in.scale = 1
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, value, headed := strings.Cut(line, ":")
		switch {
		case line == "NODES" || line == "EDGES" || line == "EOF":
			section = line
		case headed && name == "CAPACITY":
			in.capacity, _ = strconv.Atoi(strings.TrimSpace(value))
		case section == "NODES":
			var id int
			var n node
			_, err := fmt.Sscan(line, &id, &n.x, &n.y, &n.demand, &n.opens, &n.closes, &n.service, &n.pickup, &n.delivery)
			if err != nil {
				return fmt.Errorf("read node: %w", err)
			}
			in.nodes = append(in.nodes, n)
		case section == "EDGES":
			for _, field := range strings.Fields(line) {
				minutes, err := strconv.ParseFloat(field, 64)
				if err != nil {
					return fmt.Errorf("read edge: %w", err)
				}
				in.times = append(in.times, minutes)
			}
		}
	}
	in.vehicles = len(in.nodes) / 2
	if len(in.times) != len(in.nodes)*len(in.nodes) {
		return fmt.Errorf("%d edges for %d nodes", len(in.times), len(in.nodes))
	}
	return nil
}

// problem rounds travel times up to whole units, so that a plan that is valid
// with them is valid with the exact ones. Vehicles cost nothing if only the
// distance counts.
func (in *instance) problem(way bool) *routing.Problem {
	size := len(in.nodes)
	p := &routing.Problem{
		Travel:    []routing.Travel{{Places: size, Legs: make([]routing.Leg, size*size)}},
		Objective: routing.Objective{Shift: routing.FewestShifts, Second: 1},
	}
	if way {
		p.Objective.Shift = 0
	}
	for i, t := range in.times {
		p.Travel[0].Legs[i].Seconds = int32(math.Ceil(t*in.scale - 1e-9))
	}
	for i, n := range in.nodes {
		if n.delivery == 0 {
			continue
		}
		p.Requests = append(p.Requests, routing.Request{
			Pickup: in.stop(i), Delivery: in.stop(n.delivery),
			Load: routing.Load{int32(n.demand)}, Penalty: routing.Planned,
		})
	}
	depot := in.nodes[0]
	for range min(in.vehicles, len(p.Requests)) {
		p.Shifts = append(p.Shifts, routing.Shift{
			Start: in.time(depot.opens), End: in.time(depot.closes), Capacity: routing.Load{int32(in.capacity)},
		})
	}
	return p
}

func (in *instance) time(t float64) int64 { return int64(math.Round(t * in.scale)) }

func (in *instance) stop(i int) routing.Stop {
	n := in.nodes[i]
	return routing.Stop{
		Place: i, Opens: in.time(n.opens), Closes: in.time(n.closes), ServiceSeconds: in.time(n.service),
	}
}

// drive simulates a plan with the exact times and returns its vehicles and its
// distance: a check that shares nothing with the engine.
func (in *instance) drive(p *routing.Problem, plan routing.Plan) (vehicles int, distance float64, err error) {
	seen := map[int]bool{}
	for _, route := range plan.Routes {
		if len(route) == 0 {
			continue
		}
		vehicles++
		length, err := in.driveRoute(p, route, seen)
		if err != nil {
			return 0, 0, err
		}
		distance += length
	}
	if missing := len(in.nodes) - 1 - len(seen); missing > 0 {
		return vehicles, distance, fmt.Errorf("%d of %d visits are missing", missing, len(in.nodes)-1)
	}
	return vehicles, distance, nil
}

const tolerance = 1e-6

func (in *instance) driveRoute(p *routing.Problem, route []routing.Visit, seen map[int]bool) (float64, error) {
	at, load, clock, length := 0, 0, in.nodes[0].opens, 0.0
	for _, v := range append(route, -1) {
		to := 0
		if v >= 0 {
			to = p.Requests[v.Request()].Pickup.Place
			if v.Delivers() {
				to = p.Requests[v.Request()].Delivery.Place
			}
		}
		n := in.nodes[to]
		leg := in.times[at*len(in.nodes)+to]
		length += leg
		clock = max(clock+leg, n.opens)
		load += n.demand
		switch {
		case clock > n.closes+tolerance:
			return 0, fmt.Errorf("late at %d by %g", to, clock-n.closes)
		case load > in.capacity:
			return 0, fmt.Errorf("overloaded at %d", to)
		case to > 0 && seen[to]:
			return 0, fmt.Errorf("%d is visited twice", to)
		case n.pickup > 0 && !seen[n.pickup]:
			return 0, fmt.Errorf("%d is delivered before it is picked up", to)
		}
		if to > 0 {
			seen[to] = true
		}
		clock += n.service
		at = to
	}
	return length, nil
}
