package order_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

var long = strings.Repeat("x", 256)

func TestProblemsOfAnEntryAreReported(t *testing.T) {
	t.Parallel()
	type change = func(*order.Request)
	for name, c := range map[string]struct {
		change change
		code   order.Code
		field  string
		text   string
	}{
		"NoCustomer": {
			func(r *order.Request) { r.Customer = nil }, order.CustomerNotFound, "customer", "customer.missing",
		},
		"AnEmptyCustomer": {
			func(r *order.Request) { r.Customer = &order.Ref{} }, order.CustomerNotFound, "customer", "customer.missing",
		},
		"AnUnknownCustomer": {
			func(r *order.Request) { r.Customer = &order.Ref{ExternalID: "?"} },
			order.CustomerNotFound, "customer", "customer.not_found",
		},
		"AnUnknownConsignee": {
			func(r *order.Request) { r.Consignee = &order.Ref{Name: "?"} },
			order.CustomerNotFound, "consignee", "customer.not_found",
		},
		"AnUnknownConsignor": {
			func(r *order.Request) { r.Consignor = &order.Ref{ID: ptr(int64(99))} },
			order.CustomerNotFound, "consignor", "customer.not_found",
		},
		"NoVehicleType": {
			func(r *order.Request) { r.VehicleType = nil }, order.VehicleTypeNotFound, "vehicleType", "vehicle_type.missing",
		},
		"AnUnknownVehicle": {
			func(r *order.Request) { r.VehicleType = &order.Ref{ID: ptr(int64(9))} },
			order.VehicleTypeNotFound, "vehicleType", "vehicle_type.not_found",
		},
		"NoProductParent": {
			func(r *order.Request) { r.Products[0].ParentExternalID = "?" },
			order.InvalidProduct, "products[0].parentExternalId", "product.no_parent",
		},
		"AProductInItself": {
			func(r *order.Request) { r.Products[0].ParentExternalID = "A-1" },
			order.InvalidProduct, "products[0].parentExternalId", "product.cycle",
		},
		"ANegativeWeight": {
			func(r *order.Request) { r.Products[0].Weight = ptr(-1.0) },
			order.InvalidProduct, "products[0].weight", "field.number_range",
		},
		"AHugeQuantity": {
			func(r *order.Request) { r.Products[0].Quantity = ptr(1e9) },
			order.InvalidProduct, "products[0].quantity", "field.number_range",
		},
		"ALongBarcode": {
			func(r *order.Request) { r.Products[0].BarcodeID = long },
			order.InvalidProduct, "products[0].barcodeId", "field.too_long",
		},
		"ALongInstanceNumber": {
			func(r *order.Request) { r.Products[0].ExternalInstanceNumber = long },
			order.InvalidProduct, "products[0].externalInstanceNumber", "field.too_long",
		},
		"AnUnknownAtomType": {
			func(r *order.Request) { r.Products[0].AtomType = "pallet" },
			order.InvalidProduct, "products[0].atomType", "request.not_one_of",
		},
		"TooManyProducts": {
			func(r *order.Request) { r.Products = make([]order.ProductRequest, 5001) },
			order.InvalidProduct, "products", "field.too_many",
		},
		"AnUnknownProductSkill": {
			func(r *order.Request) { r.Products[0].Skills = []order.SkillRequest{{Name: "Fly"}} },
			order.InvalidProductSkill, "products[0].skills[0]", "skill.not_found",
		},
		"ANamelessProductSkill": {
			func(r *order.Request) { r.Products[0].Skills = []order.SkillRequest{{}} },
			order.InvalidProductSkill, "products[0].skills[0]", "skill.missing",
		},
		"NoPickup": {func(r *order.Request) { r.Pickup = nil }, order.MissingPickup, "pickup", "stop.missing"},
		"NoPickupAddress": {
			func(r *order.Request) { r.Pickup.Address = nil }, order.InvalidPickupAddress, "pickup.address", "address.missing",
		},
		"NoPickupStreet": {
			func(r *order.Request) { r.Pickup.Address.Address1 = "" },
			order.InvalidPickupAddress, "pickup.address", "address.incomplete",
		},
		"ALongPlaceName": {
			func(r *order.Request) { r.Pickup.Name = long }, order.InvalidPickupAddress, "pickup.name", "field.too_long",
		},
		"ALongPlaceNumber": {
			func(r *order.Request) { r.Pickup.ExternalID = long },
			order.InvalidPickupAddress, "pickup.externalId", "field.too_long",
		},
		"AReversedPickup": {
			fixed(order.Pickup, "2026-06-15T12:00:00Z", "2026-06-15T10:00:00Z"),
			order.InvalidPickupTimeWindow, "pickup", "stop.window_reversed",
		},
		"AnEmptyPickup": {
			fixed(order.Pickup, "2026-06-15T12:00:00Z", "2026-06-15T14:00:00+02:00"),
			order.InvalidPickupTimeWindow, "pickup", "stop.window_reversed",
		},
		"AnUnreadablePickup": {
			fixed(order.Pickup, "2026-06-15 12:00", "2026-06-15T14:00:00Z"),
			order.InvalidPickupTimeWindow, "pickup", "stop.bad_timestamp",
		},
		"AnAncientPickup": {
			fixed(order.Pickup, "0026-06-15T12:00:00Z", "2026-06-15T14:00:00Z"),
			order.InvalidPickupTimeWindow, "pickup", "stop.bad_timestamp",
		},
		"AnUnknownPickupSkill": {
			func(r *order.Request) { r.Pickup.Skills = []order.SkillRequest{{ID: ptr(int64(9))}} },
			order.InvalidPickupSkill, "pickup.skills[0]", "skill.not_found",
		},
		"ASkillOfNoType": {
			func(r *order.Request) { r.Pickup.Skills = []order.SkillRequest{{Name: "Cold", Type: "MAYBE"}} },
			order.InvalidPickupSkill, "pickup.skills[0].type", "request.not_one_of",
		},
		"ASkillOfTwoTypes": {func(r *order.Request) {
			r.Delivery.Skills = []order.SkillRequest{{Name: "Cold"}, {Name: "cold", Type: order.SkillProhibited}}
		}, order.InvalidDeliverySkill, "delivery.skills[1]", "skill.contradiction"},
		"NoDelivery": {
			func(r *order.Request) { r.Delivery = nil }, order.MissingDelivery, "delivery", "stop.missing",
		},
		"ACountryThatIsGone": {
			func(r *order.Request) { r.Delivery.Address.Country = "YU" },
			order.InvalidDeliveryAddress, "delivery.address.country", "address.bad_country",
		},
		"ACountryOfThreeLetters": {
			func(r *order.Request) { r.Pickup.Address.Country = "NOR" },
			order.InvalidPickupAddress, "pickup.address.country", "address.bad_country",
		},
		"ALongCity": {
			func(r *order.Request) { r.Delivery.Address.City = long },
			order.InvalidDeliveryAddress, "delivery.address.city", "field.too_long",
		},
		"ALatitudeOutOfRange": {
			func(r *order.Request) { r.Delivery.Address.Latitude = ptr(90.1) },
			order.InvalidDeliveryAddress, "delivery.address.latitude", "address.bad_latitude",
		},
		"ALatitudeAlone": {
			func(r *order.Request) { r.Delivery.Address.Latitude = ptr(60.0) },
			order.InvalidDeliveryAddress, "delivery.address.longitude", "address.bad_longitude",
		},
		"ALongitudeAlone": {
			func(r *order.Request) { r.Delivery.Address.Longitude = ptr(10.0) },
			order.InvalidDeliveryAddress, "delivery.address.latitude", "address.bad_latitude",
		},
		"AReversedDelivery": {
			fixed(order.Delivery, "2026-06-15T12:00:00Z", "2026-06-15T10:00:00Z"),
			order.InvalidDeliveryTimeWindow, "delivery", "stop.window_reversed",
		},
		"AnUnknownDeliverySkill": {
			func(r *order.Request) { r.Delivery.Skills = []order.SkillRequest{{Name: "Fly"}} },
			order.InvalidDeliverySkill, "delivery.skills[0]", "skill.not_found",
		},
		"AnUnknownGroup": {
			func(r *order.Request) { r.Groups = []order.Ref{{Name: "Morning"}, {Name: "?"}} },
			order.InvalidGroup, "groups[1]", "group.not_found",
		},
		"ANamelessGroup": {
			func(r *order.Request) { r.Groups = []order.Ref{{}} }, order.InvalidGroup, "groups[0]", "group.missing",
		},
		"NoExternalID": {
			func(r *order.Request) { r.ExternalID = "" }, order.UnknownInvalidInput, "externalId", "external_id.missing",
		},
		"ALongExternalID": {
			func(r *order.Request) { r.ExternalID = long }, order.UnknownInvalidInput, "externalId", "field.too_long",
		},
		"NoDate": {func(r *order.Request) { r.Date = "" }, order.UnknownInvalidInput, "date", "date.missing"},
		"ADateThatIsNone": {
			func(r *order.Request) { r.Date = "2026-02-30" }, order.UnknownInvalidInput, "date", "date.bad",
		},
		"ATimestampAsDate": {
			func(r *order.Request) { r.Date = "2026-06-15T00:00:00Z" }, order.UnknownInvalidInput, "date", "date.bad",
		},
		"AnAncientDate": {
			func(r *order.Request) { r.Date = "0001-01-01" }, order.UnknownInvalidInput, "date", "date.bad",
		},
		"ALongReference": {
			func(r *order.Request) { r.Reference = long }, order.UnknownInvalidInput, "reference", "field.too_long",
		},
		"ALongRoute": {
			func(r *order.Request) { r.RouteNumber = order.Loose(long) },
			order.UnknownInvalidInput, "routeNumber", "field.too_long",
		},
		"LongInstructions": {
			func(r *order.Request) { r.Pickup.ParkingInstructions = strings.Repeat("x", 10_001) },
			order.UnknownInvalidInput, "pickup.parkingInstructions", "field.too_long",
		},
		"ALongContact": {
			func(r *order.Request) { r.Delivery.Contacts = []order.Contact{{}, {LastName: long}} },
			order.UnknownInvalidInput, "delivery.contacts[1]", "field.too_long",
		},
		"TooManyContacts": {
			func(r *order.Request) { r.Delivery.Contacts = make([]order.Contact, 101) },
			order.UnknownInvalidInput, "delivery.contacts", "field.too_many",
		},
		"ANegativeServiceTime": {
			func(r *order.Request) { r.Pickup.EstimatedTimeOnLocation = ptr(int32(-1)) },
			order.UnknownInvalidInput, "pickup.estimatedTimeOnLocation", "stop.bad_service_time",
		},
		"AnUnknownPriority": {
			func(r *order.Request) { r.Pickup.Priority = "HIGH" },
			order.UnknownInvalidInput, "pickup.priority", "request.not_one_of",
		},
		"ANameAsPrice": {
			func(r *order.Request) { r.Pricing = []order.PriceRequest{{Price: "free", Currency: "NOK"}} },
			order.UnknownInvalidInput, "pricing[0].price", "price.bad_amount",
		},
		"ALowercaseCurrency": {
			func(r *order.Request) { r.Pricing = []order.PriceRequest{{Price: "1", Currency: "nok"}} },
			order.UnknownInvalidInput, "pricing[0].currency", "price.bad_currency",
		},
		"ANegativePriceQuantity": {func(r *order.Request) {
			r.Pricing = []order.PriceRequest{{Price: "1", Currency: "NOK", Quantity: ptr(-1.0)}}
		}, order.UnknownInvalidInput, "pricing[0].quantity", "field.number_range"},
		"ALongPriceName": {
			func(r *order.Request) { r.Pricing = []order.PriceRequest{{Name: long, Price: "1", Currency: "NOK"}} },
			order.UnknownInvalidInput, "pricing[0].name", "field.too_long",
		},
		"AnUnknownCustomField": {
			field("?", "1"), order.UnknownInvalidInput, "customFields[0].externalId", "custom_field.not_found",
		},
		"ANullCustomField": {
			field("floor", "null"), order.UnknownInvalidInput, "customFields[0].value", "custom_field.no_value",
		},
		"AnAbsentCustomField": {
			field("floor", ""), order.UnknownInvalidInput, "customFields[0].value", "custom_field.no_value",
		},
		"ACustomFieldOfNoStop": {
			func(r *order.Request) {
				r.CustomFields = []order.CustomFieldValue{{ExternalID: "floor", Value: []byte("1"), Stop: "gate"}}
			},
			order.UnknownInvalidInput, "customFields[0].stop", "custom_field.bad_stop",
		},
		"ALongCustomField": {
			field("floor", `"`+strings.Repeat("x", 10_000)+`"`),
			order.UnknownInvalidInput, "customFields[0].value", "field.too_long",
		},
		"ATinyCustomNumber": {
			field("floor", `{"a":1e-999999}`), order.UnknownInvalidInput, "customFields[0].value", "request.number_out_of_range",
		},
		"AHugeCustomNumber": {
			field("floor", `[{"a":-1e999}]`), order.UnknownInvalidInput, "customFields[0].value", "request.number_out_of_range",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			got := w.one(order.Defaults{}, with(entry("A"), c.change))
			require.Equal(t, order.DraftCreated, got.Kind)
			require.Nil(t, got.Order)
			require.Equal(t, []order.Code{c.code}, codes(got))
			require.Equal(t, c.field, got.Reasons[0].Field)
			require.Equal(t, c.text, got.Reasons[0].Text.ID)
			require.Equal(t, got.Reasons, got.Draft.Reasons)
			require.Empty(t, w.orders)
			if c.text == "field.too_long" && c.field == "externalId" || c.text == "external_id.missing" {
				require.Empty(t, got.Draft.ExternalID)
				return
			}
			require.Equal(t, "A", got.Draft.ExternalID)

			// The same fault keeps an order that exists from being updated.
			w = setup(t)
			require.Equal(t, order.OrderCreated, w.one(order.Defaults{}, entry("A")).Kind)
			settings := order.UpdateSettings{OrderPricing: order.ReplacePricing}
			e := with(entry("A"), c.change)
			if name == "NoPickupAddress" {
				return // the place is known by now
			}
			plan := w.imported(order.Defaults{UpdateConfig: settings}, e)
			require.Equal(t, []order.Kind{order.FailedUpdate}, kinds(plan))
			require.Equal(t, got.Reasons, plan.Results[0].Reasons)
			require.Nil(t, plan.Results[0].Order)
			require.Empty(t, plan.Orders)
			require.Empty(t, plan.Events)
		})
	}
}

