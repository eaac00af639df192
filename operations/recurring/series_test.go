package recurring_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/domain/notification"
	"waybill/domain/recurring"
	"waybill/domain/recurring/wire"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/store"
)

func changeOf(t *testing.T, body string) recurring.Change {
	t.Helper()
	change, err := wire.ReadChange(strings.NewReader(body))
	require.NoError(t, err)
	return change
}

// told makes the messages of all events since the last time, and returns their subjects.
func (g *gardener) told() []string {
	g.T.Helper()
	rows, err := g.Owner.Query(g.T.Context(), `update events set rule = 'told' where rule is null and org_id = $1
		returning org_id, id, kind, recorded_at`, g.by.OrgID)
	require.NoError(g.T, err)
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e store.Event, err error) {
		return e, row.Scan(&e.OrgID, &e.ID, &e.Kind, &e.RecordedAt)
	})
	require.NoError(g.T, err)
	due, err := g.Store.DueNotifications(g.T.Context(), events)
	require.NoError(g.T, err)
	subjects := []string{}
	for _, n := range due {
		recorded, err := g.Notifications.RecordNotification(g.T.Context(), g.by, notifications.NewMessage{
			Key: n.Key, WorkflowID: "w" + n.Key.String(), RunID: "r",
		})
		require.NoError(g.T, err)
		require.Empty(g.T, recorded.Failure)
		subjects = append(subjects, operationstest.One[string](g.Office, "select subject from notifications where id = $1", recorded.ID))
	}
	return subjects
}

func TestASeriesIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	g := newGardener(t, "FREQ=DAILY", 28)
	g.Do("update organizations set language = 'en'")
	g.Do(`insert into notification_rules (org_id, event, channel, receiver)
		select $1, unnest('{ORDER_CREATED,ORDER_CANCELLED}'::text[]), 'EMAIL', 'DELIVERY_CONTACTS'`, g.by.OrgID)
	g.generate()
	require.Equal(t, 29, g.live())
	first := notification.Day("en", g.now.Format(time.DateOnly))
	require.Equal(t, []string{"Recurring orders from " + first + " are registered"}, g.told())

	g.now = g.now.AddDate(0, 0, 1)
	g.generate()
	require.Equal(t, 30, g.live())
	require.Empty(t, g.told(), "receivers know the series")

	// One that a person cancels, and one that a person imports, are told by themselves.
	number := operationstest.One[string](g.Office, "select max(number) from orders")
	_, err := g.Orders.CancelOrders(t.Context(), g.by, []string{number})
	require.NoError(t, err)
	require.Equal(t, []string{"Order " + number + " is cancelled"}, g.told())

	nine := `"startDate": "` + g.now.Truncate(24*time.Hour).Add(9*time.Hour).Format(time.RFC3339) + `"`
	g.change("{" + nine + `, "updateExistingOrders": true}`)
	g.generate()
	require.Len(t, g.told(), 1, "a change of all orders is told once")
	g.change(`{"endDate": "` + g.now.Format(time.RFC3339) + `", "updateExistingOrders": true}`)
	g.generate()
	require.Equal(t, []string{"Recurring orders are cancelled"}, g.told())
	require.Contains(t, operationstest.One[string](g.Office, "select body from notifications order by id desc limit 1"), "(Milk) are cancelled: 28, ")
}

func TestARuleSaysWhatASeriesMakes(t *testing.T) {
	t.Parallel()
	for series, want := range map[string]int{"EACH": 4, "NEVER": 0} {
		t.Run(series, func(t *testing.T) {
			t.Parallel()
			g := newGardener(t, "FREQ=DAILY", 3)
			g.Do(`insert into notification_rules (org_id, event, channel, receiver, series)
				values ($1, 'ORDER_CREATED', 'EMAIL', 'DELIVERY_CONTACTS', $2)`, g.by.OrgID, series)
			g.generate()
			told := g.told()
			require.Len(t, told, want)
			for _, subject := range told {
				require.Contains(t, subject, "recurring-", "each is about its order")
			}
		})
	}
}

func TestRemindersComeOnceAndDaysAhead(t *testing.T) {
	t.Parallel()
	g := newGardener(t, "FREQ=DAILY", 5)
	g.Do("update organizations set language = 'en'")
	g.Do(`insert into notification_rules (org_id, event, channel, receiver, address, days_ahead) values
		($1, 'ORDER_REMINDER', 'EMAIL', 'DELIVERY_CONTACTS', '', 2),
		($1, 'ORDER_REMINDER', 'EMAIL', 'ADDRESS', 'depot@acme.example', 4)`, g.by.OrgID)
	g.generate()
	remind := func() int {
		done, err := g.Housekeeping.KeepHouse(t.Context(), housekeeping.Reminders, false)
		require.NoError(t, err)
		return done.Done
	}
	noon := g.now
	g.now = noon.Truncate(24 * time.Hour).Add(5 * time.Hour)
	require.Zero(t, remind(), "not at night")
	g.now = noon
	require.Equal(t, 2, remind())
	require.Zero(t, remind(), "once")
	require.Len(t, g.told(), 2, "each rule hears of its own days")
	g.Do("update orders set status_id = 8, cancelled_at = now() where date = $1", noon.AddDate(0, 0, 3))
	g.now = noon.AddDate(0, 0, 1)
	require.Equal(t, 1, remind(), "what is cancelled is not coming up")
	for _, subject := range g.told() {
		require.Contains(t, subject, "is coming up")
	}
}
