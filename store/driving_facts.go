package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// fact is a fact in the database's form.
type fact struct {
	ID, Type, Undoes, Reason string
	Stop                     order.StopKind
	Driver                   int64
	At, Clock                time.Time
	To                       order.Status
	Corrects                 bool
	Products                 []driving.Product
	Nothing                  bool
	Scans                    []driving.Barcode
}

func readFacts(text json.RawMessage) (facts []fact, err error) {
	if err = json.Unmarshal(text, &facts); err != nil {
		err = fmt.Errorf("facts of an order: %w", err)
	}
	return facts, err
}

// newHistory collects an order's facts. Until a driver begins, they include the
// assigned driver.
func newHistory(begun bool, given, driver int64, facts []fact) driving.History {
	h := driving.History{GivenTo: driver}
	if begun {
		h.GivenTo = given
	}
	for _, f := range facts {
		if driving.Deed(f.Type) == driving.Scan {
			continue
		}
		h.Facts = append(h.Facts, driving.Fact{
			ID: f.ID, Deed: driving.Deed(f.Type), At: f.At, Clock: f.Clock, DriverID: f.Driver, Stop: f.Stop, To: f.To,
			Corrects: f.Corrects, Undoes: f.Undoes, Reason: f.Reason, Products: f.Products,
			Nothing: f.Nothing,
		})
	}
	return h
}

// scansAt are the scans at a stop, the earliest first.
func scansAt(stop order.StopKind, facts []fact) (scans []driving.Barcode) {
	slices.SortStableFunc(facts, func(a, b fact) int { return a.At.Compare(b.At) })
	for _, f := range facts {
		if driving.Deed(f.Type) == driving.Scan && f.Stop == stop {
			scans = append(scans, f.Scans...)
		}
	}
	return scans
}
