package store

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCrowds(t *testing.T) {
	t.Parallel()
	c := newCrowds[string](2)
	var inside, most, done atomic.Int32
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			leave, err := c.enter(t.Context(), "seat")
			if err != nil {
				return
			}
			if now := inside.Add(1); now > most.Load() {
				most.Store(now)
			}
			inside.Add(-1)
			done.Add(1)
			leave()
		})
	}
	wg.Wait()
	require.Equal(t, int32(100), done.Load())
	require.LessOrEqual(t, most.Load(), int32(2))
	require.Empty(t, c.all, "who has left is forgotten")
}

func TestCrowdsAreLeft(t *testing.T) {
	t.Parallel()
	c := newCrowds[string](1)
	leave, err := c.enter(t.Context(), "seat")
	require.NoError(t, err)
	impatient, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err = c.enter(impatient, "seat")
	require.ErrorIs(t, err, context.Canceled)
	other, err := c.enter(t.Context(), "another seat")
	require.NoError(t, err, "who wants something else does not wait")
	other()
	leave()
	require.Empty(t, c.all)
}
