package masterdata_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/customfield"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	"waybill/store/storetest"
)

func definitionOf(externalID string) customfield.Definition {
	return customfield.Definition{
		ExternalID: externalID, Label: "L", Title: "T", SortOrderBatch: "num", DisplayOn: "both", DisplayStyle: "card", IsActive: true,
	}
}

func TestUsedCustomFieldIsNotDeleted(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	order1 := o.Imported(org, operationstest.HeavyOrder("A-1")).Orders[0].ID
	used, err := o.MasterData.CreateCustomField(t.Context(), operationstest.Clerk(org), definitionOf("used"))
	require.NoError(t, err)
	fresh, err := o.MasterData.CreateCustomField(t.Context(), operationstest.Clerk(org), definitionOf("fresh"))
	require.NoError(t, err)

	set := func(value string) error {
		_, err := o.MasterData.SetCustomFieldValues(t.Context(), operationstest.Clerk(org), order1, []order.CustomFieldValue{{ExternalID: "used", Value: []byte(value)}})
		return err
	}
	require.NoError(t, set(`"x"`))
	require.NoError(t, set(`null`))
	require.Zero(t, operationstest.One[int](o, "select count(*)::int from custom_field_values"))

	inactivated, err := o.MasterData.DeleteCustomField(t.Context(), operationstest.Clerk(org), used.ID)
	require.NoError(t, err)
	require.True(t, inactivated, "it once had a value")
	inactivated, err = o.MasterData.DeleteCustomField(t.Context(), operationstest.Clerk(org), fresh.ID)
	require.NoError(t, err)
	require.False(t, inactivated)
	_, err = o.MasterData.DeleteCustomField(t.Context(), operationstest.Clerk(org), fresh.ID)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	require.Equal(t, fault.Unprocessable, fault.KindOf(set(`"y"`)), "one out of use takes no values")

	inactivated, err = o.MasterData.DeleteCustomField(t.Context(), operationstest.Clerk(org), used.ID)
	require.NoError(t, err)
	require.True(t, inactivated)
	require.Equal(t, "created used|created fresh|inactivated used|deleted fresh", operationstest.One[string](o, `
		select string_agg(replace(kind, 'custom_field.', '') || ' ' || external_id, '|' order by id) from events where kind like 'custom_field.%'`))
}

func TestAnExternalIDIsTakenOnce(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	other := storetest.Organization(t, o.Database, "other")
	results := make([]error, 8)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			_, results[i] = o.MasterData.CreateCustomField(t.Context(), operationstest.Clerk(org), definitionOf("one"))
		})
	}
	wg.Wait()
	created := 0
	for _, err := range results {
		var f *fault.Error
		if err == nil {
			created++
			continue
		}
		require.True(t, errors.As(err, &f), "%v", err)
		require.Equal(t, fault.Duplicate, f.Kind)
	}
	require.Equal(t, 1, created)
	_, err := o.MasterData.CreateCustomField(t.Context(), operationstest.Clerk(other), definitionOf("one"))
	require.NoError(t, err)
}

func TestAnImportKeepsValuesOfFieldsOutOfUse(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	request := operationstest.HeavyOrder("A-1")
	request.CustomFields = []order.CustomFieldValue{{ExternalID: "dock_door", Value: []byte(`"3"`)}, {ExternalID: "gate_code", Value: []byte(`"1"`)}}
	o.Imported(org, request)
	id := operationstest.One[int64](o, "select id from custom_field_definitions where external_id = 'dock_door'")
	_, err := o.MasterData.DeleteCustomField(t.Context(), operationstest.Clerk(org), id)
	require.NoError(t, err)
	request.CustomFields = []order.CustomFieldValue{}
	o.Imported(org, request)
	require.Equal(t, `dock_door "3"`, operationstest.One[string](o, `
		select d.external_id || ' ' || v.value from custom_field_values v join custom_field_definitions d on d.id = v.definition_id`))
}
