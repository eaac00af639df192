package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

const locationsPath = "/v1/locations"

// ramp is a location as a caller describes it.
func ramp(externalID string, edits ...object) object {
	body := object{
		"external_id": externalID, "name": "Ramp " + externalID,
		"address": object{"address1": "Havnegata 2", "postal_code": "0150", "city": "Oslo", "country": "NO"},
	}
	for _, edit := range edits {
		for name, value := range edit {
			body[name] = value
		}
	}
	return body
}

func (o *organization) createLocation(t *testing.T, body object) contract.Location {
	t.Helper()
	return read[contract.Location](t, o.expect(t, http.StatusCreated, "POST", locationsPath, body))
}

func (o *organization) locationEvents(t *testing.T, id int64) []string {
	t.Helper()
	return list(t, o.installation,
		"select kind from events where org_id = $1 and subject_type = 'location' and subject_id = $2 order by id", o.id, id)
}

func TestLocationsAreCreatedAndCorrected(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	window := object{"rrule": "FREQ=WEEKLY;BYDAY=MO", "opens": "07:00", "closes": "09:30"}
	body := ramp("R-1", object{
		"opens": "08:00", "closes": "16:00", "use_opening_hours_as_default": true, "time_windows": []object{window},
		"estimated_time_on_location": 25, "pauses": []object{{"from": "12:00", "until": "12:45"}},
		"curbside": true,
	})
	a := o.expect(t, http.StatusCreated, "POST", locationsPath, body, idempotencyKey, "ramp")
	created := read[contract.Location](t, a)
	path := fmt.Sprintf("%s/%d", locationsPath, created.LocationID)
	require.Equal(t, path, a.header.Get("Location"))
	again := o.expect(t, http.StatusCreated, "POST", locationsPath, body, idempotencyKey, "ramp")
	require.Equal(t, string(a.body), string(again.body))
	require.Equal(t, path, again.header.Get("Location"))
	require.Equal(t, created, read[contract.Location](t, o.get(t, path)))
	require.Equal(t, created, read[contract.Location](t, o.get(t, locationsPath+"/external/R-1")))
	require.Equal(t, "08:00", created.Opens.MustGet())
	require.True(t, created.UseOpeningHoursAsDefault)
	require.Equal(t, int32(25), created.EstimatedTimeOnLocation.MustGet())
	require.Equal(t, []contract.LocationTimeWindow{{Rrule: "FREQ=WEEKLY;BYDAY=MO", Opens: "07:00", Closes: "09:30"}}, created.TimeWindows)

	moved := read[contract.Location](t, o.expect(t, 200, "PUT", path, object{
		"address": object{"address1": "Kaigata 9", "postal_code": "0160", "city": "Oslo", "country": "NO"},
	}))
	require.Equal(t, "Kaigata 9", moved.Address.MustGet().Address1.MustGet())
	require.Equal(t, created.TimeWindows, moved.TimeWindows, "what is absent stays")
	require.Equal(t, []contract.LocationPause{{From: "12:00", Until: "12:45"}}, moved.Pauses)
	require.True(t, moved.Curbside)
	changed := read[contract.Location](t, o.expect(t, 200, "PUT", locationsPath+"/external/R-1", object{
		"opens": nil, "closes": nil, "time_windows": []object{}, "estimated_time_on_location": nil, "name": "Kai 9",
		"curbside": false,
	}))
	require.Equal(t, "Kai 9", changed.Name)
	require.True(t, changed.Opens.IsNull())
	require.False(t, changed.UseOpeningHoursAsDefault)
	require.Empty(t, changed.TimeWindows)
	require.False(t, changed.Curbside)
	require.True(t, changed.EstimatedTimeOnLocation.IsNull())
	require.Equal(t, "Kaigata 9", changed.Address.MustGet().Address1.MustGet())
	same := read[contract.Location](t, o.expect(t, 200, "PUT", path, object{"name": "Kai 9"}))
	require.Equal(t, changed, same, "the same again changes nothing")
	require.Equal(t, []string{"location.created", "location.updated", "location.updated"}, o.locationEvents(t, created.LocationID))

	other.expect(t, http.StatusNotFound, "PUT", path, object{"name": "Mine"})
	other.expect(t, http.StatusNotFound, "PUT", locationsPath+"/external/R-1", object{"name": "Mine"})
	other.expect(t, http.StatusNotFound, "GET", locationsPath+"/external/R-1", nil)
	require.Equal(t, changed, read[contract.Location](t, o.get(t, path)))
}

