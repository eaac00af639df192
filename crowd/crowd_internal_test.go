package crowd

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestCrowds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const people, few = 100, 2
		c := New[string](few)
		var inside, been atomic.Int32
		next := make(chan struct{})
		for range people {
			go func() {
				leave, err := c.Enter(t.Context(), "seat")
				if err != nil {
					t.Error(err)
					return
				}
				inside.Add(1)
				<-next
				inside.Add(-1)
				been.Add(1)
				leave()
			}()
		}
		for gone := range int32(people) {
			synctest.Wait() // everybody is inside or waits
			require.Equal(t, gone, been.Load())
			require.Equal(t, min(few, people-gone), inside.Load())
			next <- struct{}{}
		}
		synctest.Wait()
		require.Equal(t, int32(people), been.Load())
		require.Empty(t, c.all, "who has left is forgotten")
	})
}

func TestCrowdsAreLeft(t *testing.T) {
	t.Parallel()
	c := New[string](1)
	leave, err := c.Enter(t.Context(), "seat")
	require.NoError(t, err)
	impatient, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err = c.Enter(impatient, "seat")
	require.ErrorIs(t, err, context.Canceled)
	other, err := c.Enter(t.Context(), "another seat")
	require.NoError(t, err, "who wants something else does not wait")
	other()
	leave()
	leave()
	require.Empty(t, c.all)
}
