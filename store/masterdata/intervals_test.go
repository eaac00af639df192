package masterdata_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization"
	"waybill/store/masterdata"
	"waybill/store/storetest"
)

const scheduling = head + `
orderTypes: [{name: Standard}, {name: Express}]
zones:
  - {name: North, areas: [{country: "NO", prefix: "9"}]}
  - {name: South, areas: [{country: "NO", from: "0", to: "4"}]}
freightLevels: [{name: Light, maxWeightKg: 20}, {name: Heavy}]
intervals:
  - {name: Morning, rrule: "FREQ=DAILY",
     pickup: {earliest: "08:00", latest: "10:00"}, delivery: {earliest: "10:00", latest: "12:00"},
     slots: 4, orderTypes: [standard], fromToZones: [{from: North, to: South}], freightLevels: [Light]}
priceLists:
  - {name: All, currency: NOK, minimumPrice: 10, orderTypes: [Standard],
     prices: [{from: North, base: 1.50}, {base: 2, perKg: 0.125}]}
`

func TestApplySchedulingSections(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	require.Equal(t, map[string]string{
		"organization": "+1 ~0 =0 -0", "orderTypes": "+2 ~0 =0 -0", "zones": "+2 ~0 =0 -0", "freightLevels": "+2 ~0 =0 -0",
		"intervals": "+1 ~0 =0 -0", "priceLists": "+1 ~0 =0 -0",
	}, d.done(scheduling, masterdata.Options{}))
	require.Equal(t, "Morning FREQ=DAILY 480 600 600 720 4", one[string](d, `
		select concat_ws(' ', name, rrule, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
			from schedule_intervals`))
	require.Equal(t, "0 North - 1.50 0 0|1 - - 2 0.125 0", one[string](d, `
		select string_agg(concat_ws(' ', seq, coalesce(f.name, '-'), coalesce(t.name, '-'), base, per_kg, per_colli), '|'
			order by seq)
		from price_list_lines l left join zones f on f.id = l.from_zone_id left join zones t on t.id = l.to_zone_id`))

	before := d.versions()
	again := d.done(strings.Replace(scheduling, "base: 1.50", "base: 1.5", 1), masterdata.Options{Prune: true})
	require.Equal(t, "+0 ~0 =1 -0", again["priceLists"])
	require.Equal(t, before, d.versions())

	for _, change := range []struct{ section, from, to string }{
		{"zones", `prefix: "9"`, `prefix: "8"`},
		{"freightLevels", "maxWeightKg: 20", "maxWeightKg: 20.5"},
		{"intervals", "slots: 4", "slots: 5"},
		{"intervals", "orderTypes: [standard]", "orderTypes: [standard, Express]"},
		{"intervals", "{from: North, to: South}", "{from: South, to: North}"},
		{"intervals", "freightLevels: [Light]", "freightLevels: []"},
		{"priceLists", "minimumPrice: 10", "minimumPrice: 11"},
		{"priceLists", "orderTypes: [Standard]", "orderTypes: [Express]"},
		{"priceLists", ", {base: 2, perKg: 0.125}", ""},
	} {
		text := strings.Replace(scheduling, change.from, change.to, 1)
		require.NotEqual(t, scheduling, text, change.from)
		for section, what := range d.done(text, masterdata.Options{}) {
			require.Equal(t, section == change.section, strings.Contains(what, "~1"), "%s by %s: %s", section, change.to, what)
		}
		d.done(scheduling, masterdata.Options{})
	}
}

func TestApplyRefusesUnknownNamesOfScheduling(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	for from, problem := range map[string]string{
		"orderTypes: [standard]":       `intervals[0].orderTypes[0]: order type "X" not found`,
		"fromToZones: [{from: North":   `intervals[0].fromToZones[0].from: zone "X" not found`,
		"freightLevels: [Light]":       `intervals[0].freightLevels[0]: freight level "X" not found`,
		"orderTypes: [Standard]":       `priceLists[0].orderTypes[0]: order type "X" not found`,
		"prices: [{from: North, base:": `priceLists[0].prices[0].from: zone "X" not found`,
	} {
		to := strings.NewReplacer("standard", "X", "North", "X", "Light", "X", "Standard", "X").Replace(from)
		_, err := d.apply(strings.Replace(scheduling, from, to, 1), masterdata.Options{})
		var problems organization.Problems
		require.ErrorAs(t, err, &problems)
		require.Contains(t, problems.Error(), problem)
		require.Zero(t, one[int](d, "select count(*) from organizations"))
	}
}

func TestPruneSchedulingSections(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org := storetest.Apply(t, d.Database, scheduling)
	_, err := d.owner.Exec(t.Context(), `
		insert into schedule_interval_days select org_id, id, '2026-03-02', 1 from schedule_intervals where org_id = $1`, org)
	require.NoError(t, err)
	pruned := d.done(head+"orderTypes: []\nzones: []\nfreightLevels: []\nintervals: []\npriceLists: []\n",
		masterdata.Options{Prune: true})
	for _, section := range []struct {
		name    string
		removed string
	}{{"orderTypes", "-2"}, {"zones", "-2"}, {"freightLevels", "-2"}, {"intervals", "-1"}, {"priceLists", "-1"}} {
		require.Contains(t, pruned[section.name], section.removed, section.name)
	}
	require.False(t, one[bool](d, "select is_active from schedule_intervals"), "a seat of it was taken")
	require.Equal(t, "North South",
		one[string](d, "select string_agg(name, ' ' order by name) from zones where not is_active"))
	require.Equal(t, "Light", one[string](d, "select string_agg(name, ' ') from freight_levels"))
	require.Equal(t, "Standard", one[string](d, "select string_agg(name, ' ') from order_types"))
	require.Zero(t, one[int](d, "select count(*) from price_lists"))
	require.Equal(t, "+0 ~1 =0 -0", d.done(scheduling, masterdata.Options{})["intervals"], "it is offered again")
}
