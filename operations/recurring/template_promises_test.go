package recurring_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/housekeeping"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/operations/recurring"
	"waybill/store/storetest"
)

// gardener keeps a template of an organization, on a clock of the test.
type gardener struct {
	*operationstest.Office

	by       caller.Caller
	now      time.Time
	template int64
}

func newGardener(t *testing.T, rule string, ahead int) *gardener {
	t.Helper()
	g := &gardener{Office: operationstest.NewOffice(t), now: time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)}
	g.Operations = operations.New(g.Store, func() time.Time { return g.now }, operations.Settings{
		Messaging: notifications.Messaging{MailFrom: "post@acme.example"},
	})
	g.by = caller.Service(storetest.Organization(t, g.Database, "acme"), "test")
	staged, err := g.Recurring.StageTemplate(t.Context(), g.by, fmt.Appendf(nil, `{"name": "Milk", "rruleset": %q,
		"startDate": %q, "daysToGenerateAhead": %d, "orderTemplate": {
			"customer": {"externalId": "C-100"}, "vehicleType": {"name": "Van"}, "orderType": {"name": "Standard"},
			"pickup": {"externalId": "L-1"},
			"delivery": {"externalId": "L-2", "contacts": [{"firstName": "Olaug", "emailAddress": "olaug@example.com"}]}}}`,
		rule, g.now.Truncate(24*time.Hour).Add(8*time.Hour).Format(time.RFC3339), ahead), time.UTC)
	require.NoError(t, err)
	g.template = staged.TemplateID
	g.save(staged)
	return g
}

func (g *gardener) save(staged recurring.StagedChange) {
	g.T.Helper()
	saved, err := g.Recurring.SaveTemplate(g.T.Context(), g.by, staged.ID)
	require.NoError(g.T, err)
	require.False(g.T, saved.Refused)
}

func (g *gardener) change(body string) {
	g.T.Helper()
	staged, err := g.Recurring.StageTemplateChange(g.T.Context(), g.by, g.template, []byte(body))
	require.NoError(g.T, err)
	g.save(staged)
}

func (g *gardener) step() recurring.Generated {
	g.T.Helper()
	done, err := g.Recurring.GenerateOrders(g.T.Context(), g.by, g.template)
	require.NoError(g.T, err)
	return done
}

func (g *gardener) generate() recurring.Generated {
	g.T.Helper()
	for {
		if done := g.step(); done.Left == 0 {
			return done
		}
	}
}

// live is how many orders are not cancelled.
func (g *gardener) live() int {
	return operationstest.One[int](g.Office, "select count(*)::int from orders where org_id = $1 and status_id < 8", g.by.OrgID)
}

// isFound reports whether housekeeping looks after the template's workflow.
func (g *gardener) isFound() bool {
	g.T.Helper()
	g.Do("update recurring_orders set updated_at = now() - interval '1 day'")
	lives, err := g.Housekeeping.Lives(g.T.Context(), housekeeping.LiveTemplates, "")
	require.NoError(g.T, err)
	return len(lives.All) == 1
}

func TestAPromiseOutlivesADeactivation(t *testing.T) {
	t.Parallel()
	g := newGardener(t, "FREQ=HOURLY", 30)
	require.Positive(t, g.step().Left)
	made := g.live()
	require.Greater(t, made, 400)
	g.change(`{"rruleset": "FREQ=DAILY", "updateExistingOrders": true}`)
	g.change(`{"isActive": false}`)
	require.True(t, g.isFound(), "there is something to do for it")
	require.Equal(t, recurring.TemplateInactive, g.generate().State)
	require.Less(t, g.live(), made/20)
	require.Positive(t, g.live())
	events := func() int { return operationstest.One[int](g.Office, "select count(*)::int from events") }
	before := events()
	require.Equal(t, recurring.TemplateInactive, g.generate().State)
	require.Equal(t, before, events(), "once")
	require.False(t, g.isFound())
}

