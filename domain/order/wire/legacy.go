package wire

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/load"
	"waybill/domain/order"
)

// DecodeLegacy reads the body of the legacy imports (spec.md, "Versioning"):
// snake_case, with customer, order_type and vehicle_type for orders that lack
// their own. It returns what Decode returns for the same in the present form,
// rejects what Decode rejects, and names fields as they were written.
func DecodeLegacy(r io.Reader) (Body, error) { return decode(r, legacy) }

var legacy = format{
	customer: "customer", vehicleType: "vehicle_type", orderType: "order_type",
	entry: newLegacyEntry, reference: readLegacyRef,
}

func newLegacyEntry(e *entries, raw jsontext.Value, at string) (Entry, error) {
	const number = "internal_order_number"
	var request legacyOrder
	unreadable, err := e.read(raw, at, number, &request)
	if err != nil {
		return Entry{}, err
	}
	if len(unreadable) > 0 {
		mended := request.request()
		return unreadableEntry(&mended, unreadable, number)
	}
	present, err := json.Marshal(request.request())
	return Entry{ExternalID: request.InternalOrderNumber, Raw: present}, err
}

func readLegacyRef(f *findings, raw jsontext.Value, at string) (*order.Ref, error) {
	var ref *legacyRef
	err := f.read(raw, at, &ref)
	return (*order.Ref)(ref), err
}

// legacyOrder is one order as the legacy imports write it.
type legacyOrder struct {
	InternalOrderNumber   string              `json:"internal_order_number"`
	Date                  string              `json:"date"`
	Reference             string              `json:"reference"`
	Customer              *legacyRef          `json:"customer"`
	VehicleType           *legacyRef          `json:"vehicle_type"`
	OrderType             *legacyRef          `json:"order_type"`
	Pickup                *legacyLocation     `json:"pickup"`
	Delivery              *legacyLocation     `json:"delivery"`
	Products              []legacyProduct     `json:"products"`
	Groups                []legacyRef         `json:"groups"`
	InternalFreightNumber order.Loose         `json:"internal_freight_number"`
	Consignee             *legacyRef          `json:"consignee"`
	Consignor             *legacyRef          `json:"consignor"`
	RouteNumber           order.Loose         `json:"route_number"`
	CustomFields          []legacyCustomField `json:"custom_fields"`
	MaxMinutesOnBoard     *int32              `json:"max_minutes_on_board"`
	LatestDate            string              `json:"latest_date"`
	GoodsKinds            []string            `json:"goods_kinds"`
	LoadAmounts           load.Amounts        `json:"load_amounts"`
}

// The fields have the same order as in their counterparts, so that the
// types can be converted.
type (
	legacyRef struct {
		ID           *int64 `json:"id"`
		ExternalID   string `json:"external_id"`
		Name         string `json:"name"`
		BusinessName string `json:"business_name"`
	}
	legacyAddress struct {
		Address1   string   `json:"address1"`
		Address2   string   `json:"address2"`
		PostalCode string   `json:"postal_code"`
		City       string   `json:"city"`
		State      string   `json:"state"`
		Country    string   `json:"country"`
		Latitude   *float64 `json:"latitude"`
		Longitude  *float64 `json:"longitude"`
	}
	legacyContact struct {
		FirstName    string `json:"first_name"`
		LastName     string `json:"last_name"`
		PhoneNumber  string `json:"phone_number"`
		EmailAddress string `json:"email_address"`
	}
	legacyLateness struct {
		MaxMinutes     *int32   `json:"max_minutes"`
		PricePerMinute *float64 `json:"price_per_minute"`
	}
	legacyCustomField struct {
		ExternalID string         `json:"external_id"`
		Value      jsontext.Value `json:"value"`
		Stop       order.StopKind `json:"stop"`
	}
)

