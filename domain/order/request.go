package order

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/load"
)

// Request is one order as sent by a caller (spec.md, ImportOrderRequest).
// Nearly everything may be absent or invalid: Decide judges it, because the
// contract asks for a draft instead of a refusal.
type Request struct {
	ExternalID            string             `json:"externalId,omitzero"`
	Date                  string             `json:"date,omitzero"`
	Reference             string             `json:"reference,omitzero"`
	Customer              *Ref               `json:"customer,omitzero"`
	VehicleType           *Ref               `json:"vehicleType,omitzero"`
	OrderType             *Ref               `json:"orderType,omitzero"`
	Pickup                *LocationRequest   `json:"pickup,omitzero"`
	Delivery              *LocationRequest   `json:"delivery,omitzero"`
	Products              []ProductRequest   `json:"products,omitzero"`
	Groups                []Ref              `json:"groups,omitzero"`
	Pricing               []PriceRequest     `json:"pricing,omitzero"`
	InternalFreightNumber Loose              `json:"internalFreightNumber,omitzero"`
	Consignee             *Ref               `json:"consignee,omitzero"`
	Consignor             *Ref               `json:"consignor,omitzero"`
	RouteNumber           Loose              `json:"routeNumber,omitzero"`
	CustomFields          []CustomFieldValue `json:"customFields,omitzero"`
	MaxMinutesOnBoard     *int32             `json:"maxMinutesOnBoard,omitzero"`
	GoodsKinds            []string           `json:"goodsKinds,omitzero"`
	LoadAmounts           load.Amounts       `json:"loadAmounts,omitzero"`
	// LatestDate is the last day on which the order may be carried out; Date is the first.
	LatestDate string `json:"latestDate,omitzero"`

	// Days are the days of an order that is there already, for a request without LatestDate.
	// Callers cannot send them.
	Days *PossibleDays `json:"-"`
	// Unreadable are the unreadable parts of the order, which were left out of
	// it.
	Unreadable []Reason `json:"-"`
}

// Ref names a record by any of its identifiers. If there are several the
// strongest counts: id, then externalId, then name or businessName.
type Ref struct {
	ID           *int64 `json:"id,omitzero"`
	ExternalID   string `json:"externalId,omitzero"`
	Name         string `json:"name,omitzero"`
	BusinessName string `json:"businessName,omitzero"`
}

// empty reports whether the reference names nothing.
func (r *Ref) empty() bool {
	return r == nil || r.ID == nil && r.ExternalID == "" && r.Name == "" && r.BusinessName == ""
}

// AnyName returns the reference's name from any of its fields.
func (r *Ref) AnyName() string {
	if r.BusinessName != "" {
		return r.BusinessName
	}
	return r.Name
}

// label is how the caller called the record, for messages.
func (r *Ref) label() string {
	switch {
	case r.empty():
		return ""
	case r.ID != nil:
		return fmt.Sprint(*r.ID)
	case r.ExternalID != "":
		return r.ExternalID
	}
	return r.AnyName()
}

// LocationRequest is a pickup or delivery as a caller sends it (spec.md,
// LocationRequest). Timestamps are RFC 3339, clock times HH:MM in the
// organization's time zone, estimatedTimeOnLocation is minutes.
type LocationRequest struct {
	Name                          string              `json:"name,omitzero"`
	ExternalID                    string              `json:"externalId,omitzero"`
	Address                       *Address            `json:"address,omitzero"`
	Earliest                      string              `json:"earliest,omitzero"`
	Latest                        string              `json:"latest,omitzero"`
	TimeWindows                   []TimeWindowRequest `json:"timeWindows,omitzero"`
	Lateness                      *LatenessRequest    `json:"lateness,omitzero"`
	Opens                         string              `json:"opens,omitzero"`
	Closes                        string              `json:"closes,omitzero"`
	HasOpeningTimes               bool                `json:"hasOpeningTimes,omitzero"`
	OpeningHoursIsDefault         *bool               `json:"openingHoursIsDefault,omitzero"`
	EstimatedTimeOnLocation       *int32              `json:"estimatedTimeOnLocation,omitzero"`
	SendNotificationBeforeArrival *bool               `json:"sendNotificationBeforeArriving,omitzero"`
	Contacts                      []Contact           `json:"contacts,omitzero"`
	Instructions                  string              `json:"instructions,omitzero"`
	CustomerInstructions          string              `json:"customerInstructions,omitzero"`
	ParkingInstructions           string              `json:"parkingInstructions,omitzero"`
	Skills                        []SkillRequest      `json:"skills,omitzero"`
	Priority                      LocationPriority    `json:"priority,omitzero"`

	// LocationID names an existing location and overrides all other data about
	// the place. Recurring orders use it; callers cannot.
	LocationID int64 `json:"-"`
}

