package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/masterdata"
)

const counted = head + `
settings: {loadDimensions: [{name: PALLETS, unit: pallet places}, {name: ADR}]}
vehicleTypes: [{name: Van, maxLoads: [{dimension: PALLETS, amount: 6.5}]}]
vehicles: [{registration: EB1, vehicleType: Van, maxLoads: [{dimension: ADR, amount: 1000}]}]
`

// TestApplyLoadDimensions names dimensions, limits vehicles, and does the same again.
func TestApplyLoadDimensions(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	d.done(counted, masterdata.Options{})
	require.JSONEq(t, `[{"dimension": "ADR", "amount": 1000}, {"dimension": "PALLETS", "amount": 6.5}]`,
		one[string](d, "select document->'max_loads' from v1_vehicles"))
	require.JSONEq(t, `[{"name": "PALLETS", "unit": "pallet places"}, {"name": "ADR", "unit": ""}]`,
		one[string](d, "select document->'load_dimensions' from v1_organization"))
	require.Equal(t, map[string]string{
		"organization": "+0 ~0 =1 -0", "vehicleTypes": "+0 ~0 =1 -0", "vehicles": "+0 ~0 =1 -0",
	}, d.done(counted, masterdata.Options{}))
	d.done(head+"settings: {}", masterdata.Options{})
	require.Equal(t, 2, one[int](d, "select jsonb_array_length(load_dimensions) from organizations"), "unsaid, they stay")
	_, err := d.apply(head+"vehicleTypes: [{name: Van, maxLoads: [{dimension: CRATES, amount: 1}]}]", masterdata.Options{})
	require.ErrorContains(t, err,
		"vehicleTypes[0].maxLoads[0].dimension: must be one of the load dimensions in settings.loadDimensions: PALLETS, ADR")
	d.done(head+"settings: {loadDimensions: []}", masterdata.Options{})
	require.Zero(t, one[int](d, "select count(*) from organizations where load_dimensions is not null"))
}

// TestApplyGoodsApart sets pairs of kinds, leaves them, and removes them.
func TestApplyGoodsApart(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const apart = head + "settings: {goodsApart: [{one: FOOD, other: ADR}, {one: HOT, other: FROZEN, sameTime: true}]}"
	d.done(apart, masterdata.Options{})
	require.JSONEq(t, `[{"one": "FOOD", "other": "ADR", "same_time": false},
		{"one": "HOT", "other": "FROZEN", "same_time": true}]`,
		one[string](d, "select document->'goods_apart' from v1_organization"))
	require.Equal(t, map[string]string{"organization": "+0 ~0 =1 -0"}, d.done(apart, masterdata.Options{}))
	d.done(head+"settings: {}", masterdata.Options{})
	require.Equal(t, 2, one[int](d, "select jsonb_array_length(goods_apart) from organizations"), "unsaid, they stay")
	d.done(head+"settings: {goodsApart: []}", masterdata.Options{})
	require.Zero(t, one[int](d, "select count(*) from organizations where goods_apart is not null"))
}

// TestApplyPauses sets when a location is closed within its hours, leaves it, and removes it.
func TestApplyPauses(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	at := func(pauses string) string {
		return head + "locations: [{externalId: T, name: T, address: {latitude: 59.9, longitude: 10.7}" + pauses + "}]"
	}
	const stored = "select coalesce(pauses, '[]')::text from locations where external_id = 'T'"
	lunch := at(", pauses: [{from: '11:30', until: '12:30'}]")
	d.done(lunch, masterdata.Options{})
	require.JSONEq(t, `[{"from": "11:30", "until": "12:30"}]`, one[string](d, stored))
	require.Equal(t, "+0 ~0 =1 -0", d.done(lunch, masterdata.Options{})["locations"])
	d.done(at(""), masterdata.Options{})
	require.JSONEq(t, `[{"from": "11:30", "until": "12:30"}]`, one[string](d, stored), "unsaid, they stay")
	d.done(at(", pauses: []"), masterdata.Options{})
	require.Equal(t, "[]", one[string](d, stored))
}

// TestApplyCurbside sets that vehicles stop on the side of a location, leaves it, and removes it.
func TestApplyCurbside(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	at := func(curbside string) string {
		return head + "locations: [{externalId: T, name: T, address: {latitude: 59.9, longitude: 10.7}" + curbside + "}]"
	}
	stored := func() bool {
		return one[bool](d, "select (document->'curbside')::bool from v1_locations where external_id = 'T'")
	}
	d.done(at(""), masterdata.Options{})
	require.False(t, stored())
	require.Equal(t, "+0 ~1 =0 -0", d.done(at(", curbside: true"), masterdata.Options{})["locations"])
	require.True(t, stored())
	require.Equal(t, "+0 ~0 =1 -0", d.done(at(", curbside: true"), masterdata.Options{})["locations"])
	d.done(at(""), masterdata.Options{})
	require.True(t, stored(), "unsaid, it stays")
	d.done(at(", curbside: false"), masterdata.Options{})
	require.False(t, stored())
}

// TestApplyReleases sets when the plans of a department are released, leaves it, and leaves it to people.
func TestApplyReleases(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	at := func(release string) string {
		return head + "departments: [{name: Oslo" + release + "}, {name: Bergen}]"
	}
	const stored = `select document->>'release_at' || ' ' || (document->>'release_days_before') || ' ' ||
		(document->>'release_threshold_minutes') from v1_departments where document->>'name' = 'Oslo'`
	evening := at(", release: {at: '17:00', daysBefore: 2}")
	require.Equal(t, "+2 ~0 =0 -0", d.done(evening, masterdata.Options{})["departments"])
	require.Equal(t, "17:00 2 10", one[string](d, stored))
	require.Equal(t, "+0 ~0 =2 -0", d.done(evening, masterdata.Options{})["departments"])
	d.done(at(""), masterdata.Options{})
	require.Equal(t, "17:00 2 10", one[string](d, stored), "unsaid, it stays")
	require.Equal(t, "+0 ~1 =1 -0", d.done(at(", release: {thresholdMinutes: 30}"), masterdata.Options{})["departments"])
	require.Equal(t, 1, one[int](d, `select count(*) from departments where name = 'Oslo' and release_minute is null
		and release_days_before = 1 and release_threshold_minutes = 30`))
}