func fixed(stop order.StopKind, earliest, latest string) func(*order.Request) {
	return func(r *order.Request) {
		at := r.Pickup
		if stop == order.Delivery {
			at = r.Delivery
		}
		at.Earliest, at.Latest = earliest, latest
	}
}

func field(externalID, value string) func(*order.Request) {
	return func(r *order.Request) {
		r.CustomFields = []order.CustomFieldValue{{ExternalID: externalID, Value: []byte(value)}}
	}
}

func TestAnUnknownOrderTypeIsNamedAndLeavesNoWindow(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := with(entry("A"), func(r *order.Request) { r.OrderType = &order.Ref{Name: "?"} })
	require.Equal(t, []order.Code{order.OrderTypeNotFound, order.InvalidPickupTimeWindow, order.InvalidDeliveryTimeWindow},
		codes(w.one(order.Defaults{}, e)))
	fixed(order.Pickup, "2026-06-15T10:00:00Z", "2026-06-15T12:00:00Z")(&e)
	fixed(order.Delivery, "2026-06-15T12:00:00Z", "2026-06-15T14:00:00Z")(&e)
	require.Equal(t, []order.Code{order.OrderTypeNotFound}, codes(w.one(order.Defaults{}, e)))
	e.OrderType = nil
	require.Equal(t, "order_type.missing", w.one(order.Defaults{}, e).Reasons[0].Text.ID)
}

func TestReasonsComeOnceEachInTheContractsOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	got := w.one(order.Defaults{}, order.Request{
		CustomFields: []order.CustomFieldValue{{ExternalID: "?"}},
		Groups:       []order.Ref{{Name: "?"}, {Name: "!"}},
		Pickup:       &order.LocationRequest{Skills: []order.SkillRequest{{Name: "?"}}},
		Delivery: &order.LocationRequest{
			Address: place("", "x").Address, Earliest: "x", Latest: "y", Skills: []order.SkillRequest{{Name: "?"}, {Name: "!"}},
		},
		Products: []order.ProductRequest{
			{Weight: ptr(-1.0), ParentExternalID: "?", Skills: []order.SkillRequest{{Name: "?"}}},
		},
	})
	require.Equal(t, []order.Code{
		order.CustomerNotFound, order.VehicleTypeNotFound,
		order.OrderTypeNotFound, order.InvalidProduct, order.InvalidProductSkill,
		order.InvalidPickupAddress, order.InvalidPickupSkill, order.InvalidDeliveryTimeWindow, order.InvalidDeliverySkill,
		order.InvalidGroup, order.UnknownInvalidInput,
	}, codes(got))
	require.Equal(t, "groups[0]", got.Reasons[9].Field, "the first that showed it")
	require.Equal(t, []order.Code{
		"CUSTOMER_NOT_FOUND_CODE", "VEHICLE_TYPE_NOT_FOUND_CODE", "ORDER_TYPE_NOT_FOUND_CODE", "INVALID_PRODUCT_CODE",
		"INVALID_PRODUCT_SKILL_CODE", "INVALID_PICKUP_ADDRESS_CODE", "INVALID_PICKUP_TIMEWINDOW_CODE", "MISSING_PICKUP_CODE",
		"INVALID_PICKUP_SKILL_CODE", "INVALID_DELIVERY_ADDRESS_CODE",
		"INVALID_DELIVERY_TIMEWINDOW_CODE", "MISSING_DELIVERY_CODE",
		"INVALID_DELIVERY_SKILL_CODE", "INVALID_GROUP_CODE", "UNKNOWN_INVALID_INPUT_CODE",
	}, order.Codes)
}

func TestAnEmptyEntryIsADraftWithAllThatIsMissing(t *testing.T) {
	t.Parallel()
	require.Equal(t, []order.Code{
		order.CustomerNotFound, order.VehicleTypeNotFound, order.OrderTypeNotFound,
		order.MissingPickup, order.MissingDelivery, order.UnknownInvalidInput,
	}, codes(setup(t).one(order.Defaults{}, order.Request{})))
}
