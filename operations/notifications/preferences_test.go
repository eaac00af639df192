package notifications_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
)

// TestMessagesFollowThePreferencesOfRecipients has the recipient choose a language, and then no messages, after a
// message was recorded, too.
func TestMessagesFollowThePreferencesOfRecipients(t *testing.T) {
	t.Parallel()
	o := onTheWay(t)
	o.Do(`update organizations set language = 'nb' where id = 1;
		insert into notification_rules (org_id, id, event, channel, receiver, address)
			values (1, 31, 'TIME_MOVED', 'SMS', 'ADDRESS', '+4740000031')`)
	usual := o.Record("order.time_moved", 30)
	require.Contains(t, text(o, usual.ID), "mellom 10:55 og 11:10.")

	o.Do("insert into recipient_preferences (org_id, order_id, language, unwanted) values (1, 1, 'en', false)")
	chosen := o.Record("order.time_moved", 30)
	require.Contains(t, text(o, chosen.ID), "between 10:55 and 11:10.")
	require.Contains(t, text(o, o.Record("order.time_moved", 31).ID), "mellom", "others read the language of the organization")

	o.Do("update recipient_preferences set unwanted = true where org_id = 1")
	require.Equal(t, notification.Superseded, o.Refused(chosen.ID), "what waits is not sent")
	unwanted := o.Record("order.time_moved", 30)
	require.Equal(t, notification.Superseded, unwanted.Failure)
	require.Empty(t, o.Record("order.time_moved", 31).Failure, "others still get theirs")
}
