// Package routing finds routes: which shift serves which request, and in what
// order. A request is a pickup and a delivery with time windows, a shift is a
// driver with a vehicle on a day, and a matrix says how long the way is.
//
// It knows nothing of orders, has no clock and draws no chance that its caller
// did not seed: the same problem, plan, seed and number of iterations end in
// the same plan everywhere. Whoever calls it says when to stop.
//
// Check and Price judge a plan from nothing but the problem and the sequence
// of visits. They share no arithmetic with the search, and so are the oracle
// of its tests. Insert, Repair, Improve and Explain stand beside them.
package routing
