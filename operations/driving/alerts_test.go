package driving_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/alert"
	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/store"
)

// alerted is a road with rules of alerts.
type alerted struct{ *operationstest.Road }

// rule adds a rule and returns its id.
func (a alerted) rule(r alert.Rule) int64 {
	a.T.Helper()
	id, err := a.Driving.CreateAlertRule(a.T.Context(), caller.Service(a.Org, "test"), r)
	require.NoError(a.T, err)
	return id
}

// alerts are all alerts, oldest first: the kind, the driver or the stop, and how many were mailed.
func (a alerted) alerts() []string {
	a.T.Helper()
	return operationstest.One[[]string](a.Office, `select coalesce(array_agg(concat_ws(' ', kind, coalesce(stop, 'driver'), cardinality(emails),
		case when resolved_at is not null then 'over' end) order by id), '{}') from alerts where org_id = $1`, a.Org)
}

// logged are the events of alerts, oldest first.
func (a alerted) logged() []string {
	a.T.Helper()
	return operationstest.One[[]string](a.Office, `select coalesce(array_agg(kind order by id), '{}') from events
		where org_id = $1 and (kind like 'alert.%' or kind = 'order.alerted')`, a.Org)
}

// lookAtOnce has workers look that died and came back, all at once.
func (a alerted) lookAtOnce() {
	a.T.Helper()
	var looking sync.WaitGroup
	for range 8 {
		looking.Go(func() {
			_, err := a.Driving.LookAtDrive(a.T.Context(), caller.Service(a.Org, "drive/test"),
				store.DriveDay{DriverID: a.Nora, Day: operationstest.PlannedOn})
			require.NoError(a.T, err)
		})
	}
	looking.Wait()
}

func TestALateStopRaisesOneAlert(t *testing.T) {
	t.Parallel()
	r := alerted{operationstest.NewRoad(t)}
	rule := r.rule(alert.Rule{Kind: alert.LateBy, Minutes: 10, Channels: []alert.Channel{alert.Page, alert.Email, alert.Webhook}, Emails: []string{"desk@nordfrakt.example"}})
	r.rule(alert.Rule{Kind: alert.LateBy, Minutes: 600, Channels: []alert.Channel{alert.Page}})
	r.Says(driving.StartRoute, 0)
	r.Look()
	require.Empty(t, r.alerts())

	closes := r.Stops[0].Latest
	latest := func(at time.Time) {
		r.Do("update order_stops set earliest = $3::timestamptz - interval '1 hour', latest = $3 where org_id = $1 and id = $2", r.Org, r.Stops[0].ID, at)
	}
	latest(r.Stops[0].Eta.Add(-11 * time.Minute))
	r.lookAtOnce()
	stop := r.Stops[0].Kind
	require.Equal(t, []string{"LATE_BY " + stop + " 1"}, r.alerts())
	require.Equal(t, []string{"alert.raised", "order.alerted"}, r.logged(), "one transaction has both, once")
	require.Equal(t, "desk@nordfrakt.example", operationstest.One[string](r.Office, "select emails[1] from alerts where org_id = $1", r.Org))

	latest(closes)
	r.lookAtOnce()
	require.Equal(t, []string{"LATE_BY " + stop + " 1 over"}, r.alerts())
	require.Equal(t, []string{"alert.raised", "order.alerted", "alert.resolved"}, r.logged())

	latest(r.Stops[0].Eta.Add(-30 * time.Minute))
	r.Look()
	require.Equal(t, []string{"LATE_BY " + stop + " 1 over", "LATE_BY " + stop + " 1"}, r.alerts(), "late again is another alert")
	require.NoError(t, r.Driving.DeleteAlertRule(t.Context(), caller.Service(r.Org, "test"), rule))
	require.Equal(t, []string{"LATE_BY " + stop + " 1 over", "LATE_BY " + stop + " 1 over"}, r.alerts(), "nobody wants it any more")
}

