package notifications_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/operations/operationstest"
	"waybill/store"
)

func TestNothingIsSentForASuspendedOrganization(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	waiting := o.Record("order.created", operationstest.MailOfCreated)
	operator := caller.Service(1, "waybill organizations suspend")
	suspend := func(suspended, news bool) {
		changed, err := o.MasterData.Suspend(t.Context(), operator, "acme", suspended)
		require.NoError(t, err)
		require.Equal(t, news, changed)
	}
	suspend(true, true)
	suspend(true, false) // it is so already
	require.Equal(t, "waybill organizations suspend",
		operationstest.One[string](o.Office, "select cause from events where kind = '"+string(event.OrganizationSuspended)+"'"))

	require.Equal(t, 15*time.Minute, o.Postponed(waiting.ID))
	require.Empty(t, o.Mails)
	require.Equal(t, fault.Forbidden, fault.KindOf(o.Exports.RecordCarrierUpdate(t.Context(), o.By, &store.CarrierUpdate{})))
	due := func() int {
		found, err := o.Store.DueNotifications(t.Context(), []store.Event{eventOf(o, waiting.ID)})
		require.NoError(t, err)
		return len(found)
	}
	require.Zero(t, due())

	suspend(false, true)
	require.NotZero(t, due())
	_, err := o.Notifications.SendNotification(t.Context(), o.By, waiting.ID)
	require.NoError(t, err)
	require.Len(t, o.Mails, 1)
}

// eventOf is the event of a message as the relay hands it over.
func eventOf(o *operationstest.Postbox, message int64) store.Event {
	id := operationstest.One[int64](o.Office, "select event_id from notifications where org_id = 1 and id = $1", message)
	return store.Event{
		OrgID: 1, ID: id, Kind: event.OrderCreated,
		RecordedAt: operationstest.One[time.Time](o.Office, "select recorded_at from events where id = $1", id),
	}
}
