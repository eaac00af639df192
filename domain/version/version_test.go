package version_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/version"
)

func TestOnlyAnExpectedVersionPasses(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 7, 30, 0, 1000, time.UTC)
	present, later := version.At(now), version.At(now.Add(time.Microsecond))
	for _, expected := range []version.Expected{nil, {present}, {later, present}, {version.Any}} {
		require.NoError(t, expected.Check(present, "order", "7"), "%v", expected)
	}
	require.Equal(t, present, version.At(now.In(time.FixedZone("elsewhere", 3600))), "an instant is the same everywhere")

	var stale *fault.Error
	require.ErrorAs(t, version.Expected{later}.Check(present, "order", "7"), &stale)
	require.Equal(t, fault.Stale, stale.Kind)
	require.Equal(t, "CHANGED_MEANWHILE", stale.Text.Reason())
	require.Equal(t, "order/7", stale.Resource+"/"+stale.Name)
}
