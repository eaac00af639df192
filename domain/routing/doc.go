// Package routing finds routes: which shift serves which request, and in what
// order. A request is a pickup and a delivery with time windows, a shift is a
// driver with a vehicle on a day, and a matrix holds the travel times and
// distances.
//
// It knows nothing of orders, has no clock, and uses only seeded randomness:
// the same problem, plan, seed and number of iterations always give the same
// plan. The caller decides when to stop.
//
// Check and Price evaluate a plan from the problem and the sequence of visits
// alone. They share no arithmetic with the search, and so serve as the oracle
// of its tests. Other entry points are Insert, Repair, Improve and Explain.
package routing
