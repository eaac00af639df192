package limit

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestCallersPerKeyAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const people, few = 100, 2
		p := New[string](few)
		var inside, been atomic.Int32
		next := make(chan struct{})
		for range people {
			go func() {
				release, err := p.Acquire(t.Context(), "seat")
				if err != nil {
					t.Error(err)
					return
				}
				inside.Add(1)
				<-next
				inside.Add(-1)
				been.Add(1)
				release()
			}()
		}
		for gone := range int32(people) {
			synctest.Wait() // everybody has a slot or waits
			require.Equal(t, gone, been.Load())
			require.Equal(t, min(few, people-gone), inside.Load())
			next <- struct{}{}
		}
		synctest.Wait()
		require.Equal(t, int32(people), been.Load())
		require.Empty(t, p.keys, "a key without callers is forgotten")
	})
}

func TestAbandonedAcquireLeavesNothing(t *testing.T) {
	t.Parallel()
	p := New[string](1)
	release, err := p.Acquire(t.Context(), "seat")
	require.NoError(t, err)
	impatient, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err = p.Acquire(impatient, "seat")
	require.ErrorIs(t, err, context.Canceled)
	other, err := p.Acquire(t.Context(), "another seat")
	require.NoError(t, err, "another key has a limit of its own")
	other()
	release()
	release()
	require.Empty(t, p.keys)
}