func TestLostTemplateIsRestartedInAnyState(t *testing.T) {
	t.Parallel()
	overdue := func(g *gardener) int64 {
		n, err := g.Housekeeping.OverdueTemplates(t.Context())
		require.NoError(t, err)
		return n
	}
	t.Run("Generating", func(t *testing.T) {
		t.Parallel()
		g := newGardener(t, "FREQ=HOURLY", 30)
		require.True(t, g.isFound(), "between the save and the first batch")
		require.Equal(t, int64(1), overdue(g))
		require.Positive(t, g.step().Left)
		require.True(t, g.isFound(), "between two batches")
		g.Do("update recurring_orders set owes = false, next_run_at = null")
		require.True(t, g.isFound(), "by an earlier release, too")
		g.generate()
		require.True(t, g.isFound(), "asleep")
		require.Zero(t, overdue(g))
		require.NoError(t, g.Recurring.PauseTemplate(t.Context(), g.by, g.template, true))
		g.step()
		require.True(t, g.isFound(), "paused, so that it can be resumed")
		require.NoError(t, g.Recurring.PauseTemplate(t.Context(), g.by, g.template, false))
		require.True(t, g.isFound(), "between the signal and the first batch")
		g.change(`{"isActive": false}`)
		g.step()
		require.False(t, g.isFound(), "inactive")
		g.now = g.now.AddDate(0, 0, 40)
		require.Zero(t, overdue(g))
	})
	t.Run("Complete", func(t *testing.T) {
		t.Parallel()
		g := newGardener(t, "FREQ=DAILY;COUNT=2", 5)
		require.Equal(t, recurring.TemplateComplete, g.generate().State)
		require.False(t, g.isFound())
		g.now = g.now.AddDate(0, 0, 40)
		require.Zero(t, overdue(g))
		g.change(`{"rruleset": "FREQ=DAILY"}`)
		require.True(t, g.isFound(), "between the change that revives it and its first batch")
		require.Equal(t, int64(1), overdue(g))
	})
	t.Run("Asleep", func(t *testing.T) {
		t.Parallel()
		g := newGardener(t, "FREQ=DAILY", 3)
		g.generate()
		g.now = g.now.AddDate(0, 0, 3)
		require.Zero(t, overdue(g), "there are orders for today")
		g.now = g.now.AddDate(0, 0, 1)
		require.Equal(t, int64(1), overdue(g))
	})
	t.Run("BetweenItsWeeks", func(t *testing.T) {
		t.Parallel()
		g := newGardener(t, "FREQ=WEEKLY", 0)
		g.generate()
		g.now = g.now.AddDate(0, 0, 3)
		require.Zero(t, overdue(g), "nothing is to be generated yet")
	})
	t.Run("Failing", func(t *testing.T) {
		t.Parallel()
		g := newGardener(t, "FREQ=DAILY", 0)
		g.generate()
		g.Do(`create function refuse() returns trigger language plpgsql as $$ begin
			raise exception 'refused' using errcode = '22003'; end $$`)
		g.Do("create trigger refuse before insert on orders for each row execute function refuse()")
		g.now = g.now.AddDate(0, 0, 1)
		require.Equal(t, recurring.TemplateFailing, g.step().State)
		require.Equal(t, int64(1), overdue(g), "although it is tried again tomorrow")
	})
}

func TestPreviewNamesKeptAndDoubledDays(t *testing.T) {
	t.Parallel()
	g := newGardener(t, "FREQ=DAILY", 2)
	g.generate()
	preview := func(body string) recurring.TemplatePreview {
		change := changeOf(t, body)
		shown, err := g.Recurring.PreviewTemplateChange(t.Context(), g.by, g.template, change)
		require.NoError(t, err)
		return shown
	}
	nine := fmt.Sprintf(`"startDate": %q`, g.now.Truncate(24*time.Hour).Add(9*time.Hour).Format(time.RFC3339))
	kept := preview("{" + nine + "}")
	require.Zero(t, kept.Plan.Size())
	require.Len(t, kept.Kept, 3)
	require.Empty(t, kept.Plan.Doubled)
	require.Empty(t, preview(`{"name": "Cream"}`).Kept, "a name is not in the orders")

	g.Do("update orders set status_id = 3 where date = $1", g.now.Truncate(24*time.Hour))
	following := preview("{" + nine + `, "updateExistingOrders": true}`)
	require.Empty(t, following.Kept)
	require.Len(t, following.Plan.Create, 3)
	require.Len(t, following.Plan.Doubled, 1)
}
