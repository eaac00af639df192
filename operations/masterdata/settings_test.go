package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/version"
	"waybill/operations/operationstest"
	"waybill/store"
	"waybill/store/masterdata"
)

// TestADocumentReplacesTheIdentity changes the name, zone and language, and
// applies the document again, which says the old ones.
func TestADocumentReplacesTheIdentity(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	o.Apply(operationstest.Head, masterdata.Options{})
	org := operationstest.One[int64](o, "select id from organizations")
	stands := func() string {
		return operationstest.One[string](o, "select concat_ws(' ', name, timezone, language) from organizations")
	}
	_, err := o.MasterData.ChangeOrganization(t.Context(), operationstest.Clerk(org), version.Expected{},
		func(now *store.OrganizationSettings) {
			now.Name, now.Timezone, now.Language = "Acme Transport", "Atlantic/Reykjavik", "nb"
		})
	require.NoError(t, err)
	require.Equal(t, "Acme Transport Atlantic/Reykjavik nb", stands())
	require.Equal(t, "+0 ~1 =0 -0", o.Apply(operationstest.Head, masterdata.Options{})["organization"])
	require.Equal(t, "Acme Europe/Oslo en", stands())
	require.Equal(t, "Europe/Oslo Atlantic/Reykjavik, Atlantic/Reykjavik Europe/Oslo", operationstest.One[string](o, `
		select string_agg(concat_ws(' ', data->>'from', data->>'to'), ', ' order by id) from events where kind = 'organization.timezone_changed'`))
}
