package operations

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// PlannersWaiting counts the searches that wait for a seat.
func (o *Operations) PlannersWaiting() int {
	o.planners.mu.Lock()
	defer o.planners.mu.Unlock()
	return len(o.planners.urgent) + len(o.planners.patient)
}

// TestUrgentSearchesComeFirst has searches wait for the one seat that there is.
func TestUrgentSearchesComeFirst(t *testing.T) {
	t.Parallel()
	p := newPlanners(1)
	release, err := p.take(t.Context(), false, nil)
	require.NoError(t, err)
	improver, gone, urgent := p.queue(false), p.queue(true), p.queue(true)
	require.True(t, p.wanted())
	p.leave(gone)
	release()
	<-urgent
	require.False(t, p.wanted())
	select {
	case <-improver:
		require.Fail(t, "there is one seat")
	default:
	}
	p.next()
	<-improver
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.take(ctx, true, nil)
	require.ErrorIs(t, err, context.Canceled)
	p.leave(improver) // has had its seat
	again, err := p.take(t.Context(), true, nil)
	require.NoError(t, err)
	again()
	require.Equal(t, 1, p.free)
}
