// Package routingtest makes problems for tests and measurements: small ones
// with everything that a problem may have, and days as they are in practice.
package routingtest
