package webhook_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/webhook"
)

func TestIdentifiersAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	place := webhook.Place{Position: 10236, Number: 2}
	require.Equal(t, "evt_10236_2", place.ID())
	read, test, ok := webhook.ParseID(place.ID())
	require.True(t, ok)
	require.Empty(t, test)
	require.Equal(t, place, read)
	_, test, ok = webhook.ParseID(webhook.TestID("x7"))
	require.True(t, ok)
	require.Equal(t, "x7", test)
	for _, bad := range []string{"", "evt_", "evt_1", "evt_1_0", "evt_0_1", "evt_x_1", "test_", "evt_1_1_1"} {
		_, _, ok := webhook.ParseID(bad)
		require.False(t, ok, bad)
	}
}

func TestEventsAreTriedForThreeDaysWithPausesThatGrow(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	now := first
	var pauses []time.Duration
	for attempts := 1; ; attempts++ {
		next, ok := webhook.Again(first, attempts, now)
		if !ok {
			break
		}
		pauses = append(pauses, next.Sub(now))
		now = next
	}
	require.Equal(t, first.Add(72*time.Hour), now, "the last attempt is at the end")
	require.True(t, slices.IsSorted(pauses[:len(pauses)-1]), pauses)
	require.Less(t, pauses[0], 10*time.Second)
	require.LessOrEqual(t, slices.Max(pauses), 8*time.Hour)
}

func TestAnEndpointRestsLongerAndLongerUntilItAccepts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	var h webhook.Health
	for range 9 {
		h = h.Refused(now)
	}
	require.False(t, h.Doubtful())
	require.True(t, h.RestingUntil.IsZero())
	last := time.Duration(0)
	for range 20 {
		h = h.Refused(now)
		rest := h.RestingUntil.Sub(now)
		require.GreaterOrEqual(t, rest, last)
		require.LessOrEqual(t, rest, 15*time.Minute)
		require.True(t, h.Doubtful())
		last, now = rest, h.RestingUntil
	}
	require.Equal(t, 15*time.Minute, last)
	require.False(t, h.Hopeless(now))
	require.True(t, h.Hopeless(h.FailingSince.Add(5*24*time.Hour)))
	require.Equal(t, webhook.Health{DeliveredAt: now}, h.Accepted(now))
}

func TestEndpointPauseIsRespected(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	h := webhook.Health{}.Refused(now)
	require.Equal(t, h, h.Asked(now, 0))
	h = h.Asked(now, time.Minute).Asked(now, time.Second)
	require.Equal(t, now.Add(time.Minute), h.RestingUntil)
	require.Equal(t, now.Add(time.Minute), h.Accepted(now).RestingUntil, "what was under way beside does not end it")
	require.Equal(t, now.Add(15*time.Minute), h.Asked(now, 24*time.Hour).RestingUntil, "but not for days")
}

func TestWebhooksMatchTheFeed(t *testing.T) {
	t.Parallel()
	require.Contains(t, webhook.Kinds(), event.OrderDelivered)
	require.NotContains(t, webhook.Kinds(), event.OrderLocked)
}
