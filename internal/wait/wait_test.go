package wait_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/wait"
)

func TestForWaitsOrEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		require.True(t, wait.For(t.Context(), time.Hour))
		require.Equal(t, time.Hour, time.Since(begun))

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.False(t, wait.For(ctx, time.Hour))
		require.Equal(t, time.Hour+time.Minute, time.Since(begun))
	})
}
