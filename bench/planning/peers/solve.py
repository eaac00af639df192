"""Solves Li and Lim's problems with other engines, for the shortest way.

    python3 -m venv peers && peers/bin/pip install pyvrp pyvroom ortools
    peers/bin/python bench/planning/peers/solve.py {pyvrp|vroom|ortools} SECONDS FILE...

Seconds are those of the processor, on one core; VROOM has no budget of that
kind and stops by itself. Times are rounded up to whole units as for our own
engine, and every plan is driven again with the exact ones. The engines are
measuring sticks: nothing of them is part of the product.
"""

import datetime
import math
import os
import sys
import time

SCALE = 1000


class Problem:
    def __init__(self, path):
        rows = [[float(x) for x in line.split()] for line in open(path) if line.strip()]
        self.name = os.path.basename(path).removesuffix(".txt").lower()
        self.vehicles, self.capacity = int(rows[0][0]), int(rows[0][1])
        self.x, self.y = [r[1] for r in rows[1:]], [r[2] for r in rows[1:]]
        self.demand = [int(r[3]) for r in rows[1:]]
        self.opens, self.closes, self.service = ([int(r[c]) for r in rows[1:]] for c in (4, 5, 6))
        self.pairs = [(i, int(r[8])) for i, r in enumerate(rows[1:]) if r[8] > 0]
        size = range(len(self.x))
        self.exact = [[math.hypot(self.x[a] - self.x[b], self.y[a] - self.y[b]) for b in size] for a in size]
        self.times = [[math.ceil(t * SCALE - 1e-9) for t in row] for row in self.exact]

    def drive(self, routes):
        """Returns the length of the way, and fails where a route does not hold."""
        length, seen = 0.0, set()
        for route in routes:
            at, clock, load = 0, float(self.opens[0]), 0
            for to in [*route, 0]:
                length += self.exact[at][to]
                clock = max(clock + self.exact[at][to], self.opens[to])
                load += self.demand[to]
                assert clock <= self.closes[to] + 1e-6 and load <= self.capacity, (self.name, to)
                clock += self.service[to]
                seen.add(to)
                at = to
            for pickup, delivery in self.pairs:
                assert (pickup in route) == (delivery in route)
                assert pickup not in route or route.index(pickup) < route.index(delivery)
        assert len(seen) == len(self.x), f"{self.name}: {len(self.x) - len(seen)} visits are missing"
        return length


def pyvrp(p, seconds):
    import pyvrp

    model = pyvrp.Model()
    places = [model.add_location(x, y) for x, y in zip(p.x, p.y)]
    depot = model.add_depot(places[0])
    model.add_vehicle_type(
        p.vehicles, p.capacity, depot, depot, tw_early=p.opens[0] * SCALE, tw_late=p.closes[0] * SCALE)
    for a, b in p.pairs:
        model.add_shipment(
            places[a], places[b], p.opens[a] * SCALE, p.closes[a] * SCALE, p.service[a] * SCALE,
            p.opens[b] * SCALE, p.closes[b] * SCALE, p.service[b] * SCALE, p.demand[a])
    for a, row in enumerate(p.times):
        for b, t in enumerate(row):
            model.add_edge(places[a], places[b], distance=t, duration=t)
    end = time.process_time() + seconds
    best = model.solve(lambda cost: time.process_time() > end, seed=1, display=False, collect_stats=False).best
    return [
        [p.pairs[visit.idx][int(visit.is_delivery())] for visit in route.schedule() if visit.is_shipment()]
        for route in best.routes()]


def vroom(p, _):
    import numpy
    import vroom

    model = vroom.Input()
    matrix = numpy.array(p.times, dtype=numpy.uint32)
    model.set_durations_matrix("car", matrix)
    model.set_costs_matrix("car", matrix)

    def step(i):
        window = vroom.TimeWindow(p.opens[i] * SCALE, p.closes[i] * SCALE)
        return vroom.ShipmentStep(i, i, default_service=p.service[i] * SCALE, time_windows=[window])

    for a, b in p.pairs:
        model.add_shipment(step(a), step(b), vroom.Amount([p.demand[a]]))
    day = vroom.TimeWindow(p.opens[0] * SCALE, p.closes[0] * SCALE)
    model.add_vehicle([
        vroom.Vehicle(k + 1, 0, 0, capacity=[p.capacity], time_window=day) for k in range(min(p.vehicles, len(p.pairs)))])
    steps = model.solve(exploration_level=5, nb_threads=1).routes
    steps = steps[steps["type"].isin(["pickup", "delivery"])]
    return [[int(i) for i in group["id"]] for _, group in steps.groupby("vehicle_id")]


def ortools(p, seconds):
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    manager = pywrapcp.RoutingIndexManager(len(p.x), min(p.vehicles, len(p.pairs)), 0)
    model = pywrapcp.RoutingModel(manager)
    node = manager.IndexToNode
    way = model.RegisterTransitCallback(lambda a, b: p.times[node(a)][node(b)])
    took = model.RegisterTransitCallback(lambda a, b: p.times[node(a)][node(b)] + p.service[node(a)] * SCALE)
    load = model.RegisterUnaryTransitCallback(lambda a: p.demand[node(a)])
    model.SetArcCostEvaluatorOfAllVehicles(way)
    model.AddDimension(took, p.closes[0] * SCALE, p.closes[0] * SCALE, False, "time")
    model.AddDimension(load, 0, p.capacity, True, "load")
    clock = model.GetDimensionOrDie("time")
    for a, b in p.pairs:
        x, y = manager.NodeToIndex(a), manager.NodeToIndex(b)
        model.AddPickupAndDelivery(x, y)
        model.solver().Add(model.VehicleVar(x) == model.VehicleVar(y))
        model.solver().Add(clock.CumulVar(x) <= clock.CumulVar(y))
        for i, at in ((a, x), (b, y)):
            clock.CumulVar(at).SetRange(p.opens[i] * SCALE, p.closes[i] * SCALE)
    settings = pywrapcp.DefaultRoutingSearchParameters()
    settings.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    settings.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    settings.time_limit.FromTimedelta(datetime.timedelta(seconds=60 * seconds))
    end = time.process_time() + seconds
    model.AddSearchMonitor(model.solver().CustomLimit(lambda: time.process_time() > end))
    plan = model.SolveWithParameters(settings)
    routes = []
    for k in range(model.vehicles()):
        at, visits = plan.Value(model.NextVar(model.Start(k))), []
        while not model.IsEnd(at):
            visits.append(node(at))
            at = plan.Value(model.NextVar(at))
        if visits:
            routes.append(visits)
    return routes


def main():
    engine, seconds = {"pyvrp": pyvrp, "vroom": vroom, "ortools": ortools}[sys.argv[1]], float(sys.argv[2])
    for path in sys.argv[3:]:
        p = Problem(path)
        start = time.process_time()
        routes = engine(p, seconds)
        took = time.process_time() - start
        print(f"{p.name:12} {sys.argv[1]:8} {len(routes):4} {p.drive(routes):10.2f} {took:7.1f} s", flush=True)


if __name__ == "__main__":
    main()