func TestLocationsAreFound(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	for i := range 3 {
		o.createLocation(t, ramp(fmt.Sprintf("FIND-%d", i), object{"name": fmt.Sprintf("Kjøl & 50%% lager %d", i)}))
	}
	other.createLocation(t, ramp("FIND-9"))
	found := func(query string) []string {
		page := read[contract.LocationPage](t, o.get(t, locationsPath+query))
		names := []string{}
		for _, l := range page.Items {
			names = append(names, l.ExternalID.MustGet())
		}
		return append(names, fmt.Sprint(page.Total))
	}
	require.Equal(t, []string{"FIND-1", "1"}, found("?external_id=FIND-1"))
	require.Equal(t, []string{"0"}, found("?external_id=FIND"))
	require.Equal(t, []string{"0"}, found("?external_id=FIND-9"))
	require.Equal(t, []string{"FIND-0", "FIND-1", "FIND-2", "3"}, found("?query=find-"))
	require.Equal(t, []string{"FIND-2", "3"}, found("?query=FIND-&limit=2&page=2"))
	require.Equal(t, []string{"3"}, found("?query=FIND-&limit=2&page=3"))
	require.Equal(t, []string{"FIND-0", "FIND-1", "FIND-2", "3"}, found("?query=50%25%20lag"))
	require.Equal(t, []string{"0"}, found("?query=50_%20lag"), "only as it stands")
	require.Equal(t, []string{"FIND-1", "1"}, found("?query=havnegata&external_id=FIND-1"))
	require.Equal(t, []string{"T-OSL", "T-CPH", "2"}, found("?query=terminal"))
	o.expect(t, http.StatusNoContent, "DELETE", fmt.Sprintf("%s/%d", locationsPath,
		read[contract.Location](t, o.get(t, locationsPath+"/external/FIND-0")).LocationID), nil)
	require.Equal(t, []string{"FIND-1", "FIND-2", "2"}, found("?query=FIND-"))
}

