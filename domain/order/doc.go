// Package order holds the rules by which orders come in and change: what an
// import request is, how its entries are judged against what is known already,
// and which moves of state are allowed. Everything in here is pure: it reads no
// clock, no database and no network, so that the contract (spec.md, "Resources
// and their fields") can be tested as tables and properties.
//
// An import reads in this order: Decode (in wire) makes entries of a body,
// NewLocations (location.go) finds which places are not known yet, and Decide
// (decide.go) turns a Snapshot and entries into a Plan that the store writes.
package order