// Address is a postal address, or a point, or both. Country is ISO 3166-1
// alpha-2; latitude and longitude are WGS 84 degrees.
type Address struct {
	Address1   string   `json:"address1,omitzero"`
	Address2   string   `json:"address2,omitzero"`
	PostalCode string   `json:"postalCode,omitzero"`
	City       string   `json:"city,omitzero"`
	State      string   `json:"state,omitzero"`
	Country    string   `json:"country,omitzero"`
	Latitude   *float64 `json:"latitude,omitzero"`
	Longitude  *float64 `json:"longitude,omitzero"`
}

// Contact is a person at a stop.
type Contact struct {
	FirstName    string `json:"firstName,omitzero"`
	LastName     string `json:"lastName,omitzero"`
	PhoneNumber  string `json:"phoneNumber,omitzero"`
	EmailAddress string `json:"emailAddress,omitzero"`
}

// SkillRequest is a skill that a stop or product requires or prohibits.
type SkillRequest struct {
	ID   *int64    `json:"id,omitzero"`
	Name string    `json:"name,omitzero"`
	Type SkillType `json:"type,omitzero"`
}

// ProductRequest is one product line (spec.md, "Product in an import").
// Weight is in kilograms, the dimensions are in centimetres.
type ProductRequest struct {
	Name                   string         `json:"name,omitzero"`
	Quantity               *float64       `json:"quantity,omitzero"`
	Weight                 *float64       `json:"weight,omitzero"`
	Length                 *float64       `json:"length,omitzero"`
	Width                  *float64       `json:"width,omitzero"`
	Height                 *float64       `json:"height,omitzero"`
	BarcodeID              string         `json:"barcodeId,omitzero"`
	ExternalID             string         `json:"externalId,omitzero"`
	ParentExternalID       string         `json:"parentExternalId,omitzero"`
	AtomType               string         `json:"atomType,omitzero"`
	ExternalInstanceNumber string         `json:"externalInstanceNumber,omitzero"`
	Skills                 []SkillRequest `json:"skills,omitzero"`
	LoadAmounts            load.Amounts   `json:"loadAmounts,omitzero"`
}

// PriceRequest is one pricing entry; the price is a decimal and the currency
// an ISO 4217 code.
type PriceRequest struct {
	Name     string   `json:"name,omitzero"`
	Price    Loose    `json:"price,omitzero"`
	Currency string   `json:"currency,omitzero"`
	Quantity *float64 `json:"quantity,omitzero"`
}

// CustomFieldValue is the value of one custom field. Any JSON value but null
// will do. Stop is where it is set, and empty for the order as a whole.
type CustomFieldValue struct {
	ExternalID string         `json:"externalId,omitzero"`
	Value      jsontext.Value `json:"value,omitzero"`
	Stop       StopKind       `json:"stop,omitzero"`
}

// Loose is text that callers also write as a JSON number, such as a route
// number or an amount of money; the digits are kept as they were written.
type Loose string

// UnmarshalJSONFrom reads a JSON string or number.
func (l *Loose) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if kind := dec.PeekKind(); kind != '"' && kind != '0' && kind != 'n' {
		return &json.SemanticError{JSONKind: kind}
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if token.Kind() == 'n' {
		return nil
	}
	*l = Loose(token.String())
	return nil
}