func TestBadLocations(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := fmt.Sprintf("%s/%d", locationsPath, o.createLocation(t, ramp("BAD")).LocationID)
	nameless := object{"address": ramp("")["address"]}
	o.createLocation(t, nameless)
	window := func(edit object) object {
		w := object{"rrule": "FREQ=WEEKLY;BYDAY=MO", "opens": "07:00", "closes": "09:30"}
		for name, value := range edit {
			w[name] = value
		}
		return object{"time_windows": []object{w}}
	}
	for _, r := range []refusal{
		{"NoAddress", "POST", locationsPath, object{"name": "x"}, nil, 422, "address"},
		{"HalfAnAddress", "POST", locationsPath, ramp("X", object{"address": object{"city": "Oslo"}}), nil, 422, "address"},
		{"NoSuchCountry", "PUT", path, object{"address": object{"address1": "x", "city": "y", "country": "XX"}}, nil, 422, "address.country"},
		{"FarNorth", "PUT", path, object{"address": object{"latitude": 91, "longitude": 1}}, nil, 422, "address.latitude"},
		{"LongPostalCode", "PUT", path, object{"address": object{"latitude": 9, "longitude": 1, "postal_code": strings.Repeat("1", 256)}}, nil, 422, "address.postal_code"},
		{"Taken", "POST", locationsPath, ramp("BAD"), nil, 409, ""},
		{"TakenByAChange", "PUT", path, object{"external_id": "T-OSL"}, nil, 409, ""},
		{"KnownPlace", "POST", locationsPath, nameless, nil, 409, ""},
		{"LongName", "PUT", path, object{"name": strings.Repeat("x", 256)}, nil, 422, "name"},
		{"NotATime", "PUT", path, object{"opens": "7"}, nil, 400, "opens"},
		{"OpensOnly", "PUT", path, object{"opens": "07:00"}, nil, 422, "closes"},
		{"NoHoursToBeDefault", "PUT", path, object{"use_opening_hours_as_default": true}, nil, 422, "use_opening_hours_as_default"},
		{"LongStay", "PUT", path, object{"estimated_time_on_location": 1441}, nil, 422, "estimated_time_on_location"},
		{"NotARule", "PUT", path, window(object{"rrule": "often"}), nil, 422, "time_windows[0].rrule"},
		{"NoHours", "PUT", path, window(object{"closes": "07:00"}), nil, 422, "time_windows[0].closes"},
		{"NotAWindowTime", "PUT", path, window(object{"closes": "late"}), nil, 400, "time_windows[0].closes"},
		{"PauseBackwards", "PUT", path, object{"pauses": []object{{"from": "13:00", "until": "12:00"}}}, nil, 422, "pauses[0]"},
		{"NotAPause", "PUT", path, object{"pauses": []object{{"from": "noon", "until": "13:00"}}}, nil, 400, "pauses[0].from"},
		{"NulInName", "PUT", path, object{"name": "a\x00"}, nil, 400, "name"},
		{"NoSuchLocation", "PUT", locationsPath + "/999999999", object{"name": "x"}, nil, 404, ""},
		{"NoSuchExternalID", "PUT", locationsPath + "/external/none", object{"name": "x"}, nil, 404, ""},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
}

// deliveryTo is an order's delivery at a location, with the order's own
// details.
func deliveryTo(externalID string, edits ...object) object {
	stop := object{"externalId": externalID, "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z"}
	for _, edit := range edits {
		for name, value := range edit {
			stop[name] = value
		}
	}
	return object{"delivery": stop}
}

// deliveredAt is the street of an order's delivery, and its minutes there.
func (o *organization) deliveredAt(t *testing.T, number string) string {
	t.Helper()
	return one[string](t, o.installation, `
		select s.address1 || ' ' || coalesce(s.estimated_time_on_location, 0) from order_stops s
		join order_numbers n on n.org_id = s.org_id and n.order_id = s.order_id
		where s.org_id = $1 and n.number = $2 and s.kind = 'delivery'`, o.id, number)
}

// TestCorrectedLocationAppliesToOrders has a customer move: an import with the
// new address applies it only to its own order and reports what was not
// applied, and the correction of the location applies to later orders.
func TestCorrectedLocationAppliesToOrders(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.createLocation(t, ramp("MOVES"))
	o.importOrders(t, orders(newOrder("BEFORE", deliveryTo("MOVES"))))
	require.Equal(t, "Havnegata 2 0", o.deliveredAt(t, "BEFORE"))

	address := object{"address1": "Kaigata 9", "postalCode": "0160", "city": "Oslo", "country": "NO"}
	told := newOrder("TOLD", deliveryTo("MOVES", object{"address": address, "name": "Kai 9"}))
	result := o.importOrders(t, orders(told))[0]
	kept := map[string]contract.NotAppliedReason{}
	for _, n := range *result.OrderCreated.NotApplied {
		kept[n.Field] = n.Reason
		require.Contains(t, n.Message, "MOVES")
		require.Contains(t, n.Message, "PUT /v1/locations/external/")
	}
	require.Equal(t, map[string]contract.NotAppliedReason{
		"delivery.address": contract.NotAppliedReasonLOCATIONKEPT, "delivery.name": contract.NotAppliedReasonLOCATIONKEPT,
	}, kept)
	require.Equal(t, "Kaigata 9 0", o.deliveredAt(t, "TOLD"))

	// The update setting decides about the stop of an existing order.
	moved := newOrder("BEFORE", deliveryTo("MOVES", object{"address": address}))
	for behavior, want := range map[string]string{
		"IGNORE_EXISTING_ORDER_LOCATION_BEHAVIOR": "Havnegata 2 0", "REPLACE_EXISTING_ORDER_LOCATION_BEHAVIOR": "Kaigata 9 0",
	} {
		number := "BY-" + behavior[:3]
		o.importOrders(t, orders(newOrder(number, deliveryTo("MOVES"))))
		moved["externalId"] = number
		body := orders(moved)
		body["updateConfig"] = object{"orderLocation": behavior}
		require.NotNil(t, o.importOrders(t, body)[0].OrderUpdated)
		require.Equal(t, want, o.deliveredAt(t, number))
	}

	o.expect(t, 200, "PUT", locationsPath+"/external/MOVES", object{
		"address":                    object{"address1": "Kaigata 9", "postal_code": "0160", "city": "Oslo", "country": "NO"},
		"estimated_time_on_location": 30,
	})
	require.Equal(t, "Havnegata 2 0", o.deliveredAt(t, "BEFORE"), "orders that are there stay")
	o.importOrders(t, orders(newOrder("AFTER", deliveryTo("MOVES")), newOrder("BEFORE", deliveryTo("MOVES"))))
	require.Equal(t, "Kaigata 9 30", o.deliveredAt(t, "AFTER"))
	require.Equal(t, "Kaigata 9 30", o.deliveredAt(t, "BEFORE"), "imported again")
}
