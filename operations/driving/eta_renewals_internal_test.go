package driving

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
)

func TestReportsWithinAPauseAreBatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newETARenewals(time.Second)
		at, other := road{orgID: 1, driverID: 17}, road{orgID: 2, driverID: 17}
		var later []string
		say := func(on road, cause string) (waits bool) {
			return e.wait(on, caller.Caller{Cause: cause}, func(c caller.Caller) { later = append(later, c.Cause) })
		}
		require.False(t, say(at, "first"), "nobody waits for nothing")
		require.True(t, say(at, "second"))
		require.True(t, say(at, "third"))
		require.False(t, say(other, "of somebody else"))
		require.Empty(t, later)

		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{"third"}, later, "one renewal sees them all")
		require.True(t, say(at, "fourth"), "the renewal behind begins a pause as well")

		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{"third", "fourth"}, later)

		time.Sleep(time.Second)
		synctest.Wait()
		require.Empty(t, e.again, "who says nothing is forgotten")
		require.False(t, say(at, "much later"))
	})
}

func TestNoPauseDoesNotWait(t *testing.T) {
	t.Parallel()
	e := newETARenewals(0)
	for range 3 {
		require.False(t, e.wait(road{}, caller.Caller{}, nil))
	}
}
