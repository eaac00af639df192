package notification_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
)

func TestOutdatedHelpIsDetected(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 24, 5, 0, 0, 0, time.UTC)
	after := at.Add
	type standing = notification.Standing
	const (
		created     = notification.OrderCreated
		approaching = notification.StopApproaching
		delivered   = notification.OrderDelivered
	)
	for name, tc := range map[string]struct {
		about notification.Event
		now   notification.Standing
		late  time.Duration // from the event to the attempt
		holds bool
	}{
		"RegisteredBeforeThePickup": {created, standing{PickupBefore: after(time.Hour)}, 59 * time.Minute, true},
		"RegisteredAfterThePickup":  {created, standing{PickupBefore: after(time.Hour)}, time.Hour, false},
		"RegisteredLate":            {created, standing{PickupBefore: after(-time.Hour)}, time.Hour, true},
		"RegisteredAndCancelled":    {created, standing{Cancelled: true}, 0, false},
		"RegisteredAndPickedUp":     {created, standing{PickedUp: true}, 0, false},
		"Cancelled":                 {notification.OrderCancelled, standing{Cancelled: true}, time.Hour, true},
		"CancelledAndTakenBack":     {notification.OrderCancelled, standing{}, 0, false},
		"Approaching":               {approaching, standing{ETA: after(2 * time.Hour)}, 2 * time.Hour, true},
		"ApproachingLongAgo":        {approaching, standing{}, time.Hour, false},
		"ApproachingAndThere":       {approaching, standing{Reached: true}, 0, false},
		"ApproachingAndOver":        {approaching, standing{Done: true}, 0, false},
		"ApproachingAndCancelled":   {approaching, standing{Cancelled: true}, 0, false},
		"Arrived":                   {notification.StopArrived, standing{Reached: true}, 14 * time.Minute, true},
		"ArrivedMinutesAgo":         {notification.StopArrived, standing{Reached: true}, 15 * time.Minute, false},
		"ArrivedAndOver":            {notification.StopArrived, standing{Reached: true, Done: true}, 0, false},
		"Delivered":                 {delivered, standing{Done: true, Delivered: true}, 20 * time.Hour, true},
		"DeliveredButFailed":        {delivered, standing{Done: true, Failed: true}, 0, false},
		"FailedButDelivered":        {notification.OrderFailed, standing{Done: true, Delivered: true}, 0, false},
		"OfAnAccount":               {notification.AccountInvited, standing{Cancelled: true}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.now.HappenedAt = at
			require.Equal(t, tc.holds, tc.now.Holds(tc.about, after(tc.late)))
		})
	}
}

func TestAttemptsAreApart(t *testing.T) {
	t.Parallel()
	require.Equal(t, time.Second, notification.RetryDelay(1, 0, 0))
	require.Equal(t, 4*time.Second, notification.RetryDelay(3, 0, 0))
	require.Equal(t, 6*time.Second, notification.RetryDelay(3, 0, 1), "drawn")
	require.Equal(t, 5*time.Minute, notification.RetryDelay(400, 0, 0))
	require.Equal(t, time.Minute, notification.RetryDelay(1, time.Minute, 0), "as the provider asks")
	require.Equal(t, time.Hour, notification.RetryDelay(1, 48*time.Hour, 0), "within a bound")

	require.Zero(t, notification.DoubtWait(0))
	require.Equal(t, 5*time.Minute, notification.DoubtWait(1))
	require.Equal(t, 30*time.Minute, notification.DoubtWait(2))
	require.Equal(t, 30*time.Minute, notification.DoubtWait(9))
}
