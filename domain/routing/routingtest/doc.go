// Package routingtest builds problems for tests and measurements: small ones
// with every feature, and realistic days.
package routingtest
