package e2e_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

func TestTheOrganizationIsRead(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	got := read[contract.Organization](t, o.get(t, "/v1/organization"))
	require.Equal(t, contract.Organization{
		ID: o.id, Slug: one[string](t, shared, "select slug from organizations where id = $1", o.id), Name: "Nordfrakt AS",
		Timezone: "Europe/Oslo", Language: contract.OrganizationLanguageNb, Reexport: true, Sandbox: true,
		LoadingMinutes: nullable.NewNullNullable[int32](),
		GoodsApart:     []contract.GoodsApart{}, LoadDimensions: []contract.LoadDimension{},
		RushHours: []contract.RushHours{}, RecipientPage: nullable.NewNullNullable[contract.RecipientPage](),
		MaxStops: nullable.NewNullNullable[int32](), MaxDrivingMinutes: nullable.NewNullNullable[int32](),
		Costs:       nullable.NewNullNullable[contract.PlanCosts](),
		OfficePhone: nullable.NewNullNullable[string](), Proof: nullable.NewNullNullable[contract.ProofRules](),
		UpdatedAt: got.UpdatedAt,
	}, got)
}

// lookup is a kind of master data that is looked up: its path, how many the demo
// has, and the second of them without its id and source.
type lookup struct {
	path   string
	total  int
	second string
}

var lookups = []lookup{
	{"departments", 3, `{"name": "København", "loading_minutes": null, "release_at": null, "release_days_before": 1,
		"release_threshold_minutes": 10, "calendar_id": null, "is_active": true}`},
	{"groups", 4, `{"name": "Evening round", "is_active": true}`},
	{"skills", 4, `{"name": "ADR", "is_active": true, "for_two": false}`},
	{"vehicle-types", 4, `{"name": "Van", "max_weight_kg": 1200, "max_volume_m3": 12, "max_route_km": null,
		"max_stops": null, "max_driving_minutes": null, "max_loads": [], "driving_rule": null, "extra_setup_seconds": 0, "travels_as": "CAR",
		"height_m": null, "width_m": null, "length_m": null, "gross_weight_kg": null, "axle_load_kg": null, "top_speed_kmh": null,
		"hazardous_goods": false, "avoids_ferries": false, "avoids_tolls": false,
		"cost_per_shift": null, "cost_per_hour": null, "cost_per_km": null,
		"also_serves": [], "is_active": true}`},
	{"order-types", 3, `{"name": "Evening", "priority": 2, "ready_from": "16:00", "pick_up_before": "18:30", "deliver_before": "21:00",
		"min_book_ahead_minutes": 240, "max_book_ahead_minutes": 20160, "export_carrier": null, "proof": null,
		"service_time": null, "is_active": true}`},
	{"zones", 4, `{"name": "København", "areas": [{"country": "DK", "from": "1000", "to": "2999"}], "is_active": true}`},
	{"freight-levels", 3, `{"name": "Pallet", "position": 1, "max_weight_kg": 1000, "max_volume_m3": 4, "max_colli": 40, "is_active": true}`},
}

// anyPage is a page of a list, whatever is on it.
type anyPage struct {
	Items []json.RawMessage
	Total int
	Pages int
}

func TestLookups(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	for _, l := range lookups {
		t.Run(l.path, func(t *testing.T) {
			t.Parallel()
			path := "/v1/" + l.path
			all := read[anyPage](t, o.get(t, path))
			require.Len(t, all.Items, l.total)
			require.Equal(t, l.total, all.Total)
			var second map[string]any
			require.NoError(t, json.Unmarshal(all.Items[1], &second))
			one := fmt.Sprintf("%s/%.0f", path, second["id"])
			require.JSONEq(t, string(all.Items[1]), string(o.get(t, one).body))
			require.Equal(t, "document", second["source"])
			delete(second, "id")
			delete(second, "source")
			rest, err := json.Marshal(second)
			require.NoError(t, err)
			require.JSONEq(t, l.second, string(rest))

			page := read[anyPage](t, o.get(t, path+"?page=2&limit=1&is_active=true"))
			require.JSONEq(t, string(all.Items[1]), string(page.Items[0]))
			require.Equal(t, l.total, page.Pages)
			require.Zero(t, read[anyPage](t, o.get(t, path+"?is_active=false")).Total)
			require.Equal(t, l.total, read[anyPage](t, o.get(t, path+"?page=99")).Total)
			for _, r := range []refusal{
				{path: path + "/0", want: 404},
				{path: path + "/x", want: 400, field: "id"},
				{path: path + "?limit=1001", want: 400, field: "limit"},
				{path: path + "?page=0", want: 400, field: "page"},
				{path: path + "?is_active=perhaps", want: 400, field: "is_active"},
			} {
				r.method = "GET"
				o.requireRefused(t, r)
			}
		})
	}
	statuses := read[contract.OrderStatusRecordPage](t, o.get(t, "/v1/order-statuses"))
	require.Equal(t, int64(8), statuses.Total)
	require.Equal(t, contract.OrderStatusRecord{ID: 6, Name: "delivered"}, statuses.Items[5])
	require.Equal(t, int64(5), read[contract.OrderStatusRecordPage](t, o.get(t, "/v1/order-statuses?is_active=true")).Total)
}

func TestADriverIsFoundByItsExternalID(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	found := read[contract.DriverPage](t, o.get(t, "/v1/drivers?external_id=D-18"))
	require.Equal(t, int64(1), found.Total)
	require.Equal(t, "Jens Holm", found.Items[0].Name)
	require.Zero(t, read[contract.DriverPage](t, o.get(t, "/v1/drivers?external_id=d-18")).Total)
}
