package masterdata_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/masterdata"
)

func TestApplyTransformations(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const rule = head + `
transformations: [{name: A, triggers: [TRANSFORM_TRIGGER_ORDER_CREATED], set: [{field: reference, value: "'one'"}]}]
`
	other := strings.Replace(rule, "'one'", "'two'", 1)
	off := strings.Replace(other, "name: A,", "name: a, active: false,", 1)
	for _, c := range []struct{ text, want string }{
		{rule, "+1 ~0 =0 -0"},
		{other, "+0 ~1 =0 -0"},
		{other, "+0 ~0 =1 -0"},
		{off, "+0 ~1 =0 -0"},
		{head + "transformations: []\n", "+0 ~0 =0 -1"},
	} {
		require.Equal(t, c.want, d.done(c.text, masterdata.Options{Prune: true})["transformations"], c.text)
	}
	require.Zero(t, one[int](d, "select count(*)::int from transformation_rules"))
}
