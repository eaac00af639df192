package relay_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/relay"
	"waybill/store"
	"waybill/store/storetest"
)

// counted counts its child contexts that are not canceled.
type counted struct {
	context.Context

	done chan struct{}
	live atomic.Int64
}

func (c *counted) Done() <-chan struct{} { return c.done }

// AfterFunc lets a context observe the end of another one.
func (c *counted) AfterFunc(func()) (stop func() bool) {
	c.live.Add(1)
	return func() bool {
		c.live.Add(-1)
		return true
	}
}

// TestReleasedShardsLeaveNothing uses a database that fails to return the shards'
// positions.
func TestReleasedShardsLeaveNothing(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	db.Pool.Close()
	ctx := &counted{Context: t.Context(), done: make(chan struct{})}
	for range 3 {
		require.Error(t, relay.TakeOn(ctx, store.New(db.Pool), 1, 2, 3))
	}
	require.Zero(t, ctx.live.Load())
}
