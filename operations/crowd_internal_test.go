package operations

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestCrowds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCrowds[string](2)
		open, entered, left := make(chan struct{}), make(chan struct{}, 100), make(chan struct{}, 100)
		for range cap(entered) {
			go func() {
				leave, err := c.enter(t.Context(), "seat")
				if err != nil {
					return
				}
				entered <- struct{}{}
				<-open
				leave()
				left <- struct{}{}
			}()
		}
		synctest.Wait()
		require.Len(t, entered, 2, "the others wait")
		open <- struct{}{}
		synctest.Wait()
		require.Len(t, left, 1)
		require.Len(t, entered, 3, "who leaves lets one in")
		close(open)
		synctest.Wait()
		require.Len(t, left, 100)
		require.Empty(t, c.all, "who has left is forgotten")
	})
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
