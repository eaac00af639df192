package contract

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeprecatedOperationsHaveASunset(t *testing.T) {
	t.Parallel()
	notice, err := (&Operation{Deprecated: true, DeprecatedAt: "2026-03-02", Sunset: "2026-09-02"}).notice()
	require.NoError(t, err)
	require.Equal(t, map[string]string{"Deprecation": "@1772409600", "Sunset": "Wed, 02 Sep 2026 00:00:00 GMT"}, notice)

	notice, err = (&Operation{}).notice()
	require.NoError(t, err)
	require.Empty(t, notice)

	for name, op := range map[string]Operation{
		"no dates":              {Deprecated: true},
		"no end":                {Deprecated: true, DeprecatedAt: "2026-03-02"},
		"no date at all":        {Deprecated: true, DeprecatedAt: "2026-03-02", Sunset: "soon"},
		"an end before":         {Deprecated: true, DeprecatedAt: "2026-03-02", Sunset: "2026-03-01"},
		"an end without notice": {Sunset: "2026-09-02"},
	} {
		_, err := op.notice()
		require.Error(t, err, name)
	}
}
