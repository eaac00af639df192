package e2e_test

import (
	"fmt"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

func TestVehicles(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	all := read[contract.VehiclePage](t, o.get(t, "/v1/vehicles"))
	require.Equal(t, int64(10), all.Total)
	van := all.Items[3]
	require.Equal(t, contract.Vehicle{
		ID: van.ID, Registration: "EB10004", Name: van.Name,
		VehicleType: contract.NamedRecord{ID: o.idOf(t, "vehicle_types", "name", "Van"), Name: "Van"},
		MaxWeightKg: van.MaxWeightKg, MaxVolumeM3: van.MaxVolumeM3, MaxRouteKm: van.MaxRouteKm,
		HomeLocationID: van.HomeLocationID, Skills: []string{}, MaxLoads: []contract.LoadAmount{}, IsActive: true,
		Source:    contract.SourceDocument,
		OwnLimits: van.OwnLimits, CreatedAt: van.CreatedAt, UpdatedAt: van.UpdatedAt,
	}, van)
	require.True(t, van.Name.IsNull() && van.MaxRouteKm.IsNull())
	require.True(t, van.OwnLimits.MaxVolumeM3.IsNull())
	require.Equal(t, []float64{1000, 12}, []float64{van.MaxWeightKg.MustGet(), van.MaxVolumeM3.MustGet()}, "its own limit, and its type's")
	require.Equal(t, o.idOf(t, "locations", "external_id", "T-OSL"), van.HomeLocationID.MustGet())
	require.Equal(t, []string{"Refrigerated", "Tail lift"}, all.Items[2].Skills)
	require.Equal(t, "Blue bike", all.Items[4].Name.MustGet())
	require.InDelta(t, 60, all.Items[4].MaxRouteKm.MustGet(), 0)

	require.Equal(t, van, read[contract.Vehicle](t, o.get(t, fmt.Sprintf("/v1/vehicles/%d", van.ID))))
	page := read[contract.VehiclePage](t, o.get(t, "/v1/vehicles?page=2&limit=9"))
	require.Equal(t, "CX20003", page.Items[0].Registration)
	require.Equal(t, int32(2), page.Pages)
	require.Equal(t, int64(10), read[contract.VehiclePage](t, o.get(t, "/v1/vehicles?page=9")).Total)

	_, err := o.admin.Exec(t.Context(), "update vehicles set is_active = false where org_id = $1 and id = $2", o.id, van.ID)
	require.NoError(t, err)
	require.Equal(t, int64(1), read[contract.VehiclePage](t, o.get(t, "/v1/vehicles?is_active=false")).Total)
	require.Equal(t, int64(9), read[contract.VehiclePage](t, o.get(t, "/v1/vehicles?is_active=true")).Total)

	for _, r := range []refusal{
		{path: "/v1/vehicles/0", want: 404},
		{path: "/v1/vehicles/x", want: 400, field: "id"},
		{path: "/v1/vehicles?limit=0", want: 400, field: "limit"},
		{path: "/v1/vehicles?is_active=perhaps", want: 400, field: "is_active"},
	} {
		r.method = "GET"
		o.requireRefused(t, r)
	}
}
