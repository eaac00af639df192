package order

import (
	"slices"

	"waybill/domain/fault"
)

// Code is the code of a reason (spec.md, "Import reason codes").
type Code string

// The reason codes.
const (
	CustomerNotFound          Code = "CUSTOMER_NOT_FOUND_CODE"
	VehicleTypeNotFound       Code = "VEHICLE_TYPE_NOT_FOUND_CODE"
	OrderTypeNotFound         Code = "ORDER_TYPE_NOT_FOUND_CODE"
	InvalidProduct            Code = "INVALID_PRODUCT_CODE"
	InvalidProductSkill       Code = "INVALID_PRODUCT_SKILL_CODE"
	InvalidPickupAddress      Code = "INVALID_PICKUP_ADDRESS_CODE"
	InvalidPickupTimeWindow   Code = "INVALID_PICKUP_TIMEWINDOW_CODE"
	MissingPickup             Code = "MISSING_PICKUP_CODE"
	InvalidPickupSkill        Code = "INVALID_PICKUP_SKILL_CODE"
	InvalidDeliveryAddress    Code = "INVALID_DELIVERY_ADDRESS_CODE"
	InvalidDeliveryTimeWindow Code = "INVALID_DELIVERY_TIMEWINDOW_CODE"
	MissingDelivery           Code = "MISSING_DELIVERY_CODE"
	InvalidDeliverySkill      Code = "INVALID_DELIVERY_SKILL_CODE"
	InvalidGroup              Code = "INVALID_GROUP_CODE"
	UnknownInvalidInput       Code = "UNKNOWN_INVALID_INPUT_CODE"
)

// Codes are all reason codes in the order of the contract's table, which is
// the order in which an entry's reasons are reported.
var Codes = []Code{
	CustomerNotFound, VehicleTypeNotFound, OrderTypeNotFound, InvalidProduct, InvalidProductSkill,
	InvalidPickupAddress, InvalidPickupTimeWindow, MissingPickup, InvalidPickupSkill,
	InvalidDeliveryAddress, InvalidDeliveryTimeWindow, MissingDelivery, InvalidDeliverySkill,
	InvalidGroup, UnknownInvalidInput,
}

// Reason is why an entry did not create or change an order. Field is the
// path inside the entry, such as "products[1].weight".
type Reason struct {
	Code  Code       `json:"code"`
	Field string     `json:"field"`
	Text  fault.Text `json:"text"`
}

// reasons collects the reasons against one entry: each code once, with the
// first field concerned, or all of them.
type reasons struct {
	found      []Reason
	everything bool
}

func (r *reasons) add(code Code, field string, text fault.Text) {
	known := func(reason Reason) bool { return reason.Code == code }
	switch {
	case r.everything && len(r.found) >= maxProblems, !r.everything && slices.ContainsFunc(r.found, known):
		return
	}
	r.found = append(r.found, Reason{Code: code, Field: field, Text: text})
}

// addProblems adds all problems with one code.
func (r *reasons) addProblems(code Code, problems []fault.Violation) {
	for _, p := range problems {
		r.add(code, p.Field, p.Text)
	}
}

// sorted returns the reasons in the contract's sequence, or nil.
func (r *reasons) sorted() []Reason {
	slices.SortStableFunc(r.found, func(a, b Reason) int {
		return slices.Index(Codes, a.Code) - slices.Index(Codes, b.Code)
	})
	return r.found
}

func (r *reasons) any() bool { return len(r.found) > 0 }