type legacyLocation struct {
	Name                          string                    `json:"name"`
	ExternalID                    string                    `json:"external_id"`
	Address                       *legacyAddress            `json:"address"`
	Earliest                      string                    `json:"earliest"`
	Latest                        string                    `json:"latest"`
	TimeWindows                   []order.TimeWindowRequest `json:"time_windows"`
	Lateness                      *legacyLateness           `json:"lateness"`
	Opens                         string                    `json:"opens"`
	Closes                        string                    `json:"closes"`
	HasOpeningTimes               bool                      `json:"has_opening_times"`
	OpeningHoursIsDefault         *bool                     `json:"opening_hours_is_default"`
	EstimatedTimeOnLocation       *int32                    `json:"estimated_time_on_location"`
	SendNotificationBeforeArrival *bool                     `json:"send_notification_before_arriving"`
	Contacts                      []legacyContact           `json:"contacts"`
	Instructions                  string                    `json:"instructions"`
	CustomerInstructions          string                    `json:"customer_instructions"`
	ParkingInstructions           string                    `json:"parking_instructions"`
	Skills                        []order.SkillRequest      `json:"skills"`
	Priority                      order.LocationPriority    `json:"priority"`
}

type legacyProduct struct {
	Name                   string               `json:"name"`
	Quantity               *float64             `json:"quantity"`
	Weight                 *float64             `json:"weight"`
	Length                 *float64             `json:"length"`
	Width                  *float64             `json:"width"`
	Height                 *float64             `json:"height"`
	BarcodeID              string               `json:"barcode_id"`
	ExternalID             string               `json:"external_id"`
	ParentExternalID       string               `json:"parent_external_id"`
	AtomType               string               `json:"atom_type"`
	ExternalInstanceNumber string               `json:"external_instance_number"`
	Skills                 []order.SkillRequest `json:"skills"`
	LoadAmounts            load.Amounts         `json:"load_amounts"`
}

// request is the order in the present form.
func (o *legacyOrder) request() order.Request {
	return order.Request{
		ExternalID: o.InternalOrderNumber, Date: o.Date, Reference: o.Reference,
		Customer: (*order.Ref)(o.Customer), VehicleType: (*order.Ref)(o.VehicleType), OrderType: (*order.Ref)(o.OrderType),
		Pickup: o.Pickup.request(), Delivery: o.Delivery.request(),
		Products: each(o.Products, func(p legacyProduct) order.ProductRequest {
			return order.ProductRequest(p)
		}),
		Groups:                each(o.Groups, func(r legacyRef) order.Ref { return order.Ref(r) }),
		InternalFreightNumber: o.InternalFreightNumber,
		Consignee:             (*order.Ref)(o.Consignee), Consignor: (*order.Ref)(o.Consignor), RouteNumber: o.RouteNumber,
		CustomFields: each(o.CustomFields, func(f legacyCustomField) order.CustomFieldValue {
			return order.CustomFieldValue(f)
		}),
		MaxMinutesOnBoard: o.MaxMinutesOnBoard, GoodsKinds: o.GoodsKinds, LoadAmounts: o.LoadAmounts,
		LatestDate: o.LatestDate,
	}
}

func (l *legacyLocation) request() *order.LocationRequest {
	if l == nil {
		return nil
	}
	return &order.LocationRequest{
		Name: l.Name, ExternalID: l.ExternalID, Address: (*order.Address)(l.Address), Earliest: l.Earliest, Latest: l.Latest,
		TimeWindows: l.TimeWindows, Lateness: (*order.LatenessRequest)(l.Lateness),
		Opens: l.Opens, Closes: l.Closes,
		HasOpeningTimes: l.HasOpeningTimes, OpeningHoursIsDefault: l.OpeningHoursIsDefault,
		EstimatedTimeOnLocation: l.EstimatedTimeOnLocation, SendNotificationBeforeArrival: l.SendNotificationBeforeArrival,
		Contacts:     each(l.Contacts, func(c legacyContact) order.Contact { return order.Contact(c) }),
		Instructions: l.Instructions, CustomerInstructions: l.CustomerInstructions,
		ParkingInstructions: l.ParkingInstructions, Skills: l.Skills, Priority: l.Priority,
	}
}

// each turns the elements of a list; a list that was left out stays so.
func each[From, To any](list []From, turn func(From) To) []To {
	if list == nil {
		return nil
	}
	out := make([]To, len(list))
	for i, element := range list {
		out[i] = turn(element)
	}
	return out
}
