package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/customfield"
	"waybill/domain/driver"
	"waybill/operations/operationstest"
	"waybill/store/masterdata"
)

// TestPruningKeepsManualRecords makes a driver and a custom field over the
// API; they belong to the document only once it names them.
func TestPruningKeepsManualRecords(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	const mine = operationstest.Head + "drivers: [{externalId: D-1, name: Nora}]\ncustomFields: [{externalId: dock, label: D, title: Dock}]\n"
	require.Equal(t, "+1 ~0 =0 -0", o.Apply(mine, masterdata.Options{})["drivers"])
	org := operationstest.One[int64](o, "select id from organizations where slug = 'acme'")
	_, err := o.MasterData.CreateDriver(t.Context(), operationstest.Clerk(org), driver.Details{ExternalID: "D-2", Name: "Ola"})
	require.NoError(t, err)
	_, err = o.MasterData.CreateCustomField(t.Context(), operationstest.Clerk(org), customfield.Definition{
		ExternalID: "gate", Label: "G", Title: "Gate", SortOrderBatch: "num", DisplayOn: "current", DisplayStyle: "badge",
	})
	require.NoError(t, err)
	sources := func() string {
		return operationstest.One[string](o, `select string_agg(external_id || ' ' || source, ', ' order by external_id) from (
			select external_id, source from drivers where is_active
			union all select external_id, source from custom_field_definitions where is_active) x`)
	}
	require.Equal(t, "D-1 document, D-2 api, dock document, gate api", sources())

	pruned := o.Apply(mine, masterdata.Options{Prune: true})
	require.Equal(t, "+0 ~0 =1 -0", pruned["drivers"])
	require.Equal(t, "+0 ~0 =1 -0", pruned["customFields"])
	require.Equal(t, "D-1 document, D-2 api, dock document, gate api", sources())

	const both = operationstest.Head + "drivers: [{externalId: D-1, name: Nora}, {externalId: D-2, name: Ola}]\n"
	require.Equal(t, "+0 ~1 =1 -0", o.Apply(both, masterdata.Options{})["drivers"], "a document that names a record takes it over, and says so")
	require.Equal(t, "+0 ~0 =1 -1", o.Apply(mine, masterdata.Options{Prune: true})["drivers"])
	require.Equal(t, "D-1 document, dock document, gate api", sources())
}
