// Package order has the rules by which orders are created and changed: the form
// of an import request, how its entries are checked against stored data, and
// the permitted changes of state. It is pure: it reads no clock, no database
// and no network, so the contract (spec.md, "Resources and their fields") can
// be tested with tables and properties.
//
// An import takes these steps: Decode (in wire) parses a body into entries,
// NewLocations (location.go) finds the unknown locations, and Decide
// (decide.go) turns a Snapshot and entries into a Plan that the store writes.
package order
