package planning

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
	release, err := p.take(t.Context(), 1, false, nil)
	require.NoError(t, err)
	improver, gone, urgent := p.queue(1, false), p.queue(1, true), p.queue(1, true)
	require.True(t, p.wanted())
	p.leave(gone)
	release()
	<-urgent.turn
	require.False(t, p.wanted())
	select {
	case <-improver.turn:
		require.Fail(t, "there is one seat")
	default:
	}
	p.next(urgent)
	<-improver.turn
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.take(ctx, 1, true, nil)
	require.ErrorIs(t, err, context.Canceled)
	p.leave(improver) // has had its seat
	again, err := p.take(t.Context(), 1, true, nil)
	require.NoError(t, err)
	again()
	require.Equal(t, 1, p.free)
	require.Empty(t, p.taken)
}

// TestPlansOfOneOrganizationDoNotBlockOthers has one organization fill both seats and the queue.
func TestPlansOfOneOrganizationDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	p := newPlanners(2)
	var busy []*planSeat
	for range 20 {
		busy = append(busy, p.queue(1, true))
	}
	other := p.queue(2, true)
	p.next(busy[0])
	<-other.turn
	select {
	case <-busy[2].turn:
		require.Fail(t, "the other organization has no seat yet")
	default:
	}
	p.next(other)
	<-busy[2].turn
	p.next(busy[1])
	<-busy[3].turn
}

// TestSearchesThatCanWaitElsewhereLeaveRoom has more plans improved than may wait, of which none is in the way of
// something new.
func TestSearchesThatCanWaitElsewhereLeaveRoom(t *testing.T) {
	t.Parallel()
	p := newPlanners(1)
	release, err := p.takeSpare(t.Context(), 1, nil)
	require.NoError(t, err)
	had := make(chan func(), MostSpares)
	for range MostSpares {
		go func() {
			seat, err := p.takeSpare(t.Context(), 1, nil)
			assert.NoError(t, err)
			had <- seat
		}()
	}
	require.Eventually(t, func() bool { return p.waitingPatiently() == MostSpares }, time.Minute, time.Millisecond)
	_, err = p.takeSpare(t.Context(), 2, nil)
	require.ErrorIs(t, err, ErrSeatsTaken)
	urgent := p.queue(2, true)
	release()
	<-urgent.turn
	p.next(urgent)
	for range MostSpares {
		(<-had)()
	}
	again, err := p.takeSpare(t.Context(), 2, nil)
	require.NoError(t, err)
	again()
	require.Zero(t, p.spares)
}

func (p *planners) waitingPatiently() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.patient)
}
