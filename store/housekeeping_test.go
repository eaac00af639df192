package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// TestPositionsAreForgottenInBatches has positions of two organizations, of which those
// that are too old go, so many at a time, and the others stay.
func TestPositionsAreForgottenInBatches(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	for _, slug := range []string{"acme", "other"} {
		org := storetest.Organization(t, d.Database, slug)
		_, err := d.owner.Exec(t.Context(), `with driver as (
				insert into drivers (org_id, name) values ($1, 'Nora') returning id
			), somewhere as (
				insert into driver_whereabouts (org_id, driver_id) select $1, id from driver
			)
			insert into driver_positions (org_id, driver_id, at, latitude, longitude)
			select $1, driver.id, now() - make_interval(days => n), 59.9, 10.7 from driver, generate_series(1, 60) n`, org)
		require.NoError(t, err)
	}
	before := time.Now().Add(-30*24*time.Hour - time.Hour)
	var batches []int
	for {
		gone, err := d.store.ForgetPositions(t.Context(), before, 25)
		require.NoError(t, err)
		if gone == 0 {
			break
		}
		batches = append(batches, gone)
	}
	require.Equal(t, []int{25, 25, 10}, batches)
	require.Equal(t, 60, one[int](d, "select count(*)::int from driver_positions"))
	require.Zero(t, one[int](d, "select count(*)::int from driver_positions where at < $1", before))
}
