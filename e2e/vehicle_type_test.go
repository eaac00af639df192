package e2e_test

import (
	"net/http"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

func TestVehicleType(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	o.importOrders(t, orders(newOrder("V-1"), newOrder("V-LOADED"), newOrder("V-CANCELLED"), newOrder("V-DRAFT", object{"date": nil})))
	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/V-CANCELLED", nil)
	const address = "/v2/orders/vehicle-type"
	get := func(number string) string {
		return read[contract.OrderVehicleTypeAnswer](t, o.get(t, address+"?externalId="+number)).VehicleType.Name
	}
	put := func(want int, number string, vehicleType object) answer {
		return o.expect(t, want, http.MethodPut, address, object{"externalId": number, "vehicleType": vehicleType})
	}
	move := func(number string, status int) {
		_, err := o.admin.Exec(t.Context(), `
			with d as (insert into drivers (org_id, name) values ($1, 'Ingrid Berg') returning id)
			update orders set status_id = $3, driver_id = (select id from d) where org_id = $1 and number = $2`, o.id, number, status)
		require.NoError(t, err)
	}
	require.Equal(t, "Van", get("V-1"))

	// A planned order is planned again.
	move("V-1", 2)
	events := func() int {
		return one[int](t, shared, "select count(*) from events where org_id = $1 and external_id = 'V-1'", o.id)
	}
	before := events()
	put(http.StatusOK, "V-1", object{"name": "van"})
	require.Equal(t, before, events(), "the same type changes nothing")
	require.Equal(t, contract.OrderStatusID(2), read[contract.Order](t, o.get(t, "/v1/orders/internal/V-1")).OrderStatusID)
	answered := read[contract.OrderVehicleTypeAnswer](t, put(http.StatusOK, "V-1", object{"name": " box TRUCK "}))
	require.Equal(t, "Box truck", answered.VehicleType.Name)
	require.Equal(t, "Box truck", get("V-1"))
	order := read[contract.Order](t, o.get(t, "/v1/orders/internal/V-1"))
	require.Equal(t, contract.OrderStatusID(1), order.OrderStatusID)
	require.True(t, order.DriverID.IsNull())
	require.Equal(t, []string{"registered", "registered"}, statuses(t, o, "V-1"))

	// An unplanned one only changes its type.
	before = events()
	put(http.StatusOK, "V-1", object{"id": one[int64](t, shared, "select id from vehicle_types where org_id = $1 and name = 'Van'", o.id)})
	require.Equal(t, before+1, events())
	require.Equal(t, []string{"registered", "registered"}, statuses(t, o, "V-1"))
	put(http.StatusOK, "V-CANCELLED", object{"name": "Box truck"})
	require.Equal(t, contract.OrderStatusID(8), read[contract.Order](t, o.get(t, "/v1/orders/internal/V-CANCELLED")).OrderStatusID)

	move("V-LOADED", 4)
	put(http.StatusConflict, "V-LOADED", object{"name": "Box truck"})
	put(http.StatusOK, "V-LOADED", object{"name": "Van"})
	require.Equal(t, "Van", get("V-LOADED"))

	theirs := one[int64](t, shared, "select min(id) from vehicle_types where org_id = $1", other.id)
	for _, r := range []refusal{
		{"AnUnknownName", http.MethodPut, address, object{"externalId": "V-1", "vehicleType": object{"name": "Balloon"}}, nil, 422, "vehicleType"},
		{"AnothersType", http.MethodPut, address, object{"externalId": "V-1", "vehicleType": object{"id": theirs}}, nil, 422, "vehicleType"},
		{"NoName", http.MethodPut, address, object{"externalId": "V-1", "vehicleType": object{}}, nil, 400, "vehicleType"},
		{"NoType", http.MethodPut, address, object{"externalId": "V-1"}, nil, 400, "vehicleType"},
		{"NUL", http.MethodPut, address, object{"externalId": "V-1", "vehicleType": object{"name": "a\x00b"}}, nil, 400, "vehicleType.name"},
		{"NoNumber", http.MethodPut, address, object{"vehicleType": object{"name": "Van"}}, nil, 400, "externalId"},
		{"AnUnknownNumber", http.MethodPut, address, object{"externalId": "unheard-of", "vehicleType": object{"name": "Van"}}, nil, 404, ""},
		{"ADraft", http.MethodPut, address, object{"externalId": "V-DRAFT", "vehicleType": object{"name": "Van"}}, nil, 404, ""},
		{"ReadingNoNumber", http.MethodGet, address, nil, nil, 400, "externalId"},
		{"ReadingADraft", http.MethodGet, address + "?externalId=V-DRAFT", nil, nil, 404, ""},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
}
