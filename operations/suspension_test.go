package operations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

func TestNothingIsSentForASuspendedOrganization(t *testing.T) {
	t.Parallel()
	o := newPostbox(t, nil)
	waiting := o.record("order.created", mailOfCreated)
	operator := caller.Service(1, "waybill organizations suspend")
	suspend := func(suspended, news bool) {
		changed, err := o.MasterData.Suspend(t.Context(), operator, "acme", suspended)
		require.NoError(t, err)
		require.Equal(t, news, changed)
	}
	suspend(true, true)
	suspend(true, false) // it is so already
	require.Equal(t, "waybill organizations suspend",
		one[string](o.office, "select cause from events where kind = '"+string(event.OrganizationSuspended)+"'"))

	require.Equal(t, 15*time.Minute, o.postponed(waiting.ID))
	require.Empty(t, o.mails)
	require.Equal(t, fault.Forbidden, fault.KindOf(o.Exports.RecordCarrierUpdate(t.Context(), o.by, &store.CarrierUpdate{})))
	due := func() int {
		found, err := o.store.DueNotifications(t.Context(), []store.Event{o.eventOf(waiting.ID)})
		require.NoError(t, err)
		return len(found)
	}
	require.Zero(t, due())

	suspend(false, true)
	require.NotZero(t, due())
	_, err := o.Notifications.SendNotification(t.Context(), o.by, waiting.ID)
	require.NoError(t, err)
	require.Len(t, o.mails, 1)
}

// eventOf is the event of a message as the relay hands it over.
func (o *postbox) eventOf(message int64) store.Event {
	id := one[int64](o.office, "select event_id from notifications where org_id = 1 and id = $1", message)
	return store.Event{
		OrgID: 1, ID: id, Kind: event.OrderCreated,
		RecordedAt: one[time.Time](o.office, "select recorded_at from events where id = $1", id),
	}
}
