// Package recipient has the rules of what a recipient is told about a delivery, on
// the page of a tracking link and in messages.
package recipient