func TestASilentDriverRaisesAnAlertInTime(t *testing.T) {
	t.Parallel()
	r := alerted{operationstest.NewRoad(t)}
	r.rule(alert.Rule{Kind: alert.SilentFor, Minutes: 7, Channels: []alert.Channel{alert.Page, alert.Webhook}})
	r.Says(driving.StartRoute, 0)
	heard := r.Now
	looked := r.Look()
	for range 10 {
		if len(r.alerts()) > 0 {
			break
		}
		r.Now = looked.Wake
		looked = r.Look()
	}
	require.Equal(t, []string{"SILENT_FOR driver 0"}, r.alerts())
	require.WithinDuration(t, heard.Add(7*time.Minute), r.Now, time.Second, "a look comes when the rule asks for it")
	require.Equal(t, []string{"alert.raised", "order.alerted"}, r.logged())
	next := operationstest.One[string](r.Office, `select concat_ws(' ', subject_type, order_id, stop, driver_id) from events
		where org_id = $1 and kind = 'order.alerted'`, r.Org)
	require.Equal(t, fmt.Sprint("order ", r.Stops[0].OrderID, " ", r.Stops[0].Kind, " ", r.Nora), next, "the next stop's order")
}

func TestEmailsOfAlertsAreBounded(t *testing.T) {
	t.Parallel()
	r := alerted{operationstest.NewRoad(t)}
	addresses := []string{"a@x.example", "b@x.example", "c@x.example", "d@x.example", "e@x.example", "f@x.example", "g@x.example"}
	for range 10 {
		r.rule(alert.Rule{Kind: alert.LateBy, Minutes: 5, Channels: []alert.Channel{alert.Email}, Emails: addresses})
	}
	r.Says(driving.StartRoute, 0)
	r.Do("update order_stops set earliest = $3, latest = $4 where org_id = $1 and id = $2",
		r.Org, r.Stops[0].ID, r.Now.Add(-time.Hour), r.Stops[0].Eta.Add(-20*time.Minute))
	r.Look()
	require.Len(t, r.alerts(), 10, "all are on the page")
	require.Equal(t, 56, operationstest.One[int](r.Office, "select sum(cardinality(emails))::int from alerts where org_id = $1", r.Org))
	require.Equal(t, 56, operationstest.One[int](r.Office, "select sum((data ->> 'emails')::int)::int from events where org_id = $1 and kind = 'alert.raised'", r.Org))
}

// TestAnAlertIsMailedToEachAddressOnce has workers record the messages of an alert twice.
func TestAnAlertIsMailedToEachAddressOnce(t *testing.T) {
	t.Parallel()
	r := alerted{operationstest.NewRoad(t)}
	r.rule(alert.Rule{
		Kind: alert.SilentFor, Minutes: 5, Channels: []alert.Channel{alert.Email}, Emails: []string{"b@desk.example", "a@desk.example"},
	})
	r.Do("insert into messaging_settings (org_id, email_from) values ($1, 'us@desk.example')", r.Org)
	r.Says(driving.StartRoute, 0)
	r.Now = r.Now.Add(6 * time.Minute)
	r.Look()
	raised := store.Event{OrgID: r.Org, Kind: event.AlertRaised}
	raised.ID = operationstest.One[int64](r.Office, "select id from events where org_id = $1 and kind = 'alert.raised'", r.Org)
	raised.RecordedAt = operationstest.One[time.Time](r.Office, "select recorded_at from events where org_id = $1 and id = $2", r.Org, raised.ID)
	due, err := r.Store.DueNotifications(t.Context(), []store.Event{raised})
	require.NoError(t, err)
	require.Len(t, due, 2)
	for range 2 {
		for _, d := range due {
			_, err := r.Notifications.RecordNotification(t.Context(), caller.Service(r.Org, "notification/test"), notifications.NewMessage{
				Key: d.Key, WorkflowID: "notification/" + d.Key.String(), RunID: "run",
			})
			require.NoError(t, err)
		}
	}
	require.Equal(t, []string{"a@desk.example us@desk.example No signal from Nora for 6 min", "b@desk.example us@desk.example No signal from Nora for 6 min"},
		operationstest.One[[]string](r.Office, `select array_agg(concat_ws(' ', receiver, sender, subject) order by receiver)
			from notifications where org_id = $1 and event = 'ALERT_RAISED'`, r.Org))
}
