package file_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization"
	"waybill/domain/organization/file"
)

func TestReadCompilesRules(t *testing.T) {
	t.Parallel()
	good := head + `
transformations:
  - name: Heavy
    triggers: [TRANSFORM_TRIGGER_ORDER_CREATED]
    when: |
      order.weight > 100.0 &&
      order.reference != ''
    set: [{field: vehicleType, value: "'Truck'"}]
`
	d, err := file.Read([]byte(good))
	require.NoError(t, err)
	require.Nil(t, d.Transformations[0].Active)
	for _, c := range []struct{ old, text, problem string }{
		{
			"order.reference", "order.refrence",
			"6:11: transformations[0].when: line 2, column 6 of the expression: undefined field 'refrence'",
		},
		{"vehicleType", "id", "9:19: transformations[0].set[0].field: a rule cannot set the field \"id\"; it can set "},
		{"\"'Truck'\"", "\"1\"", "9:39: transformations[0].set[0].value: returns a whole number, but must return a text"},
		{
			"ORDER_CREATED", "ORDER_DELETED",
			"5:16: transformations[0].triggers[0]: must be one of [TRANSFORM_TRIGGER_ORDER_CREATED ",
		},
		{
			"triggers: [TRANSFORM_TRIGGER_ORDER_CREATED]", "order: 1",
			"transformations[0].triggers: is missing: name at least one of TRANSFORM_",
		},
		{"[{field: vehicleType, value: \"'Truck'\"}]", "[]", "transformations[0].set: is missing"},
		{"Heavy", "''", "transformations[0].name: is missing"},
	} {
		require.Contains(t, good, c.old)
		_, err := file.Read([]byte(strings.Replace(good, c.old, c.text, 1)))
		var problems organization.Problems
		require.ErrorAs(t, err, &problems, c.text)
		require.Len(t, problems, 1, "%v", problems)
		require.Contains(t, problems[0].String(), c.problem)
	}
}
