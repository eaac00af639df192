// Package overview computes the columns of order tables, and sums of orders.
package overview

import (
	"time"

	"waybill/domain/freight"
	"waybill/domain/order"
)

// Order is an order as a row of a table.
type Order struct {
	ID, Serial  int64
	Numbers     []string // those that lead to it
	Status      order.Status
	Date        time.Time
	Reference   *string
	Customer    Name
	OrderType   Name
	VehicleType Name
	Department  *Name
	Driver      *Name
	// Pickup and Delivery are nil where the order has no such stop.
	Pickup, Delivery *Stop
	Load             freight.Load
	// Unplanned is how planning left it over; empty where it did not.
	Unplanned         string
	Locked, Exception bool
}

// Name is something that an order refers to.
type Name struct {
	ID   int64
	Name string
}

// Stop is a stop with its planned and actual times.
type Stop struct {
	Name                       string
	Address1, PostalCode, City *string
	Earliest, Latest           time.Time
	Status                     string
	// ETA is when service begins, by current knowledge.
	ETA, ArrivedAt, EndedAt *time.Time
}

// Flag is something that is the matter with an order.
type Flag string

// The flags of orders.
const (
	Late        Flag = "LATE"
	Unplanned   Flag = "UNPLANNED"
	Unplannable Flag = "UNPLANNABLE"
	Exception   Flag = "EXCEPTION"
	Locked      Flag = "LOCKED"
	Merged      Flag = "MERGED"
)

// Flags returns the order's problems.
func (o *Order) Flags(now time.Time) []Flag {
	flags := []Flag{}
	for _, f := range []struct {
		holds bool
		flag  Flag
	}{
		{o.IsLate(now), Late},
		{o.Unplanned == string(Unplanned), Unplanned},
		{o.Unplanned == string(Unplannable), Unplannable},
		{o.Exception, Exception},
		{o.Locked, Locked},
		{len(o.Numbers) > 1, Merged},
	} {
		if f.holds {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// IsLate reports whether one of the order's stops is late.
func (o *Order) IsLate(now time.Time) bool {
	return o.StopIsLate(o.Pickup, now) || o.StopIsLate(o.Delivery, now)
}

// StopIsLate reports whether the driver arrived at a stop after its window. An
// open stop that has not been reached is late as soon as service cannot begin on
// time.
func (o *Order) StopIsLate(s *Stop, now time.Time) bool {
	switch {
	case s == nil || o.Status == order.Cancelled:
		return false
	case s.ArrivedAt != nil:
		return s.ArrivedAt.After(s.Latest)
	case s.EndedAt != nil:
		return s.EndedAt.After(s.Latest)
	case !o.Status.Active():
		return false
	}
	return now.After(s.Latest) || s.ETA != nil && s.ETA.After(s.Latest)
}
