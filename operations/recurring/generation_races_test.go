package recurring_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"waybill/operations/operationstest"
	"waybill/operations/recurring"
)

// TestTemplateKeepsConcurrentEdit: it has looked at its orders, and waits for one of
// them, which somebody is editing.
func TestTemplateKeepsConcurrentEdit(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"AChange":       `{"orderTemplate": %s, "updateExistingOrders": true}`,
		"AnEarlierEnd":  `{"endDate": "2026-01-01T09:00:00Z", "startDate": "2025-12-01T08:00:00Z", "updateExistingOrders": true}`,
		"ADeactivation": `{"rruleset": "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1", "updateExistingOrders": true}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := operationstest.NewDepot(t)
			told := func(reference string) string {
				r := operationstest.Request("")
				r.Date, r.Reference = "", reference
				raw, err := jsonv2.Marshal(r)
				require.NoError(t, err)
				return string(raw)
			}
			tomorrow := time.Now().AddDate(0, 0, 1)
			first, err := b.Recurring.StageTemplate(t.Context(), operationstest.Clerk(1), fmt.Appendf(nil,
				`{"orderTemplate": %s, "rruleset": "FREQ=DAILY", "startDate": %q, "daysToGenerateAhead": 5}`,
				told("template"), tomorrow.UTC().Format("2006-01-02")+"T08:00:00Z"), time.UTC)
			require.NoError(t, err)
			save(t, b, first.ID)
			generated, err := b.Recurring.GenerateOrders(t.Context(), operationstest.Clerk(1), first.TemplateID)
			require.NoError(t, err)
			require.Positive(t, generated.Orders)

			if name == "AChange" {
				change = fmt.Sprintf(change, told("changed"))
			}
			second, err := b.Recurring.StageTemplateChange(t.Context(), operationstest.Clerk(1), first.TemplateID, []byte(change))
			require.NoError(t, err)
			save(t, b, second.ID)

			editing, err := b.DB.Pool.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = editing.Rollback(context.WithoutCancel(t.Context())) }()
			_, err = editing.Exec(t.Context(), "set local app.org_id = '1'")
			require.NoError(t, err)
			var edited int64
			require.NoError(t, editing.QueryRow(t.Context(), `select id from orders where id = (select max(id) from orders) for update`).Scan(&edited))
			done := make(chan error, 1)
			go func() {
				_, err := b.Recurring.GenerateOrders(context.WithoutCancel(t.Context()), operationstest.Clerk(1), first.TemplateID)
				done <- err
			}()
			require.Eventually(t, func() bool {
				return b.Count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") > 0
			}, time.Minute, 10*time.Millisecond)
			_, err = editing.Exec(t.Context(), "update orders set reference = 'by hand', edited_at = now() where id = $1", edited)
			require.NoError(t, err)
			require.NoError(t, editing.Commit(t.Context()))
			require.NoError(t, <-done)
			require.Equal(t, 1, b.Count(t, "select count(*) from orders where reference = 'by hand' and status_id <> 8"))
			require.Zero(t, b.Count(t, "select count(*) from orders where reference = 'template' and status_id <> 8"), "the others are as it says")
		})
	}
}

func save(t *testing.T, b *operationstest.Depot, change int64) {
	t.Helper()
	saved, err := b.Recurring.SaveTemplate(t.Context(), operationstest.Clerk(1), change)
	require.NoError(t, err)
	require.Equal(t, recurring.SavedTemplate{Version: saved.Version}, saved, "it is not refused")
}
